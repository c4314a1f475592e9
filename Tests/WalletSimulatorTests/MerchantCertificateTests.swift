//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import CryptoExtras
import Foundation
import SwiftASN1
import TestProcesses
import Testing
import WalletSimulator
import X509

@Suite struct MerchantCertificateTests {
    private let authority: TestAuthority
    private let p256 = P256.Signing.PrivateKey()

    init() throws {
        self.authority = try Sandbox.authority.get()
    }

    private func rsaKey() throws -> Certificate.PublicKey {
        Certificate.PublicKey(
            try _RSA.Signing.PublicKey(derRepresentation: Sandbox.rsaPrivateKey().publicKey.pkcs1DERRepresentation))
    }

    @Test func processingCertificateHasApplesShape() async throws {
        let certificate = try self.authority.issue(
            .paymentProcessing, merchantIdentifier: Sandbox.merchantIdentifier,
            publicKey: Certificate.PublicKey(self.p256.publicKey), team: "TEAM123456", organization: "Example Ltd",
            now: Sandbox.now)
        let outcome = try await OpenSSL.run(
            ["x509", "-in", "merchant.pem", "-noout", "-text"], files: ["merchant.pem": try pem(certificate)])
        let id = Sandbox.merchantIdentifier
        for line in [
            "Subject: UID = \(id), CN = Apple Pay Payment Processing:\(id), OU = TEAM123456, O = Example Ltd, C = US",
            "Issuer: CN = Pomona Worldwide Developer Relations CA", "X509v3 Key Usage: critical",
            "Key Encipherment, Key Agreement\n", "CA:FALSE", "1.2.840.113635.100.6.32:", "ecdsa-with-SHA256",
        ] {
            #expect(outcome.outputText.contains(line), "\(line) is missing in \(outcome.outputText)")
        }
        try await self.expectVerified(certificate)
    }

    @Test(arguments: MerchantCertificateKind.allCases)
    func merchantExtensionIsTheUpperCaseHashAsUTF8String(kind: MerchantCertificateKind) throws {
        let certificate = try self.authority.issue(
            kind, merchantIdentifier: Sandbox.merchantIdentifier, publicKey: try self.rsaKey(), now: Sandbox.now)
        let value = try #require(certificate.extensions[oid: [1, 2, 840, 113635, 100, 6, 32]]).value
        let hash = SHA256.hash(data: Data(Sandbox.merchantIdentifier.utf8)).map { byte in
            let text = String(byte, radix: 16, uppercase: true)
            return text.count == 1 ? "0" + text : text
        }
        #expect(Array(value) == [0x0C, 0x40] + Array(hash.joined().utf8))
    }

    @Test func identityCertificateIsForClientAuthentication() async throws {
        let certificate = try self.authority.issue(
            .merchantIdentity, merchantIdentifier: Sandbox.merchantIdentifier, publicKey: try self.rsaKey(),
            now: Sandbox.now)
        let outcome = try await OpenSSL.run(
            ["x509", "-in", "merchant.pem", "-noout", "-text", "-purpose"],
            files: ["merchant.pem": try pem(certificate)])
        let id = Sandbox.merchantIdentifier
        for line in [
            "CN = Apple Pay Merchant Identity:\(id)", "TLS Web Client Authentication", "Digital Signature\n",
            "Public-Key: (2048 bit)", "SSL client : Yes", "SSL server : No",
        ] {
            #expect(outcome.outputText.contains(line), "\(line) is missing in \(outcome.outputText)")
        }
        try await self.expectVerified(certificate)
    }

    @Test func certificatesLastTwentyFiveMonths() throws {
        let certificate = try self.authority.issue(
            .paymentProcessing, merchantIdentifier: "merchant.a", publicKey: try self.rsaKey(), now: Sandbox.now)
        let days = certificate.notValidAfter.timeIntervalSince(certificate.notValidBefore) / 86_400
        #expect((760...762).contains(days))
        #expect(certificate.notValidBefore == Sandbox.now.addingTimeInterval(-86_400))
    }

    @Test(arguments: [["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"], ["-newkey", "rsa:2048"]])
    func signsRequestOfOpenssl(keyArguments: [String]) async throws {
        let request = try await OpenSSL.run(
            ["req", "-new", "-nodes", "-subj", "/CN=ignored", "-keyout", "key.pem", "-outform", "PEM"] + keyArguments)
        #expect(request.status == 0, "\(request.errorsText)")
        let certificate = try self.authority.issue(
            .paymentProcessing, merchantIdentifier: Sandbox.merchantIdentifier, signingRequestPEM: request.outputText,
            now: Sandbox.now)
        #expect(certificate.publicKey == (try CertificateSigningRequest(pemEncoded: request.outputText)).publicKey)
        try await self.expectVerified(certificate)
    }

