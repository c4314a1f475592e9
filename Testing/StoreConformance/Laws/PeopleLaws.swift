//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Redaction
import Time

/// What bodies throw here.
private struct BodyFailure: Error {}

extension Fixtures {
    /// A person with nothing that may be left out.
    func person(role: Role = .owner) -> Person {
        Person(
            id: self.id(), userName: "person\(self.number())", displayName: "", role: role, createdAt: self.time())
    }

    func session(of person: Person, stage: PersonSession.Stage = .open, endsAt: Timestamp? = nil) -> PersonSession {
        PersonSession(
            id: self.id(), digest: self.bytes(32), personID: person.id, stage: stage, createdAt: self.time(),
            lastSeenAt: self.time(), endsAt: endsAt ?? self.time())
    }

    func accessToken() -> AccessToken {
        AccessToken(
            id: self.id(), name: "Nightly “report”", digest: self.bytes(32), access: Access(.viewer), madeBy: "alice",
            createdAt: self.time(), endsAt: self.time())
    }
}

extension Trial {
    private func fullPerson() throws -> Person {
        let (cad, kwd) = (try self.make.money(0).currency, try self.make.money(0, "KWD").currency)
        return Person(
            id: self.make.id(), userName: "zoë@person\(self.make.number())", displayName: "Zoë “Löwe”",
            email: "zoe@shop.example", role: .support, merchants: [self.make.id(), self.make.id()],
            refundLimits: [cad: 10_000, kwd: 0], state: .suspended,
            passwordVerifier: Redacted("$scrypt$ln=4,r=8,p=1$c2FsdA$aGFzaA"), isPasswordInitial: true,
            failuresCount: 7, lockedUntil: self.make.time(),
            invitation: Invitation(digest: "digest \(self.make.number())", endsAt: self.make.time()),
            externalIdentity: ExternalIdentity(
                issuer: "https://login.example", subject: "subject \(self.make.number())"),
            createdAt: self.make.time(), lastSignInAt: self.make.time(), version: 3)
    }

    private func storedPerson(role: Role = .owner) async throws -> Person {
        let person = self.make.person(role: role)
        try await self.store.write { try $0.insert(person) }
        return person
    }

    // MARK: - People

    func peopleRoundTrip() async throws {
        let (bare, full) = (self.make.person(), try self.fullPerson())
        var none = try self.fullPerson()
        (none.merchants, none.refundLimits) = ([], [:])
        let people = [bare, full, none]
        try await self.store.write { transaction in
            for person in people.reversed() { try transaction.insert(person) }
        }
        for person in people {
            try await self.expectStored(person, "person by id") { try $0.person(person.id) }
            try await self.expectStored(person, "person by name") { try $0.person(named: person.userName) }
            if let identity = person.externalIdentity {
                try await self.expectStored(person, "person by identity") { try $0.person(identity) }
            }
            if let invitation = person.invitation {
                try await self.expectStored(person, "invited person") { try $0.person(invitedBy: invitation.digest) }
            }
        }
        try await self.expectStored(people, "people, oldest first") { try $0.people() }
        let issuer = full.externalIdentity?.issuer ?? ""
        let nobody = try await self.store.read { reader in
            try [
                reader.person(self.make.id()), reader.person(named: bare.userName.uppercased()),
                reader.person(named: "no\u{0}body"), reader.person(invitedBy: ""),
                reader.person(ExternalIdentity(issuer: issuer, subject: "another")),
            ]
        }
        try self.expect(nobody.allSatisfy { $0 == nil }, "somebody is found by another name")
    }

    func peopleAreUpdatedFromTheirVersion() async throws {
        let (person, other) = (try self.fullPerson(), self.make.person())
        try await self.store.write { transaction in
            try transaction.insert(person)
            try transaction.insert(other)
        }
        let handedIn = Person(
            id: person.id, userName: "renamed", displayName: "New", role: .viewer, createdAt: self.make.time(),
            version: 4)
        let wanted = Person(
            id: person.id, userName: person.userName, displayName: "New", role: .viewer, createdAt: person.createdAt,
            version: 4)
        try await self.expectRefusal(.conflict, "a change from an old version") { try $0.update(handedIn, from: 2) }
        try await self.expectStored(person, "person after a refused change") { try $0.person(person.id) }
        try await self.store.write { try $0.update(handedIn, from: 3) }
        try await self.expectStored(wanted, "person after a change") { try $0.person(person.id) }
        try await self.expectStored(other, "another person") { try $0.person(other.id) }
        try await self.expectRefusal(.conflict, "the same change again") { try $0.update(handedIn, from: 3) }
        // What is no change of somebody's leaves the version.
        var failed = wanted
        failed.failuresCount = 9
        let failedOnce = failed
        try await self.store.write { try $0.update(failedOnce, from: 4) }
        try await self.expectStored(failedOnce, "person after a failure") { try $0.person(person.id) }
        let unknown = self.make.person()
        try await self.expectRefusal(.conflict, "a change of nobody") { try $0.update(unknown, from: 1) }
    }

