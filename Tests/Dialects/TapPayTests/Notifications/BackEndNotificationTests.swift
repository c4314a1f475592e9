//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import DialectConformance
import DialectKit
import Foundation
import Gateway
import Payments
import StrictJSON
import TestGateway
import Testing
import Time

@testable import TapPay

@Suite struct BackEndNotificationTests {
    private static let urls: JSON = [
        "frontend_redirect_url": .string(BackEndShop.redirectURL),
        "backend_notify_url": .string(BackEndShop.notifyURL),
    ]

    /// What is due to be sent to a shop, with the message.
    private func due(_ shop: BackEndShop) async throws -> [(Delivery, OutgoingNotification)] {
        var sent: [(Delivery, OutgoingNotification)] = []
        for delivery in try await shop.test.gateway.leaseDeliveries(limit: 10) {
            let merchant = try #require(try await shop.test.gateway.merchantContext(for: delivery))
            let count = shop.tapPay.notificationsCount(for: delivery)
            if count > 0 {
                sent.append((delivery, try shop.tapPay.notification(for: delivery, merchant: merchant)))
            } else {
                #expect(throws: NotificationError.self) {
                    try shop.tapPay.notification(for: delivery, merchant: merchant)
                }
            }
            try await shop.test.gateway.record(.delivered("http_200"), of: delivery, messagesCount: count)
        }
        return sent
    }

    @Test(arguments: [nil, "n0t1f1cat10n"])
    func notifiesOfAPaymentWithAProof(_ key: String?) async throws {
        let shop = try await BackEndShop.open(notificationKey: key)
        let answer = try await shop.pay(
            100, changing: ["result_url": Self.urls, "order_number": "A-1", "bank_transaction_id": "TP1"])
        let (delivery, message) = try #require(try await self.due(shop).first)
        #expect(delivery.event.target == BackEndShop.notifyURL && message.method == "POST")
        let body = try JSON.parse(message.body)
        let texts = [
            "rec_trade_id": answer.recTradeID, "auth_code": answer["auth_code"], "bank_transaction_id": "TP1",
            "bank_order_number": answer["bank_order_number"], "order_number": "A-1", "msg": "Success",
            "acquirer": "simulator", "bank_result_code": "00", "bank_result_msg": "Success",
        ]
        for (name, text) in texts { #expect(body[name]?.string == text, "\(name)") }
        let now = shop.test.clock.now
        #expect(body["amount"]?.integer == 100 && body["status"]?.integer == 0)
        #expect(body["transaction_time_millis"]?.integer == now.milliseconds)
        #expect(body["transaction_complete_millis"]?.integer == now.milliseconds)
        #expect(body["pay_info"]?["masked_credit_card_number"]?.string == "489537******5671")
        #expect(message.headers.first { $0.name == "Content-Type" }?.value == "application/json")
        let code = HMAC<SHA256>.authenticationCode(
            for: Data(Array("\(now.seconds).".utf8) + message.body),
            using: SymmetricKey(data: Data((key ?? shop.partnerKey).utf8)))
        #expect(
            message.headers.first { $0.name == "X-Pomona-Signature" }?.value
                == "t=\(now.seconds),v1=\(Hex.encode(code))")
    }

    @Test func notifiesOfADecline() async throws {
        let shop = try await BackEndShop.open()
        try await shop.pay(5757, changing: ["result_url": Self.urls])
        let (_, message) = try #require(try await self.due(shop).first)
        let body = try JSON.parse(message.body)
        #expect(body["status"]?.integer == 10003 && body["msg"]?.string == "Card Error")
        #expect(body["bank_result_code"]?.string == "05" && body["auth_code"]?.string == "")
    }

    @Test func notifiesOfNothingElse() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.pay(100, changing: ["result_url": Self.urls]).recTradeID
        #expect(try await self.due(shop).count == 1)
        try await shop.follow("cap", trade)
        try await shop.follow("refund", trade)
        #expect(try await self.due(shop).isEmpty)
        try await shop.pay()
        #expect(try await self.due(shop).isEmpty)
    }

    @Test func fiveResendsAndOnlyA200Counts() async throws {
        let shop = try await BackEndShop.open()
        #expect(shop.tapPay.retrySchedule.delaysSeconds.count == 5)
        #expect(shop.tapPay.isAcknowledged(status: 200, body: Array("anything".utf8)))
        for status in [201, 204, 302, 404, 500] { #expect(!shop.tapPay.isAcknowledged(status: status, body: [])) }
    }
}
