//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Money
import Storefront
import SwiftASN1
import Time
import WalletSimulator
import X509

/// The same gateway, spoken to in the other dialects: each pays with a token of its own merchant, over HTTP, in the
/// requests that the original API's clients send.
extension DemoStory {
    /// What is shown of a payment in one of the dialects.
    private struct Scene {
        let name: String
        let title: String
        let amount: String
        /// What the service calls its requests.
        let authorization: String
        let capture: String
        /// What it calls what it answers a payment's name with.
        let reference: String
    }

    private static let scenes = [
        Scene(
            name: "tappay", title: "TapPay: a prime for the token, pay by prime, capture", amount: "350.00",
            authorization: "getprime, pay-by-prime", capture: "transaction/cap", reference: "rec_trade_id"),
        Scene(
            name: "commweb", title: "CommWeb (Mastercard Gateway): authorize and capture, REST and JSON",
            amount: "42.50", authorization: "AUTHORIZE", capture: "CAPTURE", reference: "transaction"),
        Scene(
            name: "payone", title: "PAYONE: preauthorization and capture, form fields in and key=value lines out",
            amount: "10.00", authorization: "preauthorization", capture: "capture", reference: "txid"),
        Scene(
            name: "radial", title: "Radial: authorization and settlement, XML both ways", amount: "14.99",
            authorization: "creditcard/auth/DW", capture: "settlement/create", reference: "account token"),
    ]

    func payInEveryDialect() async throws {
        for scene in Self.scenes {
            // A dialect that this program does not have has no merchant either.
            guard let card = self.application.merchants.first(where: { $0.name == scene.name }) else { continue }
            try await self.play(scene, card)
        }
    }

    /// The TapPay scene again, while its merchant's money goes elsewhere.
    func playThroughBank(_ card: MerchantCard) async throws {
        guard let scene = Self.scenes.first(where: { $0.name == card.name }) else { return }
        try await self.perform(scene, card)
    }

    private func play(_ scene: Scene, _ card: MerchantCard) async throws {
        self.printer.step(scene.title)
        try await self.perform(scene, card)
    }

    private func perform(_ scene: Scene, _ card: MerchantCard) async throws {
        guard let account = try card.shopAccount(.system) else {
            throw CommandFailure(.merchantUnknown, stage: .demo, "There is no client for \(scene.name).")
        }
        let amount = try Money(decimalText: scene.amount, currency: account.currency)
        let token = try self.mint(amount, for: card)
        var purchase = Purchase(
            reference: "demo" + Hex.encode(Surroundings.system.random(4)), amount: amount,
            summary: "One apple, organic",
            countryCode: card.countryCode)
        let authorized = try await account.client.authorize(
            &purchase, with: .token(token.paymentToken), on: self.shop.wire)
        self.printer.fact(scene.authorization, "\(amount): \(authorized.message)")
        self.printer.fact(scene.reference, authorized.reference ?? "none")
        try self.printer.check(
            "\(account.title) answers that it is authorized", authorized.status == .approved, authorized.message)
        let captured = try await account.client.capture(&purchase, on: self.shop.wire)
        self.printer.fact(scene.capture, "\(amount): \(captured.message)")
        try self.printer.check("the capture is made", captured.status == .approved, captured.message)
    }

    /// A token for a merchant, as its payment sheet would get it.
    private func mint(_ amount: Money, for card: MerchantCard) throws -> MintedToken {
        let certificate = try Certificate(pemEncoded: try FileSystem.readText(card.processingCertificatePath))
        return try self.phone.mint(
            PaymentRequest(
                merchantIdentifier: card.merchantIdentifier, amountMinorUnits: amount.minorUnits,
                currencyCode: amount.currency.numericText),
            card: .visa, recipient: try ProcessingPublicKey(certificate: certificate),
            signingTime: Timestamp.now().date)
    }
}
