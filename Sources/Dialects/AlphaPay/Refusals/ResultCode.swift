//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What `result.resultStatus` says (AlphaPay, "Apple Pay", result).
enum ResultStatus: String, Hashable, Sendable {
    /// It has been done.
    case success = "S"
    /// It has not been done, and will not be.
    case failure = "F"
    /// It is under way, or nobody knows yet: ask for it.
    case unknown = "U"
}

/// Every `result.resultCode` of this dialect.
///
/// The vendor's documents show only the first two and `ORDER_PAID`; the others are this gateway's choice, after the
/// names of a kindred API where it has one. docs/dialects/alphapay.md publishes the list; a test keeps both alike.
enum ResultCode: String, CaseIterable, Hashable, Sendable {
    case success = "SUCCESS"
    case paymentInProcess = "PAYMENT_IN_PROCESS"
    case refundInProcess = "REFUND_IN_PROCESS"

    // MARK: The request did not get as far as an endpoint

    case apiUnknown = "INVALID_API"
    case methodNotSupported = "METHOD_NOT_SUPPORTED"
    case requestTooLarge = "REQUEST_TOO_LARGE"
    case requestIncomplete = "REQUEST_INCOMPLETE"
    case systemBusy = "SYSTEM_BUSY"
    case tooManyRequests = "REQUEST_TRAFFIC_EXCEED_LIMIT"
    case unknownException = "UNKNOWN_EXCEPTION"

    // MARK: Who calls

    case headerMissing = "HEADER_MISSING"
    case merchantCodeUnknown = "INVALID_MERCHANT_CODE"
    case accountNotConfigured = "ACCOUNT_NOT_CONFIGURED"
    case signatureMalformed = "SIGNATURE_MALFORMED"
    case algorithmNotSupported = "SIGNATURE_ALGORITHM_NOT_SUPPORTED"
    case keyVersionUnknown = "KEY_VERSION_UNKNOWN"
    case signatureInvalid = "INVALID_SIGNATURE"
    case requestTimeMalformed = "REQUEST_TIME_MALFORMED"
    case requestTimeOutOfRange = "SIGN_TIMEOUT"
    case nonceMalformed = "NONCE_MALFORMED"
    case nonceReused = "NONCE_REUSED"

    // MARK: What is asked

    case mediaTypeNotSupported = "MEDIA_TYPE_NOT_SUPPORTED"
    case jsonMalformed = "JSON_MALFORMED"
    case parameterIllegal = "PARAM_ILLEGAL"
    case currencyNotSupported = "CURRENCY_NOT_SUPPORT"
    case requestInconsistent = "REPEAT_REQ_INCONSISTENT"

    // MARK: The merchant

    case merchantNotReady = "MERCHANT_NOT_READY"
    case merchantIdentifierUnknown = "MERCHANT_IDENTIFIER_UNKNOWN"
    case channelNotConnected = "CHANNEL_NOT_CONNECTED"

    // MARK: The order

    case orderNotExist = "ORDER_NOT_EXIST"
    case orderExpired = "ORDER_EXPIRED"
    case orderCanceled = "ORDER_CANCELED"
    case orderPaid = "ORDER_PAID"
    case orderNotPaid = "ORDER_NOT_PAID"
    case orderStatusInvalid = "ORDER_STATUS_INVALID"

    // MARK: The Apple Pay token

    case tokenInvalid = "APPLE_PAY_TOKEN_INVALID"
    case tokenRepeated = "APPLE_PAY_TOKEN_REPEATED"
    case tokenAmountDiffers = "APPLE_PAY_AMOUNT_MISMATCH"
    case tokenCurrencyDiffers = "APPLE_PAY_CURRENCY_MISMATCH"
    case tokenModeDiffers = "APPLE_PAY_MODE_MISMATCH"
    case cardNetworkNotSupported = "CARD_NETWORK_NOT_SUPPORTED"

    // MARK: The refund

    case refundNotExist = "REFUND_NOT_EXIST"
    case refundAmountExceeds = "REFUND_AMOUNT_EXCEED"
    case refundsTooMany = "REFUND_COUNT_EXCEED"
    case orderRefunded = "ORDER_REFUNDED"

    // MARK: The bank's answer

