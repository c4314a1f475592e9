//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import Payments
import Redaction
import StrictJSON
import TestGateway
import Testing
import Time

@testable import AdminAPI
@testable import Administration

/// Sign-in over HTTP, step by step.
@Suite struct SignInTests {
    @Test func saysHowToSignIn() async throws {
        let desk = try await Desk.open()
        let response = await desk.service.respond(to: WireRequest(method: .get, path: "/admin/v1/sign-in"))
        let json = try JSON.parse(response.body)
        #expect(
            json == ["password": true, "openIDConnect": [], "mode": "sandbox", "version": "1.2.3"])
    }

    @Test func nameAndPasswordOpenASession() async throws {
        let desk = try await Desk.open()
        try await desk.addPerson("alice", .operator)
        var browser = Browser(desk)
        let reply = try await browser.signIn("Alice")
        #expect(reply.json["stage"] == "open")
        let person = try #require(reply.json["person"])
        #expect(person["userName"] == "alice" && person["role"] == "operator" && person["merchants"] == .null)
        #expect(person["scopes"]?.array?.contains("payments:refund") == true)
        #expect(person["hasSecondFactor"] == false && person["hasPassword"] == true)
        let session = try await browser.expect(200, .get, "/session")
        #expect(session.json["person"] == person)
        #expect(session.json["session"]?["id"]?.string?.hasPrefix("ses_") == true)
        try await browser.expect(200, .get, "/merchants")
        // It stands in the log as his from then on.
        try await browser.expect(201, .post, "/merchants", Desk.merchantBody, key: "m")
        let entry = try #require(
            try await desk.test.store.read { try $0.auditEntries(after: 0, limit: 100) }.last)
        #expect(entry.act.name == "merchant.create" && entry.actor == "alice from 192.0.2.7")
    }

    /// Whoever is somebody else's victim of a planted session goes on with another: each step's secret is new, and an old
    /// one opens nothing.
    @Test func secretChangesAtEachStepAndOldOnesOpenNothing() async throws {
        var settings = Desk.peopleSettings
        settings.secondFactorRoles = [.owner]
        let desk = try await Desk.open(settings: settings)
        let made = try await desk.people.create(
            PersonDraft(userName: "alice", displayName: "Alice", role: .owner), with: .password, by: Access(.owner))
        var browser = Browser(desk, secret: "planted")
        var secrets = ["planted"]
        func isNew(_ reply: Desk.Reply, _ stage: String) throws {
            #expect(reply.json["stage"]?.string == stage)
            let secret = try #require(browser.secret)
            #expect(!secrets.contains(secret))
            secrets.append(secret)
        }
        try isNew(try await browser.signIn("alice", try #require(made.secret).reveal()), "enrollment")
        let (app, enrolled) = try await browser.enroll()
        try isNew(enrolled, "newPassword")
        #expect(enrolled.json["recoveryCodes"]?.array?.count == 10)
        try isNew(
            try await browser.expect(200, .post, "/session/password", ["newPassword": "quince and medlar"]), "open")
        try isNew(
            try await browser.expect(
                200, .post, "/me/password", ["password": "quince and medlar", "newPassword": "medlar and quince"]),
            "open")
        try isNew(try await browser.signIn("alice", "medlar and quince"), "secondFactor")
        try isNew(
            try await browser.expect(200, .post, "/session/code", ["code": .string(browser.code(of: app))]), "open")
        for secret in secrets.dropLast() {
            var old = Browser(desk, secret: secret)
            #expect(try await old.expect(401, .get, "/session").code == "session_ended")
            #expect(try await old.expect(401, .get, "/merchants").code == "session_ended")
        }
        try await browser.expect(200, .get, "/merchants")
    }

    /// At no step before the last can anything be done but the step, and little is seen of whose it is.
    @Test(arguments: [PersonSession.Stage.secondFactor, .enrollment, .newPassword])
    func unfinishedSignInsMayTakeTheNextStepAlone(_ stage: PersonSession.Stage) async throws {
        var settings = Desk.peopleSettings
        if stage == .enrollment { settings.secondFactorRoles = Set(Role.allCases) }
        let desk = try await Desk.open(settings: settings)
        var browser = Browser(desk)
        if stage == .newPassword {
            let made = try await desk.people.create(
                PersonDraft(userName: "alice", displayName: "Alice", role: .owner), with: .password, by: Access(.owner))
            try await browser.signIn("alice", try #require(made.secret).reveal())
        } else {
            try await desk.addPerson()
            if stage == .secondFactor {
                var other = Browser(desk)
                try await other.signIn()
                _ = try await other.enroll()
            }
            try await browser.signIn()
        }
        let session = try await browser.expect(200, .get, "/session")
        #expect(session.json["stage"]?.string == stage.rawValue)
        #expect(session.json["person"]?.object?.members.map(\.name) == ["userName", "displayName"])
        for endpoint in desk.endpoints {
            switch endpoint.audience {
            case .scope, .person:
                let path = endpoint.path.replacing("{session}", with: "ses_" + String(repeating: "0", count: 26))
                let reply = try await browser.call(
                    endpoint.method, path.replacing("{", with: "").replacing("}", with: ""),
                    endpoint.body == nil ? nil : [:], key: "k", tag: "*")
                #expect(reply.status == 401 && reply.code == "sign_in_incomplete", "\(endpoint.name)")
            case .anybody, .portal, .signingIn: break
            }
        }
        // Nor is another step taken in the place of the one.
        if stage != .secondFactor {
            #expect(try await browser.expect(401, .post, "/session/code", ["code": "123456"]).code == "session_ended")
        }
        if stage != .enrollment {
            #expect(try await browser.expect(401, .post, "/session/second-factor").code == "session_ended")
        }
        if stage != .newPassword {
            #expect(
                try await browser.expect(401, .post, "/session/password", ["newPassword": "quince and medlar"]).code
                    == "session_ended")
        }
    }

    @Test func codeIsTakenOnce() async throws {
        let desk = try await Desk.open()
        try await desk.addPerson()
        var browser = Browser(desk)
        try await browser.signIn()
        let (app, _) = try await browser.enroll()
        let code: JSON = ["code": .string(browser.code(of: app))]
        try await browser.signIn()
        try await browser.expect(200, .post, "/session/code", code)
        var thief = Browser(desk, from: "198.51.100.1")
        try await thief.signIn()
        #expect(try await thief.expect(401, .post, "/session/code", code).code == "sign_in_refused")
        try await thief.expect(401, .get, "/merchants")
        // A recovery code, too.
        desk.test.clock.advance(seconds: 30)
        let renewed = try await browser.expect(
            200, .post, "/me/recovery-codes", ["code": .string(browser.code(of: app))])
        let recovery: JSON = ["code": try #require(renewed.json["recoveryCodes"]?.array?.first)]
        try await thief.expect(200, .post, "/session/code", recovery)
        try await thief.signIn()
        #expect(try await thief.expect(401, .post, "/session/code", recovery).code == "sign_in_refused")
    }

    @Test func guessersAreLockedOutAndWait() async throws {
        let desk = try await Desk.open()
        try await desk.addPerson()
        var browser = Browser(desk)
        let unknown = try await browser.signIn("nobody", "wrong", status: 401)
        for _ in 0..<5 {
            let wrong = try await browser.signIn("alice", "wrong", status: 401)
            #expect(wrong.json == unknown.json)
        }
        // Locked out: the right password is answered as a wrong one.
        #expect(try await browser.signIn(status: 401).json == unknown.json)
        desk.test.clock.advance(seconds: 61)
        try await browser.signIn()
        for index in 0..<40 { _ = try await browser.signIn("nobody\(index)", "wrong", status: index < 14 ? 401 : 429) }
        let waits = try await browser.signIn(status: 429)
        #expect(waits.code == "too_many_attempts")
        #expect(waits.headers[.retryAfter].flatMap { Int($0) } ?? 0 > 0)
        var elsewhere = Browser(desk, from: "198.51.100.1")
        try await elsewhere.signIn()
    }

    @Test func busyServerSaysSo() {
        let problem = Problem(SignInRefusal.busy)
        #expect(problem.status == .serviceUnavailable && problem.code == "busy")
        #expect(problem.headers[.retryAfter] == "3")
    }

    @Test func invitationsAreTakenOnce() async throws {
        let desk = try await Desk.open()
        var owner = try await desk.browser()
        let made = try await owner.expect(
            201, .post, "/people", ["userName": "bob", "displayName": "Bob", "role": "viewer"], key: "b")
        let invitation = try #require(made.json["secret"])
        var browser = Browser(desk)
        let weak: JSON = ["invitation": invitation, "newPassword": "password1234"]
        #expect(try await browser.expect(422, .post, "/session/invitation", weak).code == "password_weak")
        let body: JSON = ["invitation": invitation, "newPassword": .string(Browser.password)]
        #expect(
            try await browser.expect(200, .post, "/session/invitation", body).json
                == ["userName": "bob", "displayName": "Bob"])
        #expect(browser.secret == nil)
        #expect(try await browser.expect(422, .post, "/session/invitation", body).code == "invitation_invalid")
        try await browser.signIn("bob")
    }

    @Test func signingOutEndsTheSessionForEverybodyWhoHasIt() async throws {
        let desk = try await Desk.open()
        var browser = try await desk.browser()
        var copy = Browser(desk, secret: browser.secret)
        try await browser.expect(200, .delete, "/session")
        #expect(browser.secret == nil)
        try await browser.expect(200, .delete, "/session")
        try await copy.expect(401, .get, "/session")
        try await copy.expect(401, .get, "/merchants")
    }

    @Test func newSignInEndsTheOneBeforeInTheSameBrowser() async throws {
        let desk = try await Desk.open()
        var browser = try await desk.browser()
        var copy = Browser(desk, secret: browser.secret)
        try await browser.signIn()
        try await copy.expect(401, .get, "/session")
        // Not by one that is refused.
        var kept = Browser(desk, secret: browser.secret)
        try await browser.signIn("alice", "wrong", status: 401)
        try await kept.expect(200, .get, "/session")
    }

    /// What a page asks for by itself keeps nobody signed in.
    @Test func idleSessionsEndHoweverOftenAPagePolls() async throws {
        let desk = try await Desk.open()
        var browser = try await desk.browser()
        for _ in 0..<6 {
            desk.test.clock.advance(seconds: 290)
            try await browser.expect(200, .get, "/session")
            var background = browser.request(.get, "/merchants")
            background.headers[.pomonaBackground] = "1"
            #expect(try await browser.send(background).status == 200)
        }
        desk.test.clock.advance(seconds: 60)
        #expect(try await browser.expect(401, .get, "/merchants").code == "session_ended")
        // What a person asks for does.
        try await browser.signIn()
        for _ in 0..<6 {
            desk.test.clock.advance(seconds: 900)
            try await browser.expect(200, .get, "/merchants")
        }
        desk.test.clock.advance(seconds: 12 * 3600 - 5400)
        #expect(try await browser.expect(401, .get, "/merchants").code == "session_ended")
    }
}
