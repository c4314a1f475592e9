//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What waits for a second person, what needs one, and merchants' domains.
public protocol ApprovalReading {
    /// In a body of `write`, nobody else decides it until that has ended.
    func approval(_ id: ApprovalID) throws -> Approval?
    /// The newest of those that were asked for under a key. In a body of `write`, nobody else asks under it until that
    /// has ended.
    func approval(askedUnder key: String) throws -> Approval?
    /// Approvals that fit, newest first.
    func approvals(_ query: ApprovalQuery) throws -> [Approval]
    func approvalContent(_ part: ApprovalContent.Part, of approval: ApprovalID) throws -> ApprovalContent?
    /// The house's first, then those of merchants by their ids. In a body of `write`, nobody else changes one until that
    /// has ended.
    func approvalPolicies() throws -> [ApprovalPolicy]

    /// A merchant's domains, by their names; of all merchants for `nil`.
    func domains(of merchant: MerchantID?) throws -> [MerchantDomain]
    /// The registrations of one domain, by merchants. In a body of `write`, nobody else registers it until that has ended.
    func domains(named name: String) throws -> [MerchantDomain]
}

public struct ApprovalQuery: Hashable, Sendable {
    /// Empty for all.
    public var states: Set<Approval.State>
    /// Only these merchants'; `nil` for all, and what is the house's.
    public var merchants: Set<MerchantID>?
    /// Only those of acts on this payment.
    public var paymentID: PaymentID?
    /// Only those of which this part is kept: the act of what is not decided or not done yet, a result that nobody has
    /// collected. They stay few, however many approvals there have been.
    public var part: ApprovalContent.Part?
    /// Only what is older than that: the last of the page before.
    public var before: ApprovalID?
    public var limit: Int

    public init(
        states: Set<Approval.State> = [], merchants: Set<MerchantID>? = nil, paymentID: PaymentID? = nil,
        part: ApprovalContent.Part? = nil, before: ApprovalID? = nil, limit: Int = 100
    ) {
        self.states = states
        self.merchants = merchants
        self.paymentID = paymentID
        self.part = part
        self.before = before
        self.limit = limit
    }

    /// Whether an approval is one of those, whatever the limit and whatever parts of it are kept.
    public func fits(_ approval: Approval) -> Bool {
        if !self.states.isEmpty, !self.states.contains(approval.state) { return false }
        if let merchants, approval.merchantID.map({ merchants.contains($0) }) != true { return false }
        if let paymentID, approval.paymentID != paymentID { return false }
        return self.before.map { approval.id < $0 } ?? true
    }
}
