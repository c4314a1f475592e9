//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import Payments
import Redaction
import StrictJSON
import TestGateway
import Testing

@testable import AdminAPI
@testable import Administration

/// Every endpoint × every role, of people who are signed in: what tokens are held to, sessions are.
@Suite struct SessionAccessTests {
    @Test(arguments: Role.allCases) func rolesMayDoWhatTheirScopesSay(_ role: Role) async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        let payment = try await till.pay(1000, "p")
        var browser = try await desk.browser(of: "somebody", role)
        for endpoint in desk.endpoints {
            guard let scope = endpoint.scope else { continue }
            let path = endpoint.path.filled(merchant: "till", payment: payment)
            let reply = try await browser.call(
                endpoint.method, path, endpoint.body == nil ? nil : [:], key: "k-\(endpoint.name)", tag: "\"never\"")
            if role.scopes.contains(scope) {
                #expect(![401, 403].contains(reply.status), "\(role) \(endpoint.name): \(reply.json.text())")
                #expect(reply.status < 500, "\(role) \(endpoint.name): \(reply.json.text())")
            } else {
                #expect(reply.status == 403 && reply.code == "scope_missing", "\(role) \(endpoint.name)")
            }
        }
    }

    @Test(arguments: Role.allCases) func othersMerchantsAreNotThere(_ role: Role) async throws {
        let shops = try await TwoShops.open()
        let desk = shops.desk
        var browser = try await desk.browser(of: "somebody", role, merchants: [shops.own.id])
        for endpoint in desk.endpoints where endpoint.isFor(role) {
            guard endpoint.path.contains("{merchant}") || endpoint.path.contains("{payment}") else { continue }
            let path = shops.foreign(endpoint.path)
            let reply = try await browser.call(endpoint.method, path, endpoint.sample, key: "k", tag: "*")
            #expect(reply.status == 404, "\(role) \(endpoint.name): \(reply.json.text())")
        }
    }

    /// What is the person's own is every role's.
    @Test(arguments: Role.allCases) func ownAccountIsEverybodys(_ role: Role) async throws {
        let desk = try await Desk.open()
        var browser = try await desk.browser(of: "somebody", role)
        for endpoint in desk.endpoints where endpoint.audience == .person && endpoint.method == .get {
            try await browser.expect(200, endpoint.method, endpoint.path)
        }
    }

    /// A role that is taken away counts at once.
    @Test func whatChangesOfAPersonCountsFromTheNextCall() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        var owner = try await desk.browser()
        let bob = try await desk.addPerson("bob", .operator)
        var browser = Browser(desk)
        try await browser.signIn("bob")
        try await browser.expect(200, .get, "/merchants/till")
        let person = try await owner.expect(200, .get, "/people/bob")
        let narrowed = try await owner.expect(
            200, .patch, "/people/\(bob.id)", ["merchants": []], tag: person.tag)
        try await browser.expect(404, .get, "/merchants/till")
        try await owner.expect(200, .patch, "/people/bob", ["role": "viewer"], tag: narrowed.tag)
        #expect(try await browser.expect(401, .get, "/merchants").code == "session_ended")
        _ = till
    }

    @Test(arguments: ["suspend", "end-sessions", "reset-password"]) func actsOnAPersonEndHisSessions(
        _ act: String
    ) async throws {
        let desk = try await Desk.open()
        var owner = try await desk.browser()
        try await desk.addPerson("bob", .operator)
        var browser = Browser(desk)
        try await browser.signIn("bob")
        try await owner.expect(200, .post, "/people/bob/\(act)", act == "reset-password" ? [:] : nil, key: "k")
        #expect(try await browser.expect(401, .get, "/merchants").code == "session_ended")
    }

    /// Repeated calls are answered to whoever has the session, and to nobody else.
    @Test func answersAreSealedUnderTheSession() async throws {
        let desk = try await Desk.open()
        var browser = try await desk.browser()
        let body: JSON = ["userName": "bob", "displayName": "Bob", "role": "viewer"]
        let first = try await browser.expect(201, .post, "/people", body, key: "k")
        let second = try await browser.expect(201, .post, "/people", body, key: "k")
        #expect(second.json == first.json && second.headers[.idempotentReplayed] == "true")
        var other = Browser(desk)
        try await other.signIn()
        #expect(try await other.expect(409, .post, "/people", body, key: "k").code == "user_name_taken")
        let secret = try #require(first.json["secret"]?.string)
        let claim = try await desk.test.store.read { [holder = try #require(browser.secret)] reader in
            let session = try reader.personSession(digest: MadeSecret.digest(Redacted(holder)))
            return try session.flatMap { try reader.adminClaim(.init(holder: $0.id.text, key: "k")) }
        }
        let answer = try #require(claim).answer
        #expect(!answer.isEmpty && !String(decoding: answer, as: UTF8.self).contains(secret))
    }
}
