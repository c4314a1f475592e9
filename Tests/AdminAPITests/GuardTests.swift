//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import HTTPTypes
import Payments
import Redaction
import StrictJSON
import TestGateway
import Testing
import Time

@testable import AdminAPI

/// What keeps a change from being done twice, or over somebody else's.
@Suite struct GuardTests {
    /// A refusal is counted and logged by what was asked for and why not, both of the program's own lists, and by who asked.
    @Test func refusalsSayWhatWasAskedForAndWhoAsked() async throws {
        let desk = try await Desk.open()
        desk.test.clock.advance(seconds: 1)
        let viewer = try await desk.token(Access(.viewer))
        let id = try await desk.administration.accessTokens().first { $0.access == Access(.viewer) }?.id.text
        func answer(_ path: String, _ headers: HTTPFields, _ body: JSON = ["userName": "nobody"]) async -> WireResponse
        {
            var headers = headers
            headers[.contentType] = "application/json"
            return await desk.service.respond(
                to: WireRequest(
                    method: .post, path: AdminService.root + path, headers: headers, body: body.serialized()))
        }
        let key: HTTPFields = [.authorization: "Bearer \(viewer)", .idempotencyKey: "k"]
        let scope = await answer("/people", key)
        #expect(scope.refusal?.operation == "createPerson" && scope.refusal?.code == "scope_missing")
        #expect(scope.caller == id && id?.hasPrefix("tok_") == true)
        let stranger = await answer("/people", [.authorization: "Bearer pomona_guess"])
        #expect(stranger.refusal?.operation == "createPerson" && stranger.refusal?.code == "unauthorized")
        #expect(stranger.caller == nil)
        let nowhere = await answer("/secret-path", key)
        #expect(nowhere.refusal?.operation == "unknown" && nowhere.refusal?.code == "path_unknown")
        var browser = try await desk.browser(of: "alice", .viewer)
        _ = try await browser.expect(200, .get, "/session")
        let person = await desk.service.respond(to: browser.request(.post, "/people", ["userName": "b"], key: "k"))
        #expect(person.refusal?.operation == "createPerson" && person.refusal?.code == "scope_missing")
        let alice = try await desk.administration.read { try $0.person(named: "alice")?.id.text }
        #expect(person.caller == alice && alice != nil)
        let read = await desk.service.respond(to: browser.request(.get, "/merchants"))
        #expect(read.refusal == nil && read.caller == alice)
    }

    @Test func sameKeyIsAnsweredAgainAndDoneOnce() async throws {
        let desk = try await Desk.open()
        try await desk.expect(201, .post, "/merchants", Desk.merchantBody, key: "m")
        let body: JSON = ["dialect": "payone"]
        let first = try await desk.expect(201, .post, "/merchants/shop/accounts", body, key: "a")
        let entries = try await desk.administration.auditHead().entriesCount
        let second = try await desk.expect(201, .post, "/merchants/shop/accounts", body, key: "a")
        // Also the credentials, which are kept nowhere in a form that the gateway could open.
        #expect(second.json == first.json)
        #expect(second.headers[.idempotentReplayed] == "true")
        #expect(second.headers[.location] == first.headers[.location])
        #expect(try await desk.administration.auditHead().entriesCount == entries)
    }

