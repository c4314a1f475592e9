//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why a transition is refused: one name a rule, in order of precedence. Closed: a dialect maps each.
public enum PaymentRefusal: String, Error, Hashable, Sendable, CaseIterable {
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
    /// A capture after the final one.
    case captureIsFinal
    case captureExceedsAuthorized
    case notCaptured
    case alreadyRefunded
    case refundExceedsCaptured
    case operationNotFound
    case operationAlreadyResolved
    /// A second reversal of an operation, or its success, while a reversal of it is under way.
    case reversalPending
    /// The acquirer says that it approved more than it was asked for, or in another currency.
    case approvalExceedsRequest
    /// The acquirer approved less than it was asked for, and the merchant takes no less. The approval must be reversed.
    case partialApprovalNotAccepted
}
