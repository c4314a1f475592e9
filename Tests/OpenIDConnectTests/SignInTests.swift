//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Redaction
import StrictJSON
import TestUpstream
import Testing
import Time

@testable import OpenIDConnect

/// The way there and back, against a provider over HTTP.
@Suite struct SignInTests {
    @Test func signsInWhoeverTheProviderSaysItIs() async throws {
        try await StandInProvider.with { standIn, client in
            let person = try await signIn(standIn, client)
            #expect(person.issuer == standIn.issuer && person.subject == "248289761001")
            #expect(person.verifiedEmail == nil && !person.hasEmail)
            let request = try #require(standIn.stub.requests.last { $0.path == "/token" })
            #expect(request.method == "POST" && request.header("Accept") == "application/json")
            // The secret is in the header alone.
            #expect(StandInProvider.fields(request.text)["client_secret"] == nil)
            _ = try await signIn(standIn, client)
            #expect(standIn.count(StandInProvider.configurationPath) == 1 && standIn.count("/keys") == 1)
        }
    }

    @Test func keysOfBothKindsAreTaken() async throws {
        for key in [StandInKey.rsa, .ec, StandInKey.rsa.named(nil), StandInKey.ec.named(nil)] {
            try await StandInProvider.with {
                $0.published = [key.jwk]
                $0.signer = key
            } _: { standIn, client in
                let person = try await signIn(standIn, client)
                #expect(person.subject == "248289761001", "\(key.algorithm)")
            }
        }
    }

    @Test func everySignInHasItsOwnSecretsOf256Bits() async throws {
        try await StandInProvider.with { standIn, client in
            var seen: Set<String> = []
            for _ in 0..<3 {
                let fields = StandInProvider.fields(try await client.begin().url.split(separator: "?")[1])
                for name in ["state", "nonce", "code_challenge"] {
                    let value = try #require(fields[name])
                    #expect(value.count == 43 && seen.insert(value).inserted)
                }
                #expect(fields["redirect_uri"] == StandInProvider.redirectURL && fields["scope"] == "openid")
            }
        }
    }

    @Test func authorizationEndpointsMayHaveAQuery() async throws {
        try await StandInProvider.with { behaviour in
            behaviour.document = { $0["authorization_endpoint"] = "https://login.example/authorize?tenant=7" }
        } _: { _, client in
            let url = try await client.begin().url
            #expect(url.hasPrefix("https://login.example/authorize?tenant=7&response_type=code&"))
        }
    }

    @Test(arguments: OpenIDProviderSettings.ClientAuthentication.allCases)
    func clientsProveThemselvesAsTheProviderWantsIt(
        _ method: OpenIDProviderSettings.ClientAuthentication
    ) async throws {
        try await StandInProvider.with {
            $0.document = { $0["token_endpoint_auth_methods_supported"] = .array([.string(method.rawValue)]) }
        } settings: {
            if method == .none { $0.clientSecret = nil }
        } _: { standIn, client in
            _ = try await signIn(standIn, client)
            let request = try #require(standIn.stub.requests.last { $0.path == "/token" })
            let fields = StandInProvider.fields(request.text)
            #expect((request.header("Authorization") != nil) == (method == .basic))
            #expect((fields["client_secret"] != nil) == (method == .post))
            #expect((fields["client_id"] != nil) == (method != .basic))
        }
    }

    @Test func refusesToSendASecretToAProviderThatTakesNone() async throws {
        try await StandInProvider.with {
            $0.document = { $0["token_endpoint_auth_methods_supported"] = ["private_key_jwt"] }
        } _: { standIn, client in
            await expectFailure(.methodsUnsupported) { _ = try await signIn(standIn, client) }
            #expect(standIn.count("/token") == 0)
        }
    }

    // MARK: - State

    @Test func refusesTheWayBackOfAnotherBrowser() async throws {
        try await StandInProvider.with { standIn, client in
            let (mine, theirs) = (try await client.begin(), try await client.begin())
            let query = try standIn.authorize(theirs.url)
            await expectFailure(.stateWrong) { _ = try await client.complete(query: query, pending: mine.pending) }
            await expectFailure(.stateMissing) { _ = try await client.complete(query: query, pending: nil) }
            #expect(standIn.count("/token") == 0)
            // What somebody else has tried takes nothing from whoever began it.
            _ = try await client.complete(query: query, pending: theirs.pending)
        }
    }