    @Test func sameKeyForAnotherCallIsRefused() async throws {
        let desk = try await Desk.open()
        try await desk.expect(201, .post, "/merchants", Desk.merchantBody, key: "m")
        var other = try #require(Desk.merchantBody.object)
        other["name"] = "other"
        #expect(
            try await desk.expect(422, .post, "/merchants", .object(other), key: "m").code == "idempotency_key_used")
        // What was refused used nothing up.
        try await desk.expect(409, .post, "/merchants", Desk.merchantBody, key: "n")
        try await desk.expect(201, .post, "/merchants", .object(other), key: "o")
    }

    @Test func keysAreTheirCallersOwn() async throws {
        let desk = try await Desk.open()
        try await desk.expect(201, .post, "/merchants", Desk.merchantBody, key: "m")
        let another = try await desk.token(Access(.owner))
        #expect(
            try await desk.expect(409, .post, "/merchants", Desk.merchantBody, token: another, key: "m").code
                == "merchant_name_taken")
    }

    @Test func keyIsForgottenAfterADay() async throws {
        let desk = try await Desk.open()
        try await desk.expect(201, .post, "/merchants", Desk.merchantBody, key: "m")
        desk.test.clock.advance(seconds: 86_400)
        #expect(
            try await desk.expect(409, .post, "/merchants", Desk.merchantBody, key: "m").code == "merchant_name_taken")
    }

    /// The process died between the act and its answer.
    @Test func lostAnswerIsSaidToBeLost() async throws {
        let desk = try await Desk.open()
        try await desk.expect(201, .post, "/merchants", Desk.merchantBody, key: "m")
        let holder = try #require(try await desk.administration.accessTokens().first).id.text
        let key = AdminClaim.Key(holder: holder, key: "m")
        var claim = try #require(try await desk.test.store.read { try $0.adminClaim(key) })
        // Sealed for nobody else: what is kept shows nothing of the answer.
        #expect(!String(decoding: claim.answer, as: UTF8.self).contains("shop"))
        claim.answer = []
        let lost = claim
        try await desk.test.store.write { try $0.update(lost) }
        // As long as an acquirer may take, the first may be at it still.
        desk.test.clock.advance(seconds: 100)
        #expect(
            try await desk.expect(409, .post, "/merchants", Desk.merchantBody, key: "m").code
                == "idempotency_under_way")
        desk.test.clock.advance(seconds: 100)
        #expect(
            try await desk.expect(409, .post, "/merchants", Desk.merchantBody, key: "m").code
                == "idempotency_answer_lost")
        let all = try await desk.expect(200, .get, "/merchants")
        #expect(all.json["data"]?.array?.count == 1)
    }

    @Test(arguments: [nil, "", "two words", String(repeating: "k", count: 256)] as [String?])
    func refusesMissingAndMalformedKeys(_ key: String?) async throws {
        let desk = try await Desk.open()
        try await desk.expect(400, .post, "/merchants", Desk.merchantBody, key: key)
        #expect(try await desk.expect(200, .get, "/merchants").json["data"] == [])
    }

    /// Of many calls with one key at once, one does it.
    @Test func concurrentRepeatsDoItOnce() async throws {
        let desk = try await Desk.open()
        try await desk.expect(201, .post, "/merchants", Desk.merchantBody, key: "m")
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await desk.call(
                        .post, "/merchants/shop/acquirers", ["name": "bank", "connector": "simulator"], key: "b"
                    ).status
                }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.contains(201))
        #expect(Set(statuses).isSubset(of: [201, 409]))
        let acquirers = try await desk.expect(200, .get, "/merchants/shop/acquirers")
        #expect(acquirers.json["data"]?.array?.count == 1)
    }

    // MARK: - Lost updates

    @Test func staleChangeIsRefused() async throws {
        let desk = try await Desk.open()
        try await desk.makeShop()
        let read = try await desk.expect(200, .get, "/merchants/shop")
        try await desk.expect(200, .patch, "/merchants/shop", ["displayName": "First"], tag: read.tag)
        let stale = try await desk.expect(412, .patch, "/merchants/shop", ["displayName": "Second"], tag: read.tag)
        #expect(stale.code == "changed_meanwhile")
        #expect(try await desk.expect(200, .get, "/merchants/shop").json["displayName"] == "First")
        try await desk.expect(428, .patch, "/merchants/shop", ["displayName": "Third"])
        let fresh = try await desk.expect(200, .get, "/merchants/shop").tag
        // A weak tag is no state that a change may go by.
        try await desk.expect(412, .patch, "/merchants/shop", ["displayName": "Third"], tag: "W/\(fresh)")
        let listed = try await desk.expect(
            200, .patch, "/merchants/shop", ["displayName": "Fourth"], tag: ", \"a,*,b\" ,\t\(fresh),")
        try await desk.expect(412, .patch, "/merchants/shop", ["displayName": "Third"], tag: "\"a,*,b\"")
        try await desk.expect(200, .patch, "/merchants/shop", ["displayName": "Fifth"], tag: " * ")
        #expect(listed.json["displayName"] == "Fourth")
    }

    /// RFC 9110, section 13.1.1: `*` is no element of a list. Two headers are one list (section 5.3).
    @Test(arguments: [
        "*, \"x\"", "\"x\", *", "*, *", "*,", ",*", "x", "\"x", "\"x\" \"y\"", "\"x\"*", "\"a b\"", "w/\"x\"",
    ])
    func refusesWhatIsNoListOfTags(_ header: String) async throws {
        let desk = try await Desk.open()
        try await desk.makeShop()
        let before = try await desk.expect(200, .get, "/merchants/shop")
        let refused = try await desk.expect(400, .patch, "/merchants/shop", ["displayName": "New"], tag: header)
        #expect(refused.code == "if_match_malformed")
        #expect(try await desk.expect(200, .get, "/merchants/shop").tag == before.tag)
    }

    @Test func concurrentChangesLoseNothing() async throws {
        let desk = try await Desk.open()
        try await desk.makeShop()
        let tag = try await desk.expect(200, .get, "/merchants/shop").tag
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<6 {
                group.addTask {
                    try await desk.call(.patch, "/merchants/shop", ["displayName": .string("\(index)")], tag: tag)
                        .status
                }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.sorted() == [200, 412, 412, 412, 412, 412])
    }

    @Test(arguments: ["/merchants/shop/routes", "/merchants/shop/acquirers/bank", "/merchants/shop/accounts/payone"])
    func tagsFollowWhatIsShown(_ path: String) async throws {
        let desk = try await Desk.open()
        try await desk.makeShop()
        let first = try await desk.expect(200, .get, path)
        #expect(try await desk.expect(200, .get, path).tag == first.tag)
        #expect(first.tag.count == 34)
    }

    // MARK: - Guessing

    @Test func guessersWait() async throws {
        let clock = TestClock(Timestamp(seconds: 1_750_000_000))
        let throttle = CredentialThrottle(
            settings: .init(freeFailures: 3), now: { clock.steadyNanoseconds })
        let desk = try await Desk.open(limits: CallerLimits(throttle: throttle, rates: nil))
        let secret = desk.owner
        var statuses: [Int] = []
        for index in 0..<6 {
            let guess = String(secret.dropLast(2)) + (index.isMultiple(of: 2) ? "aa" : "bb")
            statuses.append(try await desk.call(.get, "/me", token: guess).status)
        }
        #expect(statuses.prefix(3) == [401, 401, 401])
        #expect(statuses.last == 429)
        let waiting = try await desk.call(.get, "/me", token: "pomona_x")
        #expect(waiting.headers[.retryAfter].flatMap { Int($0) } ?? 0 > 0)
    }

    @Test(arguments: [nil, "", "Basic dXNlcjpwYXNz", "Bearer", "Bearer ", "Bearer pomona_", "bearer x y"] as [String?])
    func refusesWhoShowsNoToken(_ header: String?) async throws {
        let desk = try await Desk.open()
        var request = WireRequest(method: .get, path: "/admin/v1/me")
        request.headers[.authorization] = header
        let response = await desk.service.respond(to: request)
        #expect(response.status == .unauthorized)
        #expect(response.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
    }

    @Test func revokedAndEndedTokensOpenNothing() async throws {
        let desk = try await Desk.open()
        let made = try await desk.expect(
            201, .post, "/tokens", ["name": "deploy", "role": "viewer", "days": 1], key: "t")
        let secret = try #require(made.json["secret"]?.string)
        let id = try #require(made.json["token"]?["id"]?.string)
        try await desk.expect(200, .get, "/me", token: secret)
        try await desk.expect(200, .delete, "/tokens/\(id)")
        try await desk.expect(401, .get, "/me", token: secret)
        try await desk.expect(200, .delete, "/tokens/\(id)")
        let short = try await desk.expect(201, .post, "/tokens", ["name": "b", "role": "viewer", "days": 1], key: "u")
        let other = try #require(short.json["secret"]?.string)
        desk.test.clock.advance(seconds: 86_400)
        try await desk.expect(401, .get, "/me", token: other)
        let listed = try await desk.expect(200, .get, "/tokens").json.text()
        #expect(!listed.contains(secret) && !listed.contains(other))
    }
}
