//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension ErrorCode {
    /// `errormessage` where nothing more exact is known: the vendor's sentence, or for numbers of the gateway's own what was
    /// wrong and what to do.
    var message: String { self.cardMessage ?? self.requestMessage ?? self.parameterMessage ?? self.ownMessage }

    /// The vendor's table of card errors.
    private var cardMessage: String? {
        switch self {
        case .issuerTemporarilyUnavailable: "Card issuer temporarily not available"
        case .authorizationDeclined: "Authorization declined"
        case .cardNotApproved: "Card not approved"
        case .doNotHonor: "Authorization declined"
        case .securityCodeFaulty, .securityCodeRequired: "Required CVC code not specified or not valid"
        case .transactionInvalid: "Transaction invalid"
        case .limitExceeded: "Limit exceeded"
        case .cardInvalid: "Invalid card"
        case .activityNotProcessed: "Activity not processed"
        case .formatError: "Format Error in request message (e.g. CVC missing)."
        case .cardTypeInvalid: "Invalid card type"
        case .expiryDateInvalid: "Expiry date invalid, incorrect or in the past"
        case .manipulationSuspected: "Manipulation suspected"
        case .cardStolen: "Card stolen"
        case .limitOrBalanceExceeded: "Limit exceeded or account balance insufficient"
        case .secretCodeIncorrect: "Incorrect secret code / Wrong PIN"
        case .cardUnknown: "Card unknown"
        case .wrongCardForCancelation: "Cancelation: Wrong card has been used as for original authorization"
        case .terminalUnknown: "Terminal ID unknown"
        case .contactAcquirer: "Card holder must contact the acquirer"
        case .cardBlocked: "Card blocked"
        case .cardCancelled: "Card cancelled"
        case .amountDiffersFromReserved: "Authorization amount differs from reserved amount."
        case .cardUsedTooOften: "Card has been used too often"
        case .amountNoLongerAvailable: "Amount no longer available"
        case .issuerTemporaryProblem: "Card issuer temporarily not available"
        case .authorizationExpired: "The authorisation has expired."
        case .authorizationDenied: "Authorisation denied."
        case .notCompletedSuccessfully: "Transaction could not be completed successfully."
        case .customerCouldNotPay: "Customer could not pay."
        default: nil
        }
    }

    /// The vendor's sentences for the payment process, for who calls, and for Apple Pay tokens.
    private var requestMessage: String? {
        switch self {
        case .configurationError: "Configuration error"
        case .temporaryError: "Temporary error"
        case .refundTooHigh: "Refund amount too high"
        case .sequenceNumberIncorrect: "Sequence no incorrect"
        case .captureTooHigh: "Capture amount too high"
        case .databaseFailed: "Database connection failed"
        case .currencyDiffers: "Currency does not correspond with the referenced payment process"
        case .referenceExists: "Reference number already exists"
        case .transactionUnknown: "Referenced payment process (txid) not found"
        case .refundNotPossible: "Refund not possible"
        case .testModeNotAvailable: "Test mode not available"
        case .liveModeNotAvailable: "Live mode not available"
        case .partialCaptureOfZero: "Amount for multiple partial capture cannot be 0"
        case .statusChangeNotPossible: "Desired status change not possible for this payment process"
        case .actionsTooMany: "The maximum number of actions for this txid has been reached"
        case .alreadyCompleted: "The Transaction was already completed."
        case .merchantIDUnknown: "MerchantID not found or no rights"
        case .subAccountUnknown: "SubAccountID not found or no rights"
        case .portalUnknown: "PortalID not found or no rights"
        case .keyWrong: "Key incorrect"
        case .charactersInvalid:
            "API-request contains invalid characters (e.g. control characters, non-matching encoding)"
        case .functionNotAvailable: "Function not available"
        case .tokenAmountDiffers: "Request amount differs from apple pay token amount."
        case .tokenCurrencyDiffers: "Request currency differs from apple pay token amount."
        case .tokenNotDecrypted: "Failed to decrypt apple pay token"
        case .tokenNotVerified: "Certificate service declined request because of validation errors."
        case .tokenParameterMissing: "Required parameter in apple pay token is missing or empty"
        default: nil
        }
    }

    /// The vendor's sentences for single parameters.
    private var parameterMessage: String? {
        switch self {
        case .parameterFaulty: "Parameter faulty or missing"
        case .clearingTypeFaulty: "Parameter {clearingtype} faulty or missing"
        case .paramFaulty: "Parameter {param} faulty"
        case .referenceFaulty: "Parameter {reference} faulty or missing"
        case .currencyFaulty: "Parameter {currency} faulty or missing"
        case .payDataFaulty: "Parameter {add_paydata} faulty or missing"
        case .txidFaulty: "Parameter {txid} faulty or missing"
        case .sequenceNumberFaulty: "Parameter {sequencenumber} faulty or missing"
        case .modeFaulty: "Parameter {mode} faulty or missing"
        case .amountFaulty: "Parameter {amount} faulty or missing"
        case .settleAccountFaulty: "Parameter {settleaccount} faulty"
        case .captureModeFaulty: "Parameter {capturemode} faulty"
        case .cardTypeFaulty: "Parameter {cardtype} faulty or missing"
        case .walletTypeFaulty: "Parameter {wallettype} faulty or missing"
        case .encodingFaulty: "Parameter {encoding} faulty or missing"
        case .requestFaulty: "Parameter {request} faulty or missing"
        case .merchantIDFaulty: "Parameter {mid} faulty or missing"
        case .subAccountFaulty: "Parameter {aid} faulty or missing"
        case .portalIDFaulty: "Parameter {portalid} faulty or missing"
        case .keyFaulty: "Parameter {key} faulty"
        case .customerIDFaulty: "Parameter {customerid} faulty"
        case .firstNameFaulty: "Parameter {firstname} faulty or missing"
        case .lastNameFaulty: "Parameter {lastname} faulty or missing"
        case .companyFaulty: "Parameter {company} faulty or missing"
        case .streetFaulty: "Parameter {street} faulty or missing"
        case .addressAdditionFaulty: "Parameter {addressaddition} faulty or missing"
        case .zipFaulty: "Parameter {zip} faulty or missing"
        case .cityFaulty: "Parameter {city} faulty or missing"
        case .stateFaulty: "Parameter {state} faulty or missing"
        case .countryFaulty: "Parameter {country} faulty or missing"
        case .birthdayFaulty: "Parameter {birthday} faulty or missing"
        case .telephoneNumberFaulty: "Parameter {telephonenumber} faulty or missing"
        case .emailFaulty: "Parameter {email} faulty or missing"
        case .shippingStreetFaulty: "Parameter {shipping_street} faulty or missing"
        case .shippingCompanyFaulty: "Parameter {shipping_company} faulty or missing"
        case .shippingStateFaulty: "Parameter {shipping_state} faulty or missing"
        case .shippingCountryFaulty: "Parameter {shipping_country} faulty or missing"
        case .shippingAddressAdditionFaulty: "Parameter {shipping_addressaddition} faulty or missing"
        case .shippingZIPFaulty: "Parameter {shipping_zip} faulty or missing"
        case .shippingCityFaulty: "Parameter {shipping_city} faulty or missing"
        case .ipFaulty: "Parameter {ip} faulty or missing"
        case .actionFaulty: "Parameter {action} faulty or missing"
        default: nil
        }
    }

    private var ownMessage: String {
        switch self {
        case .pathUnknown: "There is nothing at this path. Send requests to /post-gateway/."
        case .methodNotAllowed: "Requests must be sent by POST."
        case .requestTooLarge: "The body is larger than this gateway takes."
        case .requestIncomplete: "The body did not arrive in full. Nothing was done. Send the request again."
        case .outcomeUnknown:
            "The request took too long. It may have been carried out: send the same request again to learn of it."
        case .formMalformed: "The body is no form."
        case .tooManyRequests:
            "There are too many requests, or too many with wrong credentials from this address. Nothing was done. "
                + "Wait for as many seconds as Retry-After says."
        case .tokenUsed: "The Apple Pay token has been used before. Ask the customer to pay again."
        case .tokenModeDiffers: "The Apple Pay token and the account are not both for tests or both live."
        case .merchantIdentityMissing:
            "The merchant has no Merchant Identity Certificate. Import the one that Apple issued for it."
        case .merchantSessionFailed: "Apple gave no merchant session. Check the certificate and the domain."
        default: ""
        }
    }
}
