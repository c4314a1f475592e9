//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import Foundation
import Redaction
import StrictJSON
import Synchronization
import TestUpstream
import Testing
import Time

@testable import OpenIDConnect

/// An OpenID Connect provider over a real socket, which does what a test says and keeps what it was asked. It demands what a
/// provider must: its own client, the address that it has registered, the code's verifier, each code once.
final class StandInProvider: Sendable {
    struct Behaviour: Sendable {
        var published = [StandInKey.rsa.jwk]
        var signer = StandInKey.rsa
        var document: @Sendable (inout JSONObject) -> Void = { _ in }
        var header: @Sendable (inout JSONObject) -> Void = { _ in }
        var claims: @Sendable (inout JSONObject) -> Void = { _ in }
        /// In the place of the signature over what is signed.
        var signature: (@Sendable (String) -> [UInt8])?
        /// What becomes of the token endpoint's answer.
        var tokens: @Sendable (inout JSONObject) -> Void = { _ in }
        var userInfo = JSONObject()
        /// In the place of the answer of a path.
        var answers: [String: StubAnswer] = [:]
    }

    private struct State {
        var behaviour = Behaviour()
        var issuer = ""
        var grants: [String: Grant] = [:]
        var nextCode = 0
    }

    private struct Grant {
        let nonce: String
        let challenge: String
        let redirectURL: String
    }

    static let clientID = "pomona client"
    static let secret = "s3cret/with+signs"
    static let redirectURL = "https://pay.example/admin/v1/sign-in/openid/test/callback"
    static let configurationPath = "/.well-known/openid-configuration"

    let stub: StubUpstream
    let clock: TestClock
    let deadline = CallDeadline()
    private let state: SharedState

    private final class SharedState: Sendable {
        let value = Mutex(State())
    }

    final class TestClock: Sendable {
        private let value = Mutex(Timestamp(seconds: 1_790_000_000))
        var now: Timestamp { self.value.withLock { $0 } }
        func advance(seconds: Int64) { self.value.withLock { $0 = $0.adding(seconds: seconds) } }
    }

    init() async throws {
        let state = SharedState()
        let clock = TestClock()
        self.state = state
        self.clock = clock
        self.stub = try await StubUpstream { request, _ in Self.answer(request, state, clock) }
        let port = self.stub.port
        state.value.withLock { $0.issuer = "http://127.0.0.1:\(port)" }
    }

