//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
public import CryptoExtras
public import Foundation
import SwiftASN1
import Synchronization
public import X509

/// A pretend Apple: the certificates behind tokens and merchants, with their private keys.
///
/// ```
/// root (P-384) ── intermediate (P-256) ──┬── leaf (P-256), signs EC_v1
///              │                         └── leaf (RSA-2048), signs RSA_v1
///              └─ merchants' intermediate (P-256) ── merchants' certificates
/// ```
/// Certificates have the shape, the extensions and the algorithms of Apple's. Whoever trusts ``rootCertificate``
/// trusts everything that the simulator mints: trust it for sandbox merchants only.
///
/// A reference: four certificates are a large value to hand around.
public final class TestAuthority: Sendable {
    public let rootCertificate: Certificate
    /// Issues the leaves; bears the marker 1.2.840.113635.100.6.2.14.
    public let intermediateCertificate: Certificate
    /// Signs EC_v1 tokens; bears the marker 1.2.840.113635.100.6.29.
    public let leafCertificate: Certificate
    /// Issues merchants' certificates.
    public let merchantIntermediateCertificate: Certificate

    let rootKey: P384.Signing.PrivateKey
    let intermediateKey: P256.Signing.PrivateKey
    let leafKey: P256.Signing.PrivateKey
    let merchantIntermediateKey: P256.Signing.PrivateKey
    let rsaLeaf: RSALeafSlot

    /// Made once, because every token carries them.
    let rootDER: [UInt8]
    let intermediateDER: [UInt8]
    let leafDER: [UInt8]

    /// The root as a PEM text, to hand to whoever is to trust it.
    public var rootCertificatePEM: String {
        PEMDocument(type: Certificate.defaultPEMDiscriminator, derBytes: self.rootDER).pemString
    }

    /// The root as DER.
    public var rootCertificateDER: [UInt8] { self.rootDER }

    var rootIssuer: CertificateIssuer {
        CertificateIssuer(self.rootCertificate, key: Certificate.PrivateKey(self.rootKey))
    }

    var intermediateIssuer: CertificateIssuer {
        CertificateIssuer(self.intermediateCertificate, key: Certificate.PrivateKey(self.intermediateKey))
    }

    var merchantIssuer: CertificateIssuer {
        CertificateIssuer(
            self.merchantIntermediateCertificate, key: Certificate.PrivateKey(self.merchantIntermediateKey))
    }

    init(
        root: (Certificate, P384.Signing.PrivateKey), intermediate: (Certificate, P256.Signing.PrivateKey),
        leaf: (Certificate, P256.Signing.PrivateKey), merchantIntermediate: (Certificate, P256.Signing.PrivateKey),
        rsaLeaf: RSALeaf?
    ) throws {
        (self.rootCertificate, self.rootKey) = root
        (self.intermediateCertificate, self.intermediateKey) = intermediate
        (self.leafCertificate, self.leafKey) = leaf
        (self.merchantIntermediateCertificate, self.merchantIntermediateKey) = merchantIntermediate
        self.rsaLeaf = RSALeafSlot(rsaLeaf)
        self.rootDER = try BER.serialized(root.0)
        self.intermediateDER = try BER.serialized(intermediate.0)
        self.leafDER = try BER.serialized(leaf.0)
    }
}

extension TestAuthority {
    /// Makes an authority with new keys.
    ///
    /// The root is valid for 25 years, the intermediates for 15 and the leaf for 5, as Apple's are. The RSA leaf is
    /// made when it is first needed, because that takes a while.
    ///
    /// - Parameters:
    ///   - validFrom: the start of every certificate's validity; one day before `now` if left out.
    ///   - now: the moment of the making.
    ///   - rsaLeafKey: a key of 2048 bits for the RSA leaf, where one is at hand; it saves the making of one.
    public static func make(
        validFrom: Date? = nil, now: Date, rsaLeafKey: _RSA.Signing.PrivateKey? = nil
    ) throws -> TestAuthority {
        let validFrom = validFrom ?? now.addingTimeInterval(-86_400)
        let rootKey = P384.Signing.PrivateKey()
        let rootName = try CertificateProfile.name(
            commonName: "Pomona Wallet Simulator Root CA", organizationalUnit: "Pomona Certification Authority")
        let rootIssuer = CertificateIssuer(name: rootName, key: Certificate.PrivateKey(rootKey))
        let root = try rootIssuer.issue(
            CertificateProfile(
                subject: rootName, publicKey: Certificate.PublicKey(rootKey.publicKey), validFrom: validFrom,
                validUntil: validFrom.addingYears(25), isAuthority: true, keyUsage: .authority,
                namesStatusService: false),
            signatureAlgorithm: .ecdsaWithSHA384)

        let intermediateKey = P256.Signing.PrivateKey()
        let intermediate = try rootIssuer.issue(
            self.intermediateProfile(publicKey: intermediateKey.publicKey, validFrom: validFrom))
        let merchantIntermediateKey = P256.Signing.PrivateKey()
        let merchantIntermediate = try rootIssuer.issue(
            self.merchantIntermediateProfile(publicKey: merchantIntermediateKey.publicKey, validFrom: validFrom))
        let leafKey = P256.Signing.PrivateKey()
        let leafIssuer = CertificateIssuer(intermediate, key: Certificate.PrivateKey(intermediateKey))
        let leaf = try leafIssuer.issue(
            self.leafProfile(.ecV1, publicKey: Certificate.PublicKey(leafKey.publicKey), validFrom: validFrom))
        let rsaLeaf = try rsaLeafKey.map { key in
            let profile = try self.leafProfile(
                .rsaV1, publicKey: Certificate.PublicKey(key.publicKey), validFrom: validFrom)
            return try RSALeaf(certificate: leafIssuer.issue(profile), key: key)
        }
        return try TestAuthority(
            root: (root, rootKey), intermediate: (intermediate, intermediateKey), leaf: (leaf, leafKey),
            merchantIntermediate: (merchantIntermediate, merchantIntermediateKey), rsaLeaf: rsaLeaf)
    }

