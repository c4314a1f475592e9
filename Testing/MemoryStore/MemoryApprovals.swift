//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// What waits for a second person, what needs one, and merchants' domains.
extension MemoryReading {
    func approval(_ id: ApprovalID) throws -> Approval? { self.state.approvals[id] }

    func approval(askedUnder key: String) throws -> Approval? {
        self.state.approvals.values.filter { $0.askKey == key }.max { $0.id < $1.id }
    }

    func approvals(_ query: ApprovalQuery) throws -> [Approval] {
        let found = self.state.approvals.values.filter { approval in
            let isKept = query.part.map { self.state.approvalContents[.init(approvalID: approval.id, part: $0)] != nil }
            return query.fits(approval) && isKept ?? true
        }
        return Array(found.sorted { $0.id > $1.id }.prefix(max(0, query.limit)))
    }

    func approvalContent(_ part: ApprovalContent.Part, of approval: ApprovalID) throws -> ApprovalContent? {
        self.state.approvalContents[MemoryState.ApprovalPart(approvalID: approval, part: part)]
    }

    func approvalPolicies() throws -> [ApprovalPolicy] {
        self.state.approvalPolicies.values.sorted { ($0.merchantID?.text ?? "") < ($1.merchantID?.text ?? "") }
    }

    func domains(of merchant: MerchantID?) throws -> [MerchantDomain] {
        self.state.domains.values.filter { domain in merchant.map { $0 == domain.merchantID } ?? true }
            .sorted { ($0.name, $0.merchantID) < ($1.name, $1.merchantID) }
    }

    func domains(named name: String) throws -> [MerchantDomain] {
        self.state.domains.values.filter { $0.name == name }.sorted { $0.merchantID < $1.merchantID }
    }
}

extension MemoryTransaction {
    func insert(_ approval: Approval) throws {
        guard self.state.approvals[approval.id] == nil else { throw StoreError.duplicate("approval id") }
        self.put(approval, approval.id, in: \.approvals)
    }

    func update(_ approval: Approval) throws {
        guard var stored = self.state.approvals[approval.id] else { throw StoreError.corrupt("approvals.id") }
        stored.state = approval.state
        stored.decidedBy = approval.decidedBy
        stored.decidedAt = approval.decidedAt
        stored.decisionReason = approval.decisionReason
        stored.outcome = approval.outcome
        self.put(stored, approval.id, in: \.approvals)
    }

    func upsert(_ content: ApprovalContent) throws {
        self.refer(to: content.approvalID, in: \.approvals)
        let key = MemoryState.ApprovalPart(approvalID: content.approvalID, part: content.part)
        self.put(content, key, in: \.approvalContents)
    }

    func deleteApprovalContent(_ part: ApprovalContent.Part, of approval: ApprovalID) throws {
        self.put(nil, MemoryState.ApprovalPart(approvalID: approval, part: part), in: \.approvalContents)
    }

    func upsert(_ policy: ApprovalPolicy) throws {
        self.put(policy, policy.merchantID?.text ?? "", in: \.approvalPolicies)
    }

    func upsert(_ domain: MerchantDomain) throws {
        self.refer(to: domain.merchantID, in: \.merchants)
        let key = MemoryState.DomainKey(merchantID: domain.merchantID, name: domain.name)
        self.put(domain, key, in: \.domains)
    }

    func deleteDomain(named name: String, of merchant: MerchantID) throws {
        self.put(nil, MemoryState.DomainKey(merchantID: merchant, name: name), in: \.domains)
    }
}
