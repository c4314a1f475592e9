//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Verifies payment tokens: signature, chain, Apple's markers, age and application data, in Apple's order.
///
/// A value without a clock: the time is an argument. Share one verifier, or at least one cache, between all payments.
public struct TokenVerifier: Sendable {
    private let anchors: TrustAnchors
    public let policy: VerificationPolicy
    public let cache: IssuerChainCache

    /// - Parameters:
    ///   - trustRoots: Whom to trust; Apple's root by default. ``VerifiedToken/anchor`` says which one it was.
    ///   - policy: How old a token may be.
    ///   - cache: Where verified chains are kept; may be shared between verifiers.
    public init(
        trustRoots: [TrustAnchor] = [.appleRootCAG3], policy: VerificationPolicy = .live,
        cache: IssuerChainCache = IssuerChainCache()
    ) {
        self.anchors = TrustAnchors(trustRoots)
        self.policy = policy
        self.cache = cache
    }

    public var trustRoots: [TrustAnchor] { self.anchors.anchors }

    /// Verifies a token.
    ///
    /// - Parameters:
    ///   - now: The time of the payment, against which the signing time is held. Certificates are judged at the signing
    ///     time.
    ///   - expectations: What the merchant's request said.
    /// - Throws: ``TokenError`` of the stages `signature`, `chain`, `window` and `expectation`.
    public func verify(
        _ token: UnverifiedToken, at now: Date, expecting expectations: TokenExpectations = .none
    ) throws(TokenError) -> VerifiedToken {
        var observer = StrictObserver()
        let examination = self.examination(of: token, at: now, expecting: expectations, cache: self.cache)
        guard let outcome = try examination.run(&observer) else {
            // A strict observer throws at the first failure, so there is always an outcome here; fail closed all the
            // same.
            throw TokenError(.signatureInvalid, .signature, "The token could not be verified.")
        }
        return VerifiedToken(token: token, outcome: outcome, expecting: expectations)
    }

    func examination(
        of token: UnverifiedToken, at now: Date, expecting expectations: TokenExpectations, cache: IssuerChainCache?
    ) -> TokenExamination {
        TokenExamination(
            token: token, anchors: self.anchors, policy: self.policy, cache: cache, now: Instant(now),
            expectations: expectations)
    }
}
