//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import Crypto

/// The key derivation of EC_v1: the single step of NIST SP 800-56A, section 5.8.1, with SHA-256, one round.
///
/// SHA-256( 00 00 00 01 || Z || 0D "id-aes256-GCM" || "Apple" || SHA-256(merchant identifier) ), 87 bytes in all. Z is
/// the x coordinate, always 32 bytes with its leading zeros. The X9.63 derivation that swift-crypto offers puts the
/// counter behind Z and is another function.
enum KeyDerivation {
    static let merchantIdentifierHashLength = 32

    /// Counter, and then what follows Z: AlgorithmID with its length byte, and PartyUInfo.
    private static let counter: [UInt8] = [0, 0, 0, 1]
    private static let algorithmAndPartyU: [UInt8] = [13] + Array("id-aes256-GCM".utf8) + Array("Apple".utf8)

    static func key(sharedSecret: SharedSecret, merchantIdentifierHash: [UInt8]) -> SymmetricKey {
        sharedSecret.withUnsafeBytes { self.key(z: $0, merchantIdentifierHash: merchantIdentifierHash) }
    }

    static func key(z: UnsafeRawBufferPointer, merchantIdentifierHash: [UInt8]) -> SymmetricKey {
        var hash = SHA256()
        hash.update(data: self.counter)
        hash.update(bufferPointer: z)
        hash.update(data: self.algorithmAndPartyU)
        hash.update(data: merchantIdentifierHash)
        return SymmetricKey(data: hash.finalize())
    }
}
