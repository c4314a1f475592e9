//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import DialectConformance
import DialectKit
import HTTPTypes
import Money
import Redaction
import StrictJSON
import TestGateway
import WalletSimulator

extension CommWebDriver {
    var scenes: [TranscriptScene] { self.payments + self.sessions + self.others }

    private func body(
        _ operation: CommWebClient.Operation, _ minorUnits: Int64, _ extra: [ExtraField] = [], in shop: DialectShop
    ) throws -> JSON {
        let token = try shop.token(shop.money(minorUnits)).paymentData.text()
        var body = CommWebClient.ChargeBody(operation, shop.money(minorUnits), .paymentToken(Redacted(token)))
        body.extra = extra
        return body.json
    }

    /// A request that the client has not: to another path of the merchant's.
    private func request(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSON?, in shop: DialectShop
    ) -> WireRequest {
        var request = WireRequest(
            body.map { self.client(in: shop).put($0, order: "o", transaction: "t") }
                ?? self.client(in: shop).retrieve(order: "o"))
        request.method = method
        request.path = "/api/rest/version/71/merchant/\(shop.merchant.key)/\(path)"
        return request
    }

    private var payments: [TranscriptScene] {
        [
            TranscriptScene("merchant-decrypted", "A payment with what the merchant has decrypted.") { shop in
                try await self.payOpened(in: shop) { number, cryptogram in
                    .device(
                        OpenedToken(number: number, expiryYearMonth: "3901", cryptogram: cryptogram, eci: "20"))
                }
            },
            TranscriptScene("card", "A payment with a card number that the payer typed.") { shop in
                try await self.payOpened(in: shop) { number, _ in
                    .card(TypedCard(number: number, expiryYearMonth: "3901"))
                }
            },
            TranscriptScene("verify", "A card that is verified, and then charged.") { shop in
                let client = self.client(in: shop)
                for (id, operation) in [("1", .verify), ("2", .pay)] as [(String, CommWebClient.Operation)] {
                    try await shop.send(client.put(self.body(operation, 1099, in: shop), order: "o1", transaction: id))
                }
                try await shop.send(client.retrieve(order: "o1"))
            },
            TranscriptScene("update-authorization", "An authorization that is raised, and captured.") { shop in
                var payment = shop.payment("o1")
                try await payment.make(.authorize(shop.money(1000), try shop.token(shop.money(1000))), key: "1")
                let raise = payment.call(.query, key: "2").followUp(shop.money(1500))
                try await shop.send(self.client(in: shop).updateAuthorization(raise))
                try await payment.make(.capture(shop.money(1500), isFinal: false), key: "3")
            },
            TranscriptScene("targets", "Refunds and voids of one of two captures, and such as say not which.") { shop in
                let client = self.client(in: shop)
                var payment = shop.payment("o1")
                try await payment.make(.authorize(shop.money(10_000), try shop.token(shop.money(10_000))), key: "1")
                try await payment.make(.capture(shop.money(4000), isFinal: false), key: "2")
                try await payment.make(.capture(shop.money(6000), isFinal: false), key: "3")
                for (amount, target) in [(1000, nil), (5000, "2"), (1000, "1"), (4000, "2")] as [(Int64, String?)] {
                    var refund = payment.call(.query, key: "4").followUp(shop.money(amount))
                    refund.target = target
                    try await shop.send(client.refund(refund))
                }
                let voids: [JSON] =
                    [["apiOperation": "VOID"]] + ["2", "4"].map { CommWebClient.voidBody(of: $0) }
                for void in voids { try await shop.send(client.put(void, order: "o1", transaction: "5")) }
            },
            TranscriptScene(
                "partial-approval", "A part of the amount, and what becomes of it where the merchant takes none."
            ) { shop in
                let none = [ExtraField("order.acceptPartialAmount", "false")]
                for (order, extra) in [("o1", []), ("o2", none)] {
                    let body = try self.body(.authorize, 616_100, extra, in: shop)
                    try await shop.send(self.client(in: shop).put(body, order: order, transaction: "1"))
                }
            },
            TranscriptScene("unmask", "UNMASK, without and with a client certificate.") { shop in
                let client = self.client(in: shop)
                let body = try self.body(
                    .authorize, 1099, [ExtraField("responseControls.sensitiveData", "UNMASK")], in: shop)
                var request = WireRequest(client.put(body, order: "o1", transaction: "1"))
                await shop.send(request)
                request.headers[.authorization] = nil
                request.clientCertificate = ClientCertificate(sha256: CommWebShop.certificate)
                await shop.send(request)
                try await shop.send(client.retrieve(order: "o1", transaction: "1"))
            },
        ]
    }

