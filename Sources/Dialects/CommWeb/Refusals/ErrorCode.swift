//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes

/// What went wrong, by a stable name: it stands in `error.supportCode`.
///
/// The vendor's support codes are not public; these names are this gateway's. docs/dialects/commweb.md publishes the
/// list; a test keeps both alike.
enum ErrorCode: String, CaseIterable, Hashable, Sendable {
    // MARK: The request did not get as far as an operation

    case pathUnknown = "PATH_UNKNOWN"
    case methodNotAllowed = "METHOD_NOT_ALLOWED"
    case bodyTooLarge = "BODY_TOO_LARGE"
    case bodyIncomplete = "BODY_INCOMPLETE"
    case bodyMalformed = "BODY_MALFORMED"
    case mediaTypeNotSupported = "MEDIA_TYPE_NOT_SUPPORTED"
    case versionNotSupported = "VERSION_NOT_SUPPORTED"
    case gatewayBusy = "GATEWAY_BUSY"
    case tooManyRequests = "TOO_MANY_REQUESTS"
    case gatewayTimedOut = "GATEWAY_TIMED_OUT"
    case storeUnavailable = "STORE_UNAVAILABLE"

    // MARK: Who calls

    case credentialsInvalid = "CREDENTIALS_INVALID"
    case operationNotPermitted = "OPERATION_NOT_PERMITTED"
    case sessionNotPermitted = "SESSION_NOT_PERMITTED"
    case sessionLimitReached = "SESSION_LIMIT_REACHED"
    case unmaskNotPermitted = "UNMASK_NOT_PERMITTED"

    // MARK: What is asked

    case operationInvalid = "OPERATION_INVALID"
    case fieldMissing = "FIELD_MISSING"
    case fieldInvalid = "FIELD_INVALID"
    case fieldNotSupported = "FIELD_NOT_SUPPORTED"

    // MARK: The session

    case sessionNotFound = "SESSION_NOT_FOUND"
    case sessionNotUpdated = "SESSION_NOT_UPDATED"
    case sessionVersionDiffers = "SESSION_VERSION_DIFFERS"
    case sessionUsed = "SESSION_USED"
    case sessionConflict = "SESSION_CONFLICT"

    // MARK: The merchant

    case merchantNotReady = "MERCHANT_NOT_READY"
    case networkNotSupported = "NETWORK_NOT_SUPPORTED"
    case acquirerNotConnected = "ACQUIRER_NOT_CONNECTED"

    // MARK: The order and its transactions

    case orderNotFound = "ORDER_NOT_FOUND"
    case transactionNotFound = "TRANSACTION_NOT_FOUND"
    case transactionConflict = "TRANSACTION_CONFLICT"
    case orderLocked = "ORDER_LOCKED"
    case orderPaid = "ORDER_PAID"
    case orderClosed = "ORDER_CLOSED"
    case orderNotAuthorized = "ORDER_NOT_AUTHORIZED"
    case orderVerifiedOnly = "ORDER_VERIFIED_ONLY"
    case tooManyTransactions = "TOO_MANY_TRANSACTIONS"
    case alreadyVoided = "ALREADY_VOIDED"
    case alreadyCaptured = "ALREADY_CAPTURED"
    case alreadyRefunded = "ALREADY_REFUNDED"
    case notCaptured = "NOT_CAPTURED"
    case nothingToVoid = "NOTHING_TO_VOID"
    case notVoidable = "NOT_VOIDABLE"
    case amountInvalid = "AMOUNT_INVALID"
    case currencyDiffers = "CURRENCY_DIFFERS"
    case captureExceedsAuthorized = "CAPTURE_EXCEEDS_AUTHORIZED"
    case refundExceedsCaptured = "REFUND_EXCEEDS_CAPTURED"
    case updateBelowCaptured = "UPDATE_BELOW_CAPTURED"

    // MARK: The payment token

    case tokenMalformed = "TOKEN_MALFORMED"
    case tokenNotGenuine = "TOKEN_NOT_GENUINE"
    case tokenNotReadable = "TOKEN_NOT_READABLE"
    case tokenUsed = "TOKEN_USED"
    case tokenAmountDiffers = "TOKEN_AMOUNT_DIFFERS"
    case tokenCurrencyDiffers = "TOKEN_CURRENCY_DIFFERS"
    case tokenModeDiffers = "TOKEN_MODE_DIFFERS"
    case tokenRefused = "TOKEN_REFUSED"
}

