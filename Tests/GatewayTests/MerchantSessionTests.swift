//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Logging
import Payments
import Redaction
import Synchronization
import TestGateway
import Testing
import Time
import WalletSimulator

struct MerchantSessionTests {
    /// Plays Apple.
    private final class Sender: Sendable {
        private let made = Mutex<[MerchantSessionRequest]>([])
        let failure: MerchantSessionFailure?

        init(failure: MerchantSessionFailure? = nil) {
            self.failure = failure
        }

        var requests: [MerchantSessionRequest] { self.made.withLock { $0 } }

        func send(_ request: MerchantSessionRequest) async throws(MerchantSessionFailure) -> Redacted<[UInt8]> {
            self.made.withLock { $0.append(request) }
            if let failure = self.failure { throw failure }
            return Redacted(Array("{\"epochTimestamp\":1}".utf8))
        }
    }

    private static func shop(_ sender: Sender?, mode: Mode = .sandbox) async throws -> Shop {
        let shop = try await Shop.open { $0.mode = mode }
        guard let sender else { return shop }
        return try await shop.restarted { parts in
            parts.requestMerchantSession = { request throws(MerchantSessionFailure) in try await sender.send(request) }
        }
    }

    /// - Returns: the certificate in PEM.
    @discardableResult
    private func certify(_ shop: Shop, _ identifier: String) async throws -> String {
        let id = shop.merchant.merchant.id
        let request = try await shop.gateway.administration.createSigningRequest(
            merchant: id, purpose: .merchantIdentity, merchantIdentifier: identifier)
        let certificate = try TestAuthorities.sandbox.get().issue(
            .merchantIdentity, merchantIdentifier: identifier, signingRequestPEM: request,
            now: TestAuthorities.date(shop.clock.now))
        let credential = try await shop.gateway.administration.importCertificate(
            merchant: id, bytes: bytes(of: certificate), activates: true)
        return try #require(credential.certificatePEM)
    }

    private func session(
        _ shop: Shop, _ identifier: String? = nil, domainName: String = "shop.example.com",
        displayName: String? = nil, validationURL: String? = nil
    ) async throws -> Redacted<[UInt8]> {
        try await shop.gateway.merchantSession(
            MerchantSessionCommand(
                merchant: shop.merchant, merchantIdentifier: identifier, domainName: domainName,
                displayName: displayName, validationURL: validationURL))
    }

    @Test(arguments: Mode.allCases) func handsOnWhatAppleAnswers(mode: Mode) async throws {
        let sender = Sender()
        let shop = try await Self.shop(sender, mode: mode)
        let certificate = try await self.certify(shop, "merchant.com.example.web")
        #expect(try await self.session(shop).reveal() == Array("{\"epochTimestamp\":1}".utf8))
        let request = try #require(sender.requests.first)
        #expect(request.mode == mode)
        #expect(request.merchantIdentifier == "merchant.com.example.web")
        #expect(request.domainName == "shop.example.com")
        #expect(request.displayName == "The first shop", "the merchant's, where none is named")
        #expect(request.identity.certificatePEM == certificate)
        #expect(request.identity.privateKeyPEM.reveal().hasPrefix("-----BEGIN"))
        #expect(request.validationURL == nil)
        _ = try await self.session(shop, displayName: "Tea & Co.", validationURL: "https://apple.example/x")
        #expect(sender.requests.last?.displayName == "Tea & Co.")
        #expect(sender.requests.last?.validationURL == "https://apple.example/x", "the sender's to judge")
    }

