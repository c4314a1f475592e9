//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import Foundation
import Redaction
import StrictJSON
import Testing
import WalletSimulator

@testable import ApplePayToken

/// What Apple mints or has minted, and other implementations refuse: all of it must open.
@Suite struct VariantTests {
    private static let variants: [(String, @Sendable (inout MintOptions) -> Void)] = [
        ("as Apple mints", { _ in }),
        ("NULL parameters, as until 2022", { $0.hasNullParameters = true }),
        ("without CMSAlgorithmProtection, as in 2014", { $0.hasAlgorithmProtection = false }),
        ("definite lengths", { $0.hasDefiniteLengths = true }),
        ("the intermediate before the leaf", { $0.putsIntermediateFirst = true }),
        ("a root inside the set", { $0.includesRoot = true }),
        ("escaped solidus", { $0.escapesSolidus = true }),
        (
            "all at once",
            {
                $0.hasNullParameters = true
                $0.hasDefiniteLengths = true
                $0.putsIntermediateFirst = true
                $0.includesRoot = true
                $0.escapesSolidus = true
            }
        ),
    ]

    @Test(arguments: VariantTests.variants.indices)
    func accepts(variant index: Int) throws {
        let fixture = try Fixture.get()
        let (name, configure) = VariantTests.variants[index]
        for version in PaymentRequest.Version.allCases {
            for applicationData in [nil, Array("order 1".utf8)] {
                var options = MintOptions()
                configure(&options)
                let minted = try fixture.mint(
                    fixture.request(version, applicationData: applicationData), options: options)
                let opened = try fixture.open(minted, expecting: TokenExpectations(applicationData: applicationData))
                #expect(opened.payload.transactionAmount.integer == 1_099, "\(name)")
                #expect(opened.anchor == fixture.root)
                #expect(opened.anchor != .appleRootCAG3)
                #expect(opened.transactionIdentifier == minted.transactionIdentifier)
                #expect(opened.signingTime == Fixture.now)
            }
        }
    }

    @Test func acceptsAllThreeShapesOfTheJSON() throws {
        let fixture = try Fixture.get()
        let minted = try fixture.mint(fixture.request())
        for text in [minted.paymentDataText, minted.paymentTokenText, minted.javaScriptPaymentText] {
            let token = try UnverifiedToken(parsing: text.utf8)
            _ = try fixture.verifier().verify(token, at: Fixture.now).decrypt(with: fixture.keyring)
        }
    }

    @Test func refusesPaddingLeftOutOutsideOfTheSignature() throws {
        let fixture = try Fixture.get()
        var options = MintOptions()
        options.omitsBase64Padding = true
        let minted = try fixture.mint(fixture.request(), options: options)
        expectRefusal(.base64Malformed, .parse) { _ = try fixture.open(minted) }
    }

    @Test func acceptsLeadingZerosInTheSharedSecret() throws {
        let fixture = try Fixture.get()
        var options = MintOptions()
        options.wantsLeadingZeroInSecret = true
        let minted = try fixture.mint(fixture.request(), options: options)
        #expect(try fixture.open(minted).payload.transactionAmount.text == "1099")
    }

    @Test func keepsLeadingZerosOfTheTransactionIdentifier() throws {
        let fixture = try Fixture.get()
        var options = MintOptions()
        options.transactionIdentifier = [0, 0, 0] + [UInt8](repeating: 0xA5, count: 29)
        let opened = try fixture.open(try fixture.mint(fixture.request(), options: options))
        #expect(opened.transactionIdentifier == "000000" + String(repeating: "a5", count: 29))
    }

    /// The signature covers identifier and hash without a boundary: together they must not pass for another identifier,
    /// or one payment could be taken twice.
    @Test func refusesIdentifierAndApplicationDataRunTogether() throws {
        let fixture = try Fixture.get()
        let minted = try fixture.mint(fixture.request(applicationData: [1, 2, 3]))
        let hash = try #require(minted.parts.applicationDataHash)
        expectRefusal(.transactionIdentifierLength, .parse) {
            _ = try TokenHeader(
                publicKeyHash: minted.parts.publicKeyHash,
                transactionIdentifier: minted.parts.transactionIdentifier + hash,
                key: .ephemeralPublicKey(minted.parts.key))
        }
    }

    /// Nor may bytes wander from the identifier into the data.
    @Test(arguments: [1, 16, 31])
    func refusesIdentifierBytesInTheData(count: Int) throws {
        let minted = try Fixture.get().mint(Fixture.get().request())
        expectRefusal(.transactionIdentifierLength, .parse) {
            _ = try TokenHeader(
                publicKeyHash: minted.parts.publicKeyHash,
                transactionIdentifier: Array(minted.parts.transactionIdentifier.dropFirst(count)),
                key: .ephemeralPublicKey(minted.parts.key))
        }
    }

    /// A cut that leaves an identifier of 32 bytes is still signed. Its digest is that of the token it was made of, and
    /// the tag of the cipher text sees that the data is longer.
    @Test func aTokenThatIsCutElsewhereHasTheDigestOfTheOneItWasMadeOf() throws {
        let fixture = try Fixture.get()
        let minted = try fixture.mint(fixture.request(applicationData: [1, 2, 3]))
        let parts = minted.parts
        let cut = try UnverifiedToken(
            version: .ecV1, data: parts.data + parts.transactionIdentifier, signature: parts.signature,
            header: TokenHeader(
                publicKeyHash: parts.publicKeyHash, transactionIdentifier: #require(parts.applicationDataHash),
                key: .ephemeralPublicKey(parts.key)))
        let verified = try fixture.verifier().verify(cut, at: Fixture.now)
        let genuine = try fixture.verifier().verify(try UnverifiedToken(json: minted.paymentData), at: Fixture.now)
        #expect(verified.header.transactionIdentifier != genuine.header.transactionIdentifier)
        #expect(verified.signedContentDigest == genuine.signedContentDigest)
        #expect(genuine.signedContentDigest.count == 32)
        #expect(genuine.json["signedContentDigest"]?.string == Hex.encode(genuine.signedContentDigest))
        expectRefusal(.decryptionFailed, .decryption) { _ = try verified.decrypt(with: fixture.keyring) }
        let other = try fixture.verifier().verify(
            UnverifiedToken(json: fixture.mint(fixture.request()).paymentData), at: Fixture.now)
        #expect(other.signedContentDigest != genuine.signedContentDigest)
    }

