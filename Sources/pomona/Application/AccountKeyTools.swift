//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import CryptoExtras
import DialectKit
import Foundation
import Redaction
import SwiftASN1
import X509

extension AccountTools {
    /// - Parameter makeClientIdentity: a sandbox's; nobody else makes certificates for his clients here.
    init(_ surroundings: Surroundings, makeClientIdentity: MakeClientIdentity? = nil) {
        self.init(random: surroundings.random, keys: .cryptographic, makeClientIdentity: makeClientIdentity)
    }
}

extension AccountKeyTools {
    private static let bitsMin = 2048

    /// By swift-crypto and swift-certificates.
    static let cryptographic = AccountKeyTools(
        makeRSAKey: { Self.pair(try _RSA.Signing.PrivateKey(keySize: .bits2048)) },
        rsaKey: { pem in
            guard let key = try? _RSA.Signing.PrivateKey(pemRepresentation: pem), key.keySizeInBits >= Self.bitsMin
            else { return nil }
            return Self.pair(key)
        },
        rsaPublicKey: { pem in
            guard let key = try? _RSA.Signing.PublicKey(pemRepresentation: pem), key.keySizeInBits >= Self.bitsMin
            else { return nil }
            return key.pemRepresentation + "\n"
        },
        certificateSHA256: { pem in
            guard let document = try? PEMDocument(pemString: pem),
                (try? Certificate(pemDocument: document)) != nil
            else { return nil }
            return Hex.encode(SHA256.hash(data: Data(document.derBytes)))
        })

    private static func pair(_ key: _RSA.Signing.PrivateKey) -> KeyPair {
        KeyPair(
            privateKeyPEM: Redacted(key.pkcs8PEMRepresentation + "\n"),
            publicKeyPEM: key.publicKey.pemRepresentation + "\n")
    }
}
