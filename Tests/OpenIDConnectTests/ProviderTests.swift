//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import Foundation
import Redaction
import StrictJSON
import TestUpstream
import Testing

@testable import OpenIDConnect

/// What a provider says of itself, its keys, and how it may answer.
@Suite struct ProviderTests {
    private static let path = StandInProvider.configurationPath

    // MARK: - Discovery

    @Test func refusesTheDocumentOfAnotherIssuer() async throws {
        for issuer in ["https://evil.example", "", "HTTP://127.0.0.1"] {
            try await StandInProvider.with {
                $0.document = { $0["issuer"] = .string(issuer) }
            } _: { _, client in
                await expectFailure(.issuerMismatch) { _ = try await client.begin() }
            }
        }
        // Discovery 1.0, section 4.3: exactly, so that one provider does not speak for two names.
        try await StandInProvider.configured {
            $0.issuer += "/"
        } _: { _, client in
            await expectFailure(.issuerMismatch) { _ = try await client.begin() }
        }
    }

    @Test(arguments: ["authorization_endpoint", "token_endpoint", "jwks_uri"])
    func refusesDocumentsWithoutAnEndpoint(_ name: String) async throws {
        try await StandInProvider.with {
            $0.document = { $0[name] = nil }
        } _: { _, client in
            await expectFailure(.discoveryIncomplete) { _ = try await client.begin() }
        }
    }

    @Test(arguments: ["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"])
    func refusesEndpointsThatAnybodyCouldListenTo(_ name: String) async throws {
        try await StandInProvider.with {
            $0.document = { $0[name] = "http://login.example/x" }
        } _: { _, client in
            await expectFailure(.endpointNotProtected) { _ = try await client.begin() }
        }
        try await StandInProvider.with {
            $0.document = { $0[name] = "javascript:alert(1)" }
        } _: { _, client in
            await expectFailure(.discoveryIncomplete) { _ = try await client.begin() }
        }
    }

    @Test func refusesAnIssuerWithoutTLSElsewhere() async throws {
        try await StandInProvider.configured {
            $0.issuer = "http://login.example"
        } _: { _, client in
            await expectFailure(.endpointNotProtected) { _ = try await client.begin() }
        }
    }

    static let unsafeOffers: [(String, JSON)] = [
        ("code_challenge_methods_supported", ["plain"]), ("response_types_supported", ["id_token"]),
        ("id_token_signing_alg_values_supported", ["HS256", "none"]),
    ]

    @Test(arguments: unsafeOffers)
    func refusesProvidersThatOfferNothingSafe(_ name: String, _ value: JSON) async throws {
        try await StandInProvider.with {
            $0.document = { $0[name] = value }
        } _: { _, client in
            await expectFailure(.methodsUnsupported) { _ = try await client.begin() }
        }
    }

