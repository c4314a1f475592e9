//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import CommWeb
import DialectConformance
import DialectKit
import Gateway
import Money
import Payments
import StrictJSON
import TestGateway
import Testing

/// What the wire says of transactions that an operator has made.
@Suite struct OperatorActTests {
    private static let plans = [CommWeb.accounts]

    private static func dollars(_ text: String) throws -> Money {
        try Money(decimalText: text, currency: try #require(Currency.alphabetic("USD")))
    }

    /// 100.00 authorized by the shop as "a"; 60.00 of it captured and 20.00 refunded by an operator.
    private static func acted(
        _ shop: CommWebShop
    ) async throws -> (payment: PaymentID, capture: String, refund: String) {
        try await shop.pay("AUTHORIZE", "o1", "a", amount: "100.00")
        let id = try #require(try await shop.test.payments().first).id
        let acts = shop.test.gateway.administration
        let capture = try await acts.capture(
            id, amount: self.dollars("60.00"), isFinal: false, key: "c", reason: nil, plans: self.plans)
        let refund = try await acts.refund(
            id, amount: self.dollars("20.00"), key: "r", reason: nil, plans: self.plans)
        return (id, capture.operation.id.text, refund.operation.id.text)
    }

    @Test func orderHasTheTransactionsAndTheirSums() async throws {
        let shop = try await CommWebShop.open()
        let (_, capture, refund) = try await Self.acted(shop)
        let order = try await shop.get("order/o1")
        #expect(order.status == 200 && order.order == "60.00/20.00 of 100.00: PARTIALLY_REFUNDED")
        for (index, (type, id)) in [("AUTHORIZATION", "a"), ("CAPTURE", capture), ("REFUND", refund)].enumerated() {
            #expect(order["transaction[\(index)].transaction.type"] == type)
            #expect(order["transaction[\(index)].transaction.id"] == id)
        }
        let transaction = try await shop.get("order/o1/transaction/\(refund)")
        #expect(transaction.status == 200 && transaction.summary == "SUCCESS APPROVED")
        #expect(transaction["transaction.amount"] == "20.00" && transaction["transaction.type"] == "REFUND")
        // By a form, too.
        let form = try await shop.nvp([
            "apiOperation": "RETRIEVE_TRANSACTION", "order.id": "o1", "transaction.id": capture,
        ])
        #expect(form["transaction.type"] == "CAPTURE")
    }

    @Test func shopGoesOnWithTheOrder() async throws {
        let shop = try await CommWebShop.open()
        let (_, capture, refund) = try await Self.acted(shop)
        let tooMuch = try await shop.follow("CAPTURE", "o1", "c2", amount: "40.01")
        #expect(tooMuch.summary == "INVALID_REQUEST CAPTURE_EXCEEDS_AUTHORIZED transaction.amount INVALID")
        #expect(try await shop.follow("CAPTURE", "o1", "c2", amount: "40.00").summary == "SUCCESS APPROVED")
        // The operator's capture is named like any other, and of it 40.00 are left.
        let over = try await shop.follow("REFUND", "o1", "r2", amount: "60.01", target: capture)
        #expect(over.summary == "INVALID_REQUEST REFUND_EXCEEDS_CAPTURED transaction.amount INVALID")
        let own = try await shop.follow("REFUND", "o1", "r2", amount: "40.00", target: capture)
        #expect(own.summary == "SUCCESS APPROVED" && own.order == "100.00/60.00 of 100.00: PARTIALLY_REFUNDED")
        let void = try await shop.void("o1", "v", target: refund)
        #expect(void.summary == "SUCCESS APPROVED" && void["transaction.type"] == "VOID_REFUND")
        #expect(void.order == "100.00/40.00 of 100.00: PARTIALLY_REFUNDED")
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// The id is taken: a PUT of the shop's under it is another transaction, and is refused.
    @Test func idIsTaken() async throws {
        let shop = try await CommWebShop.open()
        let (_, capture, _) = try await Self.acted(shop)
        let reply = try await shop.follow("CAPTURE", "o1", capture, amount: "60.00")
        #expect(
            reply.status == 400 && reply.summary.hasPrefix("INVALID_REQUEST TRANSACTION_CONFLICT"), "\(reply.summary)")
        // In another order it is free.
        try await shop.pay("AUTHORIZE", "o2", "a", amount: "60.00")
        #expect(try await shop.follow("CAPTURE", "o2", capture, amount: "60.00").summary == "SUCCESS APPROVED")
    }

    @Test func isReportedWhereTheOrderIsAndAsItIsRetrieved() async throws {
        var shop = try await CommWebShop.open()
        shop.version = 60
        try await shop.pay("AUTHORIZE", "o1", "a", amount: "100.00") {
            $0["order.notificationUrl"] = "https://shop.example/one"
        }
        let id = try #require(try await shop.test.payments().first).id
        let capture = try await shop.test.gateway.administration.capture(
            id, amount: nil, isFinal: true, key: "c", reason: nil, plans: Self.plans)
        let sent = try await NotificationTests.deliver(shop)
        #expect(sent.map(\.target) == ["https://shop.example/one", "https://shop.example/one"])
        let message = try #require(sent.last).notification
        #expect(message.body == (try await shop.get("order/o1/transaction/\(capture.operation.id.text)").bytes))
        let body = try JSON.parse(message.body)
        #expect(body["version"]?.string == "60" && body["order"]?["status"]?.string == "CAPTURED")
    }

    @Test func accountsAddressStandsInForTheOrders() async throws {
        let shop = try await CommWebShop.open()
        _ = try await Self.acted(shop)
        #expect(try await NotificationTests.deliver(shop).allSatisfy { $0.target == CommWebShop.notifyURL })
    }

    @Test func paymentIsVoidedAsAWhole() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("PAY", "o1", "p", amount: "10.00")
        let id = try #require(try await shop.test.payments().first).id
        let void = try await shop.test.gateway.administration.void(id, key: "v", reason: nil, plans: Self.plans)
        let reply = try await shop.get("order/o1/transaction/\(void.operation.id.text)")
        #expect(reply["transaction.type"] == "VOID_PAYMENT" && reply["transaction.targetTransactionId"] == "p")
        #expect(reply["order.status"] == "CANCELLED")
        #expect(try await NotificationTests.deliver(shop).count == 2)
    }
}
