//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
public import Crypto
internal import CryptoExtras
public import Redaction
internal import SwiftASN1

/// A merchant's private key, P-256 or RSA.
public struct MerchantPrivateKey: Sendable {
    enum Key: Sendable {
        case ec(P256.KeyAgreement.PrivateKey)
        case rsa(_RSA.Signing.PrivateKey)
    }

    let key: Key
    /// SHA-256 of the public key's SubjectPublicKeyInfo, 32 bytes.
    public let publicKeyHash: [UInt8]
    public let algorithm: KeyAlgorithm

    public init(_ key: P256.KeyAgreement.PrivateKey) {
        self.key = .ec(key)
        self.algorithm = .p256
        self.publicKeyHash = Array(SHA256.hash(data: key.publicKey.derRepresentation))
    }

    init(_ key: _RSA.Signing.PrivateKey) {
        self.key = .rsa(key)
        self.algorithm = .rsa(bits: key.keySizeInBits)
        self.publicKeyHash = Array(SHA256.hash(data: key.publicKey.derRepresentation))
    }

    /// Reads a key in PEM: PKCS #8 ("PRIVATE KEY"), SEC 1 ("EC PRIVATE KEY") or PKCS #1 ("RSA PRIVATE KEY").
    /// Certificates and curve parameters in the same file are passed over.
    ///
    /// - Throws: ``TokenError``: `private_key_encrypted`, `private_key_unsupported` or `private_key_unreadable`.
    public init(pem: Redacted<String>) throws(TokenError) {
        let text = pem.reveal()
        guard !text.contains("ENCRYPTED") else {
            throw TokenError(
                .privateKeyEncrypted, .certificate,
                "The private key is encrypted. Decrypt it first, e.g. with: openssl pkey -in KEY.pem -out PLAIN.pem")
        }
        let documents: [PEMDocument]
        do {
            documents = try PEMDocument.parseMultiple(pemString: text)
        } catch {
            throw TokenError(.privateKeyUnreadable, .certificate, "The private key is not PEM.")
        }
        let keys = documents.filter { $0.discriminator.hasSuffix("PRIVATE KEY") }
        guard let document = keys.first, keys.count == 1 else {
            throw TokenError(
                .privateKeyUnreadable, .certificate,
                "The PEM file holds \(keys.count) private keys; exactly one is expected.")
        }
        switch document.discriminator {
        case "EC PRIVATE KEY": self.init(try Self.p256(document.derBytes))
        case "RSA PRIVATE KEY": self.init(try Self.rsa(document))
        case "PRIVATE KEY":
            // RFC 5958: the algorithm stands inside, so the one that does not fit is refused by its reader.
            if let key = try? Self.p256(document.derBytes) {
                self.init(key)
            } else {
                self.init(try Self.rsa(document))
            }
        default:
            throw TokenError(
                .privateKeyUnsupported, .certificate,
                "The private key is of the kind \"\(document.discriminator)\"; PKCS #8, SEC 1 and PKCS #1 are read.")
        }
    }

    private static func p256(_ der: [UInt8]) throws(TokenError) -> P256.KeyAgreement.PrivateKey {
        do {
            return try P256.KeyAgreement.PrivateKey(derRepresentation: der)
        } catch {
            throw TokenError(
                .privateKeyUnsupported, .certificate, "The private key is on another curve than P-256, or damaged.")
        }
    }

    private static func rsa(_ document: PEMDocument) throws(TokenError) -> _RSA.Signing.PrivateKey {
        do {
            return try _RSA.Signing.PrivateKey(pemRepresentation: document.pemString)
        } catch {
            throw TokenError(
                .privateKeyUnsupported, .certificate,
                "The private key is neither P-256 nor RSA of 2048 bits or more, or it is damaged.")
        }
    }

    /// The key in PEM: PKCS #8.
    public var pem: Redacted<String> {
        switch self.key {
        case .ec(let key): Redacted(key.pemRepresentation)
        case .rsa(let key): Redacted(key.pkcs8PEMRepresentation)
        }
    }
}

/// The kinds of keys in merchants' certificates.
public enum KeyAlgorithm: Hashable, Sendable, CustomStringConvertible {
    case p256
    case rsa(bits: Int)
    case other

    public var description: String {
        switch self {
        case .p256: "EC P-256"
        case .rsa(let bits): "RSA-\(bits)"
        case .other: "another algorithm"
        }
    }
}

extension MerchantPrivateKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        "MerchantPrivateKey(\(self.algorithm), publicKeyHash: \(Base64.encode(self.publicKeyHash)))"
    }

    public var debugDescription: String { self.description }

    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
