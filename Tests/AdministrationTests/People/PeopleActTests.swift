//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import Redaction
import TestGateway
import Testing
import Time

@testable import Administration

/// What administers people.
@Suite struct PeopleActTests {
    private static let owner = PeopleBench.owner

    private func currency(_ code: String) throws -> Currency { try #require(Currency.alphabetic(code)) }

    // MARK: - Making

    @Test func somebodyIsMadeWithAllThatIsSaid() async throws {
        let bench = try await PeopleBench.open()
        let shop = try await bench.test.gateway.administration.createMerchant(
            name: "shop", displayName: "Shop", mode: .sandbox, countryCode: "DE")
        let identity = ExternalIdentity(issuer: "https://login.example", subject: "42")
        let limits = [try self.currency("CAD"): 10_000 as Int64]
        let made = try await bench.people.create(
            PersonDraft(
                userName: "zoe.k@shop-1_x", displayName: "Zoë", email: "zoe@shop.example", role: .support,
                merchants: [shop.id], refundLimits: limits, externalIdentity: identity),
            by: Self.owner)
        let person = try await bench.people.person(named: "Zoe.K@shop-1_x")
        #expect(person == made.person && person.version == 1 && person.state == .active)
        var access = Access(.support, merchants: [shop.id])
        access.refundLimits = limits
        #expect(person.access == access && person.externalIdentity == identity)
        #expect(person.mayRefund(Money(minorUnits: 10_000, currency: try self.currency("CAD"))))
        #expect(!person.mayRefund(Money(minorUnits: 10_001, currency: try self.currency("CAD"))))
        #expect(!person.mayRefund(Money(minorUnits: 1, currency: try self.currency("EUR"))))
        let entry = try #require(try await bench.entries(.personCreate).first)
        #expect(entry.subject == person.userName && entry.details["merchants"] == "shop")
        #expect(entry.details["role"] == "support" && entry.details["credential"] == "invitation")
    }

    /// A refund limit binds an owner too: he neither lifts it nor makes what has none.
    @Test func nobodyGivesAwayMoreThanHisOwnRefundLimit() async throws {
        let bench = try await PeopleBench.open()
        let (cad, eur) = (try self.currency("CAD"), try self.currency("EUR"))
        func draft(_ name: String, _ role: Role, _ limits: [Currency: Int64]?) -> PersonDraft {
            PersonDraft(userName: name, displayName: name, role: role, refundLimits: limits)
        }
        let alice = try await bench.people.create(draft("alice", .owner, [cad: 100]), with: .none, by: Self.owner)
            .person
        for limits in [nil, [cad: 101], [cad: 100, eur: 1]] as [[Currency: Int64]?] {
            var change = PersonChange()
            change.refundLimits = .set(limits)
            await expectError(.accessNotAllowed) { [change] in
                try await bench.people.change(alice.id, change, by: alice.access)
            }
            await expectError(.accessNotAllowed) {
                _ = try await bench.people.create(draft("bob", .support, limits), with: .none, by: alice.access)
            }
        }
        await expectError(.accessNotAllowed) {
            _ = try await bench.test.gateway.administration.makeAccessToken(
                AccessTokenDraft(name: "refunds", access: Access(.support)), by: alice.access, madeBy: "alice")
        }
        // What gives nothing back needs no limit, and less than one's own is one's to give.
        _ = try await bench.people.create(draft("carol", .viewer, nil), with: .none, by: alice.access)
        _ = try await bench.people.create(draft("dave", .support, [cad: 99]), with: .none, by: alice.access)
        var less = PersonChange()
        less.refundLimits = .set([cad: 50])
        try await bench.people.change(alice.id, less, by: alice.access)
    }

    /// A person for no merchants is nobody's but the house's.
    @Test func aPersonForNoMerchantsIsTheHouses() async throws {
        let bench = try await PeopleBench.open()
        let shop = try await bench.test.gateway.administration.createMerchant(
            name: "shop", displayName: "Shop", mode: .sandbox, countryCode: "DE")
        let carol = try await bench.people.create(
            PersonDraft(userName: "carol", displayName: "Carol", role: .support, merchants: []), with: .none,
            by: Self.owner
        ).person
        await expectError(.accessNotAllowed) {
            _ = try await bench.people.resetPassword(of: carol.id, by: Access(.owner, merchants: [shop.id]))
        }
        _ = try await bench.people.resetPassword(of: carol.id, by: Self.owner)
    }

    @Test(arguments: ["", "Alice", "a b", ".alice", "älice", "a\u{0}", String(repeating: "a", count: 65)])
    func refusesMalformedUserName(_ name: String) async throws {
        let bench = try await PeopleBench.open()
        await expectError(.userNameMalformed) {
            _ = try await bench.people.create(
                PersonDraft(userName: name, displayName: "Alice", role: .viewer), by: Self.owner)
        }
    }

    @Test func refusesWhatIsMalformedOrTaken() async throws {
        let bench = try await PeopleBench.open()
        let identity = ExternalIdentity(issuer: "https://login.example", subject: "42")
        let draft = PersonDraft(userName: "alice", displayName: "Alice", role: .owner, externalIdentity: identity)
        let alice = try await bench.people.create(draft, by: Self.owner).person
        func create(_ configure: (inout PersonDraft) throws -> Void) async throws {
            var draft = PersonDraft(userName: "bob", displayName: "Bob", role: .viewer)
            try configure(&draft)
            _ = try await bench.people.create(draft, by: Self.owner)
        }
        await expectError(.userNameTaken) { try await create { $0.userName = "alice" } }
        await expectError(.displayNameMalformed) { try await create { $0.displayName = "" } }
        for email in ["", "bob", "@", "bob@", "@b", "a@b@c", "a b@c", "a@b\n"] {
            await expectError(.emailMalformed, "\(email)") { try await create { $0.email = email } }
        }
        await expectError(.refundLimitInvalid) { try await create { $0.refundLimits = [try self.currency("CAD"): -1] } }
        await expectError(.identityTaken) { try await create { $0.externalIdentity = identity } }
        let nobody = MerchantID(at: bench.test.clock.now, random: [1])
        await expectError(.merchantUnknown) { try await create { $0.merchants = [nobody] } }
        #expect(try await bench.people.all().map(\.id) == [alice.id])
    }

    @Test func anInvitationIsForOnePasswordWithinThreeDays() async throws {
        let bench = try await PeopleBench.open()
        let made = try await bench.people.create(
            PersonDraft(userName: "alice", displayName: "Alice", role: .owner), by: Self.owner)
        let secret = try #require(made.secret)
        #expect(made.person.invitation?.endsAt == bench.test.clock.now.adding(seconds: 3 * 86_400))
        await expectRefusal(.refused) { _ = try await bench.signIn("alice", secret.reveal()) }
        #expect(try await bench.people.invitedPerson(secret).id == made.person.id)
        await expectError(.passwordWeak) {
            try await bench.people.acceptInvitation(secret, password: Redacted("short"))
        }
        let password = Redacted(PeopleBench.password)
        await expectError(.invitationInvalid) {
            try await bench.people.acceptInvitation(Redacted(secret.reveal() + "0"), password: password)
        }
        // It is a digest that is kept: showing that opens nothing.
        let digest = try #require(made.person.invitation?.digest)
        await expectError(.invitationInvalid) {
            try await bench.people.acceptInvitation(Redacted(digest), password: password)
        }
        try await bench.people.acceptInvitation(secret, password: password)
        await expectError(.invitationInvalid) { try await bench.people.acceptInvitation(secret, password: password) }
        #expect(try await bench.signIn().session.stage == .open)
        let late = try await bench.people.resetPassword(of: made.person.id, by: Self.owner)
        bench.test.clock.advance(seconds: 3 * 86_400)
        let lateSecret = try #require(late.secret)
        await expectError(.invitationInvalid) { _ = try await bench.people.invitedPerson(lateSecret) }
        await expectError(.invitationInvalid) {
            try await bench.people.acceptInvitation(lateSecret, password: password)
        }
    }

    @Test func whoeverSignsInElsewhereHasNoPassword() async throws {
        let bench = try await PeopleBench.open()
        let made = try await bench.people.create(
            PersonDraft(userName: "alice", displayName: "Alice", role: .owner), with: .none, by: Self.owner)
        #expect(made.secret == nil && made.person.passwordVerifier == nil && made.person.invitation == nil)
        await expectRefusal(.refused) { _ = try await bench.signIn("alice", "") }
    }

    // MARK: - Changing

    @Test func whatIsSaidChangesAndTheRestStays() async throws {
        let bench = try await PeopleBench.open()
        try await bench.add()
        let bob = try await bench.add("bob", role: .support)
        var change = PersonChange()
        change.email = .set("bob@shop.example")
        change.refundLimits = .set([try self.currency("CAD"): 500])
        let changed = try await bench.people.change(bob.id, change, ofVersion: bob.version, by: Self.owner)
        var wanted = bob
        (wanted.email, wanted.refundLimits) = ("bob@shop.example", [try self.currency("CAD"): 500])
        wanted.version += 1
        #expect(changed == wanted)
        #expect(try await bench.people.person(bob.id) == wanted)
        #expect(try await bench.entries(.personChange).last?.details["refundLimits"] == "5.00 CAD")
        // The same again is no act; and a change of what somebody saw before is refused.
        #expect(try await bench.people.change(bob.id, change, by: Self.owner) == wanted)
        #expect(try await bench.entries(.personChange).count == 1)
        await expectError(.personChanged) {
            try await bench.people.change(bob.id, change, ofVersion: bob.version, by: Self.owner)
        }
        let nobody = PersonID(at: bench.test.clock.now, random: [1])
        await expectError(.personUnknown) { try await bench.people.change(nobody, change, by: Self.owner) }
        await expectError(.personUnknown) { _ = try await bench.people.person(named: "nobody") }
        // Nothing, none and no limit are three things.
        for (limits, words) in [([:], "nothing"), (nil, "no limit")] as [([Currency: Int64]?, String)] {
            var other = PersonChange()
            (other.refundLimits, other.merchants) = (.set(limits), .set(limits == nil ? nil : []))
            try await bench.people.change(bob.id, other, by: Self.owner)
            let details = try #require(try await bench.entries(.personChange).last).details
            #expect(details["refundLimits"] == words)
            #expect(details["merchants"] == (limits == nil ? "all" : "none"))
        }
    }

    @Test func aSignInLeavesTheVersionThatAChangeIsMadeOf() async throws {
        let bench = try await PeopleBench.open()
        let alice = try await bench.add()
        _ = try await bench.signIn()
        await expectRefusal(.refused) { _ = try await bench.signIn("alice", "wrong") }
        var change = PersonChange()
        change.displayName = .set("Alice")
        let changed = try await bench.people.change(alice.id, change, ofVersion: alice.version, by: Self.owner)
        #expect(changed.failuresCount == 1 && changed.lastSignInAt != nil)
    }

    // MARK: - The last owner

    @Test func oneActiveOwnerForAllMerchantsRemains() async throws {
        let bench = try await PeopleBench.open()
        let alice = try await bench.add()
        try await bench.add("bob", role: .operator)
        let shop = try await bench.test.gateway.administration.createMerchant(
            name: "shop", displayName: "Shop", mode: .sandbox, countryCode: "DE")
        // One for some merchants is none.
        try await bench.add("carol", merchants: [shop.id])
        let dave = try await bench.add("dave")
        try await bench.people.suspend(dave.id, by: Self.owner)
        func acts() async {
            var (toViewer, toShop) = (PersonChange(), PersonChange())
            toViewer.role = .set(.viewer)
            toShop.merchants = .set([shop.id])
            let (viewer, limited) = (toViewer, toShop)
            await expectError(.lastOwner) { try await bench.people.suspend(alice.id, by: Self.owner) }
            await expectError(.lastOwner) { try await bench.people.remove(alice.id, by: Self.owner) }
            await expectError(.lastOwner) { try await bench.people.change(alice.id, viewer, by: Self.owner) }
            await expectError(.lastOwner) { try await bench.people.change(alice.id, limited, by: Self.owner) }
        }
        await acts()
        #expect(try await bench.people.person(alice.id) == alice)
        try await bench.people.resume(dave.id, by: Self.owner)
        try await bench.people.suspend(alice.id, by: Self.owner)
        await expectError(.lastOwner) { try await bench.people.remove(dave.id, by: Self.owner) }
        try await bench.people.remove(alice.id, by: Self.owner)
        #expect(try await Set(bench.people.all().map(\.userName)) == ["bob", "carol", "dave"])
    }

    @Test func ofTwoOwnersWhoSuspendEachOtherAtOnceOneRemains() async throws {
        let bench = try await PeopleBench.open()
        let owners = [try await bench.add(), try await bench.add("bob")]
        await withTaskGroup(of: Void.self) { group in
            for owner in owners {
                group.addTask { _ = try? await bench.people.suspend(owner.id, by: Self.owner) }
            }
        }
        #expect(try await bench.people.all().filter { $0.state == .active }.count == 1)
    }

    // MARK: - Nobody gives away more than he has

    @Test func nobodyMakesOrTouchesWhoMayDoMoreThanHe() async throws {
        let bench = try await PeopleBench.open()
        let alice = try await bench.add()
        let shop = try await bench.test.gateway.administration.createMerchant(
            name: "shop", displayName: "Shop", mode: .sandbox, countryCode: "DE")
        let manager = Access(
            scopes: Role.support.scopes.union([.peopleRead, .peopleWrite]), merchants: [shop.id])
        let made = try await bench.people.create(
            PersonDraft(userName: "sam", displayName: "Sam", role: .support, merchants: [shop.id]), by: manager
        ).person
        for (role, merchants) in [(Role.support, nil), (.owner, [shop.id]), (.operator, [shop.id])]
            as [(Role, Set<MerchantID>?)]
        {
            await expectError(.accessNotAllowed) {
                _ = try await bench.people.create(
                    PersonDraft(userName: "x", displayName: "X", role: role, merchants: merchants), by: manager)
            }
            var change = PersonChange()
            (change.role, change.merchants) = (.set(role), .set(merchants))
            let raised = change
            await expectError(.accessNotAllowed) { try await bench.people.change(made.id, raised, by: manager) }
        }
        for by in [manager, Access(.operator), Access(scopes: [])] {
            let people = bench.people
            await expectError(.accessNotAllowed) { try await people.suspend(alice.id, by: by) }
            await expectError(.accessNotAllowed) { try await people.resume(alice.id, by: by) }
            await expectError(.accessNotAllowed) { try await people.remove(alice.id, by: by) }
            await expectError(.accessNotAllowed) { try await people.unlock(alice.id, by: by) }
            await expectError(.accessNotAllowed) { try await people.endSessions(of: alice.id, by: by) }
            await expectError(.accessNotAllowed) { try await people.resetSecondFactor(of: alice.id, by: by) }
            await expectError(.accessNotAllowed) { _ = try await people.resetPassword(of: alice.id, by: by) }
            await expectError(.accessNotAllowed) { try await people.change(alice.id, PersonChange(), by: by) }
        }
        #expect(try await bench.people.person(alice.id) == alice)
        try await bench.people.suspend(made.id, by: manager)
    }

    // MARK: - Resets

    @Test func aResetPasswordOpensNothingAndAnotherIsGiven() async throws {
        let bench = try await PeopleBench.open()
        let alice = try await bench.add()
        let session = try await bench.signIn().secret
        for _ in 0..<5 { await expectRefusal(.refused) { _ = try await bench.signIn("alice", "wrong") } }
        let reset = try await bench.people.resetPassword(of: alice.id, with: .password, by: Self.owner)
        #expect(reset.credential == .password && reset.person.lockedUntil == nil)
        #expect(try await bench.people.authenticate(session: session) == nil)
        await expectRefusal(.refused) { _ = try await bench.signIn() }
        let secret = try #require(reset.secret).reveal()
        #expect(try await bench.signIn("alice", secret).session.stage == .newPassword)
        let invited = try await bench.people.resetPassword(of: alice.id, by: Self.owner)
        await expectRefusal(.refused) { _ = try await bench.signIn("alice", secret) }
        try await bench.people.acceptInvitation(
            try #require(invited.secret), password: Redacted(PeopleBench.password))
        #expect(try await bench.signIn().session.stage == .open)
        let entries = try await bench.entries(.personReset)
        #expect(entries.map { $0.details["credential"] } == ["password", "invitation"])
    }

    @Test func aResetSecondFactorIsNotAskedForAndSignsOut() async throws {
        let bench = try await PeopleBench.open()
        let alice = try await bench.add()
        let (_, confirmed) = try await bench.enroll(try await bench.signIn().secret)
        try await bench.people.resetSecondFactor(of: alice.id, by: Self.owner)
        #expect(try await bench.people.authenticate(session: confirmed.session.secret) == nil)
        #expect(try await bench.signIn().session.stage == .open)
        // Where there is none, it is no act.
        try await bench.people.resetSecondFactor(of: alice.id, by: Self.owner)
        #expect(try await bench.entries(.personReset).map { $0.details["reset"] } == ["second factor"])
    }

    @Test func unlockingEndsALockOutAtOnce() async throws {
        let bench = try await PeopleBench.open()
        let alice = try await bench.add()
        for _ in 0..<5 { await expectRefusal(.refused) { _ = try await bench.signIn("alice", "wrong") } }
        await expectRefusal(.refused) { _ = try await bench.signIn() }
        let unlocked = try await bench.people.unlock(alice.id, by: Self.owner)
        #expect(unlocked.failuresCount == 0 && unlocked.lockedUntil == nil)
        #expect(try await bench.signIn().session.stage == .open)
        #expect(try await bench.entries(.personUnlock).map(\.subject) == ["alice"])
        #expect(try await bench.people.administration.checkAuditLog().isSound)
    }
}
