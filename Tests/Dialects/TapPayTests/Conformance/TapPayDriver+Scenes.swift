//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import DialectConformance
import DialectKit
import Money
import Redaction
import StrictJSON
import TestGateway
import WalletSimulator

@testable import TapPay

extension TapPayDriver {
    var scenes: [TranscriptScene] {
        self.trades + self.followUps + self.readings + self.refusals
    }

    /// A payment of the server's with a prime.
    private func pay(
        _ amount: Money, _ prime: WireInstrument, key: String = "p1", extra: [ExtraField] = [], in shop: DialectShop
    ) async throws {
        var charge = shop.charge(DialectCall(.query, payment: "order-1", key: key), amount, prime)
        charge.extra = extra
        try await shop.send(self.client(in: shop).charge(charge))
    }

    /// What the app gets for a token of an amount.
    private func prime(
        _ amount: Money, isAmountPending: Bool = false, in shop: DialectShop
    ) async throws -> WireInstrument {
        let token = SealedToken(token: try shop.token(amount).paymentToken)
        let request = self.client(in: shop).getPrime(token, isAmountPending: isAmountPending)
        return try await shop.send(request).instrument ?? .sealed(token)
    }

    /// A call of the server's that the client has no name for.
    private func call(_ path: String, _ fields: JSON = [:], in shop: DialectShop) async throws {
        try await shop.send(self.client(in: shop).call("/tpc/" + path, JSONFields(fields)))
    }

    private var trades: [TranscriptScene] {
        [
            TranscriptScene("published-prime", "The primes that the vendor publishes for its sandbox, twice each.") {
                shop in
                let dollars = Money(minorUnits: 1200, currency: self.taiwanDollar)
                let payments = [
                    ("p1", shop.money(1099), PublishedPrime.directPay), ("p2", shop.money(1099), .directPay),
                    ("p3", dollars, .applePay), ("p4", dollars, .applePay),
                ]
                for (key, amount, prime) in payments {
                    try await self.pay(amount, .prime(Redacted(prime.rawValue)), key: key, in: shop)
                }
            },
            TranscriptScene("test-cards", "The vendor's test cards, each with its refusal.") { shop in
                for card in SimulatedCard.tapPayTestCards {
                    var payment = shop.payment(card.name)
                    try await payment.charge(1099, card: card)
                }
            },
            TranscriptScene("deferred-payment", "An amount that is not known yet: the server names it, days later.") {
                shop in
                let prime = try await self.prime(shop.money(100), isAmountPending: true, in: shop)
                shop.clock.advance(seconds: 29 * 86_400)
                try await self.pay(shop.money(4250), prime, in: shop)
            },
            TranscriptScene("expired-prime", "A prime that is paid with after 90 seconds.") { shop in
                var payment = shop.payment()
                let request = try await payment.request(try shop.chargeAction(1099))
                shop.clock.advance(seconds: 91)
                await shop.send(request)
            },
            TranscriptScene("taiwan-dollars", "Whole dollars, as a string of digits, captured in three days.") { shop in
                let dollars = Money(minorUnits: 129_900, currency: self.taiwanDollar)
                let extra = [ExtraField("amount", "1299"), ExtraField("delay_capture_in_days", 3)]
                try await self.pay(dollars, self.prime(dollars, in: shop), extra: extra, in: shop)
                try await self.call("transaction/query", in: shop)
            },
        ]
    }

    private var followUps: [TranscriptScene] {
        [
            TranscriptScene("refund-before-capture", "A part can't be refunded before the capture; all can, once.") {
                shop in
                var payment = shop.payment()
                try await payment.charge(1000)
                try await payment.make(.refund(shop.money(400)))
                try await payment.make(.void)
                try await payment.make(.void)
                try await payment.make(.query)
            },
            TranscriptScene("capture-cancel", "A planned capture taken back, a capture made, and that taken back.") {
                shop in
                let client = self.client(in: shop)
                var payment = shop.payment()
                try await payment.charge(1000)
                for make in [client.cancelCapture, client.cancelCapture, client.capture, client.cancelCapture] {
                    try await shop.send(make(payment.call(.query).followUp(shop.money(1000))))
                }
                try await shop.send(client.tradeHistory(payment.handle[TapPayClient.recTradeID] ?? ""))
            },
            TranscriptScene("capture-cancel-too-late", "A capture of yesterday is final.") { shop in
                var payment = try await shop.paid(1000)
                shop.clock.advance(seconds: 86_400)
                let cancel = payment.call(.query).followUp(shop.money(1000))
                try await shop.send(self.client(in: shop).cancelCapture(cancel))
            },
            TranscriptScene("refund-cancel", "A refund taken back on its day, and one that is a day old.") { shop in
                let client = self.client(in: shop)
                var payment = try await shop.paid(1000)
                try await payment.make(.refund(shop.money(400)))
                for _ in 1...2 {
                    try await shop.send(client.cancelRefund(payment.call(.query).followUp(shop.money(400))))
                }
                try await payment.make(.refund(shop.money(300)))
                shop.clock.advance(seconds: 86_400)
                try await shop.send(client.cancelRefund(payment.call(.query).followUp(shop.money(300))))
                try await payment.make(.query)
            },
        ]
    }

