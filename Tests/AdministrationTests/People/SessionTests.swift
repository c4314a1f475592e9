//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments
import Redaction
import TestGateway
import Testing
import Time

@testable import Administration

/// Where people are signed in, and what ends it.
@Suite struct SessionTests {
    @Test func secretsAreNewEachTimeAndOnlyTheirDigestsKept() async throws {
        let bench = try await PeopleBench.open()
        let alice = try await bench.add()
        let opened = try await [bench.signIn(), bench.signIn()]
        #expect(opened[0].secret != opened[1].secret && opened[0].secret.reveal().utf8.count == 43)
        let sessions = try await bench.people.sessions(of: alice.id)
        #expect(Set(sessions) == Set(opened.map(\.session)))
        #expect(sessions.map(\.address) == ["192.0.2.7", "192.0.2.7"] && sessions[0].userAgent == "Mozilla/5.0")
        for secret in ["", "x", opened[0].secret.reveal() + "0", opened[0].session.id.text] {
            #expect(try await bench.people.authenticate(session: Redacted(secret)) == nil)
        }
    }

    /// Whatever a browser held before a sign-in, or before its second step, opens nothing after it.
    @Test func everyStepPutsAnotherSecretInThePlaceOfTheLast() async throws {
        let bench = try await PeopleBench.open { $0.secondFactorRoles = [.owner] }
        let made = try await bench.people.create(
            PersonDraft(userName: "alice", displayName: "Alice", role: .owner), with: .password,
            by: PeopleBench.owner)
        let first = try await bench.signIn("alice", try #require(made.secret).reveal())
        #expect(first.session.stage == .enrollment)
        let (app, confirmed) = try await bench.enroll(first.secret)
        #expect(confirmed.session.session.stage == .newPassword)
        #expect(try await bench.people.authenticate(session: confirmed.session.secret) == nil)
        let open = try await bench.people.changePassword(
            session: confirmed.session.secret, current: nil, to: Redacted(PeopleBench.password), from: bench.origin)
        #expect(open.session.stage == .open && open.session.address == "192.0.2.7")
        let pending = try await bench.signIn()
        let second = try await bench.people.signIn(
            code: bench.code(of: app), session: pending.secret, from: bench.origin)
        let secrets = [first, confirmed.session, open, pending, second].map(\.secret)
        #expect(Set(secrets).count == 5)
        for secret in [first.secret, confirmed.session.secret, pending.secret] {
            #expect(try await bench.people.signIn(under: secret) == nil)
        }
        for secret in [open.secret, second.secret] {
            #expect(try await bench.people.authenticate(session: secret) != nil)
        }
    }

    @Test func endsAfterHalfAnHourWithoutARequest() async throws {
        let bench = try await PeopleBench.open()
        try await bench.add()
        let (idle, busy) = (try await bench.signIn().secret, try await bench.signIn().secret)
        for _ in 0..<2 {
            bench.test.clock.advance(seconds: 899)
            #expect(try await bench.people.authenticate(session: busy) != nil)
        }
        #expect(try await bench.people.authenticate(session: idle) != nil)
        bench.test.clock.advance(seconds: 1799)
        #expect(try await bench.people.authenticate(session: busy) != nil)
        bench.test.clock.advance(seconds: 1)
        #expect(try await bench.people.authenticate(session: idle) == nil)
        #expect(try await bench.people.authenticate(session: busy) != nil)
    }

    /// How long it has been idle is not known then. A minute is what clocks of nodes may differ by.
    @Test func endsWhenTheClockIsSetBackByMoreThanAMinute() async throws {
        let bench = try await PeopleBench.open()
        let alice = try await bench.add()
        let opened = try await bench.signIn()
        bench.test.clock.setBack(seconds: 60)
        #expect(try await bench.people.authenticate(session: opened.secret) != nil)
        bench.test.clock.setBack(seconds: 1)
        #expect(try await bench.people.authenticate(session: opened.secret) == nil)
        #expect(try await bench.people.sessions(of: alice.id).isEmpty)
        // The next sign-in sweeps.
        let again = try await bench.signIn()
        let left = try await bench.test.store.read { try $0.personSessions(of: alice.id) }
        #expect(left.map(\.id) == [again.session.id])
    }

    @Test func endsAfterTwelveHoursHoweverBusy() async throws {
        let bench = try await PeopleBench.open()
        let alice = try await bench.add()
        let opened = try await bench.signIn()
        for _ in 0..<47 {
            bench.test.clock.advance(seconds: 900)
            #expect(try await bench.people.authenticate(session: opened.secret) != nil)
        }
        bench.test.clock.advance(seconds: 899)
        #expect(try await bench.people.authenticate(session: opened.secret) != nil)
        bench.test.clock.advance(seconds: 1)
        #expect(try await bench.people.authenticate(session: opened.secret) == nil)
        #expect(try await bench.people.sessions(of: alice.id).isEmpty)
        // The next sign-in takes it out of the store.
        let next = try await bench.signIn()
        #expect(try await bench.test.store.read { try $0.personSessions(of: alice.id) } == [next.session])
    }

    @Test func wasSeenIsWrittenAtMostOnceAMinute() async throws {
        let bench = try await PeopleBench.open()
        try await bench.add()
        let opened = try await bench.signIn()
        let start = bench.test.clock.now
        for (seconds, written) in [(0, 0), (59, 0), (1, 60), (59, 60), (1, 120)] as [(Int64, Int64)] {
            bench.test.clock.advance(seconds: seconds)
            _ = try await bench.people.authenticate(session: opened.secret)
            let stored = try await bench.test.store.read { try $0.personSession(opened.session.id) }
            #expect(stored?.lastSeenAt == start.adding(seconds: written))
        }
    }

    @Test func areEndedOneByOneAndAllAtOnce() async throws {
        let bench = try await PeopleBench.open()
        let (alice, bob) = (try await bench.add(), try await bench.add("bob"))
        let all = try await [bench.signIn(), bench.signIn(), bench.signIn(), bench.signIn()]
        let bobs = try await bench.signIn("bob")
        try await bench.people.end(session: all[0].secret)
        try await bench.people.end(session: all[0].secret)
        #expect(try await bench.people.authenticate(session: all[0].secret) == nil)
        try await bench.people.endSession(all[1].session.id, of: alice.id)
        #expect(try await Set(bench.people.sessions(of: alice.id).map(\.id)) == Set(all[2...].map(\.session.id)))
        await expectError(.sessionUnknown) {
            try await bench.people.endSession(bobs.session.id, of: alice.id)
        }
        try await bench.people.endSessions(of: alice.id, but: all[3].session.id)
        #expect(try await bench.people.sessions(of: alice.id).map(\.id) == [all[3].session.id])
        try await bench.people.endSessions(of: alice.id, but: nil)
        #expect(try await bench.people.sessions(of: alice.id).isEmpty)
        #expect(try await bench.people.sessions(of: bob.id).count == 1)
        // As an act, it is audited.
        try await bench.people.endSessions(of: bob.id, by: PeopleBench.owner)
        #expect(try await bench.people.authenticate(session: bobs.secret) == nil)
        #expect(try await bench.entries(.personSessionsEnd).map { $0.details["sessions"] } == ["1"])
    }

    @Test func endWhenThePersonIsSuspendedChangesRoleOrIsRemoved() async throws {
        let bench = try await PeopleBench.open()
        try await bench.add()
        let bob = try await bench.add("bob", role: .operator)
        let (people, owner) = (bench.people, PeopleBench.owner)
        var secret = try await bench.signIn("bob").secret
        try await people.suspend(bob.id, by: owner)
        try await people.resume(bob.id, by: owner)
        #expect(try await people.authenticate(session: secret) == nil, "suspended")
        secret = try await bench.signIn("bob").secret
        var change = PersonChange()
        change.role = .set(.viewer)
        try await people.change(bob.id, change, by: owner)
        #expect(try await people.authenticate(session: secret) == nil, "another role")
        secret = try await bench.signIn("bob").secret
        // What else changes counts from the next request on, without a new sign-in.
        let shop = try await bench.test.gateway.administration.createMerchant(
            name: "shop", displayName: "Shop", mode: .sandbox, countryCode: "DE")
        change = PersonChange()
        change.merchants = .set([shop.id])
        try await people.change(bob.id, change, by: owner)
        #expect(try await people.authenticate(session: secret)?.access == Access(.viewer, merchants: [shop.id]))
        try await people.remove(bob.id, by: owner)
        #expect(try await people.authenticate(session: secret) == nil, "removed")
    }

    @Test func aChangedPasswordEndsAllAndOpensAnother() async throws {
        let bench = try await PeopleBench.open()
        let alice = try await bench.add()
        let sessions = try await [bench.signIn().secret, bench.signIn().secret]
        let new = "another glass of cider"
        func change(_ current: String?, to new: String, _ session: Redacted<String>) async throws -> OpenedSession {
            try await bench.people.changePassword(
                session: session, current: current.map { Redacted($0) }, to: Redacted(new), from: bench.origin)
        }
        for current in [nil, "wrong", ""] as [String?] {
            await expectRefusal(.refused) { _ = try await change(current, to: new, sessions[0]) }
        }
        #expect(try await bench.people.person(alice.id).failuresCount == 3)
        await expectError(.passwordWeak) { _ = try await change(PeopleBench.password, to: "short", sessions[0]) }
        await expectError(.passwordUnchanged) {
            _ = try await change(PeopleBench.password, to: PeopleBench.password, sessions[0])
        }
        let opened = try await change(PeopleBench.password, to: new, sessions[0])
        #expect(try await bench.people.sessions(of: alice.id) == [opened.session])
        // Who changes it is signed in already: that forgives no wrong codes, of which there would be any number.
        #expect(try await bench.people.person(alice.id).failuresCount == 3)
        await expectRefusal(.sessionEnded) { _ = try await change(new, to: PeopleBench.password, sessions[1]) }
        await expectRefusal(.refused) { _ = try await bench.signIn() }
        #expect(try await bench.signIn("alice", new).session.stage == .open)
        #expect(try await bench.entries(.personPassword).count == 2)
    }

    @Test func aPasswordOfSomebodyElsesMakingMustBeReplacedByAnother() async throws {
        let bench = try await PeopleBench.open()
        let made = try await bench.people.create(
            PersonDraft(userName: "alice", displayName: "Alice", role: .owner), with: .password,
            by: PeopleBench.owner)
        let initial = try #require(made.secret)
        let session = try await bench.signIn("alice", initial.reveal())
        #expect(session.session.stage == .newPassword)
        await expectError(.passwordUnchanged) {
            _ = try await bench.people.changePassword(
                session: session.secret, current: nil, to: initial, from: bench.origin)
        }
        await expectRefusal(.sessionEnded) { _ = try await bench.people.beginSecondFactor(session: session.secret) }
        _ = try await bench.people.changePassword(
            session: session.secret, current: nil, to: Redacted(PeopleBench.password), from: bench.origin)
        #expect(try await bench.signIn().session.stage == .open)
        await expectRefusal(.refused) { _ = try await bench.signIn("alice", initial.reveal()) }
    }

    @Test func whatABrowserSaysIsKeptWithoutControlCharactersAndShort() {
        let origin = SignInOrigin(
            address: String(repeating: "1", count: 100), userAgent: "a\u{0}b\n" + String(repeating: "ü", count: 500))
        #expect(origin.address?.count == 64)
        #expect(origin.userAgent == "a b " + String(repeating: "ü", count: 252))
    }
}
