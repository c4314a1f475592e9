//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import DialectKit
import HTTPTypes
import Money
import StrictJSON
import TestGateway

extension CommWebDriver {
    var scenes: [TranscriptScene] { self.payments + self.sessions + self.others }

    private var payments: [TranscriptScene] {
        [
            TranscriptScene("merchant-decrypted", "A payment with what the merchant has decrypted.") { shop in
                await shop.send(self.put(order: "o1", transaction: "1", self.decrypted(in: shop), in: shop))
            },
            TranscriptScene("card", "A payment with a card number that the payer typed.") { shop in
                var body = self.decrypted(in: shop)
                for path in ["cryptogramFormat", "onlinePaymentCryptogram", "eciIndicator"] {
                    body[Body.card + "devicePayment." + path] = nil
                }
                body["order.walletProvider"] = nil
                await shop.send(self.put(order: "o1", transaction: "1", body, in: shop))
            },
            TranscriptScene("verify", "A card that is verified, and then charged.") { shop in
                let amount = shop.money(1099)
                var verify = self.payment("VERIFY", amount, try shop.token(amount))
                verify["order.amount"] = nil
                await shop.send(self.put(order: "o1", transaction: "1", verify, in: shop))
                let pay = self.payment("PAY", amount, try shop.token(amount))
                await shop.send(self.put(order: "o1", transaction: "2", pay, in: shop))
                await shop.send(self.get("order/o1", in: shop))
            },
            TranscriptScene("update-authorization", "An authorization that is raised, and captured.") { shop in
                var payment = shop.payment("o1")
                try await payment.make(.authorize(shop.money(1000), try shop.token(shop.money(1000))), key: "1")
                let raise = self.followUp("UPDATE_AUTHORIZATION", shop.money(1500))
                await shop.send(self.put(order: "o1", transaction: "2", raise, in: shop))
                try await payment.make(.capture(shop.money(1500), isFinal: false), key: "3")
            },
            TranscriptScene("targets", "Refunds and voids of one of two captures, and such as say not which.") { shop in
                var payment = shop.payment("o1")
                try await payment.make(.authorize(shop.money(10_000), try shop.token(shop.money(10_000))), key: "1")
                try await payment.make(.capture(shop.money(4000), isFinal: false), key: "2")
                try await payment.make(.capture(shop.money(6000), isFinal: false), key: "3")
                for (amount, target) in [(1000, nil), (5000, "2"), (1000, "1"), (4000, "2")] as [(Int64, String?)] {
                    var refund = self.followUp("REFUND", shop.money(amount))
                    refund["transaction.targetTransactionId"] = target.map(JSON.string)
                    await shop.send(self.put(order: "o1", transaction: "4", refund, in: shop))
                }
                for target in [nil, "2", "4"] as [String?] {
                    var void = Body(["apiOperation": "VOID"])
                    void["transaction.targetTransactionId"] = target.map(JSON.string)
                    await shop.send(self.put(order: "o1", transaction: "5", void, in: shop))
                }
            },
            TranscriptScene(
                "partial-approval", "A part of the amount, and what becomes of it where the merchant takes none."
            ) { shop in
                let amount = shop.money(616_100)
                for (order, accepts) in [("o1", nil), ("o2", "false")] as [(String, String?)] {
                    var body = self.payment("AUTHORIZE", amount, try shop.token(amount))
                    body["order.acceptPartialAmount"] = accepts.map(JSON.string)
                    await shop.send(self.put(order: order, transaction: "1", body, in: shop))
                }
            },
            TranscriptScene("unmask", "UNMASK, without and with a client certificate.") { shop in
                let amount = shop.money(1099)
                var body = self.payment("AUTHORIZE", amount, try shop.token(amount))
                body["responseControls.sensitiveData"] = "UNMASK"
                var request = self.put(order: "o1", transaction: "1", body, in: shop)
                await shop.send(request)
                request.headers[.authorization] = nil
                request.clientCertificate = ClientCertificate(sha256: CommWebShop.certificate)
                await shop.send(request)
                await shop.send(self.get("order/o1/transaction/1", in: shop))
            },
        ]
    }

