//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CryptoExtras
import DialectConformance
import DialectKit
import Foundation
import HTTPTypes
import Payments
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Time
import WalletSimulator

extension AlphaPayDriver {
    var scenes: [TranscriptScene] { self.orders + self.refunds + self.bank + self.callers + self.accounts }

    /// Signs a call and sends it, but for what the closure changes.
    @discardableResult
    private func say(
        _ endpoint: String, _ body: JSON, in shop: DialectShop, change: (inout SignedCall) throws -> Void = { _ in }
    ) async throws -> JSON {
        var call = SignedCall(
            path: "/api/v2.0/payments/" + endpoint, body: body.serialized(), time: shop.clock.now.description)
        call.merchantCode = shop.merchant.key
        try change(&call)
        return try JSON.parse(await shop.send(call.request()).body)
    }

    /// An order; its paymentId.
    private func order(
        _ value: String, _ id: String = "p1", in shop: DialectShop, change: (inout SignedCall) throws -> Void = { _ in }
    ) async throws -> JSON {
        let body = TestShop.orderBody(value, id: id, notifyURL: "https://shop.example/notify")
        return try await self.say("apple-pay/preOrder", body, in: shop, change: change)["paymentId"] ?? ""
    }

    private func pay(_ paymentID: JSON, _ value: Int64, in shop: DialectShop) async throws {
        let token = try shop.token(shop.money(value)).paymentToken
        try await self.say("apple-pay/pay", ["paymentId": paymentID, "token": token], in: shop)
    }

    // MARK: - Orders

    private var orders: [TranscriptScene] {
        [
            TranscriptScene("cancel", "An order that is canceled, and can't be paid any more.") { shop in
                let paymentID = try await self.order("1099", in: shop)
                for _ in 1...2 { try await self.say("cancel", ["paymentId": paymentID], in: shop) }
                try await self.pay(paymentID, 1099, in: shop)
                try await self.say("inquiryPayment", ["paymentId": paymentID], in: shop)
            },
            TranscriptScene("expired-order", "An order that is paid too late.") { shop in
                let paymentID = try await self.order("1099", in: shop)
                shop.clock.advance(seconds: 1801)
                try await self.pay(paymentID, 1099, in: shop)
            },
            TranscriptScene("paid-order", "An order that has been paid, paid again and canceled.") { shop in
                let paymentID = try await self.order("1099", in: shop)
                for _ in 1...2 { try await self.pay(paymentID, 1099, in: shop) }
                try await self.say("cancel", ["paymentId": paymentID], in: shop)
            },
            TranscriptScene("unknown-order", "An order that there is not.") { shop in
                try await self.say("inquiryPayment", ["paymentId": "nothing"], in: shop)
            },
            TranscriptScene("repeated-order", "The same paymentRequestId twice, and with another amount.") { shop in
                for value in ["1099", "1099", "1100"] { _ = try await self.order(value, in: shop) }
            },
            TranscriptScene("illegal-order", "Orders with fields that are missing or wrong.") { shop in
                try await self.say("apple-pay/preOrder", [:], in: shop)
                for value in ["", "0", "10.99", "-1"] { _ = try await self.order(value, in: shop) }
                try await self.say(
                    "apple-pay/preOrder",
                    [
                        "paymentRequestId": "p1",
                        "order": ["orderAmount": ["value": "1099", "currency": "USD"], "description": "Apples"],
                    ], in: shop)
            },
            TranscriptScene("reports", "The transactions and settlements of a day.") { shop in
                var payment = try await shop.paid(1000)
                try await payment.make(.refund(shop.money(400)))
                try await self.say("transactions", ["date": "20260615"], in: shop)
                try await self.say("settlements", ["date": "20260615"], in: shop)
            },
        ]
    }

    // MARK: - Refunds

