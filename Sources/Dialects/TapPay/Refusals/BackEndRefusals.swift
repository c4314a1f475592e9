//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import Payments

// Everything that can go wrong, mapped by `switch` without `default`: a new refusal or reason does not compile until
// it has a number.

extension TapPayFailure {
    /// With a label, because some refusals have the names of codes: without one, which of both is meant would depend on
    /// what a file imports.
    init(backEnd refusal: GatewayRefusal) {
        CallNotes.note(refusal)
        self.init(Self.code(of: refusal), refusal.explanation)
    }

    static func code(of refusal: GatewayRefusal) -> TapPayCode {
        switch refusal {
        case .token, .tokenReplayed, .tokenAmountUnreadable, .modeCrossed: .invalidPrime
        case .keptTokenUnknown, .idempotencyConflict: .invalidPrime
        case .keptTokenExpired: .expiredPrime
        case .amountDiffersFromToken: .inconsistentAmount
        case .currencyDiffersFromToken: .inconsistentCurrency
        case .merchantNotReady, .merchantSuspended, .merchantIdentifierUnknown, .merchantIdentityMissing,
            .merchantSessionFailed,
            .acquirerNotConnected, .networkNotSupported, .operationNotSupported, .cardDataDeleted:
            .paymentMethodNotSupported
        case .currencyNotSupported: .currencyNotSupported
        case .amountNotSupported: .amountOutOfRange
        case .cardNumberInText(.orderName): .orderNumberOutOfRange
        case .cardNumberInText(.description): .detailsOutOfRange
        case .cardNumberInText(.other): .wrongJSONFormat
        case .payment(let refusal): self.code(of: refusal)
        case .paymentNotFound: .invalidRecTradeID
        // This dialect has no orders.
        case .orderNotFound, .orderExpired, .orderCanceled, .orderPaid, .orderInProcess: .invalidRecTradeID
        case .referenceTaken: .duplicateBankTransactionID
        case .keptItemConflict, .storeUnavailable: .systemError
        }
    }

    /// Of a capture: what is said of refunds where a refund is asked for would be no answer here.
    init(capture refusal: PaymentRefusal) {
        switch refusal {
        case .alreadyVoided, .alreadyRefunded:
            self.init(
                .invalidRecTradeID,
                "The trade has been refunded before it was captured: there is nothing left to capture.")
        case .verificationOnly, .amountNotPositive, .currencyDiffers, .tooManyOperations, .authorizationPending,
            .authorizationUnknown, .authorizationFailed, .voidPending, .capturePending, .alreadyCaptured,
            .adjustmentPending, .captureIsFinal, .captureExceedsAuthorized, .adjustmentBelowCaptured, .notCaptured,
            .operationNotFound, .notVoidable, .refundPending, .refundExceedsCaptured, .operationAlreadyResolved,
            .reversalPending, .approvalExceedsRequest, .partialApprovalNotAccepted:
            self.init(backEnd: .payment(refusal))
        }
    }

    static func code(of refusal: PaymentRefusal) -> TapPayCode {
        switch refusal {
        case .amountNotPositive: .invalidAmount
        case .currencyDiffers: .invalidCurrency
        case .tooManyOperations: .refundError
        case .authorizationPending, .authorizationUnknown, .voidPending, .refundPending, .adjustmentPending,
            .reversalPending:
            .transactionPending
        case .authorizationFailed, .verificationOnly: .invalidRecTradeID
        case .alreadyVoided, .alreadyRefunded: .repeatedRefund
        case .capturePending, .notCaptured: .pendingCapture
        case .refundExceedsCaptured: .refundAmountOutOfRange
        case .notVoidable, .operationNotFound: .invalidRefundID
        case .alreadyCaptured, .captureIsFinal, .captureExceedsAuthorized, .adjustmentBelowCaptured:
            .captureCancelCaptured
        case .operationAlreadyResolved, .approvalExceedsRequest, .partialApprovalNotAccepted: .refundError
        }
    }
}

extension TapPayCode {
    /// What a refusal of the bank's is called. The raw response code (ISO 8583, field 39) says more than the reason
    /// where it is one of a few.
    init(_ failure: OperationFailure, _ answer: AcquirerAnswer) {
        switch (failure, answer.responseCode) {
        case (.declined, "94"): self = .duplicateTransaction
        case (.declined, "03"): self = .bankMerchantAccountDataError
        case (.declined, "13"): self = .amountError
        case (.declined, "26"): self = .orderNumberDuplicate
        case (.declined(let reason), _): self = Self.code(of: reason)
        case (.reversed, _): self = .bankSystemError
        case (.notProcessed(.notSent), _), (.notProcessed(.busy), _), (.notProcessed(.neverArrived), _):
            self = .bankSystemError
        case (.notProcessed(.notAuthorized), _), (.notProcessed(.requestRefused), _):
            self = .bankMerchantAccountDataError
        // As of a prime whose token is refused here.
        case (.notProcessed(.tokenRefused), _): self = .invalidPrime
        }
    }

