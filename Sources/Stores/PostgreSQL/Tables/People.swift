//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Time

/// Whoever reads one of these rows in a write transaction may write it whole, and locks it first.
extension PostgreSQLReading {
    func person(_ id: PersonID) throws -> Person? {
        try self.transaction.lock(id)
        return try self.transaction.record(sql.personByID, id.text)
    }

    func person(named userName: String) throws -> Person? {
        try self.transaction.lockPeople("user_name = $1", [userName])
        return try self.transaction.record(sql.personByName, userName)
    }

    func person(_ identity: ExternalIdentity) throws -> Person? {
        try self.transaction.lockPeople("issuer = $1 AND subject = $2", [identity.issuer, identity.subject])
        return try self.transaction.record(sql.personByIdentity, identity.issuer, identity.subject)
    }

    func person(invitedBy digest: String) throws -> Person? {
        try self.transaction.lockPeople("invitation_digest = $1", [digest])
        return try self.transaction.record(sql.personByInvitation, digest)
    }

    /// In one order, so that of two who look whether another owner is left the second sees what the first has done.
    func people() throws -> [Person] {
        try self.transaction.lockPeople("true ORDER BY id", [])
        return try self.transaction.records(Person.all)
    }

    /// The person's row stands for it.
    func secondFactor(of person: PersonID) throws -> SecondFactor? {
        try self.transaction.lock(person)
        return try self.transaction.record(sql.factorQuery, person.text)
    }

    func personSession(_ id: PersonSessionID) throws -> PersonSession? {
        try self.transaction.record(sql.sessionByID, id.text)
    }

    /// Two requests with one secret that both would put another in its place come one after the other.
    func personSession(digest: [UInt8]) throws -> PersonSession? {
        if self.transaction.isWriting {
            try self.transaction.sendLock("SELECT FROM person_sessions WHERE digest = $1 FOR UPDATE", [digest])
        }
        return try self.transaction.record(sql.sessionByDigest, digest)
    }

    func personSessions(of person: PersonID) throws -> [PersonSession] {
        try self.transaction.records(sql.sessionsQuery, person.text)
    }

    func accessToken(_ id: AccessTokenID) throws -> AccessToken? {
        if self.transaction.isWriting {
            try self.transaction.sendLock("SELECT FROM access_tokens WHERE id = $1 FOR NO KEY UPDATE", [id.text])
        }
        return try self.transaction.record(sql.tokenByID, id.text)
    }

    func accessToken(digest: [UInt8]) throws -> AccessToken? {
        if self.transaction.isWriting {
            try self.transaction.sendLock("SELECT FROM access_tokens WHERE digest = $1 FOR NO KEY UPDATE", [digest])
        }
        return try self.transaction.record(sql.tokenByDigest, digest)
    }

    func accessTokens() throws -> [AccessToken] { try self.transaction.records(AccessToken.all) }
}

extension PostgreSQLTransaction {
    func insert(_ person: Person) throws {
        try self.transaction.write { try self.transaction.execute(sql.personInsert, person.columnValues) }
    }

    func update(_ person: Person, from version: Int) throws {
        try self.transaction.write {
            try self.transaction.require(
                personUpdate, person.values(of: Person.change.columns) + [version], orElse: .conflict)
        }
    }

    func delete(_ person: PersonID) throws {
        try self.transaction.write {
            try self.transaction.execute(sql.sessionsDelete, person.text)
            try self.transaction.execute(sql.factorDelete, person.text)
            try self.transaction.execute(sql.personDelete, person.text)
        }
    }

    func upsert(_ factor: SecondFactor) throws {
        try self.transaction.write { try self.transaction.execute(sql.factorUpsert, factor.columnValues) }
    }

    func deleteSecondFactor(of person: PersonID) throws {
        try self.transaction.write { try self.transaction.execute(sql.factorDelete, person.text) }
    }

    func insert(_ session: PersonSession) throws {
        try self.transaction.write { try self.transaction.execute(sql.sessionInsert, session.columnValues) }
    }

    func update(_ session: PersonSession) throws {
        try self.transaction.write {
            try self.transaction.execute(sql.sessionUpdate, session.values(of: PersonSession.change.columns))
        }
    }

    func delete(_ session: PersonSessionID) throws {
        try self.transaction.write { try self.transaction.execute(sql.sessionDelete, session.text) }
    }

    func deletePersonSessions(of person: PersonID) throws {
        try self.transaction.write { try self.transaction.execute(sql.sessionsDelete, person.text) }
    }

    /// One that somebody holds is left for the next time, and nodes that delete at the same time pass each other.
    func deletePersonSessions(endedBy now: Timestamp, unseenSince: Timestamp, seenAfter: Timestamp) throws {
        try self.transaction.write {
            try self.transaction.execute(
                """
                DELETE FROM person_sessions WHERE id IN (
                    SELECT id FROM person_sessions
                    WHERE ends_at <= $1 OR last_seen_at < $2 OR last_seen_at > $3 OR created_at > $3
                    FOR UPDATE SKIP LOCKED)
                """, now.milliseconds, unseenSince.milliseconds, seenAfter.milliseconds)
        }
    }

    func insert(_ token: AccessToken) throws {
        try self.transaction.write { try self.transaction.execute(sql.tokenInsert, token.columnValues) }
    }

    func update(_ token: AccessToken) throws {
        try self.transaction.write {
            try self.transaction.require(
                tokenUpdate, token.values(of: AccessToken.change.columns), orElse: .corrupt("access_tokens.id"))
        }
    }
}

extension Transaction {
    /// Locks a person's row for whoever decides by it, or writes it whole.
    func lock(_ id: PersonID) throws { try self.lockPeople("id = $1", [id.text]) }

    fileprivate func lockPeople(_ condition: String, _ arguments: RowArguments) throws {
        guard self.isWriting else { return }
        try self.sendLock("SELECT FROM people WHERE \(condition) FOR NO KEY UPDATE", arguments)
    }
}

private let sql = PeopleStatements(parameters)
private let personUpdate = RequiredChange(sql.personUpdate)
private let tokenUpdate = RequiredChange(sql.tokenUpdate)
