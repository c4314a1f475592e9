//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import Money
import Payments
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing

@testable import TapPay

/// What the back end says of a trade that an operator has captured or refunded.
@Suite struct OperatorActTests {
    private static let plans = [TapPay.accounts]

    private static func money(_ units: Int64) throws -> Money {
        try #require(WireCurrency(rawValue: "TWD")?.money(units))
    }

    private static func payment(_ shop: BackEndShop) async throws -> PaymentID {
        try #require(try await shop.test.payments().first).id
    }

    private static func capture(
        _ units: Int64, isFinal: Bool, _ shop: BackEndShop
    ) async throws -> OperationOutcome {
        try await shop.test.gateway.administration.capture(
            self.payment(shop), amount: self.money(units), isFinal: isFinal, key: "c", reason: nil, plans: self.plans)
    }

    private static func refund(_ units: Int64, _ shop: BackEndShop) async throws -> OperationOutcome {
        try await shop.test.gateway.administration.refund(
            self.payment(shop), amount: self.money(units), key: "r", reason: nil, plans: self.plans)
    }

    private static func refundID(_ outcome: OperationOutcome) -> String {
        outcome.operation.labels.fields["refundId"] ?? ""
    }

    /// "captured amount refunded_amount original_amount record_status".
    private static func sums(_ record: JSON) -> String {
        (["amount", "refunded_amount", "original_amount", "record_status"].map { record[$0]?.integer ?? -9 })
            .reduce(record["is_captured"] == true ? "captured" : "open") { "\($0) \($1)" }
    }

    @Test func recordsHistoryAndReconciliationHaveIt() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.pay(1000).recTradeID
        _ = try await Self.capture(400, isFinal: false, shop)
        #expect(Self.sums(try await shop.record(trade)) == "captured 1000 0 1000 1")
        let refundID = Self.refundID(try await Self.refund(100, shop))
        #expect(refundID.hasPrefix("RF") && refundID.utf8.count <= 40)
        #expect(Self.sums(try await shop.record(trade)) == "captured 900 100 1000 2")
        let history = try await shop.follow("trade-history", trade).json["trade_history"]?.array ?? []
        #expect(history.map { $0["action"]?.integer } == [0, 1, 3])
        #expect(history.map { $0["amount"]?.integer } == [1000, 400, 100])
        #expect(history.last?["refund_id"]?.string == refundID && history.last?["success"] == true)
        #expect(history.last?["can_refund_cancel_millis"]?.integer != nil)
        let lines = try await shop.call("/tpc/transaction/reconciliation", [:])
        #expect(lines.integer("number_of_transactions") == 2)
        let summary = lines.json["summary"]?.array?.first
        #expect(summary?["capture"]?["amount"]?.integer == 400 && summary?["refund"]?["amount"]?.integer == 100)
    }

    /// A trade of whole dollars could not say that a half of one was given back.
    @Test func partOfADollarIsRefused() async throws {
        let shop = try await BackEndShop.open()
        _ = try await shop.pay(1000)
        _ = try await Self.capture(1000, isFinal: true, shop)
        let dollar = try Self.money(1)
        let half = Money(minorUnits: dollar.minorUnits / 2, currency: dollar.currency)
        let id = try await Self.payment(shop)
        let acts = shop.test.gateway.administration
        let error = await #expect(throws: PaymentActError.self) {
            try await acts.refund(id, amount: half, key: "half", reason: nil, plans: Self.plans)
        }
        #expect(error?.code == .amountNotTaken && error?.message.contains("Up to 1000.00 TWD") == true)
        let payment = try #require(try await shop.test.payments().first)
        #expect(payment.operations.allSatisfy { $0.kind != .refund })
        // A bank may take it: what is left is offered, and given back, in whole ones.
        let capture = try #require(payment.operations.last { $0.kind == .capture }).id
        let taken = AcquirerNotice.Event.chargedBack(half, fee: nil)
        #expect(try await shop.test.report(taken, of: capture, reference: "bank") == .booked)
        #expect(try await acts.possibleActs(of: id, plans: Self.plans).refund.bounds?.upTo == Self.money(999))
        let refund = try await acts.refund(id, amount: nil, key: "all", reason: nil, plans: Self.plans)
        #expect(try refund.operation.amount == Self.money(999))
    }

    @Test func merchantGoesOnWithTheTrade() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.pay(1000).recTradeID
        _ = try await Self.capture(400, isFinal: false, shop)
        let refundID = Self.refundID(try await Self.refund(100, shop))
        #expect(try await shop.follow("refund", trade, ["amount": 301]).status == 10051)
        let cancel = try await shop.follow("refund/cancel", trade, ["refund_id": .string(refundID)])
        #expect(cancel.status == 0 && cancel.json["result"]?["refund_id"]?.string == refundID)
        #expect(cancel.json["result"]?["amount"]?.integer == 100)
        // What is left is captured when its time has come.
        shop.test.clock.advance(seconds: 3 * 3600)
        #expect(await shop.test.gateway.captureDue() == 1)
        #expect(Self.sums(try await shop.record(trade)) == "captured 1000 0 1000 1")
        // One of two captures is not the trade's.
        let again = try await shop.follow("cap/cancel", trade)
        #expect(again.status != 0 && again.detail.contains("in parts"))
        #expect(try await shop.follow("refund", trade).integer("refund_amount") == 1000)
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// What the last capture has left with the customer is no part of the trade any more.
    @Test func lastCaptureOfAPartEndsTheTrade() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.pay(1000).recTradeID
        _ = try await Self.capture(400, isFinal: true, shop)
        #expect(Self.sums(try await shop.record(trade)) == "captured 400 0 1000 1")
        _ = try await Self.refund(100, shop)
        #expect(Self.sums(try await shop.record(trade)) == "captured 300 100 1000 2")
        // It is captured, as the merchant wanted it.
        #expect(try await shop.follow("cap", trade).status == 0)
        shop.test.clock.advance(seconds: 3 * 3600)
        #expect(await shop.test.gateway.captureDue() == 0)
        #expect(try await shop.test.bookedCount(.capture) == 1)
    }

    @Test func authorizationThatIsTakenBackIsARefund() async throws {
        let shop = try await BackEndShop.open()
        let urls: JSON = [
            "frontend_redirect_url": .string(BackEndShop.redirectURL),
            "backend_notify_url": .string(BackEndShop.notifyURL),
        ]
        let trade = try await shop.pay(1000, changing: ["result_url": urls]).recTradeID
        let void = try await shop.test.gateway.administration.void(
            Self.payment(shop), key: "v", reason: nil, plans: Self.plans)
        #expect(Self.sums(try await shop.record(trade)) == "open 0 1000 1000 3")
        let history = try await shop.follow("trade-history", trade).json["trade_history"]?.array ?? []
        #expect(history.last?["action"]?.integer == 3)
        #expect(history.last?["refund_id"]?.string == Self.refundID(void))
        #expect(try await shop.follow("refund", trade).status == 4014)
        // TapPay, "Backend Notify", knows payments alone.
        let targets = try await shop.test.gateway.leaseDeliveries(limit: 10).map(\.event.kind)
        #expect(targets == [.authorizationSucceeded])
    }
}
