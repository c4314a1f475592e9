//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import CryptoExtras
import Foundation
import Redaction
import SwiftASN1
import Testing
import WalletSimulator
import X509

@testable import ApplePayToken

@Suite struct AppleCertificateTests {
    private func certificate(
        _ kind: MerchantCertificateKind, key: Certificate.PublicKey
    ) throws -> Certificate {
        try Fixture.get().authority.issue(
            kind, merchantIdentifier: Fixture.merchantIdentifier, publicKey: key, team: "TEAM123456",
            organization: "Example", now: Fixture.now)
    }

    private func der(_ certificate: Certificate) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }

    @Test func readsAPaymentProcessingCertificate() throws {
        let key = P256.Signing.PrivateKey()
        let issued = try self.certificate(.paymentProcessing, key: Certificate.PublicKey(key.publicKey))
        let certificate = try AppleCertificate(try self.der(issued))
        #expect(certificate.kind == .paymentProcessing)
        #expect(certificate.merchantIdentifier == Fixture.merchantIdentifier)
        #expect(
            certificate.merchantIdentifierHash == Array(SHA256.hash(data: Array(Fixture.merchantIdentifier.utf8))))
        #expect(certificate.teamIdentifier == "TEAM123456")
        #expect(certificate.organization == "Example")
        #expect(certificate.keyAlgorithm == .p256)
        #expect(certificate.publicKeyHash == Array(SHA256.hash(data: key.publicKey.derRepresentation)))
        #expect(certificate.notAfter == issued.notValidAfter)
        #expect(certificate.isValid(at: Fixture.now))
        #expect(!certificate.isValid(at: Fixture.now.addingTimeInterval(3 * 365 * 86_400)))
        #expect(certificate.commonName == "Apple Pay Payment Processing:\(Fixture.merchantIdentifier)")
        // The same in PEM.
        #expect(try AppleCertificate(try issued.serializeAsPEM().pemString.utf8) == certificate)
    }

    @Test func readsAMerchantIdentityCertificate() throws {
        let key = try Fixture.get().rsaKey
        let issued = try self.certificate(.merchantIdentity, key: Certificate.PublicKey(key.publicKey))
        let certificate = try AppleCertificate(try self.der(issued))
        #expect(certificate.kind == .merchantIdentity)
        #expect(certificate.merchantIdentifier == Fixture.merchantIdentifier)
        #expect(certificate.keyAlgorithm == .rsa(bits: 2_048))
        #expect(certificate.fits(MerchantPrivateKey(key)))
        #expect(certificate.publicKeyHash == MerchantPrivateKey(key).publicKeyHash)
        expectRefusal(.certificateWrongKind, .certificate) {
            _ = try PaymentProcessingKey(privateKey: MerchantPrivateKey(key), certificate: certificate)
        }
    }

    @Test func otherCertificatesBelongToNoMerchant() throws {
        let certificate = try AppleCertificate(try Fixture.get().authority.rootCertificateDER)
        #expect(certificate.kind == .other)
        #expect(certificate.merchantIdentifier == nil)
        #expect(certificate.merchantIdentifierHash == nil)
        #expect(certificate.keyAlgorithm == .other)
    }

    @Test func keyAndCertificateMustBelongTogether() throws {
        let key = P256.Signing.PrivateKey()
        let certificate = try AppleCertificate(
            try self.der(try self.certificate(.paymentProcessing, key: Certificate.PublicKey(key.publicKey))))
        let pem = Redacted(key.pemRepresentation)
        let processing = try PaymentProcessingKey(privateKeyPEM: pem, certificate: certificate)
        #expect(processing.publicKeyHash == certificate.publicKeyHash)
        let other = MerchantPrivateKey(P256.KeyAgreement.PrivateKey())
        let error = expectRefusal(.privateKeyMismatch, .certificate) {
            _ = try PaymentProcessingKey(privateKey: other, certificate: certificate)
        }
        #expect(error?.message.contains(certificate.publicKeyHashText) == true)
        #expect(error?.message.contains(Base64.encode(other.publicKeyHash)) == true)
    }

    /// A certificate of the shape that the arguments say, signed by itself.
    private func forged(commonName: String, hash: [UInt8]?, clientAuthentication: Bool = false) throws -> [UInt8] {
        let key = P256.Signing.PrivateKey()
        var attributes: [RelativeDistinguishedName.Attribute] = [
            .init(type: .userIdentifier, utf8String: Fixture.merchantIdentifier)
        ]
        attributes.append(.init(type: .RDNAttributeType.commonName, utf8String: commonName))
        let name = try DistinguishedName(attributes)
        var extensions: [Certificate.Extension] = []
        if let hash {
            extensions.append(.init(oid: .appleMerchantIdentifierHash, critical: false, value: hash[...]))
        }
        if clientAuthentication {
            extensions.append(try .init(try ExtendedKeyUsage([.clientAuth]), critical: false))
        }
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(1), publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: Fixture.now, notValidAfter: Fixture.now.addingTimeInterval(1), issuer: name, subject: name,
            extensions: try Certificate.Extensions(extensions), issuerPrivateKey: Certificate.PrivateKey(key))
        return try self.der(certificate)
    }

    private var hashText: [UInt8] {
        Array(Hex.encode(SHA256.hash(data: Array(Fixture.merchantIdentifier.utf8))).uppercased().utf8)
    }

    @Test func distinguishesTheKinds() throws {
        let hash = [0x0C, 0x40] + self.hashText
        let table: [(String, [UInt8]?, Bool, AppleCertificate.Kind)] = [
            ("Apple Pay Payment Processing:merchant.x", hash, false, .paymentProcessing),
            ("Merchant ID: merchant.x", hash, false, .paymentProcessing),
            ("Merchant ID: merchant.x", nil, false, .paymentProcessing),
            ("Apple Pay Merchant Identity:merchant.x", hash, true, .merchantIdentity),
            ("renamed", hash, true, .merchantIdentity), ("renamed", hash, false, .paymentProcessing),
            ("Apple Push Services: com.example", nil, true, .other),
        ]
        for (commonName, hash, clientAuthentication, kind) in table {
            let certificate = try AppleCertificate(
                try self.forged(commonName: commonName, hash: hash, clientAuthentication: clientAuthentication))
            #expect(certificate.kind == kind, "\(commonName)")
            #expect((certificate.merchantIdentifierHash != nil) == (kind != .other))
        }
    }

    @Test func refusesAHashThatIsNotOfTheSubject() throws {
        let bytes = try self.forged(
            commonName: "Merchant ID: x", hash: [0x0C, 0x40] + [UInt8](repeating: 0x30, count: 64))
        expectRefusal(.merchantIdentifierMismatch, .certificate) { _ = try AppleCertificate(bytes) }
    }

    @Test func refusesAMalformedHash() throws {
        for hash in [
            self.hashText, [0x0C, 0x3F] + self.hashText.dropLast(), [0x0C, 0x40] + self.hashText.dropLast() + [0x67],
        ] {
            let bytes = try self.forged(commonName: "Merchant ID: x", hash: hash)
            expectRefusal(.merchantIdentifierHashMalformed, .certificate) { _ = try AppleCertificate(bytes) }
        }
    }

    @Test func refusesWhatIsNoCertificate() throws {
        let key = P256.Signing.PrivateKey().pemRepresentation
        let root = try Fixture.get().authority.rootCertificateDER
        for bytes in [[], Array("x".utf8), Array(key.utf8), Array(root.dropLast()), root + [0], [0x30, 0x82]] {
            expectRefusal(.certificateUnreadable, .certificate) { _ = try AppleCertificate(bytes) }
        }
    }

    @Test func trustAnchorsAreRoots() throws {
        let authority = try Fixture.get().authority
        let anchor = try TrustAnchor(certificateDER: authority.rootCertificateDER)
        #expect(anchor == (try Fixture.get().root))
        #expect(anchor.label == "Pomona Wallet Simulator Root CA")
        #expect(anchor.id == Hex.encode(SHA256.hash(data: try P384PublicKey.info(authority.rootCertificate))))
        expectRefusal(.certificateNotSelfIssued, .certificate) {
            _ = try TrustAnchor(certificatePEM: try authority.leafCertificate.serializeAsPEM().pemString)
        }
        expectRefusal(.certificateUnreadable, .certificate) { _ = try TrustAnchor(certificatePEM: "") }
    }
}

