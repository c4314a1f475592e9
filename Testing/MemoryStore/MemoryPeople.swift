//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Time

/// The people who administer, where they are signed in, and what lets machines do so.
extension MemoryReading {
    func person(_ id: PersonID) throws -> Person? { self.state.people[id] }

    func person(named userName: String) throws -> Person? {
        self.state.people.values.first { $0.userName == userName }
    }

    func person(_ identity: ExternalIdentity) throws -> Person? {
        self.state.people.values.first { $0.externalIdentity == identity }
    }

    func person(invitedBy digest: String) throws -> Person? {
        self.state.people.values.first { $0.invitation?.digest == digest }
    }

    func people() throws -> [Person] {
        self.state.people.values.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    func secondFactor(of person: PersonID) throws -> SecondFactor? { self.state.secondFactors[person] }

    func personSession(_ id: PersonSessionID) throws -> PersonSession? { self.state.personSessions[id] }

    func personSession(digest: [UInt8]) throws -> PersonSession? {
        self.state.personSessions.values.first { $0.digest == digest }
    }

    func personSessions(of person: PersonID) throws -> [PersonSession] {
        self.state.personSessions.values.filter { $0.personID == person }
            .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    func accessToken(_ id: AccessTokenID) throws -> AccessToken? { self.state.accessTokens[id] }

    func accessToken(digest: [UInt8]) throws -> AccessToken? {
        self.state.accessTokens.values.first { $0.digest == digest }
    }

    func accessTokens() throws -> [AccessToken] {
        self.state.accessTokens.values.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }
}

extension MemoryTransaction {
    func insert(_ person: Person) throws {
        guard self.state.people[person.id] == nil else { throw StoreError.duplicate("person id") }
        guard try self.person(named: person.userName) == nil else { throw StoreError.duplicate("user name") }
        try self.checkIdentity(of: person)
        self.put(person, person.id, in: \.people)
    }

    func update(_ person: Person, from version: Int) throws {
        guard let stored = self.state.people[person.id], stored.version == version else { throw StoreError.conflict }
        try self.checkIdentity(of: person)
        let changed = Person(
            id: stored.id, userName: stored.userName, displayName: person.displayName, email: person.email,
            role: person.role, merchants: person.merchants, refundLimits: person.refundLimits, state: person.state,
            passwordVerifier: person.passwordVerifier, isPasswordInitial: person.isPasswordInitial,
            failuresCount: person.failuresCount, lockedUntil: person.lockedUntil, invitation: person.invitation,
            externalIdentity: person.externalIdentity, createdAt: stored.createdAt,
            lastSignInAt: person.lastSignInAt, version: person.version)
        self.put(changed, person.id, in: \.people)
    }

    private func checkIdentity(of person: Person) throws {
        guard let identity = person.externalIdentity, let holder = try self.person(identity) else { return }
        guard holder.id == person.id else { throw StoreError.duplicate("external identity") }
    }

    func delete(_ person: PersonID) throws {
        try self.deletePersonSessions(of: person)
        try self.deleteSecondFactor(of: person)
        self.put(nil, person, in: \.people)
    }

    func upsert(_ factor: SecondFactor) throws {
        self.refer(to: factor.personID, in: \.people)
        self.put(factor, factor.personID, in: \.secondFactors)
    }

    func deleteSecondFactor(of person: PersonID) throws { self.put(nil, person, in: \.secondFactors) }

    func insert(_ session: PersonSession) throws {
        guard self.state.personSessions[session.id] == nil else { throw StoreError.duplicate("session id") }
        guard try self.personSession(digest: session.digest) == nil else {
            throw StoreError.duplicate("session secret")
        }
        self.refer(to: session.personID, in: \.people)
        self.put(session, session.id, in: \.personSessions)
    }

    func update(_ session: PersonSession) throws {
        guard var stored = self.state.personSessions[session.id] else { return }
        stored.lastSeenAt = session.lastSeenAt
        self.put(stored, session.id, in: \.personSessions)
    }

    func delete(_ session: PersonSessionID) throws { self.put(nil, session, in: \.personSessions) }

    func deletePersonSessions(of person: PersonID) throws {
        for session in try self.personSessions(of: person) { try self.delete(session.id) }
    }

    func deletePersonSessions(endedBy now: Timestamp, unseenSince: Timestamp, seenAfter: Timestamp) throws {
        for session in self.state.personSessions.values
        where session.endsAt <= now || session.lastSeenAt < unseenSince
            || max(session.lastSeenAt, session.createdAt) > seenAfter
        {
            try self.delete(session.id)
        }
    }

    func insert(_ token: AccessToken) throws {
        guard self.state.accessTokens[token.id] == nil else { throw StoreError.duplicate("access token id") }
        guard try self.accessToken(digest: token.digest) == nil else {
            throw StoreError.duplicate("access token secret")
        }
        self.put(token, token.id, in: \.accessTokens)
    }

    func update(_ token: AccessToken) throws {
        guard var stored = self.state.accessTokens[token.id] else { throw StoreError.corrupt("access_tokens.id") }
        stored.revokedAt = token.revokedAt
        stored.lastUsedAt = token.lastUsedAt
        self.put(stored, token.id, in: \.accessTokens)
    }
}
