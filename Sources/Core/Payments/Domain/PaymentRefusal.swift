//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why a transition is refused: one name a rule, in order of precedence. Closed: a dialect maps each.
public enum PaymentRefusal: String, Error, Hashable, Sendable, CaseIterable {
    /// Anything that follows a verification.
    case verificationOnly
    case amountNotPositive
    case currencyDiffers
    case tooManyOperations
    case authorizationPending
    case authorizationUnknown
    case authorizationFailed
    case voidPending
    case alreadyVoided
    /// A void or a final capture while a capture is pending or unknown, or a refund before any capture has succeeded
    /// but one is under way.
    case capturePending
    /// A void after a capture.
    case alreadyCaptured
    /// A change of the authorized total, a void or a final capture while a change of the total is under way.
    case adjustmentPending
    /// A capture after the final one, or a change of the total.
    case captureIsFinal
    case captureExceedsAuthorized
    /// A new total that is less than what is captured.
    case adjustmentBelowCaptured
    case notCaptured
    case alreadyRefunded
    /// A void of what a refund that is under way may give back, or of that refund.
    case refundPending
    case refundExceedsCaptured
    /// A void of something that has not succeeded, or that is no authorization, capture or refund.
    case notVoidable
    case operationNotFound
    case operationAlreadyResolved
    /// A second reversal of an operation, or its success, while a reversal of it is under way.
    case reversalPending
    /// The acquirer says that it approved more than it was asked for, or in another currency.
    case approvalExceedsRequest
    /// The acquirer approved less than it was asked for, and the merchant takes no less. The approval must be reversed.
    case partialApprovalNotAccepted
}
