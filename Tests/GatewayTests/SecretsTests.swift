//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import Foundation
import Gateway
import MemoryStore
import Money
import Payments
import Redaction
import SimulatorAcquirer
import TestGateway
import Testing
import WalletSimulator

/// Nothing secret is in any record that is handed to the store, nor in any line of the log.
struct SecretsTests {
    /// Each way in which bytes show in a text: as they are, in base64, in hexadecimal, and as a dump lists them.
    private static func spellings(of secret: [UInt8]) -> [String] {
        let hex = secret.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return [
            String(decoding: secret, as: UTF8.self), Data(secret).base64EncodedString(), hex, hex.uppercased(),
            secret.map(String.init).joined(separator: ", "), secret.map { "- \($0)\n" }.joined(),
        ]
    }

    private static func leaks(of secrets: [String: [UInt8]], in texts: [String]) -> [String] {
        let all = texts.joined(separator: "\n")
        let flat = all.split(separator: "\n").map { $0.drop { $0 == " " } + "\n" }.joined()
        return secrets.flatMap { name, secret in
            self.spellings(of: secret).filter { all.contains($0) || flat.contains($0) }.map { _ in name }
        }
    }

    @Test func noSecretIsWrittenToTheStoreOrTheLog() async throws {
        let log = CapturedLog()
        let store = InterceptingStore(MemoryStore())
        store.keepRecords()
        let seen = CapturedInstruments()
        let shop = try await Shop.open { options in
            options.store = store
            options.log = log.logger
            options.acquirer = { base in
                InterceptingAcquirer(base) { call, next in
                    if let charge = call.charge { seen.keep(charge.instrument) }
                    return await next()
                }
            }
        }
        let tokens = try await self.exercise(shop, store)
        var secrets: [String: [UInt8]] = [
            "password": Array("correct horse battery staple".utf8),
            "master key": Shop.masterKey.reveal(),
            "private key": Array(shop.identity.privateKeyPEM.reveal().utf8),
        ]
        let pemBody = shop.identity.privateKeyPEM.reveal().split(separator: "\n").dropFirst().dropLast().joined()
        secrets["private key without its lines"] = Array(pemBody.utf8)
        for (index, token) in seen.opened.enumerated() {
            secrets["PAN \(index)"] = Array(token.pan.reveal().utf8)
            if case .cryptogram(let cryptogram) = token.proof { secrets["cryptogram \(index)"] = cryptogram.reveal() }
        }
        for (index, token) in tokens.enumerated() {
            secrets["payload \(index)"] = token.parts.plaintext
            secrets["token data \(index)"] = token.parts.data
            secrets["token signature \(index)"] = token.parts.signature
        }
        #expect(seen.opened.count == tokens.count - 1)
        #expect(store.records.count > 50)
        #expect(log.lines.count > 3)
        #expect(Self.leaks(of: secrets, in: store.records) == [])
        #expect(Self.leaks(of: secrets, in: log.lines) == [])
        // The scan finds what is there.
        #expect(Self.leaks(of: ["merchant": Array("The first shop".utf8)], in: store.records) != [])
        #expect(Self.leaks(of: ["box": try await self.sealedBox(shop)], in: store.records) != [])
    }

    private func sealedBox(_ shop: Shop) async throws -> [UInt8] {
        let credentials = try await shop.gateway.administration.credentials(of: shop.merchant.merchant.id)
        return try #require(credentials.first).sealedPrivateKey.box
    }

    /// Success, decline, unknown, recovery, failure of the store, a refusal: whatever writes a record or a line.
    private func exercise(_ shop: Shop, _ store: InterceptingStore) async throws -> [MintedToken] {
        var tokens: [MintedToken] = []
        for (cents, card) in [(Int64(10_00), SimulatedCard.visa), (57_57, .amex), (58_58, .girocard), (63_63, .jcb)] {
            let minted = try shop.minted(money(cents), card: card)
            tokens.append(minted)
            let token = try UnverifiedToken(json: minted.paymentToken)
            let outcome = try await shop.gateway.authorize(
                shop.authorization(of: money(cents), token: token, sale: true))
            if outcome.operation.state == .succeeded { _ = try await shop.refund(money(1_00), of: outcome.payment.id) }
            await expectRefusal(.tokenReplayed) {
                _ = try await shop.gateway.authorize(shop.authorization(of: money(cents), token: token))
            }
        }
        let unrecorded = try shop.minted(money(10_00))
        tokens.append(unrecorded)
        let command = try shop.authorization(
            of: money(10_00), token: UnverifiedToken(json: unrecorded.paymentToken), sale: true)
        store.plan { $0 == 2 ? .beforeCommit : nil }
        _ = try await shop.gateway.authorize(command)
        store.plan { _ in nil }
        let foreign = try shop.minted(money(10_00), by: TestAuthorities.foreign.get())
        await expectTokenRefusal(.intermediateSignatureInvalid) {
            let token = try UnverifiedToken(json: foreign.paymentToken)
            _ = try await shop.gateway.authorize(shop.authorization(of: money(10_00), token: token))
        }
        tokens.append(foreign)
        try await shop.recoverUntilSettled()
        for delivery in try await shop.gateway.leaseDeliveries(limit: 10) {
            try await shop.gateway.record(.failed("http_500", retryAt: nil), of: delivery)
        }
        return tokens
    }

    /// Printed, interpolated, dumped or mirrored: a context shows nothing of its keys.
    @Test func merchantContextShowsNoSecret() async throws {
        let shop = try await Shop.open()
        var text = "\(shop.merchant) \(String(reflecting: shop.merchant))"
        dump(shop.merchant, to: &text)
        #expect(text.contains("account-first"))
        #expect(!text.contains("correct horse"))
    }

    @Test func refusalsCarryNoData() async throws {
        let shop = try await Shop.open()
        let minted = try shop.minted(money(12_34), to: ProcessingIdentity.second.get())
        let token = try UnverifiedToken(json: minted.paymentToken)
        do {
            _ = try await shop.gateway.authorize(shop.authorization(of: money(12_34), token: token))
            Issue.record("accepted")
        } catch let refusal as GatewayRefusal {
            let text = "\(refusal) \(refusal.explanation)"
            let secrets = ["data": minted.parts.data, "signature": minted.parts.signature, "key": minted.parts.key]
            #expect(Self.leaks(of: secrets, in: [text]) == [])
            #expect(!text.contains(SimulatedCard.visa.dpan))
        }
    }
}
