//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import Payments
import Redaction
import Synchronization
import TestGateway
import Testing
import Time

@testable import Administration

/// The first step of a sign-in, and what keeps guessers from it.
@Suite struct SignInTests {
    @Test func rightPasswordOpensASessionAndIsAudited() async throws {
        let bench = try await PeopleBench.open()
        let alice = try await bench.add()
        let opened = try await bench.signIn()
        #expect(opened.session.stage == .open && opened.person.id == alice.id)
        let found = try #require(try await bench.people.authenticate(session: opened.secret))
        #expect(found.person == opened.person && found.access == Access(.owner))
        #expect(found.person.lastSignInAt == bench.test.clock.now)
        let entry = try #require(try await bench.entries(.personSignIn).last)
        #expect(entry.subject == "alice" && entry.details["address"] == "192.0.2.7")
        #expect(entry.details["session"] == opened.session.id.text)
        // A user name is lower-case, however it is typed; so is a password what it is.
        #expect(try await bench.signIn("ALICE").session.stage == .open)
        await expectRefusal(.refused) { _ = try await bench.signIn("alice", PeopleBench.password.uppercased()) }
    }

    /// Neither the answer nor the work says who exists. The work is counted, for a measured time would prove nothing.
    @Test func unknownNamesAreAnsweredLikeWrongPasswordsWithAsMuchWork() async throws {
        let bench = try await PeopleBench.open()
        try await bench.add()
        let (bob, carol) = (try await bench.add("bob"), try await bench.add("carol"))
        try await bench.people.suspend(bob.id, by: PeopleBench.owner)
        for _ in 0..<5 { await expectRefusal(.refused) { _ = try await bench.signIn("carol", "wrong") } }
        #expect(try await bench.people.person(carol.id).lockedUntil != nil)
        _ = try await bench.people.create(
            PersonDraft(userName: "dave", displayName: "Dave", role: .viewer), by: PeopleBench.owner)
        for (name, password) in [
            ("alice", "wrong"), ("nobody", "wrong"), ("", ""), ("no\u{0}body", "\u{0}"), ("a b", "wrong"),
            ("nobody", String(repeating: "x", count: 100_000)), ("bob", PeopleBench.password), ("bob", "wrong"),
            ("carol", PeopleBench.password), ("carol", "wrong"), ("dave", ""), ("dave", "wrong"),
        ] {
            let before = bench.derivationsCount
            await expectRefusal(.refused, "\(name)") { _ = try await bench.signIn(name, password) }
            #expect(bench.derivationsCount == before + 1, "\(name)")
            bench.test.clock.advance(seconds: 1)
        }
    }

    // MARK: - Lock-out

    @Test func fiveWrongTriesLockAPersonOutForGrowingTimes() async throws {
        let bench = try await PeopleBench.open { $0.freeFailuresOfAddress = 1000 }
        let alice = try await bench.add()
        for count in 1...4 {
            await expectRefusal(.refused) { _ = try await bench.signIn("alice", "wrong") }
            #expect(try await bench.people.person(alice.id).failuresCount == count)
        }
        #expect(try await bench.entries(.personLockOut).isEmpty)
        for seconds in [60, 120, 240, 480, 960, 1800, 1800] as [Int64] {
            await expectRefusal(.refused) { _ = try await bench.signIn("alice", "wrong") }
            let until = bench.test.clock.now.adding(seconds: seconds)
            #expect(try await bench.people.person(alice.id).lockedUntil == until)
            // The right password is refused too, and tries meanwhile do not make it longer.
            bench.test.clock.advance(seconds: seconds - 1)
            await expectRefusal(.refused) { _ = try await bench.signIn() }
            await expectRefusal(.refused) { _ = try await bench.signIn("alice", "wrong") }
            #expect(try await bench.people.person(alice.id).lockedUntil == until)
            bench.test.clock.advance(seconds: 1)
        }
        let entries = try await bench.entries(.personLockOut)
        #expect(entries.count == 7 && entries.allSatisfy { $0.subject == "alice" })
        #expect(entries.first?.details["failures"] == "5")
        // A sign-in forgives all of it.
        let opened = try await bench.signIn()
        #expect(opened.person.failuresCount == 0 && opened.person.lockedUntil == nil)
        #expect(try await bench.people.person(alice.id) == opened.person)
    }

    @Test func failuresAreForgottenADayAfterALockOut() async throws {
        let bench = try await PeopleBench.open()
        let alice = try await bench.add()
        for _ in 0..<5 { await expectRefusal(.refused) { _ = try await bench.signIn("alice", "wrong") } }
        bench.test.clock.advance(seconds: 60 + 86_400)
        await expectRefusal(.refused) { _ = try await bench.signIn("alice", "wrong") }
        let person = try await bench.people.person(alice.id)
        #expect(person.failuresCount == 1 && person.lockedUntil == nil)
    }

