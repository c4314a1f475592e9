//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import Gateway
import Payments
import TestGateway
import Testing
import WalletSimulator
import X509

/// A live merchant's certificate is one of the live authority's, and opens what live devices have sealed.
struct LiveCertificateTests {
    private static let identifier = "merchant.com.example.live"

    /// A live merchant without keys, whose gateway knows each mode's own issuer and no other.
    private static func shop() async throws -> Shop {
        try await Shop.open {
            $0.mode = .live
            $0.hasCertificate = false
        }.restarted { parts in
            if let issuer = try? TestAuthorities.issuer(TestAuthorities.live) {
                parts.liveCertificateIssuers = [issuer]
            }
        }
    }

    private static func request(
        _ shop: Shop, _ algorithm: CertificateSigningRequests.ProcessingAlgorithm = .p256
    ) async throws -> String {
        try await shop.gateway.administration.createSigningRequest(
            merchant: shop.merchant.merchant.id, purpose: .paymentProcessing, merchantIdentifier: self.identifier,
            algorithm: algorithm)
    }

    private static func issue(
        _ request: String, by authority: TestAuthority, _ kind: MerchantCertificateKind = .paymentProcessing
    ) throws -> Certificate {
        try authority.issue(
            kind, merchantIdentifier: self.identifier, signingRequestPEM: request,
            now: TestAuthorities.date(TestAuthorities.start))
    }

    private static func token(
        _ shop: Shop, by authority: TestAuthority, to certificate: Certificate
    ) throws -> UnverifiedToken {
        let request = PaymentRequest(
            merchantIdentifier: self.identifier, amountMinorUnits: 10_00, currencyCode: "124")
        let minted = try SimulatedDevice(authority: authority).mint(
            request, card: .visa, recipient: ProcessingPublicKey(certificate: certificate),
            signingTime: TestAuthorities.date(shop.clock.now))
        return try UnverifiedToken(json: minted.paymentToken)
    }

    @Test func isActivatedAndOpensTokensOfLiveDevicesAlone() async throws {
        let shop = try await Self.shop()
        let id = shop.merchant.merchant.id
        let (live, sandbox) = (try TestAuthorities.live.get(), try TestAuthorities.sandbox.get())
        let certificate = try Self.issue(try await Self.request(shop), by: live)
        let imported = try await shop.gateway.administration.importCertificate(
            merchant: id, bytes: bytes(of: certificate), activates: false)
        #expect(imported.state != .active)
        let token = try Self.token(shop, by: live, to: certificate)
        await #expect(throws: GatewayRefusal.self, "before it is activated") {
            _ = try await shop.gateway.authorize(shop.authorization(of: money(10_00), token: token))
        }
        let activated = try await shop.gateway.administration.activateCredential(imported.id, of: id)
        #expect(activated.state == .active && activated.merchantIdentifier == Self.identifier)
        // The same key, the same identifier and amount: only the root is the sandbox's.
        let strange = try Self.token(shop, by: sandbox, to: certificate)
        await #expect(throws: GatewayRefusal.self, "a sandbox device") {
            _ = try await shop.gateway.authorize(shop.authorization(of: money(10_00), token: strange))
        }
        let outcome = try await shop.gateway.authorize(
            shop.authorization(of: money(10_00), token: try Self.token(shop, by: live, to: certificate)))
        #expect(outcome.operation.state == .succeeded && outcome.payment.mode == .live)
    }

    @Test func sandboxesAuthorityIssuesNoneOfIt() async throws {
        let shop = try await Self.shop()
        let id = shop.merchant.merchant.id
        let request = try await Self.request(shop)
        let forged = try Self.issue(request, by: try TestAuthorities.sandbox.get())
        let error = await #expect(throws: AdministrationError.self) {
            _ = try await shop.gateway.administration.importCertificate(
                merchant: id, bytes: bytes(of: forged), activates: true)
        }
        #expect(error?.code == .certificateNotOfApple)
        let credentials = try await shop.gateway.administration.credentials(of: id)
        #expect(credentials.map(\.state) == [.requested])
        let pending = try #require(credentials.first)
        await #expect(throws: AdministrationError.self, "there is no certificate to activate") {
            _ = try await shop.gateway.administration.activateCredential(pending.id, of: id)
        }
    }

    /// The two kinds are distinguished by Apple's marker, and not by what the operator believes.
    @Test func identityCertificateIsNoProcessingCertificate() async throws {
        let shop = try await Self.shop()
        let id = shop.merchant.merchant.id
        let identity = try Self.issue(
            try await Self.request(shop, .rsa2048), by: try TestAuthorities.live.get(), .merchantIdentity)
        let error = await #expect(throws: AdministrationError.self) {
            _ = try await shop.gateway.administration.importCertificate(
                merchant: id, bytes: bytes(of: identity), activates: true)
        }
        #expect(error?.code == .certificateHasNoKey)
        #expect(try await shop.gateway.administration.credentials(of: id).map(\.state) == [.requested])
    }
}
