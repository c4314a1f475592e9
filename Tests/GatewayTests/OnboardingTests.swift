//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import Crypto
import Gateway
import Money
import Payments
import Redaction
import SimulatorAcquirer
import SwiftASN1
import Synchronization
import TestGateway
import Testing
import Time
import WalletSimulator
import X509

/// Merchants' certificates.
struct OnboardingTests {
    private static func expect(_ code: AdministrationError.Code, _ call: () async throws -> Void) async {
        do {
            try await call()
            Issue.record("accepted, where \(code) is expected")
        } catch {
            #expect((error as? AdministrationError)?.code == code, "\(error)")
        }
    }

    private static let identifier = "merchant.com.example.new"

    /// A certificate for a signing request, as Apple's portal would hand it out.
    private static func certificate(
        for request: String, _ kind: MerchantCertificateKind = .paymentProcessing, identifier: String = Self.identifier,
        at time: Timestamp = TestAuthorities.start
    ) throws -> Certificate {
        try TestAuthorities.sandbox.get().issue(
            kind, merchantIdentifier: identifier, signingRequestPEM: request, now: TestAuthorities.date(time))
    }

    // MARK: - Certificates

    @Test func certificateFindsTheKeyOfItsSigningRequestAndOpensTokens() async throws {
        let shop = try await Shop.open { $0.hasCertificate = false }
        let id = shop.merchant.merchant.id
        let request = try await shop.gateway.administration.createSigningRequest(
            merchant: id, purpose: .paymentProcessing, merchantIdentifier: Self.identifier)
        let pending = try #require(try await shop.gateway.administration.credentials(of: id).first)
        #expect(pending.certificatePEM == nil)
        let certificate = try Self.certificate(for: request)
        let credential = try await shop.gateway.administration.importCertificate(
            merchant: id, bytes: bytes(of: certificate), activates: true)
        #expect(credential.id == pending.id)
        #expect(credential.merchantIdentifier == Self.identifier)
        #expect(try #require(credential.notAfter) > shop.clock.now)
        let tokenRequest = PaymentRequest(
            merchantIdentifier: Self.identifier, amountMinorUnits: 10_00, currencyCode: "124")
        let minted = try SimulatedDevice(authority: shop.authority).mint(
            tokenRequest, card: .visa, recipient: ProcessingPublicKey(certificate: certificate),
            signingTime: TestAuthorities.date(shop.clock.now))
        let token = try UnverifiedToken(json: minted.paymentToken)
        let outcome = try await shop.gateway.authorize(shop.authorization(of: money(10_00), token: token))
        #expect(outcome.operation.state == .succeeded)
    }

