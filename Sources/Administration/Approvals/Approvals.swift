//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Money
public import Payments
public import Redaction
import Time

/// What is asked of a second person.
public struct ApprovalDraft: Sendable {
    public var kind: Approval.Kind
    /// The API's name of what is asked for.
    public var operation: String
    public var merchantID: MerchantID?
    public var paymentID: PaymentID?
    public var amount: Money?
    /// In a sentence, without secrets.
    public var summary: String
    public var reason: String?
    /// Who asks again under the same one gets the approval that there is.
    public var askKey: String
    /// Whether that holds after it is decided, too.
    public var keepsKey: Bool
    /// The act, with all that it takes.
    public var act: Redacted<String>

    public init(
        kind: Approval.Kind, operation: String, merchantID: MerchantID? = nil, paymentID: PaymentID? = nil,
        amount: Money? = nil, summary: String, reason: String? = nil, askKey: String, keepsKey: Bool = false,
        act: Redacted<String>
    ) {
        self.kind = kind
        self.operation = operation
        self.merchantID = merchantID
        self.paymentID = paymentID
        self.amount = amount
        self.summary = summary
        self.reason = reason
        self.askKey = askKey
        self.keepsKey = keepsKey
        self.act = act
    }
}

/// What waits for a second person. Every step is one commit, and stands in the audit log.
extension Administration {
    /// Asks for a second person. Nothing is done of the act.
    ///
    /// - Throws: ``AdministrationError`` `approval_key_used` where another act was asked for under the key; `StoreError`.
    public func askForApproval(_ draft: ApprovalDraft, by party: Approval.Party) async throws -> Approval {
        let (id, now): (ApprovalID, _) = (self.gateway.makeID(), self.gateway.now())
        let asked = Approval(
            id: id, kind: draft.kind, operation: draft.operation, merchantID: draft.merchantID,
            paymentID: draft.paymentID, amount: draft.amount, summary: draft.summary, reason: draft.reason,
            askedBy: party, askKey: draft.askKey, askedAt: now,
            endsAt: now.adding(seconds: self.gateway.settings.approvalSeconds))
        return try await self.gateway.administer(Self.draft(.approvalAsk, of: asked)) { transaction, entry in
            if let earlier = try transaction.approval(askedUnder: draft.askKey),
                draft.keepsKey || (earlier.state == .waiting && now < earlier.endsAt)
            {
                guard earlier.operation == asked.operation, earlier.paymentID == asked.paymentID,
                    earlier.amount == asked.amount, earlier.merchantID == asked.merchantID
                else {
                    throw AdministrationError(
                        .approvalKeyUsed, "The key was used for another act or another amount. Use a new one.")
                }
                entry.isNothing = true
                return earlier
            }
            if let merchant = asked.merchantID {
                entry.details["merchant"] = try Self.merchant(merchant, in: transaction).name
            }
            try transaction.insert(asked)
            try self.keep(draft.act, .act, of: id, in: transaction)
            return asked
        }
    }

    /// Says that it is not to be done.
    ///
    /// - Throws: ``AdministrationError`` `approval_unknown`, `approval_decided`, `approval_expired`,
    ///   `approval_of_own_act`; `StoreError`.
    @discardableResult
    public func reject(_ decision: ApprovalDecision) async throws -> Approval {
        try await self.end(decision, as: .rejected, .approvalReject) { approval throws(AdministrationError) in
            guard !approval.askedBy.isSame(as: decision.party) else {
                throw AdministrationError(
                    .approvalOfOwnAct, "Nobody decides what he has asked for himself. Withdraw it instead.")
            }
        }
    }

    /// Takes back what one has asked for.
    ///
    /// - Throws: ``AdministrationError`` `approval_unknown`, `approval_decided`, `approval_expired`, `approval_not_yours`;
    ///   `StoreError`.
    @discardableResult
    public func withdraw(_ decision: ApprovalDecision) async throws -> Approval {
        try await self.end(decision, as: .withdrawn, .approvalWithdraw) { approval throws(AdministrationError) in
            guard approval.askedBy.isSame(as: decision.party) else { throw Self.notYours }
        }
    }

    /// Says that an act could not be done any more when it was approved.
    ///
    /// - Parameters:
    ///   - code: why, by its stable name.
    ///   - detail: in a sentence.
    /// - Throws: as ``reject(_:)``.
    @discardableResult
    public func fail(_ decision: ApprovalDecision, code: String, detail: String) async throws -> Approval {
        try await self.end(
            decision, as: .failed, .approvalFail, Approval.Outcome(code: code, detail: detail)
        ) { approval throws(AdministrationError) in
            guard !approval.askedBy.isSame(as: decision.party) else {
                throw AdministrationError(.approvalOfOwnAct, "Nobody decides what he has asked for himself.")
            }
        }
    }

