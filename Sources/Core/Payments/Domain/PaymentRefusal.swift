//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why a transition is refused: the first rule that does not hold, in the order of this list. Closed: a dialect maps each.
///
/// What an event names (the capture of a refund, what a void takes back) is looked at in the place of
/// ``operationNotFound``, by rules of the same names in the same order: so a refund of a pending capture is
/// ``alreadyRefunded`` where all that is captured has been refunded. A report whose name has been booked is
/// ``operationAlreadyResolved`` before anything else is looked at, and then its fee is before its event. What came to
/// nothing late is ``notVoidable`` before it is ``alreadyVoided``.
public enum PaymentRefusal: String, Error, Hashable, Sendable, CaseIterable {
    /// Anything that follows a verification.
    case verificationOnly
    case amountNotPositive
    case currencyDiffers
    case tooManyOperations
    /// Also of a report that something came to nothing whose end is not known.
    case authorizationPending
    case authorizationUnknown
    /// Also of one that the acquirer had approved, and that came to nothing.
    case authorizationFailed
    case voidPending
    /// The authorization, or what is named, has been taken back by a void.
    case alreadyVoided
    /// A void of the authorization, a final capture or a change of its total while a capture is under way; a refund before
    /// any capture has succeeded but one is under way; a refund or a void of a capture that is. A capture, also one after a
    /// final one, or a refund for which there will be room if the one that is under way ends so.
    case capturePending
    /// A void after a capture, or a report that an authorization came to nothing of which something has been captured.
    case alreadyCaptured
    /// A change of the authorized total, a void or a final capture while a change of the total is under way; a capture that
    /// fits one of the two totals.
    case adjustmentPending
    /// A capture after the final one, or a change of the total.
    case captureIsFinal
    case captureExceedsAuthorized
    /// A new total that is less than what is captured.
    case adjustmentBelowCaptured
    /// A refund of which nothing is captured: of the payment, or by the capture named.
    case notCaptured
    /// A refund where nothing is left, of the payment or of the capture named; a void of what has been given back, by a
    /// refund or from the bank.
    case alreadyRefunded
    /// What is named is not there, or is nothing that a refund, or a reversal, could be of.
    case operationNotFound
    /// A void of something that has not succeeded, or that came to nothing; a void, or a report of a late failure, of what is
    /// of another kind than may be taken back.
    case notVoidable
    /// A void of what a refund that is under way may give back, or of that refund; a refund that fits if that one comes to
    /// nothing.
    case refundPending
    /// A refund of more than is left, of the payment or of the capture named; a chargeback of more than was captured.
    case refundExceedsCaptured
    case operationAlreadyResolved
    /// A second reversal of an operation, or its success, while a reversal of it is under way.
    case reversalPending
    /// The acquirer says that it approved more than it was asked for, or in another currency.
    case approvalExceedsRequest
    /// The acquirer approved less than it was asked for, and the merchant takes no less. The approval must be reversed.
    case partialApprovalNotAccepted
}
