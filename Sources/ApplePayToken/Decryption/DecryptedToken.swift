//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import Crypto

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An opened token. Made only from a ``VerifiedToken``.
public struct DecryptedToken: Sendable {
    /// The token that was opened.
    public let verified: VerifiedToken
    public let payload: PaymentPayload
    /// SHA-256 of the merchant identifier of the key that has opened it.
    public let merchantIdentifierHash: [UInt8]

    /// The transaction's identifier in lower-case hexadecimal: what must be new, durably.
    public var transactionIdentifier: String { self.verified.header.transactionIdentifierText }

    public var signingTime: Date { self.verified.signingTime }

    public var anchor: TrustAnchor { self.verified.anchor }
}

extension VerifiedToken {
    /// Opens the token with the key that it asks for.
    ///
    /// - Throws: ``TokenError`` of the stages `key_selection`, `decryption` and `payload`.
    public func decrypt(with keyring: TokenKeyring) throws(TokenError) -> DecryptedToken {
        let keys = try keyring.keys(for: self.header)
        var failure: TokenError?
        for key in keys {
            do throws(TokenError) {
                let symmetricKey = try key.symmetricKey(for: self.header.key)
                let plaintext = try TokenCipher.open(self.token.data, with: symmetricKey)
                return DecryptedToken(
                    verified: self, payload: try PaymentPayload(parsing: plaintext),
                    merchantIdentifierHash: key.merchantIdentifierHash)
            } catch {
                // Another key only where the tag was wrong, and only one with this very hash: one key pair, two
                // merchant identifiers.
                guard error.code == .decryptionFailed else { throw error }
                failure = error
            }
        }
        throw failure ?? TokenError(.keyUnknown, .keySelection, "This merchant has no key for the token.")
    }
}

extension PaymentProcessingKey {
    func symmetricKey(for key: TokenHeader.Key) throws(TokenError) -> SymmetricKey {
        switch (self.secret, key) {
        case (.ec(let privateKey, let merchantIdentifierHash), .ephemeralPublicKey(let bytes)):
            return try Self.agreedKey(privateKey, bytes, merchantIdentifierHash)
        case (.rsa(let privateKey), .wrappedKey(let bytes)): return try Self.unwrappedKey(privateKey, bytes)
        default:
            throw TokenError(
                .keyAlgorithmMismatch, .keySelection, "The key is not of the kind that the token asks for.")
        }
    }

    private static func agreedKey(
        _ privateKey: P256.KeyAgreement.PrivateKey, _ ephemeralKey: [UInt8], _ merchantIdentifierHash: [UInt8]
    ) throws(TokenError) -> SymmetricKey {
        do {
            // The header has made sure of the 26 bytes before the point; importing it checks that it lies on the curve.
            let publicKey = try P256.KeyAgreement.PublicKey(
                x963Representation: ephemeralKey.dropFirst(TokenHeader.ephemeralPointOffset))
            let secret = try privateKey.sharedSecretFromKeyAgreement(with: publicKey)
            return KeyDerivation.key(sharedSecret: secret, merchantIdentifierHash: merchantIdentifierHash)
        } catch {
            throw TokenError(
                .ephemeralPublicKeyInvalid, .decryption, "header.ephemeralPublicKey is not a point of the curve P-256.")
        }
    }

    /// There is no key derivation: what was wrapped is the AES-128 key.
    private static func unwrappedKey(
        _ privateKey: RSADecryptionKey, _ wrappedKey: [UInt8]
    ) throws(TokenError) -> SymmetricKey {
        let bytes: Data
        do {
            bytes = try privateKey.decrypt(wrappedKey)
        } catch {
            throw TokenError(
                .wrappedKeyRejected, .decryption,
                "header.wrappedKey does not open with the merchant's RSA key (OAEP, SHA-256).")
        }
        guard bytes.count == 16 else {
            throw TokenError(
                .unwrappedKeyLength, .decryption,
                "header.wrappedKey holds a key of \(bytes.count) bytes; RSA_v1 has AES-128, 16 bytes.")
        }
        return SymmetricKey(data: bytes)
    }
}

extension DecryptedToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        "DecryptedToken(\(self.verified.version), transactionId: \(self.transactionIdentifier))"
    }

    public var debugDescription: String { self.description }

    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
