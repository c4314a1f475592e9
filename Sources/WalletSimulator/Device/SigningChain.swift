//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import CryptoExtras
import Foundation
import X509

/// A key that signs tokens.
enum TokenSigningKey {
    case p256(P256.Signing.PrivateKey)
    case rsa(_RSA.Signing.PrivateKey)

    var publicKey: Certificate.PublicKey {
        switch self {
        case .p256(let key): Certificate.PublicKey(key.publicKey)
        case .rsa(let key): Certificate.PublicKey(key.publicKey)
        }
    }

    /// A new key of the same kind.
    func another() throws -> TokenSigningKey {
        switch self {
        case .p256: .p256(P256.Signing.PrivateKey())
        case .rsa: .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048))
        }
    }

    /// ECDSA as DER, or PKCS#1 v1.5; over SHA-256 or SHA-384.
    func signature(for bytes: [UInt8], usesSHA384: Bool) throws -> [UInt8] {
        switch (self, usesSHA384) {
        case (.p256(let key), false): Array(try key.signature(for: SHA256.hash(data: bytes)).derRepresentation)
        case (.p256(let key), true): Array(try key.signature(for: SHA384.hash(data: bytes)).derRepresentation)
        case (.rsa(let key), false):
            Array(try key.signature(for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5).rawRepresentation)
        case (.rsa(let key), true):
            Array(try key.signature(for: SHA384.hash(data: bytes), padding: .insecurePKCS1v1_5).rawRepresentation)
        }
    }
}

/// The certificates that go into a signature, and the key that makes it.
struct SigningChain {
    /// DER, in the order in which they are written.
    var certificates: [[UInt8]]
    /// The certificate that the signer identifier names, unless a forgery has it otherwise.
    var signer: Certificate
    var intermediate: Certificate
    var key: TokenSigningKey

    init(
        authority genuine: TestAuthority, version: PaymentRequest.Version, signingTime: Date, options: MintOptions
    ) throws {
        let validFrom = genuine.leafCertificate.notValidBefore
        let signsForRSA = (version == .rsaV1) != options.has(.signedForOtherVersion)
        var authority = genuine
        if options.has(.foreignRoot) {
            authority = try TestAuthority.make(
                validFrom: validFrom, now: signingTime,
                rsaLeafKey: signsForRSA ? genuine.rsaLeafMadeIfNeeded().key : nil)
        }
        var leafDER: [UInt8]
        if signsForRSA {
            let rsaLeaf = try authority.rsaLeafMadeIfNeeded()
            (self.signer, leafDER, self.key) = (rsaLeaf.certificate, rsaLeaf.der, .rsa(rsaLeaf.key))
        } else {
            (self.signer, leafDER) = (authority.leafCertificate, authority.leafDER)
            self.key = .p256(authority.leafKey)
        }
        self.intermediate = authority.intermediateCertificate
        self.certificates = []

        let profile = try TestAuthority.leafProfile(
            signsForRSA ? .rsaV1 : .ecV1, publicKey: self.key.publicKey, validFrom: validFrom)
        let forger = ChainForger(authority: authority, signingTime: signingTime, options: options)
        if let forged = try forger.leaf(profile) {
            self.signer = forged
            leafDER = try BER.serialized(forged)
        }
        var intermediateDER = authority.intermediateDER
        if let forged = try forger.intermediate() {
            self.intermediate = forged
            intermediateDER = try BER.serialized(forged)
        }

        if !options.has(.leafMissing) { self.certificates.append(leafDER) }
        if !options.has(.intermediateMissing) { self.certificates.append(intermediateDER) }
        if options.putsIntermediateFirst { self.certificates.reverse() }
        if options.includesRoot { self.certificates.append(authority.rootDER) }
        try self.addForgedCertificates(profile, authority: authority, options: options)
    }

