//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import SwiftASN1
import Testing
import X509

@testable import Server

/// A key and a certificate of its own, as a server has them and as a client trusts them.
struct TestIdentity {
    let server: ServerIdentity
    let certificatePEM: String

    static func make() throws -> TestIdentity {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("localhost") }
        let now = Date()
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: now.addingTimeInterval(-3600), notValidAfter: now.addingTimeInterval(3600), issuer: name,
            subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                SubjectAlternativeNames([.dnsName("localhost")])
            }, issuerPrivateKey: Certificate.PrivateKey(key))
        let pem = try certificate.serializeAsPEM().pemString
        return TestIdentity(
            server: try ServerIdentity(certificatePEM: pem, privateKeyPEM: key.pemRepresentation), certificatePEM: pem)
    }
}

@Suite struct TLSTests {
    struct Offer: Sendable, CustomTestStringConvertible {
        let name: String
        var least = TLSVersion.tlsv12
        var most = TLSVersion.tlsv12
        var suites: String?
        var curve: NIOTLSCurve?
        let isTaken: Bool

        var testDescription: String { self.name }
    }

    static let offers = [
        Offer(name: "TLS 1.0", least: .tlsv1, most: .tlsv1, isTaken: false),
        Offer(name: "TLS 1.1", least: .tlsv11, most: .tlsv11, isTaken: false),
        Offer(name: "TLS 1.2, ECDHE, AES-128-GCM", suites: "ECDHE-ECDSA-AES128-GCM-SHA256", isTaken: true),
        Offer(name: "TLS 1.2, ECDHE, AES-256-GCM", suites: "ECDHE-ECDSA-AES256-GCM-SHA384", isTaken: true),
        Offer(name: "TLS 1.2, ECDHE, ChaCha20", suites: "ECDHE-ECDSA-CHACHA20-POLY1305", isTaken: true),
        Offer(name: "TLS 1.2, CBC", suites: "ECDHE-ECDSA-AES128-SHA", isTaken: false),
        Offer(name: "TLS 1.2, CBC-256", suites: "ECDHE-ECDSA-AES256-SHA", isTaken: false),
        Offer(name: "TLS 1.2, RSA key exchange", suites: "AES128-GCM-SHA256", isTaken: false),
        Offer(name: "TLS 1.2, RSA key exchange, CBC", suites: "AES128-SHA", isTaken: false),
        Offer(name: "TLS 1.3", least: .tlsv13, most: .tlsv13, isTaken: true),
        Offer(name: "TLS 1.3, X25519", least: .tlsv13, most: .tlsv13, curve: .x25519, isTaken: true),
        Offer(name: "TLS 1.3, P-256", least: .tlsv13, most: .tlsv13, curve: .secp256r1, isTaken: true),
        Offer(name: "TLS 1.3, P-384", least: .tlsv13, most: .tlsv13, curve: .secp384r1, isTaken: true),
        Offer(name: "TLS 1.3, P-521", least: .tlsv13, most: .tlsv13, curve: .secp521r1, isTaken: false),
    ]

    @Test(arguments: offers) func takesWhatIsSound(_ offer: Offer) async throws {
        let identity = try TestIdentity.make()
        try await ServerFixture(tls: identity.server).run { url in
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = offer.least
            configuration.maximumTLSVersion = offer.most
            if let suites = offer.suites { configuration.cipherSuites = suites }
            if let curve = offer.curve { configuration.curves = [curve] }
            configuration.trustRoots = .certificates(
                try NIOSSLCertificate.fromPEMBytes(Array(identity.certificatePEM.utf8)))
            let isTaken = await Self.shakesHands(url, try NIOSSLContext(configuration: configuration))
            #expect(isTaken == offer.isTaken)
        }
    }

    /// Whether a request gets an answer.
    private static func shakesHands(_ url: String, _ context: NIOSSLContext) async -> Bool {
        do {
            let client = try await RawClient.connect(url)
            try await client.channel.eventLoop.submit {
                try client.channel.pipeline.syncOperations.addHandler(
                    NIOSSLClientHandler(context: context, serverHostname: "localhost"), position: .first)
            }.get()
            try await client.send("GET /test/address HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            return try await client.untilClosed().contains("127.0.0.1")
        } catch {
            return false
        }
    }
}