private enum P384PublicKey {
    static func info(_ certificate: Certificate) throws -> [UInt8] {
        let key = try #require(P384.Signing.PublicKey(certificate.publicKey))
        return Array(key.derRepresentation)
    }
}

@Suite(.enabled(if: OpenSSL.isAvailable, "openssl is not installed"))
struct OpenSSLTests {
    @Test(arguments: [
        ["ecparam", "-name", "prime256v1", "-genkey"],
        ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
        ["genrsa", "-traditional", "2048"], ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
    ])
    func readsPrivateKeysOfOpenSSL(_ arguments: [String]) async throws {
        try await withTemporaryFolder { folder in
            let pem = try await OpenSSL.text(arguments, in: folder)
            let key = try MerchantPrivateKey(pem: Redacted(pem))
            try folder.write("key.pem", pem)
            let info = try await OpenSSL.run(["pkey", "-in", "key.pem", "-pubout", "-outform", "DER"], in: folder)
            #expect(key.publicKeyHash == Array(SHA256.hash(data: info)))
            // And what is written is read again, here and there.
            #expect(try MerchantPrivateKey(pem: key.pem).publicKeyHash == key.publicKeyHash)
            try folder.write("again.pem", key.pem.reveal())
            let again = try await OpenSSL.run(["pkey", "-in", "again.pem", "-pubout", "-outform", "DER"], in: folder)
            #expect(again == info)
            #expect(!"\(key)".contains("PRIVATE"))
        }
    }

