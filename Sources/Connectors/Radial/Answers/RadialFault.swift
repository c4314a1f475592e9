//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// `Code` of a Fault. The vendor's list is not public as a whole; what stands here is what it and its clients name, and
/// what this gateway's own dialect says (docs/dialects/radial.md, "Fault"). Any other is read by its HTTP status alone.
struct RadialFault: Hashable, Sendable {
    let code: String
    let meaning: Meaning

    /// - Returns: `nil` for a code that is not known.
    init?(code: String) {
        guard let meaning = Self.meanings[code] else { return nil }
        self.code = code
        self.meaning = meaning
    }

    static var codes: some Collection<String> { Self.meanings.keys }

    enum Meaning: Hashable, Sendable {
        /// The request was not taken, for the operator to see. The word is for the log.
        case refused(String)
        /// The token was not taken, or not for this amount. The word is for the log.
        case token(String)
        /// The key is not the store's.
        case caller
        /// Not now.
        case busy
        /// The card cannot be one.
        case card
        /// The order is in no state for it.
        case state
        /// Something is known under the same name, and may be this very request.
        case open(String)
    }

    private static let meanings: [String: Meaning] = {
        var meanings: [String: Meaning] = [:]
        for (meaning, codes) in Self.table { for code in codes { meanings[code] = meaning } }
        return meanings
    }()

    private static let table: [(Meaning, [String])] = [
        (.card, ["PanDoesNotPassLuhnCheckException", "PanFailsLuhnCheckException", "UnknownPanBinRangeException"]),
        (.refused("tender_type_invalid"), ["InvalidTenderTypeException"]),
        (.refused("tender_not_configured"), ["TenderGatewayConfigurationException"]),
        (.refused("store_not_configured"), ["MerchantConfigurationException"]),
        (.refused("operation_unknown"), ["UnknownResourceException", "MethodNotAllowedException"]),
        (
            .refused("request_invalid"),
            [
                "RequestTooLargeException", "UnsupportedMediaTypeException", "MalformedXmlException",
                "UnexpectedMessageException", "InvalidRequestException", "AccountTokenRequiredException",
            ]
        ),
        (
            .token("token_not_taken"),
            [
                "ApplePayTokenMalformedException", "ApplePayTokenNotTrustedException",
                "ApplePayTokenRefusedException",
            ]
        ),
        (.token("token_not_decryptable"), ["ApplePayTokenNotDecryptableException"]),
        (.token("token_of_another_mode"), ["ApplePayTokenModeException"]),
        (.token("amount_differs_from_token"), ["AmountMismatchException"]),
        (.token("currency_differs"), ["CurrencyMismatchException"]),
        (.caller, ["ApiKeyMissingException", "InvalidApiKeyException"]),
        (.busy, ["ServiceOverloadedException", "TooManyRequestsException", "OperationInProcessException"]),
        (
            .state,
            [
                "NoAuthFoundException", "OrderClosedException", "AuthorizationDeclinedException",
                "AuthorizationCanceledException", "CancelAmountMismatchException", "AlreadySettledException",
                "FinalDebitMadeException", "DebitExceedsAuthorizationException", "NothingSettledException",
                "AlreadyCreditedException", "CreditExceedsDebitsException", "TooManyOperationsException",
                "OperationNotAllowedException",
            ]
        ),
        (.open("request_id_conflict"), ["RequestIdConflictException"]),
        (.open("token_replayed"), ["ApplePayTokenReplayedException"]),
        (.open("order_known"), ["OrderAlreadyAuthorizedException", "AuthorizationInProcessException"]),
        (
            .open("service_timed_out"),
            [
                "RequestTimedOutException", "RequestIncompleteException", "ServiceUnavailableException",
            ]
        ),
    ]

    /// Whether it says that an order has no authorization that could be settled or canceled.
    var saysThatNothingIsHeld: Bool {
        let codes = ["NoAuthFoundException", "AuthorizationDeclinedException", "AuthorizationCanceledException"]
        return codes.contains(self.code)
    }

    /// Whether it says that a sale was not debited, whichever of its requests is answered: what has been debited whole was
    /// neither declined nor canceled. That no authorization is found may mean that the debit has used it up.
    var saysThatNothingWasDebited: Bool {
        ["AuthorizationDeclinedException", "AuthorizationCanceledException"].contains(self.code)
    }

    /// What it says of an authorization. The order is the payment's own, so that what is known of it is this
    /// authorization.
    var outcomeOfCharge: AcquirerOutcome {
        switch self.meaning {
        case .card: .declined(AcquirerDecline(reason: .invalidCard, answer: AcquirerAnswer()))
        case .state: .unclear("order_known")
        case .token(let word): .notProcessed(NotProcessed(.tokenRefused, word))
        case .refused, .caller, .busy, .open: self.outcome
        }
    }

    /// What it says of a settlement or a cancellation that was not sent before; of a repeat the gateway believes less.
    var outcomeOfFollowUp: AcquirerOutcome {
        switch self.meaning {
        case .state: .declined(AcquirerDecline(reason: .invalidOperation, answer: AcquirerAnswer()))
        case .card: .notProcessed(NotProcessed(.requestRefused, "account_not_taken"))
        // It brings no token: the currency is not the payment's.
        case .token(let word): .notProcessed(NotProcessed(.requestRefused, word))
        case .refused, .caller, .busy, .open: self.outcome
        }
    }

    private var outcome: AcquirerOutcome {
        switch self.meaning {
        case .refused(let word): .notProcessed(NotProcessed(.requestRefused, word))
        case .caller: .notProcessed(NotProcessed(.notAuthorized, "api_key_not_taken"))
        case .busy: .notProcessed(NotProcessed(.busy, "service_busy"))
        case .open(let word): .unclear(word)
        case .card, .state, .token: .unclear("fault_not_understood")
        }
    }
}