    /// Whoever tries many passwords at once has no more tries for it.
    @Test func triesAtTheSameTimeCountOneByOne() async throws {
        let bench = try await PeopleBench.open {
            $0.waitingDerivationsMax = 100
            $0.freeFailuresOfAddress = 1000
        }
        let alice = try await bench.add()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask { _ = try? await bench.signIn("alice", "wrong") }
            }
        }
        let openedCount = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<10 {
                group.addTask { (try? await bench.signIn()) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(try await bench.people.person(alice.id).failuresCount == 5)
        #expect(openedCount == 0)
        #expect(try await bench.entries(.personLockOut).count == 1)
    }

    /// Failures that lock nobody out leave the log of acts alone, which cannot be shortened.
    @Test func failuresAreLogLinesAndNoAuditEntries() async throws {
        let bench = try await PeopleBench.open { $0.freeFailuresOfAddress = 1000 }
        try await bench.add()
        let before = try await bench.people.administration.auditHead().entriesCount
        for index in 0..<30 { await expectRefusal(.refused) { _ = try await bench.signIn("nobody\(index)", "wrong") } }
        await expectRefusal(.refused) { _ = try await bench.signIn("alice", "wrong") }
        #expect(try await bench.people.administration.auditHead().entriesCount == before)
        #expect(bench.test.log.lines.filter { $0.contains("sign-in refused") }.count == 31)
        // What is typed as a name may be a password.
        #expect(!bench.test.log.text.contains("nobody7"))
    }

    // MARK: - Addresses

    @Test func anAddressWaitsAfterManyFailuresAtWhateverNames() async throws {
        let bench = try await PeopleBench.open { $0.freeFailuresOfAddress = 3 }
        try await bench.add()
        for index in 0..<4 { await expectRefusal(.refused) { _ = try await bench.signIn("nobody\(index)", "wrong") } }
        let before = bench.derivationsCount
        await expectRefusal(.wait(seconds: 1)) { _ = try await bench.signIn() }
        #expect(bench.derivationsCount == before, "somebody who waits is worth no work")
        #expect(try await bench.signIn(from: "192.0.2.8").session.stage == .open)
        bench.test.clock.advance(seconds: 1)
        await expectRefusal(.refused) { _ = try await bench.signIn("nobody", "wrong") }
        await expectRefusal(.wait(seconds: 2)) { _ = try await bench.signIn() }
        bench.test.clock.advance(seconds: 2)
        #expect(try await bench.signIn().session.stage == .open)
        // All addresses of an IPv6 network are one, and it is forgotten in time.
        for index in 0..<4 {
            await expectRefusal(.refused) { _ = try await bench.signIn("x", "wrong", from: "2001:db8::\(index)") }
        }
        await expectRefusal(.wait(seconds: 1)) { _ = try await bench.signIn(from: "2001:db8::ffff") }
        bench.test.clock.advance(seconds: 3601)
        for index in 0..<3 {
            await expectRefusal(.refused) { _ = try await bench.signIn("x", "wrong", from: "2001:db8::\(index)") }
        }
        #expect(try await bench.signIn(from: "2001:db8::1").session.stage == .open)
    }

    /// An address waits by a clock that nobody sets.
    @Test func clockThatIsSetBackMakesNoAddressWaitLonger() async throws {
        let bench = try await PeopleBench.open { $0.freeFailuresOfAddress = 3 }
        try await bench.add()
        for index in 0..<4 { await expectRefusal(.refused) { _ = try await bench.signIn("nobody\(index)", "wrong") } }
        bench.test.clock.setBack(seconds: 6 * 3600)
        await expectRefusal(.wait(seconds: 1)) { _ = try await bench.signIn() }
        bench.test.clock.advance(seconds: 1)
        #expect(try await bench.signIn().session.stage == .open)
    }

    @Test func nothingIsCountedAtTheOperatorsProxiesOrWithoutAnAddress() async throws {
        let bench = try await PeopleBench.open {
            $0.freeFailuresOfAddress = 1
            $0.exemptAddresses = try ClientNetworks(parsing: "192.0.2.7")
        }
        try await bench.add()
        for index in 0..<9 {
            await expectRefusal(.refused) { _ = try await bench.signIn("nobody\(index)", "wrong") }
            await expectRefusal(.refused) {
                _ = try await bench.people.signIn(
                    userName: "nobody\(index)", password: Redacted("wrong"), from: SignInOrigin())
            }
        }
        #expect(try await bench.signIn().session.stage == .open)
    }

    @Test func tooManyAtOnceAreBusyAndNoFailure() async throws {
        let bench = try await PeopleBench.open {
            $0.derivationsMax = 1
            $0.waitingDerivationsMax = 0
        }
        let alice = try await bench.add()
        let (gate, door) = (bench.people.passwords.gate, Door())
        try await withThrowingTaskGroup(of: Void.self) { group in
            let before = gate.begunCount
            group.addTask { try await gate.run { door.pass() } }
            while gate.begunCount == before { await Task.yield() }
            await expectRefusal(.busy) { _ = try await bench.signIn() }
            await expectRefusal(.busy) { _ = try await bench.signIn("nobody", "wrong") }
            door.open()
            try await group.waitForAll()
        }
        #expect(try await bench.people.person(alice.id).failuresCount == 0)
        #expect(try await bench.signIn().session.stage == .open)
    }

    // MARK: - Work

    @Test func aPasswordThatTookLessWorkIsProvedAnew() async throws {
        let bench = try await PeopleBench.open()
        let alice = try await bench.add()
        var settings = bench.people.settings
        settings.passwordCost = try #require(ScryptCost(logRounds: 5))
        let later = PeopleBench.people(of: bench.test, settings)
        let origin = bench.origin
        await expectRefusal(.refused) {
            _ = try await later.signIn(userName: "alice", password: Redacted("wrong"), from: origin)
        }
        #expect(try await later.person(alice.id).passwordVerifier == alice.passwordVerifier)
        for _ in 0..<2 {
            _ = try await later.signIn(userName: "alice", password: Redacted(PeopleBench.password), from: origin)
            let verifier = try #require(try await later.person(alice.id).passwordVerifier)
            #expect(verifier.reveal().hasPrefix("$scrypt$ln=5,"))
        }
        // One for the wrong one, two for the first right one, one for the second.
        #expect(later.passwords.gate.begunCount == 4)
    }

    @Test func whatBecomesOfSignInsIsReported() async throws {
        let bench = try await PeopleBench.open()
        try await bench.add()
        let events = Mutex<[SignInEvent]>([])
        var settings = bench.people.settings
        settings.freeFailuresOfAddress = 5
        let people = PeopleBench.people(of: bench.test, settings) { event in
            events.withLock { $0.append(event) }
        }
        let origin = bench.origin
        _ = try await people.signIn(userName: "alice", password: Redacted(PeopleBench.password), from: origin)
        for _ in 0..<6 {
            _ = try? await people.signIn(userName: "alice", password: Redacted("wrong"), from: origin)
        }
        _ = try? await people.signIn(userName: "alice", password: Redacted("wrong"), from: origin)
        #expect(
            events.withLock { $0 } == [
                .succeeded, .refused, .refused, .refused, .refused, .refused, .lockedOut, .refused, .addressWaits,
            ])
    }

    /// Neither the log nor the store nor the log of acts has anything that anybody has typed or been shown.
    @Test func nothingSecretIsLoggedOrStored() async throws {
        let bench = try await PeopleBench.open()
        let made = try await bench.people.create(
            PersonDraft(userName: "alice", displayName: "Alice", role: .owner), by: PeopleBench.owner)
        let invitation = try #require(made.secret)
        try await bench.people.acceptInvitation(invitation, password: Redacted(PeopleBench.password))
        let first = try await bench.signIn()
        let (app, confirmed) = try await bench.enroll(first.secret)
        let second = try await bench.signIn()
        await expectRefusal(.refused) {
            _ = try await bench.people.signIn(code: "000000", session: second.secret, from: bench.origin)
        }
        let code = bench.code(of: app)
        let third = try await bench.people.signIn(code: code, session: second.secret, from: bench.origin)
        let reset = try await bench.people.resetPassword(
            of: made.person.id, with: .password, by: PeopleBench.owner)
        let secrets =
            [
                invitation.reveal(), PeopleBench.password, first.secret.reveal(), second.secret.reveal(),
                third.secret.reveal(), confirmed.session.secret.reveal(), Base32.encode(app.key.reveal()),
                try #require(reset.secret).reveal(),
            ] + confirmed.recoveryCodes.map { $0.reveal() }
        let stored = try await bench.test.everythingStored()
        for secret in secrets {
            #expect(!bench.test.log.text.contains(secret))
            #expect(!stored.contains { String(decoding: $0, as: UTF8.self).contains(secret) })
        }
        #expect(!bench.test.log.text.contains(code))
        #expect(!stored.contains(app.key.reveal()))
    }
}