    @Test func refusesOtherPrivateKeys() async throws {
        try await withTemporaryFolder { folder in
            let table: [([String], TokenError.Code)] = [
                (["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"], .privateKeyUnsupported),
                (["ecparam", "-name", "secp384r1", "-genkey", "-noout"], .privateKeyUnsupported),
                (["genpkey", "-algorithm", "ED25519"], .privateKeyUnsupported),
                (["genrsa", "1024"], .privateKeyUnsupported),
                (["genrsa", "-aes256", "-passout", "pass:secret", "2048"], .privateKeyEncrypted),
                (["genrsa", "-traditional", "-aes256", "-passout", "pass:secret", "2048"], .privateKeyEncrypted),
            ]
            for (arguments, code) in table {
                let pem = try await OpenSSL.text(arguments, in: folder)
                expectRefusal(code, .certificate, "\(arguments)") { _ = try MerchantPrivateKey(pem: Redacted(pem)) }
            }
        }
        let pem = P256.Signing.PrivateKey().pemRepresentation
        for text in ["", "x", pem + "\n" + pem, String(pem.dropLast(40))] {
            expectRefusal(.privateKeyUnreadable, .certificate) { _ = try MerchantPrivateKey(pem: Redacted(text)) }
        }
    }

    private enum Request: String, CaseIterable {
        case processingP256
        case processingRSA
        case identity

        func make() throws -> GeneratedSigningRequest {
            switch self {
            case .processingP256:
                try CertificateSigningRequests.paymentProcessing(commonName: Fixture.merchantIdentifier)
            case .processingRSA:
                try CertificateSigningRequests.paymentProcessing(.rsa2048, commonName: Fixture.merchantIdentifier)
            case .identity: try CertificateSigningRequests.merchantIdentity(commonName: Fixture.merchantIdentifier)
            }
        }

        var keyText: String { self == .processingP256 ? "prime256v1" : "(2048 bit)" }

        var kind: MerchantCertificateKind { self == .identity ? .merchantIdentity : .paymentProcessing }
    }

    @Test(arguments: Request.allCases)
    private func openSSLAcceptsSigningRequests(_ request: Request) async throws {
        let made = try request.make()
        let algorithm = CertificateSigningRequests.algorithm(of: made.requestPEM)
        #expect(algorithm == (request == .processingP256 ? .p256 : .rsa2048))
        try await withTemporaryFolder { folder in
            try folder.write("request.pem", made.requestPEM)
            try folder.write("key.pem", made.privateKeyPEM.reveal())
            // -verify fails unless the request is signed with its own key.
            let text = try await OpenSSL.text(["req", "-in", "request.pem", "-verify", "-noout", "-text"], in: folder)
            #expect(text.contains(request.keyText))
            #expect(text.contains(Fixture.merchantIdentifier))
            let keyOfRequest = try await OpenSSL.text(["req", "-in", "request.pem", "-noout", "-pubkey"], in: folder)
            let keyOfFile = try await OpenSSL.text(["pkey", "-in", "key.pem", "-pubout"], in: folder)
            #expect(keyOfRequest == keyOfFile)
            let info = try await OpenSSL.run(["pkey", "-in", "key.pem", "-pubout", "-outform", "DER"], in: folder)
            #expect(made.publicKeyHash == Array(SHA256.hash(data: info)))
        }
        // From the request to a certificate, and back to its key.
        let issued = try Fixture.get().authority.issue(
            request.kind, merchantIdentifier: Fixture.merchantIdentifier, signingRequestPEM: made.requestPEM,
            now: Fixture.now)
        let certificate = try AppleCertificate(try issued.serializeAsPEM().pemString.utf8)
        #expect(certificate.fits(try MerchantPrivateKey(pem: made.privateKeyPEM)))
        #expect("\(made.privateKeyPEM)" == redactionPlaceholder)
    }

    @Test func knowsNoAlgorithmOfWhatIsNoRequest() throws {
        let made = try CertificateSigningRequests.paymentProcessing(commonName: "x")
        for text in ["", "x", made.privateKeyPEM.reveal(), String(made.requestPEM.dropLast(60))] {
            #expect(CertificateSigningRequests.algorithm(of: text) == nil)
        }
    }

    @Test func refusesCommonNamesOutOfBounds() {
        for name in ["", String(repeating: "x", count: 65)] {
            expectRefusal(.signingRequestFailed, .certificate) {
                _ = try CertificateSigningRequests.paymentProcessing(commonName: name)
            }
        }
    }

    @Test func openSSLReadsTheSameFromACertificate() async throws {
        let made = try CertificateSigningRequests.paymentProcessing(commonName: "x")
        let issued = try Fixture.get().authority.issue(
            .paymentProcessing, merchantIdentifier: Fixture.merchantIdentifier, signingRequestPEM: made.requestPEM,
            now: Fixture.now)
        let certificate = try AppleCertificate(try issued.serializeAsPEM().pemString.utf8)
        try await withTemporaryFolder { folder in
            try folder.write("certificate.cer", certificate.der)
            let text = try await OpenSSL.text(
                [
                    "x509", "-inform", "DER", "-in", "certificate.cer", "-noout", "-serial", "-subject", "-nameopt",
                    "RFC2253",
                ],
                in: folder)
            #expect(text.lowercased().contains("serial=\(certificate.serialNumber)"))
            #expect(text.contains("UID=\(Fixture.merchantIdentifier)"))
        }
    }
}
