//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON
import Testing
import WalletSimulator

@testable import ApplePayToken

@Suite struct IssuerChainCacheTests {
    private func token(
        _ fixture: Fixture, _ version: PaymentRequest.Version = .ecV1, options: MintOptions = MintOptions()
    ) throws -> UnverifiedToken {
        try UnverifiedToken(json: try fixture.mint(fixture.request(version), options: options).paymentData)
    }

    @Test func countsHitsAndMisses() throws {
        let fixture = try Fixture.get()
        let verifier = fixture.verifier()
        for _ in 0..<3 { _ = try verifier.verify(try self.token(fixture), at: Fixture.now) }
        #expect(verifier.cache.statistics.missesCount == 1)
        #expect(verifier.cache.statistics.hitsCount == 2)
        #expect(verifier.cache.statistics.chainsCount == 1)
        _ = try verifier.verify(try self.token(fixture, .rsaV1), at: Fixture.now)
        #expect(verifier.cache.statistics.chainsCount == 2)
        verifier.cache.removeAll()
        #expect(verifier.cache.statistics.chainsCount == 0)
        #expect(verifier.cache.statistics.hitsCount == 2)
    }

    @Test func aHitSkipsNoOtherCheck() throws {
        let fixture = try Fixture.get()
        let verifier = fixture.verifier()
        _ = try verifier.verify(try self.token(fixture), at: Fixture.now)
        for (forgery, code) in [
            (Forgery.signedByAnotherKey, TokenError.Code.signatureInvalid),
            (.messageDigestWrong, .messageDigestMismatch),
            (.signerIdentifierNamesIntermediate, .signerNotLeaf), (.ciphertextReplaced, .messageDigestMismatch),
        ] {
            let token = try self.token(fixture, options: .forged(forgery))
            expectRefusal(code) { _ = try verifier.verify(token, at: Fixture.now) }
        }
        #expect(verifier.cache.statistics.hitsCount == 4)
        #expect(verifier.cache.statistics.chainsCount == 1)
    }

    @Test func refusedChainsAreNotKept() throws {
        let fixture = try Fixture.get()
        let verifier = fixture.verifier()
        for forgery in [Forgery.leafSignedByAnotherKey, .foreignRoot, .leafIsAuthority, .leafWithoutMarkerOID] {
            let token = try self.token(fixture, options: .forged(forgery))
            #expect(throws: TokenError.self) { _ = try verifier.verify(token, at: Fixture.now) }
        }
        #expect(verifier.cache.statistics.chainsCount == 0)
        #expect(verifier.cache.statistics.missesCount == 4)
    }

    @Test func aChainServesOnlyWhileItIsValid() throws {
        let fixture = try Fixture.get()
        let verifier = fixture.verifier()
        _ = try verifier.verify(try self.token(fixture), at: Fixture.now)
        let later = Fixture.now.addingTimeInterval(6 * 365 * 86_400)
        let token = try UnverifiedToken(json: try fixture.mint(fixture.request(), signingTime: later).paymentData)
        for _ in 0..<2 {
            expectRefusal(.certificateExpired, .chain) { _ = try verifier.verify(token, at: later) }
        }
        #expect(verifier.cache.statistics.hitsCount == 0)
    }

    @Test func aSharedCacheKeepsVerifiersWithOtherRootsApart() throws {
        let fixture = try Fixture.get()
        let cache = IssuerChainCache()
        let token = try self.token(fixture)
        let verifier = TokenVerifier(trustRoots: [fixture.root], cache: cache)
        _ = try verifier.verify(token, at: Fixture.now)
        expectRefusal(.rootUntrusted, .chain) {
            _ = try TokenVerifier(cache: cache).verify(token, at: Fixture.now)
        }
        #expect(cache.statistics.hitsCount == 0)
        // Nor does it help that the very bytes came before.
        for _ in 0..<2 { _ = try verifier.verify(token, at: Fixture.now) }
        expectRefusal(.rootUntrusted, .chain) {
            _ = try TokenVerifier(cache: cache).verify(token, at: Fixture.now)
        }
        #expect(cache.statistics.hitsCount == 2)
    }

    /// The chain of the token before is known by its bytes, and forgotten with all others.
    @Test func tokensOfTwoChainsInTurnAreAllHits() throws {
        let fixture = try Fixture.get()
        let verifier = fixture.verifier()
        let tokens = [try self.token(fixture), try self.token(fixture, .rsaV1)]
        for token in tokens + tokens + tokens + [tokens[1], tokens[1]] {
            _ = try verifier.verify(token, at: Fixture.now)
        }
        #expect(verifier.cache.statistics.missesCount == 2)
        #expect(verifier.cache.statistics.hitsCount == 6)
        verifier.cache.removeAll()
        _ = try verifier.verify(tokens[1], at: Fixture.now)
        #expect(verifier.cache.statistics.missesCount == 3)
    }