    @Test func refusesTheWayBackFromAnotherProvider() async throws {
        try await StandInProvider.with { standIn, client in
            let other = try standIn.client { $0.name = "other" }
            let (url, pending) = try await other.begin()
            let query = try standIn.authorize(url)
            await expectFailure(.stateWrong) { _ = try await client.complete(query: query, pending: pending) }
        }
    }

    @Test func refusesASecondUse() async throws {
        try await StandInProvider.with { standIn, client in
            let (url, pending) = try await client.begin()
            let query = try standIn.authorize(url)
            _ = try await client.complete(query: query, pending: pending)
            await expectFailure(.stateUsed) { _ = try await client.complete(query: query, pending: pending) }
            #expect(standIn.count("/token") == 1)
            // Another node does not know of the use; the provider does.
            let node = try standIn.client()
            await expectFailure(.codeRefused) { _ = try await node.complete(query: query, pending: pending) }
        }
    }

    @Test func refusesWhatTookTooLong() async throws {
        try await StandInProvider.with { standIn, client in
            let (url, pending) = try await client.begin()
            let query = try standIn.authorize(url)
            standIn.clock.advance(seconds: 599)
            let (lateURL, latePending) = try await client.begin()
            _ = try await client.complete(query: query, pending: pending)
            let lateQuery = try standIn.authorize(lateURL)
            standIn.clock.advance(seconds: 600)
            await expectFailure(.stateExpired) {
                _ = try await client.complete(query: lateQuery, pending: latePending)
            }
        }
    }

    @Test func pendingSignInsComeBackAsTheyWereSealed() async throws {
        try await StandInProvider.with { _, client in
            let pending = try await client.begin().pending
            #expect(PendingSignIn(serialized: pending.serialized) == pending)
            #expect(!"\(pending)".contains(pending.state.reveal()))
            for text in ["", "[]", "{}", #"["a","b","c","d"]"#, #"["a","b","c","d","5"]"#, #"["a","b","c",1,5]"#] {
                #expect(PendingSignIn(serialized: Redacted(Array(text.utf8))) == nil, "\(text)")
            }
        }
    }

    // MARK: - What comes back

    @Test(arguments: [
        nil, "", "code=a", "state=a", "code=a&state=", "code=a&state=b&error=c", "code=a&code=b&state=c",
        "code=a&state=b&state=b", "code=%GG&state=b", "code=%ff&state=b", "=&state=b",
    ])
    func refusesMalformedWaysBack(_ query: String?) async throws {
        try await StandInProvider.with { _, client in
            let pending = try await client.begin().pending
            await expectFailure(.callbackMalformed) { _ = try await client.complete(query: query, pending: pending) }
        }
    }

    @Test func refusesLongWaysBack() async throws {
        try await StandInProvider.with { standIn, client in
            await expectFailure(.callbackMalformed) {
                _ = try await signIn(standIn, client) { $0 + "&x=" + String(repeating: "a", count: 8192) }
            }
        }
    }

    @Test(arguments: [
        ("access_denied", OpenIDFailure.Code.accessDenied), ("server_error", .providerError),
        ("<script>", .providerError), ("", .providerError),
    ])
    func reportsTheProvidersErrors(_ error: String, _ code: OpenIDFailure.Code) async throws {
        try await StandInProvider.with { standIn, client in
            let (url, pending) = try await client.begin()
            let state = try #require(StandInProvider.fields(url.split(separator: "?")[1])["state"])
            let query = "error=\(PercentCoding.encoded(error))&state=\(state)&error_description=%3Cb%3E"
            await expectFailure(code) { _ = try await client.complete(query: query, pending: pending) }
            // Some providers forget the state then.
            let bare = "error=\(PercentCoding.encoded(error))"
            await expectFailure(code) { _ = try await client.complete(query: bare, pending: pending) }
            await expectFailure(code) { _ = try await client.complete(query: bare, pending: nil) }
            #expect(standIn.count("/token") == 0)
        }
    }

    /// RFC 9207: an answer that another provider has mixed in is not taken to this one.
    @Test func refusesAnswersOfAnotherIssuer() async throws {
        try await StandInProvider.with { standIn, client in
            await expectFailure(.issuerWrong) {
                _ = try await signIn(standIn, client) { "\($0)&iss=https%3A%2F%2Fevil.example" }
            }
            #expect(standIn.count("/token") == 0)
            _ = try await signIn(standIn, client) { "\($0)&iss=\(PercentCoding.encoded(standIn.issuer))" }
        }
        try await StandInProvider.with {
            $0.document = { $0["authorization_response_iss_parameter_supported"] = true }
        } _: { standIn, client in
            await expectFailure(.issuerWrong) { _ = try await signIn(standIn, client) }
            #expect(standIn.count("/token") == 0)
        }
    }