extension ErrorCode {
    var cause: ErrorCause {
        switch self {
        case .gatewayBusy, .tooManyRequests, .storeUnavailable, .orderLocked, .sessionConflict: .serverBusy
        case .gatewayTimedOut, .acquirerNotConnected: .serverFailed
        case .operationNotPermitted, .sessionNotPermitted, .sessionLimitReached, .unmaskNotPermitted: .requestRejected
        case .pathUnknown, .methodNotAllowed, .bodyTooLarge, .bodyIncomplete, .bodyMalformed, .mediaTypeNotSupported,
            .versionNotSupported, .credentialsInvalid, .operationInvalid, .fieldMissing, .fieldInvalid,
            .fieldNotSupported, .sessionNotFound, .sessionNotUpdated, .sessionVersionDiffers, .sessionUsed,
            .merchantNotReady, .networkNotSupported, .orderNotFound, .transactionNotFound, .transactionConflict,
            .orderPaid, .orderClosed, .orderNotAuthorized, .orderVerifiedOnly, .tooManyTransactions, .alreadyVoided,
            .alreadyCaptured, .alreadyRefunded, .notCaptured, .nothingToVoid, .notVoidable, .amountInvalid,
            .currencyDiffers, .captureExceedsAuthorized, .refundExceedsCaptured, .updateBelowCaptured,
            .tokenMalformed, .tokenNotGenuine, .tokenNotReadable, .tokenUsed, .tokenAmountDiffers,
            .tokenCurrencyDiffers, .tokenModeDiffers, .tokenRefused:
            .invalidRequest
        }
    }

    /// 400 for what is wrong with a request, 401 for credentials; the others say what HTTP has a word for, before there is
    /// an operation that could be wrong.
    var status: HTTPResponse.Status {
        switch self {
        case .credentialsInvalid: .unauthorized
        case .operationNotPermitted, .sessionNotPermitted, .sessionLimitReached, .unmaskNotPermitted: .forbidden
        case .pathUnknown: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .bodyIncomplete: .requestTimeout
        case .tooManyRequests: .tooManyRequests
        case .bodyTooLarge: .contentTooLarge
        case .mediaTypeNotSupported: .unsupportedMediaType
        case .gatewayTimedOut: .gatewayTimeout
        case .gatewayBusy, .storeUnavailable, .orderLocked, .sessionConflict: .serviceUnavailable
        case .acquirerNotConnected: .internalServerError
        case .bodyMalformed, .versionNotSupported, .operationInvalid, .fieldMissing, .fieldInvalid,
            .fieldNotSupported, .sessionNotFound, .sessionNotUpdated, .sessionVersionDiffers, .sessionUsed,
            .merchantNotReady, .networkNotSupported, .orderNotFound, .transactionNotFound, .transactionConflict,
            .orderPaid, .orderClosed, .orderNotAuthorized, .orderVerifiedOnly, .tooManyTransactions, .alreadyVoided,
            .alreadyCaptured, .alreadyRefunded, .notCaptured, .nothingToVoid,
            .notVoidable, .amountInvalid, .currencyDiffers, .captureExceedsAuthorized, .refundExceedsCaptured,
            .updateBelowCaptured, .tokenMalformed, .tokenNotGenuine, .tokenNotReadable, .tokenUsed,
            .tokenAmountDiffers, .tokenCurrencyDiffers, .tokenModeDiffers, .tokenRefused:
            .badRequest
        }
    }