    private mutating func addForgedCertificates(
        _ profile: CertificateProfile, authority: TestAuthority, options: MintOptions
    ) throws {
        if options.has(.twoMarkedLeaves) {
            let second = try authority.intermediateIssuer.issue(profile)
            self.certificates.append(try BER.serialized(second))
        }
        if options.has(.twoMarkedIntermediates) {
            let second = try authority.rootIssuer.issue(
                TestAuthority.intermediateProfile(
                    publicKey: authority.intermediateKey.publicKey,
                    validFrom: authority.intermediateCertificate.notValidBefore))
            self.certificates.append(try BER.serialized(second))
        }
        if options.has(.unmarkedCertificatePresent) {
            var unmarked = profile
            unmarked.markers = []
            self.certificates.append(try BER.serialized(try authority.intermediateIssuer.issue(unmarked)))
        }
        if options.has(.signedByUnmarkedCertificate) {
            if case .p256 = self.key { self.key = try self.key.another() }
            var unmarked = profile
            unmarked.markers = []
            unmarked.publicKey = self.key.publicKey
            self.signer = try authority.intermediateIssuer.issue(unmarked)
            self.certificates.append(try BER.serialized(self.signer))
        }
        if options.has(.signedByAnotherKey) { self.key = try self.key.another() }
        if options.has(.certificatesMissing) { self.certificates = [] }
    }
}

/// Makes the certificates of ``Forgery`` that look nearly right.
private struct ChainForger {
    let authority: TestAuthority
    let signingTime: Date
    let options: MintOptions

    private static let day: TimeInterval = 86_400

    func leaf(_ genuine: CertificateProfile) throws -> Certificate? {
        let forgeries: Set<Forgery> = [
            .leafWithoutMarkerOID, .leafIsAuthority, .leafWithoutDigitalSignatureUsage, .leafExpired, .leafNotYetValid,
            .leafSignedByAnotherKey, .leafIssuedByRoot, .leafWithBothMarkers, .leafWithUnknownCriticalExtension,
        ]
        guard !forgeries.isDisjoint(with: self.options.forgeries) else { return nil }
        var profile = genuine
        if self.options.has(.leafWithoutMarkerOID) { profile.markers = [] }
        if self.options.has(.leafWithBothMarkers) {
            profile.markers.append(.init(oid: AppleOID.applicationIntegrationIntermediate))
        }
        if self.options.has(.leafWithUnknownCriticalExtension) {
            profile.markers.append(.init(oid: AppleOID.unknownExtension, isCritical: true))
        }
        if self.options.has(.leafIsAuthority) { profile.isAuthority = true }
        if self.options.has(.leafWithoutDigitalSignatureUsage) { profile.keyUsage = .keyEncipherment }
        if self.options.has(.leafExpired) {
            profile.validFrom = self.signingTime.addingTimeInterval(-400 * ChainForger.day)
            profile.validUntil = self.signingTime.addingTimeInterval(-ChainForger.day)
        }
        if self.options.has(.leafNotYetValid) {
            profile.validFrom = self.signingTime.addingTimeInterval(ChainForger.day)
        }
        var issuer = self.authority.intermediateIssuer
        if self.options.has(.leafIssuedByRoot) { issuer = self.authority.rootIssuer }
        if self.options.has(.leafSignedByAnotherKey) { issuer = self.impostor(of: issuer) }
        return try issuer.issue(profile)
    }

    func intermediate() throws -> Certificate? {
        let forgeries: Set<Forgery> = [
            .intermediateWithoutMarkerOID, .intermediateIsNoAuthority, .intermediateExpired,
            .intermediateSignedByAnotherKey,
        ]
        guard !forgeries.isDisjoint(with: self.options.forgeries) else { return nil }
        var profile = try TestAuthority.intermediateProfile(
            publicKey: self.authority.intermediateKey.publicKey,
            validFrom: self.authority.intermediateCertificate.notValidBefore)
        if self.options.has(.intermediateWithoutMarkerOID) { profile.markers = [] }
        if self.options.has(.intermediateIsNoAuthority) { profile.isAuthority = false }
        if self.options.has(.intermediateExpired) {
            profile.validFrom = self.signingTime.addingTimeInterval(-4_000 * ChainForger.day)
            profile.validUntil = self.signingTime.addingTimeInterval(-ChainForger.day)
        }
        var issuer = self.authority.rootIssuer
        if self.options.has(.intermediateSignedByAnotherKey) { issuer = self.impostor(of: issuer) }
        return try issuer.issue(profile)
    }

    /// The same name and key identifier with another key.
    private func impostor(of issuer: CertificateIssuer) -> CertificateIssuer {
        CertificateIssuer(
            name: issuer.name, key: Certificate.PrivateKey(P256.Signing.PrivateKey()),
            keyIdentifier: issuer.keyIdentifier)
    }
}
