//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Testing

@testable import ApplePayToken

/// Every byte of a genuine token is protected, except those that are listed here.
@Suite struct FlippedByteTests {
    /// Two bits of each byte: the lowest and the highest change numbers, tags, lengths and texts in different ways.
    private static let masks: [UInt8] = [0x01, 0x80]

    private func flipped(_ bytes: [UInt8], _ body: ([UInt8], Int) throws -> Void) rethrows {
        for index in bytes.indices {
            for mask in FlippedByteTests.masks {
                var changed = bytes
                changed[index] ^= mask
                try body(changed, index)
            }
        }
    }

    private func isAccepted(_ token: UnverifiedToken, _ verifier: TokenVerifier) -> Bool {
        (try? verifier.verify(token, at: GenuineToken.now)) != nil
    }

    /// Also where the chain is known, the certificates of the token before lie beside those of this one, and the leaf's key
    /// has a table.
    @Test(arguments: [0, 3, SignerKey.usesBeforeTable + 1]) func everyByteOfTheSignatureIsProtected(_ seenBefore: Int)
        throws
    {
        let genuine = try GenuineToken()
        let verifier = TokenVerifier()
        for _ in 0..<seenBefore { _ = try verifier.verify(genuine.token, at: GenuineToken.now) }
        var accepted: [Int] = []
        try self.flipped(genuine.token.signature) { signature, index in
            if self.isAccepted(try genuine.with(signature: signature), verifier) { accepted.append(index) }
        }
        #expect(accepted == [], "bytes of the CMS that may be changed")
    }

    @Test func everyByteOfTheDataIsProtected() throws {
        let genuine = try GenuineToken()
        let verifier = TokenVerifier()
        self.flipped(genuine.token.data) { data, index in
            expectRefusal(.messageDigestMismatch, .signature, "byte \(index)") {
                _ = try verifier.verify(try genuine.with(data: data), at: GenuineToken.now)
            }
        }
    }

    @Test func everyByteOfTheEphemeralKeyIsProtected() throws {
        let genuine = try GenuineToken()
        let verifier = TokenVerifier()
        let header = genuine.token.header
        self.flipped(header.key.bytes) { key, index in
            let changed = try? TokenHeader(
                publicKeyHash: header.publicKeyHash, transactionIdentifier: header.transactionIdentifier,
                key: .ephemeralPublicKey(key))
            // The bytes before the point are refused when they are read; those of the point by the signature.
            #expect((changed == nil) == (index <= TokenHeader.ephemeralPointOffset), "byte \(index)")
            guard let changed else { return }
            expectRefusal(.messageDigestMismatch, .signature, "byte \(index)") {
                _ = try verifier.verify(try genuine.with(header: changed), at: GenuineToken.now)
            }
        }
    }

    @Test func everyByteOfTheTransactionIdentifierIsProtected() throws {
        let genuine = try GenuineToken()
        let verifier = TokenVerifier()
        let header = genuine.token.header
        try self.flipped(header.transactionIdentifier) { identifier, index in
            let changed = try TokenHeader(
                publicKeyHash: header.publicKeyHash, transactionIdentifier: identifier, key: header.key)
            expectRefusal(.messageDigestMismatch, .signature, "byte \(index)") {
                _ = try verifier.verify(try genuine.with(header: changed), at: GenuineToken.now)
            }
        }
    }

    /// Apple does not sign the public key hash. It selects the key, and a wrong one selects none or one that does not
    /// open the data.
    @Test func publicKeyHashIsTheOnlyUnprotectedPart() throws {
        let genuine = try GenuineToken()
        let verifier = TokenVerifier()
        let header = genuine.token.header
        try self.flipped(header.publicKeyHash) { hash, _ in
            let changed = try TokenHeader(
                publicKeyHash: hash, transactionIdentifier: header.transactionIdentifier, key: header.key)
            #expect(self.isAccepted(try genuine.with(header: changed), verifier))
        }
    }

    @Test func addingApplicationDataIsRefused() throws {
        let genuine = try GenuineToken()
        let header = genuine.token.header
        let changed = try TokenHeader(
            publicKeyHash: header.publicKeyHash, transactionIdentifier: header.transactionIdentifier,
            applicationDataHash: [UInt8](repeating: 0, count: 32), key: header.key)
        expectRefusal(.messageDigestMismatch) {
            _ = try TokenVerifier().verify(try genuine.with(header: changed), at: GenuineToken.now)
        }
    }

    @Test func everyTruncationIsRefused() throws {
        let genuine = try GenuineToken()
        let verifier = TokenVerifier()
        let signature = genuine.token.signature
        for count in 1..<signature.count {
            #expect(!self.isAccepted(try genuine.with(signature: Array(signature.prefix(count))), verifier))
        }
    }

    @Test func trailingBytesAreRefused() throws {
        let genuine = try GenuineToken()
        expectRefusal(.cmsTrailingBytes, .signature) {
            let signature = genuine.token.signature + [0]
            _ = try TokenVerifier().verify(try genuine.with(signature: signature), at: GenuineToken.now)
        }
    }
}
