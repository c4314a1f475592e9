//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import CryptoExtras
import Foundation
import Redaction
import StrictJSON
import Testing
import WalletSimulator

@testable import ApplePayToken

/// Known answers from an independent program.
@Suite struct KnownAnswerTests {
    private let vectors: JSON

    init() throws {
        self.vectors = try Vectors.json("ec-v1-known-answers.json")
    }

    @Test func derivesTheKeyFromThirtyTwoBytes() throws {
        for vector in try #require(self.vectors["keyDerivation"]?.array) {
            let merchant = try #require(vector["merchantIdentifier"]?.string)
            let z = try VectorText.hex(vector, "z")
            let key = z.withUnsafeBytes {
                KeyDerivation.key(z: $0, merchantIdentifierHash: Array(SHA256.hash(data: Array(merchant.utf8))))
            }
            let expected = try VectorText.hex(vector, "key")
            #expect(key == SymmetricKey(data: expected))
            #expect(key.bitCount == 256)
        }
    }

    @Test func opensWithZeroOneAndTwoLeadingZeroBytes() throws {
        let privateKey = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: try VectorText.hex(self.vectors, "merchantPrivateKey"))
        let merchant = try #require(self.vectors["merchantIdentifier"]?.string)
        let key = try PaymentProcessingKey(
            privateKey: MerchantPrivateKey(privateKey), merchantIdentifier: merchant)
        #expect(Base64.encode(key.publicKeyHash) == self.vectors["publicKeyHash"]?.string)
        let plaintext = try #require(self.vectors["plaintext"]?.string)
        let tokens = try #require(self.vectors["tokens"]?.array)
        #expect(tokens.count == 3)
        for vector in tokens {
            let ephemeral = try VectorText.base64(vector, "ephemeralPublicKey")
            let data = try VectorText.base64(vector, "data")
            let symmetricKey = try key.symmetricKey(for: .ephemeralPublicKey(ephemeral))
            #expect(symmetricKey == SymmetricKey(data: try VectorText.hex(vector, "key")))
            #expect(try TokenCipher.open(data, with: symmetricKey) == Array(plaintext.utf8))
        }
    }

    @Test func refusesEveryFlippedBitOfTheTag() throws {
        let vector = try #require(self.vectors["tokens"]?.array?.first)
        let data = try VectorText.base64(vector, "data")
        let key = SymmetricKey(data: try VectorText.hex(vector, "key"))
        for index in (data.count - 16)..<data.count {
            for bit in 0..<8 {
                var changed = data
                changed[index] ^= 1 << UInt8(bit)
                expectRefusal(.decryptionFailed, .decryption) { _ = try TokenCipher.open(changed, with: key) }
            }
        }
    }

    /// RSA-OAEP with SHA-256 in both places, made by openssl.
    @Test(.enabled(if: OpenSSL.isAvailable, "openssl is not installed"))
    func unwrapsWhatOpenSSLWrapped() async throws {
        let fixture = try Fixture.get()
        let key = try PaymentProcessingKey(
            privateKey: MerchantPrivateKey(fixture.rsaKey), merchantIdentifier: Fixture.merchantIdentifier)
        let contentKey = Array(UInt8(0)..<16)
        for (mask, isAccepted) in [("sha256", true), ("sha1", false)] {
            let wrapped = try await withTemporaryFolder { folder in
                try folder.write("public.pem", fixture.rsaKey.publicKey.pemRepresentation)
                return try await OpenSSL.run(
                    [
                        "pkeyutl", "-encrypt", "-pubin", "-inkey", "public.pem", "-pkeyopt", "rsa_padding_mode:oaep",
                        "-pkeyopt", "rsa_oaep_md:sha256", "-pkeyopt", "rsa_mgf1_md:\(mask)",
                    ], in: folder, input: contentKey)
            }
            if isAccepted {
                #expect(try key.symmetricKey(for: .wrappedKey(wrapped)) == SymmetricKey(data: contentKey))
            } else {
                expectRefusal(.wrappedKeyRejected) { _ = try key.symmetricKey(for: .wrappedKey(wrapped)) }
            }
        }
    }
}

@Suite struct KeyringTests {
    private func key(_ merchant: String = Fixture.merchantIdentifier) throws -> PaymentProcessingKey {
        try PaymentProcessingKey(
            privateKey: MerchantPrivateKey(P256.KeyAgreement.PrivateKey()), merchantIdentifier: merchant)
    }

