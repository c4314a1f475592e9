//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import Payments

// Everything that can go wrong, mapped by `switch` without `default`: a new refusal or reason does not compile until
// it has a code.

extension PAYONEError {
    init(_ failure: WireFailure) {
        let code: ErrorCode =
            switch failure {
            case .pathUnknown: .pathUnknown
            case .methodNotAllowed: .methodNotAllowed
            case .bodyTooLarge: .requestTooLarge
            case .bodyIncomplete: .requestIncomplete
            case .timedOut: .outcomeUnknown
            case .overloaded: .temporaryError
            }
        switch failure {
        case .bodyTooLarge(let bytesMax): self.init(code, "The body must have at most \(bytesMax) bytes.")
        case .overloaded:
            self.init(code, "The gateway cannot take the request now. Nothing was done. Send it again in a moment.")
        case .pathUnknown, .methodNotAllowed, .bodyIncomplete, .timedOut: self.init(code)
        }
    }

    /// The vendor's sentence of the code, and the gateway's, which is more exact.
    init(_ refusal: GatewayRefusal) {
        CallNotes.note(refusal)
        self.init(PAYONEError.code(of: refusal), PAYONEError.detail(of: refusal))
    }

    private static func detail(of refusal: GatewayRefusal) -> String? {
        switch refusal {
        case .amountDiffersFromToken, .currencyDiffersFromToken, .tokenReplayed, .merchantIdentityMissing: nil
        case .merchantSessionFailed(let failure):
            "\(ErrorCode.merchantSessionFailed.message) \(failure.explanation) (\(failure.rawValue))"
        case .modeCrossed: "\(ErrorCode.tokenModeDiffers.message) \(refusal.explanation)"
        case .payment(let refusal): self.detail(of: refusal)
        case .paymentNotFound: "There is no payment process with this {txid}."
        case .orderPaid: "The order has been authorized or paid. Use a new {reference}."
        case .orderNotFound, .orderExpired, .orderCanceled, .orderInProcess, .referenceTaken:
            "\(refusal.explanation) Use a new {reference}."
        case .cardNumberInText(.orderName): "{reference} must not have the card's number in it."
        case .idempotencyConflict, .keptItemConflict, .keptTokenUnknown, .keptTokenExpired:
            "{reference} and the Apple Pay token were sent before, with other parameters. Use a new {reference}."
        case .token, .tokenAmountUnreadable, .merchantNotReady, .merchantSuspended, .merchantIdentifierUnknown,
            .acquirerNotConnected, .operationNotSupported, .networkNotSupported, .currencyNotSupported,
            .amountNotSupported, .cardNumberInText(.description), .cardNumberInText(.other), .cardDataDeleted,
            .storeUnavailable:
            refusal.explanation
        }
    }

    private static func detail(of refusal: PaymentRefusal) -> String {
        switch refusal {
        case .amountNotPositive: "{amount} must be greater than zero."
        case .currencyDiffers: "{currency} is not that of the payment process."
        case .tooManyOperations: "The payment process of this {txid} has too many requests."
        case .authorizationPending, .authorizationUnknown, .voidPending, .capturePending, .refundPending,
            .adjustmentPending, .reversalPending:
            "An earlier request of the payment process is still under way. Wait for its TransactionStatus."
        case .authorizationFailed:
            "The payment process of this {txid} has not been authorized, or its authorization has come to nothing."
        case .verificationOnly: "The payment process of this {txid} has not been authorized."
        case .alreadyVoided: "The reservation has been given back."
        case .alreadyCaptured:
            "{amount} 0 gives a reservation back, and this one has been captured. Refund it with debit."
        case .captureIsFinal:
            "The capture with {capturemode} completed has been made. No further capture is possible."
        case .captureExceedsAuthorized: "{amount} is more than is left of the authorization."
        case .notCaptured: "Nothing of the payment process has been captured. There is nothing to refund."
        case .alreadyRefunded: "All of the payment process has been refunded."
        case .refundExceedsCaptured: "{amount} is more than is left to refund."
        case .adjustmentBelowCaptured, .notVoidable, .operationNotFound, .operationAlreadyResolved,
            .approvalExceedsRequest, .partialApprovalNotAccepted:
            GatewayRefusal.payment(refusal).explanation
        }
    }

    init(_ failure: OperationFailure, of operation: Operation, in payment: Payment) {
        self.init(failure, PAYONEError.code(of: failure, of: operation, in: payment))
    }

    init(_ failure: OperationFailure) {
        self.init(failure, PAYONEError.code(of: failure))
    }

