//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import Foundation
import Redaction
import StrictJSON
import Testing

@testable import OpenIDConnect

/// OpenID Connect Core 1.0, section 3.1.3.7: each claim and each signature that is not as it must be.
@Suite struct IDTokenTests {
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: OpenIDFailure.Code
        let apply: @Sendable (inout JSONObject) -> Void

        init(_ name: String, _ code: OpenIDFailure.Code, _ apply: @escaping @Sendable (inout JSONObject) -> Void) {
            self.testDescription = name
            self.code = code
            self.apply = apply
        }
    }

    private static let now: Int64 = 1_790_000_000

    static let wrongClaims = [
        Change("no iss", .tokenIssuerWrong) { $0["iss"] = nil },
        Change("another iss", .tokenIssuerWrong) { $0["iss"] = "https://evil.example" },
        Change("iss with a slash", .tokenIssuerWrong) { $0["iss"] = .string(($0["iss"]?.string ?? "") + "/") },
        Change("no aud", .tokenAudienceWrong) { $0["aud"] = nil },
        Change("another aud", .tokenAudienceWrong) { $0["aud"] = "somebody else" },
        Change("no aud of several", .tokenAudienceWrong) { $0["aud"] = ["a", "b"] },
        Change("empty aud", .tokenAudienceWrong) { $0["aud"] = [] },
        Change("aud is an object", .tokenAudienceWrong) { $0["aud"] = ["pomona client": true] },
        Change("several aud without azp", .tokenPartyWrong) { $0["aud"] = ["pomona client", "other"] },
        Change("another azp", .tokenPartyWrong) { $0["azp"] = "other" },
        Change("several aud, another azp", .tokenPartyWrong) {
            $0["aud"] = ["pomona client", "other"]
            $0["azp"] = "other"
        },
        Change("azp is null", .tokenPartyWrong) { $0["azp"] = .null },
        Change("no exp", .tokenMalformed) { $0["exp"] = nil },
        Change("exp is a text", .tokenMalformed) { $0["exp"] = "1790000300" },
        Change("exp with an exponent", .tokenMalformed) { $0["exp"] = .number("2e9") },
        Change("exp far beyond", .tokenMalformed) { $0["exp"] = .number("99999999999999") },
        Change("expired", .tokenExpired) { $0["exp"] = JSON(Self.now - 60) },
        Change("no iat", .tokenMalformed) { $0["iat"] = nil },
        Change("old", .tokenExpired) { $0["iat"] = JSON(Self.now - 661) },
        Change("from the future", .tokenTooEarly) { $0["iat"] = JSON(Self.now + 61) },
        Change("not yet", .tokenTooEarly) { $0["nbf"] = JSON(Self.now + 61) },
        Change("nbf is a text", .tokenMalformed) { $0["nbf"] = "x" },
        Change("no nonce", .tokenNonceWrong) { $0["nonce"] = nil },
        Change("another nonce", .tokenNonceWrong) { $0["nonce"] = "x" },
        Change("no sub", .tokenSubjectMalformed) { $0["sub"] = nil },
        Change("empty sub", .tokenSubjectMalformed) { $0["sub"] = "" },
        Change("sub is a number", .tokenSubjectMalformed) { $0["sub"] = 7 },
        Change("long sub", .tokenSubjectMalformed) { $0["sub"] = .string(String(repeating: "a", count: 256)) },
        Change("sub with a control", .tokenSubjectMalformed) { $0["sub"] = "a\nb" },
    ]

    @Test(arguments: wrongClaims)
    func refusesWrongClaims(_ change: Change) async throws {
        try await StandInProvider.with {
            $0.claims = change.apply
        } _: { standIn, client in
            await expectFailure(change.code) { _ = try await signIn(standIn, client) }
        }
    }

    static let rightClaims = [
        Change("audience in a list", .tokenMissing) { $0["aud"] = ["pomona client"] },
        Change("several aud with azp", .tokenMissing) {
            $0["aud"] = ["other", "pomona client"]
            $0["azp"] = "pomona client"
        },
        Change("decimals", .tokenMissing) { $0["exp"] = .number("1790000300.75") },
        Change("a clock a minute behind", .tokenMissing) { $0["exp"] = JSON(Self.now - 59) },
        Change("a clock a minute ahead", .tokenMissing) {
            $0["iat"] = JSON(Self.now + 60)
            $0["nbf"] = JSON(Self.now + 60)
        },
    ]

    @Test(arguments: rightClaims)
    func takesWhatTheStandardAllows(_ change: Change) async throws {
        try await StandInProvider.with {
            $0.claims = change.apply
        } _: { standIn, client in
            let person = try await signIn(standIn, client)
            #expect(person.subject == "248289761001")
        }
    }

    static let wrongHeaders = [
        Change("none", .tokenAlgorithmNotAllowed) { $0["alg"] = "none" },
        Change("None", .tokenAlgorithmNotAllowed) { $0["alg"] = "None" },
        Change("PS256", .tokenAlgorithmNotAllowed) { $0["alg"] = "PS256" },
        Change("no alg", .tokenMalformed) { $0["alg"] = nil },
        Change("alg is a list", .tokenMalformed) { $0["alg"] = ["RS256"] },
        Change("crit", .tokenMalformed) { $0["crit"] = ["b64"] },
        Change("kid is a number", .tokenMalformed) { $0["kid"] = 1 },
        Change("unknown kid", .tokenKeyUnknown) { $0["kid"] = "another" },
        // An RSA key verifies nothing that says it is of a curve.
        Change("the other algorithm", .tokenKeyUnknown) { $0["alg"] = "ES256" },
    ]

    @Test(arguments: wrongHeaders)
    func refusesWrongHeaders(_ change: Change) async throws {
        try await StandInProvider.with {
            $0.header = change.apply
        } _: { standIn, client in
            await expectFailure(change.code) { _ = try await signIn(standIn, client) }
        }
    }

    @Test func refusesTokensWithoutSignature() async throws {
        try await StandInProvider.with {
            $0.header = { $0["alg"] = "none" }
            $0.signature = { _ in [] }
        } _: { standIn, client in
            await expectFailure(.tokenAlgorithmNotAllowed) { _ = try await signIn(standIn, client) }
        }
        try await StandInProvider.with {
            $0.signature = { _ in [] }
        } _: { standIn, client in
            await expectFailure(.tokenSignatureWrong) { _ = try await signIn(standIn, client) }
        }
    }

    /// The provider's key is public: a MAC under it proves nothing (RFC 8725, section 2.1).
    @Test func refusesAMACUnderThePublicKey() async throws {
        try await StandInProvider.with {
            $0.header = { $0["alg"] = "HS256" }
            $0.signature = { input in
                let key = SymmetricKey(data: Data(StandInKey.rsa.publicPEM.utf8))
                return Array(HMAC<SHA256>.authenticationCode(for: Data(input.utf8), using: key))
            }
        } _: { standIn, client in
            await expectFailure(.tokenAlgorithmNotAllowed) { _ = try await signIn(standIn, client) }
        }
    }

    @Test func refusesSignaturesByAnotherKeyOfTheSameName() async throws {
        for (published, signer) in [
            (StandInKey.rsa, StandInKey.otherRSA.named("rsa-1")),
            (StandInKey.ec, StandInKey(id: "ec-1", kind: .ec(P256.Signing.PrivateKey()))),
        ] {
            try await StandInProvider.with {
                $0.published = [published.jwk]
                $0.signer = signer
            } _: { standIn, client in
                await expectFailure(.tokenSignatureWrong) { _ = try await signIn(standIn, client) }
            }
        }
    }

    @Test func refusesWhatWasChangedAfterItWasSigned() async throws {
        for part in 0..<3 {
            try await StandInProvider.with { behaviour in
                behaviour.tokens = { answer in
                    var parts = (answer["id_token"]?.string ?? "").split(separator: ".").map(String.init)
                    let last = parts[part].removeLast()
                    parts[part].append(last == "A" ? "B" : "A")
                    answer["id_token"] = .string(parts.joined(separator: "."))
                }
            } _: { standIn, client in
                await #expect(throws: OpenIDFailure.self) { _ = try await signIn(standIn, client) }
            }
        }
    }

    @Test(arguments: ["", "a.b", "a.b.c.d", "..", "e30.e30.", "e30=.e30.AA", "W10.e30.AA", "a b.e30.AA"])
    func refusesWhatIsNoToken(_ text: String) async throws {
        try await StandInProvider.with {
            $0.tokens = { $0["id_token"] = .string(text) }
        } _: { standIn, client in
            await expectFailure(.tokenMalformed) { _ = try await signIn(standIn, client) }
        }
    }

    @Test func refusesLongTokens() async throws {
        try await StandInProvider.with {
            $0.claims = { $0["groups"] = .string(String(repeating: "a", count: 33_000)) }
        } _: { standIn, client in
            await expectFailure(.tokenMalformed) { _ = try await signIn(standIn, client) }
        }
    }

    @Test func takesOnlyWhatTheProviderSaysThatItSignsWith() async throws {
        try await StandInProvider.with {
            $0.document = { $0["id_token_signing_alg_values_supported"] = ["ES256"] }
        } _: { standIn, client in
            await expectFailure(.tokenAlgorithmNotAllowed) { _ = try await signIn(standIn, client) }
        }
    }
}
