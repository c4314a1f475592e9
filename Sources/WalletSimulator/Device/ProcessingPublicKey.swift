//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Crypto
public import CryptoExtras
import SwiftASN1
public import X509

/// The merchant's payment processing key, to which a token is encrypted.
public struct ProcessingPublicKey: Sendable {
    enum Key: Sendable {
        case p256(P256.KeyAgreement.PublicKey)
        case rsa(_RSA.Signing.PublicKey)
    }

    let key: Key
    /// The certificate that it was taken from, if any.
    let certificateDER: [UInt8]?
    /// The key as DER SubjectPublicKeyInfo.
    public let derRepresentation: [UInt8]

    /// The version of token that this key can open.
    public var version: PaymentRequest.Version {
        switch self.key {
        case .p256: .ecV1
        case .rsa: .rsaV1
        }
    }

    /// SHA-256 of the SubjectPublicKeyInfo: `publicKeyHash` of a token's header.
    public var publicKeyHash: [UInt8] {
        Array(SHA256.hash(data: self.derRepresentation))
    }

    public init(_ key: P256.KeyAgreement.PublicKey) {
        self.init(p256: key, certificateDER: nil)
    }

    /// - Throws: ``SimulatorError`` `recipient_key_unsupported` unless the key has 2048 bits.
    public init(_ key: _RSA.Encryption.PublicKey) throws {
        try self.init(rsa: _RSA.Signing.PublicKey(derRepresentation: key.pkcs1DERRepresentation), certificateDER: nil)
    }

    /// The key of a payment processing certificate.
    ///
    /// - Throws: ``SimulatorError`` `recipient_key_unsupported` unless the key is P-256 or RSA-2048.
    public init(certificate: Certificate) throws {
        let der = try BER.serialized(certificate)
        if let key = P256.Signing.PublicKey(certificate.publicKey) {
            self.init(
                p256: try P256.KeyAgreement.PublicKey(x963Representation: key.x963Representation), certificateDER: der)
        } else if let key = _RSA.Signing.PublicKey(certificate.publicKey) {
            try self.init(rsa: key, certificateDER: der)
        } else {
            throw SimulatorError(
                .recipientKeyUnsupported, "tokens are encrypted to P-256 or RSA-2048 keys: this certificate has another"
            )
        }
    }

    private init(p256 key: P256.KeyAgreement.PublicKey, certificateDER: [UInt8]?) {
        self.key = .p256(key)
        self.certificateDER = certificateDER
        self.derRepresentation = Array(key.derRepresentation)
    }

    private init(rsa key: _RSA.Signing.PublicKey, certificateDER: [UInt8]?) throws {
        guard key.keySizeInBits == 2048 else {
            throw SimulatorError(.recipientKeyUnsupported, "an RSA processing key must have 2048 bits")
        }
        self.key = .rsa(key)
        self.certificateDER = certificateDER
        self.derRepresentation = try BER.serialized(Certificate.PublicKey(key))
    }
}
