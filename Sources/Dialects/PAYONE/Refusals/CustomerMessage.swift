//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The language of `customermessage`.
enum CustomerLanguage: String, CaseIterable, Hashable, Sendable {
    case german = "de"
    case english = "en"
    case french = "fr"
    case dutch = "nl"
    case italian = "it"
    case spanish = "es"
    case polish = "pl"

    static let fallback = CustomerLanguage.english

    /// The customer's, as far as the request says: by `language`, then by `country`; `nil` if it has neither. A language
    /// that there are no texts for is English; it is never a reason to refuse a request.
    init?(of form: ReceivedForm) {
        if let language = form.readableText("language") {
            self = CustomerLanguage(rawValue: language.prefix(2).lowercased()) ?? .fallback
        } else if let country = form.readableText("country") {
            self = Self.byCountry[country] ?? .fallback
        } else {
            return nil
        }
    }

    /// Countries in which one of the languages is spoken by most; those with several have none.
    private static let byCountry: [String: CustomerLanguage] = [
        "DE": .german, "AT": .german, "LI": .german, "FR": .french, "MC": .french, "NL": .dutch, "IT": .italian,
        "SM": .italian, "VA": .italian, "ES": .spanish, "PL": .polish,
    ]
}

/// What a customer is shown: what to do, and nothing of why.
enum CustomerMessage: CaseIterable, Hashable, Sendable {
    case declined
    case limitExceeded
    case cardNotUsable
    case tryAgainLater
    case payAgain
    case shopError

    func text(in language: CustomerLanguage) -> String {
        switch language {
        case .german: self.german
        case .english: self.english
        case .french: self.french
        case .dutch: self.dutch
        case .italian: self.italian
        case .spanish: self.spanish
        case .polish: self.polish
        }
    }

    private var german: String {
        switch self {
        case .declined: "Die Zahlung wurde abgelehnt. Bitte wählen Sie eine andere Zahlungsart."
        case .limitExceeded: "Limit oder Guthaben der Karte reichen nicht aus. Bitte wählen Sie eine andere Karte."
        case .cardNotUsable: "Diese Karte kann nicht verwendet werden. Bitte wählen Sie eine andere Karte."
        case .tryAgainLater: "Die Zahlung ist im Moment nicht möglich. Bitte versuchen Sie es später noch einmal."
        case .payAgain: "Die Zahlung konnte nicht abgeschlossen werden. Bitte bezahlen Sie noch einmal mit Apple Pay."
        case .shopError: "Bei der Zahlung ist ein Fehler aufgetreten. Bitte wenden Sie sich an den Händler."
        }
    }

    private var english: String {
        switch self {
        case .declined: "The payment was declined. Please choose another payment method."
        case .limitExceeded: "The card's limit or balance is not sufficient. Please choose another card."
        case .cardNotUsable: "This card cannot be used. Please choose another card."
        case .tryAgainLater: "The payment is not possible at the moment. Please try again later."
        case .payAgain: "The payment could not be completed. Please pay with Apple Pay once more."
        case .shopError: "An error occurred during the payment. Please contact the merchant."
        }
    }

    private var french: String {
        switch self {
        case .declined: "Le paiement a été refusé. Veuillez choisir un autre moyen de paiement."
        case .limitExceeded:
            "Le plafond ou le solde de la carte est insuffisant. Veuillez choisir une autre carte."
        case .cardNotUsable: "Cette carte ne peut pas être utilisée. Veuillez choisir une autre carte."
        case .tryAgainLater: "Le paiement est impossible pour le moment. Veuillez réessayer plus tard."
        case .payAgain: "Le paiement n'a pas pu aboutir. Veuillez payer de nouveau avec Apple Pay."
        case .shopError: "Une erreur est survenue lors du paiement. Veuillez contacter le commerçant."
        }
    }