    /// Pays with the vendor's example of a decrypted token, or with the card number in it.
    private func payOpened(
        in shop: DialectShop, _ source: (Redacted<String>, Redacted<String>) -> CommWebClient.Source
    ) async throws {
        let (number, cryptogram) = ("5123450000000008", "IA/8pdiWftSsxpFT6wABoDABhgA=")
        shop.test.jar.keep(Secret("card number", number))
        shop.test.jar.keep(Secret("cryptogram", cryptogram))
        var body = CommWebClient.ChargeBody(
            .pay, shop.money(3010), source(Redacted(number), Redacted(cryptogram)))
        body.extra = [ExtraField("device.ani", "12341234")]
        try await shop.send(self.client(in: shop).put(body.json, order: "o1", transaction: "1"))
    }

    private var sessions: [TranscriptScene] {
        [
            TranscriptScene("session", "A session that the payer's device fills, and a payment with it.") { shop in
                let client = self.client(in: shop)
                let id = try await shop.send(client.createSession())["session.id"] ?? ""
                var details = Body(try self.body(.pay, 1099, in: shop))
                details["apiOperation"] = nil
                var update = self.request(.put, "session/\(id)", details.json, in: shop)
                update.headers[.authorization] = CommWebShop.base64("merchant.\(shop.merchant.key):\(id)")
                await shop.send(update)
                await shop.send(self.request(.get, "session/\(id)", nil, in: shop))
                let pay: JSON = ["apiOperation": "PAY", "session": ["id": .string(id)]]
                for order in ["o1", "o2"] { try await shop.send(client.put(pay, order: order, transaction: "1")) }
            }
        ]
    }

    private var others: [TranscriptScene] {
        [
            TranscriptScene("nvp", "The same as names and values: a payment, its order, and an error.") { shop in
                var fields = Body(try self.body(.pay, 1099, in: shop)).form
                fields["order.id"] = "o1"
                fields["transaction.id"] = "1"
                await shop.send(self.nvp(fields, in: shop))
                await shop.send(self.nvp(["apiOperation": "RETRIEVE_ORDER", "order.id": "o1"], in: shop))
                await shop.send(self.nvp(["apiOperation": "RETRIEVE_ORDER", "order.id": "o2"], in: shop))
            },
            TranscriptScene("payment-options", "What the account can be paid with, in Australian dollars.") { shop in
                let body: JSON = ["apiOperation": "PAYMENT_OPTIONS_INQUIRY", "order": ["currency": "AUD"]]
                await shop.send(self.request(.post, "paymentOptionsInquiry", body, in: shop))
            },
            TranscriptScene("wrong-fields", "Fields that are missing, malformed or not supported.") { shop in
                let good = Body(try self.body(.pay, 1099, in: shop))
                let wrong: [(String, JSON?)] = [
                    ("apiOperation", "DISBURSEMENT"), ("order.amount", "10,99"), ("order.currency", nil),
                    ("order.walletProvider", "GOOGLE_PAY"), ("posTerminal.location", "HERE"),
                    (Body.token, ["version": "EC_v1"]),
                ]
                for (path, value) in wrong {
                    var body = good
                    body[path] = value
                    try await shop.send(self.client(in: shop).put(body.json, order: "o1", transaction: "1"))
                }
            },
            TranscriptScene("check-gateway", "Whether the gateway operates, which is asked in any version.") {
                shop in
                let information = WireRequest(self.client(in: shop).information())
                await shop.send(information)
                var first = information
                first.path = information.path.replacing("/71/", with: "/1/")
                await shop.send(first)
            },
        ]
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