    /// The same authority with new leaf certificates for the same keys, valid from a day before `now`: what Apple
    /// does every few years.
    public func renewingLeaves(now: Date) throws -> TestAuthority {
        let validFrom = now.addingTimeInterval(-86_400)
        let leaf = try self.intermediateIssuer.issue(
            TestAuthority.leafProfile(
                .ecV1, publicKey: Certificate.PublicKey(self.leafKey.publicKey), validFrom: validFrom))
        let rsaLeaf = try self.rsaLeaf.existing.map { old in
            let certificate = try self.intermediateIssuer.issue(
                TestAuthority.leafProfile(
                    .rsaV1, publicKey: Certificate.PublicKey(old.key.publicKey), validFrom: validFrom))
            return try RSALeaf(certificate: certificate, key: old.key)
        }
        return try TestAuthority(
            root: (self.rootCertificate, self.rootKey),
            intermediate: (self.intermediateCertificate, self.intermediateKey), leaf: (leaf, self.leafKey),
            merchantIntermediate: (self.merchantIntermediateCertificate, self.merchantIntermediateKey),
            rsaLeaf: rsaLeaf)
    }

    /// The certificate that signs RSA_v1 tokens. The first call makes its key, which takes a moment.
    public func rsaLeafCertificate() throws -> Certificate {
        try self.rsaLeafMadeIfNeeded().certificate
    }

    func rsaLeafMadeIfNeeded() throws -> RSALeaf {
        try self.rsaLeaf.get {
            let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            let profile = try TestAuthority.leafProfile(
                .rsaV1, publicKey: Certificate.PublicKey(key.publicKey), validFrom: self.leafCertificate.notValidBefore)
            return try RSALeaf(certificate: try self.intermediateIssuer.issue(profile), key: key)
        }
    }
}

// MARK: - Profiles

extension TestAuthority {
    static func intermediateProfile(publicKey: P256.Signing.PublicKey, validFrom: Date) throws -> CertificateProfile {
        CertificateProfile(
            subject: try CertificateProfile.name(
                commonName: "Pomona Application Integration CA", organizationalUnit: "Pomona Certification Authority"),
            publicKey: Certificate.PublicKey(publicKey), validFrom: validFrom, validUntil: validFrom.addingYears(15),
            isAuthority: true, keyUsage: .authority,
            markers: [.init(oid: AppleOID.applicationIntegrationIntermediate)])
    }

    private static func merchantIntermediateProfile(
        publicKey: P256.Signing.PublicKey, validFrom: Date
    ) throws -> CertificateProfile {
        CertificateProfile(
            subject: try CertificateProfile.name(
                commonName: "Pomona Worldwide Developer Relations CA",
                organizationalUnit: "Pomona Certification Authority"),
            publicKey: Certificate.PublicKey(publicKey), validFrom: validFrom, validUntil: validFrom.addingYears(15),
            isAuthority: true, keyUsage: .authority, markers: [.init(oid: AppleOID.developerRelationsIntermediate)])
    }

    static func leafProfile(
        _ version: PaymentRequest.Version, publicKey: Certificate.PublicKey, validFrom: Date
    ) throws -> CertificateProfile {
        let commonName =
            switch version {
            case .ecV1: "ecc-smp-broker-sign_Simulator"
            case .rsaV1: "rsa-smp-broker-sign_Simulator"
            }
        return CertificateProfile(
            subject: try CertificateProfile.name(commonName: commonName, organizationalUnit: "Wallet Simulator"),
            publicKey: publicKey, validFrom: validFrom, validUntil: validFrom.addingYears(5),
            keyUsage: .digitalSignature, namesPolicy: true, markers: [.init(oid: AppleOID.tokenSigningLeaf)])
    }
}

extension Date {
    /// Years of 365 days: validity periods need no calendar.
    func addingYears(_ years: Int) -> Date {
        self.addingTimeInterval(TimeInterval(years * 365 * 86_400))
    }
}

/// The leaf for RSA_v1 tokens: an RSA-2048 key in a certificate that the intermediate signed with ECDSA.
struct RSALeaf: Sendable {
    let certificate: Certificate
    let key: _RSA.Signing.PrivateKey
    let der: [UInt8]

    init(certificate: Certificate, key: _RSA.Signing.PrivateKey) throws {
        self.certificate = certificate
        self.key = key
        self.der = try BER.serialized(certificate)
    }
}

/// Holds the RSA leaf once it has been made. Whoever comes while it is being made waits for it.
final class RSALeafSlot: Sendable {
    private let slot: Mutex<RSALeaf?>

    init(_ leaf: RSALeaf?) {
        self.slot = Mutex(leaf)
    }

    var existing: RSALeaf? { self.slot.withLock { $0 } }

    func get(orMake make: () throws -> RSALeaf) throws -> RSALeaf {
        try self.slot.withLock { leaf in
            if let leaf { return leaf }
            let made = try make()
            leaf = made
            return made
        }
    }
}
