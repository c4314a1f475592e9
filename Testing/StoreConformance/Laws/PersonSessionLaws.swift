//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Time

/// What bodies throw here.
private struct BodyFailure: Error {}

/// Where people are signed in, and what lets machines administer.
extension Trial {
    func personSessionsRoundTrip() async throws {
        let (person, other) = (self.make.person(), self.make.person())
        var sessions = PersonSession.Stage.allCases.map { self.make.session(of: person, stage: $0) }
        sessions.append(
            PersonSession(
                id: self.make.id(), digest: self.make.bytes(32), personID: person.id, stage: .open,
                createdAt: self.make.time(), lastSeenAt: self.make.time(), endsAt: self.make.time(),
                address: "2001:db8::1", userAgent: "Mozilla/5.0 “Löwe”"))
        let (all, others) = (sessions, self.make.session(of: other))
        try await self.store.write { transaction in
            for session in all.reversed() { try transaction.insert(session) }
            try transaction.insert(others)
            try transaction.insert(person)
            try transaction.insert(other)
        }
        for session in all + [others] {
            try await self.expectStored(session, "session by id") { try $0.personSession(session.id) }
            try await self.expectStored(session, "session by secret") { try $0.personSession(digest: session.digest) }
        }
        try await self.expectStored(all, "a person's sessions, oldest first") { try $0.personSessions(of: person.id) }
        // Only when it was last seen is written.
        let seenAt = self.make.time()
        var wanted = all[0]
        wanted.lastSeenAt = seenAt
        let handedIn = PersonSession(
            id: all[0].id, digest: self.make.bytes(32), personID: other.id, stage: .open, createdAt: self.make.time(),
            lastSeenAt: seenAt, endsAt: self.make.time(), address: "1")
        let unknown = self.make.session(of: person)
        try await self.store.write { transaction in
            try transaction.update(handedIn)
            try transaction.update(unknown)
        }
        let seen = [wanted] + all.dropFirst()
        try await self.expectStored(seen, "sessions after one was seen") { try $0.personSessions(of: person.id) }
        let nothing = try await self.store.read { reader in
            (try reader.personSession(self.make.id()), try reader.personSession(digest: []))
        }
        try self.expect(nothing.0 == nil && nothing.1 == nil, "a session is found by another name")
    }

    func personSessionsEnd() async throws {
        let (person, other) = (self.make.person(), self.make.person())
        let now = self.make.time()
        func session(_ owner: Person, made: Int64 = -99, seen: Int64, ends: Int64) -> PersonSession {
            PersonSession(
                id: self.make.id(), digest: self.make.bytes(32), personID: owner.id, stage: .open,
                createdAt: now.adding(seconds: made), lastSeenAt: now.adding(seconds: seen),
                endsAt: now.adding(seconds: ends))
        }
        let ended = [
            session(person, seen: 0, ends: 0), session(other, seen: -61, ends: 9),
            session(person, seen: 31, ends: 99), session(person, made: 31, seen: 0, ends: 99),
        ]
        let running = [
            session(person, seen: -60, ends: 1), session(person, made: -98, seen: 0, ends: 9),
            session(person, made: 30, seen: 30, ends: 99),
        ]
        let others = session(other, seen: 0, ends: 9)
        try await self.store.write { transaction in
            try transaction.insert(person)
            try transaction.insert(other)
            for session in ended + running + [others] { try transaction.insert(session) }
            try transaction.deletePersonSessions(
                endedBy: now, unseenSince: now.adding(seconds: -60), seenAfter: now.adding(seconds: 30))
        }
        try await self.expectStored(running, "sessions that have not ended") { try $0.personSessions(of: person.id) }
        try await self.expectStored([others], "sessions of another") { try $0.personSessions(of: other.id) }
        try await self.store.write { transaction in
            try transaction.delete(running[0].id)
            try transaction.delete(running[0].id)
        }
        try await self.expectStored(Array(running.dropFirst()), "sessions after one was ended") {
            try $0.personSessions(of: person.id)
        }
        try await self.store.write { try $0.deletePersonSessions(of: person.id) }
        try await self.expectStored([], "sessions after all were ended") { try $0.personSessions(of: person.id) }
        try await self.expectStored([others], "sessions of another") { try $0.personSessions(of: other.id) }
    }

