//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import HTTPTypes
import Money
import Payments
import Redaction
import StrictJSON
import TestGateway
import Testing

@testable import AdminAPI
@testable import Administration

/// People, and what they do with what is their own, over HTTP.
@Suite struct PeopleTests {
    private static let bob: JSON = [
        "userName": "bob", "displayName": "Bob Best", "role": "support", "email": "bob@shop.example",
        "merchants": ["till"], "refundLimits": ["EUR": "100.00", "JPY": "5000"],
    ]

    @Test func personIsMadeShownChangedAndRemoved() async throws {
        let desk = try await Desk.open()
        _ = try await Till.open(desk)
        let made = try await desk.expect(201, .post, "/people", Self.bob, key: "b")
        #expect(made.json["credential"] == "invitation")
        let person = try #require(made.json["person"])
        let id = try #require(person["id"]?.string)
        #expect(made.headers[.location] == "/admin/v1/people/\(id)")
        #expect(person["merchants"] == ["till"] && person["refundLimits"] == ["EUR": "100.00", "JPY": "5000"])
        #expect(person["invitedUntil"]?.string != nil && person["hasPassword"] == false)
        let shown = try await desk.expect(200, .get, "/people/\(id)")
        #expect(try await desk.expect(200, .get, "/people/Bob").json == shown.json)
        #expect(try await desk.expect(200, .get, "/people").json["data"] == [shown.json])
        let changed = try await desk.expect(
            200, .patch, "/people/bob",
            [
                "displayName": "Bob", "email": .null, "merchants": .null, "refundLimits": .null,
                "externalIdentity": ["issuer": "https://login.example", "subject": "17"],
            ], tag: shown.tag)
        #expect(changed.json["email"] == .null && changed.json["merchants"] == .null)
        #expect(changed.json["refundLimits"] == .null && changed.json["displayName"] == "Bob")
        #expect(changed.json["externalIdentity"] == ["issuer": "https://login.example", "subject": "17"])
        // What is left out stays; nobody's change is lost.
        #expect(changed.json["role"] == "support")
        let late = try await desk.expect(412, .patch, "/people/bob", ["displayName": "B"], tag: shown.tag)
        #expect(late.code == "changed_meanwhile")
        #expect(try await desk.expect(428, .delete, "/people/bob").code == "if_match_missing")
        try await desk.expect(200, .delete, "/people/bob", tag: changed.tag)
        try await desk.expect(404, .get, "/people/bob")
        try await desk.expect(404, .delete, "/people/bob", tag: changed.tag)
    }

    /// A sign-in is nobody's change.
    @Test func tagOutlivesASignIn() async throws {
        let desk = try await Desk.open()
        try await desk.addPerson("bob", .viewer)
        let tag = try await desk.expect(200, .get, "/people/bob").tag
        var browser = Browser(desk)
        try await browser.signIn("bob")
        try await desk.expect(200, .patch, "/people/bob", ["displayName": "B"], tag: tag)
    }

    @Test func credentialsAreShownOnce() async throws {
        let desk = try await Desk.open()
        var body = try #require(Self.bob.object)
        body["merchants"] = nil
        body["credential"] = "password"
        let made = try await desk.expect(201, .post, "/people", .object(body), key: "b")
        let password = try #require(made.json["secret"]?.string)
        #expect(made.json["person"]?["mustChangePassword"] == true)
        var browser = Browser(desk)
        #expect(try await browser.signIn("bob", password).json["stage"] == "newPassword")
        let reset = try await desk.expect(200, .post, "/people/bob/reset-password", [:], key: "r")
        let invitation = try #require(reset.json["secret"]?.string)
        #expect(reset.json["credential"] == "invitation")
        let gone = try await desk.expect(
            200, .post, "/people/bob/reset-password", ["credential": "none"], key: "s")
        #expect(gone.json["secret"] == .null && gone.json["person"]?["hasPassword"] == false)
        for path in ["/people", "/people/bob", "/audit"] {
            let text = try await desk.expect(200, .get, path).json.text()
            #expect(!text.contains(password) && !text.contains(invitation), "\(path)")
        }
    }

