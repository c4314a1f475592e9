//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ApplePayToken
public import Payments

/// Why the gateway refuses a call. Nothing has been begun, and nothing is kept of it. Closed: a dialect maps each,
/// without a `default`.
public enum GatewayRefusal: Error, Hashable, Sendable {
    /// The token is not Apple's, not for this merchant, not readable or too old. The error says which check and why.
    case token(TokenError)
    /// The token has been used before.
    case tokenReplayed
    /// The token's amount or currency is not what the merchant asks for.
    case amountDiffersFromToken
    case currencyDiffersFromToken
    /// The token's currency is no currency of ISO 4217, or its amount no whole number of minor units.
    case tokenAmountUnreadable
    /// The merchant is sandbox and the token live, or the other way round.
    case modeCrossed(merchant: Mode, token: Mode)
    /// The merchant has no Payment Processing Certificate yet.
    case merchantNotReady
    /// The operator lets the merchant take no new payments.
    case merchantSuspended
    /// The merchant identifier is none of the merchant's.
    case merchantIdentifierUnknown
    /// The acquirer, or the merchant's account, does not take the card's network.
    case networkNotSupported
    /// The acquirer's account is not paid in the currency.
    case currencyNotSupported
    /// The acquirer takes no payments of so little or so much, or not of a part of its unit.
    case amountNotSupported
    /// No route of the merchant's leads to an acquirer account that is active and can be opened.
    case acquirerNotConnected
    /// The merchant's acquirer can't adjust authorizations, verify cards, or take what was given to pay with.
    case operationNotSupported
    /// A text that is kept has in it the number that is paid with.
    case cardNumberInText(TextPlace)
    /// What the acquirer would need of the card for it has been deleted, because its time was over
    /// (``AcquirerCapabilities/CardDataRetention``).
    case cardDataDeleted
    /// The merchant has no merchant identity certificate, which Apple asks for to begin a session.
    case merchantIdentityMissing
    /// There is no merchant session.
    case merchantSessionFailed(MerchantSessionFailure)

    /// A rule of the payment's state machine.
    case payment(PaymentRefusal)
    case paymentNotFound
    case orderNotFound
    case orderExpired
    case orderCanceled
    case orderPaid
    /// A payment for the order is under way.
    case orderInProcess

    /// The key was used for something else.
    case idempotencyConflict
    /// What is kept under the name has changed, or exists already.
    case keptItemConflict
    /// No token is kept under the name: it never was, or has been paid with, or its time has been over for a while.
    case keptTokenUnknown
    /// The time of the kept token is over.
    case keptTokenExpired
    /// The dialect's reference is taken.
    case referenceTaken(kind: String)
    /// The store cannot be read or written to now. This call has sent nothing to the acquirer; an earlier one with
    /// its key may have.
    case storeUnavailable

