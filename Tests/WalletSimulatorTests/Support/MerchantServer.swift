//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import CryptoExtras
import Foundation
import StrictJSON

/// Opens tokens with plain calls to the cryptographic library: a path that shares nothing with the simulator.
enum MerchantServer {
    struct Malformed: Error {}

    static func bytes(_ json: JSON?) throws -> Data {
        guard let text = json?.string, let data = Data(base64Encoded: text) else { throw Malformed() }
        return data
    }

    static func open(_ paymentData: JSON, merchantIdentifier: String = Sandbox.merchantIdentifier) throws -> JSON {
        let data = try self.bytes(paymentData["data"])
        let header = paymentData["header"]
        let key: SymmetricKey
        if paymentData["version"] == "EC_v1" {
            let ephemeral = try P256.KeyAgreement.PublicKey(
                derRepresentation: self.bytes(header?["ephemeralPublicKey"]))
            let secret = try Sandbox.ecKey.sharedSecretFromKeyAgreement(with: ephemeral)
            var hash = SHA256()
            hash.update(data: Data([0, 0, 0, 1]))
            secret.withUnsafeBytes { hash.update(bufferPointer: $0) }
            hash.update(data: Data([13]) + Data("id-aes256-GCMApple".utf8))
            hash.update(data: Data(SHA256.hash(data: Data(merchantIdentifier.utf8))))
            key = SymmetricKey(data: hash.finalize())
        } else {
            let wrapped = try self.bytes(header?["wrappedKey"])
            key = SymmetricKey(data: try Sandbox.rsaPrivateKey().decrypt(wrapped, padding: .PKCS1_OAEP_SHA256))
            guard key.bitCount == 128 else { throw Malformed() }
        }
        let box = try AES.GCM.SealedBox(
            nonce: AES.GCM.Nonce(data: Data(count: 16)), ciphertext: data.dropLast(16), tag: data.suffix(16))
        return try JSON.parse(AES.GCM.open(box, using: key))
    }
}
