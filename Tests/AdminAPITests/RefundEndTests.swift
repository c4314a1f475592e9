//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import HTTPTypes
import Payments
import StrictJSON
import TestGateway
import Testing

@testable import AdminAPI

/// What an approved refund has come to is what its acquirer says, and not that somebody has approved it.
@Suite struct RefundEndTests {
    /// Approves a refund of an amount that the simulator has an end of its own for.
    private static func approved(
        _ amount: String
    ) async throws -> (bench: ApprovalBench, approval: JSON, payment: JSON) {
        let bench = try await ApprovalBench.open(ApprovalPolicy(refundsAbove: [:]))
        let payment = try await Till.open(bench.desk).pay(100_00, "p", purpose: .sale)
        let id = try bench.asked(
            try await bench.desk.call(
                .post, "/payments/\(payment.id)/refund", ["amount": .string(amount)], token: bench.alice, key: "r"))
        let approval = try await bench.approve(id).json
        return (bench, approval, try await bench.desk.expect(200, .get, "/payments/\(payment.id)").json)
    }

    @Test func aDeclinedRefundHasFailedAndSaysWhy() async throws {
        let (bench, approval, payment) = try await Self.approved("57.57")
        let outcome = try #require(approval["outcome"])
        #expect(approval["state"] == "failed" && outcome["code"] == "declined", "\(approval.text())")
        #expect(outcome["detail"]?.string?.contains("do not honor") == true)
        let operation = try #require(payment["operations"]?.array?.last)
        #expect(operation["kind"] == "refund" && operation["state"] == "failed")
        #expect(outcome["operation"] == operation["id"] && payment["refunded"] == "0.00")
        #expect(outcome["state"] == "failed" && outcome["failure"] == "doNotHonor")
        // It is over: nothing finishes it again, and the log says so.
        bench.desk.test.clock.advance(seconds: 60)
        #expect(try await bench.desk.administration.finishApprovedRefunds(plans: Desk.plans) == 0)
        let entries = try await bench.desk.test.store.read { try $0.auditEntries(after: 0, limit: 100) }
        let end = try #require(entries.last { $0.act.name.hasPrefix("approval.") })
        #expect(end.act == .approvalFail && end.details["outcome"] == "declined")
    }

    /// Of "63.63" nobody will ever know; the answer to "58.58" is lost.
    @Test(arguments: ["63.63", "58.58"]) func whatNobodyKnowsYetIsNotDone(_ amount: String) async throws {
        let (_, approval, _) = try await Self.approved(amount)
        let outcome = try #require(approval["outcome"])
        #expect(approval["state"] == "approved" && outcome["code"] == "unknown", "\(approval.text())")
        #expect(outcome["detail"]?.string?.contains("not known yet") == true && outcome["state"] == "unknown")
    }

    /// The list shows what is known by now.
    @Test func theOutcomeHasTheOperationsStateAsItIsNow() async throws {
        let (bench, approval, payment) = try await Self.approved("63.63")
        let id = try #require(payment["id"]?.string)
        let operation = try #require(approval["outcome"]?["operation"]?.string)
        // As long as its answer may be on its way nobody decides.
        bench.desk.test.clock.advance(seconds: 600)
        try await bench.desk.expect(
            200, .post, "/payments/\(id)/operations/\(operation)/resolve", ["outcome": "failed", "reason": "asked"],
            key: "resolve")
        let now = try await bench.desk.expect(200, .get, "/approvals").json["data"]?.array?.first?["outcome"]
        #expect(now?["code"] == "unknown" && now?["state"] == "failed", "\(now?.text() ?? "")")
    }

    @Test func whatIsDoneSaysSo() async throws {
        let (_, approval, payment) = try await Self.approved("20.00")
        #expect(approval["state"] == "approved" && approval["outcome"]?["code"] == "done", "\(approval.text())")
        #expect(approval["outcome"]?["state"] == "succeeded" && payment["refunded"] == "20.00")
    }
}