    // MARK: - The token endpoint

    @Test func reportsAWrongSecret() async throws {
        try await StandInProvider.configured {
            $0.clientSecret = Redacted("wrong")
        } _: { standIn, client in
            await expectFailure(.clientRefused) { _ = try await signIn(standIn, client) }
        }
        for error in ["invalid_client", "unauthorized_client"] {
            try await StandInProvider.with {
                $0.answers["/token"] = StubAnswer(status: 400, body: #"{"error":"\#(error)"}"#)
            } _: { standIn, client in
                await expectFailure(.clientRefused) { _ = try await signIn(standIn, client) }
            }
        }
    }

    @Test func codesAreBoundToTheirVerifiers() async throws {
        try await StandInProvider.with { standIn, client in
            let (url, _) = try await client.begin()
            let query = try standIn.authorize(url)
            let other = try await client.begin()
            let state = try #require(StandInProvider.fields(other.url.split(separator: "?")[1])["state"])
            let injected = "\(query.split(separator: "&")[0])&state=\(state)"
            await expectFailure(.codeRefused) {
                _ = try await client.complete(query: injected, pending: other.pending)
            }
        }
    }

    @Test(arguments: [
        (StubAnswer(status: 200, body: #"{"access_token":"a"}"#), OpenIDFailure.Code.tokenMissing),
        (StubAnswer(status: 200, body: #"{"id_token":7}"#), .tokenMissing),
        (StubAnswer(status: 200, body: "[]"), .providerAnswerUnreadable),
        (StubAnswer(status: 200, body: "<html>"), .providerAnswerUnreadable),
        (StubAnswer(status: 400, body: "<html>"), .providerRefused),
        (StubAnswer(status: 500, body: "{}"), .providerRefused),
        (StubAnswer(status: 307, body: "", headers: [("Location", "/token")]), .providerRedirects),
    ])
    func refusesOtherAnswersOfTheTokenEndpoint(_ answer: StubAnswer, _ code: OpenIDFailure.Code) async throws {
        try await StandInProvider.with {
            $0.answers["/token"] = answer
        } _: { standIn, client in
            await expectFailure(code) { _ = try await signIn(standIn, client) }
            #expect(standIn.count("/token") == 1)
        }
    }

    // MARK: - E-mail

    @Test func verifiedAddressesAreThoseThatTheProviderSaysAreVerified() async throws {
        for (claim, isVerified) in [(JSON.bool(true), true), (.bool(false), false), ("true", false), (1, false)] {
            try await StandInProvider.with {
                $0.claims = {
                    $0["email"] = "alice@shop.example"
                    $0["email_verified"] = claim
                }
            } settings: {
                $0.asksEmail = true
            } _: { standIn, client in
                let person = try await signIn(standIn, client)
                #expect(person.hasEmail && person.verifiedEmail == (isVerified ? "alice@shop.example" : nil))
                #expect(standIn.count("/me") == 0)
            }
        }
    }

    @Test func addressesAreAskedForWhereTheTokenHasNone() async throws {
        let info = StandInProvider.object(
            ["sub": "248289761001", "email": "alice@shop.example", "email_verified": true])
        try await StandInProvider.with {
            $0.userInfo = info
        } settings: {
            $0.asksEmail = true
        } _: { standIn, client in
            let url = try await client.begin().url
            #expect(url.contains("scope=openid%20email&"))
            #expect(try await signIn(standIn, client).verifiedEmail == "alice@shop.example")
            // OpenID Connect Core 1.0, section 5.3.2.
            standIn.behave { $0.userInfo["sub"] = "somebody else" }
            await expectFailure(.userInfoOfAnother) { _ = try await signIn(standIn, client) }
            standIn.behave { $0.userInfo["sub"] = nil }
            await expectFailure(.userInfoOfAnother) { _ = try await signIn(standIn, client) }
            standIn.behave { $0.tokens = { $0["access_token"] = "two\r\nlines" } }
            #expect(try await signIn(standIn, client).hasEmail == false)
        }
    }
}
