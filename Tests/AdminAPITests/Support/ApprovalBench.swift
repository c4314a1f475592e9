//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import HTTPTypes
import Money
import Payments
import Redaction
import StrictJSON
import TestGateway
import Testing

@testable import AdminAPI

/// The desk with a live merchant, a policy, and tokens of two people.
struct ApprovalBench {
    let desk: Desk
    let alice: String
    let bob: String

    static func open(
        _ policy: ApprovalPolicy = ApprovalPolicy(), connector: (any Connector)? = nil
    ) async throws -> ApprovalBench {
        let desk = try await Desk.open(connector: connector)
        try await desk.expect(
            201, .post, "/merchants",
            ["name": "live", "displayName": "Live", "mode": "live", "countryCode": "DE"], key: "live")
        try await desk.expect(
            201, .post, "/merchants/live/acquirers", ["name": "bank", "connector": "simulator"], key: "bank")
        try await desk.administration.setApprovalPolicy(policy)
        return ApprovalBench(
            desk: desk, alice: try await Self.token("alice", Access(.owner), desk),
            bob: try await Self.token("bob", Access(.owner), desk))
    }

    static func token(_ maker: String, _ access: Access, _ desk: Desk) async throws -> String {
        try await desk.administration.makeAccessToken(
            AccessTokenDraft(name: "of \(maker)", access: access), by: Access(.owner), madeBy: maker
        ).secret.reveal()
    }

    func asked(_ reply: Desk.Reply) throws -> String {
        #expect(reply.status == 202, "\(reply.json.text())")
        let id = try #require(reply.json["approval"]?["id"]?.string)
        #expect(reply.headers[.location] == "/admin/v1/approvals/\(id)")
        #expect(reply.json["approval"]?["state"] == "waiting" && reply.json["approval"]?["mine"] == true)
        return id
    }

    func approve(_ id: String, _ status: Int = 200, token: String? = nil, key: String = "approve") async throws
        -> Desk.Reply
    {
        try await self.desk.expect(
            status, .post, "/approvals/\(id)/approve", [:], token: token ?? self.bob,
            key: "\(key) \(id)".filter { $0 != " " })
    }

    /// Somebody gives 1.00 back past every policy, which leaves less than what was asked for; then that is approved.
    func approveAfterRefund(of payment: Payment, _ id: String) async throws {
        let euro = try #require(Currency.alphabetic("EUR"))
        _ = try await self.desk.administration.by(Authority(.override(reason: "night"))).refund(
            payment.id, amount: Money(minorUnits: 100, currency: euro), key: "o", reason: nil, plans: Desk.plans)
        let failed = try await self.approve(id)
        #expect(failed.json["state"] == "failed" && failed.json["outcome"]?["code"] == "act_not_possible")
        #expect(try await self.desk.expect(200, .get, "/payments/\(payment.id)").json["refunded"] == "1.00")
    }

    /// What the first commit of an approval writes, and nothing after it: the process has ended between.
    func decideAndEnd(_ id: String) async throws {
        let approvalID = try #require(ApprovalID(id))
        let now = self.desk.test.clock.now
        try await self.desk.test.store.write { transaction in
            guard var approval = try transaction.approval(approvalID) else { return }
            approval.state = .approved
            approval.decidedBy = Approval.Party(identities: ["bob"], actor: "token of bob")
            approval.decidedAt = now
            try transaction.update(approval)
        }
    }
}