    @Test(arguments: [
        (StubAnswer(status: 200, body: "<html>"), OpenIDFailure.Code.providerAnswerUnreadable),
        (StubAnswer(status: 200, body: "[]"), .providerAnswerUnreadable),
        (StubAnswer(status: 200, body: #"{"issuer":7}"#), .providerAnswerUnreadable),
        (StubAnswer(status: 200, body: #"{"issuer":"a","issuer":"b"}"#), .providerAnswerUnreadable),
        (StubAnswer(status: 404, body: "{}"), .providerRefused), (StubAnswer(status: 503, body: ""), .providerRefused),
        (StubAnswer(status: 302, body: "", headers: [("Location", "/elsewhere")]), .providerRedirects),
        (StubAnswer(status: 200, body: String(repeating: " ", count: 300_000) + "{}"), .providerAnswerTooLarge),
    ])
    func refusesOtherAnswers(_ answer: StubAnswer, _ code: OpenIDFailure.Code) async throws {
        try await StandInProvider.with {
            $0.answers[Self.path] = answer
        } _: { standIn, client in
            await expectFailure(code) { _ = try await client.begin() }
            #expect(standIn.stub.requests.count == 1)
        }
    }

    @Test func waitsNoLongerThanItMay() async throws {
        for path in [Self.path, "/token", "/keys"] {
            try await StandInProvider.with { standIn, client in
                var answer = StubAnswer(status: 200, body: "{}")
                answer.waits = { [deadline = standIn.deadline] in
                    deadline.pass()
                    for await _ in AsyncStream<Void>.makeStream().stream {}
                }
                let slow = answer
                standIn.behave { $0.answers[path] = slow }
                await expectFailure(.providerTimedOut, "\(path)") { _ = try await signIn(standIn, client) }
            }
        }
    }

    @Test func reportsAProviderThatIsNotThere() async throws {
        let standIn = try await StandInProvider()
        // Port 1 is given to nobody; one that was given back may be another test's by now.
        let client = try standIn.client { $0.issuer = "http://127.0.0.1:1" }
        await expectFailure(.providerUnreachable) { _ = try await client.begin() }
        await expectFailure(.providerUnreachable) { _ = try await client.examine() }
        await standIn.stub.close()
    }

    @Test func trustsOnlyTheAuthoritiesThatAreNamed() async throws {
        let (authority, other) = (try TestAuthority("authority"), try TestAuthority("other"))
        let context = try TestAuthority.server(try authority.certify(host: "localhost"))
        let stub = try await StubUpstream(tls: context) { _, _ in StubAnswer(status: 404, body: "{}") }
        let standIn = try await StandInProvider()
        for (pem, host, code) in [
            (authority.certificatePEM, "localhost", OpenIDFailure.Code.providerRefused),
            (other.certificatePEM, "localhost", .providerNotTrusted), (nil, "localhost", .providerNotTrusted),
            (authority.certificatePEM, "127.0.0.1", .providerNotTrusted),
        ] {
            let client = try standIn.client {
                $0.issuer = "https://\(host):\(stub.port)"
                $0.authoritiesPEM = pem
            }
            await expectFailure(code, "\(host)") { _ = try await client.begin() }
        }
        #expect(throws: (any Error).self) { try standIn.client { $0.authoritiesPEM = "no certificate" } }
        await stub.close()
        await standIn.stub.close()
    }

    // MARK: - How often is asked

    @Test func asksAgainAfterAnHour() async throws {
        try await StandInProvider.with { standIn, client in
            _ = try await client.begin()
            standIn.clock.advance(seconds: 3599)
            _ = try await client.begin()
            #expect(standIn.count(Self.path) == 1)
            standIn.clock.advance(seconds: 1)
            _ = try await client.begin()
            #expect(standIn.count(Self.path) == 2)
        }
    }

    @Test func asksAgainAfterAFailureOnlyAfterAPause() async throws {
        try await StandInProvider.with { standIn, client in
            standIn.behave { $0.answers[Self.path] = StubAnswer(status: 503, body: "") }
            for _ in 0..<3 { await expectFailure(.providerRefused) { _ = try await client.begin() } }
            #expect(standIn.count(Self.path) == 1)
            standIn.behave { $0.answers[Self.path] = nil }
            standIn.clock.advance(seconds: 30)
            _ = try await client.begin()
            #expect(standIn.count(Self.path) == 2)
        }
    }

    @Test func manyWhoWaitAskOnce() async throws {
        try await StandInProvider.with { standIn, client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { _ = try await client.begin() } }
                try await group.waitForAll()
            }
            #expect(standIn.count(Self.path) == 1)
        }
    }

    // MARK: - Keys

    @Test func newKeysAreFetchedOnce() async throws {
        try await StandInProvider.with { standIn, client in
            _ = try await signIn(standIn, client)
            standIn.clock.advance(seconds: 60)
            standIn.behave {
                $0.published = [StandInKey.otherRSA.jwk]
                $0.signer = .otherRSA
            }
            _ = try await signIn(standIn, client)
            #expect(standIn.count("/keys") == 2)
            // A key that nobody publishes makes nobody ask again and again.
            standIn.behave { $0.signer = StandInKey.rsa.named("never") }
            for _ in 0..<3 { await expectFailure(.tokenKeyUnknown) { _ = try await signIn(standIn, client) } }
            #expect(standIn.count("/keys") == 2)
            standIn.clock.advance(seconds: 30)
            await expectFailure(.tokenKeyUnknown) { _ = try await signIn(standIn, client) }
            #expect(standIn.count("/keys") == 3)
        }
    }

    @Test func newKeysWithoutNamesAreFetchedToo() async throws {
        try await StandInProvider.with {
            $0.published = [StandInKey.rsa.named(nil).jwk]
            $0.signer = StandInKey.rsa.named(nil)
        } _: { standIn, client in
            _ = try await signIn(standIn, client)
            standIn.clock.advance(seconds: 60)
            standIn.behave {
                $0.published = [StandInKey.otherRSA.named(nil).jwk]
                $0.signer = StandInKey.otherRSA.named(nil)
            }
            _ = try await signIn(standIn, client)
        }
    }

    @Test func aTokenWithoutAKeysNameTakesAProviderWithOneKey() async throws {
        try await StandInProvider.with {
            $0.published = [StandInKey.rsa.jwk, StandInKey.otherRSA.jwk]
            $0.header = { $0["kid"] = nil }
        } _: { standIn, client in
            await expectFailure(.tokenKeyUnknown) { _ = try await signIn(standIn, client) }
        }
    }

    struct UnfitKey: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let jwk: JSONObject

        init(_ name: String, _ key: StandInKey, _ change: (inout JSONObject) -> Void) {
            self.testDescription = name
            var jwk = key.jwk
            change(&jwk)
            self.jwk = jwk
        }
    }

    static let unfitKeys = [
        UnfitKey("for encryption", .rsa) { $0["use"] = "enc" },
        UnfitKey("to sign alone", .rsa) { $0["key_ops"] = ["sign"] },
        UnfitKey("of another algorithm", .rsa) { $0["alg"] = "PS256" },
        UnfitKey("of another kind", .rsa) { $0["kty"] = "oct" },
        UnfitKey("short", StandInKey(id: "rsa-1", kind: .rsa(StandInKey.makeRSA(1024)))) { _ in },
        UnfitKey("huge", .rsa) { $0["n"] = .string(String(repeating: "A", count: 1400)) },
        UnfitKey("huge exponent", .rsa) { $0["e"] = .string(String(repeating: "_", count: 16)) },
        UnfitKey("no modulus", .rsa) { $0["n"] = nil },
        UnfitKey("modulus in another alphabet", .rsa) { $0["n"] = .string("\($0["n"]?.string ?? "")+") },
        UnfitKey("another curve", .ec) { $0["crv"] = "P-384" },
        UnfitKey("not on the curve", .ec) { $0["y"] = $0["x"] },
        UnfitKey("half a point", .ec) { $0["y"] = nil },
        UnfitKey("long coordinates", .ec) { $0["x"] = .string("AAAA\($0["x"]?.string ?? "")") },
    ]

    @Test(arguments: unfitKeys)
    func takesNoKeyThatIsUnfit(_ key: UnfitKey) async throws {
        let keys = try await ProviderKeys(["keys": .array([.object(key.jwk), .null, 7])])
        #expect(keys.keys.isEmpty)
        let fit = try await ProviderKeys(["keys": .array([.object(StandInKey.rsa.jwk)])])
        #expect(fit.keys.count == 1)
    }

    @Test func refusesWhatIsNoListOfKeys() async throws {
        let many = JSON.array(Array(repeating: [:], count: 65))
        for json in [[:], [], ["keys": 7], ["keys": many]] as [JSON] {
            await expectFailure(.providerAnswerUnreadable) { _ = try await ProviderKeys(json) }
        }
    }

    // MARK: - Examination

    @Test func examinationAsksForAllAndKeepsNothing() async throws {
        try await StandInProvider.with { standIn, client in
            standIn.behave { $0.answers[Self.path] = StubAnswer(status: 503, body: "") }
            await expectFailure(.providerRefused) { _ = try await client.examine() }
            standIn.behave { $0.answers[Self.path] = nil }
            let date = try await client.examine()
            #expect(date == nil)
            _ = try await client.begin()
            standIn.behave { $0.published = [] }
            await expectFailure(.tokenKeyUnknown) { _ = try await client.examine() }
        }
    }

    @Test func everyFailureHasItsWords() {
        for code in OpenIDFailure.Code.allCases {
            let text = OpenIDFailure(code).explanation
            #expect(text.hasSuffix(".") && text.count > 20, "\(code.rawValue)")
            #expect(code.rawValue.allSatisfy { $0 == "_" || ("a"..."z").contains($0) })
        }
    }
}
