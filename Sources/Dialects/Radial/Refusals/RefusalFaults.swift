//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import Payments

// Everything that can go wrong, mapped by `switch` without `default`: a new refusal does not compile until it has a
// code.

extension RadialFault {
    init(wire failure: WireFailure) {
        switch failure {
        case .pathUnknown: self.init(.resourceUnknown)
        case .methodNotAllowed: self.init(.methodNotAllowed)
        case .bodyTooLarge(let bytesMax): self.init(.requestTooLarge, "The body must have at most \(bytesMax) bytes.")
        case .bodyIncomplete: self.init(.requestIncomplete)
        case .timedOut: self.init(.requestTimedOut)
        case .overloaded: self.init(.overloaded)
        }
    }

    init(refusal: GatewayRefusal) {
        CallNotes.note(refusal)
        switch refusal {
        // The gateway's own words say which check of the token failed, or which text is wrong.
        case .token, .modeCrossed, .cardNumberInText: self.init(Self.code(of: refusal), refusal.explanation)
        case .tokenReplayed, .amountDiffersFromToken, .currencyDiffersFromToken, .tokenAmountUnreadable,
            .merchantNotReady, .merchantSuspended, .merchantIdentifierUnknown, .acquirerNotConnected,
            .merchantIdentityMissing, .merchantSessionFailed, .networkNotSupported, .currencyNotSupported,
            .amountNotSupported, .operationNotSupported, .cardDataDeleted, .payment, .paymentNotFound, .orderNotFound,
            .orderExpired, .orderCanceled, .orderPaid, .orderInProcess, .idempotencyConflict, .keptItemConflict,
            .keptTokenUnknown, .keptTokenExpired, .referenceTaken, .storeUnavailable:
            self.init(Self.code(of: refusal))
        }
    }

    static func code(of refusal: GatewayRefusal) -> FaultCode {
        switch refusal {
        case .token:
            switch refusal.tokenStage {
            case .parse: .tokenMalformed
            case .decryption: .tokenNotDecryptable
            case .verification, nil: .tokenNotTrusted
            }
        case .tokenReplayed: .tokenReplayed
        case .amountDiffersFromToken: .amountDiffersFromToken
        case .currencyDiffersFromToken: .currencyDiffers
        case .tokenAmountUnreadable: .tokenNotDecryptable
        case .modeCrossed: .tokenModeDiffers
        case .merchantNotReady, .merchantSuspended, .merchantIdentifierUnknown, .acquirerNotConnected,
            .merchantIdentityMissing,
            .merchantSessionFailed:
            .merchantNotReady
        case .networkNotSupported, .currencyNotSupported: .tenderNotConfigured
        case .amountNotSupported, .cardNumberInText: .requestInvalid
        case .operationNotSupported, .cardDataDeleted: .operationNotAllowed
        case .payment(let refusal): self.code(of: refusal)
        case .paymentNotFound, .orderNotFound: .authorizationNotFound
        case .orderExpired, .orderCanceled: .orderClosed
        case .orderPaid: .orderPaid
        case .orderInProcess: .orderInProcess
        case .idempotencyConflict, .keptItemConflict, .keptTokenUnknown, .keptTokenExpired:
            .requestIDReused
        // References are drawn here; that none is free is nothing the store could do anything about.
        case .referenceTaken, .storeUnavailable: .unavailable
        }
    }

    /// What the state machine refuses: of this dialect's calls, a settlement or a cancellation.
    static func code(of refusal: PaymentRefusal) -> FaultCode {
        switch refusal {
        case .amountNotPositive: .requestInvalid
        case .currencyDiffers: .currencyDiffers
        case .tooManyOperations: .tooManyOperations
        case .authorizationPending, .authorizationUnknown, .voidPending, .capturePending, .refundPending,
            .adjustmentPending, .reversalPending:
            .operationPending
        // More has been settled while the rest was being canceled.
        case .adjustmentBelowCaptured: .operationPending
        case .authorizationFailed: .authorizationFailed
        case .alreadyVoided: .authorizationCanceled
        case .alreadyCaptured: .alreadySettled
        case .captureIsFinal: .finalDebitMade
        case .captureExceedsAuthorized: .debitExceedsAuthorization
        case .notCaptured: .nothingSettled
        case .alreadyRefunded: .alreadyCredited
        case .refundExceedsCaptured: .creditExceedsDebits
        case .operationNotFound: .authorizationNotFound
        case .notVoidable, .verificationOnly, .operationAlreadyResolved,
            .approvalExceedsRequest, .partialApprovalNotAccepted:
            .operationNotAllowed
        }
    }
}