    /// Nobody makes, changes or ends what may do more than he may himself.
    @Test func nobodyGivesMoreThanHeHas() async throws {
        let desk = try await Desk.open()
        let (till, other) = (try await Till.open(desk), try await Till.open(desk, "other", "2"))
        try await desk.addPerson("olga", .owner)
        try await desk.addPerson("otto", .viewer, merchants: [other.merchant.id])
        var browser = try await desk.browser(of: "ina", .owner, merchants: [till.merchant.id])
        let wide: JSON = ["userName": "x", "displayName": "X", "role": "viewer"]
        #expect(try await browser.expect(403, .post, "/people", wide, key: "a").code == "access_not_allowed")
        let foreign: JSON = ["userName": "x", "displayName": "X", "role": "viewer", "merchants": ["other"]]
        #expect(try await browser.expect(422, .post, "/people", foreign, key: "b").code == "body_invalid")
        let narrow: JSON = ["userName": "x", "displayName": "X", "role": "owner", "merchants": ["till"]]
        try await browser.expect(201, .post, "/people", narrow, key: "c")
        // Who is for all, or for others, is not there.
        for name in ["olga", "otto"] {
            try await browser.expect(404, .get, "/people/\(name)")
            try await browser.expect(404, .get, "/people/\(name)/sessions")
            try await browser.expect(404, .patch, "/people/\(name)", ["displayName": "X"], tag: "*")
            try await browser.expect(404, .delete, "/people/\(name)", tag: "*")
            for act in ["suspend", "resume", "unlock", "reset-second-factor", "end-sessions"] {
                try await browser.expect(404, .post, "/people/\(name)/\(act)", key: "\(name)-\(act)")
            }
            try await browser.expect(404, .post, "/people/\(name)/reset-password", [:], key: "\(name)-reset")
        }
        let seen = try await browser.expect(200, .get, "/people").json["data"]?.array ?? []
        #expect(Set(seen.map { $0["userName"]?.string }) == ["ina", "x"])
        // Nor does he widen what he has.
        let own = try await browser.expect(200, .get, "/people/ina")
        try await browser.expect(403, .patch, "/people/ina", ["merchants": .null], tag: own.tag)
    }