    /// Runs a body with a stand-in and a client of it, and closes it.
    static func with(
        _ behave: @Sendable (inout Behaviour) -> Void, settings change: (inout OpenIDProviderSettings) -> Void,
        _ body: (StandInProvider, OpenIDProvider) async throws -> Void
    ) async throws {
        let standIn = try await StandInProvider()
        standIn.behave(behave)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(standIn, try standIn.client(change)))
        } catch {
            result = .failure(error)
        }
        await standIn.stub.close()
        try result.get()
    }

    static func with(
        _ behave: @Sendable (inout Behaviour) -> Void,
        _ body: (StandInProvider, OpenIDProvider) async throws -> Void
    ) async throws {
        try await self.with(behave, settings: { _ in }, body)
    }

    /// The same with a client that is configured otherwise.
    static func configured(
        _ change: (inout OpenIDProviderSettings) -> Void,
        _ body: (StandInProvider, OpenIDProvider) async throws -> Void
    ) async throws {
        try await self.with({ _ in }, settings: change, body)
    }

    static func with(_ body: (StandInProvider, OpenIDProvider) async throws -> Void) async throws {
        try await self.with({ _ in }, settings: { _ in }, body)
    }

    var issuer: String { self.state.value.withLock { $0.issuer } }

    func behave(_ change: @Sendable (inout Behaviour) -> Void) {
        self.state.value.withLock { change(&$0.behaviour) }
    }

    func client(_ change: (inout OpenIDProviderSettings) -> Void = { _ in }) throws -> OpenIDProvider {
        var settings = OpenIDProviderSettings(
            name: "test", issuer: self.issuer, clientID: Self.clientID, clientSecret: Redacted(Self.secret),
            redirectURL: Self.redirectURL)
        change(&settings)
        return try OpenIDProvider(
            settings,
            OpenIDSurroundings(
                clock: { [clock] in clock.now },
                random: { count in (0..<count).map { _ in UInt8.random(in: 0...255) } },
                sleep: { [deadline] _ in await deadline.wait() }))
    }

    func count(_ path: String) -> Int { self.stub.requests.filter { $0.path == path }.count }

    /// What the person does at the provider: the query of the way back.
    func authorize(_ url: String) throws -> String {
        let parts = url.split(separator: "?", maxSplits: 1)
        #expect(parts[0] == "\(self.issuer)/authorize")
        let fields = Self.fields(parts[1])
        #expect(fields["response_type"] == "code" && fields["client_id"] == Self.clientID)
        #expect(fields["code_challenge_method"] == "S256")
        let grant = Grant(
            nonce: try #require(fields["nonce"]), challenge: try #require(fields["code_challenge"]),
            redirectURL: try #require(fields["redirect_uri"]))
        let code = self.state.value.withLock { state in
            state.nextCode += 1
            state.grants["code-\(state.nextCode)"] = grant
            return "code-\(state.nextCode)"
        }
        return "code=\(code)&state=\(try #require(fields["state"]))"
    }

    static func fields(_ text: some StringProtocol) -> [String: String] {
        var fields: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            fields[String(parts[0])] = PercentCoding.decoded(parts.count == 2 ? parts[1] : "")
        }
        return fields
    }

    // MARK: - Answers

    private static func answer(_ request: StubRequest, _ state: SharedState, _ clock: TestClock) -> StubAnswer {
        let behaviour = state.value.withLock { $0.behaviour }
        if let answer = behaviour.answers[request.path] { return answer }
        let issuer = state.value.withLock { $0.issuer }
        switch request.path {
        case Self.configurationPath:
            var document = Self.object([
                "issuer": .string(issuer), "authorization_endpoint": .string("\(issuer)/authorize"),
                "token_endpoint": .string("\(issuer)/token"), "jwks_uri": .string("\(issuer)/keys"),
                "userinfo_endpoint": .string("\(issuer)/me"), "response_types_supported": ["code"],
                "id_token_signing_alg_values_supported": ["RS256", "ES256", "HS256", "none"],
            ])
            behaviour.document(&document)
            return Self.json(200, .object(document))
        case "/keys":
            return Self.json(200, ["keys": .array(behaviour.published.map(JSON.object))])
        case "/token": return Self.tokens(request, state, behaviour, issuer, clock)
        case "/me":
            guard request.header("Authorization") == "Bearer access-1" else { return Self.json(401, [:]) }
            return Self.json(200, .object(behaviour.userInfo))
        default: return Self.json(404, [:])
        }
    }

    private static func tokens(
        _ request: StubRequest, _ state: SharedState, _ behaviour: Behaviour, _ issuer: String, _ clock: TestClock
    ) -> StubAnswer {
        let fields = Self.fields(request.text)
        let pair = "\(PercentCoding.encoded(Self.clientID)):\(PercentCoding.encoded(Self.secret))"
        let isClient =
            request.header("Authorization") == "Basic \(Base64.encode(Array(pair.utf8)))"
            || (fields["client_id"] == Self.clientID && fields["client_secret"] ?? Self.secret == Self.secret)
        guard isClient else { return Self.json(401, ["error": "invalid_client"]) }
        let grant = state.value.withLock { $0.grants.removeValue(forKey: fields["code"] ?? "") }
        let challenge = Base64URL.encode(Array(SHA256.hash(data: Data((fields["code_verifier"] ?? "").utf8))))
        guard let grant, grant.challenge == challenge, grant.redirectURL == fields["redirect_uri"],
            fields["grant_type"] == "authorization_code"
        else { return Self.json(400, ["error": "invalid_grant"]) }
        var claims = Self.object([
            "iss": .string(issuer), "sub": "248289761001", "aud": .string(Self.clientID), "nonce": .string(grant.nonce),
            "iat": JSON(clock.now.seconds), "exp": JSON(clock.now.seconds + 300),
        ])
        behaviour.claims(&claims)
        var answer = Self.object(["access_token": "access-1", "token_type": "Bearer", "expires_in": 300])
        answer["id_token"] = .string(Self.token(claims, behaviour))
        behaviour.tokens(&answer)
        return Self.json(200, .object(answer))
    }

    private static func token(_ claims: JSONObject, _ behaviour: Behaviour) -> String {
        var header = Self.object(["alg": .string(behaviour.signer.algorithm), "typ": "JWT"])
        header["kid"] = behaviour.signer.id.map(JSON.string)
        behaviour.header(&header)
        let input =
            Base64URL.encode(JSON.object(header).serialized()) + "."
            + Base64URL.encode(JSON.object(claims).serialized())
        let signature = behaviour.signature?(input) ?? (try? behaviour.signer.sign(input)) ?? []
        return "\(input).\(Base64URL.encode(signature))"
    }

    static func object(_ json: JSON) -> JSONObject { json.object ?? JSONObject() }

    private static func json(_ status: Int, _ json: JSON) -> StubAnswer {
        StubAnswer(status: status, body: json.text())
    }
}

/// Runs a whole sign-in.
func signIn(
    _ standIn: StandInProvider, _ client: OpenIDProvider, _ change: (String) -> String = { $0 }
) async throws -> ExternalPerson {
    let (url, pending) = try await client.begin()
    return try await client.complete(query: change(try standIn.authorize(url)), pending: pending)
}

func expectFailure(
    _ code: OpenIDFailure.Code, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async {
    await #expect(throws: OpenIDFailure(code), comment, sourceLocation: sourceLocation) { try await body() }
}