    @Test func findsTheKeyAmongMany() throws {
        let fixture = try Fixture.get()
        let others = try (0..<20).map { _ in try self.key() }
        let keyring = TokenKeyring(others + fixture.keyring.keys)
        for version in PaymentRequest.Version.allCases {
            let token = try UnverifiedToken(json: try fixture.mint(fixture.request(version)).paymentData)
            let verified = try fixture.verifier().verify(token, at: Fixture.now)
            #expect(try verified.decrypt(with: keyring).payload.transactionAmount.integer == 1_099)
            expectRefusal(.keyUnknown, .keySelection) { _ = try verified.decrypt(with: TokenKeyring(others)) }
        }
    }

    @Test func oldAndNewKeyServeSideBySideDuringRotation() throws {
        let fixture = try Fixture.get()
        let newKey = P256.KeyAgreement.PrivateKey()
        let rotated = TokenKeyring(
            fixture.keyring.keys + [
                try PaymentProcessingKey(
                    privateKey: MerchantPrivateKey(newKey), merchantIdentifier: Fixture.merchantIdentifier)
            ])
        let recipients = [fixture.ecRecipient, ProcessingPublicKey(newKey.publicKey)]
        for recipient in recipients {
            let minted = try fixture.device.mint(
                fixture.request(), card: .visa, recipient: recipient, signingTime: Fixture.now)
            let token = try UnverifiedToken(json: minted.paymentData)
            _ = try fixture.verifier().verify(token, at: Fixture.now).decrypt(with: rotated)
        }
    }

    @Test func unknownKeyNamesBothSides() throws {
        let fixture = try Fixture.get()
        let token = try UnverifiedToken(json: try fixture.mint(fixture.request()).paymentData)
        let verified = try fixture.verifier().verify(token, at: Fixture.now)
        let none = expectRefusal(.keyUnknown) { _ = try verified.decrypt(with: TokenKeyring()) }
        #expect(none?.message.contains("this merchant has no key") == true)
        let others = try (0..<3).map { _ in try self.key() }
        let error = expectRefusal(.keyUnknown) { _ = try verified.decrypt(with: TokenKeyring(others)) }
        #expect(error?.message.contains(verified.header.publicKeyHashText) == true)
        for other in others { #expect(error?.message.contains(Base64.encode(other.publicKeyHash)) == true) }
    }

    @Test func oneKeyPairMayServeTwoMerchantIdentifiers() throws {
        let fixture = try Fixture.get()
        let shared = MerchantPrivateKey(fixture.ecKey)
        let keyring = TokenKeyring([
            try PaymentProcessingKey(privateKey: shared, merchantIdentifier: "merchant.com.example.other"),
            try PaymentProcessingKey(privateKey: shared, merchantIdentifier: Fixture.merchantIdentifier),
        ])
        let token = try UnverifiedToken(json: try fixture.mint(fixture.request()).paymentData)
        _ = try fixture.verifier().verify(token, at: Fixture.now).decrypt(with: keyring)
    }

    @Test func wrongMerchantIdentifierFailsDecryption() throws {
        let fixture = try Fixture.get()
        let keyring = TokenKeyring([
            try PaymentProcessingKey(
                privateKey: MerchantPrivateKey(fixture.ecKey), merchantIdentifier: "merchant.com.example.other")
        ])
        let token = try UnverifiedToken(json: try fixture.mint(fixture.request()).paymentData)
        let verified = try fixture.verifier().verify(token, at: Fixture.now)
        expectRefusal(.decryptionFailed, .decryption) { _ = try verified.decrypt(with: keyring) }
    }

    @Test func refusesAKeyOfTheOtherVersion() throws {
        let fixture = try Fixture.get()
        let parts = try fixture.mint(fixture.request(.rsaV1)).parts
        let header = try TokenHeader(
            publicKeyHash: fixture.ecRecipient.publicKeyHash, transactionIdentifier: parts.transactionIdentifier,
            key: .wrappedKey(parts.key))
        let token = try UnverifiedToken(
            version: .rsaV1, data: parts.data, signature: parts.signature, header: header)
        let verified = try fixture.verifier().verify(token, at: Fixture.now)
        expectRefusal(.keyAlgorithmMismatch, .keySelection) { _ = try verified.decrypt(with: fixture.keyring) }
    }

    @Test func refusesAMerchantHashOfAnotherLength() {
        expectRefusal(.merchantIdentifierHashMalformed, .certificate) {
            _ = try PaymentProcessingKey(P256.KeyAgreement.PrivateKey(), merchantIdentifierHash: [1])
        }
        expectRefusal(.merchantIdentifierMissing, .certificate) {
            _ = try PaymentProcessingKey(
                privateKey: MerchantPrivateKey(P256.KeyAgreement.PrivateKey()), merchantIdentifier: "")
        }
    }
}