    @Test func lastOwnerStays() async throws {
        let desk = try await Desk.open()
        var browser = try await desk.browser()
        let own = try await browser.expect(200, .get, "/people/alice")
        #expect(
            try await browser.expect(409, .patch, "/people/alice", ["role": "viewer"], tag: own.tag).code
                == "last_owner")
        #expect(try await browser.expect(409, .delete, "/people/alice", tag: own.tag).code == "last_owner")
        #expect(try await browser.expect(409, .post, "/people/alice/suspend", key: "s").code == "last_owner")
        try await browser.expect(200, .get, "/session")
    }

    @Test func actsOnPeopleAreDone() async throws {
        let desk = try await Desk.open()
        try await desk.addPerson()
        try await desk.addPerson("bob", .viewer)
        var bob = Browser(desk)
        try await bob.signIn("bob")
        _ = try await bob.enroll()
        #expect(try await desk.expect(200, .get, "/people/bob").json["hasSecondFactor"] == true)
        let reset = try await desk.expect(200, .post, "/people/bob/reset-second-factor", key: "f")
        #expect(reset.json["hasSecondFactor"] == false)
        try await bob.expect(401, .get, "/session")
        for _ in 0..<5 { try await bob.signIn("bob", "wrong", status: 401) }
        #expect(try await desk.expect(200, .get, "/people/bob").json["lockedUntil"] != .null)
        try await bob.signIn("bob", status: 401)
        let unlocked = try await desk.expect(200, .post, "/people/bob/unlock", key: "u")
        #expect(unlocked.json["lockedUntil"] == .null && unlocked.json["failures"] == 0)
        try await bob.signIn("bob")
        #expect(try await desk.expect(200, .get, "/people/bob/sessions").json["data"]?.array?.count == 1)
        #expect(try await desk.expect(200, .post, "/people/bob/suspend", key: "s").json["state"] == "suspended")
        try await bob.signIn("bob", status: 401)
        #expect(try await desk.expect(200, .post, "/people/bob/resume", key: "t").json["state"] == "active")
        try await bob.signIn("bob")
        try await desk.expect(200, .post, "/people/bob/end-sessions", key: "e")
        #expect(try await desk.expect(200, .get, "/people/bob/sessions").json["data"] == [])
    }

    @Test(
        arguments: [
            (["refundLimits": ["XXY": "1.00"]] as JSON, "/refundLimits/XXY"),
            (["refundLimits": ["EUR": "1.005"]], "/refundLimits/EUR"), (["merchants": ["nowhere"]], "/merchants/0"),
            (["role": "god"], "/role"),
        ] as [(JSON, String)])
    func wrongFieldsAreNamed(_ more: JSON, _ pointer: String) async throws {
        let desk = try await Desk.open()
        var body = JSONObject([
            (name: "userName", value: "bob"), (name: "displayName", value: "Bob"), (name: "role", value: "viewer"),
        ])
        for (name, value) in more.object?.members ?? [] { body[name] = value }
        let reply = try await desk.expect(422, .post, "/people", .object(body), key: "k")
        #expect(reply.json["errors"]?.array?.first?["pointer"]?.string == pointer)
    }

    // MARK: - The own account

    @Test func ownSessionsAreListedAndEnded() async throws {
        let desk = try await Desk.open()
        var (here, there) = (try await desk.browser(), Browser(desk, from: "198.51.100.1"))
        desk.test.clock.advance(seconds: 1)
        try await there.signIn()
        desk.test.clock.advance(seconds: 1)
        var third = Browser(desk)
        try await third.signIn()
        let list = try #require(try await here.expect(200, .get, "/me/sessions").json["data"]?.array)
        #expect(list.map { $0["current"] } == [true, false, false])
        #expect(list.map { $0["address"] } == ["192.0.2.7", "198.51.100.1", "192.0.2.7"])
        #expect(list[0]["userAgent"] == "Mozilla/5.0")
        let id = try #require(list[1]["id"]?.string)
        let left = try await here.expect(200, .delete, "/me/sessions/\(id)")
        #expect(left.json["data"]?.array?.count == 2)
        try await there.expect(401, .get, "/session")
        try await here.expect(404, .delete, "/me/sessions/\(id)")
        try await here.expect(404, .delete, "/me/sessions/none")
        #expect(try await here.expect(200, .delete, "/me/sessions").json["data"]?.array?.count == 1)
        try await third.expect(401, .get, "/session")
        let own = try #require(list[0]["id"]?.string)
        #expect(try await here.expect(200, .delete, "/me/sessions/\(own)").json["data"] == [])
        #expect(here.secret == nil)
    }

    /// Another's session is not there.
    @Test func othersSessionsAreNotOnesOwn() async throws {
        let desk = try await Desk.open()
        var (alice, bob) = (try await desk.browser(), try await desk.browser(of: "bob", .viewer))
        let id = try #require(try await bob.expect(200, .get, "/session").json["session"]?["id"]?.string)
        try await alice.expect(404, .delete, "/me/sessions/\(id)")
        try await bob.expect(200, .get, "/session")
    }

    @Test func newPasswordEndsAllOtherSessions() async throws {
        let desk = try await Desk.open()
        var (here, there) = (try await desk.browser(), Browser(desk))
        try await there.signIn()
        let wrong: JSON = ["password": "wrong", "newPassword": "quince and medlar"]
        #expect(try await here.expect(401, .post, "/me/password", wrong).code == "sign_in_refused")
        try await here.expect(422, .post, "/me/password", ["newPassword": "quince and medlar"])
        let same: JSON = ["password": .string(Browser.password), "newPassword": .string(Browser.password)]
        #expect(try await here.expect(422, .post, "/me/password", same).code == "password_unchanged")
        try await here.expect(
            200, .post, "/me/password", ["password": .string(Browser.password), "newPassword": "quince and medlar"])
        try await here.expect(200, .get, "/session")
        try await there.expect(401, .get, "/session")
        try await there.signIn(status: 401)
        try await there.signIn("alice", "quince and medlar")
    }

    @Test func secondFactorIsTakenAwayByWhoeverNeedsNone() async throws {
        var settings = Desk.peopleSettings
        settings.secondFactorRoles = [.operator]
        let desk = try await Desk.open(settings: settings)
        var browser = try await desk.browser()
        #expect(
            try await browser.expect(422, .post, "/me/second-factor/remove", ["code": "123456"]).code
                == "second_factor_missing")
        let (app, reply) = try await browser.enroll()
        #expect(reply.json["person"]?["hasSecondFactor"] == true)
        #expect(try await browser.expect(409, .post, "/session/second-factor").code == "second_factor_exists")
        #expect(
            try await browser.expect(401, .post, "/me/second-factor/remove", ["code": "123456"]).code
                == "sign_in_refused")
        let begun = try await browser.expect(
            200, .post, "/session/second-factor/replacement", ["code": .string(browser.code(of: app))])
        desk.test.clock.advance(seconds: TOTP.stepSeconds)
        let next = TOTP(key: Redacted(try #require(begun.json["key"]?.string.flatMap(Base32.decode))))
        let ticket = try #require(begun.json["ticket"])
        let wrong: JSON = ["code": .string(browser.code(of: app)), "ticket": ticket]
        #expect(try await browser.expect(401, .post, "/session/second-factor/confirm", wrong).code == "sign_in_refused")
        let replaced = try await browser.expect(
            200, .post, "/session/second-factor/confirm",
            ["code": .string(browser.code(of: next)), "ticket": ticket])
        #expect(replaced.json["recoveryCodes"]?.array?.isEmpty == false)
        desk.test.clock.advance(seconds: TOTP.stepSeconds)
        let removed = try await browser.expect(
            200, .post, "/me/second-factor/remove", ["code": .string(browser.code(of: next))])
        #expect(removed.json["person"]?["hasSecondFactor"] == false)
        try await browser.signIn()
        try await browser.expect(200, .get, "/merchants")
        // Not by whoever must have one.
        try await desk.addPerson("bob", .operator)
        var bob = Browser(desk)
        try await bob.signIn("bob")
        let (bobs, _) = try await bob.enroll()
        #expect(
            try await bob.expect(422, .post, "/me/second-factor/remove", ["code": .string(bob.code(of: bobs))]).code
                == "second_factor_required")
    }

    // MARK: - Refund limits

    @Test func refundsAboveOnesLimitAreRefused() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        let payment = try await till.pay(10_000, "p", purpose: .sale)
        try await desk.expect(201, .post, "/people", Self.bob, key: "b")
        let tag = try await desk.expect(200, .get, "/people/bob").tag
        try await desk.expect(200, .patch, "/people/bob", ["refundLimits": ["EUR": "25.00"]], tag: tag)
        let made = try await desk.expect(200, .post, "/people/bob/reset-password", [:], key: "i")
        var browser = Browser(desk)
        try await browser.expect(
            200, .post, "/session/invitation",
            ["invitation": try #require(made.json["secret"]), "newPassword": .string(Browser.password)])
        try await browser.signIn("bob")
        let path = "/payments/\(payment.id)/refund"
        let refused = try await browser.expect(403, .post, path, ["amount": "25.01"], key: "a")
        #expect(refused.code == "refund_limit_exceeded")
        #expect(refused.json["limit"] == ["amount": "25.00", "currency": "EUR"])
        // All that is left could be more a moment later.
        #expect(try await browser.expect(422, .post, path, [:], key: "b").code == "body_invalid")
        try await browser.expect(200, .post, path, ["amount": "25.00"], key: "c")
        // In a currency that is not named, nothing.
        let again = try await desk.expect(200, .get, "/people/bob").tag
        try await desk.expect(200, .patch, "/people/bob", ["refundLimits": ["USD": "25.00"]], tag: again)
        let nothing = try await browser.expect(403, .post, path, ["amount": "0.01"], key: "d")
        #expect(nothing.json["limit"] == ["amount": "0.00", "currency": "EUR"])
        // A token has none.
        try await desk.expect(200, .post, path, ["amount": "30.00"], key: "e")
    }
}
