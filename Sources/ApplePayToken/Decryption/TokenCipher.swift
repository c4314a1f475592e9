//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import Crypto

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// AES-GCM as Apple's format has it: 16 zero bytes of nonce, no additional data, the 16-byte tag at the end of the
/// data.
///
/// The nonce can be fixed because every key is used once. It is not of 12 bytes, so it goes through GHASH (NIST SP
/// 800-38D, section 7.1).
enum TokenCipher {
    static let tagLength = 16
    /// Made once. Its making fails only for a length that AES-GCM does not take.
    private static let nonce = Result { try AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 16)) }

    static func open(_ data: [UInt8], with key: SymmetricKey) throws(TokenError) -> [UInt8] {
        do {
            // Of one kind with what the box is made of: it takes others byte by byte.
            let data = Data(data)
            let box = try AES.GCM.SealedBox(
                nonce: self.nonce.get(), ciphertext: data.dropLast(self.tagLength),
                tag: data.suffix(self.tagLength))
            return try AES.GCM.open(box, using: key).withUnsafeBytes { Array($0) }
        } catch {
            throw TokenError(
                .decryptionFailed, .decryption,
                "The data does not open with the restored key: the key pair or the merchant identifier is not the one "
                    + "that the token was made for.")
        }
    }
}