    /// Of many who put another session in the place of one, one finds it.
    func personSessionsAreReplacedOnce() async throws {
        let person = self.make.person()
        let session = self.make.session(of: person, stage: .secondFactor)
        try await self.store.write { transaction in
            try transaction.insert(person)
            try transaction.insert(session)
        }
        let successors = (0..<10).map { _ in self.make.session(of: person) }
        let store = self.store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for successor in successors {
                group.addTask {
                    try await store.write { transaction in
                        guard let found = try transaction.personSession(digest: session.digest) else { return }
                        try transaction.delete(found.id)
                        try transaction.insert(successor)
                    }
                }
            }
            try await group.waitForAll()
        }
        try await self.expectStored(1, "successors of one session") { try $0.personSessions(of: person.id).count }
    }

    func accessTokensRoundTrip() async throws {
        let bare = self.make.accessToken()
        let full = AccessToken(
            id: self.make.id(), name: "Café", digest: self.make.bytes(32),
            access: Access(
                scopes: [.paymentsRead, .paymentsRefund], merchants: [self.make.id(), self.make.id()],
                changesSandboxOnly: true),
            madeBy: "root@db1", createdAt: self.make.time(), endsAt: self.make.time(), revokedAt: self.make.time(),
            lastUsedAt: self.make.time())
        let none = AccessToken(
            id: self.make.id(), name: "", digest: self.make.bytes(32), access: Access(scopes: [], merchants: []),
            madeBy: "", createdAt: self.make.time(), endsAt: self.make.time())
        let tokens = [bare, full, none]
        try await self.store.write { transaction in
            for token in tokens.reversed() { try transaction.insert(token) }
        }
        for token in tokens {
            try await self.expectStored(token, "access token by id") { try $0.accessToken(token.id) }
            try await self.expectStored(token, "access token by secret") { try $0.accessToken(digest: token.digest) }
        }
        try await self.expectStored(tokens, "access tokens, oldest first") { try $0.accessTokens() }
        // What a token is for life is not written, whatever is handed in.
        let handedIn = AccessToken(
            id: bare.id, name: "renamed", digest: self.make.bytes(32), access: Access(.owner), madeBy: "another",
            createdAt: self.make.time(), endsAt: self.make.time(), revokedAt: self.make.time(),
            lastUsedAt: self.make.time())
        var wanted = bare
        (wanted.revokedAt, wanted.lastUsedAt) = (handedIn.revokedAt, handedIn.lastUsedAt)
        try await self.store.write { try $0.update(handedIn) }
        let changed = [wanted, full, none]
        try await self.expectStored(changed, "access tokens after a change") { try $0.accessTokens() }
        let unknown = self.make.accessToken()
        try await self.expectRefusal(.corrupt("access_tokens.id"), "a change of no token") { try $0.update(unknown) }
        let nothing = try await self.store.read { reader in
            (try reader.accessToken(self.make.id()), try reader.accessToken(digest: []))
        }
        try self.expect(nothing.0 == nil && nothing.1 == nil, "a token is found by another name")
    }

    func peopleOfAThrowingBodyAreGone() async throws {
        let person = self.make.person()
        var changedPerson = person
        changedPerson.state = .suspended
        let (changed, session, token) = (changedPerson, self.make.session(of: person), self.make.accessToken())
        let factor = SecondFactor(
            personID: person.id, content: SealedBytes(keyID: "k", box: []), createdAt: self.make.time())
        do {
            try await self.store.write { transaction in
                try transaction.insert(person)
                try transaction.update(changed, from: 1)
                try transaction.insert(session)
                try transaction.upsert(factor)
                try transaction.insert(token)
                try transaction.update(token)
                throw BodyFailure()
            }
            try self.expect(false, "what the body throws is not thrown")
        } catch is BodyFailure {}
        let isGone = try await self.store.read { reader in
            try [
                reader.people().isEmpty, reader.person(person.id) == nil, reader.secondFactor(of: person.id) == nil,
                reader.personSessions(of: person.id).isEmpty, reader.accessTokens().isEmpty,
            ]
        }
        try self.expect(isGone.allSatisfy { $0 }, "something of a body that threw is left: \(isGone)")
    }
}