    case doNotHonor = "DO_NOT_HONOR"
    case insufficientFunds = "INSUFFICIENT_FUNDS"
    case cardExpired = "CARD_EXPIRED"
    case cardInvalid = "CARD_INVALID"
    case cardRestricted = "CARD_LOST_OR_STOLEN"
    case riskRejected = "RISK_REJECT"
    case amountExceedsLimit = "PAYMENT_AMOUNT_EXCEED_LIMIT"
    case notPermitted = "CARD_NOT_PERMITTED"
    case issuerUnavailable = "ISSUER_UNAVAILABLE"
    case channelTimedOut = "CHANNEL_TIMEOUT"
    case channelSystemError = "CHANNEL_SYSTEM_ERROR"
    case channelRefused = "CHANNEL_REFUSED"
    case processFailed = "PROCESS_FAIL"
    case takenBack = "TAKEN_BACK"
    case channelUnavailable = "CHANNEL_UNAVAILABLE"
    case channelMisconfigured = "CHANNEL_MISCONFIGURED"
}

extension ResultCode {
    var status: ResultStatus {
        switch self {
        case .success: .success
        case .paymentInProcess, .refundInProcess, .unknownException: .unknown
        case .apiUnknown, .methodNotSupported, .requestTooLarge, .requestIncomplete, .systemBusy,
            .tooManyRequests, .headerMissing, .merchantCodeUnknown, .accountNotConfigured, .signatureMalformed,
            .algorithmNotSupported,
            .keyVersionUnknown,
            .signatureInvalid, .requestTimeMalformed, .requestTimeOutOfRange, .nonceMalformed, .nonceReused,
            .mediaTypeNotSupported, .jsonMalformed, .parameterIllegal, .currencyNotSupported, .requestInconsistent,
            .merchantNotReady, .merchantIdentifierUnknown, .channelNotConnected, .orderNotExist, .orderExpired,
            .orderCanceled, .orderPaid, .orderNotPaid, .orderStatusInvalid, .tokenInvalid, .tokenRepeated,
            .tokenAmountDiffers, .tokenCurrencyDiffers, .tokenModeDiffers, .cardNetworkNotSupported, .refundNotExist,
            .refundAmountExceeds, .refundsTooMany, .orderRefunded, .doNotHonor, .insufficientFunds, .cardExpired,
            .cardInvalid, .cardRestricted, .riskRejected, .amountExceedsLimit, .notPermitted, .issuerUnavailable,
            .channelTimedOut, .channelSystemError, .channelRefused, .processFailed, .takenBack, .channelUnavailable,
            .channelMisconfigured:
            .failure
        }
    }

