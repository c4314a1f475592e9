//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import CryptoExtras
import Foundation
import StrictJSON
import SwiftASN1
import Testing
import X509

/// A data directory as a gateway leaves it, made once by the demo, and merchants in it whose private keys the tests
/// hold.
final class CliSandbox: Sendable {
    static let merchantIdentifier = "merchant.test.pomona.outside"

    let folder: CliFolder
    let data: String
    /// What the demo printed.
    let demo: CliResult
    /// Private keys in PEM of the merchant "outside", which the store does not know.
    let processingKey: String
    let rsaProcessingKey: String
    let processingCertificate: String
    let rsaProcessingCertificate: String

    var trustRoot: String { "\(self.data)/authority/root.pem" }

    private static let made = Task { try await CliSandbox() }

    static func shared() async throws -> CliSandbox { try await self.made.value }

    /// Data that a test may change.
    static func copy() async throws -> CliSandbox { try CliSandbox(copying: try await self.shared()) }

    private init(copying other: CliSandbox) throws {
        self.folder = try CliFolder()
        self.data = self.folder.file("data")
        try FileManager.default.copyItem(atPath: other.data, toPath: self.data)
        self.demo = other.demo
        self.processingKey = other.processingKey
        self.rsaProcessingKey = other.rsaProcessingKey
        self.processingCertificate = other.processingCertificate
        self.rsaProcessingCertificate = other.rsaProcessingCertificate
    }

    private init() async throws {
        self.folder = try CliFolder()
        self.data = self.folder.file("data")
        self.demo = try await CliTool.pomona(["demo", "--data", self.data])
        try #require(self.demo.exitCode == 0, "demo failed: \(self.demo.stdout)\(self.demo.stderr)")
        let key = P256.Signing.PrivateKey()
        let rsaKey = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        self.processingKey = try self.folder.write("ec-key.pem", key.pemRepresentation)
        self.rsaProcessingKey = try self.folder.write("rsa-key.pem", rsaKey.pkcs8PEMRepresentation)
        let issuer = try CliIssuer(authority: "\(self.data)/authority")
        let merchant = "\(self.data)/merchants/outside"
        try FileManager.default.createDirectory(atPath: merchant, withIntermediateDirectories: true)
        self.processingCertificate = "\(merchant)/applepay-processing.pem"
        self.rsaProcessingCertificate = "\(merchant)/applepay-processing-rsa.pem"
        try Data(issuer.processing(Certificate.PublicKey(key.publicKey)).utf8)
            .write(to: URL(fileURLWithPath: self.processingCertificate))
        try Data(issuer.processing(Certificate.PublicKey(rsaKey.publicKey)).utf8)
            .write(to: URL(fileURLWithPath: self.rsaProcessingCertificate))
        try Data(Self.card.text().utf8).write(to: URL(fileURLWithPath: "\(merchant)/merchant.json"))
    }

    private static let card: JSON = [
        "name": "outside", "merchantIdentifier": .string(merchantIdentifier), "mode": "sandbox", "currency": "CAD",
        "countryCode": "CA", "processingCertificate": "applepay-processing.pem",
        "values": ["merchantCode": "OUTSIDE"], "files": [:],
    ]

    /// Mints a token for the merchant "outside" and writes it into a file.
    func mint(_ arguments: [String], in folder: CliFolder) async throws -> String {
        let minted = try await CliTool.pomona(
            ["token", "mint", "--data", self.data, "--merchant", "outside", "--amount", "10.99", "--currency", "CAD"]
                + arguments)
        try #require(minted.exitCode == 0, "mint failed: \(minted.stderr)")
        return try folder.write("token.json", minted.stdout)
    }
}

/// Issues merchants' certificates as the test authority of a data directory does.
struct CliIssuer {
    private let certificate: Certificate
    private let key: P256.Signing.PrivateKey

    init(authority: String) throws {
        self.certificate = try Certificate(
            pemEncoded: String(contentsOfFile: "\(authority)/merchant-intermediate.pem", encoding: .utf8))
        self.key = try P256.Signing.PrivateKey(
            pemRepresentation: String(contentsOfFile: "\(authority)/merchant-intermediate-key.pem", encoding: .utf8))
    }

    /// A Payment Processing Certificate in PEM.
    func processing(
        _ publicKey: Certificate.PublicKey, merchantIdentifier: String = CliSandbox.merchantIdentifier,
        title: String = "Apple Pay Payment Processing", validDays: Int = 30
    ) throws -> String {
        let subject = try DistinguishedName([
            RelativeDistinguishedName(
                .init(type: [0, 9, 2342, 19_200_300, 100, 1, 1], value: .init(utf8String: merchantIdentifier))),
            CommonName("\(title):\(merchantIdentifier)").makeRDN(),
            OrganizationName("Outside Ltd").makeRDN(),
        ])
        let now = Date()
        return try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
            notValidBefore: now.addingTimeInterval(-86_400),
            notValidAfter: now.addingTimeInterval(TimeInterval(validDays * 86_400)),
            issuer: self.certificate.subject, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
            },
            issuerPrivateKey: Certificate.PrivateKey(self.key)
        ).serializeAsPEM().pemString + "\n"
    }
}