    private init(_ failure: OperationFailure, _ code: ErrorCode) {
        self.init(code, PAYONEError.detail(of: failure))
        // An acquirer that is not set up is no outcome, but the operator's business, as is none at all; and a token
        // that is not taken is a request that is refused, whoever refuses it.
        if case .notProcessed(let reason) = failure, !reason.isRetryable { return }
        self.isOutcome = true
    }

    private static func detail(of failure: OperationFailure) -> String? {
        guard failure == .notProcessed(.tokenRefused) else { return nil }
        return "The merchant's acquirer does not take the token: its key, its age or its amount, or it was used "
            + "before. Nothing was charged."
    }

    static func code(of refusal: GatewayRefusal) -> ErrorCode {
        switch refusal {
        case .token:
            switch refusal.tokenStage {
            case .parse: .tokenParameterMissing
            case .decryption: .tokenNotDecrypted
            case .verification, nil: .tokenNotVerified
            }
        case .tokenAmountUnreadable: .tokenNotDecrypted
        case .tokenReplayed: .tokenUsed
        case .amountDiffersFromToken: .tokenAmountDiffers
        case .currencyDiffersFromToken: .tokenCurrencyDiffers
        case .modeCrossed: .tokenModeDiffers
        case .merchantNotReady, .merchantIdentifierUnknown: .tokenNotDecrypted
        case .networkNotSupported: .cardTypeInvalid
        case .currencyNotSupported: .currencyFaulty
        case .amountNotSupported: .amountFaulty
        case .acquirerNotConnected, .merchantSuspended: .configurationError
        case .operationNotSupported, .cardDataDeleted: .functionNotAvailable
        case .cardNumberInText(.orderName): .referenceFaulty
        case .cardNumberInText(.description), .cardNumberInText(.other): .parameterFaulty
        case .merchantIdentityMissing: .merchantIdentityMissing
        case .merchantSessionFailed: .merchantSessionFailed
        case .payment(let refusal): self.code(of: refusal)
        case .paymentNotFound: .transactionUnknown
        case .orderNotFound, .orderExpired, .orderCanceled, .orderPaid, .orderInProcess, .referenceTaken,
            .idempotencyConflict, .keptItemConflict, .keptTokenUnknown, .keptTokenExpired:
            .referenceExists
        case .storeUnavailable: .databaseFailed
        }
    }

    static func code(of refusal: PaymentRefusal) -> ErrorCode {
        switch refusal {
        case .amountNotPositive: .amountFaulty
        case .currencyDiffers: .currencyDiffers
        case .tooManyOperations: .actionsTooMany
        case .authorizationPending, .authorizationUnknown, .voidPending, .capturePending, .refundPending,
            .adjustmentPending, .reversalPending:
            .temporaryError
        case .authorizationFailed, .verificationOnly, .alreadyCaptured, .notVoidable: .statusChangeNotPossible
        case .alreadyVoided: .amountNoLongerAvailable
        case .captureIsFinal: .alreadyCompleted
        case .captureExceedsAuthorized: .captureTooHigh
        case .notCaptured: .refundNotPossible
        case .alreadyRefunded, .refundExceedsCaptured: .refundTooHigh
        case .adjustmentBelowCaptured, .operationNotFound, .operationAlreadyResolved, .approvalExceedsRequest,
            .partialApprovalNotAccepted:
            .activityNotProcessed
        }
    }

    /// The reason alone does not say that the authorization was held no longer.
    static func code(of failure: OperationFailure, of operation: Operation, in payment: Payment) -> ErrorCode {
        payment.cameAfterHold(operation) ? .authorizationExpired : self.code(of: failure)
    }

    static func code(of failure: OperationFailure) -> ErrorCode {
        switch failure {
        case .declined(let reason): self.code(of: reason)
        case .reversed: .activityNotProcessed
        case .notProcessed(.notSent), .notProcessed(.busy), .notProcessed(.neverArrived): .activityNotProcessed
        case .notProcessed(.notAuthorized), .notProcessed(.requestRefused): .configurationError
        // Of which of its checks it was the acquirer does not always say.
        case .notProcessed(.tokenRefused): .tokenNotVerified
        }
    }

    static func code(of reason: DeclineReason) -> ErrorCode {
        switch reason {
        case .doNotHonor: .doNotHonor
        case .insufficientFunds: .limitOrBalanceExceeded
        case .expiredCard: .expiryDateInvalid
        case .invalidCard: .cardInvalid
        case .lostOrStolenCard: .cardStolen
        case .suspectedFraud: .manipulationSuspected
        case .exceedsLimit: .limitExceeded
        case .notPermitted: .cardNotApproved
        case .issuerUnavailable: .issuerTemporaryProblem
        case .timedOut: .issuerTemporarilyUnavailable
        case .systemError: .notCompletedSuccessfully
        case .invalidOperation: .transactionInvalid
        case .unspecified: .authorizationDeclined
        }
    }
}