    /// What was wrong and what to do, where nothing more exact is known.
    var message: String {
        switch self {
        case .success: "success"
        case .paymentInProcess: "The payment is in process. Ask for its outcome with inquiryPayment."
        case .refundInProcess: "The refund is in process. Ask for its outcome with inquiryRefund."
        case .apiUnknown: "There is no such endpoint. Check the path."
        case .methodNotSupported: "Every endpoint takes POST only."
        case .requestTooLarge: "The body is larger than the endpoint takes."
        case .requestIncomplete: "The body did not arrive in full. Nothing was done. Send the request again."
        case .systemBusy: "The gateway cannot take the request now. Nothing was done. Send it again in a moment."
        case .tooManyRequests:
            "There are too many requests, or too many with wrong credentials from this address. Nothing was done. "
                + "Wait for as many seconds as Retry-After says."
        case .unknownException: "The request took too long, and its outcome is not known here. Ask for it."
        case .headerMissing: "A header is missing. Send Merchant-Code, Request-Time, Nonce and Signature."
        case .merchantCodeUnknown: "The Merchant-Code names no account. Check it."
        case .accountNotConfigured: "The account has no key to sign replies with. The gateway's operator must set it."
        case .signatureMalformed:
            "The Signature header must read \"algorithm=RS256, keyVersion=1, signature=<URL-encoded Base64>\"."
        case .algorithmNotSupported: "The signature's algorithm must be RS256 (RSA with SHA-256)."
        case .keyVersionUnknown: "The signature's keyVersion is not that of the account's key."
        case .signatureInvalid:
            "The signature does not fit method, path, Merchant-Code, Request-Time, Nonce and body under the merchant's key."
        case .requestTimeMalformed:
            "Request-Time must be an ISO 8601 time with an offset, e.g. 2026-01-31T12:08:56.253-08:00."
        case .requestTimeOutOfRange: "Request-Time is more than 5 minutes away from the gateway's clock. Check yours."
        case .nonceMalformed: "The Nonce must have 16 to 64 letters, digits, hyphens or underscores; 32 are usual."
        case .nonceReused: "The Nonce has been used before. Make a new one for every request."
        case .mediaTypeNotSupported: "The Content-Type must be application/json, in UTF-8."
        case .jsonMalformed: "The body is not valid JSON."
        case .parameterIllegal: "A field is missing or malformed."
        case .currencyNotSupported: "The only currency is CAD."
        case .requestInconsistent: "The same request id was used with other contents. Use a new id for a new request."
        case .merchantNotReady:
            "The merchant cannot take Apple Pay now: its certificate is missing, or it is suspended. Ask the gateway's operator."
        case .merchantIdentifierUnknown: "The merchantIdentifier is none of this merchant's. Leave it out, or check it."
        case .channelNotConnected: "The merchant's acquirer is not connected. Nothing was done."
        case .orderNotExist: "There is no order with this paymentId."
        case .orderExpired: "The order has expired. Create a new one."
        case .orderCanceled: "The order has been canceled."
        case .orderPaid: "The order has been paid."
        case .orderNotPaid: "The order has not been paid."
        case .orderStatusInvalid: "The order is not in a state that allows this."
        case .tokenInvalid: "The Apple Pay token was refused."
        case .tokenRepeated: "The Apple Pay token has been used before. Ask the customer to pay again."
        case .tokenAmountDiffers: "The order's amount is not the one that the customer approved in Apple Pay."
        case .tokenCurrencyDiffers: "The order's currency is not the one that the customer approved in Apple Pay."
        case .tokenModeDiffers: "The token and the merchant are not both sandbox or both live."
        case .cardNetworkNotSupported: "The merchant's acquirer does not take cards of this network."
        case .refundNotExist: "There is no refund with this refundId or refundRequestId."
        case .refundAmountExceeds: "The amount is more than is left to refund."
        case .refundsTooMany: "The payment has too many refunds."
        case .orderRefunded: "All of the payment has been refunded."
        case .doNotHonor: "The card's issuer declined.\(Self.otherCard)"
        case .insufficientFunds: "The card has insufficient funds.\(Self.otherCard)"
        case .cardExpired: "The card has expired.\(Self.otherCard)"
        case .cardInvalid: "The issuer does not know the card.\(Self.otherCard)"
        case .cardRestricted: "The card is reported lost or stolen.\(Self.otherCard)"
        case .riskRejected: "The payment was declined on suspicion of fraud."
        case .amountExceedsLimit: "The amount exceeds a limit of the card.\(Self.otherCard)"
        case .notPermitted: "The card does not permit this kind of payment.\(Self.otherCard)"
        case .issuerUnavailable: "The card's issuer could not be reached. Nothing was done. Try again later."
        case .channelTimedOut: "The acquirer gave up waiting for the issuer. Nothing was done. Try again later."
        case .channelSystemError: "The acquirer's system failed. Nothing was done. Try again later."
        case .channelRefused: "The acquirer does not allow this for the payment."
        case .processFailed: "The acquirer declined without a reason."
        case .channelUnavailable:
            "The acquirer was not reached, or had no room for the request. Nothing was charged or refunded. Try again with a "
                + "new order, or a refund with a new refundRequestId: this call's answer stays."
        case .channelMisconfigured:
            "The acquirer does not take this merchant's requests as they are set up. Nothing was charged or refunded."
        case .takenBack:
            "It could not be completed as asked, or its outcome could not be known, and so it was taken back. "
                + "Nothing was charged or refunded. Try again."
        }
    }

    /// The same of a refund: nobody pays, so that no other card would help.
    var refundMessage: String {
        switch self {
        case .riskRejected: "The refund was declined on suspicion of fraud."
        case .notPermitted: "The card does not permit refunds."
        default:
            self.message.hasSuffix(Self.otherCard)
                ? String(self.message.dropLast(Self.otherCard.count)) : self.message
        }
    }

    /// What to do where it is the card that cannot pay.
    private static let otherCard = " Ask the customer to pay with another card."
}
