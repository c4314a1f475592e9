//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Crypto
import CryptoExtras
import Foundation
import Redaction
import WalletSimulator

/// Opening a token, from its JSON to the payload, against the cryptography that it can't do without.
enum TokenBenchmark {
    static let batchCount = 200

    static func run() throws -> [Row] {
        let fixture = try Fixture(now: Date())
        let tokens = try fixture.tokens(self.batchCount)
        let keyring = try fixture.keyring()
        let verifier = TokenVerifier(trustRoots: [.appleRootCAG3, try fixture.anchor()])
        let floor = try Floor(count: self.batchCount)

        let open = { (bytes: [UInt8]) in
            let verified = try verifier.verify(try UnverifiedToken(parsing: bytes), at: fixture.now)
            _ = try verified.decrypt(with: keyring)
        }
        let warm = try Harness.compare(
            "token.warm", "open a token, issuer chain known", count: self.batchCount,
            subject: { for token in tokens { try open(token) } },
            floor: { try floor.warm() })
        let cold = try Harness.compare(
            "token.cold", "open a token, issuer chain new", count: self.batchCount,
            subject: {
                for token in tokens {
                    verifier.cache.removeAll()
                    try open(token)
                }
            },
            floor: { try floor.cold() })
        return [warm, cold, try Self.ofRSA(fixture, verifier)]
    }

    /// RSA_v1: a private operation of RSA-2048, for the content key, and a public one, for the signature.
    private static func ofRSA(_ fixture: Fixture, _ verifier: TokenVerifier) throws -> Row {
        let key = try _RSA.Encryption.PrivateKey(keySize: .bits2048)
        let tokens = try fixture.tokens(self.batchCount, recipient: ProcessingPublicKey(key.publicKey))
        let keyring = TokenKeyring([
            try PaymentProcessingKey(
                privateKeyPEM: Redacted(key.pemRepresentation), merchantIdentifier: Fixture.merchantIdentifier)
        ])
        let floor = try RSAFloor(count: self.batchCount)
        return try Harness.compare(
            "token.rsa", "open a token of RSA_v1, issuer chain known", count: self.batchCount,
            subject: {
                for token in tokens {
                    _ = try verifier.verify(try UnverifiedToken(parsing: token), at: fixture.now).decrypt(with: keyring)
                }
            },
            floor: { try floor.run() })
    }

    struct RSAFloor {
        private let decryptionKey: _RSA.Encryption.PrivateKey
        private let verificationKey: _RSA.Signing.PublicKey
        private let wrapped: [Data]
        private let signed: [(message: Data, signature: _RSA.Signing.RSASignature)]

        init(count: Int) throws {
            let signingKey = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            let decryptionKey = try _RSA.Encryption.PrivateKey(keySize: .bits2048)
            self.decryptionKey = decryptionKey
            self.verificationKey = signingKey.publicKey
            self.wrapped = try (0..<count).map { _ in
                try decryptionKey.publicKey.encrypt(Data(BenchRandom.bytes(16)), padding: .PKCS1_OAEP_SHA256)
            }
            self.signed = try (0..<count).map { number in
                let message = Data("message \(number)".utf8) + Data(repeating: 7, count: 200)
                return (message, try signingKey.signature(for: message, padding: .insecurePKCS1v1_5))
            }
        }

        func run() throws {
            for (wrapped, signed) in zip(self.wrapped, self.signed) {
                _ = try self.decryptionKey.decrypt(wrapped, padding: .PKCS1_OAEP_SHA256)
                precondition(
                    self.verificationKey.isValidSignature(
                        signed.signature, for: signed.message, padding: .insecurePKCS1v1_5))
            }
        }
    }

    /// One P-256 key agreement and one P-256 verification; for a new chain one more of P-256 and one of P-384.
    ///
    /// Every operation has an input of its own, as tokens have: the same signature again and again teaches the
    /// processor's branch predictor the way through the variable-time parts, and is quicker than any real one.
    struct Floor {
        struct Signed<Signature> {
            let message: Data
            let signature: Signature
        }

        let private256 = P256.KeyAgreement.PrivateKey()
        let public256: P256.Signing.PublicKey
        let public384: P384.Signing.PublicKey
        let peers: [P256.KeyAgreement.PublicKey]
        let signed256: [Signed<P256.Signing.ECDSASignature>]
        let signed384: [Signed<P384.Signing.ECDSASignature>]

        init(count: Int) throws {
            let key256 = P256.Signing.PrivateKey()
            let key384 = P384.Signing.PrivateKey()
            self.public256 = key256.publicKey
            self.public384 = key384.publicKey
            let messages = (0..<count).map { Data("message \($0)".utf8) + Data(repeating: 7, count: 200) }
            self.peers = messages.map { _ in P256.KeyAgreement.PrivateKey().publicKey }
            self.signed256 = try messages.map { Signed(message: $0, signature: try key256.signature(for: $0)) }
            // Apple's root signs the intermediate with SHA-256, although its key is of P-384.
            self.signed384 = try messages.map {
                Signed(message: $0, signature: try key384.signature(for: SHA256.hash(data: $0)))
            }
        }

        func warm() throws {
            for (peer, signed) in zip(self.peers, self.signed256) {
                _ = try self.private256.sharedSecretFromKeyAgreement(with: peer)
                precondition(self.public256.isValidSignature(signed.signature, for: signed.message))
            }
        }

        func cold() throws {
            try self.warm()
            for (one, other) in zip(self.signed256.reversed(), self.signed384) {
                precondition(self.public256.isValidSignature(one.signature, for: one.message))
                precondition(self.public384.isValidSignature(other.signature, for: SHA256.hash(data: other.message)))
            }
        }
    }
}
