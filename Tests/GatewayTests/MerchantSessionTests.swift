//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Logging
import Payments
import Redaction
import Synchronization
import TestGateway
import Testing
import WalletSimulator

struct MerchantSessionTests {
    /// Plays Apple.
    private final class Sender: Sendable {
        private let made = Mutex<[MerchantSessionRequest]>([])
        let failure: MerchantSessionError?

        init(failure: MerchantSessionError? = nil) {
            self.failure = failure
        }

        var requests: [MerchantSessionRequest] { self.made.withLock { $0 } }

        func send(_ request: MerchantSessionRequest) async throws(MerchantSessionError) -> Redacted<[UInt8]> {
            self.made.withLock { $0.append(request) }
            if let failure = self.failure { throw failure }
            return Redacted(Array("{\"epochTimestamp\":1}".utf8))
        }
    }

    private static func shop(_ sender: Sender?, mode: Mode = .sandbox) async throws -> Shop {
        let shop = try await Shop.open { $0.mode = mode }
        guard let sender else { return shop }
        return try await shop.restarted { parts in
            parts.requestMerchantSession = { request throws(MerchantSessionError) in try await sender.send(request) }
        }
    }

    /// - Returns: the certificate in PEM.
    @discardableResult
    private func certify(_ shop: Shop, _ identifier: String) async throws -> String {
        let id = shop.merchant.merchant.id
        let request = try await shop.gateway.createSigningRequest(
            merchant: id, purpose: .merchantIdentity, merchantIdentifier: identifier)
        let certificate = try TestAuthorities.sandbox.get().issue(
            .merchantIdentity, merchantIdentifier: identifier, signingRequestPEM: request,
            now: TestAuthorities.date(shop.clock.now))
        let credential = try await shop.gateway.importCertificate(merchant: id, bytes: bytes(of: certificate))
        return try #require(credential.certificatePEM)
    }

    private func session(
        _ shop: Shop, _ identifier: String? = nil, displayName: String? = nil
    ) async throws -> Redacted<[UInt8]> {
        try await shop.gateway.merchantSession(
            MerchantSessionCommand(
                merchant: shop.merchant, merchantIdentifier: identifier, domainName: "shop.example.com",
                displayName: displayName))
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
        #expect(request.identityCertificatePEM == certificate)
        #expect(request.identityPrivateKeyPEM.reveal().hasPrefix("-----BEGIN"))
        _ = try await self.session(shop, displayName: "Tea & Co.")
        #expect(sender.requests.last?.displayName == "Tea & Co.")
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
        #expect(sender.requests.map(\.identityCertificatePEM) == [second, first, second])
        #expect(
            sender.requests.map(\.merchantIdentifier)
                == ["merchant.com.example.two", "merchant.com.example.one", "merchant.com.example.two"])
        #expect(sender.requests[0].identityPrivateKeyPEM.reveal() != sender.requests[1].identityPrivateKeyPEM.reveal())
    }

    @Test func refusesMerchantWithoutAnIdentityCertificate() async throws {
        let sender = Sender()
        let shop = try await Self.shop(sender)
        await expectRefusal(.merchantIdentityMissing, "a processing certificate is no identity") {
            _ = try await self.session(shop)
        }
        _ = try await shop.gateway.createSigningRequest(
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
        await expectRefusal(.merchantSessionFailed("not_connected")) { _ = try await self.session(shop) }
    }

    @Test func refusalOfApplesIsTold() async throws {
        let shop = try await Self.shop(Sender(failure: MerchantSessionError("http_417")))
        try await self.certify(shop, "merchant.com.example.web")
        await expectRefusal(.merchantSessionFailed("http_417")) { _ = try await self.session(shop) }
    }
}