    @Test func chainIsJudgedAtTheSigningTime() throws {
        let fixture = try Fixture.get()
        let verifier = fixture.verifier(policy: .archived)
        let year: TimeInterval = 365 * 86_400
        let minted = try fixture.mint(fixture.request())
        let token = try UnverifiedToken(json: minted.paymentData)
        // Long after the leaf's end: a token of its time stays genuine.
        #expect(try verifier.verify(token, at: Fixture.now.addingTimeInterval(30 * year)).anchor == fixture.root)
        // Signed after the leaf's end: refused whatever the policy.
        let late = try fixture.mint(fixture.request(), signingTime: Fixture.now.addingTimeInterval(6 * year))
        let lateToken = try UnverifiedToken(json: late.paymentData)
        expectRefusal(.certificateExpired, .chain) { _ = try verifier.verify(lateToken, at: Fixture.now) }
        let early = try fixture.mint(fixture.request(), signingTime: Fixture.now.addingTimeInterval(-year))
        let earlyToken = try UnverifiedToken(json: early.paymentData)
        expectRefusal(.certificateNotYetValid, .chain) { _ = try verifier.verify(earlyToken, at: Fixture.now) }
    }

    @Test func signingTimeInTheFutureIsRefused() throws {
        let fixture = try Fixture.get()
        let minted = try fixture.mint(fixture.request(), signingTime: Fixture.now.addingTimeInterval(61))
        expectRefusal(.signingTimeInFuture, .window) { _ = try fixture.open(minted) }
        #expect(
            try fixture.open(minted, at: Fixture.now.addingTimeInterval(1)).payload.transactionAmount.integer != nil)
    }

    @Test func simulatedTokensAreNotTrustedByDefault() throws {
        let fixture = try Fixture.get()
        let token = try UnverifiedToken(json: try fixture.mint(fixture.request()).paymentData)
        expectRefusal(.rootUntrusted, .chain) { _ = try TokenVerifier().verify(token, at: Fixture.now) }
    }

    @Test func readsTokensWhosePartsCameApart() throws {
        let fixture = try Fixture.get()
        let parts = try fixture.mint(fixture.request(.rsaV1)).parts
        let token = try UnverifiedToken(
            version: .rsaV1, data: parts.data, signature: parts.signature,
            header: try TokenHeader(
                publicKeyHash: parts.publicKeyHash, transactionIdentifier: parts.transactionIdentifier,
                key: .wrappedKey(parts.key)))
        _ = try fixture.verifier().verify(token, at: Fixture.now).decrypt(with: fixture.keyring)
        #expect(try UnverifiedToken(json: token.paymentDataJSON) == token)
    }

    /// One RSA key serves all threads, more often than BoringSSL keeps what blinds it (32 times).
    @Test func rsaKeyOpensManyTokensAtOnce() async throws {
        let fixture = try Fixture.get()
        let tokens = try (0..<8).map { _ in
            try UnverifiedToken(json: try fixture.mint(fixture.request(.rsaV1)).paymentData)
        }
        let numbers = try tokens.map { token in
            try fixture.verifier().verify(token, at: Fixture.now).decrypt(with: fixture.keyring).payload
                .applicationPrimaryAccountNumber
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<96 {
                group.addTask {
                    let index = number % tokens.count
                    let opened = try fixture.verifier().verify(tokens[index], at: Fixture.now)
                        .decrypt(with: fixture.keyring)
                    #expect(opened.payload.applicationPrimaryAccountNumber == numbers[index])
                }
            }
            try await group.waitForAll()
        }
    }
}

/// What the merchant expects of the token's application data.
@Suite struct ApplicationDataTests {
    private let expected = Array("{\"order\":17}".utf8)

    @Test func comparesTheHash() throws {
        let fixture = try Fixture.get()
        let minted = try fixture.mint(fixture.request(applicationData: self.expected))
        let opened = try fixture.open(minted, expecting: TokenExpectations(applicationData: self.expected))
        #expect(opened.verified.header.applicationDataHash == Array(SHA256.hash(data: self.expected)))
    }

    @Test func refusesAnother() throws {
        let fixture = try Fixture.get()
        let minted = try fixture.mint(fixture.request(applicationData: [0]))
        for expected in [self.expected, []] {
            expectRefusal(.applicationDataMismatch, .expectation) {
                _ = try fixture.open(minted, expecting: TokenExpectations(applicationData: expected))
            }
        }
    }

    @Test func refusesNone() throws {
        let fixture = try Fixture.get()
        let minted = try fixture.mint(fixture.request())
        expectRefusal(.applicationDataMissing, .expectation) {
            _ = try fixture.open(minted, expecting: TokenExpectations(applicationData: self.expected))
        }
    }

    @Test func isNotComparedWithoutAnExpectation() throws {
        let fixture = try Fixture.get()
        let minted = try fixture.mint(fixture.request(applicationData: self.expected))
        #expect(try fixture.open(minted).verified.header.applicationDataHash != nil)
    }
}