    private func end(
        _ decision: ApprovalDecision, as state: Approval.State, _ act: AuditAct, _ outcome: Approval.Outcome? = nil,
        _ check: @escaping @Sendable (Approval) throws(AdministrationError) -> Void
    ) async throws -> Approval {
        let now = self.gateway.now()
        return try await self.gateway.administer(AuditDraft(act, decision.id.text)) { transaction, entry in
            var approval = try Self.approval(decision.id, in: transaction)
            try self.checkWaiting(approval)
            try check(approval)
            approval.decide(state, decision, at: now)
            approval.outcome = outcome
            try transaction.update(approval)
            try transaction.deleteApprovalContent(.act, of: approval.id)
            entry.details = Self.draft(act, of: approval).details
            return approval
        }
    }

    /// Ends what nobody has decided in time, and forgets results that nobody has collected as long again.
    ///
    /// - Returns: how many have ended.
    /// - Throws: `StoreError`.
    @discardableResult
    public func expireApprovals() async throws -> Int {
        let now = self.gateway.now()
        guard try await self.gateway.mayActByTime() else { return 0 }
        let waiting = try await self.allApprovals(ApprovalQuery(states: [.waiting]))
        var count = 0
        for late in waiting where late.endsAt <= now {
            count += try await self.gateway.administer(AuditDraft(.approvalExpire, late.id.text)) {
                transaction, entry in
                var approval = try Self.approval(late.id, in: transaction)
                entry.isNothing = approval.state != .waiting
                guard approval.state == .waiting else { return 0 }
                approval.decide(.expired, nil, at: now)
                try transaction.update(approval)
                try transaction.deleteApprovalContent(.act, of: approval.id)
                entry.details = Self.draft(.approvalExpire, of: approval).details
                return 1
            }
        }
        let oldest = now.adding(seconds: -self.gateway.settings.approvalSeconds)
        let left = try await self.allApprovals(ApprovalQuery(states: [.approved], part: .result))
        for done in left where done.outcome != nil && done.decidedAt ?? now <= oldest {
            try await self.gateway.store.write { try $0.deleteApprovalContent(.result, of: done.id) }
        }
        return count
    }

    /// All approvals that fit, however many, newest first. Each page is a read of its own, so that nothing waits for the
    /// whole.
    ///
    /// - Parameter query: its limit counts for nothing.
    /// - Throws: `StoreError`.
    public func allApprovals(_ query: ApprovalQuery) async throws -> [Approval] {
        var query = query
        query.limit = Self.reportPageCount
        var all: [Approval] = []
        while true {
            let asked = query
            let page = try await self.read { try $0.approvals(asked) }
            all += page
            query.before = page.last?.id
            guard page.count == Self.reportPageCount else { return all }
        }
    }

    // MARK: - Contents

    /// What was asked for.
    ///
    /// - Returns: `nil` once that is decided and done.
    /// - Throws: ``VaultError``, `StoreError`.
    public func act(of approval: ApprovalID) async throws -> Redacted<String>? {
        try await self.content(.act, of: approval)
    }

    func content(_ part: ApprovalContent.Part, of approval: ApprovalID) async throws -> Redacted<String>? {
        try await self.gateway.withFreshKeys {
            try await self.read { reader in
                try reader.approvalContent(part, of: approval).map {
                    try self.gateway.open($0.content, of: .approvalContent(approval, part))
                }
            }
        }
    }

    private func keep(
        _ content: Redacted<String>, _ part: ApprovalContent.Part, of approval: ApprovalID,
        in transaction: any StoreTransaction
    ) throws {
        let sealed = try self.gateway.seal(content, for: .approvalContent(approval, part), in: transaction)
        try transaction.upsert(ApprovalContent(approvalID: approval, part: part, content: sealed))
    }

    /// Keeps what an act has answered that shows secrets once, for whoever has asked for it.
    ///
    /// - Throws: `StoreError`.
    public func keepResult(_ result: Redacted<String>, of approval: ApprovalID) async throws {
        try await self.gateway.withFreshKeys {
            try await self.gateway.store.write { try self.keep(result, .result, of: approval, in: $0) }
        }
    }

    /// Whether there is something to collect.
    public func hasResult(_ approval: ApprovalID) async throws -> Bool {
        try await self.read { try $0.approvalContent(.result, of: approval) != nil }
    }

    /// Hands out what an act has answered, once, to whoever has asked for it.
    ///
    /// - Throws: ``AdministrationError`` `approval_unknown`, `approval_not_yours`, `approval_result_gone`; ``VaultError``,
    ///   `StoreError`.
    public func collectResult(of id: ApprovalID, by party: Approval.Party) async throws -> Redacted<String> {
        try await self.gateway.administer(AuditDraft(.approvalCollect, id.text)) { transaction, entry in
            let approval = try Self.approval(id, in: transaction)
            guard approval.askedBy.isSame(as: party) else { throw Self.notYours }
            guard let content = try transaction.approvalContent(.result, of: id) else {
                throw AdministrationError(
                    .approvalResultGone,
                    "There is nothing to collect, or it was collected. A credential can be rotated.")
            }
            try transaction.deleteApprovalContent(.result, of: id)
            entry.details = Self.draft(.approvalCollect, of: approval).details
            return try self.gateway.open(content.content, of: .approvalContent(id, .result))
        }
    }

    private static var notYours: AdministrationError {
        AdministrationError(.approvalNotYours, "That is for whoever has asked for it.")
    }
}
