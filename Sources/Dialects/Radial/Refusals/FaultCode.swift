//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes

/// Every `Code` of a Fault.
///
/// The vendor publishes the first five; the others are this gateway's choice in the vendor's manner.
/// docs/dialects/radial.md publishes the list; a test keeps both alike.
enum FaultCode: String, CaseIterable, Hashable, Sendable {
    case panFailsLuhn = "PanDoesNotPassLuhnCheckException"
    case panRangeUnknown = "UnknownPanBinRangeException"
    case tenderTypeInvalid = "InvalidTenderTypeException"
    case tenderNotConfigured = "TenderGatewayConfigurationException"
    case authorizationNotFound = "NoAuthFoundException"

    // MARK: The request did not get as far as an operation

    case resourceUnknown = "UnknownResourceException"
    case methodNotAllowed = "MethodNotAllowedException"
    case requestTooLarge = "RequestTooLargeException"
    case requestIncomplete = "RequestIncompleteException"
    case requestTimedOut = "RequestTimedOutException"
    case overloaded = "ServiceOverloadedException"
    case tooManyRequests = "TooManyRequestsException"
    case unavailable = "ServiceUnavailableException"

    // MARK: Who calls

    case apiKeyMissing = "ApiKeyMissingException"
    case apiKeyInvalid = "InvalidApiKeyException"
    case decryptBlobNotAllowed = "DecryptBlobNotAllowedException"

    // MARK: What is asked

    case mediaTypeNotSupported = "UnsupportedMediaTypeException"
    case xmlMalformed = "MalformedXmlException"
    case messageUnexpected = "UnexpectedMessageException"
    case requestInvalid = "InvalidRequestException"
    case requestIDReused = "RequestIdConflictException"
    case accountTokenNotSupported = "AccountTokenNotSupportedException"
    case accountTokenRequired = "AccountTokenRequiredException"
    case encryptedAccountNotSupported = "EncryptedAccountNotSupportedException"

    // MARK: The Apple Pay token

    case tokenMalformed = "ApplePayTokenMalformedException"
    case tokenNotTrusted = "ApplePayTokenNotTrustedException"
    case tokenNotDecryptable = "ApplePayTokenNotDecryptableException"
    case tokenReplayed = "ApplePayTokenReplayedException"
    case tokenModeDiffers = "ApplePayTokenModeException"
    case tokenRefused = "ApplePayTokenRefusedException"
    case amountDiffersFromToken = "AmountMismatchException"

    // MARK: The merchant

    case merchantNotReady = "MerchantConfigurationException"

    // MARK: The payment

    case currencyDiffers = "CurrencyMismatchException"
    case orderPaid = "OrderAlreadyAuthorizedException"
    case orderInProcess = "AuthorizationInProcessException"
    case orderClosed = "OrderClosedException"
    case authorizationFailed = "AuthorizationDeclinedException"
    case authorizationCanceled = "AuthorizationCanceledException"
    case cancelAmountDiffers = "CancelAmountMismatchException"
    case alreadySettled = "AlreadySettledException"
    case finalDebitMade = "FinalDebitMadeException"
    case debitExceedsAuthorization = "DebitExceedsAuthorizationException"
    case nothingSettled = "NothingSettledException"
    case alreadyCredited = "AlreadyCreditedException"
    case creditExceedsDebits = "CreditExceedsDebitsException"
    case operationPending = "OperationInProcessException"
    case tooManyOperations = "TooManyOperationsException"
    case operationNotAllowed = "OperationNotAllowedException"
}

extension FaultCode {
    var status: HTTPResponse.Status {
        switch self {
        case .panFailsLuhn, .panRangeUnknown, .tenderTypeInvalid, .tenderNotConfigured, .xmlMalformed,
            .messageUnexpected, .requestInvalid, .accountTokenNotSupported, .accountTokenRequired,
            .encryptedAccountNotSupported, .tokenMalformed, .tokenNotTrusted, .tokenNotDecryptable, .tokenModeDiffers,
            .tokenRefused, .amountDiffersFromToken, .currencyDiffers:
            .badRequest
        case .apiKeyMissing: .unauthorized
        case .apiKeyInvalid, .decryptBlobNotAllowed: .forbidden
        case .authorizationNotFound, .resourceUnknown: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .requestIncomplete: .requestTimeout
        case .tooManyRequests: .tooManyRequests
        case .requestIDReused, .tokenReplayed, .orderPaid, .orderInProcess, .orderClosed, .authorizationFailed,
            .authorizationCanceled, .cancelAmountDiffers, .alreadySettled, .finalDebitMade, .debitExceedsAuthorization,
            .nothingSettled, .alreadyCredited, .creditExceedsDebits, .operationPending, .tooManyOperations,
            .operationNotAllowed:
            .conflict
        case .requestTooLarge: .contentTooLarge
        case .mediaTypeNotSupported: .unsupportedMediaType
        case .merchantNotReady: .internalServerError
        case .overloaded, .unavailable: .serviceUnavailable
        case .requestTimedOut: .gatewayTimeout
        }
    }

