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
        _ = try TokenVerifier(trustRoots: [fixture.root], cache: cache).verify(token, at: Fixture.now)
        expectRefusal(.rootUntrusted, .chain) {
            _ = try TokenVerifier(cache: cache).verify(token, at: Fixture.now)
        }
        #expect(cache.statistics.hitsCount == 0)
    }

    @Test func isBoundedAndDropsTheLeastRecentlyUsed() throws {
        let fixture = try Fixture.get()
        let cache = IssuerChainCache(capacity: 2)
        let verifier = TokenVerifier(trustRoots: [fixture.root], cache: cache)
        var options = MintOptions()
        let plain = try self.token(fixture)
        options.putsIntermediateFirst = true
        let reversed = try self.token(fixture, options: options)
        options.includesRoot = true
        let withRoot = try self.token(fixture, options: options)
        for token in [plain, reversed, plain, withRoot] { _ = try verifier.verify(token, at: Fixture.now) }
        #expect(cache.statistics.chainsCount == 2)
        #expect(cache.statistics.hitsCount == 1)
        _ = try verifier.verify(plain, at: Fixture.now)
        #expect(cache.statistics.hitsCount == 2)
        _ = try verifier.verify(reversed, at: Fixture.now)
        #expect(cache.statistics.missesCount == 4)
        #expect(cache.statistics.chainsCount == 2)
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
