//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
@_spi(Administration) import Gateway
import Payments
import Redaction
import TestGateway
import Testing
import Time

/// Two people, a live merchant, and what he needs a second person for.
struct ApprovalBench: Sendable {
    static let alice = Approval.Party(identities: ["per_alice", "alice"], actor: "alice from 192.0.2.1")
    static let bob = Approval.Party(identities: ["per_bob", "bob"], actor: "bob from 192.0.2.2")
    static let carol = Approval.Party(identities: ["per_carol", "carol"], actor: "carol from 192.0.2.3")

    let test: TestGateway
    let merchant: Merchant
    let account: AcquirerAccount

    var administration: Administration { self.test.gateway.administration.acting(as: Self.bob.actor) }

    static func open(
        _ policy: ApprovalPolicy = ApprovalPolicy(liveCredentials: true, routes: true),
        store: (any PaymentStore)? = nil
    ) async throws -> ApprovalBench {
        let test = try await TestGateway.open(store: store)
        let administration = test.gateway.administration
        let merchant = try await administration.createMerchant(
            name: "live", displayName: "Live", mode: .live, countryCode: "CA")
        let connector = try #require(administration.connectors.first)
        let account = try await administration.addAcquirerAccount(
            AcquirerAccountDraft(name: "bank", connector: connector.name), to: merchant.id)
        try await administration.setApprovalPolicy(policy)
        return ApprovalBench(test: test, merchant: merchant, account: account)
    }

    /// Something that alice has asked for.
    func ask(_ key: String = "k", by party: Approval.Party = Self.alice) async throws -> Approval {
        try await self.administration.acting(as: party.actor).askForApproval(
            ApprovalDraft(
                kind: .route, operation: "setRoutes", merchantID: self.merchant.id, summary: "Set the routes.",
                askKey: key, act: Redacted("{\"secret\":\"swordfish\"}")), by: party)
    }

    /// What is asked for, approved by somebody: the routes are set.
    func approve(_ id: ApprovalID, by party: Approval.Party = Self.bob) async throws {
        try await self.administration.acting(as: party.actor)
            .by(Authority(.approval(ApprovalDecision(id, by: party))))
            .setRoutes(of: self.merchant.id, to: [Route(number: 1, account: self.account.id)])
    }

    func approval(_ id: ApprovalID) async throws -> Approval {
        try #require(try await self.test.store.read { try $0.approval(id) })
    }

    /// Changes one past the rules, as a process leaves it that ends in the middle.
    func change(_ id: ApprovalID, _ change: @escaping @Sendable (inout Approval) -> Void) async throws {
        let now = self.test.clock.now
        try await self.test.store.write { transaction in
            guard var approval = try transaction.approval(id) else { return }
            change(&approval)
            approval.decidedAt = now
            try transaction.update(approval)
        }
    }

    /// So many that wait and so many that are done, asked for later than one.
    func addMany(_ count: Int, after first: Approval) async throws {
        let gateway = self.test.gateway
        self.test.clock.advance(seconds: 1)
        try await self.test.store.write { transaction in
            for number in 0..<count {
                for state in [Approval.State.waiting, .approved] {
                    let isDone = state == .approved
                    try transaction.insert(
                        Approval(
                            id: gateway.makeID(), kind: .route, operation: "setRoutes", merchantID: first.merchantID,
                            summary: "Set the routes.", askedBy: first.askedBy, askKey: "\(state) \(number)",
                            askedAt: first.askedAt, endsAt: first.endsAt, state: state,
                            decidedBy: isDone ? Self.bob : nil, decidedAt: isDone ? first.askedAt : nil,
                            outcome: isDone ? Approval.Outcome(code: Approval.Outcome.done) : nil))
                }
            }
        }
    }

    func routesCount() async throws -> Int { try await self.administration.routes(of: self.merchant.id).count }

    static func code(_ body: () async throws -> Void) async throws -> AdministrationError.Code? {
        do {
            try await body()
            return nil
        } catch let error as AdministrationError {
            return error.code
        }
    }

    func acts() async throws -> [String] {
        try await self.test.store.read { reader in
            try reader.auditEntries(after: 0, limit: 1000).map(\.act.name).filter { $0.hasPrefix("approval.") }
        }
    }
}