    /// Both kinds of key, from signing requests and from elsewhere.
    @Test(arguments: [CertificateSigningRequests.ProcessingAlgorithm.p256, .rsa2048])
    func importedCertificateTakesEffectByItsActivation(
        _ algorithm: CertificateSigningRequests.ProcessingAlgorithm
    ) async throws {
        let shop = try await Shop.open { $0.hasCertificate = false }
        let id = shop.merchant.merchant.id
        let request = try await shop.gateway.administration.createSigningRequest(
            merchant: id, purpose: .paymentProcessing, merchantIdentifier: Self.identifier, algorithm: algorithm)
        let certificate = try Self.certificate(for: request)
        let imported = try await shop.gateway.administration.importCertificate(
            merchant: id, bytes: bytes(of: certificate), activates: false)
        #expect(imported.state == .imported && !imported.isInUse)
        func pay() async throws -> OperationOutcome {
            let recipient = try ProcessingPublicKey(certificate: certificate)
            let minted = try SimulatedDevice(authority: shop.authority).mint(
                PaymentRequest(
                    merchantIdentifier: Self.identifier, amountMinorUnits: 10_00, currencyCode: "124",
                    version: recipient.version),
                card: .visa, recipient: recipient, signingTime: TestAuthorities.date(shop.clock.now))
            let token = try UnverifiedToken(json: minted.paymentToken)
            return try await shop.gateway.authorize(shop.authorization(of: money(10_00), token: token))
        }
        await expectRefusal(.merchantNotReady, "imported") { _ = try await pay() }
        let activated = try await shop.gateway.administration.activateCredential(imported.id, of: id)
        #expect(activated.isInUse && activated.sealedPrivateKey == imported.sealedPrivateKey)
        #expect(try await pay().operation.state == .succeeded)
        // To import it again changes nothing.
        #expect(
            try await shop.gateway.administration.importCertificate(
                merchant: id, bytes: bytes(of: certificate), activates: false)
                == activated)
        _ = try await shop.gateway.administration.retireCredential(imported.id, of: id)
        await expectRefusal(.merchantNotReady, "retired") { _ = try await pay() }
        _ = try await shop.gateway.administration.activateCredential(imported.id, of: id)
        #expect(try await pay().operation.state == .succeeded)
        let acts = try await shop.gateway.administration.read { try $0.auditEntries(after: 0, limit: 100) }.map(
            \.act.name)
        #expect(
            acts.suffix(5) == [
                "certificate.request", "certificate.import", "certificate.activate", "certificate.retire",
                "certificate.activate",
            ])
    }

    @Test func anotherCertificateForAKeyInUseIsRefused() async throws {
        let shop = try await Shop.open { $0.hasCertificate = false }
        let id = shop.merchant.merchant.id
        let request = try await shop.gateway.administration.createSigningRequest(
            merchant: id, purpose: .paymentProcessing, merchantIdentifier: Self.identifier)
        let first = try await shop.gateway.administration.importCertificate(
            merchant: id, bytes: bytes(of: Self.certificate(for: request)), activates: true)
        let second = try bytes(of: Self.certificate(for: request))
        await Self.expect(.certificateInUse) {
            _ = try await shop.gateway.administration.importCertificate(merchant: id, bytes: second, activates: false)
        }
        _ = try await shop.gateway.administration.retireCredential(first.id, of: id)
        let again = try await shop.gateway.administration.importCertificate(
            merchant: id, bytes: second, activates: false)
        #expect(again.state == .imported && again.id == first.id)
    }

    /// One key may have two certificates: the second takes the first one's place only where it is for the same.
    @Test func aCertificateForAnotherIdentifierTakesNoKeyInUse() async throws {
        let shop = try await Shop.open { $0.hasCertificate = false }
        let id = shop.merchant.merchant.id
        let key = P256.Signing.PrivateKey()
        func importing(_ kind: MerchantCertificateKind, _ identifier: String) async throws -> AppleCredential {
            let certificate = try TestAuthorities.sandbox.get().issue(
                kind, merchantIdentifier: identifier, publicKey: Certificate.PublicKey(key.publicKey),
                now: TestAuthorities.date(TestAuthorities.start))
            return try await shop.gateway.administration.importCredential(
                merchant: id, certificate: bytes(of: certificate), privateKeyPEM: Redacted(key.pemRepresentation),
                activates: true)
        }
        let first = try await importing(.paymentProcessing, Self.identifier)
        await Self.expect(.certificateInUse) {
            _ = try await importing(.paymentProcessing, "merchant.com.example.other")
        }
        #expect(try await shop.gateway.administration.credentials(of: id) == [first])
        // A later one for the same is a renewal with the old key.
        let second = try await importing(.paymentProcessing, Self.identifier)
        #expect(second.id == first.id && second.certificatePEM != first.certificatePEM)
        #expect(try await shop.gateway.administration.credentials(of: id) == [second])
    }

    /// The name in a request has at most 64 characters (RFC 5280, ub-common-name).
    @Test func longMerchantIdentifiersHaveSigningRequests() async throws {
        let shop = try await Shop.open { $0.hasCertificate = false }
        let (id, administration) = (shop.merchant.merchant.id, shop.gateway.administration)
        let identifier = "merchant." + String(repeating: "a", count: 246)
        for purpose in AppleCredential.Purpose.allCases {
            let made = try await administration.createSigningRequest(
                merchant: id, purpose: purpose, merchantIdentifier: identifier)
            let credential = try #require(try await administration.credentials(of: id).first { $0.purpose == purpose })
            #expect(credential.merchantIdentifier == identifier)
            let again = try await administration.signingRequest(credential.id, of: id)
            let subjects = try [made, again].map { try CertificateSigningRequest(pemEncoded: $0).subject }
            #expect(subjects[0] == subjects[1])
            #expect("\(subjects[0])".contains(identifier.prefix(64)))
            #expect(!"\(subjects[0])".contains(identifier.prefix(65)))
        }
    }

    /// A mistyped one. Apple's answer to it may still come.
    @Test func aSigningRequestIsWithdrawnUntilItsCertificateComes() async throws {
        let shop = try await Shop.open { $0.hasCertificate = false }
        let (id, administration) = (shop.merchant.merchant.id, shop.gateway.administration)
        let request = try await administration.createSigningRequest(
            merchant: id, purpose: .paymentProcessing, merchantIdentifier: Self.identifier)
        let pending = try #require(try await administration.credentials(of: id).first)
        let withdrawn = try await administration.retireCredential(pending.id, of: id)
        #expect(withdrawn.state == .retired && !withdrawn.isInUse)
        #expect(withdrawn.sealedPrivateKey == pending.sealedPrivateKey)
        let entry = try #require(try await administration.read { try $0.auditEntries(after: 0, limit: 100) }.last)
        #expect(entry.act.name == "certificate.retire" && entry.details["request"] == "withdrawn")
        #expect(entry.details["merchantIdentifier"] == Self.identifier)
        await Self.expect(.certificateNotImported) {
            _ = try await administration.activateCredential(pending.id, of: id)
        }
        await Self.expect(.certificateNotWaiting) {
            _ = try await administration.signingRequest(pending.id, of: id)
        }
        let imported = try await administration.importCertificate(
            merchant: id, bytes: bytes(of: Self.certificate(for: request)), activates: true)
        #expect(imported.id == pending.id && imported.isInUse)
    }

    @Test func onlyWhatThereIsCanBeActivated() async throws {
        let shop = try await Shop.open()
        let id = shop.merchant.merchant.id
        await Self.expect(.certificateUnknown) {
            _ = try await shop.gateway.administration.activateCredential("00", of: id)
        }
        await Self.expect(.certificateUnknown) {
            _ = try await shop.gateway.administration.retireCredential("00", of: id)
        }
        _ = try await shop.gateway.administration.createSigningRequest(
            merchant: id, purpose: .paymentProcessing, merchantIdentifier: Self.identifier)
        let pending = try #require(
            try await shop.gateway.administration.credentials(of: id).first { $0.state == .requested })
        await Self.expect(.certificateNotImported) {
            _ = try await shop.gateway.administration.activateCredential(pending.id, of: id)
        }
        let other = try #require(
            try await shop.gateway.administration.credentials(of: id).first { $0.state == .active })
        _ = try await shop.gateway.administration.retireCredential(other.id, of: id)
        shop.clock.advance(seconds: 800 * 86_400)
        // Tokens may still come for it.
        #expect(try await shop.gateway.administration.activateCredential(other.id, of: id).isInUse)
    }

    /// Apple takes no identity after its end.
    @Test func anIdentityThatHasEndedIsNotActivated() async throws {
        let shop = try await Shop.open()
        let id = shop.merchant.merchant.id
        let request = try await shop.gateway.administration.createSigningRequest(
            merchant: id, purpose: .merchantIdentity, merchantIdentifier: Self.identifier)
        let imported = try await shop.gateway.administration.importCertificate(
            merchant: id, bytes: bytes(of: Self.certificate(for: request, .merchantIdentity)), activates: false)
        shop.clock.advance(seconds: 800 * 86_400)
        await Self.expect(.certificateExpired) {
            _ = try await shop.gateway.administration.activateCredential(imported.id, of: id)
        }
    }

    /// Certificates that look like Apple's in everything but the signature.
    @Test func certificateOfAnotherAuthorityIsRefused() async throws {
        let shop = try await Shop.open { $0.hasCertificate = false }
        let id = shop.merchant.merchant.id
        for (purpose, kind) in [
            (AppleCredential.Purpose.paymentProcessing, MerchantCertificateKind.paymentProcessing),
            (.merchantIdentity, .merchantIdentity),
        ] {
            let request = try await shop.gateway.administration.createSigningRequest(
                merchant: id, purpose: purpose, merchantIdentifier: Self.identifier)
            let forged = try TestAuthorities.live.get().issue(
                kind, merchantIdentifier: Self.identifier, signingRequestPEM: request,
                now: TestAuthorities.date(TestAuthorities.start))
            await Self.expect(.certificateNotOfApple) {
                _ = try await shop.gateway.administration.importCertificate(
                    merchant: id, bytes: bytes(of: forged), activates: true)
            }
        }
        let key = P256.Signing.PrivateKey()
        let forged = try TestAuthorities.live.get().issue(
            .paymentProcessing, merchantIdentifier: Self.identifier,
            publicKey: Certificate.PublicKey(key.publicKey), now: TestAuthorities.date(TestAuthorities.start))
        await Self.expect(.certificateNotOfApple) {
            _ = try await shop.gateway.administration.importCredential(
                merchant: id, certificate: bytes(of: forged), privateKeyPEM: Redacted(key.pemRepresentation),
                activates: true)
        }
        #expect(try await shop.gateway.administration.credentials(of: id).allSatisfy { $0.state == .requested })
    }

    @Test func sandboxesAuthorityIsNoneForLiveMerchants() async throws {
        let shop = try await Shop.open { $0.mode = .live }
        let strict = try await shop.restarted { $0.liveCertificateIssuers = MerchantCertificateIssuer.apple }
        await Self.expect(.certificateNotOfApple) {
            _ = try await strict.gateway.administration.importCredential(
                merchant: shop.merchant.merchant.id, certificate: shop.identity.certificateDER,
                privateKeyPEM: shop.identity.privateKeyPEM, activates: true)
        }
    }

    /// The authority is made with the first sandbox merchant, which may be while a gateway serves.
    @Test func sandboxesAuthorityThatComesLaterIsFoundWithoutARestart() async throws {
        let first = try await Shop.open { $0.hasCertificate = false }
        let issuer = try TestAuthorities.issuer(TestAuthorities.sandbox)
        let found = Mutex<[MerchantCertificateIssuer]>([])
        let looks = Mutex(0)
        let time = Mutex(ContinuousClock.now)
        let shop = try await first.restarted { parts in
            parts.sandboxCertificateIssuers = []
            parts.liveCertificateIssuers = MerchantCertificateIssuer.apple
            parts.steadyClock = { time.withLock { $0 } }
            parts.findSandboxCertificateIssuers = {
                looks.withLock { $0 += 1 }
                return found.withLock { $0 }
            }
        }
        let importing = {
            try await shop.gateway.administration.importCredential(
                merchant: shop.merchant.merchant.id, certificate: shop.identity.certificateDER,
                privateKeyPEM: shop.identity.privateKeyPEM, activates: true)
        }
        await Self.expect(.certificateNotOfApple) { _ = try await importing() }
        found.withLock { $0 = [issuer] }
        // Who imports such certificates does not set the disk's pace.
        await Self.expect(.certificateNotOfApple) { _ = try await importing() }
        #expect(looks.withLock { $0 } == 1)
        time.withLock { $0 += .seconds(1) }
        #expect(try await importing().state == .active)
        #expect(looks.withLock { $0 } == 2)
    }

    /// A live merchant's certificate leads to no look, and what comes late vouches for none.
    @Test func sandboxesAuthorityThatComesLaterIsNoneForLiveMerchants() async throws {
        let issuer = try TestAuthorities.issuer(TestAuthorities.sandbox)
        let looks = Mutex(0)
        let shop = try await Shop.open { $0.mode = .live }.restarted { parts in
            parts.sandboxCertificateIssuers = []
            parts.liveCertificateIssuers = MerchantCertificateIssuer.apple
            parts.findSandboxCertificateIssuers = {
                looks.withLock { $0 += 1 }
                return [issuer]
            }
        }
        await Self.expect(.certificateNotOfApple) {
            _ = try await shop.gateway.administration.importCredential(
                merchant: shop.merchant.merchant.id, certificate: shop.identity.certificateDER,
                privateKeyPEM: shop.identity.privateKeyPEM, activates: true)
        }
        #expect(looks.withLock { $0 } == 0)
    }

    @Test func certificateWithoutASigningRequestIsRefused() async throws {
        let shop = try await Shop.open { $0.hasCertificate = false }
        let id = shop.merchant.merchant.id
        _ = try await shop.gateway.administration.createSigningRequest(
            merchant: id, purpose: .paymentProcessing, merchantIdentifier: Self.identifier)
        await Self.expect(.certificateHasNoKey) {
            _ = try await shop.gateway.administration.importCertificate(
                merchant: id, bytes: ProcessingIdentity.first.get().certificateDER, activates: true)
        }
    }

    @Test func anotherMerchantsSigningRequestIsNoneOfThisOnes() async throws {
        let shop = try await Shop.open()
        let other = try await Shop.makeMerchant("second", .sandbox, shop.gateway)
        let request = try await shop.gateway.administration.createSigningRequest(
            merchant: other.merchant.id, purpose: .paymentProcessing, merchantIdentifier: Self.identifier)
        let certificate = try bytes(of: Self.certificate(for: request))
        await Self.expect(.certificateHasNoKey) {
            _ = try await shop.gateway.administration.importCertificate(
                merchant: shop.merchant.merchant.id, bytes: certificate, activates: true)
        }
    }

    @Test func certificateForAnotherMerchantIdentifierIsRefused() async throws {
        let shop = try await Shop.open()
        let id = shop.merchant.merchant.id
        let request = try await shop.gateway.administration.createSigningRequest(
            merchant: id, purpose: .paymentProcessing, merchantIdentifier: Self.identifier)
        let certificate = try bytes(of: Self.certificate(for: request, identifier: "merchant.com.example.other"))
        await Self.expect(.merchantIdentifierDiffers) {
            _ = try await shop.gateway.administration.importCertificate(
                merchant: id, bytes: certificate, activates: true)
        }
    }

    /// Issued for 25 months from the day before.
    @Test(arguments: [Int64(-800), 2]) func certificateThatIsNotValidTodayIsRefused(daysFromNow: Int64) async throws {
        let shop = try await Shop.open()
        let id = shop.merchant.merchant.id
        let request = try await shop.gateway.administration.createSigningRequest(
            merchant: id, purpose: .paymentProcessing, merchantIdentifier: Self.identifier)
        let time = shop.clock.now.adding(seconds: daysFromNow * 86_400)
        let certificate = try bytes(of: Self.certificate(for: request, at: time))
        await Self.expect(daysFromNow < 0 ? .certificateExpired : .certificateNotYetValid) {
            _ = try await shop.gateway.administration.importCertificate(
                merchant: id, bytes: certificate, activates: true)
        }
    }

    @Test func certificateOfNeitherKindIsRefused() async throws {
        let shop = try await Shop.open()
        let root = try TestAuthorities.sandbox.get().rootCertificateDER
        await Self.expect(.certificateOfNeitherKind) {
            _ = try await shop.gateway.administration.importCertificate(
                merchant: shop.merchant.merchant.id, bytes: root, activates: true)
        }
    }

    @Test func whatIsNoCertificateIsRefused() async throws {
        let shop = try await Shop.open()
        do {
            _ = try await shop.gateway.administration.importCertificate(
                merchant: shop.merchant.merchant.id, bytes: [1, 2, 3], activates: true)
            Issue.record("three bytes were imported")
        } catch {
            #expect((error as? TokenError)?.code == .certificateUnreadable)
        }
    }

    @Test func privateKeyMustFitItsCertificate() async throws {
        let shop = try await Shop.open()
        let identity = try ProcessingIdentity.second.get()
        await Self.expect(.keyDoesNotFit) {
            _ = try await shop.gateway.administration.importCredential(
                merchant: shop.merchant.merchant.id, certificate: identity.certificateDER,
                privateKeyPEM: ProcessingIdentity.first.get().privateKeyPEM, activates: true)
        }
    }

    @Test func unknownMerchantIsRefused() async throws {
        let shop = try await Shop.open()
        let nobody = MerchantID(at: shop.clock.now, random: [1])
        await Self.expect(.merchantUnknown) {
            _ = try await shop.gateway.administration.createSigningRequest(
                merchant: nobody, purpose: .paymentProcessing, merchantIdentifier: Self.identifier)
        }
        await Self.expect(.merchantUnknown) {
            _ = try await shop.gateway.administration.importCredential(
                merchant: nobody, certificate: shop.identity.certificateDER, privateKeyPEM: shop.identity.privateKeyPEM,
                activates: true)
        }
    }

    @Test func identityCertificateIsKeptApartAndOpensNoTokens() async throws {
        let shop = try await Shop.open { $0.hasCertificate = false }
        let id = shop.merchant.merchant.id
        let request = try await shop.gateway.administration.createSigningRequest(
            merchant: id, purpose: .merchantIdentity, merchantIdentifier: Self.identifier)
        let certificate = try Self.certificate(for: request, .merchantIdentity)
        let credential = try await shop.gateway.administration.importCertificate(
            merchant: id, bytes: bytes(of: certificate), activates: true)
        #expect(credential.purpose == .merchantIdentity)
        let token = try shop.token(money(10_00))
        await expectRefusal(.merchantNotReady) {
            _ = try await shop.gateway.authorize(shop.authorization(of: money(10_00), token: token))
        }
    }
}
