//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

/// Something that a merchant is to be notified of. Written in the commit that made it true; its text is rendered when
/// it is sent, from the payment in the version named here, so that every attempt says the same. An operation that came to
/// nothing after it had succeeded has failed: there are events of both.
public struct OutboxEvent: Hashable, Sendable, Identifiable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case authorizationSucceeded
        case authorizationFailed
        case captureSucceeded
        case captureFailed
        case voidSucceeded
        case voidFailed
        case refundSucceeded
        case refundFailed
        case adjustmentSucceeded
        case adjustmentFailed
        case verificationSucceeded
        case verificationFailed
        case chargeback
        /// The bank has given a chargeback up.
        case chargebackReversed
    }

    public enum State: String, Hashable, Sendable, CaseIterable {
        case pending
        case delivered
        /// Every try of the dialect's schedule has failed; only a person sends it again.
        case dead
    }

    public let id: EventID
    public let merchantID: MerchantID
    public let dialect: DialectName
    public let kind: Kind
    public let paymentID: PaymentID
    public let operationID: OperationID
    public let paymentVersion: Int
    /// Where it went last; before its first attempt, where it would have gone when it was written. Where it goes next the
    /// dialect says at each attempt, by the account as it is then.
    public var target: String
    public let createdAt: Timestamp
    public var state: State
    /// Which of the event's messages is sent next, from 0: a dialect may report one event in several, one after the
    /// other.
    public var messageIndex: Int
    /// How often that message has been sent by the dialect's schedule.
    public var attemptsCount: Int
    /// What happened at the last attempt, in a word ("http_503", "timeout"); never a body.
    public var lastResult: String?

    /// What stands for the last attempt where the dialect had no message for the event and nothing was sent.
    public static let noMessageResult = "not_told"

    /// Whether the dialect had no message for it: it is delivered, and nothing was sent.
    public var hasNoMessage: Bool { self.state == .delivered && self.lastResult == Self.noMessageResult }

    public init(
        id: EventID, merchantID: MerchantID, dialect: DialectName, kind: Kind, paymentID: PaymentID,
        operationID: OperationID, paymentVersion: Int, target: String, createdAt: Timestamp, state: State = .pending,
        messageIndex: Int = 0, attemptsCount: Int = 0, lastResult: String? = nil
    ) {
        self.id = id
        self.merchantID = merchantID
        self.dialect = dialect
        self.kind = kind
        self.paymentID = paymentID
        self.operationID = operationID
        self.paymentVersion = paymentVersion
        self.target = target
        self.createdAt = createdAt
        self.state = state
        self.messageIndex = messageIndex
        self.attemptsCount = attemptsCount
        self.lastResult = lastResult
    }
}
