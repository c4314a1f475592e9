//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Payments
public import Time

/// What the simulator's book says about one operation. Nothing of the card is in it.
public struct SimulatorEntry: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case authorization
        case capture
        case refund
        case adjustment
        case verification
        case reversal
    }

    public enum State: String, Hashable, Sendable, CaseIterable {
        case approved
        case declined
        /// Neither the one nor the other, until it is taken back.
        case unclear
        /// An authorization that was approved and that the merchant has voided.
        case voided
        /// Taken back because its outcome never became known: it counts for nothing, and never will.
        case reversed
    }

    public let operationID: OperationID
    /// `nil` for an operation that was taken back before it arrived.
    public let kind: Kind?
    public let paymentID: PaymentID
    public let merchantID: MerchantID
    /// The authorization that it follows, or the operation that it takes back.
    public let targetID: OperationID?
    /// What was asked for.
    public let amount: Money
    /// For an authorization: whether it is a sale, and so captured at once.
    public let captures: Bool
    /// For a capture: whether the rest of the authorization is given back.
    public let isFinal: Bool
    public let state: State
    /// What was approved, if it was.
    public let approvedAmount: Money?
    /// Why it was declined, if it was.
    public let declineReason: DeclineReason?
    public let answer: AcquirerAnswer
    /// How often the request has arrived: 0 for one that was taken back before, more than 1 for one that was repeated.
    public let arrivalsCount: Int
    /// The request's own time.
    public let bookedAt: Timestamp

    /// Whether it came when the authorization that it follows was held no longer: that has the rest released.
    public var cameAfterHold: Bool {
        self.state == .declined && self.answer.vendorCode == SimulatedAnswer.authorizationExpiredCode
    }
}

/// What the book says about a payment, or about all payments of a currency.
public struct SimulatorPosition: Hashable, Sendable {
    /// Approved authorizations with what adjustments made of them, voided ones among them; not those whose outcome never
    /// became known and that were taken back.
    public var authorized: Money
    public var captured: Money
    public var refunded: Money
    /// Authorizations that the merchant voided.
    public var voided: Money
    /// What final captures gave back, and what was left of authorizations when something came after their hold.
    public var released: Money

    public init(authorized: Money, captured: Money, refunded: Money, voided: Money, released: Money) {
        self.authorized = authorized
        self.captured = captured
        self.refunded = refunded
        self.voided = voided
        self.released = released
    }

    /// What is still held on cards.
    public var held: Money { self.authorized - self.captured - self.voided - self.released }
}
