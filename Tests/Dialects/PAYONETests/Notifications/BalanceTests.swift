//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Money
import Payments
import TestGateway
import Testing

/// `balance` is `receivable` less what is paid, in every message.
@Suite struct BalanceTests {
    private static func report(
        _ event: AcquirerNotice.Event, of operation: OperationID, _ name: String, in shop: TestShop
    ) async throws {
        #expect(try await shop.test.report(event, of: operation, reference: name) == .booked)
    }

    /// What the bank has taken back is open still once the rest is given back.
    @Test(arguments: ["debit", "refund"])
    func whatABankTookBackStaysOpenAfterARefund(_ request: String) async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.paid()
        _ = try await shop.sent()
        let sale = try #require(try await shop.payment().opening).id
        try await Self.report(.chargedBack(TestShop.euros(400), fee: nil), of: sale, "bank", in: shop)
        let form = ShopForm.debit(txid, -600, sequenceNumber: 1, request: request)
        #expect(try await shop.send(form).status == "APPROVED")
        #expect(
            try await shop.sent().map(\.summary) == [
                "cancelation 0 10.00/4.00/10.00", "\(request) 1 10.00/4.00/4.00",
            ])
    }

    /// A refund that was declined while a bank's part is open, and one that comes to nothing late.
    @Test func whatABankTookBackStaysOpenAfterAFailure() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.paid()
        _ = try await shop.sent()
        let sale = try #require(try await shop.payment().opening).id
        try await Self.report(.chargedBack(TestShop.euros(400), fee: nil), of: sale, "bank", in: shop)
        #expect(try await shop.send(ShopForm.debit(txid, -600, sequenceNumber: 1)).status == "APPROVED")
        let refund = try #require(try await shop.payment().operations.last { $0.kind == .refund }).id
        try await Self.report(.failedLate(.doNotHonor, AcquirerAnswer()), of: refund, "late", in: shop)
        #expect(
            try await shop.sent().map(\.summary) == [
                "cancelation 0 10.00/4.00/10.00", "debit 1 10.00/4.00/4.00", "failed 1 10.00/4.00/10.00",
            ])
    }

    /// What is captured after a chargeback is open with it, and paid without it.
    @Test func whatABankTookBackStaysOpenAfterACapture() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        #expect(try await shop.send(ShopForm.capture(txid, 400, mode: "notcompleted")).status == "APPROVED")
        #expect(try await shop.send(ShopForm.debit(txid, -100, sequenceNumber: 2)).status == "APPROVED")
        _ = try await shop.sent()
        let opening = try #require(try await shop.payment().opening).id
        try await Self.report(.chargedBack(TestShop.euros(200), fee: nil), of: opening, "bank", in: shop)
        #expect(try await shop.send(ShopForm.capture(txid, 500, sequenceNumber: 3)).status == "APPROVED")
        #expect(
            try await shop.sent().map(\.summary) == [
                "cancelation 0 10.00/2.00/3.00", "capture 3 10.00/7.00/8.00", "paid 3 10.00/2.00/8.00",
            ])
    }

    /// A capture that came to nothing is asked for still, and open, until the reservation has been captured without it.
    @Test(
        arguments: [
            (500, ["capture 2 10.00/9.00/9.00", "paid 2 10.00/4.00/9.00"]),
            (600, ["capture 2 10.00/10.00/10.00", "paid 2 10.00/4.00/10.00"]),
        ] as [(Int64, [String])])
    func whatCameToNothingStaysOpen(again: Int64, messages: [String]) async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        #expect(try await shop.send(ShopForm.capture(txid, 400, mode: "notcompleted")).status == "APPROVED")
        _ = try await shop.sent()
        let capture = try #require(try await shop.payment().operations.last { $0.kind == .capture }).id
        try await Self.report(.failedLate(.doNotHonor, AcquirerAnswer()), of: capture, "late", in: shop)
        #expect(try await shop.send(ShopForm.capture(txid, again, sequenceNumber: 2)).status == "APPROVED")
        #expect(try await shop.sent().map(\.summary) == ["cancelation 1 10.00/4.00/4.00"] + messages)
    }
}
