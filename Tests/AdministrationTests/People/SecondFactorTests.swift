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

/// The second step of a sign-in: an app that shows codes, and codes on paper.
@Suite struct SecondFactorTests {
    @Test func isAskedForFromItsFirstRightCodeOn() async throws {
        let bench = try await PeopleBench.open()
        let alice = try await bench.add()
        let session = try await bench.signIn()
        let key = try await bench.people.beginSecondFactor(session: session.secret)
        #expect(key.uri.reveal().hasPrefix("otpauth://totp/Pomona:alice?secret=\(key.text.reveal())&"))
        // It proves nothing yet: whoever has lost the app at once still gets in.
        #expect(try await bench.signIn().session.stage == .open)
        await expectRefusal(.refused) {
            _ = try await bench.people.confirmSecondFactor(code: "000000", session: session.secret)
        }
        let (app, confirmed) = try await bench.enroll(session.secret)
        #expect(confirmed.recoveryCodes.count == 10 && Set(confirmed.recoveryCodes).count == 10)
        #expect(try await bench.entries(.personSecondFactor).map { $0.details["change"] } == ["enrolled"])
        #expect(try await bench.test.store.read { try $0.secondFactor(of: alice.id)?.confirmedAt } != nil)
        // The session in which it was enrolled goes on under another secret.
        #expect(try await bench.people.authenticate(session: session.secret) == nil)
        #expect(try await bench.people.authenticate(session: confirmed.session.secret) != nil)

        let pending = try await bench.signIn()
        #expect(pending.session.stage == .secondFactor)
        #expect(try await bench.people.authenticate(session: pending.secret) == nil)
        let opened = try await bench.people.signIn(
            code: bench.code(of: app), session: pending.secret, from: bench.origin)
        #expect(opened.session.stage == .open)
        #expect(try await bench.people.authenticate(session: opened.secret)?.person.id == alice.id)
        #expect(try await bench.entries(.personSignIn).last?.details["secondFactor"] == "code")
    }

    @Test func aSessionThatWaitsForACodeAllowsNothingElse() async throws {
        let bench = try await PeopleBench.open()
        try await bench.add()
        let (_, confirmed) = try await bench.enroll(try await bench.signIn().secret)
        let pending = try await bench.signIn().secret
        let (people, origin) = (bench.people, bench.origin)
        #expect(try await people.authenticate(session: pending) == nil)
        await expectRefusal(.sessionEnded) { _ = try await people.beginSecondFactor(session: pending) }
        await expectRefusal(.sessionEnded) { _ = try await people.confirmSecondFactor(code: "1", session: pending) }
        await expectRefusal(.sessionEnded) {
            try await people.removeSecondFactor(code: "1", session: pending, from: origin)
        }
        await expectRefusal(.sessionEnded) {
            _ = try await people.renewRecoveryCodes(code: "1", session: pending, from: origin)
        }
        await expectRefusal(.sessionEnded) {
            _ = try await people.changePassword(
                session: pending, current: Redacted(PeopleBench.password), to: Redacted("another good cider"),
                from: origin)
        }
        // And a code is only for a session that waits for one.
        await expectRefusal(.sessionEnded) {
            _ = try await people.signIn(code: "1", session: confirmed.session.secret, from: origin)
        }
        // After five minutes it is none.
        bench.test.clock.advance(seconds: 300)
        #expect(try await people.signIn(under: pending) == nil)
        await expectRefusal(.sessionEnded) { _ = try await people.signIn(code: "1", session: pending, from: origin) }
    }

    @Test func aCodeIsTakenOnce() async throws {
        let bench = try await PeopleBench.open()
        try await bench.add()
        let (app, _) = try await bench.enroll(try await bench.signIn().secret)
        let code = bench.code(of: app)
        let (first, second) = (try await bench.signIn(), try await bench.signIn())
        _ = try await bench.people.signIn(code: code, session: first.secret, from: bench.origin)
        await expectRefusal(.refused) {
            _ = try await bench.people.signIn(code: code, session: second.secret, from: bench.origin)
        }
        // Nor one that is older, though it would be within the skew.
        await expectRefusal(.refused) {
            _ = try await bench.people.signIn(
                code: bench.code(of: app, stepsAhead: -1), session: second.secret, from: bench.origin)
        }
        _ = try await bench.people.signIn(
            code: bench.code(of: app, stepsAhead: 1), session: second.secret, from: bench.origin)
    }

