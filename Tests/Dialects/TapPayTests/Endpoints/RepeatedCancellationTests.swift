//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing

@testable import TapPay

/// cap/cancel and refund/cancel under a header Idempotency-Key: whatever became of the trade, the same call takes nothing
/// else back.
@Suite struct RepeatedCancellationTests {
    private static let key = [HTTPField.Name.idempotencyKey: "cancel-1"]

    @Test func cancelledCaptureIsAnsweredAlike() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.paid()
        let first = try await shop.follow("cap/cancel", trade, headers: Self.key)
        #expect(first.status == 0)
        #expect(try await shop.follow("cap/cancel", trade, headers: Self.key).response.body == first.response.body)
        // The next capture is another one.
        #expect(try await shop.follow("cap", trade).status == 0)
        #expect(try await shop.follow("cap/cancel", trade, headers: Self.key).response.body == first.response.body)
        #expect(try await shop.record(trade)["is_captured"] == true)
        #expect(try await shop.follow("cap/cancel", trade).status == 0)
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    @Test func plannedCaptureIsTakenBackOnce() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.pay().recTradeID
        let first = try await shop.follow("cap/cancel", trade, headers: Self.key)
        #expect(first.status == 0)
        #expect(try await shop.follow("cap/cancel", trade, headers: Self.key).response.body == first.response.body)
        #expect(try await shop.follow("cap", trade).status == 0)
        #expect(try await shop.follow("cap/cancel", trade, headers: Self.key).response.body == first.response.body)
        #expect(try await shop.record(trade)["is_captured"] == true)
        // The key is this call's alone.
        let other = try await shop.pay().recTradeID
        #expect(try await shop.follow("cap/cancel", other, headers: Self.key).status != 0)
        #expect(try await shop.record(other)["cap_millis"]?.integer != 0)
    }

    /// What was refused is no call that was made: it may be sent again.
    @Test func refusalKeepsNoKey() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.pay(changing: ["delay_capture_in_days": -1]).recTradeID
        #expect(try await shop.follow("cap/cancel", trade, headers: Self.key).status == 935)
        #expect(try await shop.follow("cap", trade).status == 0)
        #expect(try await shop.follow("cap/cancel", trade, headers: Self.key).status == 0)
        #expect(try await shop.record(trade)["is_captured"] == false)
    }

    /// The call without a refund's name would mean the next one.
    @Test(arguments: [true, false]) func cancelledRefundIsAnsweredAlike(_ isNamed: Bool) async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.paid(1000)
        let refund = try await shop.follow("refund", trade, ["amount": 400])
        let fields: [String: JSON?] = isNamed ? ["refund_id": .string(refund["refund_id"])] : [:]
        let first = try await shop.follow("refund/cancel", trade, fields, headers: Self.key)
        #expect(first.status == 0 && first.json["result"]?["amount"]?.integer == 400)
        #expect(first.json["result"]?["refund_id"]?.string == refund["refund_id"])
        #expect(try await shop.follow("refund", trade, ["amount": 300]).status == 0)
        let again = try await shop.follow("refund/cancel", trade, fields, headers: Self.key)
        #expect(again.response.body == first.response.body, "\(again)")
        #expect(try await shop.record(trade)["refunded_amount"]?.integer == 300)
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    @Test(arguments: ["refund/cancel", "cap/cancel"])
    func cancellationWhoseAnswerIsLostIsMadeOnce(_ path: String) async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.paid(1000)
        if path == "refund/cancel" { #expect(try await shop.follow("refund", trade, ["amount": 400]).status == 0) }
        shop.test.script.append(.init(.reverse, .nth(1), fault: .dropAfterBooking))
        for _ in 0..<3 { #expect(try await shop.follow(path, trade, headers: Self.key).status == 421) }
        await shop.test.recover()
        for _ in 0..<2 { #expect(try await shop.follow(path, trade, headers: Self.key).status == 0) }
        let record = try await shop.record(trade)
        #expect(record["refunded_amount"]?.integer == 0 && record["is_captured"]?.bool == (path == "refund/cancel"))
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// Of many equal calls at once each has the one answer, whichever of them began it.
    @Test(arguments: ["refund/cancel", "cap/cancel"]) func equalCallsAtOnceHappenOnce(_ path: String) async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.paid(1000)
        if path == "refund/cancel" { #expect(try await shop.follow("refund", trade, ["amount": 400]).status == 0) }
        let statuses = try await withThrowingTaskGroup(of: Int64.self) { group in
            for _ in 0..<8 { group.addTask { try await shop.follow(path, trade, headers: Self.key).status } }
            return try await group.reduce(into: [Int64]()) { $0.append($1) }
        }
        #expect(statuses.contains(0))
        #expect(try await shop.follow(path, trade, headers: Self.key).status == 0)
        let record = try await shop.record(trade)
        #expect(record["refunded_amount"]?.integer == 0 && record["is_captured"]?.bool == (path == "refund/cancel"))
    }
}
