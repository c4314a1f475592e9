//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import CryptoExtras

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An RSA key that decrypts, for as long as its merchant's keys are at hand: with each new one BoringSSL would check it
/// anew and begin its blinding anew, which takes as long as the decryption.
///
/// Sendable unchecked: swift-crypto says of an RSA key's signing form that it may cross threads, and nothing of this one,
/// which is the same object of BoringSSL's. Private operations do not mutate a key, and may run at the same time
/// (openssl/rsa.h).
struct RSADecryptionKey: @unchecked Sendable {
    private let key: _RSA.Encryption.PrivateKey

    init(_ key: _RSA.Signing.PrivateKey) throws(TokenError) {
        do {
            self.key = try _RSA.Encryption.PrivateKey(derRepresentation: key.derRepresentation)
        } catch {
            throw TokenError(.privateKeyUnsupported, .certificate, "The RSA key cannot decrypt.")
        }
    }

    /// RSA-OAEP (RFC 8017, section 7.1) with SHA-256 as the hash and in MGF1, and an empty label.
    func decrypt(_ wrapped: [UInt8]) throws -> Data {
        try self.key.decrypt(wrapped, padding: .PKCS1_OAEP_SHA256)
    }
}
