//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Foundation
import Payments
import StrictJSON
import TestGateway
import WalletSimulator

/// A text and what stands in its place.
struct KnownText {
    let text: String
    let placeholder: String
    /// Whether it is replaced only where it stands alone, not in the middle of a longer word or number: a number of six
    /// digits may be a part of many.
    let isWord: Bool
}

/// What a scene has made that is different in every run, and the placeholders for it: tokens, keys, secrets, the
/// acquirer's references.
struct KnownTexts {
    private(set) var all: [KnownText] = []

    init(_ shop: DialectShop) async throws {
        for secret in shop.test.jar.secrets {
            guard let text = String(validating: secret.bytes, as: UTF8.self), text.count >= 8 else { continue }
            self.add(text, secret.name.replacing(" ", with: "-"))
        }
        for merchant in shop.exchanges.merchants {
            guard let recipient = merchant.recipient else { continue }
            self.add(Data(recipient.publicKeyHash).base64EncodedString(), "public-key-hash")
        }
        for (index, token) in shop.exchanges.tokens.enumerated() { self.add(token, "token-\(index + 1)") }
        let operations = try await shop.test.payments().reversed().flatMap(\.operations)
        for (index, operation) in operations.enumerated() {
            self.add(operation.answer.reference, "acquirer-reference-\(index + 1)", isWord: true)
            self.add(operation.answer.authorizationCode, "authorization-code-\(index + 1)", isWord: true)
            self.add(operation.answer.stan, "stan-\(index + 1)", isWord: true)
            self.add(operation.answer.networkReference, "network-reference-\(index + 1)", isWord: true)
        }
    }

    private mutating func add(_ token: MintedToken, _ name: String) {
        let data = token.paymentData
        let header = data["header"]
        self.add(data["data"]?.string, name + "-data")
        self.add(data["signature"]?.string, name + "-signature")
        self.add(header?["ephemeralPublicKey"]?.string ?? header?["wrappedKey"]?.string, name + "-key")
        self.add(header?["publicKeyHash"]?.string, name + "-public-key-hash")
        self.add(token.transactionIdentifier, name + "-id")
        self.add(token.transactionIdentifier.uppercased(), name + "-id")
    }

    /// The first placeholder for a text is kept.
    private mutating func add(_ text: String?, _ placeholder: String, isWord: Bool = false) {
        guard let text, !text.isEmpty, !self.all.contains(where: { $0.text == text }) else { return }
        self.all.append(KnownText(text: text, placeholder: "<\(placeholder)>", isWord: isWord))
    }
}
