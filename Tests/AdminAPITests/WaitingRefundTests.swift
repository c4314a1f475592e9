//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import HTTPTypes
import Payments
import StrictJSON
import TestGateway
import Testing

@testable import AdminAPI

/// What waits for a second person stands at the payment that it is about, and beside all else that waits for it.
@Suite struct WaitingRefundTests {
    private static func ask(_ amount: String, _ payment: Payment, _ bench: ApprovalBench) async throws -> String {
        try bench.asked(
            try await bench.desk.call(
                .post, "/payments/\(payment.id)/refund", ["amount": .string(amount)], token: bench.alice, key: amount))
    }

    private static func waiting(_ payment: Payment, _ desk: Desk) async throws -> [JSON] {
        let json = try await desk.expect(200, .get, "/payments/\(payment.id)").json
        return try #require(json["approvals"]?.array)
    }

    private static func decided(_ payment: Payment, _ desk: Desk) async throws -> [JSON] {
        let json = try await desk.expect(200, .get, "/payments/\(payment.id)").json
        return try #require(json["decidedApprovals"]?.array)
    }

    @Test func aPaymentHasWhatIsAskedForIt() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(refundsAbove: [:]))
        let desk = bench.desk
        let till = try await Till.open(desk)
        let (payment, other) = (
            try await till.pay(66_06, "p", purpose: .sale), try await till.pay(66_06, "o", purpose: .sale)
        )
        #expect(try await Self.waiting(payment, desk) == [])
        let first = try await Self.ask("33.03", payment, bench)
        desk.test.clock.advance(seconds: 1)
        let second = try await Self.ask("30.00", payment, bench)
        let waiting = try await Self.waiting(payment, desk)
        #expect(waiting.map { $0["id"]?.string } == [first, second])
        #expect(waiting.first?["act"] == "refund" && waiting.first?["amount"] == "33.03")
        #expect(waiting.first?["currency"] == "EUR" && waiting.first?["askedBy"]?.string?.contains("alice") == true)
        #expect(waiting.first?["askedAt"]?.string?.isEmpty == false)
        #expect(try await Self.waiting(other, desk) == [])
        #expect(try await Self.decided(payment, desk) == [])
        // What is decided, or too late, waits no more.
        _ = try await bench.approve(first)
        #expect(try await Self.waiting(payment, desk).map { $0["id"]?.string } == [second])
        let approved = try await Self.decided(payment, desk)
        #expect(approved.map { $0["id"]?.string } == [first] && approved.first?["state"] == "approved")
        #expect(approved.first?["amount"] == "33.03" && approved.first?["act"] == "refund")
        #expect(approved.first?["decidedBy"]?.string?.contains("bob") == true, "\(approved)")
        #expect(approved.first?["outcome"]?["code"] == "done" && approved.first?["outcome"]?["state"] == "succeeded")
        #expect(approved.first?["reason"] == nil && approved.first?["decisionReason"] == nil)
        desk.test.clock.advance(seconds: 86_400)
        #expect(try await Self.waiting(payment, desk) == [])
        // Nobody has written it yet.
        let late = try await Self.decided(payment, desk)
        #expect(late.map { $0["id"]?.string } == [first, second] && late.last?["state"] == "expired")
        #expect(late.last?["decidedBy"] == .null && late.last?["outcome"] == .null)
        #expect(try await Self.decided(other, desk) == [])
    }

    @Test func whoeverDecidesSeesThePaymentAndWhatElseWaitsForIt() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(refundsAbove: [:]))
        let desk = bench.desk
        let payment = try await Till.open(desk).pay(66_06, "p", purpose: .sale)
        let (first, second) = (
            try await Self.ask("33.03", payment, bench), try await Self.ask("30.00", payment, bench)
        )
        _ = try await bench.approve(first)
        let third = try await Self.ask("3.03", payment, bench)
        let subject = try await desk.expect(200, .get, "/approvals/\(third)").json["subject"]
        #expect(subject?["captured"] == "66.06" && subject?["refunded"] == "33.03", "\(subject?.text() ?? "")")
        #expect(subject?["card"]?["accountNumber"]?.string?.isEmpty == false)
        #expect(subject?["waiting"]?.array?.map { $0["id"]?.string } == [second])
        // Of payments whoever may not read them sees nothing.
        let token = try await ApprovalBench.token("carol", Access(scopes: [.merchantsRead]), desk)
        let hidden = try await desk.expect(200, .get, "/approvals/\(third)", token: token).json
        #expect(hidden["subject"] == .null && hidden["payment"]?.string == payment.id.text)
    }

    /// The payment that the next event names by which an approval is in a state.
    private static func hears(_ approval: String, _ state: Approval.State, _ stream: WireStream) async throws -> JSON? {
        for _ in 0..<100 {
            guard let part = try await stream.next() else { break }
            for line in String(decoding: part, as: UTF8.self).split(separator: "\n") where line.hasPrefix("data: ") {
                let data = try JSON.parse(Array(line.dropFirst(6).utf8))
                guard data["id"]?.string == approval, data["state"]?.string == state.rawValue else { continue }
                return data["payment"]
            }
        }
        return nil
    }

    /// By that an open page of the payment knows that something waits for it, or waits no more.
    @Test func whoeverListensHearsOfWhichPaymentSomethingWaits() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(refundsAbove: [:]))
        let desk = bench.desk
        let payment = try await Till.open(desk).pay(66_06, "p", purpose: .sale)
        let id = JSON.string(payment.id.text)
        let (_, stream) = try await desk.stream("/stream")
        _ = try await stream.next()
        let rejected = try await Self.ask("33.03", payment, bench)
        #expect(try await Self.hears(rejected, .waiting, stream) == id)
        try await desk.expect(
            200, .post, "/approvals/\(rejected)/reject", ["reason": "twice"], token: bench.bob, key: "reject")
        #expect(try await Self.hears(rejected, .rejected, stream) == id)
        let withdrawn = try await Self.ask("30.00", payment, bench)
        #expect(try await Self.hears(withdrawn, .waiting, stream) == id)
        try await desk.expect(200, .post, "/approvals/\(withdrawn)/withdraw", token: bench.alice, key: "withdraw")
        #expect(try await Self.hears(withdrawn, .withdrawn, stream) == id)
        let approved = try await Self.ask("3.03", payment, bench)
        #expect(try await Self.hears(approved, .waiting, stream) == id)
        _ = try await bench.approve(approved)
        #expect(try await Self.hears(approved, .approved, stream) == id)
        // What is about no payment says so. Once a policy holds anything, its change is such a thing.
        let path = "/approval-policies/\(ApprovalPolicy.houseName)"
        let tag = try await desk.expect(200, .get, path).tag
        let other = try bench.asked(
            try await desk.call(.put, path, ["refundsAbove": .null], token: bench.alice, tag: tag))
        #expect(try await Self.hears(other, .waiting, stream) == .null)
    }
}