    /// What was wrong and what to do, without data. Dialects may say it in their own words.
    public var explanation: String {
        switch self {
        case .token(let error): error.message
        case .tokenReplayed: "The Apple Pay token has been used before. Ask the customer to pay again."
        case .amountDiffersFromToken:
            "The amount is not the one that the customer approved in Apple Pay. Send the amount of the payment sheet."
        case .currencyDiffersFromToken:
            "The currency is not the one that the customer approved in Apple Pay. Send the currency of the payment sheet."
        case .tokenAmountUnreadable: "The amount or currency inside the Apple Pay token cannot be read."
        case .modeCrossed(let merchant, let token):
            "This is a \(merchant.rawValue) merchant and the Apple Pay token is a \(token.rawValue) one. Use a \(merchant.rawValue) token."
        case .merchantNotReady:
            "The merchant has no Payment Processing Certificate. Import the certificate that Apple issued for it."
        case .merchantSuspended: "The merchant is suspended and takes no new payments. Ask the gateway's operator."
        case .merchantIdentifierUnknown: "The merchant identifier is none of this merchant's."
        case .networkNotSupported: "The merchant's account or acquirer does not take cards of this network."
        case .currencyNotSupported: "The merchant's acquirer does not take payments in this currency."
        case .amountNotSupported:
            "The merchant's acquirer does not take this amount: it is too small or too large, or has too many decimals."
        case .acquirerNotConnected: "The merchant has no acquirer for this payment."
        case .operationNotSupported: "The merchant's acquirer does not offer this operation."
        case .cardNumberInText(.orderName):
            "The order's name has the card's number in it, and is kept. Give the order another name."
        case .cardNumberInText(.description):
            "The description has the card's number in it, and is kept. Leave the number out."
        case .cardNumberInText(.other):
            "A text of the request has the card's number in it, and is kept. Leave the number out."
        case .cardDataDeleted:
            "The acquirer needs the card number for this, and it has been deleted: the time to change the payment is over."
        case .merchantIdentityMissing:
            "The merchant has no merchant identity certificate. Import the one that Apple issued for it."
        case .merchantSessionFailed(let failure):
            "There is no merchant session (\(failure.rawValue)). \(failure.explanation)"
        case .keptItemConflict: "It has been changed by another request since it was read. Read it again."
        case .keptTokenUnknown: "There is no such token, or it has been paid with. Ask the customer to pay again."
        case .keptTokenExpired: "The time to pay with the token is over. Ask the customer to pay again."
        case .payment(let refusal): Self.explanation(of: refusal)
        case .paymentNotFound: "There is no such payment."
        case .orderNotFound: "There is no such order."
        case .orderExpired: "The order has expired. Create a new one."
        case .orderCanceled: "The order has been canceled."
        case .orderPaid: "The order has been paid."
        case .orderInProcess: "A payment for the order is in process. Ask for its outcome before trying again."
        case .idempotencyConflict: "The same request id was used with other contents. Use a new id for a new request."
        case .referenceTaken(let kind): "The \(kind) has been used before."
        case .storeUnavailable:
            "The gateway cannot record payments at the moment. This request has charged nothing. Send the same request again."
        }
    }

    private static func explanation(of refusal: PaymentRefusal) -> String {
        switch refusal {
        case .amountNotPositive: "The amount must be greater than zero."
        case .currencyDiffers: "The currency is not the payment's."
        case .tooManyOperations: "The payment has too many operations."
        case .authorizationPending: "The payment is being authorized. Ask for its outcome first."
        case .authorizationUnknown: "The outcome of the authorization is not known yet. Ask for it again in a moment."
        case .authorizationFailed: "The payment was not authorized, or its authorization has come to nothing."
        case .voidPending: "A void of the payment is under way."
        case .alreadyVoided: "It has been voided."
        case .capturePending: "A capture of the payment is under way."
        case .alreadyCaptured: "The payment has been captured. Refund it instead."
        case .captureIsFinal: "The final capture of the payment has been made."
        case .captureExceedsAuthorized: "The amount is more than is left of the authorization."
        case .notCaptured: "Nothing of the payment has been captured."
        case .alreadyRefunded:
            "All of the payment has been refunded or charged back, or the part that would be taken back."
        case .refundPending: "A refund of the payment is under way."
        case .refundExceedsCaptured: "The amount is more than is left to refund."
        case .adjustmentPending: "A change of the authorized amount is under way."
        case .adjustmentBelowCaptured: "The new amount is less than what has been captured."
        case .notVoidable:
            "There is nothing to void: the operation has not succeeded, or is of a kind that isn't voided."
        case .verificationOnly: "The card was only verified. Authorize a payment first."
        case .operationNotFound: "The payment has no such operation."
        case .operationAlreadyResolved: "The operation has been resolved."
        case .reversalPending: "The operation is being reversed."
        case .approvalExceedsRequest: "The acquirer approved more than was asked for."
        case .partialApprovalNotAccepted: "Only a part of the amount was approved."
        }
    }
}

extension GatewayRefusal {
    /// Which of the texts of a call.
    public enum TextPlace: Hashable, Sendable, CaseIterable {
        /// The merchant's own name for the order.
        case orderName
        /// What is bought.
        case description
        case other
    }

    /// How far a token came that is refused.
    public enum TokenStage: Hashable, Sendable {
        /// A part is missing or malformed.
        case parse
        /// Apple has not signed it, or not lately, or not for this.
        case verification
        /// The merchant's keys don't open it, or what is in it can't be read.
        case decryption
    }

    public var tokenStage: TokenStage? {
        guard case .token(let error) = self else { return nil }
        switch error.stage {
        case .parse: return .parse
        case .keySelection, .decryption, .payload: return .decryption
        default: return .verification
        }
    }

    /// The stable name of what is wrong with a token: "signature_invalid".
    public var tokenCode: String? {
        guard case .token(let error) = self else { return nil }
        return error.code.rawValue
    }
}
