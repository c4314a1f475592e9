//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import CryptoExtras
import Foundation

/// Encrypts a payload to the merchant's key (Payment token format reference, "Restoring the symmetric key" and
/// "Decrypting", backwards).
struct PayloadSeal {
    /// What goes into the header, and the encrypted payload with its tag.
    struct Sealed {
        /// The ephemeral public key as SubjectPublicKeyInfo, or the wrapped content key.
        var key: [UInt8]
        /// Ciphertext and 16-byte tag.
        var data: [UInt8]
    }

    let merchantIdentifier: String
    let random: RandomSource
    let options: MintOptions

    func seal(_ plaintext: [UInt8], to recipient: ProcessingPublicKey) throws -> Sealed {
        var sealed =
            switch recipient.key {
            case .p256(let key): try self.seal(plaintext, to: key)
            case .rsa(let key): try self.seal(plaintext, to: key)
            }
        if self.options.has(.ciphertextCorrupt) { sealed.data[0] ^= 0x01 }
        if self.options.has(.authenticationTagCorrupt) { sealed.data[sealed.data.count - 1] ^= 0x01 }
        if self.options.has(.authenticationTagTruncated) { sealed.data.removeLast(4) }
        if self.options.has(.ciphertextShorterThanTag) { sealed.data = Array(sealed.data.prefix(8)) }
        return sealed
    }

    /// AES-GCM with an IV of 16 zero bytes: every key is used once.
    private func encrypt(_ plaintext: [UInt8], with key: SymmetricKey) throws -> [UInt8] {
        let nonce = try AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 16))
        let box = try AES.GCM.seal(plaintext, using: key, nonce: nonce)
        return Array(box.ciphertext) + Array(box.tag)
    }

    // MARK: - EC_v1

    private func seal(_ plaintext: [UInt8], to recipient: P256.KeyAgreement.PublicKey) throws -> Sealed {
        let (ephemeral, secret) = try self.agree(with: recipient)
        let key = self.contentKey(secret)
        return Sealed(
            key: try self.ephemeralKeyInfo(ephemeral.publicKey), data: try self.encrypt(plaintext, with: key))
    }

    private func agree(
        with recipient: P256.KeyAgreement.PublicKey
    ) throws -> (P256.KeyAgreement.PrivateKey, SharedSecret) {
        let wantsLeadingZero = self.options.wantsLeadingZeroInSecret || self.options.has(.secretWithoutLeadingZero)
        while true {
            let ephemeral = self.options.ephemeralKey ?? P256.KeyAgreement.PrivateKey()
            let secret = try ephemeral.sharedSecretFromKeyAgreement(with: recipient)
            let isDone = !wantsLeadingZero || secret.withUnsafeBytes { $0.first == 0 }
            if isDone || self.options.ephemeralKey != nil { return (ephemeral, secret) }
        }
    }

    /// The single-step KDF of NIST SP 800-56A (5.8.1): one SHA-256 over counter, Z and OtherInfo = AlgorithmID,
    /// PartyU, PartyV.
    private func contentKey(_ secret: SharedSecret) -> SymmetricKey {
        let merchant =
            self.options.has(.keyDerivedForAnotherMerchant)
            ? "another.\(self.merchantIdentifier)" : self.merchantIdentifier
        let algorithm = Array("\u{0D}id-aes256-GCM".utf8)
        let otherInfo = algorithm + Array("Apple".utf8) + Array(SHA256.hash(data: Array(merchant.utf8)))
        if self.options.has(.keyDerivedByX963) {
            return secret.x963DerivedSymmetricKey(using: SHA256.self, sharedInfo: otherInfo, outputByteCount: 32)
        }
        // All 32 bytes, leading zeros too.
        var z = secret.withUnsafeBytes { Array($0) }
        if self.options.has(.secretWithoutLeadingZero) { z.removeFirst() }
        return SymmetricKey(data: SHA256.hash(data: [0, 0, 0, 1] + z + otherInfo))
    }

    private func ephemeralKeyInfo(_ key: P256.KeyAgreement.PublicKey) throws -> [UInt8] {
        if self.options.has(.ephemeralKeyOnOtherCurve) {
            return Array(P384.KeyAgreement.PrivateKey().publicKey.derRepresentation)
        }
        var info = Array(key.derRepresentation)
        if self.options.has(.ephemeralKeyNotOnCurve) { info[info.count - 1] ^= 0x01 }
        if self.options.has(.ephemeralKeyCompressed) {
            // 30 len { 30 13 … } 03 len 00 point: the algorithm is bytes 2 to 22.
            return BER.sequence(
                Array(info[2..<23]), BER.element(BER.Tag.bitString, [0], Array(key.compressedRepresentation)))
        }
        return info
    }

    // MARK: - RSA_v1

    /// A random AES-128 key, wrapped with RSA-OAEP, SHA-256 as hash and in MGF1, without a label.
    private func seal(_ plaintext: [UInt8], to recipient: _RSA.Signing.PublicKey) throws -> Sealed {
        let count = self.options.has(.contentKeyOf32Bytes) ? 32 : 16
        let contentKey = self.options.contentKey ?? self.random.bytes(count)
        guard contentKey.count == count else {
            throw SimulatorError(.contentKeyMalformed, "the content key of an RSA_v1 token has \(count) bytes")
        }
        let key = try _RSA.Encryption.PublicKey(derRepresentation: recipient.pkcs1DERRepresentation)
        let padding: _RSA.Encryption.Padding =
            self.options.has(.wrappedKeyWithSHA1) ? .PKCS1_OAEP : .PKCS1_OAEP_SHA256
        var wrapped = Array(try key.encrypt(contentKey, padding: padding))
        if self.options.has(.wrappedKeyCorrupt) { wrapped[wrapped.count - 1] ^= 0x01 }
        return Sealed(key: wrapped, data: try self.encrypt(plaintext, with: SymmetricKey(data: contentKey)))
    }
}