    private var dutch: String {
        switch self {
        case .declined: "De betaling is geweigerd. Kies een andere betaalmethode."
        case .limitExceeded: "De limiet of het saldo van de kaart is niet toereikend. Kies een andere kaart."
        case .cardNotUsable: "Deze kaart kan niet worden gebruikt. Kies een andere kaart."
        case .tryAgainLater: "De betaling is op dit moment niet mogelijk. Probeer het later opnieuw."
        case .payAgain: "De betaling kon niet worden voltooid. Betaal nogmaals met Apple Pay."
        case .shopError: "Er is een fout opgetreden bij de betaling. Neem contact op met de winkel."
        }
    }

    private var italian: String {
        switch self {
        case .declined: "Il pagamento è stato rifiutato. Scelga un altro metodo di pagamento."
        case .limitExceeded: "Il limite o il saldo della carta non è sufficiente. Scelga un'altra carta."
        case .cardNotUsable: "Questa carta non può essere utilizzata. Scelga un'altra carta."
        case .tryAgainLater: "Al momento il pagamento non è possibile. Riprovi più tardi."
        case .payAgain: "Non è stato possibile completare il pagamento. Paghi di nuovo con Apple Pay."
        case .shopError: "Si è verificato un errore durante il pagamento. Contatti il venditore."
        }
    }

    private var spanish: String {
        switch self {
        case .declined: "El pago ha sido rechazado. Elija otra forma de pago."
        case .limitExceeded: "El límite o el saldo de la tarjeta no es suficiente. Elija otra tarjeta."
        case .cardNotUsable: "No se puede utilizar esta tarjeta. Elija otra tarjeta."
        case .tryAgainLater: "El pago no es posible en este momento. Inténtelo de nuevo más tarde."
        case .payAgain: "No se ha podido completar el pago. Pague de nuevo con Apple Pay."
        case .shopError: "Se ha producido un error durante el pago. Póngase en contacto con la tienda."
        }
    }

    private var polish: String {
        switch self {
        case .declined: "Płatność została odrzucona. Proszę wybrać inną metodę płatności."
        case .limitExceeded: "Limit lub saldo karty jest niewystarczające. Proszę wybrać inną kartę."
        case .cardNotUsable: "Tej karty nie można użyć. Proszę wybrać inną kartę."
        case .tryAgainLater: "Płatność nie jest teraz możliwa. Proszę spróbować później."
        case .payAgain: "Nie udało się dokończyć płatności. Proszę zapłacić ponownie przez Apple Pay."
        case .shopError: "Podczas płatności wystąpił błąd. Proszę skontaktować się ze sprzedawcą."
        }
    }
}

extension ErrorCode {
    /// - Parameter name: what was asked for, where that is known.
    func customerMessage(of name: RequestName?) -> CustomerMessage {
        switch name {
        // The customer is done, and not there: no other card, and nothing that he does, makes it succeed.
        case .capture, .debit, .refund: .shopError
        case .preauthorization, .authorization, .genericpayment, nil: self.paymentMessage
        }
    }

    private var paymentMessage: CustomerMessage {
        switch self {
        case .authorizationDeclined, .doNotHonor, .transactionInvalid, .manipulationSuspected, .secretCodeIncorrect,
            .wrongCardForCancelation, .contactAcquirer, .securityCodeFaulty, .securityCodeRequired,
            .cardUsedTooOften, .authorizationDenied, .notCompletedSuccessfully, .customerCouldNotPay:
            .declined
        case .limitExceeded, .limitOrBalanceExceeded: .limitExceeded
        case .cardNotApproved, .cardInvalid, .cardTypeInvalid, .expiryDateInvalid, .cardStolen, .cardUnknown,
            .cardBlocked, .cardCancelled:
            .cardNotUsable
        case .issuerTemporarilyUnavailable, .issuerTemporaryProblem, .activityNotProcessed, .outcomeUnknown,
            .temporaryError, .tooManyRequests, .requestIncomplete, .databaseFailed, .configurationError:
            .tryAgainLater
        case .tokenNotDecrypted, .tokenNotVerified, .tokenParameterMissing, .tokenUsed, .tokenModeDiffers,
            .authorizationExpired, .amountNoLongerAvailable, .tokenAmountDiffers, .tokenCurrencyDiffers:
            .payAgain
        // The customer can do nothing about any other.
        default: .shopError
        }
    }
}
