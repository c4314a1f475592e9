//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectConformance
import DialectKit
import Gateway
import PAYONE
import Payments
import TestGateway
import Testing

/// Notifications go to the account's address as it is when they are sent, whenever the payment was made.
@Suite struct AddressTests {
    private static let next = "https://next.example/payone"

    private static func setAddress(_ address: String?, of shop: TestShop) async throws {
        try await shop.test.gateway.administration.changeSettings(
            of: shop.merchant.merchant.id, dialect: PAYONE.dialectName
        ) { $0["notificationURL"] = address }
    }

    private static func events(_ shop: TestShop) async throws -> [OutboxEvent] {
        try await shop.test.store.read { try $0.events(OutboxQuery()) }
    }

    @Test func whatWaitsGoesToTheAddressOfNow() async throws {
        let shop = try await TestShop.open()
        _ = try await shop.paid()
        #expect(try await Self.events(shop).map(\.target) == [TestShop.notificationURL])
        try await Self.setAddress(Self.next, of: shop)
        #expect(try await shop.sent().map(\.target) == [Self.next, Self.next])
        #expect(try await Self.events(shop).map(\.target) == [Self.next], "it is kept where it went")
    }

    @Test func chargebackOfAnOldPaymentGoesToTheAddressOfNow() async throws {
        let shop = try await TestShop.open()
        _ = try await shop.paid()
        _ = try await shop.sent()
        try await Self.setAddress(Self.next, of: shop)
        let sale = try #require(try await shop.payment().opening).id
        let taken = AcquirerNotice.Event.chargedBack(TestShop.euros(400), fee: nil)
        #expect(try await shop.test.report(taken, of: sale, reference: "bank") == .booked)
        let sent = try await shop.sent()
        #expect(sent.map(\.target) == [Self.next] && sent.first?["txaction"] == "cancelation")
    }

    @Test func paymentFromBeforeThereWasAnAddressIsReportedOnceThereIsOne() async throws {
        let shop = try await TestShop.open(notificationURL: nil)
        _ = try await shop.paid()
        #expect(try await Self.events(shop).isEmpty, "who never sets an address collects no events")
        try await Self.setAddress(Self.next, of: shop)
        let sale = try #require(try await shop.payment().opening).id
        let taken = AcquirerNotice.Event.chargedBack(TestShop.euros(400), fee: nil)
        #expect(try await shop.test.report(taken, of: sale, reference: "bank") == .booked)
        #expect(try await shop.sent().map(\.target) == [Self.next])
    }

    @Test func nothingIsSentToAnAddressThatWasTakenAway() async throws {
        let shop = try await TestShop.open()
        _ = try await shop.paid()
        try await Self.setAddress(nil, of: shop)
        #expect(try await shop.sent().isEmpty)
        let waiting = try #require(try await Self.events(shop).first)
        #expect(waiting.state == .pending && waiting.lastResult == "no_address" && waiting.attemptsCount == 1)
        try await Self.setAddress(Self.next, of: shop)
        shop.test.clock.advance(seconds: 3600)
        #expect(try await shop.sent().map(\.target) == [Self.next, Self.next])
    }

    /// No request of this wire names an address: what was written with one has the account's of its time.
    @Test func whatAnEarlierVersionHasWrittenGoesToTheAddressOfNow() async throws {
        let shop = try await TestShop.open()
        _ = try await shop.paid()
        let due = try #require(try await shop.test.gateway.leaseDeliveries(limit: 1).first)
        let merchant = try #require(try await shop.test.gateway.merchantContext(for: due))
        var operation = due.operation
        operation = PaymentOperation(
            id: operation.id, kind: operation.kind, amount: operation.amount,
            labels: OperationLabels(notifyURL: "https://old.example/"), begunAt: operation.begunAt,
            begunInVersion: operation.begunInVersion)
        let old = Delivery(event: due.event, payment: due.payment, operation: operation, order: due.order)
            .addressed(to: "https://old.example/")
        #expect(shop.payone.notifyURL(for: old, merchant: merchant) == TestShop.notificationURL)
    }
}
