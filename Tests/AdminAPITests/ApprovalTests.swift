//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import HTTPTypes
import Money
import Payments
import Redaction
import StrictJSON
import TestGateway
import Testing

@testable import AdminAPI

/// What is asked of a second person over HTTP.
@Suite struct ApprovalTests {
    private static var euro: Currency {
        get throws { try #require(Currency.alphabetic("EUR")) }
    }

    // MARK: - Settings

    @Test func routesOfALiveMerchantAreSetByTheSecondPerson() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(routes: true))
        let desk = bench.desk
        let tag = try await desk.expect(200, .get, "/merchants/live/routes").tag
        let body: JSON = ["data": [["number": 1, "acquirer": "bank"]]]
        let reply = try await desk.call(.put, "/merchants/live/routes", body, token: bench.alice, tag: tag)
        let id = try bench.asked(reply)
        // Asked again it is the same.
        let again = try await desk.call(.put, "/merchants/live/routes", body, token: bench.alice, tag: tag)
        #expect(try bench.asked(again) == id)
        #expect(try await desk.expect(200, .get, "/merchants/live/routes").json["data"]?.array?.isEmpty == true)
        let own = try await bench.approve(id, 403, token: bench.alice)
        #expect(own.code == "approval_of_own_act")
        let list = try await desk.expect(200, .get, "/approvals", token: bench.bob, query: "state=waiting")
        #expect(list.json["data"]?.array?.first?["id"]?.string == id)
        #expect(list.json["data"]?.array?.first?["mine"] == false)
        #expect(
            list.json["data"]?.array?.first?["summary"]
                == "Set the routes of live to: number 1, acquirer \"bank\". They are: none.")
        let done = try await bench.approve(id)
        #expect(done.json["state"] == "approved" && done.json["outcome"]?["code"] == "done", "\(done.json.text())")
        #expect(try await desk.expect(200, .get, "/merchants/live/routes").json["data"]?.array?.count == 1)
        // Approving it once more is answered, and does nothing.
        #expect(try await bench.approve(id, key: "more").json["state"] == "approved")
        let carol = try await ApprovalBench.token("carol", Access(.owner), desk)
        #expect(try await bench.approve(id, 409, token: carol).code == "approval_decided")
    }

    @Test func whatHasChangedMeanwhileFails() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(routes: true))
        let desk = bench.desk
        let tag = try await desk.expect(200, .get, "/merchants/live/routes").tag
        let id = try bench.asked(
            try await desk.call(
                .put, "/merchants/live/routes", ["data": [["number": 1, "acquirer": "bank"]]], token: bench.alice,
                tag: tag))
        let merchant = try await desk.administration.merchant(named: "live")
        let account = try await desk.administration.acquirerAccount(named: "bank", of: merchant)
        try await desk.administration.by(Authority(.override(reason: "night"))).setRoutes(
            of: merchant.id, to: [Route(number: 7, account: account.id)])
        let failed = try await bench.approve(id)
        #expect(failed.json["state"] == "failed" && failed.json["outcome"]?["code"] == "changed_meanwhile")
        #expect(try await desk.administration.routes(of: merchant.id).map(\.number) == [7])
        #expect(try await bench.approve(id, 409, key: "again").code == "approval_decided")
    }

    @Test func credentialsAreCollectedOnceByWhoeverHasAsked() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(liveCredentials: true))
        let desk = bench.desk
        let path = "/merchants/live/accounts"
        let id = try bench.asked(
            try await desk.call(.post, path, ["dialect": "payone"], token: bench.alice, key: "a"))
        // The key's answer is kept as it was.
        let again = try await desk.call(.post, path, ["dialect": "payone"], token: bench.alice, key: "a")
        #expect(again.status == 202 && again.json["approval"]?["id"]?.string == id)
        let done = try await bench.approve(id)
        #expect(done.json["state"] == "approved" && done.json["hasResult"] == true, "\(done.json.text())")
        #expect(done.json["credentials"] == nil)
        try await desk.expect(403, .post, "/approvals/\(id)/collect", token: bench.bob, key: "c")
        let collected = try await desk.expect(200, .post, "/approvals/\(id)/collect", token: bench.alice, key: "c")
        #expect(collected.json["credentials"]?["key"]?.string?.isEmpty == false)
        let gone = try await desk.expect(409, .post, "/approvals/\(id)/collect", token: bench.alice, key: "d")
        #expect(gone.code == "approval_result_gone")
        let secret = try #require(collected.json["credentials"]?["key"]?.string)
        for path in ["/approvals", "/approvals/\(id)", "/audit"] {
            #expect(try await !desk.expect(200, .get, path).json.text().contains(secret))
        }
        try await desk.expect(200, .get, "/merchants/live/accounts/payone")
    }

    /// A token counts as its maker where he would decide on his own; it does no more with what he has asked than it may itself,
    /// and what is handed out is never its.
    @Test func aTokenOfWhoeverHasAskedGetsNothingOfHis() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(liveCredentials: true))
        let desk = bench.desk
        let viewer = try await ApprovalBench.token("alice", Access(.viewer), desk)
        let second = try await ApprovalBench.token("alice", Access(.owner), desk)
        let id = try bench.asked(
            try await desk.call(
                .post, "/merchants/live/accounts", ["dialect": "payone"], token: bench.alice, key: "a"))
        #expect(
            try await desk.expect(403, .post, "/approvals/\(id)/withdraw", token: viewer, key: "w").code
                == "scope_missing")
        #expect(try await bench.approve(id, 403, token: second).code == "approval_of_own_act")
        _ = try await bench.approve(id)
        #expect(
            try await desk.expect(403, .post, "/approvals/\(id)/collect", token: viewer, key: "c").code
                == "scope_missing")
        #expect(
            try await desk.expect(403, .post, "/approvals/\(id)/collect", token: second, key: "c").code
                == "approval_not_yours")
        try await desk.expect(200, .post, "/approvals/\(id)/collect", token: bench.alice, key: "c")
    }

    @Test func whoeverHasAskedWithdrawsAndAnotherRejects() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(liveCredentials: true))
        let desk = bench.desk
        func ask(_ key: String) async throws -> String {
            try bench.asked(
                try await desk.call(
                    .post, "/merchants/live/accounts", ["dialect": "payone"], token: bench.alice, key: key))
        }
        let first = try await ask("a")
        let refused = try await desk.expect(
            403, .post, "/approvals/\(first)/withdraw", token: bench.bob, key: "w")
        #expect(refused.code == "approval_not_yours")
        let withdrawn = try await desk.expect(200, .post, "/approvals/\(first)/withdraw", token: bench.alice, key: "w")
        #expect(withdrawn.json["state"] == "withdrawn")
        #expect(try await bench.approve(first, 409).code == "approval_decided")
        let second = try await ask("b")
        let own = try await desk.expect(
            403, .post, "/approvals/\(second)/reject", ["reason": "no"], token: bench.alice, key: "r")
        #expect(own.code == "approval_of_own_act")
        let rejected = try await desk.expect(
            200, .post, "/approvals/\(second)/reject", ["reason": "no such shop"], token: bench.bob, key: "r")
        #expect(rejected.json["state"] == "rejected" && rejected.json["decisionReason"] == "no such shop")
        let third = try await ask("c")
        desk.test.clock.advance(seconds: 86_400)
        #expect(try await desk.expect(200, .get, "/approvals/\(third)").json["state"] == "expired")
        #expect(try await bench.approve(third, 409).code == "approval_expired")
    }

    @Test func whoMayNotDoItMayNotApproveIt() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(routes: true))
        let desk = bench.desk
        let tag = try await desk.expect(200, .get, "/merchants/live/routes").tag
        let id = try bench.asked(
            try await desk.call(
                .put, "/merchants/live/routes", ["data": [["number": 1, "acquirer": "bank"]]], token: bench.alice,
                tag: tag))
        for role in [Role.viewer, .developer, .support] {
            let token = try await ApprovalBench.token("dave", Access(role), desk)
            #expect(try await bench.approve(id, 403, token: token).code == "scope_missing")
            let rejected = try await desk.expect(
                403, .post, "/approvals/\(id)/reject", ["reason": "no"], token: token, key: "r")
            #expect(rejected.code == "scope_missing")
        }
        // Of another's merchant there is nothing.
        let own = try await Till.open(desk)
        let other = try await ApprovalBench.token("erin", Access(.owner, merchants: [own.merchant.id]), desk)
        try await desk.expect(404, .get, "/approvals/\(id)", token: other)
        #expect(try await bench.approve(id, 404, token: other).code == "approval_unknown")
        #expect(try await desk.expect(200, .get, "/approvals", token: other).json["data"]?.array?.isEmpty == true)
        #expect(try await desk.expect(200, .get, "/approvals/\(id)").json["state"] == "waiting")
    }

    // MARK: - Policies

    @Test func aPolicyThatStandsIsChangedByTwo() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy())
        let desk = bench.desk
        let path = "/approval-policies/house"
        let free = try await desk.expect(200, .get, path)
        let body: JSON = ["refundsAbove": ["EUR": "100.00"], "routes": true]
        let set = try await desk.expect(200, .put, path, body, token: bench.alice, tag: free.tag)
        #expect(set.json["refundsAbove"]?["EUR"] == "100.00" && set.json["liveCredentials"] == false)
        let tag = try await desk.expect(200, .get, path).tag
        let id = try bench.asked(try await desk.call(.put, path, [:], token: bench.alice, tag: tag))
        #expect(try await desk.expect(200, .get, "/approval-policies").json["data"]?.array?.first?["routes"] == true)
        // The second person sees what it will be, and what it is.
        let summary = try await desk.expect(200, .get, "/approvals/\(id)").json["summary"]
        #expect(
            summary
                == """
                Change what needs a second person of house to: refundsAbove none, refunds need nobody, aboveOwnLimit no, liveCredentials no, \
                routes no. It is: refundsAbove EUR "100.00", aboveOwnLimit no, liveCredentials no, routes yes.
                """)
        let narrow = try await ApprovalBench.token("dave", Access(.operator), desk)
        #expect(try await bench.approve(id, 403, token: narrow).code == "scope_missing")
        #expect(try await bench.approve(id).json["state"] == "approved")
        #expect(try await desk.expect(200, .get, path).json["routes"] == false)
        let wrong = try await desk.expect(
            422, .put, path, ["refundsAbove": ["EUR": "1.234"]], tag: try await desk.expect(200, .get, path).tag)
        #expect(wrong.json["errors"]?.array?.first?["pointer"] == "/refundsAbove/EUR")
        try await desk.expect(422, .put, path, ["refundsAbove": ["ZZZ": "1"]], tag: "*")
        try await desk.expect(404, .get, "/approval-policies/nobody")
        try await desk.expect(200, .put, "/approval-policies/live", ["routes": true], tag: "*")
        #expect(try await desk.expect(200, .get, "/approval-policies").json["data"]?.array?.count == 2)
    }

    // MARK: - Refunds

    @Test func aRefundAboveThePolicyIsDoneOnceByTheSecondPerson() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(refundsAbove: [try Self.euro: 500]))
        let desk = bench.desk
        let till = try await Till.open(desk)
        let payment = try await till.pay(10_00, "p", purpose: .sale)
        let path = "/payments/\(payment.id)/refund"
        // As much as one person may.
        try await desk.expect(200, .post, path, ["amount": "1.00"], token: bench.alice, key: "small")
        let body: JSON = ["amount": "6.00", "reason": "broken"]
        let id = try bench.asked(try await desk.call(.post, path, body, token: bench.alice, key: "r"))
        let again = try await desk.call(.post, path, body, token: bench.alice, key: "r")
        #expect(again.json["approval"]?["id"]?.string == id)
        let other = try await desk.call(.post, path, ["amount": "7.00"], token: bench.alice, key: "r")
        #expect(other.status == 409 && other.code == "key_used")
        #expect(try await desk.expect(200, .get, "/approvals/\(id)").json["amount"] == "6.00")
        let done = try await bench.approve(id)
        #expect(done.json["state"] == "approved" && done.json["outcome"]?["code"] == "done", "\(done.json.text())")
        let operation = try #require(done.json["outcome"]?["operation"]?.string)
        #expect(operation.hasPrefix("op_"))
        #expect(try await bench.approve(id, key: "again").json["outcome"]?["operation"]?.string == operation)
        // The call's own key says what has become of it, also when nothing needs anybody any more.
        try await desk.administration.by(Authority(.override(reason: "over"))).setApprovalPolicy(ApprovalPolicy())
        let later = try await desk.call(.post, path, body, token: bench.alice, key: "r")
        #expect(later.status == 202 && later.json["approval"]?["state"] == "approved")
        let refunded = try await desk.expect(200, .get, "/payments/\(payment.id)").json["refunded"]
        #expect(refunded == "7.00")
        #expect(try await desk.test.bookProblems() == [])
        let entries = try await desk.test.store.read { try $0.auditEntries(after: 0, limit: 100) }
        let refund = try #require(entries.last { $0.act == .paymentRefund })
        #expect(refund.details["approval"] == id && refund.details["askedBy"]?.contains("alice") == true)
        #expect(refund.actor.contains("bob") && refund.details["reason"] == "broken")
        #expect(
            entries.map(\.act.name).filter { $0.hasPrefix("approval.") }
                == ["approval.policy", "approval.ask", "approval.approve", "approval.finish", "approval.policy"])
    }

    /// Above one's own limit: refused, unless a policy has it wait for somebody else.
    @Test(arguments: [false, true]) func whatIsAboveOnesOwnLimitIsRefusedOrWaits(_ waits: Bool) async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(aboveOwnLimit: waits))
        let till = try await Till.open(bench.desk)
        let payment = try await till.pay(20_00, "p", purpose: .sale)
        let euro = try Self.euro
        let clerk = bench.desk.administration.by(Authority(refundLimits: [euro: 500]))
        func refund(_ minorUnits: Int64, _ key: String) async throws -> PaymentActError.Code? {
            do throws(PaymentActError) {
                _ = try await clerk.refund(
                    payment.id, amount: Money(minorUnits: minorUnits, currency: euro), key: key, reason: nil,
                    plans: Desk.plans)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(try await refund(500, "a") == nil)
        #expect(try await refund(501, "b") == (waits ? .approvalRequired : .aboveRefundLimit))
        // What was done under a key is answered, whatever the limit is now.
        #expect(try await refund(500, "a") == nil)
    }

    @Test func allThatIsLeftIsAskedForAsAnAmount() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(refundsAbove: [:]))
        let desk = bench.desk
        let till = try await Till.open(desk)
        let payment = try await till.pay(10_00, "p", purpose: .sale)
        let id = try bench.asked(
            try await desk.call(.post, "/payments/\(payment.id)/refund", [:], token: bench.alice, key: "r"))
        #expect(try await desk.expect(200, .get, "/approvals/\(id)").json["amount"] == "10.00")
        try await bench.approveAfterRefund(of: payment, id)
    }

    /// Whatever ends the process after the decision, the refund is done, and once.
    @Test func anApprovedRefundIsFinishedAfterACrash() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(refundsAbove: [:]))
        let desk = bench.desk
        let till = try await Till.open(desk)
        let payment = try await till.pay(10_00, "p", purpose: .sale)
        let id = try bench.asked(
            try await desk.call(
                .post, "/payments/\(payment.id)/refund", ["amount": "4.00"], token: bench.alice, key: "r"))
        try await bench.decideAndEnd(id)
        #expect(try await desk.administration.finishApprovedRefunds(plans: Desk.plans) == 0)
        desk.test.clock.advance(seconds: 60)
        #expect(try await desk.administration.finishApprovedRefunds(plans: Desk.plans) == 1)
        #expect(try await desk.administration.finishApprovedRefunds(plans: Desk.plans) == 0)
        let done = try await bench.approve(id)
        #expect(done.json["outcome"]?["code"] == "done")
        #expect(try await desk.expect(200, .get, "/payments/\(payment.id)").json["refunded"] == "4.00")
    }

    @Test func twoWhoApproveARefundAtOnceGiveItBackOnce() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(refundsAbove: [:]))
        let desk = bench.desk
        let till = try await Till.open(desk)
        let payment = try await till.pay(10_00, "p", purpose: .sale)
        let id = try bench.asked(
            try await desk.call(
                .post, "/payments/\(payment.id)/refund", ["amount": "4.00"], token: bench.alice, key: "r"))
        let carol = try await ApprovalBench.token("carol", Access(.owner), desk)
        async let one = desk.call(.post, "/approvals/\(id)/approve", [:], token: bench.bob, key: "b")
        async let two = desk.call(.post, "/approvals/\(id)/approve", [:], token: carol, key: "c")
        let replies = try await [one, two]
        #expect(replies.filter { $0.status == 200 }.count == 1 && replies.contains { $0.code == "approval_decided" })
        #expect(try await desk.expect(200, .get, "/payments/\(payment.id)").json["refunded"] == "4.00")
    }
}
