//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import Time
import WalletSimulator

extension TranscriptScene {
    /// What is recorded of every dialect, as far as it has it.
    static func common(_ driver: any DialectDriver) -> [TranscriptScene] {
        self.payments(driver) + self.outcomes(driver) + self.tokens(driver) + self.wire(driver)
    }

    private static func payments(_ driver: any DialectDriver) -> [TranscriptScene] {
        var scenes: [TranscriptScene] = []
        if driver.has(.sale) {
            scenes.append(
                TranscriptScene("payment", "A payment, and how it stands.") { shop in
                    var payment = shop.payment()
                    try await payment.charge(1099)
                    if shop.driver.has(.query) { try await payment.make(.query) }
                })
        }
        if driver.has(.authorization) {
            scenes.append(
                TranscriptScene("authorization-and-capture", "An authorization, and the capture of all of it.") {
                    shop in
                    var payment = shop.payment()
                    try await payment.make(.authorize(shop.money(1099), try shop.token(shop.money(1099))))
                    try await payment.make(.capture(shop.money(1099), isFinal: true))
                    if shop.driver.has(.query) { try await payment.make(.query) }
                })
        }
        if driver.has(.partialCapture), driver.has(.authorization) {
            scenes.append(
                TranscriptScene("partial-captures", "Captures in parts, and one of more than is left.") { shop in
                    var payment = shop.payment()
                    try await payment.make(.authorize(shop.money(1000), try shop.token(shop.money(1000))))
                    try await payment.make(.capture(shop.money(300), isFinal: false))
                    try await payment.make(.capture(shop.money(701), isFinal: false))
                    try await payment.make(.capture(shop.money(700), isFinal: true))
                })
        }
        if driver.has(.void), driver.has(.authorization) {
            scenes.append(
                TranscriptScene("void", "An authorization that is taken back, and a capture that comes too late.") {
                    shop in
                    var payment = shop.payment()
                    try await payment.make(.authorize(shop.money(1099), try shop.token(shop.money(1099))))
                    try await payment.make(.void)
                    try await payment.make(.capture(shop.money(1099), isFinal: true))
                })
        }
        if driver.has(.refund) {
            scenes.append(
                TranscriptScene("refunds", "Refunds in parts, and one of more than is left.") { shop in
                    var payment = try await shop.paid(1000)
                    try await payment.make(.refund(shop.money(400)))
                    try await payment.make(.refund(shop.money(601)))
                    try await payment.make(.refund(shop.money(600)))
                    if shop.driver.has(.query) { try await payment.make(.query) }
                })
        }
        if driver.has(.notifications) {
            scenes.append(
                TranscriptScene("notifications", "What the merchant is told of a payment and a refund.") { shop in
                    var payment = try await shop.paid(1000)
                    if shop.driver.has(.refund) { try await payment.make(.refund(shop.money(400))) }
                    try await shop.deliverAll()
                })
        }
        return scenes
    }

    private static func outcomes(_ driver: any DialectDriver) -> [TranscriptScene] {
        var scenes = [
            TranscriptScene("declined-payment", "A payment that the bank declines.") { shop in
                var payment = shop.payment()
                try await payment.charge(5757)
                if shop.driver.has(.query) { try await payment.make(.query) }
            },
            TranscriptScene("unknown-outcome", "A payment whose outcome is not known, until it is recovered.") { shop in
                var payment = shop.payment()
                try await payment.charge(5858)
                if shop.driver.has(.query) { try await payment.make(.query) }
                await shop.test.recover()
                if shop.driver.has(.query) { try await payment.make(.query) }
                if shop.driver.has(.notifications) { try await shop.deliverAll() }
            },
            TranscriptScene("taken-back", "A payment that never becomes known, and is taken back.") { shop in
                var payment = shop.payment()
                let request = try await payment.request(try shop.chargeAction(6363))
                await shop.send(request)
                await shop.test.recover()
                if shop.driver.has(.paymentRepeats) {
                    await shop.send(try shop.driver.renewed(request, in: shop))
                }
                if shop.driver.has(.notifications) { try await shop.deliverAll() }
            },
        ]
        if driver.has(.refund) {
            scenes.append(
                TranscriptScene("declined-refund", "A refund that the bank declines.") { shop in
                    var payment = try await shop.paid(10_000)
                    try await payment.make(.refund(shop.money(5757)))
                })
        }
        if driver.has(.paymentRepeats) {
            scenes.append(
                TranscriptScene("repeated-payment", "The same payment request twice.") { shop in
                    var payment = shop.payment()
                    let amount = shop.money(1099)
                    let token = try shop.token(amount)
                    let request = try await payment.request(
                        shop.driver.has(.sale) ? .pay(amount, token) : .authorize(amount, token))
                    await shop.send(request)
                    await shop.send(try shop.driver.renewed(request, in: shop))
                })
        }
        return scenes
    }

