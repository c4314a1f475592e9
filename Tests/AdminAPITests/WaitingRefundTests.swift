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
        // What is decided, or too late, waits no more.
        _ = try await bench.approve(first)
        #expect(try await Self.waiting(payment, desk).map { $0["id"]?.string } == [second])
        desk.test.clock.advance(seconds: 86_400)
        #expect(try await Self.waiting(payment, desk) == [])
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
}
