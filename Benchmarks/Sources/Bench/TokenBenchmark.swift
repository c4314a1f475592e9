//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Crypto
import Foundation

/// Opening a token, from its JSON to the payload, against the cryptography that it can't do without.
enum TokenBenchmark {
    static let batchCount = 200

    static func run() throws -> [Row] {
        let fixture = try Fixture(now: Date())
        let tokens = try fixture.tokens(self.batchCount)
        let keyring = try fixture.keyring()
        let verifier = TokenVerifier(trustRoots: [.appleRootCAG3, try fixture.anchor()])
        let floor = try Floor()

        let open = { (bytes: [UInt8]) in
            let verified = try verifier.verify(try UnverifiedToken(parsing: bytes), at: fixture.now)
            _ = try verified.decrypt(with: keyring)
        }
        let warm = try Harness.compare(
            "open a token, issuer chain known", count: self.batchCount,
            subject: { for token in tokens { try open(token) } },
            floor: { for _ in tokens { try floor.warm() } })
        let cold = try Harness.compare(
            "open a token, issuer chain new", count: self.batchCount,
            subject: {
                for token in tokens {
                    verifier.cache.removeAll()
                    try open(token)
                }
            },
            floor: { for _ in tokens { try floor.cold() } })
        return [warm, cold]
    }

    /// One P-256 key agreement and one P-256 verification; for a new chain one more of P-256 and one of P-384.
    struct Floor {
        let private256 = P256.KeyAgreement.PrivateKey()
        let peer256 = P256.KeyAgreement.PrivateKey().publicKey
        let key256 = P256.Signing.PrivateKey()
        let key384 = P384.Signing.PrivateKey()
        let message = Data(repeating: 7, count: 200)
        let signature256: P256.Signing.ECDSASignature
        let signature384: P384.Signing.ECDSASignature
        let public256: P256.Signing.PublicKey
        let public384: P384.Signing.PublicKey

        init() throws {
            self.signature256 = try self.key256.signature(for: self.message)
            // Apple's root signs the intermediate with SHA-256, although its key is of P-384.
            self.signature384 = try self.key384.signature(for: SHA256.hash(data: self.message))
            self.public256 = self.key256.publicKey
            self.public384 = self.key384.publicKey
        }

        func warm() throws {
            _ = try self.private256.sharedSecretFromKeyAgreement(with: self.peer256)
            precondition(self.public256.isValidSignature(self.signature256, for: self.message))
        }

        func cold() throws {
            try self.warm()
            precondition(self.public256.isValidSignature(self.signature256, for: self.message))
            precondition(self.public384.isValidSignature(self.signature384, for: SHA256.hash(data: self.message)))
        }
    }
}