    @Test func takesTheNewestCertificateOrThatOfTheIdentifierNamed() async throws {
        let sender = Sender()
        let shop = try await Self.shop(sender)
        let first = try await self.certify(shop, "merchant.com.example.one")
        shop.clock.advance(seconds: 1)
        let second = try await self.certify(shop, "merchant.com.example.two")
        _ = try await self.session(shop)
        _ = try await self.session(shop, "merchant.com.example.one")
        _ = try await self.session(shop, "merchant.com.example.two")
        #expect(sender.requests.map(\.identity.certificatePEM) == [second, first, second])
        #expect(
            sender.requests.map(\.merchantIdentifier)
                == ["merchant.com.example.two", "merchant.com.example.one", "merchant.com.example.two"])
        #expect(
            sender.requests[0].identity.privateKeyPEM.reveal() != sender.requests[1].identity.privateKeyPEM.reveal())
    }

    @Test func refusesMerchantWithoutAnIdentityCertificate() async throws {
        let sender = Sender()
        let shop = try await Self.shop(sender)
        await expectRefusal(.merchantIdentityMissing, "a processing certificate is no identity") {
            _ = try await self.session(shop)
        }
        _ = try await shop.gateway.administration.createSigningRequest(
            merchant: shop.merchant.merchant.id, purpose: .merchantIdentity, merchantIdentifier: "merchant.x")
        await expectRefusal(.merchantIdentityMissing, "a signing request is no certificate") {
            _ = try await self.session(shop)
        }
        #expect(sender.requests.isEmpty)
    }

    @Test func refusesIdentifierThatHasNoCertificate() async throws {
        let sender = Sender()
        let shop = try await Self.shop(sender)
        try await self.certify(shop, "merchant.com.example.web")
        await expectRefusal(.merchantIdentityMissing) {
            _ = try await self.session(shop, "merchant.com.example.other")
        }
        await expectRefusal(.merchantIdentityMissing, "of this identifier there is a processing certificate alone") {
            _ = try await self.session(shop, shop.identity.merchantIdentifier)
        }
        #expect(sender.requests.isEmpty)
    }

    @Test func platformIntegratorsIdentityStandsInForMerchantsThatHaveNone() async throws {
        let sender = Sender()
        let shop = try await Shop.open().restarted { parts in
            parts.settings.platformMerchant = "first"
            parts.requestMerchantSession = { request throws(MerchantSessionFailure) in try await sender.send(request) }
        }
        let second = try await Shop.makeMerchant("second", .sandbox, shop.gateway)
        let live = try await Shop.makeMerchant("third", .live, shop.gateway)
        func session(_ merchant: MerchantContext, _ identifier: String? = nil) async throws {
            _ = try await shop.gateway.merchantSession(
                MerchantSessionCommand(
                    merchant: merchant, merchantIdentifier: identifier, domainName: "shop.example.com"))
        }
        await expectRefusal(.merchantIdentityMissing, "the integrator has none either") { try await session(second) }
        let certificate = try await self.certify(shop, "platformintegrator.com.example")
        try await session(second)
        try await session(second, second.merchant.id.text)
        #expect(sender.requests.map(\.merchantIdentifier) == [second.merchant.id.text, second.merchant.id.text])
        #expect(sender.requests.map(\.identity.certificatePEM) == [certificate, certificate])
        await expectRefusal(.merchantIdentityMissing, "an identifier that is not its own") {
            try await session(second, "platformintegrator.com.example")
        }
        await expectRefusal(.merchantIdentityMissing, "live and sandbox stay apart") { try await session(live) }
    }

    @Test func anotherMerchantsCertificateIsNoneOfThisOnes() async throws {
        let sender = Sender()
        let shop = try await Self.shop(sender)
        try await self.certify(shop, "merchant.com.example.web")
        let other = try await Shop.makeMerchant("second", .sandbox, shop.gateway)
        await expectRefusal(.merchantIdentityMissing) {
            _ = try await shop.gateway.merchantSession(
                MerchantSessionCommand(merchant: other, domainName: "shop.example.com"))
        }
    }

    @Test func gatewayThatIsNotConnectedToAppleSaysSo() async throws {
        let shop = try await Self.shop(nil)
        try await self.certify(shop, "merchant.com.example.web")
        await expectRefusal(.merchantSessionFailed(.notConnected)) { _ = try await self.session(shop) }
    }

    /// Keys are slow to make, so one shop hears all reasons.
    @Test func handsOnTheReasonOfTheSender() async throws {
        let first = try await Self.shop(nil)
        try await self.certify(first, "merchant.com.example.web")
        for failure in MerchantSessionFailure.allCases {
            let sender = Sender(failure: failure)
            let shop = try await first.restarted { parts in
                parts.requestMerchantSession = { request throws(MerchantSessionFailure) in
                    try await sender.send(request)
                }
            }
            let refusal = GatewayRefusal.merchantSessionFailed(failure)
            await expectRefusal(refusal) { _ = try await self.session(shop) }
            #expect(refusal.explanation.contains(failure.rawValue))
            #expect(refusal.explanation.contains(failure.explanation))
        }
    }

    @Test func everyReasonHasASentenceOfItsOwn() {
        let sentences = MerchantSessionFailure.allCases.map(\.explanation)
        #expect(Set(sentences).count == sentences.count)
        #expect(sentences.allSatisfy { $0.hasSuffix(".") && $0.count > 20 })
    }

    @Test func refusesDomainThatIsNoHostName() async throws {
        let sender = Sender()
        let shop = try await Self.shop(sender)
        try await self.certify(shop, "merchant.com.example.web")
        for domain in [
            "", "https://shop.example.com", "shop.example.com:443", "shop.example.com/", "shop..example", ".example",
            "shop_.example", "-shop.example", "shop.example-", "shop example", "ｓhop.example", "[::1]",
            String(repeating: "a", count: 64) + ".example", String(repeating: "abcdefg.", count: 32) + "example",
        ] {
            await expectRefusal(.merchantSessionFailed(.domainMalformed), "\(domain)") {
                _ = try await self.session(shop, domainName: domain)
            }
        }
        #expect(sender.requests.isEmpty)
        let good = ["localhost", "127.0.0.1", "Shop.Example.com", "xn--bcher-kva.example"]
        for domain in good { _ = try await self.session(shop, domainName: domain) }
        #expect(sender.requests.map(\.domainName) == good)
    }

    @Test func refusesDisplayNameOutsideApplesBound() async throws {
        let sender = Sender()
        let shop = try await Self.shop(sender)
        try await self.certify(shop, "merchant.com.example.web")
        for count in [0, 65] {
            await expectRefusal(.merchantSessionFailed(.displayNameMalformed)) {
                _ = try await self.session(shop, displayName: String(repeating: "é", count: count))
            }
        }
        _ = try await self.session(shop, displayName: String(repeating: "é", count: 64))
        #expect(sender.requests.count == 1)
    }

    // MARK: The certificate, before Apple sees it

    @Test func refusesIdentityThatHasExpired() async throws {
        let sender = Sender()
        let shop = try await Self.shop(sender)
        try await self.certify(shop, "merchant.com.example.web")
        shop.clock.advance(seconds: 800 * 86_400)
        await expectRefusal(.merchantSessionFailed(.identityExpired)) { _ = try await self.session(shop) }
        #expect(sender.requests.isEmpty)
    }

    @Test func refusesIdentityThatIsNotYetValid() async throws {
        let sender = Sender()
        let shop = try await Self.shop(sender)
        try await self.certify(shop, "merchant.com.example.web")
        shop.clock.advance(seconds: -2 * 86_400)
        await expectRefusal(.merchantSessionFailed(.identityNotYetValid)) { _ = try await self.session(shop) }
        #expect(sender.requests.isEmpty)
    }

    @Test func takesAnOlderIdentityThatIsStillValidBeforeANewerThatIsNot() async throws {
        let sender = Sender()
        let shop = try await Self.shop(sender)
        let first = try await self.certify(shop, "merchant.com.example.web")
        shop.clock.advance(seconds: 1)
        let second = try await self.certify(shop, "merchant.com.example.web")
        try await self.replace(shop, certificate: second) { $0.notAfter = shop.clock.now.adding(seconds: -1) }
        _ = try await self.session(shop)
        #expect(sender.requests.map(\.identity.certificatePEM) == [first])
    }

    @Test func refusesProcessingCertificateInTheIdentitysPlace() async throws {
        let sender = Sender()
        let shop = try await Self.shop(sender)
        let certificate = try await self.certify(shop, "merchant.com.example.web")
        let processing = try await shop.processingCertificatePEM()
        try await self.replace(shop, certificate: certificate) { $0.certificatePEM = processing }
        await expectRefusal(.merchantSessionFailed(.identityOfWrongKind)) { _ = try await self.session(shop) }
        #expect(sender.requests.isEmpty)
    }

    @Test func refusesIdentityOfAnotherMerchant() async throws {
        let sender = Sender()
        let shop = try await Self.shop(sender)
        let other = try await self.certify(shop, "merchant.com.example.other")
        let own = try await self.certify(shop, "merchant.com.example.web")
        try await self.replace(shop, certificate: own) { $0.certificatePEM = other }
        await expectRefusal(.merchantSessionFailed(.identityOfOtherMerchant)) {
            _ = try await self.session(shop, "merchant.com.example.web")
        }
        #expect(sender.requests.isEmpty)
    }

    @Test func refusesCertificateThatCannotBeRead() async throws {
        let sender = Sender()
        let shop = try await Self.shop(sender)
        let certificate = try await self.certify(shop, "merchant.com.example.web")
        try await self.replace(shop, certificate: certificate) { $0.certificatePEM = "none" }
        await expectRefusal(.merchantSessionFailed(.identityUnusable)) { _ = try await self.session(shop) }
        #expect(sender.requests.isEmpty)
    }

    @Test func refusesKeyThatCannotBeOpened() async throws {
        let sender = Sender()
        let shop = try await Self.shop(sender)
        let certificate = try await self.certify(shop, "merchant.com.example.web")
        try await self.replace(shop, certificate: certificate) { credential in
            let box = credential.sealedPrivateKey.box
            credential.sealedPrivateKey = SealedBytes(
                keyID: credential.sealedPrivateKey.keyID, box: box.dropLast() + [(box.last ?? 0) ^ 1])
        }
        await expectRefusal(.merchantSessionFailed(.identityUnusable)) { _ = try await self.session(shop) }
        #expect(sender.requests.isEmpty)
    }

    // MARK: A store that somebody else has written to

    private struct Draft {
        var certificatePEM: String?
        var notAfter: Timestamp?
        var sealedPrivateKey: SealedBytes
    }

    private func replace(_ shop: Shop, certificate: String, _ change: (inout Draft) -> Void) async throws {
        let credentials = try await shop.gateway.administration.credentials(of: shop.merchant.merchant.id)
        let old = try #require(credentials.first { $0.certificatePEM == certificate })
        var draft = Draft(
            certificatePEM: old.certificatePEM, notAfter: old.notAfter, sealedPrivateKey: old.sealedPrivateKey)
        change(&draft)
        let new = AppleCredential(
            id: old.id, merchantID: old.merchantID, purpose: old.purpose, merchantIdentifier: old.merchantIdentifier,
            certificatePEM: draft.certificatePEM, notAfter: draft.notAfter, sealedPrivateKey: draft.sealedPrivateKey,
            createdAt: old.createdAt)
        try await shop.store.write { try $0.upsert(new) }
    }
}

extension Shop {
    fileprivate func processingCertificatePEM() async throws -> String {
        let credentials = try await self.gateway.administration.credentials(of: self.merchant.merchant.id)
        return try #require(credentials.first { $0.purpose == .paymentProcessing }?.certificatePEM)
    }
}
