//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import Payments

// Everything that can go wrong, mapped by `switch` without `default`: a new refusal or reason does not compile until it
// has a code.

extension PAYONEError {
    init(_ failure: WireFailure) {
        let code: ErrorCode =
            switch failure {
            case .pathUnknown: .pathUnknown
            case .methodNotAllowed: .methodNotAllowed
            case .bodyTooLarge: .requestTooLarge
            case .bodyIncomplete: .requestIncomplete
            case .timedOut: .outcomeUnknown
            case .overloaded: .overloaded
            }
        guard case .bodyTooLarge(let bytesMax) = failure else {
            self.init(code)
            return
        }
        self.init(code, "The body must have at most \(bytesMax) bytes.")
    }

    /// The vendor's sentence of the code, and the gateway's, which is more exact.
    init(_ refusal: GatewayRefusal) {
        let code = PAYONEError.code(of: refusal)
        if case .merchantSessionFailed(let reason) = refusal {
            self.init(code, "\(code.message) \(MerchantSessionFailure.explanation(of: reason)) (\(reason))")
            return
        }
        switch code {
        case .tokenNotDecrypted, .tokenNotVerified, .tokenParameterMissing, .amountDiffersFromReserved,
            .amountNoLongerAvailable, .cardTypeInvalid, .referenceExists, .tokenModeDiffers:
            let vendor = code.message.hasSuffix(".") ? code.message : code.message + "."
            self.init(code, "\(vendor) \(refusal.explanation)")
        default: self.init(code)
        }
    }

    init(_ failure: OperationFailure) {
        self.init(PAYONEError.code(of: failure))
        self.isOutcome = true
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
        case .merchantNotReady, .merchantIdentifierUnknown: .merchantNotReady
        case .networkNotSupported: .cardTypeInvalid
        case .acquirerNotConnected: .acquirerNotConnected
        case .operationNotSupported: .operationNotOffered
        case .merchantIdentityMissing: .merchantIdentityMissing
        case .merchantSessionFailed: .merchantSessionFailed
        case .payment(let refusal): self.code(of: refusal)
        case .paymentNotFound: .transactionUnknown
        case .orderNotFound, .orderExpired, .orderCanceled, .orderPaid, .orderInProcess, .referenceTaken:
            .referenceExists
        case .idempotencyConflict, .keptItemConflict, .keptTokenUnknown, .keptTokenExpired: .requestInconsistent
        case .storeUnavailable: .storeUnavailable
        }
    }

    static func code(of refusal: PaymentRefusal) -> ErrorCode {
        switch refusal {
        case .amountNotPositive: .amountSignWrong
        case .currencyDiffers: .currencyDiffers
        case .tooManyOperations: .requestsTooMany
        case .authorizationPending, .authorizationUnknown, .voidPending, .capturePending, .adjustmentPending,
            .reversalPending:
            .transactionInProcess
        case .authorizationFailed, .verificationOnly: .notAuthorized
        case .alreadyVoided: .amountNoLongerAvailable
        case .alreadyCaptured: .alreadyCaptured
        case .captureIsFinal: .captureCompleted
        case .captureExceedsAuthorized: .amountDiffersFromReserved
        case .notCaptured: .notCaptured
        case .alreadyRefunded: .alreadyRefunded
        case .refundExceedsCaptured: .refundExceedsCaptured
        case .adjustmentBelowCaptured, .notVoidable, .operationNotFound, .operationAlreadyResolved,
            .approvalExceedsRequest, .partialApprovalNotAccepted:
            .activityNotProcessed
        }
    }

    static func code(of failure: OperationFailure) -> ErrorCode {
        switch failure {
        case .declined(let reason): self.code(of: reason)
        case .reversed: .activityNotProcessed
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
        case .notPermitted: .cardNotAllowed
        case .issuerUnavailable: .issuerTemporaryProblem
        case .timedOut: .issuerTemporarilyUnavailable
        case .systemError: .notCompletedSuccessfully
        case .invalidOperation: .transactionInvalid
        case .unspecified: .authorizationDeclined
        }
    }
}
