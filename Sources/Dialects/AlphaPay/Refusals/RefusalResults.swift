//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import Payments

// Everything that can go wrong, mapped by `switch` without `default`: a new refusal or reason does not compile until
// it has a code.

extension AlphaPayResult {
    init(_ error: FieldError) {
        self.init(.parameterIllegal, error.description)
    }

    init(_ failure: WireFailure) {
        let code: ResultCode =
            switch failure {
            case .pathUnknown: .apiUnknown
            case .methodNotAllowed: .methodNotSupported
            case .bodyTooLarge: .requestTooLarge
            case .bodyIncomplete: .requestIncomplete
            case .timedOut: .unknownException
            case .overloaded: .systemBusy
            }
        guard case .bodyTooLarge(let bytesMax) = failure else {
            self.init(code)
            return
        }
        self.init(code, "The body must have at most \(bytesMax) bytes.")
    }

    /// With a label, because some refusals have the names of codes: without one, which of both is meant would depend on
    /// what a file imports.
    init(refusal: GatewayRefusal) {
        CallNotes.note(refusal)
        self.init(AlphaPayResult.code(of: refusal), refusal.explanation)
    }

    /// How a payment failed.
    init(_ failure: OperationFailure) {
        self.init(AlphaPayResult.code(of: failure))
    }

    /// How a refund failed.
    init(ofRefund failure: OperationFailure) {
        let code = AlphaPayResult.code(of: failure)
        self.init(code, code.refundMessage)
    }

    static func code(of refusal: GatewayRefusal) -> ResultCode {
        switch refusal {
        case .token, .tokenAmountUnreadable: .tokenInvalid
        case .tokenReplayed: .tokenRepeated
        case .amountDiffersFromToken: .tokenAmountDiffers
        case .currencyDiffersFromToken: .tokenCurrencyDiffers
        case .modeCrossed: .tokenModeDiffers
        case .merchantNotReady, .merchantSuspended: .merchantNotReady
        case .merchantIdentifierUnknown: .merchantIdentifierUnknown
        case .networkNotSupported: .cardNetworkNotSupported
        case .currencyNotSupported: .currencyNotSupported
        case .amountNotSupported: .amountExceedsLimit
        case .cardNumberInText: .parameterIllegal
        case .acquirerNotConnected, .operationNotSupported, .cardDataDeleted: .channelNotConnected
        // This dialect neither begins sessions nor keeps anything.
        case .merchantIdentityMissing, .merchantSessionFailed: .merchantNotReady
        case .keptItemConflict, .keptTokenUnknown, .keptTokenExpired: .requestInconsistent
        case .payment(let refusal): self.code(of: refusal)
        case .paymentNotFound, .orderNotFound: .orderNotExist
        case .orderExpired: .orderExpired
        case .orderCanceled: .orderCanceled
        case .orderPaid: .orderPaid
        case .orderInProcess: .paymentInProcess
        case .idempotencyConflict, .referenceTaken: .requestInconsistent
        case .storeUnavailable: .systemBusy
        }
    }

    /// What the state machine refuses: of this dialect's calls, a refund.
    static func code(of refusal: PaymentRefusal) -> ResultCode {
        switch refusal {
        case .amountNotPositive: .parameterIllegal
        case .currencyDiffers: .currencyNotSupported
        case .tooManyOperations: .refundsTooMany
        case .authorizationFailed, .notCaptured: .orderNotPaid
        case .alreadyRefunded: .orderRefunded
        case .refundExceedsCaptured: .refundAmountExceeds
        case .operationNotFound: .refundNotExist
        // Nothing was begun, and may be when what is under way has ended.
        case .voidPending, .capturePending, .refundPending, .adjustmentPending, .reversalPending: .systemBusy
        case .authorizationPending, .authorizationUnknown, .alreadyVoided, .alreadyCaptured, .captureIsFinal,
            .captureExceedsAuthorized, .adjustmentBelowCaptured, .notVoidable, .verificationOnly,
            .operationAlreadyResolved, .approvalExceedsRequest, .partialApprovalNotAccepted:
            .orderStatusInvalid
        }
    }

    static func code(of failure: OperationFailure) -> ResultCode {
        switch failure {
        case .declined(let reason): self.code(of: reason)
        case .reversed: .takenBack
        case .notProcessed(.notSent), .notProcessed(.busy), .notProcessed(.neverArrived): .channelUnavailable
        case .notProcessed(.notAuthorized), .notProcessed(.requestRefused): .channelMisconfigured
        // As of a token that is refused here.
        case .notProcessed(.tokenRefused): .tokenInvalid
        }
    }

    static func code(of reason: DeclineReason) -> ResultCode {
        switch reason {
        case .doNotHonor: .doNotHonor
        case .insufficientFunds: .insufficientFunds
        case .expiredCard: .cardExpired
        case .invalidCard: .cardInvalid
        case .lostOrStolenCard: .cardRestricted
        case .suspectedFraud: .riskRejected
        case .exceedsLimit: .amountExceedsLimit
        case .notPermitted: .notPermitted
        case .issuerUnavailable: .issuerUnavailable
        case .timedOut: .channelTimedOut
        case .systemError: .channelSystemError
        case .invalidOperation: .channelRefused
        case .unspecified: .processFailed
        }
    }
}
