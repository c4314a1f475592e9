//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding

/// The header of a payment token: what is needed to find the key and to restore the symmetric key.
///
/// Everything in it but the public key hash is covered by the token's signature.
public struct TokenHeader: Hashable, Sendable {
    /// How the symmetric key travels.
    public enum Key: Hashable, Sendable {
        /// EC_v1: the device's ephemeral P-256 key, a SubjectPublicKeyInfo of 91 bytes with an uncompressed point.
        case ephemeralPublicKey([UInt8])
        /// RSA_v1: the symmetric key under RSA-OAEP for the merchant's RSA-2048 key, 256 bytes.
        case wrappedKey([UInt8])

        /// The version to which this kind of key belongs.
        public var version: TokenVersion {
            switch self {
            case .ephemeralPublicKey: .ecV1
            case .wrappedKey: .rsaV1
            }
        }

        var bytes: [UInt8] {
            switch self {
            case .ephemeralPublicKey(let bytes), .wrappedKey(let bytes): bytes
            }
        }
    }

    /// SHA-256 of the SubjectPublicKeyInfo of the merchant's key, 32 bytes. Not signed: it selects a key and proves
    /// nothing.
    public let publicKeyHash: [UInt8]
    /// The transaction's identifier, 32 bytes. Apple gives each payment its own; whoever remembers what has paid
    /// remembers ``VerifiedToken/signedContentDigest`` as well, which says why.
    public let transactionIdentifier: [UInt8]
    /// SHA-256 of the request's applicationData, 32 bytes; nil when the request had none.
    public let applicationDataHash: [UInt8]?
    public let key: Key

    /// Checks the shape of every part.
    ///
    /// - Parameters:
    ///   - publicKeyHash: 32 bytes.
    ///   - transactionIdentifier: 32 bytes.
    ///   - applicationDataHash: 32 bytes, or nil.
    ///   - key: A 91-byte SubjectPublicKeyInfo of a P-256 point, or 256 bytes of wrapped key.
    /// - Throws: ``TokenError`` of the stage `parse`.
    public init(
        publicKeyHash: [UInt8], transactionIdentifier: [UInt8], applicationDataHash: [UInt8]? = nil, key: Key
    ) throws(TokenError) {
        guard publicKeyHash.count == 32 else {
            throw TokenError(
                .publicKeyHashLength, .parse,
                "header.publicKeyHash has \(publicKeyHash.count) bytes; a SHA-256 digest has 32.")
        }
        // The signature covers the data, the identifier and the hash of the application data one after the other,
        // without boundaries ("Payment token format reference": a hexadecimal string of 32 bytes). Were another length
        // let in, bytes of either neighbour could pass for some of the identifier: the same signed payment under a
        // second one. Cuts that leave 32 bytes are known by the digest of all of it, which no cut changes.
        guard transactionIdentifier.count == TokenHeader.transactionIdentifierLength else {
            throw TokenError(
                .transactionIdentifierLength, .parse,
                "header.transactionId has \(transactionIdentifier.count) bytes; "
                    + "\(TokenHeader.transactionIdentifierLength) are expected.")
        }
        if let applicationDataHash, applicationDataHash.count != 32 {
            throw TokenError(
                .applicationDataHashLength, .parse,
                "header.applicationData has \(applicationDataHash.count) bytes; it is a SHA-256 digest, 32 "
                    + "bytes, in hexadecimal."
            )
        }
        switch key {
        case .ephemeralPublicKey(let bytes):
            guard bytes.count == TokenHeader.ephemeralPublicKeyLength, bytes.starts(with: TokenHeader.p256Prefix) else {
                throw TokenError(
                    .ephemeralPublicKeyMalformed, .parse,
                    "header.ephemeralPublicKey is not the SubjectPublicKeyInfo of an uncompressed P-256 point "
                        + "(91 bytes)."
                )
            }
        case .wrappedKey(let bytes):
            guard bytes.count == TokenHeader.wrappedKeyLength else {
                throw TokenError(
                    .wrappedKeyLength, .parse,
                    "header.wrappedKey has \(bytes.count) bytes; under an RSA-2048 key it has 256.")
            }
        }
        self.publicKeyHash = publicKeyHash
        self.transactionIdentifier = transactionIdentifier
        self.applicationDataHash = applicationDataHash
        self.key = key
    }

    /// The transaction's identifier in lower-case hexadecimal, as header.transactionId has it.
    public var transactionIdentifierText: String { Hex.encode(self.transactionIdentifier) }

    /// The public key hash in base64, as header.publicKeyHash has it.
    public var publicKeyHashText: String { Base64.encode(self.publicKeyHash) }

    /// RFC 5480: SEQUENCE { SEQUENCE { id-ecPublicKey, prime256v1 }, BIT STRING } up to the 04 of an uncompressed
    /// point.
    private static let p256Prefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
        0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
    ]

    private static let transactionIdentifierLength = 32
    private static let ephemeralPublicKeyLength = 91
    private static let wrappedKeyLength = 256

    /// Where the point (04 || x || y) begins in the ephemeral key.
    static let ephemeralPointOffset = 26
}

extension TokenHeader: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Names the transaction and the key that is asked for; the keys inside are not shown.
    public var description: String {
        "TokenHeader(transactionId: \(self.transactionIdentifierText), publicKeyHash: \(self.publicKeyHashText))"
    }

    public var debugDescription: String { self.description }

    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension TokenHeader.Key: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        switch self {
        case .ephemeralPublicKey: "ephemeralPublicKey"
        case .wrappedKey: "wrappedKey"
        }
    }

    public var debugDescription: String { self.description }

    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}
