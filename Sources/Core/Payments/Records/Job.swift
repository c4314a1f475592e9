//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

/// Work that is due at a time, kept in the store so that a crash does not forget it. One job a kind and payment.
public struct Job: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Finds out what became of the payment's unresolved operations.
        case recover
        /// Sends the payment's oldest event that is not delivered: one after the other, so that they arrive in order.
        case deliver
        /// Captures what is left of the payment's authorization.
        case capture
        /// Deletes what is noted of the payment's card, once nothing needs it any more.
        case forget
    }

    public let kind: Kind
    public let paymentID: PaymentID
    /// When it is to be done next. While a worker holds the job, this is when its lease ends.
    public var dueAt: Timestamp
    /// How often it has been taken. Of recovery: without the times when there was nobody to ask.
    public var attemptsCount: Int
    /// When it was last taken.
    public var takenAt: Timestamp?

    public init(
        kind: Kind, paymentID: PaymentID, dueAt: Timestamp, attemptsCount: Int = 0, takenAt: Timestamp? = nil
    ) {
        self.kind = kind
        self.paymentID = paymentID
        self.dueAt = dueAt
        self.attemptsCount = attemptsCount
        self.takenAt = takenAt
    }
}