    private static func code(of reason: DeclineReason) -> TapPayCode {
        switch reason {
        case .doNotHonor, .insufficientFunds, .expiredCard, .invalidCard, .lostOrStolenCard, .suspectedFraud,
            .notPermitted:
            .cardError
        case .exceedsLimit: .amountError
        case .issuerUnavailable, .systemError: .bankSystemError
        case .timedOut: .authorizationTimeout
        case .invalidOperation, .unspecified: .bankError
        }
    }
}

/// Where an operation stands, in the words of an answer.
struct OperationStanding: Hashable, Sendable {
    let code: TapPayCode
    /// `bank_result_msg`: what the bank's code means.
    let bankMessage: String
    let detail: String?

    init(_ operation: Operation) {
        switch operation.state {
        case .pending, .unknown, .accepted:
            self.code = .gatewayTimeout
            self.bankMessage = ""
            self.detail = Self.whatToDoMeanwhile(operation.kind)
        case .succeeded:
            self.code = .success
            self.bankMessage = "Success"
            self.detail = nil
        case .failed(let failure):
            self.code = TapPayCode(failure, operation.answer)
            self.bankMessage = Self.message(failure)
            self.detail = Self.detail(failure, operation.kind)
        }
    }

    private static func detail(_ failure: OperationFailure, _ kind: Operation.Kind) -> String? {
        switch failure {
        case .declined: nil
        case .reversed: self.whatHasBecome(kind)
        case .notProcessed(let reason) where reason.isRetryable:
            "The bank was not reached or had no room for the request. Nothing has been done: try again."
        case .notProcessed(.tokenRefused):
            "The bank does not take the prime's token: its key, its age or its amount, or it was used before. Nothing "
                + "has been done: ask the customer to pay again."
        case .notProcessed:
            "The bank does not take requests for this merchant as they are set up. Nothing has been done: ask whoever "
                + "operates the gateway."
        }
    }

    /// What to do as long as nobody knows the outcome. The gateway goes on asking the bank by itself.
    private static func whatToDoMeanwhile(_ kind: Operation.Kind) -> String {
        switch kind {
        case .authorization, .verification:
            "The bank has not answered. Ask /tpc/transaction/query for the outcome; do not pay again."
        case .capture:
            "The bank has not answered. The capture counts as made until its outcome is known: ask "
                + "/tpc/transaction/query for it (is_captured)."
        case .refund:
            "The bank has not answered. Ask /tpc/transaction/trade-history for the outcome; until then do not refund "
                + "again but with the same name (bank_refund_id or Idempotency-Key)."
        case .void, .reversal, .adjustment, .lateFailure, .chargeback:
            "The bank has not answered. Ask /tpc/transaction/trade-history whether it has been taken back; until then "
                + "nothing else can be done with the trade."
        }
    }

    /// Of what was taken back: no answer came that could be trusted, or one that could not stand, as an approval of a
    /// part is.
    private static func whatHasBecome(_ kind: Operation.Kind) -> String {
        switch kind {
        case .authorization, .verification:
            "The bank's answer was not known, or approved less than the amount; whatever there was has been taken "
                + "back. Nothing has been charged, and the customer may pay again."
        case .capture, .refund, .void, .reversal, .adjustment, .lateFailure, .chargeback:
            "The bank's answer was not known, or could not stand; whatever there was has been taken back."
        }
    }

    private static func message(_ failure: OperationFailure) -> String {
        switch failure {
        case .reversed: "Taken back"
        case .notProcessed: "Not processed"
        case .declined(.doNotHonor): "Do not honor"
        case .declined(.insufficientFunds): "Insufficient funds"
        case .declined(.expiredCard): "Expired card"
        case .declined(.invalidCard): "Invalid card number"
        case .declined(.lostOrStolenCard): "Lost or stolen card"
        case .declined(.suspectedFraud): "Suspected fraud"
        case .declined(.exceedsLimit): "Exceeds limit"
        case .declined(.notPermitted): "Transaction not permitted"
        case .declined(.issuerUnavailable): "Issuer unavailable"
        case .declined(.timedOut): "Response received too late"
        case .declined(.systemError): "System malfunction"
        case .declined(.invalidOperation): "Invalid transaction"
        case .declined(.unspecified): "Declined"
        }
    }
}

extension TapPayFailure {
    /// What is answered to a request that reached no route, or whose route did not come to its end.
    init(_ failure: WireFailure) {
        switch failure {
        case .pathUnknown: self.init(.wrongJSONFormat, "There is no such path.")
        case .methodNotAllowed: self.init(.wrongJSONFormat, "The path takes other methods.")
        case .bodyTooLarge(let bytesMax):
            self.init(.wrongJSONFormat, "The body must have at most \(bytesMax) bytes.")
        case .bodyIncomplete: self.init(.wrongJSONFormat, "The body did not arrive in full. Nothing has been done.")
        case .timedOut:
            self.init(
                .gatewayTimeout, "The request took too long. Ask /tpc/transaction/query for its outcome.")
        case .overloaded:
            self.init(.systemError, "There are too many requests at once. Nothing has been done; send it again.")
        }
    }
}
