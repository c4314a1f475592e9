//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CryptoExtras
import Foundation
import SwiftASN1
import TestProcesses
import Testing
import WalletSimulator
import X509

@Suite struct TestAuthorityTests {
    private let authority: TestAuthority

    init() throws {
        self.authority = try Sandbox.authority.get()
    }

    @Test func opensslVerifiesBothLeavesUpToTheRoot() async throws {
        for leaf in [self.authority.leafCertificate, try self.authority.rsaLeafCertificate()] {
            let outcome = try await OpenSSL.run(
                [
                    "verify", "-x509_strict", "-attime", String(Int(Sandbox.now.timeIntervalSince1970)), "-CAfile",
                    "root.pem", "-untrusted", "intermediate.pem", "leaf.pem",
                ],
                files: [
                    "root.pem": Array(self.authority.rootCertificatePEM.utf8),
                    "intermediate.pem": try pem(self.authority.intermediateCertificate), "leaf.pem": try pem(leaf),
                ])
            #expect(outcome.status == 0, "\(outcome.errorsText)")
        }
    }

    @Test(arguments: [
        (
            "root.pem",
            [
                "Subject: CN = Pomona Wallet Simulator Root CA, OU = Pomona Certification Authority, O = Pomona",
                "Signature Algorithm: ecdsa-with-SHA384", "NIST CURVE: P-384", "CA:TRUE", "Certificate Sign, CRL Sign",
            ]
        ),
        (
            "intermediate.pem",
            [
                "Issuer: CN = Pomona Wallet Simulator Root CA", "Signature Algorithm: ecdsa-with-SHA256",
                "NIST CURVE: P-256", "CA:TRUE", "Certificate Sign, CRL Sign", "1.2.840.113635.100.6.2.14",
            ]
        ),
        (
            "leaf.pem",
            [
                "Subject: CN = ecc-smp-broker-sign_Simulator", "Signature Algorithm: ecdsa-with-SHA256",
                "NIST CURVE: P-256", "CA:FALSE", "Digital Signature\n", "1.2.840.113635.100.6.29:",
                "X509v3 Certificate Policies",
            ]
        ),
        (
            "rsa-leaf.pem",
            [
                "Subject: CN = rsa-smp-broker-sign_Simulator", "Signature Algorithm: ecdsa-with-SHA256",
                "Public-Key: (2048 bit)", "CA:FALSE", "Digital Signature\n", "1.2.840.113635.100.6.29:",
            ]
        ),
        (
            "merchant-intermediate.pem",
            ["Subject: CN = Pomona Worldwide Developer Relations CA", "CA:TRUE", "Certificate Sign, CRL Sign"]
        ),
    ])
    func opensslShowsTheShapeOfApplesCertificates(name: String, expected: [String]) async throws {
        let archive = try self.authority.archive()
        let text = try #require(TestAuthority.Archive.Name(rawValue: name).flatMap { archive[$0] })
        let outcome = try await OpenSSL.run(["x509", "-in", name, "-noout", "-text"], files: [name: Array(text.utf8)])
        #expect(outcome.status == 0)
        for line in expected {
            #expect(outcome.outputText.contains(line), "\(line) is missing in \(outcome.outputText)")
        }
    }

    @Test func certificatesAreValidFromTheDayBeforeAndForAsLongAsApples() {
        let start = Sandbox.now.addingTimeInterval(-86_400)
        let years: [(Certificate, Double)] = [
            (self.authority.rootCertificate, 25), (self.authority.intermediateCertificate, 15),
            (self.authority.leafCertificate, 5),
        ]
        for (certificate, count) in years {
            #expect(certificate.notValidBefore == start)
            #expect(certificate.notValidAfter == start.addingTimeInterval(count * 365 * 86_400))
        }
    }

    @Test func startOfValidityCanBeChosen() throws {
        let start = Date(timeIntervalSince1970: 1_400_000_000)
        let key = try _RSA.Signing.PrivateKey(pemRepresentation: Sandbox.rsaKey.get())
        let authority = try TestAuthority.make(validFrom: start, now: Sandbox.now, rsaLeafKey: key)
        #expect(authority.rootCertificate.notValidBefore == start)
        #expect(authority.leafCertificate.notValidBefore == start)
        #expect(try authority.rsaLeafCertificate().notValidBefore == start)
    }

    @Test func everyAuthorityHasKeysAndSerialNumbersOfItsOwn() throws {
        let other = try TestAuthority.make(now: Sandbox.now)
        #expect(other.rootCertificate.publicKey != self.authority.rootCertificate.publicKey)
        #expect(other.rootCertificate.subject == self.authority.rootCertificate.subject)
        #expect(other.leafCertificate.serialNumber != self.authority.leafCertificate.serialNumber)
        #expect(other.leafCertificate.serialNumber.bytes.count == 8)
    }

    @Test func rsaLeafIsMadeOnce() async throws {
        let authority = try TestAuthority.make(now: Sandbox.now)
        let certificates = try await withThrowingTaskGroup(of: Certificate.self) { group in
            for _ in 0..<4 { group.addTask { try authority.rsaLeafCertificate() } }
            return try await group.reduce(into: Set<Certificate>()) { $0.insert($1) }
        }
        #expect(certificates.count == 1)
    }

    @Test func renewedLeavesKeepTheirKeysAndIssuer() throws {
        let rsaLeaf = try self.authority.rsaLeafCertificate()
        let later = Sandbox.now.addingTimeInterval(6 * 365 * 86_400)
        let renewed = try self.authority.renewingLeaves(now: later)
        #expect(renewed.leafCertificate.publicKey == self.authority.leafCertificate.publicKey)
        #expect(renewed.leafCertificate.serialNumber != self.authority.leafCertificate.serialNumber)
        #expect(renewed.leafCertificate.notValidAfter > later)
        #expect(renewed.rootCertificate == self.authority.rootCertificate)
        #expect(try renewed.rsaLeafCertificate().publicKey == rsaLeaf.publicKey)
        #expect(try renewed.rsaLeafCertificate().notValidAfter > later)
        let issuer = self.authority.intermediateCertificate.publicKey
        #expect(issuer.isValidSignature(renewed.leafCertificate.signature, for: renewed.leafCertificate))
    }
}

func pem(_ certificate: Certificate) throws -> [UInt8] {
    Array(try certificate.serializeAsPEM().pemString.utf8)
}
