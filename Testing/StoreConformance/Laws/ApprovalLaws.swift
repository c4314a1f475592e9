//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Time

extension Fixtures {
    func approval(
        of merchant: MerchantID? = nil, payment: PaymentID? = nil, key: String? = nil, state: Approval.State = .waiting
    ) -> Approval {
        Approval(
            id: self.id(), kind: .route, operation: "setRoutes", merchantID: merchant, paymentID: payment,
            summary: "Set two routes",
            askedBy: Approval.Party(identities: ["alice"], actor: "alice"), askKey: key ?? "key \(self.number())",
            askedAt: self.time(), endsAt: self.time(), state: state)
    }
}

/// What waits for a second person, and merchants' domains.
extension Trial {
    func approvalsRoundTrip() async throws {
        let full = Approval(
            id: self.make.id(), kind: .refund, operation: "refundPayment", merchantID: self.make.id(),
            paymentID: self.make.id(), amount: try self.make.money(Int64.max), summary: "Café “€”", reason: "",
            askedBy: Approval.Party(identities: ["per_1", "alice", "alice@db1"], actor: "alice from ::1"),
            askKey: "k", askedAt: self.make.time(), endsAt: self.make.time(), state: .failed,
            decidedBy: Approval.Party(identities: [], actor: ""), decidedAt: self.make.time(), decisionReason: "no",
            outcome: Approval.Outcome(code: "act_not_possible", detail: "d", operationID: self.make.id()))
        let bare = self.make.approval()
        try await self.store.write { transaction in
            for approval in [full, bare] { try transaction.insert(approval) }
        }
        for approval in [full, bare] {
            try await self.expectStored(approval, "an approval") { try $0.approval(approval.id) }
            try await self.expectStored(approval, "an approval by its key") {
                try $0.approval(askedUnder: approval.askKey)
            }
        }
        try await self.expectRefusal(.duplicate("approval id"), "a second approval of an id") { try $0.insert(bare) }
        // What is asked for is not written again, whatever is handed in.
        let handedIn = Approval(
            id: bare.id, kind: .policy, operation: "other", merchantID: self.make.id(), summary: "other",
            askedBy: Approval.Party(identities: ["bob"], actor: "bob"), askKey: "other", askedAt: self.make.time(),
            endsAt: self.make.time(), state: .approved,
            decidedBy: Approval.Party(identities: ["bob"], actor: "bob"), decidedAt: self.make.time(),
            outcome: Approval.Outcome(code: Approval.Outcome.done))
        var wanted = bare
        (wanted.state, wanted.decidedBy, wanted.decidedAt) = (.approved, handedIn.decidedBy, handedIn.decidedAt)
        wanted.outcome = handedIn.outcome
        try await self.store.write { try $0.update(handedIn) }
        try await self.expectStored(wanted, "an approval after its decision") { try $0.approval(bare.id) }
        let unknown = self.make.approval()
        try await self.expectRefusal(.corrupt("approvals.id"), "a decision of no approval") { try $0.update(unknown) }
        let nothing = try await self.store.read { reader in
            (try reader.approval(self.make.id()), try reader.approval(askedUnder: "other"))
        }
        try self.expect(nothing.0 == nil && nothing.1 == nil, "an approval is found by another name")
        // The newest of those under a key.
        let again = self.make.approval(key: "k")
        try await self.store.write { try $0.insert(again) }
        try await self.expectStored(again, "the newest under a key") { try $0.approval(askedUnder: "k") }
    }