    @Test func isBoundedAndDropsTheLeastRecentlyUsed() throws {
        let fixture = try Fixture.get()
        let cache = IssuerChainCache(capacity: 2)
        let other = try TestAuthority.make(now: Fixture.now)
        let otherRoot = try TrustAnchor(certificatePEM: other.rootCertificatePEM, label: "other")
        let verifier = TokenVerifier(trustRoots: [fixture.root, otherRoot], cache: cache)
        let first = try self.token(fixture)
        let second = try self.token(fixture, .rsaV1)
        let third = try UnverifiedToken(
            json: SimulatedDevice(authority: other).mint(
                fixture.request(), card: .visa, recipient: fixture.ecRecipient, signingTime: Fixture.now
            ).paymentData)
        for token in [first, second, first, third] { _ = try verifier.verify(token, at: Fixture.now) }
        #expect(cache.statistics.chainsCount == 2)
        #expect(cache.statistics.hitsCount == 1)
        _ = try verifier.verify(first, at: Fixture.now)
        #expect(cache.statistics.hitsCount == 2)
        _ = try verifier.verify(second, at: Fixture.now)
        #expect(cache.statistics.missesCount == 4)
        #expect(cache.statistics.chainsCount == 2)
    }

    @Test func isFilledOnlyByTokensWhoseOwnSignatureIsRight() throws {
        let fixture = try Fixture.get()
        let verifier = fixture.verifier()
        // Apple's certificates are in every token: whoever has one token has them.
        for forgery in [
            Forgery.signedByAnotherKey, .messageDigestWrong, .signerIdentifierNamesIntermediate, .signatureBitFlipped,
            .ciphertextReplaced,
        ] {
            let token = try self.token(fixture, options: .forged(forgery))
            #expect(throws: TokenError.self) { _ = try verifier.verify(token, at: Fixture.now) }
            #expect(verifier.cache.statistics.chainsCount == 0, "\(forgery)")
        }
        _ = try verifier.verify(try self.token(fixture), at: Fixture.now)
        #expect(verifier.cache.statistics.chainsCount == 1)
    }

    @Test func whateverElseIsInTheSetMakesNoOtherChain() throws {
        let fixture = try Fixture.get()
        let verifier = fixture.verifier()
        var options = MintOptions()
        _ = try verifier.verify(try self.token(fixture), at: Fixture.now)
        options.putsIntermediateFirst = true
        _ = try verifier.verify(try self.token(fixture, options: options), at: Fixture.now)
        #expect(verifier.cache.statistics.hitsCount == 1)
        // A set with a root is looked through anew: nothing that a stranger adds goes unseen.
        options.includesRoot = true
        _ = try verifier.verify(try self.token(fixture, options: options), at: Fixture.now)
        #expect(verifier.cache.statistics.hitsCount == 1)
        #expect(verifier.cache.statistics.chainsCount == 1)
    }

    @Test func canBeTurnedOff() throws {
        let fixture = try Fixture.get()
        let cache = IssuerChainCache(capacity: 0)
        let verifier = TokenVerifier(trustRoots: [fixture.root], cache: cache)
        for _ in 0..<2 { _ = try verifier.verify(try self.token(fixture), at: Fixture.now) }
        #expect(cache.statistics.missesCount == 2)
        #expect(cache.statistics.chainsCount == 0)
    }

    @Test func servesManyTasksAtOnce() async throws {
        let fixture = try Fixture.get()
        let verifier = TokenVerifier(trustRoots: [fixture.root], cache: IssuerChainCache(capacity: 2))
        var options = MintOptions()
        options.putsIntermediateFirst = true
        let good = [
            try self.token(fixture), try self.token(fixture, .rsaV1), try self.token(fixture, options: options),
        ]
        let forged = try self.token(fixture, options: .forged(.signedByAnotherKey))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<40 {
                group.addTask {
                    let verified = try verifier.verify(good[task % good.count], at: Fixture.now)
                    #expect(verified.anchor == fixture.root)
                    #expect(throws: TokenError.self) { _ = try verifier.verify(forged, at: Fixture.now) }
                }
            }
            try await group.waitForAll()
        }
        let statistics = verifier.cache.statistics
        #expect(statistics.hitsCount + statistics.missesCount == 80)
        #expect(statistics.chainsCount <= 2)
    }
}
