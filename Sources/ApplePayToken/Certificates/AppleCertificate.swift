//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import Crypto
internal import CryptoExtras
internal import SwiftASN1
internal import X509

#if canImport(FoundationEssentials)
import BaseEncoding
public import FoundationEssentials
#else
public import Foundation
#endif

/// A certificate that Apple issued to a merchant: what it is for, whom it belongs to, when it ends.
///
/// It is read, and not verified: a merchant's own certificate proves itself by the private key that fits it.
public struct AppleCertificate: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        /// Its key opens tokens.
        case paymentProcessing = "payment_processing"
        /// Its key authenticates the merchant to Apple when a payment session is asked for.
        case merchantIdentity = "merchant_identity"
        case other = "other"
    }

    public let kind: Kind
    /// The certificate in DER.
    public let der: [UInt8]
    public let commonName: String?
    /// The merchant identifier (UID of the subject), e.g. "merchant.com.example.shop"; nil in certificates of another
    /// kind.
    public let merchantIdentifier: String?
    /// SHA-256 of the merchant identifier, 32 bytes; nil in certificates of another kind.
    public let merchantIdentifierHash: [UInt8]?
    /// The team at Apple (OU of the subject).
    public let teamIdentifier: String?
    public let organization: String?
    public let issuerCommonName: String?
    /// In lower-case hexadecimal.
    public let serialNumber: String
    public let notBefore: Date
    public let notAfter: Date
    public let keyAlgorithm: KeyAlgorithm
    /// SHA-256 of the SubjectPublicKeyInfo, 32 bytes: what tokens name in `header.publicKeyHash`.
    public let publicKeyHash: [UInt8]

    /// The public key hash in base64, as tokens write it.
    public var publicKeyHashText: String { Base64.encode(self.publicKeyHash) }

    /// Reads a `.cer` (DER) or a PEM file.
    ///
    /// - Throws: ``TokenError`` of the stage `certificate`; `merchant_identifier_mismatch` if the subject and Apple's
    ///   extension disagree.
    public init(_ file: some Collection<UInt8>) throws(TokenError) {
        let der = try CertificateFile.der(Array(file))
        let parsed = try TokenCertificate(der, code: .certificateUnreadable, stage: .certificate)
        let certificate = parsed.certificate
        let subject = certificate.subject
        self.der = der
        self.commonName = subject.text(of: .RDNAttributeType.commonName)
        self.teamIdentifier = subject.text(of: .RDNAttributeType.organizationalUnitName)
        self.organization = subject.text(of: .RDNAttributeType.organizationName)
        self.issuerCommonName = certificate.issuer.text(of: .RDNAttributeType.commonName)
        self.serialNumber = Hex.encode(parsed.serialNumber)
        self.notBefore = certificate.notValidBefore
        self.notAfter = certificate.notValidAfter
        self.keyAlgorithm = KeyAlgorithm(certificate.publicKey)
        self.publicKeyHash = Array(SHA256.hash(data: parsed.publicKeyInfo))

        let hash = try Self.merchantIdentifierHash(certificate)
        self.kind = Self.kind(certificate, commonName: self.commonName, hasMerchantHash: hash != nil)
        guard self.kind != .other else {
            self.merchantIdentifier = nil
            self.merchantIdentifierHash = nil
            return
        }
        self.merchantIdentifier = subject.text(of: .userIdentifier)
        let computed = self.merchantIdentifier.map { Array(SHA256.hash(data: Array($0.utf8))) }
        if let hash, let computed, hash != computed {
            throw TokenError(
                .merchantIdentifierMismatch, .certificate,
                "The certificate's extension 1.2.840.113635.100.6.32 is not the hash of the merchant identifier "
                    + "in its subject."
            )
        }
        self.merchantIdentifierHash = hash ?? computed
    }

    /// Whether this is the certificate of that private key.
    public func fits(_ privateKey: MerchantPrivateKey) -> Bool {
        self.publicKeyHash == privateKey.publicKeyHash
    }

    /// Whether the certificate is valid at that time, both ends included.
    public func isValid(at time: Date) -> Bool {
        (self.notBefore...max(self.notBefore, self.notAfter)).contains(time)
    }

    /// The extension's value is `0C 40`, a UTF8String of 64 hexadecimal digits.
    private static func merchantIdentifierHash(_ certificate: Certificate) throws(TokenError) -> [UInt8]? {
        guard let value = certificate.extensions[oid: .appleMerchantIdentifierHash]?.value else { return nil }
        guard value.starts(with: [0x0C, 0x40]), let text = String(validating: value.dropFirst(2), as: UTF8.self),
            let hash = Hex.decode(text), hash.count == 32
        else {
            throw TokenError(
                .merchantIdentifierHashMalformed, .certificate,
                "The certificate's extension 1.2.840.113635.100.6.32 is not a UTF8String of 64 hexadecimal digits.")
        }
        return hash
    }

    /// Both kinds carry the merchant's hash. The common name distinguishes them ("Merchant ID:" is the older name of
    /// the processing kind); failing that, only the identity kind is for TLS clients.
    private static func kind(_ certificate: Certificate, commonName: String?, hasMerchantHash: Bool) -> Kind {
        let commonName = commonName ?? ""
        if commonName.hasPrefix("Apple Pay Payment Processing:") || commonName.hasPrefix("Merchant ID:") {
            return .paymentProcessing
        }
        let identities = ["Apple Pay Merchant Identity:", "Apple Pay Platform Integrator Identity:"]
        if identities.contains(where: commonName.hasPrefix) { return .merchantIdentity }
        guard hasMerchantHash else { return .other }
        let usages = (try? certificate.extensions.extendedKeyUsage) ?? nil
        return usages?.contains(.clientAuth) == true ? .merchantIdentity : .paymentProcessing
    }
}

extension KeyAlgorithm {
    init(_ key: Certificate.PublicKey) {
        if P256.Signing.PublicKey(key) != nil {
            self = .p256
        } else if let rsa = _RSA.Signing.PublicKey(key) {
            self = .rsa(bits: rsa.keySizeInBits)
        } else {
            self = .other
        }
    }
}

extension AppleCertificate: CustomStringConvertible {
    public var description: String {
        "\(self.kind.rawValue) certificate of \(self.merchantIdentifier ?? self.commonName ?? "unknown"), "
            + "until \(Instant(self.notAfter).text)"
    }
}