    func approvalQueriesFilterAndPage() async throws {
        let (one, other): (MerchantID, MerchantID) = (self.make.id(), self.make.id())
        let payment: PaymentID = self.make.id()
        let all = [
            self.make.approval(of: one, payment: payment), self.make.approval(of: other, state: .rejected),
            self.make.approval(), self.make.approval(of: one, state: .approved),
            self.make.approval(of: other, payment: payment),
        ]
        try await self.store.write { transaction in for approval in all { try transaction.insert(approval) } }
        let queries = [
            ApprovalQuery(), ApprovalQuery(limit: 2), ApprovalQuery(limit: 0), ApprovalQuery(states: [.waiting]),
            ApprovalQuery(states: [.approved, .rejected]), ApprovalQuery(merchants: [one]),
            ApprovalQuery(merchants: [one, other]), ApprovalQuery(merchants: []),
            ApprovalQuery(states: [.waiting], merchants: [other], before: all[4].id),
            ApprovalQuery(before: all[3].id, limit: 2), ApprovalQuery(paymentID: payment),
            ApprovalQuery(merchants: [one], paymentID: payment), ApprovalQuery(paymentID: self.make.id()),
        ]
        for query in queries {
            let wanted = Array(all.reversed().filter(query.fits).prefix(query.limit))
            try await self.expectStored(wanted, "approvals of \(query)") { try $0.approvals(query) }
        }
        try await self.approvalsAreFoundByWhatIsKept(of: all)
    }

    private func approvalsAreFoundByWhatIsKept(of all: [Approval]) async throws {
        let content = SealedBytes(keyID: "k", box: self.make.bytes(9))
        try await self.store.write { transaction in
            for approval in [all[0], all[1], all[4]] {
                try transaction.upsert(ApprovalContent(approvalID: approval.id, part: .act, content: content))
            }
            for approval in [all[1], all[3]] {
                try transaction.upsert(ApprovalContent(approvalID: approval.id, part: .result, content: content))
            }
        }
        let wanted: [(ApprovalQuery, [Approval])] = [
            (ApprovalQuery(part: .act), [all[4], all[1], all[0]]),
            (ApprovalQuery(part: .result), [all[3], all[1]]),
            (ApprovalQuery(states: [.waiting], part: .act), [all[4], all[0]]),
            (ApprovalQuery(states: [.waiting], part: .act, before: all[4].id), [all[0]]),
            (ApprovalQuery(part: .act, limit: 1), [all[4]]),
            (ApprovalQuery(states: [.waiting], paymentID: all[4].paymentID, part: .act), [all[4], all[0]]),
        ]
        for (query, approvals) in wanted {
            try await self.expectStored(approvals, "approvals of \(query)") { try $0.approvals(query) }
        }
    }

    func approvalContentsRoundTrip() async throws {
        let approval = self.make.approval()
        let act = ApprovalContent(
            approvalID: approval.id, part: .act, content: SealedBytes(keyID: "k", box: self.make.bytes(9)))
        let result = ApprovalContent(
            approvalID: approval.id, part: .result, content: SealedBytes(keyID: "k", box: []))
        try await self.store.write { transaction in
            try transaction.upsert(act)
            try transaction.insert(approval)
            try transaction.upsert(ApprovalContent(approvalID: approval.id, part: .result, content: act.content))
            try transaction.upsert(result)
        }
        try await self.expectStored(act, "an act") { try $0.approvalContent(.act, of: approval.id) }
        try await self.expectStored(result, "a result") { try $0.approvalContent(.result, of: approval.id) }
        try await self.store.write { try $0.deleteApprovalContent(.act, of: approval.id) }
        let deleted = try await self.store.read { try $0.approvalContent(.act, of: approval.id) }
        try self.expect(deleted == nil, "a deleted act is found")
        try await self.expectStored(result, "a result") { try $0.approvalContent(.result, of: approval.id) }
    }

    func approvalPoliciesRoundTrip() async throws {
        let merchant: MerchantID = self.make.id()
        let currency = try self.make.money(1).currency
        let house = ApprovalPolicy(refundsAbove: [currency: 0], liveCredentials: true)
        var own = ApprovalPolicy(merchantID: merchant, aboveOwnLimit: true, routes: true)
        let first = own
        try await self.store.write { transaction in
            try transaction.upsert(first)
            try transaction.upsert(house)
        }
        try await self.expectStored([house, own], "policies, the house's first") { try $0.approvalPolicies() }
        own.refundsAbove = [:]
        own.aboveOwnLimit = false
        let second = own
        try await self.store.write { try $0.upsert(second) }
        try await self.expectStored([house, own], "policies after a change") { try $0.approvalPolicies() }
    }