    private var readings: [TranscriptScene] {
        [
            TranscriptScene("query", "Pages, filters and an order, and filters that are none.") { shop in
                for (index, units) in [1000, 3000, 2000].enumerated() {
                    var payment = shop.payment("order-\(index)")
                    try await payment.charge(Int64(units))
                    shop.clock.advance(seconds: 60)
                }
                let queries: [JSON] = [
                    ["records_per_page": 2, "page": 1, "order_by": ["attribute": "amount", "is_descending": true]],
                    [
                        "filters": [
                            "order_number": "order-1", "merchant_id": "GlobalTesting_CTBC", "records_per_page": 1,
                        ]
                    ],
                    ["filters": ["amount": ["lower_limit": 1500, "upper_limit": 2500], "currency": "USD"]],
                    ["filters": ["record_status": 1]],
                    ["records_per_page": 201], ["page": -1], ["filters": ["record_status": 6]],
                    ["filters": ["time": ["start_time": 2, "end_time": 1]]],
                    ["order_by": ["attribute": "color"]],
                ]
                for query in queries { try await self.call("transaction/query", query, in: shop) }
            },
            TranscriptScene("trade-history", "All that was asked of the bank for a trade.") { shop in
                let client = self.client(in: shop)
                var payment = try await shop.paid(1000)
                try await payment.make(.refund(shop.money(400)))
                try await shop.send(client.cancelRefund(payment.call(.query).followUp(shop.money(400))))
                try await shop.send(client.tradeHistory(payment.handle[TapPayClient.recTradeID] ?? ""))
            },
            TranscriptScene("reconciliation", "What moved today.") { shop in
                var payment = try await shop.paid(1000)
                try await payment.make(.refund(shop.money(400)))
                let queries: [JSON] = [
                    [:], ["transaction_actions": ["REFUND"], "records_per_page": 10],
                    ["transaction_actions": ["SALE"]],
                ]
                for query in queries { try await self.call("transaction/reconciliation", query, in: shop) }
            },
        ]
    }

    private var refusals: [TranscriptScene] {
        [
            TranscriptScene("wrong-fields", "A field that is missing or wrong, for each of pay-by-prime's.") { shop in
                var payment = shop.payment()
                let good = try await payment.request(try shop.chargeAction(1000))
                for (name, value) in PaymentFaults.all {
                    await shop.send(try self.changed(good) { body in PaymentFaults.set(value, name, in: &body) })
                }
            },
            TranscriptScene("wrong-trades", "Follow-ups of trades that are none.") { shop in
                for path in ["refund", "refund/cancel", "cap", "cap/cancel", "trade-history"] {
                    try await self.call("transaction/" + path, ["rec_trade_id": "D20260615none"], in: shop)
                }
                try await self.call("transaction/refund", in: shop)
            },
            TranscriptScene("repeated-transaction-id", "Another payment under the same bank_transaction_id.") { shop in
                for _ in 0..<2 {
                    var payment = shop.payment()
                    try await payment.make(try shop.chargeAction(1000), key: "TP1")
                }
            },
            TranscriptScene("not-for-apple-pay", "The card vault, and a path of 2017 with today's body.") { shop in
                try await self.call("payment/pay-by-token", ["card_key": "k", "card_token": "t"], in: shop)
                try await self.call("card/bind", ["prime": "p"], in: shop)
                try await self.call("partner/getrecordsplus", in: shop)
            },
        ]
    }
}

/// One field of a good payment, spoiled; a path's parts are separated by ">".
enum PaymentFaults {
    static let all: [(name: String, value: JSON?)] = [
        ("prime", nil), ("prime", "test_0"), ("merchant_id", nil), ("merchant_id", "Nobody_CTBC"),
        ("amount", nil), ("amount", 0), ("amount", "12.5"), ("amount", 3_316_901), ("amount", 999),
        ("currency", ""), ("currency", "EUR"), ("currency", "TWD"), ("details", nil),
        ("details", .string(String(repeating: "x", count: 101))),
        ("cardholder", nil), ("cardholder>phone_number", nil), ("cardholder>name", nil), ("cardholder>email", nil),
        ("delay_capture_in_days", "soon"), ("delay_capture_in_days", -2), ("bank_transaction_id", "a b"),
        ("order_number", .string(String(repeating: "9", count: 51))),
        ("remember", "perhaps"), ("instalment", 3), ("three_domain_secure", true), ("redeem", true),
        ("cardholder_verify", ["phone_number": true]), ("result_url", "https://shop.example"),
        ("result_url>backend_notify_url", nil), ("result_url>frontend_redirect_url", nil),
        ("result_url>backend_notify_url", "http://shop.example/notify"),
        ("result_url>frontend_redirect_url", "http://shop.example/result"),
    ]

    static func set(_ value: JSON?, _ name: String, in body: inout JSONObject) {
        let parts = name.split(separator: ">").map(String.init)
        guard parts.count == 2 else {
            body[name] = value
            return
        }
        var object = body[parts[0]]?.object ?? JSONObject()
        object[parts[1]] = value
        body[parts[0]] = .object(object)
    }
}
