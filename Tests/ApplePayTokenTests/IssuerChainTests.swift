//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import CryptoExtras
import Foundation
import SwiftASN1
import Testing
import WalletSimulator
import X509

@testable import ApplePayToken

/// Certificates that no simulator mints, judged one by one and inside of a genuine signature.
@Suite struct IssuerChainTests {
    private static let name: DistinguishedName = {
        (try? DistinguishedName([.init(type: .RDNAttributeType.commonName, utf8String: "test")])) ?? DistinguishedName()
    }()

    /// A certificate with these extensions, signed by a key of its own.
    private func certificate(
        _ extensions: [Certificate.Extension], key: Certificate.PrivateKey = .init(P256.Signing.PrivateKey()),
        algorithm: Certificate.SignatureAlgorithm = .ecdsaWithSHA256
    ) throws -> TokenCertificate {
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(7), publicKey: key.publicKey,
            notValidBefore: GenuineToken.now, notValidAfter: GenuineToken.now.addingTimeInterval(60),
            issuer: IssuerChainTests.name, subject: IssuerChainTests.name, signatureAlgorithm: algorithm,
            extensions: try Certificate.Extensions(extensions), issuerPrivateKey: key)
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return try TokenCertificate(serializer.serializedBytes, code: .certificateMalformed, stage: .chain)
    }

    private static let authority = try? Certificate.Extension(
        BasicConstraints.isCertificateAuthority(maxPathLength: 0), critical: true)
    private static let noAuthority = try? Certificate.Extension(
        BasicConstraints.notCertificateAuthority, critical: true)
    private static let certificateSigning = try? Certificate.Extension(KeyUsage(keyCertSign: true), critical: true)
    private static let signing = try? Certificate.Extension(KeyUsage(digitalSignature: true), critical: true)

    private func list(_ extensions: Certificate.Extension?...) throws -> [Certificate.Extension] {
        try extensions.map { try #require($0) }
    }

    @Test func acceptsTheProfilesOfApple() throws {
        let leaf = try self.certificate(try self.list(IssuerChainTests.noAuthority, IssuerChainTests.signing))
        #expect(try CertificateProfile.leaf(leaf).serialNumber == [7])
        let withoutConstraints = try self.certificate(try self.list(IssuerChainTests.signing))
        _ = try CertificateProfile.leaf(withoutConstraints)
        let intermediate = try self.certificate(
            try self.list(IssuerChainTests.authority, IssuerChainTests.certificateSigning))
        try CertificateProfile.intermediate(intermediate)
    }

    @Test func refusesIntermediateThatMayNotSignCertificates() throws {
        for usage in [[IssuerChainTests.signing], []] {
            let certificate = try self.certificate(
                try self.list(IssuerChainTests.authority) + usage.map { try #require($0) })
            expectRefusal(.intermediateKeyUsage, .chain) { try CertificateProfile.intermediate(certificate) }
        }
    }

    @Test func refusesIntermediateWithoutBasicConstraints() throws {
        let certificate = try self.certificate(try self.list(IssuerChainTests.certificateSigning))
        expectRefusal(.intermediateNotAuthority, .chain) { try CertificateProfile.intermediate(certificate) }
    }

    @Test func refusesLeafWithoutKeyUsage() throws {
        let certificate = try self.certificate(try self.list(IssuerChainTests.noAuthority))
        expectRefusal(.leafKeyUsage, .chain) { _ = try CertificateProfile.leaf(certificate) }
    }

    @Test func refusesLeafWithAnotherKindOfKey() throws {
        let certificate = try self.certificate(
            try self.list(IssuerChainTests.signing), key: .init(P384.Signing.PrivateKey()))
        expectRefusal(.leafKeyUnsupported, .chain) { _ = try CertificateProfile.leaf(certificate) }
    }

    @Test func refusesCertificatesSignedWithRSA() throws {
        let key = Certificate.PrivateKey(try Fixture.get().rsaKey)
        for algorithm in [Certificate.SignatureAlgorithm.sha256WithRSAEncryption, .sha1WithRSAEncryption] {
            let certificate = try self.certificate(
                try self.list(IssuerChainTests.signing), key: key, algorithm: algorithm)
            expectRefusal(.certificateAlgorithmUnsupported, .chain) { _ = try CertificateProfile.leaf(certificate) }
        }
    }

    @Test(arguments: [ASN1ObjectIdentifier.X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage])
    func refusesMalformedExtensions(_ identifier: ASN1ObjectIdentifier) throws {
        let certificate = try self.certificate([.init(oid: identifier, critical: true, value: [0x05, 0x00])])
        expectRefusal(.certificateExtensionMalformed, .chain) { _ = try CertificateProfile.leaf(certificate) }
    }

    @Test func refusesUnknownCriticalExtensionsOnly() throws {
        let identifier: ASN1ObjectIdentifier = [1, 2, 3, 4]
        for isCritical in [true, false] {
            let certificate = try self.certificate(
                try self.list(IssuerChainTests.signing) + [.init(oid: identifier, critical: isCritical, value: [5, 0])])
            if isCritical {
                expectRefusal(.certificateCriticalExtension, .chain) { _ = try CertificateProfile.leaf(certificate) }
            } else {
                _ = try CertificateProfile.leaf(certificate)
            }
        }
    }

    /// The outer algorithm identifier is not covered by the certificate's signature, and must be the inner one.
    @Test func refusesTwoSignatureAlgorithms() throws {
        let der = try self.certificate(try self.list(IssuerChainTests.signing)).der
        // ecdsa-with-SHA256 is …04 03 02; its last occurrence is the outer one.
        let pattern = ObjectIdentifiers.ecdsaWithSHA256
        let place = try #require(
            der.indices.last { $0 + pattern.count <= der.count && Array(der[$0..<$0 + pattern.count]) == pattern })
        var changed = der
        changed[place + pattern.count - 1] = 0x03
        expectRefusal(.certificateMalformed, .chain) {
            _ = try TokenCertificate(changed, code: .certificateMalformed, stage: .chain)
        }
    }

    // MARK: Certificates put into the genuine signature, which none of its bytes can prevent

    private func verify(_ signature: [UInt8]) throws {
        let genuine = try GenuineToken()
        _ = try TokenVerifier().verify(try genuine.with(signature: signature), at: GenuineToken.now)
    }

    /// The genuine CMS with more certificates at the end of the set, which has an indefinite length.
    private func genuine(adding certificates: [[UInt8]]) throws -> [UInt8] {
        var bytes = try GenuineToken().token.signature
        let end = try #require(try SignedData(parsing: bytes).certificates.last?.upperBound)
        bytes.insert(contentsOf: certificates.joined(), at: end)
        return bytes
    }

    @Test func toleratesAndIgnoresARoot() throws {
        try self.verify(try self.genuine(adding: [try self.certificate([]).der]))
        try self.verify(try self.genuine(adding: [try Fixture.get().authority.rootCertificateDER]))
    }

    @Test func refusesTooManyCertificates() throws {
        let root = try self.certificate([]).der
        try self.verify(try self.genuine(adding: [root, root]))
        expectRefusal(.certificatesTooMany, .chain) {
            try self.verify(try self.genuine(adding: [root, root, root]))
        }
    }

    @Test func refusesWhatIsNoCertificate() throws {
        expectRefusal(.certificateMalformed, .chain) { try self.verify(try self.genuine(adding: [[0x30, 0x00]])) }
        // An attribute certificate ([1]) instead of a certificate.
        expectRefusal(.cmsMalformed, .signature) { try self.verify(try self.genuine(adding: [[0xA1, 0x00]])) }
    }

    @Test func refusesTheSameLeafTwice() throws {
        let signature = try GenuineToken().token.signature
        let leaf = try #require(try SignedData(parsing: signature).certificates.first)
        expectRefusal(.leafRepeated, .chain) {
            try self.verify(try self.genuine(adding: [Array(signature[leaf])]))
        }
    }
}
