//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import Crypto
internal import CryptoExtras
internal import SwiftASN1
internal import X509

/// What RFC 5280 and Apple's format ask of each certificate by itself.
enum CertificateProfile {
    /// The leaf: no authority, may sign, and its key is P-256 or RSA-2048.
    static func leaf(_ leaf: TokenCertificate) throws(TokenError) -> SigningLeaf {
        try self.common(leaf, role: "leaf")
        if case .isCertificateAuthority = try self.basicConstraints(leaf, role: "leaf") {
            throw TokenError(.leafIsAuthority, .chain, "The leaf is a certificate authority (basic constraints, CA).")
        }
        guard try self.keyUsage(leaf, role: "leaf")?.digitalSignature == true else {
            throw TokenError(.leafKeyUsage, .chain, "The leaf's key usage does not allow digital signatures.")
        }
        let key: SigningLeaf.Key
        let publicKey = leaf.certificate.publicKey
        if let p256 = P256.Signing.PublicKey(publicKey) {
            key = .ecdsa(SignerKey(p256))
        } else if let rsa = _RSA.Signing.PublicKey(publicKey), rsa.keySizeInBits >= 2_048 {
            key = .rsa(rsa)
        } else {
            throw TokenError(
                .leafKeyUnsupported, .chain, "The leaf's key is neither P-256 nor RSA of 2048 bits or more.")
        }
        return SigningLeaf(key: key, issuer: Array(leaf.issuer), serialNumber: Array(leaf.serialNumber))
    }

    /// The intermediate: an authority that may sign certificates.
    static func intermediate(_ intermediate: TokenCertificate) throws(TokenError) {
        try self.common(intermediate, role: "intermediate")
        guard case .isCertificateAuthority = try self.basicConstraints(intermediate, role: "intermediate") else {
            throw TokenError(
                .intermediateNotAuthority, .chain,
                "The intermediate is not a certificate authority (basic constraints, CA).")
        }
        guard try self.keyUsage(intermediate, role: "intermediate")?.keyCertSign == true else {
            throw TokenError(
                .intermediateKeyUsage, .chain, "The intermediate's key usage does not allow signing certificates.")
        }
    }

    /// Apple signs all of these certificates with ECDSA and SHA-256, even the one with an RSA key. The two stronger
    /// digests of the family are let through; nothing weaker, and no other family.
    private static let algorithms: [Certificate.SignatureAlgorithm] = [
        .ecdsaWithSHA256, .ecdsaWithSHA384, .ecdsaWithSHA512,
    ]

    /// The extensions that are looked at; any other one that is critical must lead to refusal (RFC 5280, section 4.2).
    private static let processedExtensions: [ASN1ObjectIdentifier] = [
        .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage, .appleTokenLeaf, .appleTokenIntermediate,
    ]

    private static func common(_ certificate: TokenCertificate, role: String) throws(TokenError) {
        guard self.algorithms.contains(certificate.certificate.signatureAlgorithm) else {
            throw TokenError(
                .certificateAlgorithmUnsupported, .chain,
                "The \(role) is not signed with ECDSA and SHA-256 or stronger.")
        }
        for one in certificate.certificate.extensions where one.critical && !self.processedExtensions.contains(one.oid)
        {
            throw TokenError(
                .certificateCriticalExtension, .chain,
                "The \(role) has the critical extension \(one.oid), which is not known here.")
        }
    }

    private static func basicConstraints(
        _ certificate: TokenCertificate, role: String
    ) throws(TokenError) -> BasicConstraints {
        do {
            return try certificate.certificate.extensions.basicConstraints ?? .notCertificateAuthority
        } catch {
            throw self.malformed("basic constraints", role)
        }
    }

    private static func keyUsage(_ certificate: TokenCertificate, role: String) throws(TokenError) -> KeyUsage? {
        do {
            return try certificate.certificate.extensions.keyUsage
        } catch {
            throw self.malformed("key usage", role)
        }
    }

    private static func malformed(_ what: String, _ role: String) -> TokenError {
        TokenError(.certificateExtensionMalformed, .chain, "The \(role)'s extension for \(what) is not well-formed.")
    }
}
