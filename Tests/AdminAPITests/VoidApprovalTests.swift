//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import CommWeb
import Gateway
import HTTPTypes
import Money
import Payments
import StrictJSON
import TestGateway
import Testing

@testable import AdminAPI

/// A void that gives captured money back needs what a refund of it needs; one that releases an authorization needs nobody.
@Suite struct VoidApprovalTests {
    private static var euro: Currency {
        get throws { try #require(Currency.alphabetic("EUR")) }
    }

    private static func till(_ desk: Desk) async throws -> Till {
        try await Till.open(desk, dialect: CommWeb.dialectName)
    }

    @Test func aSalesVoidIsDoneByTheSecondPerson() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(refundsAbove: [try Self.euro: 500]))
        let desk = bench.desk
        let till = try await Self.till(desk)
        let small = try await till.pay(5_00, "small", purpose: .sale)
        try await desk.expect(200, .post, "/payments/\(small.id)/void", [:], token: bench.alice, key: "s")
        let payment = try await till.pay(50_00, "p", purpose: .sale)
        let path = "/payments/\(payment.id)/void"
        let id = try bench.asked(try await desk.call(.post, path, ["reason": "twice"], token: bench.alice, key: "v"))
        let again = try await desk.call(.post, path, ["reason": "twice"], token: bench.alice, key: "v")
        #expect(again.json["approval"]?["id"]?.string == id)
        let waiting = try await desk.expect(200, .get, "/approvals/\(id)").json
        #expect(waiting["amount"] == "50.00" && waiting["kind"] == "refund" && waiting["operation"] == "voidPayment")
        #expect(waiting["summary"]?.string?.hasPrefix("Void \(payment.id) and give back") == true)
        #expect(try await desk.expect(200, .get, "/payments/\(payment.id)").json["state"] == "captured")
        #expect(try await bench.approve(id, 403, token: bench.alice).code == "approval_of_own_act")
        let done = try await bench.approve(id)
        #expect(done.json["state"] == "approved" && done.json["outcome"]?["code"] == "done", "\(done.json.text())")
        #expect(try await bench.approve(id, key: "more").json["outcome"] == done.json["outcome"])
        #expect(try await desk.expect(200, .get, "/payments/\(payment.id)").json["state"] == "voided")
        #expect(try await desk.test.bookProblems() == [])
        let entries = try await desk.test.store.read { try $0.auditEntries(after: 0, limit: 100) }
        let entry = try #require(entries.last { $0.act == .paymentVoid })
        #expect(entry.details["approval"] == id && entry.details["askedBy"]?.contains("alice") == true)
        #expect(entry.actor.contains("bob") && entry.details["reason"] == "twice")
    }

    /// Money that has been taken is given back by those who may refund; what is only held, by those who may capture it.
    @Test func aSalesVoidNeedsWhatARefundNeeds() async throws {
        let desk = try await Desk.open()
        let till = try await Self.till(desk)
        let sale = try await till.pay(50_00, "sale", purpose: .sale)
        let held = try await till.pay(50_00, "held")
        let clerk = try await desk.token(Access(scopes: [.paymentsRead, .paymentsCapture]))
        let refused = try await desk.expect(403, .post, "/payments/\(sale.id)/void", [:], token: clerk, key: "s")
        #expect(refused.code == "scope_missing")
        #expect(try await desk.expect(200, .get, "/payments/\(sale.id)").json["state"] == "captured")
        try await desk.expect(200, .post, "/payments/\(held.id)/void", [:], token: clerk, key: "h")
        let refunder = try await desk.token(Access(scopes: [.paymentsRead, .paymentsCapture, .paymentsRefund]))
        try await desk.expect(200, .post, "/payments/\(sale.id)/void", [:], token: refunder, key: "s")
    }

    /// Nor is it approved by anybody who may only capture.
    @Test func aSalesVoidIsApprovedByWhoMayRefund() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(refundsAbove: [try Self.euro: 500]))
        let sale = try await Self.till(bench.desk).pay(50_00, "sale", purpose: .sale)
        let id = try bench.asked(
            try await bench.desk.call(.post, "/payments/\(sale.id)/void", [:], token: bench.alice, key: "v"))
        let clerk = try await ApprovalBench.token(
            "carol", Access(scopes: [.merchantsRead, .paymentsRead, .paymentsCapture]), bench.desk)
        #expect(try await bench.approve(id, 403, token: clerk).code == "scope_missing")
        let state = try await bench.desk.expect(200, .get, "/payments/\(sale.id)").json["state"]
        #expect(state == "captured")
        let refunder = try await ApprovalBench.token(
            "dan", Access(scopes: [.merchantsRead, .paymentsRead, .paymentsRefund]), bench.desk)
        let done = try await bench.approve(id, token: refunder, key: "again")
        #expect(done.json["outcome"]?["code"] == "done", "\(done.json.text())")
    }

    @Test func anAuthorizationIsReleasedByOne() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(refundsAbove: [:], aboveOwnLimit: true))
        let till = try await Self.till(bench.desk)
        let payment = try await till.pay(5000_00, "p")
        let clerk = bench.desk.administration.by(Authority(refundLimits: [:]))
        let done = try await clerk.void(payment.id, key: "v", reason: nil, plans: Desk.plans)
        #expect(done.operation.state == .succeeded)
    }

    /// What is refunded meanwhile cannot be voided any more.
    @Test func whatHasChangedMeanwhileFails() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(refundsAbove: [:]))
        let desk = bench.desk
        let payment = try await Self.till(desk).pay(10_00, "p", purpose: .sale)
        let id = try bench.asked(
            try await desk.call(.post, "/payments/\(payment.id)/void", [:], token: bench.alice, key: "v"))
        try await bench.approveAfterRefund(of: payment, id)
    }

    /// Whatever ends the process after the decision, the void is done, and once.
    @Test func anApprovedVoidIsFinishedAfterACrash() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(refundsAbove: [:]))
        let desk = bench.desk
        let payment = try await Self.till(desk).pay(10_00, "p", purpose: .sale)
        let id = try bench.asked(
            try await desk.call(.post, "/payments/\(payment.id)/void", [:], token: bench.alice, key: "v"))
        try await bench.decideAndEnd(id)
        desk.test.clock.advance(seconds: 60)
        #expect(try await desk.administration.finishApprovedRefunds(plans: Desk.plans) == 1)
        #expect(try await desk.administration.finishApprovedRefunds(plans: Desk.plans) == 0)
        #expect(try await desk.expect(200, .get, "/payments/\(payment.id)").json["state"] == "voided")
    }

    /// Above one's own limit: refused, unless a policy has it wait for somebody else.
    @Test(arguments: [false, true]) func aSaleAboveOnesOwnLimitIsRefusedOrWaits(_ waits: Bool) async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(aboveOwnLimit: waits))
        let till = try await Self.till(bench.desk)
        let clerk = bench.desk.administration.by(Authority(refundLimits: [try Self.euro: 500]))
        func void(_ minorUnits: Int64, _ key: String) async throws -> PaymentActError.Code? {
            let payment = try await till.pay(minorUnits, key, purpose: .sale)
            do throws(PaymentActError) {
                _ = try await clerk.void(payment.id, key: key, reason: nil, plans: Desk.plans)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(try await void(500, "a") == nil)
        #expect(try await void(501, "b") == (waits ? .approvalRequired : .aboveRefundLimit))
    }

    /// A clerk at the portal: the answer says the limit, as that to a refund does.
    @Test func aClerksLimitHoldsForVoids() async throws {
        let desk = try await Desk.open()
        let till = try await Self.till(desk)
        let payments = [
            try await till.pay(5000_00, "large", purpose: .sale), try await till.pay(9_00, "small", purpose: .sale),
            try await till.pay(5000_00, "authorization"),
        ]
        var browser = try await desk.browser(of: "clerk", .support)
        let tag = try await desk.expect(200, .get, "/people/clerk").tag
        try await desk.expect(200, .patch, "/people/clerk", ["refundLimits": ["EUR": "10.00"]], tag: tag)
        let refused = try await browser.expect(403, .post, "/payments/\(payments[0].id)/void", [:], key: "a")
        #expect(refused.code == "refund_limit_exceeded")
        #expect(refused.json["limit"] == ["amount": "10.00", "currency": "EUR"])
        #expect(try await desk.expect(200, .get, "/payments/\(payments[0].id)").json["state"] == "captured")
        for (index, payment) in payments.dropFirst().enumerated() {
            try await browser.expect(200, .post, "/payments/\(payment.id)/void", [:], key: "b\(index)")
            #expect(try await desk.expect(200, .get, "/payments/\(payment.id)").json["state"] == "voided")
        }
        // Where a policy has it wait, it does, for somebody whose limit covers it.
        try await desk.administration.setApprovalPolicy(ApprovalPolicy(aboveOwnLimit: true))
        let asked = try await browser.expect(202, .post, "/payments/\(payments[0].id)/void", [:], key: "c")
        let id = try #require(asked.json["approval"]?["id"]?.string)
        var other = try await desk.browser(of: "other", .support)
        let otherTag = try await desk.expect(200, .get, "/people/other").tag
        try await desk.expect(200, .patch, "/people/other", ["refundLimits": ["EUR": "4999.99"]], tag: otherTag)
        let above = try await other.expect(403, .post, "/approvals/\(id)/approve", [:], key: "d")
        #expect(above.code == "above_refund_limit")
        let done = try await desk.expect(200, .post, "/approvals/\(id)/approve", [:], key: "e")
        #expect(done.json["outcome"]?["code"] == "done", "\(done.json.text())")
    }
}
