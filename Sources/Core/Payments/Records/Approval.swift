//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Time

public enum ApprovalTag: IdentifierTag { public static let prefix = "apr_" }

public typealias ApprovalID = Identifier<ApprovalTag>

/// An act that somebody has asked for, and that a second person approves before it is done.
public struct Approval: Hashable, Sendable, Identifiable {
    /// Why it needs a second person.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Money goes back to a customer.
        case refund
        /// Accounts and credentials of a live merchant.
        case liveCredentials
        /// Which acquirer account takes a live merchant's payments.
        case route
        /// What needs a second person.
        case policy
    }

    public enum State: String, Hashable, Sendable, CaseIterable {
        case waiting
        /// Somebody has approved it. It is being done while there is no outcome.
        case approved
        case rejected
        /// Whoever asked has taken it back.
        case withdrawn
        /// Nobody has decided in time.
        case expired
        /// It was approved, and could not be done any more, or the acquirer has declined it. Nothing of it was.
        case failed
    }

    /// Somebody who asks or decides.
    public struct Party: Hashable, Sendable {
        /// By what he is known: a person's id and user name, a token's id and its maker, an operator of this machine. Who
        /// shares one of them is the same person.
        public let identities: Set<String>
        /// For people and the audit log: "alice from 192.0.2.7".
        public let actor: String

        public init(identities: Set<String>, actor: String) {
            self.identities = identities
            self.actor = actor
        }

        /// Whether both are one person, as far as that is known.
        public func isSame(as other: Party) -> Bool { !self.identities.isDisjoint(with: other.identities) }
    }

    /// What became of an act that was approved.
    public struct Outcome: Hashable, Sendable {
        /// ``done``, that its end is open, or why it was not done.
        public let code: String
        /// What was wrong, in a sentence.
        public let detail: String?
        /// What the act has begun: a refund, whose end is the operation's.
        public let operationID: OperationID?

        public static let done = "done"

        public init(code: String, detail: String? = nil, operationID: OperationID? = nil) {
            self.code = code
            self.detail = detail
            self.operationID = operationID
        }
    }

    public let id: ApprovalID
    public let kind: Kind
    /// The API's name of what is asked for: "refundPayment".
    public let operation: String
    /// `nil` for what is the house's.
    public let merchantID: MerchantID?
    public let paymentID: PaymentID?
    /// The most that the act moves.
    public let amount: Money?
    /// The act in a sentence, without secrets.
    public let summary: String
    /// Why it was asked for.
    public let reason: String?
    public let askedBy: Party
    /// Who asks again under the same one gets this one.
    public let askKey: String
    public let askedAt: Timestamp
    /// When it can't be approved any more.
    public let endsAt: Timestamp
    public var state: State
    public var decidedBy: Party?
    public var decidedAt: Timestamp?
    public var decisionReason: String?
    public var outcome: Outcome?

    public init(
        id: ApprovalID, kind: Kind, operation: String, merchantID: MerchantID? = nil, paymentID: PaymentID? = nil,
        amount: Money? = nil, summary: String, reason: String? = nil, askedBy: Party, askKey: String,
        askedAt: Timestamp, endsAt: Timestamp, state: State = .waiting, decidedBy: Party? = nil,
        decidedAt: Timestamp? = nil, decisionReason: String? = nil, outcome: Outcome? = nil
    ) {
        self.id = id
        self.kind = kind
        self.operation = operation
        self.merchantID = merchantID
        self.paymentID = paymentID
        self.amount = amount
        self.summary = summary
        self.reason = reason
        self.askedBy = askedBy
        self.askKey = askKey
        self.askedAt = askedAt
        self.endsAt = endsAt
        self.state = state
        self.decidedBy = decidedBy
        self.decidedAt = decidedAt
        self.decisionReason = decisionReason
        self.outcome = outcome
    }

    /// Whether it has been approved, and what it asks for is still to be done.
    public var isUnderWay: Bool { self.state == .approved && self.outcome == nil }
}

/// What of an approval may hold secrets, sealed.
public struct ApprovalContent: Hashable, Sendable {
    public enum Part: String, Hashable, Sendable, CaseIterable {
        /// What is asked for. It goes when that is decided and done.
        case act
        /// What the act has answered, for whoever asked: credentials that are shown once.
        case result
    }

    public let approvalID: ApprovalID
    public let part: Part
    public let content: SealedBytes

    public init(approvalID: ApprovalID, part: Part, content: SealedBytes) {
        self.approvalID = approvalID
        self.part = part
        self.content = content
    }
}

/// What needs a second person.
public struct ApprovalPolicy: Hashable, Sendable {
    /// Whose acts; `nil` for the house's, which counts for all merchants.
    public let merchantID: MerchantID?
    /// The largest refund that one person may do, in minor units: none in a currency that is not named. `nil` where
    /// refunds need nobody.
    public var refundsAbove: [Currency: Int64]?
    /// Whether a refund above a person's own limit waits for somebody whose limit covers it, and is not refused.
    public var aboveOwnLimit: Bool
    /// Accounts and credentials of live merchants.
    public var liveCredentials: Bool
    /// Routes of live merchants.
    public var routes: Bool

    public init(
        merchantID: MerchantID? = nil, refundsAbove: [Currency: Int64]? = nil, aboveOwnLimit: Bool = false,
        liveCredentials: Bool = false, routes: Bool = false
    ) {
        self.merchantID = merchantID
        self.refundsAbove = refundsAbove
        self.aboveOwnLimit = aboveOwnLimit
        self.liveCredentials = liveCredentials
        self.routes = routes
    }

    /// Whether it asks for nothing.
    public var isEmpty: Bool {
        self.refundsAbove == nil && !self.aboveOwnLimit && !self.liveCredentials && !self.routes
    }

    /// Whether one person may refund so much, as far as this policy goes.
    public func allowsRefund(_ amount: Money) -> Bool {
        guard let limits = self.refundsAbove else { return true }
        return limits[amount.currency].map { amount.minorUnits <= $0 } ?? false
    }
}