    /// What was wrong and what to do, where nothing more exact is known.
    var message: String {
        switch self {
        case .panFailsLuhn: "The card number does not pass the Luhn check. Ask the customer to correct it."
        case .panRangeUnknown: "The card number is of no range of the tender type. Ask the customer to correct it."
        case .tenderTypeInvalid:
            "The tender type in the path is not the card's. Use the TenderType of the CreditCardAuthReply."
        case .tenderNotConfigured: "The store does not take this tender type."
        case .authorizationNotFound: "There is no authorization with this OrderId and PaymentAccountUniqueId."
        case .resourceUnknown: "There is no such resource. Check version, store and operation in the path."
        case .methodNotAllowed: "Every operation takes POST only."
        case .requestTooLarge: "The body is larger than the operation takes."
        case .requestIncomplete: "The body did not arrive in full. Nothing was done. Send the request again."
        case .requestTimedOut:
            "The request took too long, and its outcome is not known here. Send it again with the same requestId."
        case .overloaded: "The gateway cannot take the request now. Nothing was done. Send it again in a moment."
        case .tooManyRequests:
            "There are too many requests, or too many with wrong credentials from this address. Nothing was done. "
                + "Wait for as many seconds as Retry-After says."
        case .unavailable: "The gateway cannot record payments at the moment. Send the same request again."
        case .apiKeyMissing: "The header apikey is missing."
        case .apiKeyInvalid: "The apikey is not that of the store in the path. Check both."
        case .decryptBlobNotAllowed: "The store may not have tokens decrypted. The gateway's operator can allow it."
        case .mediaTypeNotSupported: "The Content-Type must be application/xml or text/xml, in UTF-8."
        case .xmlMalformed: "The body is not the XML that is expected."
        case .messageUnexpected: "The message is not the one that belongs to the path."
        case .requestInvalid: "An element or attribute is missing or malformed."
        case .requestIDReused: "The requestId was used with other contents. Use a new one for a new request."
        case .accountTokenNotSupported:
            "A PaymentAccountUniqueId with isToken=\"true\" cannot be authorized again. Send the card number, or a new Apple Pay token."
        case .accountTokenRequired:
            "The PaymentAccountUniqueId must be the one of the CreditCardAuthReply, with isToken=\"true\"."
        case .encryptedAccountNotSupported:
            "Client-side encryption is not supported. Send PaymentAccountUniqueId and CardSecurityCode as they are."
        case .tokenMalformed: "The WalletPaymentInformation is no Apple Pay token."
        case .tokenNotTrusted: "The Apple Pay token's signature is not valid."
        case .tokenNotDecryptable: "The Apple Pay token cannot be decrypted with the store's keys."
        case .tokenReplayed: "The Apple Pay token has been used before. Ask the customer to pay again."
        case .tokenModeDiffers: "The token and the store are not both sandbox or both live."
        case .tokenRefused:
            "The acquirer does not take the Apple Pay token. Nothing was charged. Ask the customer to pay again."
        case .amountDiffersFromToken: "The Amount is not the one that the customer approved in Apple Pay."
        case .merchantNotReady: "The store cannot take payments yet. The gateway's operator must complete its set-up."
        case .currencyDiffers: "The currency is not that of the payment."
        case .orderPaid: "The order has been authorized. Use a new OrderId for a new order."
        case .orderInProcess:
            "An authorization of the order is in process. Ask for its outcome with the same requestId."
        case .orderClosed: "The order is closed. Use a new OrderId."
        case .authorizationFailed: "The authorization was declined, or taken back."
        case .authorizationCanceled: "The authorization has been canceled."
        case .cancelAmountDiffers:
            "An authorization is canceled as a whole, or what has not been settled of it: the Amount must be that."
        case .alreadySettled: "The authorization has been settled. Credit it instead."
        case .finalDebitMade: "The final debit of the authorization has been made."
        case .debitExceedsAuthorization: "The amount is more than is left of the authorization."
        case .nothingSettled: "Nothing of the authorization has been settled."
        case .alreadyCredited: "All that was settled has been credited."
        case .creditExceedsDebits: "The amount is more than is left to credit."
        case .operationPending:
            "An operation of the payment is in process. Wait for its event, or try again in a moment."
        case .tooManyOperations: "The payment has too many operations."
        case .operationNotAllowed: "The payment is not in a state that allows this."
        }
    }
}
