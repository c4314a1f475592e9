//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CommWeb
import DialectConformance
import DialectKit
import Gateway
import Payments
import StrictJSON
import TestGateway
import Testing
import Time

@Suite struct NotificationTests {
    static func deliver(_ shop: CommWebShop, status: Int = 200) async throws -> [Delivered] {
        try await shop.test.deliverAll(through: shop.commWeb) { _ in (status, "") }
    }

    static func header(_ name: String, _ sent: Delivered) -> String? {
        sent.notification.headers.first { $0.name == name }?.value
    }

    static func body(_ sent: Delivered) throws -> JSON { try JSON.parse(sent.notification.body) }

    @Test func reportsATransactionAsItIsRetrieved() async throws {
        var shop = try await CommWebShop.open()
        shop.version = 60
        try await shop.pay("PAY", "o1", "p", amount: "10.00")
        let sent = try await Self.deliver(shop)
        #expect(sent.count == 1 && sent[0].target == CommWebShop.notifyURL && sent[0].notification.method == "POST")
        #expect(sent[0].notification.body == (try await shop.get("order/o1/transaction/p").bytes))
        #expect(try Self.body(sent[0])["version"]?.string == "60")
        #expect(Self.header("Content-Type", sent[0]) == "application/json;charset=UTF-8")
        #expect(Self.header("X-Notification-Secret", sent[0]) == CommWebShop.notificationSecret)
        #expect(Self.header("X-Notification-Attempt", sent[0]) == "1")
        #expect(Self.header("X-Notification-ID", sent[0]) == sent[0].delivery.event.id.text)
    }

    @Test func reportsEveryTransactionInItsOrder() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("AUTHORIZE", "o1", "a", amount: "10.00")
        try await shop.follow("UPDATE_AUTHORIZATION", "o1", "u", amount: "20.00")
        try await shop.follow("CAPTURE", "o1", "c", amount: "20.00")
        try await shop.follow("REFUND", "o1", "r", amount: "5.00")
        try await shop.void("o1", "v", target: "r")
        try await shop.follow("REFUND", "o1", "d", amount: "57.57")
        try await shop.pay("VERIFY", "o2", "y")
        try await shop.pay("PAY", "o3", "n", amount: "57.57")
        let sent = try await Self.deliver(shop)
        let first = try sent.map { try Self.body($0) }
            .filter { $0["order"]?["id"]?.string == "o1" }
            .map { "\($0["transaction"]?["type"]?.string ?? "-") \($0["order"]?["status"]?.string ?? "-")" }
        #expect(
            first == [
                "AUTHORIZATION AUTHORIZED", "AUTHORIZATION_UPDATE AUTHORIZED", "CAPTURE CAPTURED",
                "REFUND PARTIALLY_REFUNDED", "VOID_REFUND CAPTURED",
            ])
        let others = try sent.map { try Self.body($0) }.filter { $0["order"]?["id"]?.string != "o1" }
            .map { $0["response"]?["gatewayCode"]?.string ?? "-" }
        #expect(others.sorted() == ["APPROVED", "DECLINED"])
    }

    /// The request's address, else the order's last, else the account's.
    @Test func goesWhereTheRequestSays() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("AUTHORIZE", "o1", "a", amount: "10.00") {
            $0["order.notificationUrl"] = "https://shop.example/one"
        }
        try await shop.follow("CAPTURE", "o1", "c", amount: "10.00")
        var refund = Body(["apiOperation": "REFUND", "transaction.amount": "1.00", "transaction.currency": "USD"])
        refund["order.notificationUrl"] = "https://shop.example/two"
        try await shop.put("o1", "r1", refund.json)
        try await shop.follow("REFUND", "o1", "r2", amount: "2.00")
        try await shop.pay("AUTHORIZE", "o2", "a", amount: "10.00")
        let targets = try await Self.deliver(shop).map { ($0.delivery.order?.reference ?? "", $0.target) }
        #expect(
            targets.filter { $0.0 == "o1" }.map(\.1) == [
                "https://shop.example/one", "https://shop.example/one", "https://shop.example/two",
                "https://shop.example/two",
            ])
        #expect(targets.filter { $0.0 == "o2" }.map(\.1) == [CommWebShop.notifyURL])
    }

    @Test func sendsNoSecretOverHTTP() async throws {
        let shop = try await CommWebShop.open(settings: ["allowInsecureNotify": "true"])
        try await shop.pay("PAY", "o1") { $0["order.notificationUrl"] = "http://localhost:8080/hook" }
        let sent = try await Self.deliver(shop)
        #expect(sent.count == 1 && Self.header("X-Notification-Secret", sent[0]) == nil)
        #expect(!sent[0].notification.headers.contains { $0.value.contains(CommWebShop.notificationSecret) })
        let live = try await CommWebShop.open(mode: .live, settings: ["allowInsecureNotify": "true"])
        let refused = try await live.pay("PAY", "o1") { $0["order.notificationUrl"] = "http://localhost:8080/hook" }
        #expect(refused.summary == "INVALID_REQUEST FIELD_INVALID order.notificationUrl INVALID")
    }

    @Test func writesAFormWhereTheAccountSaysSo() async throws {
        let shop = try await CommWebShop.open(settings: ["notificationFormat": "NVP"])
        try await shop.pay("PAY", "o1", "p", amount: "10.00")
        let sent = try await Self.deliver(shop)
        #expect(Self.header("Content-Type", sent[0]) == "application/x-www-form-urlencoded;charset=UTF-8")
        let form = try FormFields(
            body: sent[0].notification.body, contentType: Self.header("Content-Type", sent[0]))
        #expect(try form.text("order.totalCapturedAmount", as: .utf8) == "10.00")
    }

    /// The id stays, the attempt counts, and after two days nothing is tried any more.
    @Test func triesAgainForTwoDays() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("PAY", "o1")
        let start = shop.test.clock.now
        var attempts: [String] = []
        var ids: Set<String> = []
        while let sent = try await shop.test.deliverDue(through: shop.commWeb, answering: { _ in (500, "") }).first {
            attempts.append(Self.header("X-Notification-Attempt", sent) ?? "-")
            ids.insert(Self.header("X-Notification-ID", sent) ?? "-")
            guard let retryAt = sent.retryAt else { break }
            shop.test.clock.advance(to: retryAt)
        }
        #expect(attempts == (1...29).map(String.init) && ids.count == 1)
        #expect(shop.test.clock.now.milliseconds(since: start) / 3_600_000 == 48)
    }

    @Test func takesAny2xxForAnAcknowledgement() async throws {
        let shop = try await CommWebShop.open()
        let codes = [199, 200, 201, 204, 299, 300, 302, 404, 500].filter {
            shop.commWeb.isAcknowledged(status: $0, body: [])
        }
        #expect(codes == [200, 201, 204, 299])
    }

    @Test func sendsNothingWhereThereIsNoAddress() async throws {
        let shop = try await CommWebShop.open(settings: ["notifyURL": ""])
        try await shop.pay("PAY", "o1")
        #expect(try await Self.deliver(shop).isEmpty)
    }
}