    @Test func ofTwoThatShowOneCodeAtOnceOneIsLetIn() async throws {
        let bench = try await PeopleBench.open()
        try await bench.add()
        let (app, _) = try await bench.enroll(try await bench.signIn().secret)
        let code = bench.code(of: app)
        let pending = try await [bench.signIn().secret, bench.signIn().secret, bench.signIn().secret]
        let letIn = await withTaskGroup(of: Bool.self) { group in
            // Each of them twice: neither the code nor a session is good for two.
            for secret in pending + pending {
                group.addTask {
                    (try? await bench.people.signIn(code: code, session: secret, from: bench.origin)) != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(letIn == 1)
    }

    /// Each of many tries at once sees the failures before it: they are counted where the code is looked at.
    @Test(arguments: [false, true])
    func ofManyCodesAtOnceNoMoreAreLookedAtThanOneAfterTheOther(isSignedIn: Bool) async throws {
        let bench = try await PeopleBench.open { $0.failuresToLock = 5 }
        try await bench.add()
        let (app, confirmed) = try await bench.enroll(try await bench.signIn().secret)
        let pending = isSignedIn ? confirmed.session.secret : try await bench.signIn().secret
        let (people, origin) = (bench.people, bench.origin)
        let right = bench.code(of: app)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let code = "wrong \(number)"
                    if isSignedIn {
                        _ = try? await people.renewRecoveryCodes(code: code, session: pending, from: origin)
                    } else {
                        _ = try? await people.signIn(code: code, session: pending, from: origin)
                    }
                }
            }
        }
        let locked = try await people.person(named: "alice")
        #expect(locked.failuresCount == 5 && locked.lockedUntil != nil)
        let entries = try await bench.entries(.personLockOut)
        #expect(entries.map(\.subject) == ["alice"] && entries.first?.details["failures"] == "5")
        // The right one is as good as a wrong one now, and counts for nothing.
        await #expect(throws: SignInRefusal.self) {
            if isSignedIn {
                _ = try await people.renewRecoveryCodes(code: right, session: pending, from: origin)
            } else {
                _ = try await people.signIn(code: right, session: pending, from: origin)
            }
        }
        #expect(try await people.person(named: "alice").failuresCount == 5)
    }

    @Test func recoveryCodesAreTakenOnceEach() async throws {
        let bench = try await PeopleBench.open { $0.failuresToLock = 1000 }
        try await bench.add()
        let (_, confirmed) = try await bench.enroll(try await bench.signIn().secret)
        for code in confirmed.recoveryCodes.map({ $0.reveal() }) {
            let pending = try await bench.signIn().secret
            let typed = code.uppercased().replacing("-", with: " ")
            _ = try await bench.people.signIn(code: typed, session: pending, from: bench.origin)
            #expect(try await bench.entries(.personSignIn).last?.details["secondFactor"] == "recovery code")
            let again = try await bench.signIn().secret
            await expectRefusal(.refused) {
                _ = try await bench.people.signIn(code: code, session: again, from: bench.origin)
            }
        }
        let alice = try await bench.people.person(named: "alice")
        #expect(try await bench.test.store.read { try $0.secondFactor(of: alice.id) }?.recoveryDigests.isEmpty == true)
    }

    @Test func newRecoveryCodesTakeThePlaceOfTheOld() async throws {
        let bench = try await PeopleBench.open()
        try await bench.add()
        let (app, confirmed) = try await bench.enroll(try await bench.signIn().secret)
        let session = confirmed.session.secret
        await expectRefusal(.refused) {
            _ = try await bench.people.renewRecoveryCodes(code: "000000", session: session, from: bench.origin)
        }
        let new = try await bench.people.renewRecoveryCodes(
            code: bench.code(of: app), session: session, from: bench.origin)
        #expect(Set(new).isDisjoint(with: confirmed.recoveryCodes) && new.count == 10)
        let pending = try await bench.signIn().secret
        await expectRefusal(.refused) {
            _ = try await bench.people.signIn(
                code: confirmed.recoveryCodes[0].reveal(), session: pending, from: bench.origin)
        }
        _ = try await bench.people.signIn(code: new[0].reveal(), session: pending, from: bench.origin)
    }

    /// Whoever has the password alone has no more tries at the code than anybody at the password.
    @Test func wrongCodesCountLikeWrongPasswordsAndTheRightPasswordForgivesNone() async throws {
        let bench = try await PeopleBench.open()
        let alice = try await bench.add()
        let (app, _) = try await bench.enroll(try await bench.signIn().secret)
        for count in 1...5 {
            let pending = try await bench.signIn().secret
            await expectRefusal(.refused) {
                _ = try await bench.people.signIn(code: "000000", session: pending, from: bench.origin)
            }
            #expect(try await bench.people.person(alice.id).failuresCount == count)
        }
        #expect(try await bench.entries(.personLockOut).count == 1)
        await expectRefusal(.refused) { _ = try await bench.signIn() }
        bench.test.clock.advance(seconds: 60)
        let pending = try await bench.signIn().secret
        let opened = try await bench.people.signIn(
            code: bench.code(of: app), session: pending, from: bench.origin)
        #expect(opened.person.failuresCount == 0)
    }

    /// A lock-out ends the sign-ins that are under way, and leaves those alone who are in.
    @Test func aLockOutEndsWhatWaitsForACode() async throws {
        let bench = try await PeopleBench.open()
        try await bench.add()
        let (app, confirmed) = try await bench.enroll(try await bench.signIn().secret)
        let pending = try await bench.signIn().secret
        for _ in 0..<5 { await expectRefusal(.refused) { _ = try await bench.signIn("alice", "wrong") } }
        await expectRefusal(.sessionEnded) {
            _ = try await bench.people.signIn(code: bench.code(of: app), session: pending, from: bench.origin)
        }
        #expect(try await bench.people.authenticate(session: confirmed.session.secret) != nil)
    }

    @Test func whoeverMustHaveOneEnrollsItFirst() async throws {
        let bench = try await PeopleBench.open { $0.secondFactorRoles = [.owner] }
        try await bench.add()
        try await bench.add("victor", role: .viewer)
        #expect(try await bench.signIn("victor").session.stage == .open)
        let session = try await bench.signIn()
        #expect(session.session.stage == .enrollment)
        #expect(try await bench.people.authenticate(session: session.secret) == nil)
        #expect(try await bench.entries(.personSignIn).map(\.subject) == ["victor"])
        let (app, confirmed) = try await bench.enroll(session.secret)
        #expect(confirmed.session.session.stage == .open)
        #expect(try await bench.people.signIn(under: session.secret) == nil)
        await expectError(.secondFactorRequired) {
            try await bench.people.removeSecondFactor(
                code: bench.code(of: app), session: confirmed.session.secret, from: bench.origin)
        }
        // What was refused has not used the code up.
        let pending = try await bench.signIn().secret
        _ = try await bench.people.signIn(code: bench.code(of: app), session: pending, from: bench.origin)
    }

    @Test func isTakenAwayWithACodeAndNotReplacedWithoutOne() async throws {
        let bench = try await PeopleBench.open()
        try await bench.add()
        let session = try await bench.signIn().secret
        await expectError(.secondFactorMissing) {
            _ = try await bench.people.confirmSecondFactor(code: "000000", session: session)
        }
        await expectError(.secondFactorMissing) {
            try await bench.people.removeSecondFactor(code: "000000", session: session, from: bench.origin)
        }
        let (app, confirmed) = try await bench.enroll(session)
        let open = confirmed.session.secret
        await expectError(.secondFactorExists) { _ = try await bench.people.beginSecondFactor(session: open) }
        await expectError(.secondFactorExists) {
            _ = try await bench.people.confirmSecondFactor(code: bench.code(of: app), session: open)
        }
        await expectRefusal(.refused) {
            try await bench.people.removeSecondFactor(code: "000000", session: open, from: bench.origin)
        }
        try await bench.people.removeSecondFactor(code: bench.code(of: app), session: open, from: bench.origin)
        #expect(try await bench.signIn().session.stage == .open)
    }

    /// The present app counts until the new one has shown a code, which only the session that has asked can hand in.
    @Test func newAppTakesThePlaceOfThePresentOne() async throws {
        let bench = try await PeopleBench.open()
        try await bench.add("victor", role: .viewer)
        let (old, enrolled) = try await bench.enroll(try await bench.signIn("victor").secret)
        let session = enrolled.session.secret
        await expectRefusal(.refused) {
            _ = try await bench.people.beginSecondFactorReplacement(
                code: "000000", session: session, from: bench.origin)
        }
        let begun = try await bench.people.beginSecondFactorReplacement(
            code: bench.code(of: old), session: session, from: bench.origin)
        let new = TOTP(key: Redacted(try #require(Base32.decode(begun.key.text.reveal()))))
        bench.test.clock.advance(seconds: TOTP.stepSeconds)
        let other = try await bench.people.signIn(
            code: bench.code(of: old), session: try await bench.signIn("victor").secret, from: bench.origin)
        for (ticket, code, session) in [
            (begun.ticket, bench.code(of: old), session), (begun.ticket, bench.code(of: new), other.secret),
            (Redacted("k.00"), bench.code(of: new), session),
        ] {
            await expectRefusal(.refused) {
                _ = try await bench.people.replaceSecondFactor(ticket: ticket, code: code, session: session)
            }
        }
        let replaced = try await bench.people.replaceSecondFactor(
            ticket: begun.ticket, code: bench.code(of: new), session: session)
        #expect(try await bench.people.authenticate(session: other.secret) == nil, "all other sessions end")
        #expect(replaced.recoveryCodes.count == enrolled.recoveryCodes.count)
        #expect(replaced.recoveryCodes.map { $0.reveal() } != enrolled.recoveryCodes.map { $0.reveal() })
        bench.test.clock.advance(seconds: TOTP.stepSeconds)
        let pending = try await bench.signIn("victor").secret
        await expectRefusal(.refused) {
            _ = try await bench.people.signIn(code: bench.code(of: old), session: pending, from: bench.origin)
        }
        let open = try await bench.people.signIn(code: bench.code(of: new), session: pending, from: bench.origin)
        #expect(open.session.stage == .open)
        let changes = try await bench.entries(.personSecondFactor).map { $0.details["change"] }
        #expect(changes == ["enrolled", "new app begun", "replaced"])
    }

    /// Whoever has taken a ticket with a code of an app cannot use it once that app has been replaced, nor much later.
    @Test func ticketIsForOneAppAndTenMinutes() async throws {
        let bench = try await PeopleBench.open()
        try await bench.add()
        let (app, enrolled) = try await bench.enroll(try await bench.signIn().secret)
        var session = enrolled.session.secret
        func begin() async throws -> (ticket: Redacted<String>, app: TOTP) {
            let begun = try await bench.people.beginSecondFactorReplacement(
                code: bench.code(of: app), session: session, from: bench.origin)
            bench.test.clock.advance(seconds: TOTP.stepSeconds)
            return (begun.ticket, TOTP(key: Redacted(try #require(Base32.decode(begun.key.text.reveal())))))
        }
        let late = try await begin()
        bench.test.clock.advance(seconds: 600)
        // Another code would not help, and the answer says so.
        await expectError(.secondFactorTicketExpired) {
            _ = try await bench.people.replaceSecondFactor(
                ticket: late.ticket, code: bench.code(of: late.app), session: session)
        }
        let early = try await begin()
        // The factor is another one meanwhile.
        try await bench.people.removeSecondFactor(code: bench.code(of: app), session: session, from: bench.origin)
        bench.test.clock.advance(seconds: TOTP.stepSeconds)
        let key = try await bench.people.beginSecondFactor(session: session)
        let second = TOTP(key: Redacted(try #require(Base32.decode(key.text.reveal()))))
        session = try await bench.people.confirmSecondFactor(code: bench.code(of: second), session: session).session
            .secret
        // Each app that is confirmed makes the session another one, and the ticket was the earlier one's.
        await expectRefusal(.refused) {
            _ = try await bench.people.replaceSecondFactor(
                ticket: early.ticket, code: bench.code(of: early.app), session: session)
        }
    }

    /// The key opens after every key that seals it has been replaced, and nowhere but at its person.
    @Test func itsKeyIsSealedForItsPersonAndSurvivesRotation() async throws {
        let bench = try await PeopleBench.open()
        let (alice, bob) = (try await bench.add(), try await bench.add("bob"))
        let (app, _) = try await bench.enroll(try await bench.signIn().secret)
        let before = try #require(try await bench.test.store.read { try $0.secondFactor(of: alice.id) })
        try await bench.people.administration.rotateDataKey()
        var sweep = bench.people.administration.sweepKeys()
        try await sweep.run()
        let after = try #require(try await bench.test.store.read { try $0.secondFactor(of: alice.id) })
        #expect(after.content.keyID != before.content.keyID && after.recoveryDigests == before.recoveryDigests)
        #expect(sweep.damagedCounts.isEmpty)
        let retired = try await bench.people.administration.retireDataKeys(graceSeconds: 0)
        #expect(retired.retired == [before.content.keyID])
        let pending = try await bench.signIn().secret
        _ = try await bench.people.signIn(code: bench.code(of: app), session: pending, from: bench.origin)

        let moved = SecondFactor(
            personID: bob.id, content: after.content, confirmedAt: after.confirmedAt, createdAt: after.createdAt)
        try await bench.test.store.write { try $0.upsert(moved) }
        let session = try await bench.signIn("bob").secret
        await #expect(throws: VaultError(code: .boxDamaged)) {
            _ = try await bench.people.signIn(code: "000000", session: session, from: bench.origin)
        }
    }
}