    private var sessions: [TranscriptScene] {
        [
            TranscriptScene("session", "A session that the payer's device fills, and a payment with it.") { shop in
                let created = await shop.send(self.send(.post, "session", Body(), in: shop))
                let id = try Reply(created)["session.id"] ?? ""
                let amount = shop.money(1099)
                var details = self.payment("", amount, try shop.token(amount))
                details["apiOperation"] = nil
                var update = self.send(.put, "session/\(id)", details, in: shop)
                update.headers[.authorization] = CommWebShop.base64("merchant.\(shop.merchant.key):\(id)")
                await shop.send(update)
                await shop.send(self.get("session/\(id)", in: shop))
                let pay = Body(["apiOperation": "PAY", "session.id": .string(id)])
                await shop.send(self.put(order: "o1", transaction: "1", pay, in: shop))
                await shop.send(self.put(order: "o2", transaction: "1", pay, in: shop))
            }
        ]
    }

    private var others: [TranscriptScene] {
        [
            TranscriptScene("nvp", "The same as names and values: a payment, its order, and an error.") { shop in
                let amount = shop.money(1099)
                var fields = self.payment("PAY", amount, try shop.token(amount)).form
                fields["order.id"] = "o1"
                fields["transaction.id"] = "1"
                await shop.send(self.nvp(fields, in: shop))
                await shop.send(self.nvp(["apiOperation": "RETRIEVE_ORDER", "order.id": "o1"], in: shop))
                await shop.send(self.nvp(["apiOperation": "RETRIEVE_ORDER", "order.id": "o2"], in: shop))
            },
            TranscriptScene("payment-options", "What the account can be paid with, in Australian dollars.") { shop in
                let body = Body(["apiOperation": "PAYMENT_OPTIONS_INQUIRY", "order.currency": "AUD"])
                await shop.send(self.send(.post, "paymentOptionsInquiry", body, in: shop))
            },
            TranscriptScene("wrong-fields", "Fields that are missing, malformed or not supported.") { shop in
                let amount = shop.money(1099)
                let good = self.payment("PAY", amount, try shop.token(amount))
                let wrong: [(String, JSON?)] = [
                    ("apiOperation", "DISBURSEMENT"), ("order.amount", "10,99"), ("order.currency", nil),
                    ("order.walletProvider", "GOOGLE_PAY"), ("posTerminal.location", "HERE"),
                    (Body.token, ["version": "EC_v1"]),
                ]
                for (path, value) in wrong {
                    var body = good
                    body[path] = value
                    await shop.send(self.put(order: "o1", transaction: "1", body, in: shop))
                }
            },
            TranscriptScene("check-gateway", "Whether the gateway operates, and a version that it does not know.") {
                shop in
                for version in ["71", "45"] {
                    await shop.send(WireRequest(method: .get, path: "/api/rest/version/\(version)/information"))
                }
            },
        ]
    }

    /// The vendor's example of a decrypted token.
    private func decrypted(in shop: DialectShop) -> Body {
        shop.test.jar.keep(Secret("card number", "5123450000000008"))
        shop.test.jar.keep(Secret("cryptogram", "IA/8pdiWftSsxpFT6wABoDABhgA="))
        return PaymentTests.decrypted("PAY")
    }

    private func nvp(_ fields: [String: String], in shop: DialectShop) -> WireRequest {
        var all = fields
        all["apiUsername"] = "merchant." + shop.merchant.key
        all["apiPassword"] = CommWebShop.password
        all["merchant"] = shop.merchant.key
        var request = WireRequest(
            method: .post, path: "/api/nvp/version/71", body: CommWebShop.form(all))
        request.headers[.contentType] = "application/x-www-form-urlencoded"
        return request
    }
}