    private static func tokens(_ driver: any DialectDriver) -> [TranscriptScene] {
        var scenes = [
            TranscriptScene("replayed-token", "A token that has been used before.") { shop in
                let amount = shop.money(1099)
                let token = try shop.token(amount)
                var (first, second) = (shop.payment("p1"), shop.payment("p2"))
                try await first.charge(amount, token)
                try await second.charge(amount, token)
            },
            TranscriptScene("forged-token", "A token that Apple has not signed.") { shop in
                var payment = shop.payment()
                try await payment.charge(1099, options: .forged(.foreignRoot))
            },
            TranscriptScene("undecryptable-token", "A token whose contents have been damaged before it was signed.") {
                shop in
                var payment = shop.payment()
                try await payment.charge(1099, options: .forged(.authenticationTagCorrupt))
            },
            TranscriptScene("token-for-unknown-key", "A token for a key that is not the merchant's.") { shop in
                var payment = shop.payment()
                try await payment.charge(1099, options: .forged(.publicKeyHashUnknown))
            },
            TranscriptScene("expired-token", "A token that is too old.") { shop in
                let amount = shop.money(1099)
                let token = try shop.token(amount)
                shop.clock.advance(seconds: 3601)
                var payment = shop.payment()
                try await payment.charge(amount, token)
            },
            TranscriptScene("live-token", "A live token at a sandbox merchant.") { shop in
                let amount = shop.money(1099)
                var payment = shop.payment()
                try await payment.charge(amount, try shop.token(amount, mode: .live))
            },
        ]
        if driver.has(.statedAmount) {
            scenes.append(
                TranscriptScene("amount-unlike-token", "An amount that is not the token's.") { shop in
                    var payment = shop.payment()
                    try await payment.charge(shop.money(1099), try shop.token(shop.money(1100)))
                })
        }
        if driver.has(.statedCurrency) {
            scenes.append(
                TranscriptScene("currency-unlike-token", "A currency that is not the token's.") { shop in
                    var payment = shop.payment()
                    let foreign = Money(minorUnits: 1099, currency: shop.driver.foreignCurrency)
                    try await payment.charge(shop.money(1099), try shop.token(foreign))
                })
        }
        return scenes
    }

    private static func wire(_ driver: any DialectDriver) -> [TranscriptScene] {
        [
            TranscriptScene("wrong-credentials", "Callers who are not who they say.") { shop in
                var payment = shop.payment()
                let good = try await payment.request(try shop.chargeAction(1099))
                for wrong in try shop.driver.withWrongCredentials(good, in: shop) { await shop.send(wrong.request) }
            },
            TranscriptScene("malformed-body", "A body that is cut in the middle, one that is empty, and one too long.")
            {
                shop in
                var payment = shop.payment()
                let good = try await payment.request(try shop.chargeAction(1099))
                for body in [Array(good.body.prefix(60)), [], Array(repeating: 0x61, count: 2 << 20)] {
                    var request = good
                    request.body = body
                    await shop.send(try shop.driver.renewed(request, in: shop))
                }
            },
            TranscriptScene("unknown-path-and-method", "Requests that reach nothing.") { shop in
                var payment = shop.payment()
                let good = try await payment.request(try shop.chargeAction(1099))
                for path in shop.driver.unknownPaths.prefix(1) {
                    var request = good
                    request.path = path
                    await shop.send(try shop.driver.renewed(request, in: shop))
                }
                for method in shop.driver.unknownMethods.prefix(1) {
                    var request = good
                    request.method = method
                    await shop.send(try shop.driver.renewed(request, in: shop))
                }
            },
        ]
    }
}

extension TranscriptScene {
    /// What came to be recorded after the scenes of single dialects.
    static func last(_ driver: any DialectDriver) -> [TranscriptScene] {
        [
            TranscriptScene("guesser-waits", "Wrong credentials from one address, until they are looked at no more.") {
                shop in
                var payment = shop.payment()
                let good = try await payment.request(try shop.chargeAction(1099))
                for wrong in try shop.driver.withWrongCredentials(good, in: shop) {
                    var request = wrong.request
                    request.remoteAddress = "203.0.113.9"
                    for _ in 0..<6 {
                        if await shop.send(request).headers[.retryAfter] != nil { return }
                    }
                }
            }
        ]
    }
}

extension DialectShop {
    /// What begins a payment with a new token.
    public func chargeAction(_ minorUnits: Int64) throws -> DialectCall.Action {
        let amount = self.money(minorUnits)
        let token = try self.token(amount)
        return self.driver.has(.sale) ? .pay(amount, token) : .authorize(amount, token)
    }

    /// A payment of which all is captured.
    public func paid(_ minorUnits: Int64, _ name: String = "p1") async throws -> ShopPayment {
        var payment = self.payment(name)
        try await payment.charge(minorUnits)
        if !self.driver.has(.sale) { try await payment.make(.capture(self.money(minorUnits), isFinal: true)) }
        return payment
    }
}
