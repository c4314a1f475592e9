//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
public import Crypto
internal import CryptoExtras
public import Redaction

/// A merchant's private key for opening tokens, with the hash by which a token asks for it.
public struct PaymentProcessingKey: Sendable {
    enum Secret: Sendable {
        case ec(P256.KeyAgreement.PrivateKey, merchantIdentifierHash: [UInt8])
        case rsa(RSADecryptionKey)
    }

    /// SHA-256 of the public key's SubjectPublicKeyInfo, 32 bytes: what `header.publicKeyHash` names.
    public let publicKeyHash: [UInt8]
    /// SHA-256 of the merchant identifier that the key is certified for, 32 bytes.
    public let merchantIdentifierHash: [UInt8]
    let secret: Secret

    /// The tokens that this key opens.
    public var version: TokenVersion {
        switch self.secret {
        case .ec: .ecV1
        case .rsa: .rsaV1
        }
    }

    /// The key with the certificate that Apple issued for it.
    ///
    /// - Throws: ``TokenError`` of the stage `certificate`: `private_key_mismatch` if they do not belong together,
    ///   `certificate_wrong_kind` if the certificate is not a payment processing certificate.
    public init(privateKey: MerchantPrivateKey, certificate: AppleCertificate) throws(TokenError) {
        guard certificate.kind == .paymentProcessing else {
            throw TokenError(
                .certificateWrongKind, .certificate,
                "The certificate is of the kind \(certificate.kind.rawValue); a payment processing certificate "
                    + "is needed."
            )
        }
        guard certificate.fits(privateKey) else {
            throw TokenError(
                .privateKeyMismatch, .certificate,
                "The private key does not belong to the certificate: its public key has the hash "
                    + "\(Base64.encode(privateKey.publicKeyHash)), the certificate's \(certificate.publicKeyHashText).")
        }
        guard let hash = certificate.merchantIdentifierHash else {
            throw TokenError(
                .merchantIdentifierMissing, .certificate,
                "The certificate names no merchant identifier; pass the merchant identifier with the key instead.")
        }
        try self.init(privateKey: privateKey, merchantIdentifierHash: hash)
    }

    /// The key with the merchant identifier, e.g. "merchant.com.example.shop".
    public init(privateKey: MerchantPrivateKey, merchantIdentifier: String) throws(TokenError) {
        guard !merchantIdentifier.isEmpty else {
            throw TokenError(.merchantIdentifierMissing, .certificate, "The merchant identifier is empty.")
        }
        try self.init(
            privateKey: privateKey, merchantIdentifierHash: Array(SHA256.hash(data: Array(merchantIdentifier.utf8))))
    }

    /// The key in PEM with the certificate that Apple issued for it.
    public init(privateKeyPEM: Redacted<String>, certificate: AppleCertificate) throws(TokenError) {
        try self.init(privateKey: try MerchantPrivateKey(pem: privateKeyPEM), certificate: certificate)
    }

    /// The key in PEM with the merchant identifier, e.g. "merchant.com.example.shop".
    public init(privateKeyPEM: Redacted<String>, merchantIdentifier: String) throws(TokenError) {
        try self.init(privateKey: try MerchantPrivateKey(pem: privateKeyPEM), merchantIdentifier: merchantIdentifier)
    }

    /// A P-256 key with SHA-256 of the merchant identifier, 32 bytes.
    public init(_ key: P256.KeyAgreement.PrivateKey, merchantIdentifierHash: [UInt8]) throws(TokenError) {
        try self.init(privateKey: MerchantPrivateKey(key), merchantIdentifierHash: merchantIdentifierHash)
    }

    private init(privateKey: MerchantPrivateKey, merchantIdentifierHash: [UInt8]) throws(TokenError) {
        guard merchantIdentifierHash.count == KeyDerivation.merchantIdentifierHashLength else {
            throw TokenError(
                .merchantIdentifierHashMalformed, .certificate,
                "The hash of the merchant identifier has \(merchantIdentifierHash.count) bytes; SHA-256 has 32.")
        }
        self.publicKeyHash = privateKey.publicKeyHash
        self.merchantIdentifierHash = merchantIdentifierHash
        switch privateKey.key {
        case .ec(let key): self.secret = .ec(key, merchantIdentifierHash: merchantIdentifierHash)
        // RSA_v1 has no key derivation, and so the merchant identifier plays no part.
        case .rsa(let key): self.secret = .rsa(try RSADecryptionKey(key))
        }
    }
}

extension PaymentProcessingKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        "PaymentProcessingKey(\(self.version), publicKeyHash: \(Base64.encode(self.publicKeyHash)))"
    }

    public var debugDescription: String { self.description }

    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
