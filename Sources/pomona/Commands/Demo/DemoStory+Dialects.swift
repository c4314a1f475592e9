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
    /// In every dialect but the story's own.
    func payInEveryDialect() async throws {
        for module in DialectModule.all {
            // A dialect that this sandbox does not have has no merchant either.
            guard let scene = module.scene,
                let card = self.application.merchants.first(where: { $0.name == module.name })
            else { continue }
            self.printer.step(scene.title)
            try await self.play(scene, card)
        }
    }

    func play(_ scene: DemoScene, _ card: MerchantCard) async throws {
        guard let account = try card.shopAccount(.system) else {
            throw CommandFailure(.merchantUnknown, stage: .demo, "There is no client for \(card.name).")
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
