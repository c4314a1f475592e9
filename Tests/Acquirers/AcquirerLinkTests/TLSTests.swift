//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import Foundation
import Payments
import Redaction
import SimulatorAcquirer
import SwiftASN1
import Testing
import X509

@testable import AcquirerLink

/// A link under TLS: both ends show a certificate of the link's own authority.
@Suite struct TLSTests {
    /// An authority, and what it has signed.
    struct Authority {
        let key = P256.Signing.PrivateKey()
        let name: DistinguishedName
        let certificate: Certificate

        init(_ name: String) throws {
            self.name = try DistinguishedName { CommonName(name) }
            self.certificate = try Self.sign(
                self.name, self.key, by: self.name, self.key,
                Certificate.Extensions {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                    Critical(KeyUsage(keyCertSign: true))
                })
        }

        var pem: String { get throws { try self.certificate.serializeAsPEM().pemString } }

        func issue(_ host: String) throws -> (certificate: String, key: Redacted<String>) {
            let key = P256.Signing.PrivateKey()
            let certificate = try Self.sign(
                try DistinguishedName { CommonName(host) }, key, by: self.name, self.key,
                Certificate.Extensions {
                    Critical(BasicConstraints.notCertificateAuthority)
                    SubjectAlternativeNames([.dnsName(host)])
                })
            return (try certificate.serializeAsPEM().pemString, Redacted(key.pemRepresentation))
        }

        private static func sign(
            _ subject: DistinguishedName, _ key: P256.Signing.PrivateKey, by issuer: DistinguishedName,
            _ issuerKey: P256.Signing.PrivateKey, _ extensions: Certificate.Extensions
        ) throws -> Certificate {
            try Certificate(
                version: .v3, serialNumber: Certificate.SerialNumber(),
                publicKey: Certificate.PublicKey(key.publicKey), notValidBefore: Date(timeIntervalSince1970: 0),
                notValidAfter: Date(timeIntervalSince1970: 4_000_000_000), issuer: issuer, subject: subject,
                signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions,
                issuerPrivateKey: Certificate.PrivateKey(issuerKey))
        }
    }

    private func client(_ own: Authority, trusting other: Authority, _ name: String) throws -> AcquirerLinkTLS {
        let (certificate, key) = try own.issue("gateway.link.example")
        return try .client(
            authorityPEM: try other.pem, certificatesPEM: certificate, privateKeyPEM: key, serverName: name)
    }

    private func server(_ own: Authority, trusting other: Authority) throws -> AcquirerLinkTLS {
        let (certificate, key) = try own.issue("acquirer.link.example")
        return try .server(authorityPEM: try other.pem, certificatesPEM: certificate, privateKeyPEM: key)
    }

    private func outcome(_ client: AcquirerLinkTLS, _ server: AcquirerLinkTLS) async throws -> LinkOutcome {
        let bench = try Bench()
        let listening = bench.server(SimulatorAcquirer(book: try .inMemory()), tls: server)
        let client = try bench.client(port: try await listening.listen(host: "127.0.0.1", port: 0), tls: client)
        let request = Bench.authorization()
        let found = await client.make(request)
        client.close()
        await listening.stop()
        return found
    }

    @Test func bothEndsWithCertificatesOfTheAuthorityTalk() async throws {
        let authority = try Authority("Link")
        let outcome = try await self.outcome(
            try self.client(authority, trusting: authority, "acquirer.link.example"),
            try self.server(authority, trusting: authority))
        guard case .operation(.approved) = outcome else {
            Issue.record("not approved: \(outcome)")
            return
        }
    }

    @Test func serverOfAnotherNameOrAuthorityIsNotTalkedTo() async throws {
        let authority = try Authority("Link")
        let other = try Authority("Other")
        let unreachable = Bench.authorization().ended(.unreachable)
        #expect(
            try await self.outcome(
                try self.client(authority, trusting: authority, "other.link.example"),
                try self.server(authority, trusting: authority)) == unreachable)
        #expect(
            try await self.outcome(
                try self.client(authority, trusting: authority, "acquirer.link.example"),
                try self.server(other, trusting: authority)) == unreachable)
    }

    @Test func clientOfAnotherAuthorityIsNotServed() async throws {
        let authority = try Authority("Link")
        let other = try Authority("Other")
        #expect(
            try await self.outcome(
                try self.client(other, trusting: authority, "acquirer.link.example"),
                try self.server(authority, trusting: authority)) == Bench.authorization().ended(.unreachable))
    }

    @Test func unusableCertificatesAreSaid() throws {
        let authority = try Authority("Link")
        let (certificate, key) = try authority.issue("gateway.link.example")
        let pem = try authority.pem
        for (authorityPEM, certificatePEM, privateKey, name) in [
            ("no PEM", certificate, key, "acquirer.link.example"), (pem, "no PEM", key, "acquirer.link.example"),
            (pem, certificate, Redacted("no PEM"), "acquirer.link.example"), (pem, certificate, key, "127.0.0.1"),
        ] {
            #expect {
                _ = try AcquirerLinkTLS.client(
                    authorityPEM: authorityPEM, certificatesPEM: certificatePEM, privateKeyPEM: privateKey,
                    serverName: name)
            } throws: {
                ($0 as? AcquirerLinkError)?.code == .unusableCertificates
            }
        }
        #expect {
            _ = try AcquirerLinkTLS.server(authorityPEM: pem, certificatesPEM: certificate, privateKeyPEM: Redacted(""))
        } throws: {
            ($0 as? AcquirerLinkError)?.code == .unusableCertificates
        }
    }
}