    /// What was wrong and what to do, where nothing more exact is known.
    var explanation: String {
        switch self {
        case .pathUnknown: "There is no such operation. Check the path and the method."
        case .methodNotAllowed: "The path does not take this method."
        case .bodyTooLarge: "The body is larger than the operation takes."
        case .bodyIncomplete: "The body did not arrive in full. Nothing was done. Send the request again."
        case .bodyMalformed: "The body cannot be read."
        case .mediaTypeNotSupported: "The Content-Type must be application/json for REST, and a form for NVP."
        case .versionNotSupported: "The API version in the URL is not supported."
        case .gatewayBusy: "The gateway cannot take the request now. Nothing was done. Send it again in a moment."
        case .tooManyRequests:
            "There are too many requests, or too many with wrong credentials from this address. Nothing was done. "
                + "Wait for as many seconds as Retry-After says."
        case .gatewayTimedOut:
            "The request took too long, and its outcome is not known here. Retrieve the transaction, "
                + "or send the identical request again."
        case .storeUnavailable:
            "The gateway cannot record payments at the moment. Send the identical request again in a moment."
        case .credentialsInvalid: "Invalid credentials."
        case .operationNotPermitted: "The merchant's profile does not permit this operation."
        case .sessionNotPermitted:
            "Session authentication is for updating and retrieving that session only. Use the merchant's password."
        case .sessionLimitReached: "The session's authenticationLimit is used up. Create a new session."
        case .unmaskNotPermitted: "UNMASK requires authentication by client certificate."
        case .operationInvalid: "The apiOperation is invalid here."
        case .fieldMissing: "A required field is missing."
        case .fieldInvalid: "A field's value is invalid."
        case .fieldNotSupported: "A field's value is not supported."
        case .sessionNotFound: "There is no such session, or it has expired. Create a new one."
        case .sessionNotUpdated: "The session's updateStatus is not SUCCESS. Update the session first."
        case .sessionVersionDiffers: "The session has been changed since. Retrieve it for its version."
        case .sessionUsed: "The session's payment details have been used. Update the session with new ones."
        case .sessionConflict: "The session is in use by another request. Send the request again in a moment."
        case .merchantNotReady:
            "The merchant cannot take Apple Pay yet. The gateway's operator must import its certificate."
        case .networkNotSupported: "The merchant's acquirer does not take cards of this scheme."
        case .acquirerNotConnected: "The merchant's acquirer is not connected. Nothing was done."
        case .orderNotFound: "Unable to find the order."
        case .transactionNotFound: "Unable to find the transaction."
        case .transactionConflict:
            "A transaction with this ID exists for the order, and its request was another. Use a new transaction ID."
        case .orderLocked:
            "Another transaction is in progress for this order. Send the identical request again in a moment."
        case .orderPaid: "The order has an approved payment. Use a new order ID."
        case .orderClosed: "The order takes no further payment. Use a new order ID."
        case .orderNotAuthorized: "The order's payment was not authorized, or its authorization has come to nothing."
        case .orderVerifiedOnly: "The order's card was verified only; there is no payment."
        case .tooManyTransactions: "The order has too many transactions."
        case .alreadyVoided: "The order's payment has been voided."
        case .alreadyCaptured: "The authorization has been captured."
        case .alreadyRefunded: "All of the payment has been refunded."
        case .notCaptured: "Nothing of the payment has been captured."
        case .nothingToVoid: "Value 'VOID' is invalid. There is no transaction to void."
        case .notVoidable: "Value 'VOID' is invalid. The transaction cannot be voided."
        case .amountInvalid: "The amount must be greater than zero."
        case .currencyDiffers: "The currency is not the order's."
        case .captureExceedsAuthorized: "The amount is more than is left of the authorization."
        case .refundExceedsCaptured: "The amount is more than is left to refund."
        case .updateBelowCaptured: "The new amount is less than has been captured."
        case .tokenMalformed: "The payment token is not an Apple Pay token."
        case .tokenNotGenuine: "The payment token was not signed by Apple for this purpose, or is too old."
        case .tokenNotReadable: "The payment token cannot be decrypted for this merchant."
        case .tokenUsed: "The payment token has been used before. Ask the payer to pay again."
        case .tokenAmountDiffers: "The order's amount is not the one that the payer approved in Apple Pay."
        case .tokenCurrencyDiffers: "The order's currency is not the one that the payer approved in Apple Pay."
        case .tokenModeDiffers: "The payment token and the merchant are not both test or both live."
        case .tokenRefused:
            "The acquirer does not take the payment token. Nothing was charged. Ask the payer to pay again."
        }
    }
}