    /// Of many who decide one approval, one finds it waiting.
    func approvalsAreDecidedOnce() async throws {
        let approval = self.make.approval()
        try await self.store.write { try $0.insert(approval) }
        let store = self.store
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<10 {
                group.addTask {
                    try await store.write { transaction in
                        guard var found = try transaction.approval(approval.id), found.state == .waiting else {
                            return 0
                        }
                        found.state = .approved
                        found.decidedBy = Approval.Party(identities: ["\(number)"], actor: "\(number)")
                        try transaction.update(found)
                        return 1
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        try self.expectEqual(counts, 1, "decisions of one approval")
    }

    /// Of many who ask under one key, one asks.
    func approvalsAreAskedForOnce() async throws {
        let approvals = (0..<10).map { _ in self.make.approval(key: "one key") }
        let store = self.store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for approval in approvals {
                group.addTask {
                    try await store.write { transaction in
                        guard try transaction.approval(askedUnder: "one key") == nil else { return }
                        try transaction.insert(approval)
                    }
                }
            }
            try await group.waitForAll()
        }
        try await self.expectStored(1, "approvals asked for under one key") {
            try $0.approvals(ApprovalQuery()).count
        }
    }

    func domainsRoundTrip() async throws {
        let (one, other) = (try await self.storedMerchant(), try await self.storedMerchant())
        func domain(_ merchant: Merchant, _ name: String, _ check: MerchantDomain.Check? = nil) -> MerchantDomain {
            MerchantDomain(
                merchantID: merchant.id, name: name, file: "file of \(name) “é”\n", registeredAt: self.make.time(),
                check: check)
        }
        let good = MerchantDomain.Check(at: self.make.time(), isGood: true, code: "domain_served", text: "")
        let bad = MerchantDomain.Check(
            at: self.make.time(), isGood: false, code: "domain_redirects", text: "It redirects.", advice: "Do not.")
        let all = [domain(one, "a.example", good), domain(one, "b.example", bad), domain(other, "a.example")]
        try await self.store.write { transaction in for domain in all.reversed() { try transaction.upsert(domain) } }
        try await self.expectStored(Array(all[...1]), "a merchant's domains") { try $0.domains(of: one.id) }
        let byName = [all[0], all[2]].sorted { $0.merchantID < $1.merchantID }
        try await self.expectStored(byName, "registrations of a domain") { try $0.domains(named: "a.example") }
        try await self.expectStored(byName + [all[1]], "all domains") { try $0.domains(of: nil) }
        try await self.expectStored([], "registrations of another domain") { try $0.domains(named: "c.example") }
        let renewed = domain(one, "a.example")
        try await self.store.write { transaction in
            try transaction.upsert(renewed)
            try transaction.deleteDomain(named: "b.example", of: one.id)
            try transaction.deleteDomain(named: "b.example", of: other.id)
        }
        try await self.expectStored([renewed], "domains after a change") { try $0.domains(of: one.id) }
        try await self.expectStored([all[2]], "domains of another") { try $0.domains(of: other.id) }
    }

    /// Of many merchants who register one domain with files of their own, one does.
    func domainsAreRegisteredOneAfterTheOther() async throws {
        var merchants: [Merchant] = []
        for _ in 0..<6 { merchants.append(try await self.storedMerchant()) }
        let now = self.make.time()
        let store = self.store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for merchant in merchants {
                group.addTask {
                    try await store.write { transaction in
                        guard try transaction.domains(named: "a.example").isEmpty else { return }
                        try transaction.upsert(
                            MerchantDomain(
                                merchantID: merchant.id, name: "a.example", file: merchant.name, registeredAt: now))
                    }
                }
            }
            try await group.waitForAll()
        }
        try await self.expectStored(1, "registrations of one domain") { try $0.domains(named: "a.example").count }
    }
}
