//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import CryptoExtras
import DialectConformance
import DialectKit
import Payments
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Time
import WalletSimulator

extension AlphaPayDriver {
    var scenes: [TranscriptScene] { self.orders + self.refunds + self.bank + self.callers + self.accounts }

    private func orderRequest(_ minorUnits: Int64, _ id: String = "p1", in shop: DialectShop) throws -> ClientRequest {
        try self.client(in: shop).preOrder(
            id, shop.money(minorUnits), description: "Two pounds of apples", notifyURL: "https://shop.example/notify")
    }

    /// An order; its paymentId.
    @discardableResult
    private func order(_ minorUnits: Int64, _ id: String = "p1", in shop: DialectShop) async throws -> String {
        try await shop.send(self.orderRequest(minorUnits, id, in: shop))[AlphaPayClient.paymentID] ?? ""
    }

    private func pay(_ paymentID: String, _ minorUnits: Int64, in shop: DialectShop) async throws {
        let token = SealedToken(token: try shop.token(shop.money(minorUnits)).paymentToken)
        try await shop.send(self.client(in: shop).pay(paymentID, token))
    }

    private func refund(_ paymentID: String, _ minorUnits: Int64, _ id: String, in shop: DialectShop) async throws {
        try await shop.send(
            self.client(in: shop).refund(paymentID, shop.money(minorUnits), requestID: id, description: "Bruised"))
    }

    // MARK: - Orders

    private var orders: [TranscriptScene] {
        [
            TranscriptScene("cancel", "An order that is canceled, and can't be paid any more.") { shop in
                let client = try self.client(in: shop)
                let paymentID = try await self.order(1099, in: shop)
                for _ in 1...2 { try await shop.send(client.cancel(paymentID)) }
                try await self.pay(paymentID, 1099, in: shop)
                try await shop.send(client.inquire(paymentID))
            },
            TranscriptScene("expired-order", "An order that is paid too late.") { shop in
                let paymentID = try await self.order(1099, in: shop)
                shop.clock.advance(seconds: 1801)
                try await self.pay(paymentID, 1099, in: shop)
            },
            TranscriptScene("paid-order", "An order that has been paid, paid again and canceled.") { shop in
                let paymentID = try await self.order(1099, in: shop)
                for _ in 1...2 { try await self.pay(paymentID, 1099, in: shop) }
                try await shop.send(self.client(in: shop).cancel(paymentID))
            },
            TranscriptScene("unknown-order", "An order that there is not.") { shop in
                try await shop.send(self.client(in: shop).inquire("nothing"))
            },
            TranscriptScene("repeated-order", "The same paymentRequestId twice, and with another amount.") { shop in
                for minorUnits in [1099, 1099, 1100] as [Int64] { try await self.order(minorUnits, in: shop) }
            },
            TranscriptScene("illegal-order", "Orders with fields that are missing or wrong.") { shop in
                let client = try self.client(in: shop)
                let bodies =
                    [[:]]
                    + ["", "0", "10.99", "-1"].map {
                        TestShop.orderBody($0, id: "p1", notifyURL: "https://shop.example/notify")
                    } + [
                        [
                            "paymentRequestId": "p1",
                            "order": ["orderAmount": ["value": "1099", "currency": "USD"], "description": "Apples"],
                        ]
                    ]
                for body in bodies { try await shop.send(client.call("apple-pay/preOrder", body)) }
            },
            TranscriptScene("reports", "The transactions and settlements of a day.") { shop in
                let client = try self.client(in: shop)
                var payment = try await shop.paid(1000)
                try await payment.make(.refund(shop.money(400)))
                try await shop.send(client.transactions(day: "20260615"))
                try await shop.send(client.call("settlements", ["date": "20260615"]))
            },
        ]
    }

    // MARK: - Refunds

    private var refunds: [TranscriptScene] {
        [
            TranscriptScene("refund-inquiry", "How a refund stands, and one that there is not.") { shop in
                let client = try self.client(in: shop)
                var payment = try await shop.paid(1000)
                try await payment.make(.refund(shop.money(400)), key: "r1")
                for id in ["r1", "r2"] { try await shop.send(client.inquireRefund(requestID: id)) }
            },
            TranscriptScene("refund-of-unknown-outcome", "A refund whose outcome is not known, until it is recovered.")
            {
                shop in
                let client = try self.client(in: shop)
                var payment = try await shop.paid(10_000)
                try await payment.make(.refund(shop.money(5858)), key: "r1")
                try await shop.send(client.inquireRefund(requestID: "r1"))
                await shop.test.recover()
                try await shop.send(client.inquireRefund(requestID: "r1"))
            },
            TranscriptScene("refused-refunds", "Refunds that can't be: nothing paid, nothing left, another amount.") {
                shop in
                let paymentID = try await self.order(1000, in: shop)
                try await self.refund(paymentID, 100, "r1", in: shop)
                try await self.pay(paymentID, 1000, in: shop)
                for (minorUnits, id) in [(1000, "r1"), (999, "r1"), (1, "r2")] as [(Int64, String)] {
                    try await self.refund(paymentID, minorUnits, id, in: shop)
                }
                let open = try await self.order(6363, "p2", in: shop)
                try await self.pay(open, 6363, in: shop)
                try await self.refund(open, 1, "r3", in: shop)
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
                // What is malformed is signed like the rest.
                let good = WireRequest(try self.orderRequest(1099, in: shop))
                for change in changes {
                    var call = SignedCall(path: good.path, body: good.body, time: shop.clock.now.description)
                    change(&call)
                    await shop.send(try call.request())
                }
            },
            TranscriptScene("reused-nonce", "A request that is sent twice as it is.") { shop in
                let request = try self.orderRequest(1099, in: shop)
                for _ in 1...2 { try await shop.send(request) }
            },
        ]
    }

    // MARK: - Accounts

    private var accounts: [TranscriptScene] {
        [
            TranscriptScene("merchant-not-ready", "A merchant without a certificate.") { shop in
                let other = try await TestShop.addMerchant(to: shop.test, "SECOND", merchantIdentifier: nil)
                try await self.order(1099, in: shop.at(other))
            },
            TranscriptScene("unknown-merchant-identifier", "A merchant identifier that is not the merchant's.") {
                shop in
                try await shop.send(
                    self.client(in: shop).preOrder(
                        "p1", shop.money(1099), description: "Two pounds of apples",
                        extra: [ExtraField("merchantIdentifier", "merchant.com.example.nobody")]))
            },
            TranscriptScene("channel-not-connected", "A merchant whose acquirer is not connected.") { shop in
                let other = shop.at(
                    try await TestShop.addMerchant(
                        to: shop.test, "SECOND", acquirer: nil,
                        merchantIdentifier: "merchant.com.example.second"))
                try await self.pay(try await self.order(1099, in: other), 1099, in: other)
            },
            TranscriptScene("account-not-configured", "An account without a key to sign replies with.") { shop in
                let other = try await shop.test.addMerchant(
                    dialect: shop.dialect.name, key: "SECOND",
                    settings: ["merchantPublicKey": try Keys.merchant.publicKey.pemRepresentation])
                try await self.order(1099, in: shop.at(other))
            },
        ]
    }
}