    @Test func refusesTextThatIsNoRequest() throws {
        let error = #expect(throws: SimulatorError.self) {
            try self.authority.issue(
                .paymentProcessing, merchantIdentifier: "merchant.a", signingRequestPEM: "-----", now: Sandbox.now)
        }
        #expect(error?.code == .requestMalformed)
    }

    @Test func refusesRequestThatItsKeyDidNotSign() async throws {
        let request = try await OpenSSL.run([
            "req", "-new", "-nodes", "-subj", "/CN=x", "-keyout", "key.pem", "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:P-256", "-outform", "PEM",
        ])
        var der = try PEMDocument(pemString: request.outputText).derBytes
        // The one letter of the subject: the signature no longer fits.
        let letter = try #require(der.firstIndex(of: UInt8(ascii: "x")))
        der[letter] = UInt8(ascii: "y")
        let forged = PEMDocument(type: "CERTIFICATE REQUEST", derBytes: der).pemString
        let error = #expect(throws: SimulatorError.self) {
            try self.authority.issue(
                .paymentProcessing, merchantIdentifier: "merchant.a", signingRequestPEM: forged, now: Sandbox.now)
        }
        #expect(error?.code == .requestSignatureInvalid)
    }

    @Test func refusesKeysThatAppleWouldNotTake() async throws {
        let p384 = Certificate.PublicKey(P384.Signing.PrivateKey().publicKey)
        let p256 = Certificate.PublicKey(self.p256.publicKey)
        let text = try await onThread { try OpenSSL.rsaKey(bits: 3072) }
        let rsa3072 = Certificate.PublicKey(try _RSA.Signing.PrivateKey(pemRepresentation: text).publicKey)
        let cases: [(MerchantCertificateKind, Certificate.PublicKey)] = [
            (.paymentProcessing, p384), (.paymentProcessing, rsa3072), (.merchantIdentity, p256),
            (.merchantIdentity, rsa3072),
        ]
        for (kind, key) in cases {
            let error = #expect(throws: SimulatorError.self) {
                try self.authority.issue(kind, merchantIdentifier: "merchant.a", publicKey: key, now: Sandbox.now)
            }
            #expect(error?.code == .recipientKeyUnsupported)
        }
    }

    @Test func refusesEmptyMerchantIdentifier() throws {
        let error = #expect(throws: SimulatorError.self) {
            try self.authority.issue(
                .paymentProcessing, merchantIdentifier: "", publicKey: Certificate.PublicKey(self.p256.publicKey),
                now: Sandbox.now)
        }
        #expect(error?.code == .merchantIdentifierEmpty)
    }

    @Test func recipientFromCertificateEqualsRecipientFromKey() async throws {
        let key = P256.KeyAgreement.PrivateKey()
        let signing = try P256.Signing.PublicKey(rawRepresentation: key.publicKey.rawRepresentation)
        let certificate = try self.authority.issue(
            .paymentProcessing, merchantIdentifier: "merchant.a", publicKey: Certificate.PublicKey(signing),
            now: Sandbox.now)
        let recipient = try ProcessingPublicKey(certificate: certificate)
        #expect(recipient.publicKeyHash == ProcessingPublicKey(key.publicKey).publicKeyHash)
        #expect(recipient.version == .ecV1)

        let rsaCertificate = try self.authority.issue(
            .paymentProcessing, merchantIdentifier: "merchant.a", publicKey: try self.rsaKey(), now: Sandbox.now)
        let rsaRecipient = try ProcessingPublicKey(certificate: rsaCertificate)
        #expect(rsaRecipient.publicKeyHash == (try Sandbox.recipient(.rsaV1)).publicKeyHash)
        #expect(rsaRecipient.version == .rsaV1)
        // SHA-256 over what openssl writes as the certificate's public key.
        let outcome = try await OpenSSL.run(
            ["x509", "-in", "merchant.pem", "-noout", "-pubkey"], files: ["merchant.pem": try pem(rsaCertificate)])
        let written = try PEMDocument(pemString: outcome.outputText).derBytes
        #expect(rsaRecipient.derRepresentation == written)
        #expect(rsaRecipient.publicKeyHash == Array(SHA256.hash(data: written)))
    }

    @Test func refusesRecipientOnAnotherCurve() throws {
        let root = self.authority.rootCertificate
        let error = #expect(throws: SimulatorError.self) { try ProcessingPublicKey(certificate: root) }
        #expect(error?.code == .recipientKeyUnsupported)
    }

    @Test func refusesRecipientWithLongerRSAKey() async throws {
        let text = try await onThread { try OpenSSL.rsaKey(bits: 3072) }
        let key = try _RSA.Encryption.PrivateKey(pemRepresentation: text).publicKey
        let error = #expect(throws: SimulatorError.self) { try ProcessingPublicKey(key) }
        #expect(error?.code == .recipientKeyUnsupported)
    }

    private func expectVerified(_ certificate: Certificate) async throws {
        let outcome = try await OpenSSL.run(
            [
                "verify", "-attime", String(Int(Sandbox.now.timeIntervalSince1970)), "-CAfile", "root.pem",
                "-untrusted", "intermediate.pem", "merchant.pem",
            ],
            files: [
                "root.pem": Array(self.authority.rootCertificatePEM.utf8),
                "intermediate.pem": try pem(self.authority.merchantIntermediateCertificate),
                "merchant.pem": try pem(certificate),
            ])
        #expect(outcome.status == 0, "\(outcome.errorsText)")
    }
}
