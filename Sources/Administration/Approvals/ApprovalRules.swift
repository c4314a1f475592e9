//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
import Money
public import Payments
import Time

extension AuditAct {
    public static let approvalAsk = AuditAct("approval.ask")
    public static let approvalApprove = AuditAct("approval.approve")
    public static let approvalReject = AuditAct("approval.reject")
    public static let approvalWithdraw = AuditAct("approval.withdraw")
    public static let approvalExpire = AuditAct("approval.expire")
    public static let approvalFinish = AuditAct("approval.finish")
    public static let approvalFail = AuditAct("approval.fail")
    public static let approvalCollect = AuditAct("approval.collect")
    public static let approvalPolicy = AuditAct("approval.policy")
}

/// What needs a second person, and who that may be.
extension Administration {
    /// Whether an act needs a second person, by the house's policy and the merchant's: either is enough.
    ///
    /// - Parameter merchant: whose act it is; `nil` for the house's.
    public static func needsApproval(
        _ kind: Approval.Kind, of merchant: Merchant?, in reader: any StoreReader
    ) throws -> Bool {
        let policies = try self.policies(of: merchant?.id, in: reader)
        return switch kind {
        // Which is asked of an amount.
        case .refund: false
        case .liveCredentials: merchant?.mode == .live && policies.contains(where: \.liveCredentials)
        case .route: merchant?.mode == .live && policies.contains(where: \.routes)
        // Else who is held by a policy would end it first.
        case .policy: try reader.approvalPolicies().contains { !$0.isEmpty }
        }
    }

    /// The house's policy and a merchant's.
    static func policies(of merchant: MerchantID?, in reader: any StoreReader) throws -> [ApprovalPolicy] {
        try reader.approvalPolicies().filter { $0.merchantID == nil || $0.merchantID == merchant }
    }

    /// Lets an act go on, within its transaction: because it needs nobody, or is approved by being done now, or because
    /// whoever administers the machine says so.
    ///
    /// - Parameter isChange: whether it changes anything; what does not needs nobody.
    /// - Throws: ``AdministrationError`` `approval_required`, and those of an approval.
    func permit(
        _ kind: Approval.Kind, of merchant: Merchant?, isChange: Bool = true, in transaction: any StoreTransaction,
        _ entry: inout AuditDraft
    ) throws {
        switch self.authority.ground {
        case .approval(let decision):
            try self.take(decision, of: kind, merchant?.id, .finished, in: transaction, &entry)
        case .override(let reason):
            guard isChange, try Self.needsApproval(kind, of: merchant, in: transaction) else { return }
            entry.details["override"] = reason
        case .own:
            guard isChange, try Self.needsApproval(kind, of: merchant, in: transaction) else { return }
            throw AdministrationError(
                .approvalRequired,
                "A second person must approve it: ask for it over the administration's API or portal.")
        }
    }

    /// Approves, within the transaction that does the act or begins it.
    ///
    /// - Parameter outcome: `nil` where the act is still to be done.
    @discardableResult
    func take(
        _ decision: ApprovalDecision, of kind: Approval.Kind, _ merchant: MerchantID?, _ outcome: Approval.Outcome?,
        in transaction: any StoreTransaction, _ entry: inout AuditDraft
    ) throws -> Approval {
        var approval = try Self.approval(decision.id, in: transaction)
        guard approval.kind == kind, approval.merchantID == merchant else { throw Self.unknown(decision.id) }
        try self.checkDecidable(approval, by: decision.party)
        approval.decide(.approved, decision, at: self.gateway.now())
        approval.outcome = outcome
        try transaction.update(approval)
        if outcome != nil { try transaction.deleteApprovalContent(.act, of: approval.id) }
        entry.details["approval"] = approval.id.text
        entry.details["askedBy"] = approval.askedBy.actor
        entry.others.append(Self.draft(.approvalApprove, of: approval))
        return approval
    }

    /// - Throws: ``AdministrationError`` `approval_decided`, `approval_expired`, `approval_of_own_act`,
    ///   `above_refund_limit`.
    public func checkDecidable(_ approval: Approval, by party: Approval.Party) throws(AdministrationError) {
        try self.checkWaiting(approval)
        guard !approval.askedBy.isSame(as: party) else {
            throw AdministrationError(
                .approvalOfOwnAct, "Nobody approves what he has asked for himself. Ask somebody else to look at it.")
        }
        guard approval.amount.map({ self.authority.covers($0) }) ?? true else {
            throw AdministrationError(
                .aboveRefundLimit, "The refund is above what you may refund yourself. Ask somebody who may.")
        }
    }

    func checkWaiting(_ approval: Approval) throws(AdministrationError) {
        switch approval.state {
        case .waiting:
            guard self.gateway.now() < approval.endsAt else { throw Self.expired }
        case .expired: throw Self.expired
        case .approved, .rejected, .withdrawn, .failed:
            throw AdministrationError(
                .approvalDecided,
                "It is decided already: it was \(approval.state.rawValue). Ask for it anew if need be.")
        }
    }

    private static var expired: AdministrationError {
        AdministrationError(.approvalExpired, "Nobody has approved it in time. Ask for it anew.")
    }

    static func approval(_ id: ApprovalID, in reader: any StoreReader) throws -> Approval {
        guard let approval = try reader.approval(id) else { throw self.unknown(id) }
        return approval
    }

    static func unknown(_ id: ApprovalID) -> AdministrationError {
        AdministrationError(.approvalUnknown, "Nobody has asked for an approval with the id \(id).")
    }

    /// The line of the log about one of its steps.
    static func draft(_ act: AuditAct, of approval: Approval) -> AuditDraft {
        var details = ["kind": approval.kind.rawValue, "operation": approval.operation]
        details["askedBy"] = approval.askedBy.actor
        details["amount"] = approval.amount?.description
        details["payment"] = approval.paymentID?.text
        details["reason"] = act == .approvalAsk ? approval.reason : approval.decisionReason
        details["outcome"] = approval.outcome?.code
        return AuditDraft(act, approval.id.text, details)
    }
}

extension Approval {
    mutating func decide(_ state: State, _ decision: ApprovalDecision?, at now: Timestamp) {
        self.state = state
        self.decidedAt = now
        self.decidedBy = decision?.party
        self.decisionReason = decision?.reason
    }
}

extension Approval.Outcome {
    static let finished = Approval.Outcome(code: Approval.Outcome.done)
}
