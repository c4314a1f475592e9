//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What a dialect can do on the wire, as far as the laws ask. A driver says what its dialect lacks, and why.
public enum DialectCapability: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// One request authorizes and captures.
    case sale
    /// An authorization of its own, and captures that follow it.
    case authorization
    /// A capture of less than is left, after which more may be captured.
    case partialCapture
    /// A capture says how much it takes.
    case captureAmount
    /// The merchant can take an authorization back.
    case void
    /// A void is another request than a refund: after the capture it is refused.
    case voidOfItsOwn
    case refund
    /// A request that asks how a payment stands.
    case query
    /// The answer to a query says how much is captured and refunded.
    case queryTotals
    /// The merchant is notified of outcomes.
    case notifications
    /// A notification proves that it is the gateway's.
    case notificationProof
    /// A payment's request says the amount beside the token.
    case statedAmount
    /// A payment's request says the currency beside the token.
    case statedCurrency
    /// The same payment request again gets the same answer.
    case paymentRepeats
    /// The key of an earlier payment request with other contents is refused.
    case paymentConflicts
    /// The same refund, capture or void request again gets the same answer.
    case followUpRepeats
    /// The key of an earlier follow-up with other contents is refused.
    case followUpConflicts
    /// A payment that was declined can be tried again under the same merchant's name for it, with another token.
    case retryAfterDecline

    public var description: String { self.rawValue }
}