    private var refunds: [TranscriptScene] {
        [
            TranscriptScene("refund-inquiry", "How a refund stands, and one that there is not.") { shop in
                var payment = try await shop.paid(1000)
                try await payment.make(.refund(shop.money(400)), key: "r1")
                try await self.say("inquiryRefund", ["refundRequestId": "r1"], in: shop)
                try await self.say("inquiryRefund", ["refundRequestId": "r2"], in: shop)
            },
            TranscriptScene("refund-of-unknown-outcome", "A refund whose outcome is not known, until it is recovered.")
            {
                shop in
                var payment = try await shop.paid(10_000)
                try await payment.make(.refund(shop.money(5858)), key: "r1")
                try await self.say("inquiryRefund", ["refundRequestId": "r1"], in: shop)
                await shop.test.recover()
                try await self.say("inquiryRefund", ["refundRequestId": "r1"], in: shop)
            },
            TranscriptScene("refused-refunds", "Refunds that can't be: nothing paid, nothing left, another amount.") {
                shop in
                let paymentID = try await self.order("1000", in: shop)
                let id = paymentID.string ?? ""
                try await self.say("refund", TestShop.refundBody(id, "100", id: "r1"), in: shop)
                try await self.pay(paymentID, 1000, in: shop)
                for (value, key) in [("1000", "r1"), ("999", "r1"), ("1", "r2")] {
                    try await self.say("refund", TestShop.refundBody(id, value, id: key), in: shop)
                }
                let open = try await self.order("6363", "p2", in: shop)
                try await self.pay(open, 6363, in: shop)
                try await self.say("refund", TestShop.refundBody(open.string ?? "", "1", id: "r3"), in: shop)
            },
        ]
    }

    // MARK: - The bank and the wire

    private var bank: [TranscriptScene] {
        [
            TranscriptScene("declines", "Every reason for which a bank declines.") { shop in
                for (index, reason) in DeclineReason.allCases.enumerated() {
                    shop.test.script.clear()
                    shop.test.script.append(.init(.authorize, .nth(1), fault: .decline(reason)))
                    var payment = shop.payment("p\(index)")
                    try await payment.charge(1099)
                }
            },
            TranscriptScene("not-processed", "Every reason for which an acquirer does nothing.") { shop in
                for (index, reason) in NotProcessedReason.allCases.enumerated() {
                    shop.test.script.clear()
                    shop.test.script.append(.init(.authorize, .nth(1), fault: .refuse(reason)))
                    var payment = shop.payment("p\(index)")
                    try await payment.charge(1099)
                }
            },
            TranscriptScene("failures", "Requests that did not arrive in full, took too long, or were too many.") {
                shop in
                var payment = shop.payment()
                let request = try await payment.request(try shop.chargeAction(1099))
                for failure in [WireFailure.bodyIncomplete, .timedOut, .overloaded] {
                    await shop.send(request, failing: failure)
                }
            },
        ]
    }

    // MARK: - Headers

    private var callers: [TranscriptScene] {
        [
            TranscriptScene("wrong-headers", "Headers that are malformed.") { shop in
                let changes: [(inout SignedCall) -> Void] = [
                    { $0.signatureHeader = "signature" },
                    { $0.signatureHeader = "algorithm=RS512, keyVersion=1, signature=%s" },
                    { $0.signatureHeader = "algorithm=RS256, keyVersion=9, signature=%s" }, { $0.time = "noon" },
                    { $0.nonce = "short" }, { $0.contentType = "text/plain" },
                ]
                for change in changes { _ = try await self.order("1099", in: shop, change: change) }
            },
            TranscriptScene("reused-nonce", "A request that is sent twice as it is.") { shop in
                for _ in 1...2 {
                    _ = try await self.order("1099", in: shop) { $0.nonce = "0123456789abcdef0123456789abcdef" }
                }
            },
        ]
    }

    // MARK: - Accounts

    private var accounts: [TranscriptScene] {
        [
            TranscriptScene("merchant-not-ready", "A merchant without a certificate.") { shop in
                let other = try await TestShop.addMerchant(to: shop.test, "SECOND", merchantIdentifier: nil)
                _ = try await self.order("1099", in: shop.at(other))
            },
            TranscriptScene("unknown-merchant-identifier", "A merchant identifier that is not the merchant's.") {
                shop in
                var body = TestShop.orderBody("1099", id: "p1").object ?? JSONObject()
                body["merchantIdentifier"] = "merchant.com.example.nobody"
                try await self.say("apple-pay/preOrder", .object(body), in: shop)
            },
            TranscriptScene("channel-not-connected", "A merchant whose acquirer is not connected.") { shop in
                let other = shop.at(
                    try await TestShop.addMerchant(
                        to: shop.test, "SECOND", acquirer: nil,
                        merchantIdentifier: "merchant.com.example.second"))
                try await self.pay(try await self.order("1099", in: other), 1099, in: other)
            },
            TranscriptScene("account-not-configured", "An account without a key to sign replies with.") { shop in
                let other = try await shop.test.addMerchant(
                    dialect: shop.dialect.name, key: "SECOND",
                    settings: ["merchantPublicKey": try Keys.merchant.publicKey.pemRepresentation])
                _ = try await self.order("1099", in: shop.at(other))
            },
        ]
    }
}