    func peopleAreUnique() async throws {
        let (person, other) = (try self.fullPerson(), self.make.person())
        let (session, token) = (self.make.session(of: other), self.make.accessToken())
        try await self.store.write { transaction in
            try transaction.insert(person)
            try transaction.insert(other)
            try transaction.insert(session)
            try transaction.insert(token)
        }
        let sameName = Person(
            id: self.make.id(), userName: person.userName, displayName: "", role: .owner, createdAt: self.make.time())
        let sameID = Person(
            id: person.id, userName: "another", displayName: "", role: .owner, createdAt: self.make.time())
        var identified = other
        identified.externalIdentity = person.externalIdentity
        let sameIdentity = identified
        try await self.expectRefusal(.duplicate("user name"), "a user name twice") { try $0.insert(sameName) }
        try await self.expectRefusal(.duplicate("person id"), "a person twice") { try $0.insert(sameID) }
        try await self.expectRefusal(.duplicate("external identity"), "one identity of two people") {
            try $0.update(sameIdentity, from: 1)
        }
        let sameSessionID = PersonSession(
            id: session.id, digest: self.make.bytes(32), personID: person.id, stage: .open,
            createdAt: self.make.time(), lastSeenAt: self.make.time(), endsAt: self.make.time())
        let sameSecret = PersonSession(
            id: self.make.id(), digest: session.digest, personID: person.id, stage: .open,
            createdAt: self.make.time(), lastSeenAt: self.make.time(), endsAt: self.make.time())
        try await self.expectRefusal(.duplicate("session id"), "a session twice") { try $0.insert(sameSessionID) }
        try await self.expectRefusal(.duplicate("session secret"), "a session's secret twice") {
            try $0.insert(sameSecret)
        }
        let sameTokenID = AccessToken(
            id: token.id, name: "", digest: self.make.bytes(32), access: Access(.viewer), madeBy: "",
            createdAt: self.make.time(), endsAt: self.make.time())
        let sameTokenSecret = AccessToken(
            id: self.make.id(), name: "", digest: token.digest, access: Access(.viewer), madeBy: "",
            createdAt: self.make.time(), endsAt: self.make.time())
        try await self.expectRefusal(.duplicate("access token id"), "a token twice") { try $0.insert(sameTokenID) }
        try await self.expectRefusal(.duplicate("access token secret"), "a token's secret twice") {
            try $0.insert(sameTokenSecret)
        }
    }

    func peopleAreDeletedWhole() async throws {
        let (person, other) = (try await self.storedPerson(), try await self.storedPerson())
        let sessions = [self.make.session(of: person), self.make.session(of: other)]
        let factors = [person, other].map {
            SecondFactor(
                personID: $0.id, content: SealedBytes(keyID: "k", box: self.make.bytes(9)),
                createdAt: self.make.time())
        }
        try await self.store.write { transaction in
            for session in sessions { try transaction.insert(session) }
            for factor in factors { try transaction.upsert(factor) }
        }
        try await self.store.write { try $0.delete(person.id) }
        try await self.expectStored([other], "people after a deletion") { try $0.people() }
        let left = try await self.store.read { reader in
            (
                try reader.personSession(sessions[0].id), try reader.secondFactor(of: person.id),
                try reader.personSession(sessions[1].id), try reader.secondFactor(of: other.id)
            )
        }
        try self.expect(left.0 == nil && left.1 == nil, "something of a deleted person is left")
        try self.expect(left.2 == sessions[1] && left.3 == factors[1], "something of another person is gone")
        let (late, lateFactor) = (sessions[0], factors[0])
        try await self.expectCorrupt("a session of nobody") { try $0.insert(late) }
        try await self.expectCorrupt("a second factor of nobody") { try $0.upsert(lateFactor) }
    }

    /// No failure is lost, whoever counts at the same time.
    func peopleAreChangedOneAfterTheOther() async throws {
        let person = try await self.storedPerson()
        let store = self.store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<20 {
                group.addTask {
                    try await store.write { transaction in
                        let read =
                            index.isMultiple(of: 2)
                            ? try transaction.person(person.id) : try transaction.person(named: person.userName)
                        guard var read else { throw BodyFailure() }
                        read.failuresCount += 1
                        try transaction.update(read, from: read.version)
                    }
                }
            }
            try await group.waitForAll()
        }
        try await self.expectStored(20, "failures") { try $0.person(person.id)?.failuresCount }
    }

    /// Of two who suspend each other, both seeing two owners at first, one finds that he is the last.
    func oneOfTwoOwnersRemains() async throws {
        for _ in 0..<5 {
            let owners = [try await self.storedPerson(), try await self.storedPerson()]
            let store = self.store
            try await withThrowingTaskGroup(of: Void.self) { group in
                for owner in owners {
                    group.addTask {
                        try await store.write { transaction in
                            let people = try transaction.people().filter { $0.state == .active }
                            guard people.count > 1, var own = people.first(where: { $0.id == owner.id }) else { return }
                            own.state = .suspended
                            try transaction.update(own, from: own.version)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let active = try await self.store.read { try $0.people().filter { $0.state == .active } }
            try self.expectEqual(active.count, 1, "owners that remain")
            try await self.store.write { for owner in owners { try $0.delete(owner.id) } }
        }
    }

    func secondFactorsRoundTrip() async throws {
        let person = try await self.storedPerson()
        let bare = SecondFactor(
            personID: person.id, content: SealedBytes(keyID: "one", box: self.make.bytes(40)),
            createdAt: self.make.time())
        let full = SecondFactor(
            personID: person.id, content: SealedBytes(keyID: "two", box: []), confirmedAt: self.make.time(),
            lastStep: 58_333_333, recoveryDigests: (0..<10).map { _ in self.make.bytes(32) },
            createdAt: self.make.time())
        for factor in [bare, full, bare] {
            try await self.store.write { try $0.upsert(factor) }
            try await self.expectStored(factor, "second factor") { try $0.secondFactor(of: person.id) }
        }
        try await self.store.write { try $0.deleteSecondFactor(of: person.id) }
        let found = try await self.store.read { try $0.secondFactor(of: person.id) }
        try self.expect(found == nil, "a second factor is there after its deletion")
    }
}
