//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AlphaPay
import CryptoExtras
import DialectKit
import Foundation
import Gateway
import StrictJSON
import TestGateway
import Testing
import WalletSimulator

@Suite struct ScrubTests {
    /// Whatever is answered, logged or sent, no card number, cryptogram, token or key is in it.
    @Test func nothingSecretIsEverShown() async throws {
        let shop = try await TestShop.open()
        var shown: [String] = []
        var secrets: [String] = try [
            Keys.merchant.pemRepresentation, Keys.gateway.pemRepresentation,
        ].flatMap { $0.split(separator: "\n").map(String.init).filter { $0.count > 40 } }

        let pays: [(value: Int64, card: SimulatedCard, options: MintOptions)] = [
            (1099, .visa, MintOptions()), (5757, .mastercard, MintOptions()), (5858, .amex, MintOptions()),
            (6363, .discover, MintOptions()), (1099, .visaDebit, .forged(.authenticationTagCorrupt)),
            (1099, .jcb, .forged(.publicKeyHashUnknown)), (1099, .unionPay, .forged(.foreignRoot)),
        ]
        for (value, card, options) in pays {
            let order = try await shop.order(String(value))
            let token = try shop.token(value, card: card, options: options)
            secrets += [card.dpan, Data(token.parts.data).base64EncodedString()]
            secrets.append(Data(token.parts.signature).base64EncodedString())
            if let payload = try? JSON.parse(token.parts.plaintext) {
                secrets += [payload["paymentData"]?["onlinePaymentCryptogram"]?.string].compactMap { $0 }
            }
            shown.append(try await shop.pay(order.paymentID, with: token.paymentToken).text)
            shown.append(try await shop.inquire(order.paymentID).text)
            shown.append(try await shop.refund(order.paymentID, "5757").text)
        }
        await shop.recover()
        shown.append(try await shop.call("transactions", ["date": "20260615"]).text)
        for delivery in try await shop.gateway.leaseDeliveries(limit: 100) {
            let merchant = try #require(try await shop.gateway.merchantContext(for: delivery))
            shown.append("\(delivery)")
            guard shop.alphaPay.notificationsCount(for: delivery) > 0 else { continue }
            let notification = try shop.alphaPay.notification(for: delivery, merchant: merchant)
            shown.append(String(decoding: notification.body, as: UTF8.self))
        }
        shown.append(shop.log.text)

        #expect(secrets.count > 20 && shown.count > 25 && !shop.log.text.isEmpty)
        let all = shown.joined(separator: "\n")
        for secret in secrets { #expect(!all.contains(secret)) }
    }
}
