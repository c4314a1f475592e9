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

/// Sign-in that a provider has proved.
@Suite struct ExternalSignInTests {
    private static let identity = ExternalIdentity(issuer: "https://login.example", subject: "7")

    private func proof(_ change: (inout ExternalSignIn) -> Void = { _ in }) -> ExternalSignIn {
        var proof = ExternalSignIn(provider: "company", identity: Self.identity)
        change(&proof)
        return proof
    }

    @discardableResult
    private func add(
        _ bench: PeopleBench, _ name: String = "alice", email: String? = nil, identity: ExternalIdentity? = nil,
        with credential: FirstCredential = .none
    ) async throws -> Person {
        try await bench.people.create(
            PersonDraft(
                userName: name, displayName: name, email: email, role: .support, externalIdentity: identity),
            with: credential, by: PeopleBench.owner
        ).person
    }

    private func expectRefusal(
        _ refusal: ExternalSignInRefusal, _ bench: PeopleBench, _ proof: ExternalSignIn,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await #expect(throws: refusal, sourceLocation: sourceLocation) {
            try await bench.people.signIn(external: proof, from: bench.origin)
        }
    }

    @Test func whoIsKnownIsSignedInWithHisOwnRoleAndAudited() async throws {
        let bench = try await PeopleBench.open()
        let alice = try await self.add(bench, identity: Self.identity)
        let opened = try await bench.people.signIn(external: self.proof(), from: bench.origin)
        #expect(opened.session.stage == .open && opened.person.id == alice.id)
        let found = try #require(try await bench.people.authenticate(session: opened.secret))
        #expect(found.access == Access(.support) && found.person.lastSignInAt == bench.test.clock.now)
        let entry = try #require(try await bench.entries(.personSignIn).last)
        #expect(entry.subject == "alice" && entry.details["provider"] == "company")
        #expect(entry.details["session"] == opened.session.id.text && entry.details["linkedBy"] == nil)
        #expect(entry.details["address"] == "192.0.2.7")
    }

    /// Whoever administers some merchants' people gives them any address: that keeps nobody of the house out, and no identity
    /// is his to give.
    @Test func anAddressOfAMerchantsPersonKeepsNobodyOfTheHouseOut() async throws {
        let bench = try await PeopleBench.open()
        let shop = try await bench.test.gateway.administration.createMerchant(
            name: "shop", displayName: "Shop", mode: .sandbox, countryCode: "DE")
        let owner = Access(.owner, merchants: [shop.id])
        func draft(_ name: String, _ identity: ExternalIdentity? = nil) -> PersonDraft {
            PersonDraft(
                userName: name, displayName: name, email: "alice@example.com", role: .viewer, merchants: [shop.id],
                externalIdentity: identity)
        }
        await expectError(.accessNotAllowed) {
            _ = try await bench.people.create(draft("mallory", Self.identity), with: .none, by: owner)
        }
        let clerk = try await bench.people.create(draft("clerk"), with: .none, by: owner).person
        var change = PersonChange()
        change.externalIdentity = .set(Self.identity)
        await expectError(.accessNotAllowed) { [change] in
            try await bench.people.change(clerk.id, change, by: owner)
        }
        let alice = try await self.add(bench, email: "Alice@example.com")
        let proof = self.proof { ($0.linksByEmail, $0.verifiedEmail) = (true, "alice@example.com") }
        #expect(try await bench.people.signIn(external: proof, from: bench.origin).person.id == alice.id)
        var address = PersonChange()
        address.email = .set("clerk@example.com")
        try await bench.people.change(clerk.id, address, by: owner)
        #expect(try await bench.entries(.personChange).last?.details["email"] == "clerk@example.com")
    }

    /// Issuer and subject together are the identity: a subject of another issuer is somebody else.
    @Test func refusesWhomNobodyKnows() async throws {
        let bench = try await PeopleBench.open()
        try await self.add(bench, email: "alice@shop.example", identity: Self.identity)
        for identity in [
            ExternalIdentity(issuer: "https://evil.example", subject: "7"),
            ExternalIdentity(issuer: "https://login.example", subject: "8"),
            ExternalIdentity(issuer: "https://login.example/", subject: "7"),
        ] {
            await self.expectRefusal(.personUnknown, bench, self.proof { $0.identity = identity })
        }
        // An address alone is none that counts, and never one of a person who is known otherwise.
        for links in [false, true] {
            await self.expectRefusal(
                .personUnknown, bench,
                self.proof {
                    $0.identity = ExternalIdentity(issuer: "https://evil.example", subject: "7")
                    $0.verifiedEmail = "alice@shop.example"
                    $0.linksByEmail = links
                })
        }
        #expect(try await bench.entries(.personSignIn).isEmpty)
    }

    @Test func refusesTheSuspended() async throws {
        let bench = try await PeopleBench.open()
        let alice = try await self.add(bench, identity: Self.identity)
        let bob = try await self.add(bench, "bob", email: "bob@shop.example")
        for person in [alice, bob] { try await bench.people.suspend(person.id, by: PeopleBench.owner) }
        await self.expectRefusal(.personSuspended, bench, self.proof())
        await self.expectRefusal(
            .personSuspended, bench,
            self.proof {
                $0.identity = ExternalIdentity(issuer: "https://login.example", subject: "8")
                ($0.verifiedEmail, $0.linksByEmail) = ("bob@shop.example", true)
            })
    }

    // MARK: - The first time

    @Test func aVerifiedAddressLinksOnce() async throws {
        let bench = try await PeopleBench.open()
        let alice = try await self.add(bench, email: "Alice@Shop.example")
        let linking = self.proof { ($0.verifiedEmail, $0.linksByEmail) = ("alice@shop.EXAMPLE", true) }
        await self.expectRefusal(.personUnknown, bench, self.proof { $0.verifiedEmail = "alice@shop.example" })
        await self.expectRefusal(.personUnknown, bench, self.proof { $0.linksByEmail = true })
        let opened = try await bench.people.signIn(external: linking, from: bench.origin)
        #expect(opened.person.externalIdentity == Self.identity)
        let kept = try await bench.people.person(alice.id)
        #expect(kept.externalIdentity == Self.identity && kept.version == alice.version + 1)
        #expect(try await bench.entries(.personSignIn).last?.details["linkedBy"] == "email")
        // From now on by the identity; whoever gets the address later at the provider is somebody else.
        _ = try await bench.people.signIn(external: self.proof(), from: bench.origin)
        await self.expectRefusal(
            .personUnknown, bench,
            self.proof {
                $0.identity = ExternalIdentity(issuer: "https://login.example", subject: "8")
                ($0.verifiedEmail, $0.linksByEmail) = ("alice@shop.example", true)
            })
    }

    /// What Unicode holds to be equal are two addresses and two subjects to a provider (OpenID Connect Core 1.0, section 14).
    @Test func namesAreComparedByTheirCodePoints() async throws {
        let bench = try await PeopleBench.open()
        try await self.add(bench, email: "caf\u{E9}@shop.example")
        await self.expectRefusal(
            .personUnknown, bench,
            self.proof { ($0.verifiedEmail, $0.linksByEmail) = ("cafe\u{301}@shop.example", true) })
        let one = ExternalIdentity(issuer: "https://login.example", subject: "\u{E9}")
        let other = ExternalIdentity(issuer: "https://login.example", subject: "e\u{301}")
        #expect(one != other && Set([one, other, one]).count == 2)
        let bob = try await self.add(bench, "bob", identity: one)
        var change = PersonChange()
        change.externalIdentity = .set(other)
        try await bench.people.change(bob.id, change, by: PeopleBench.owner)
        let opened = try await bench.people.signIn(external: self.proof { $0.identity = other }, from: bench.origin)
        #expect(opened.person.id == bob.id)
        await self.expectRefusal(.personUnknown, bench, self.proof { $0.identity = one })
    }

    @Test func anAddressThatSeveralPeopleHaveLinksNobody() async throws {
        let bench = try await PeopleBench.open()
        try await self.add(bench, email: "team@shop.example")
        try await self.add(bench, "bob", email: "team@shop.example")
        await self.expectRefusal(
            .identityAmbiguous, bench,
            self.proof { ($0.verifiedEmail, $0.linksByEmail) = ("team@shop.example", true) })
        #expect(try await bench.people.all().allSatisfy { $0.externalIdentity == nil })
    }

    @Test func aLinkStandsInTheLogAlsoWhereTheSignInIsNotComplete() async throws {
        let bench = try await PeopleBench.open { $0.secondFactorRoles = [.support] }
        try await self.add(bench, email: "alice@shop.example")
        let opened = try await bench.people.signIn(
            external: self.proof { ($0.verifiedEmail, $0.linksByEmail) = ("alice@shop.example", true) },
            from: bench.origin)
        #expect(opened.session.stage == .enrollment)
        let entry = try #require(try await bench.entries(.personSignIn).last)
        #expect(entry.details["linkedBy"] == "email" && entry.details["session"] == nil)
    }

    // MARK: - The second factor

    @Test func theSecondFactorIsAskedForUnlessTheProviderDoes() async throws {
        let bench = try await PeopleBench.open { $0.secondFactorRoles = [.support] }
        try await self.add(bench, identity: Self.identity)
        let first = try await bench.people.signIn(external: self.proof(), from: bench.origin)
        #expect(first.session.stage == .enrollment)
        #expect(try await bench.people.authenticate(session: first.secret) == nil)
        #expect(try await bench.entries(.personSignIn).isEmpty)
        let (app, confirmed) = try await bench.enroll(first.secret)
        #expect(confirmed.session.session.stage == .open)
        let second = try await bench.people.signIn(external: self.proof(), from: bench.origin)
        #expect(second.session.stage == .secondFactor)
        let opened = try await bench.people.signIn(
            code: bench.code(of: app), session: second.secret, from: bench.origin)
        #expect(opened.session.stage == .open)
        let trusted = try await bench.people.signIn(
            external: self.proof { $0.provesSecondFactor = true }, from: bench.origin)
        #expect(trusted.session.stage == .open)
    }

    /// A password that somebody else has made is none that was used here.
    @Test func aPasswordThatIsDueIsNoObstacleWhereTheProviderProvesAll() async throws {
        let bench = try await PeopleBench.open()
        try await self.add(bench, identity: Self.identity, with: .password)
        let opened = try await bench.people.signIn(
            external: self.proof { $0.provesSecondFactor = true }, from: bench.origin)
        #expect(opened.session.stage == .open)
    }

    /// Whoever guesses passwords cannot keep out somebody who shows none.
    @Test func guessersLockNobodyOutOfAProvider() async throws {
        let bench = try await PeopleBench.open { $0.freeFailuresOfAddress = 2 }
        let alice = try await bench.add()
        var change = PersonChange()
        change.externalIdentity = .set(Self.identity)
        try await bench.people.change(alice.id, change, by: PeopleBench.owner)
        for _ in 0..<6 { _ = try? await bench.signIn("alice", "wrong", from: "192.0.2.9") }
        for _ in 0..<6 {
            _ = try? await bench.signIn("alice", "wrong")
            bench.test.clock.advance(seconds: 1)
        }
        #expect(try await bench.people.person(alice.id).lockedUntil != nil)
        let opened = try await bench.people.signIn(external: self.proof(), from: bench.origin)
        #expect(opened.session.stage == .open)
    }

    // MARK: - Tickets

    @Test func ticketsOpenWhereTheyWereSealedAndNowhereElse() async throws {
        let bench = try await PeopleBench.open()
        let ticket = Redacted(Array("state".utf8))
        let sealed = try bench.people.seal(externalSignIn: ticket)
        #expect(try await bench.people.open(externalSignIn: sealed) == ticket)
        #expect(sealed.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\",;\\".utf8.contains($0) })
        #expect(try bench.people.seal(externalSignIn: ticket) != sealed)
        let parts = sealed.split(separator: ".")
        for text in [
            "", ".", "\(parts[0]).", "\(parts[0])", "\(sealed)00", "\(sealed.dropLast(2))zz", "x.\(parts[1])",
            "\(parts[0]).\(parts[1].dropLast(2))", String(repeating: "a", count: 4000),
        ] { #expect(try await bench.people.open(externalSignIn: text) == nil, "\(text)") }
    }

    /// The browser comes back to a node that has not heard yet of the key under which another one has sealed.
    @Test func ticketsOpenWhereTheirKeyIsNotKnownYet() async throws {
        let bench = try await PeopleBench.open()
        let other = PeopleBench.people(of: try await TestGateway.open(store: bench.test.store), bench.people.settings)
        try await bench.people.administration.rotateDataKey()
        let ticket = Redacted(Array("state".utf8))
        let sealed = try bench.people.seal(externalSignIn: ticket)
        #expect(try await other.open(externalSignIn: sealed) == ticket)
    }
}
