//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Time

extension SQLiteReading {
    func person(_ id: PersonID) throws -> Person? { try self.connection.record(sql.personByID, id.text) }

    func person(named userName: String) throws -> Person? { try self.connection.record(sql.personByName, userName) }

    func person(_ identity: ExternalIdentity) throws -> Person? {
        try self.connection.record(sql.personByIdentity, identity.issuer, identity.subject)
    }

    func person(invitedBy digest: String) throws -> Person? {
        try self.connection.record(sql.personByInvitation, digest)
    }

    func people() throws -> [Person] { try self.connection.records(Person.all) }

    func secondFactor(of person: PersonID) throws -> SecondFactor? {
        try self.connection.record(sql.factorQuery, person.text)
    }

    func personSession(_ id: PersonSessionID) throws -> PersonSession? {
        try self.connection.record(sql.sessionByID, id.text)
    }

    func personSession(digest: [UInt8]) throws -> PersonSession? {
        try self.connection.record(sql.sessionByDigest, digest)
    }

    func personSessions(of person: PersonID) throws -> [PersonSession] {
        try self.connection.records(sql.sessionsQuery, person.text)
    }

    func accessToken(_ id: AccessTokenID) throws -> AccessToken? { try self.connection.record(sql.tokenByID, id.text) }

    func accessToken(digest: [UInt8]) throws -> AccessToken? { try self.connection.record(sql.tokenByDigest, digest) }

    func accessTokens() throws -> [AccessToken] { try self.connection.records(AccessToken.all) }
}

extension SQLiteTransaction {
    func insert(_ person: Person) throws {
        try self.connection.execute(sql.personInsert, person.columnValues)
    }

    func update(_ person: Person, from version: Int) throws {
        let changesCount = try self.connection.execute(
            sql.personUpdate, person.values(of: Person.change.columns) + [version])
        guard changesCount == 1 else { throw StoreError.conflict }
    }

    func delete(_ person: PersonID) throws {
        try self.connection.atomically {
            try self.connection.execute(sql.sessionsDelete, person.text)
            try self.connection.execute(sql.factorDelete, person.text)
            try self.connection.execute(sql.personDelete, person.text)
        }
    }

    func upsert(_ factor: SecondFactor) throws {
        try self.connection.execute(sql.factorUpsert, factor.columnValues)
    }

    func deleteSecondFactor(of person: PersonID) throws {
        try self.connection.execute(sql.factorDelete, person.text)
    }

    func insert(_ session: PersonSession) throws {
        try self.connection.execute(sql.sessionInsert, session.columnValues)
    }

    func update(_ session: PersonSession) throws {
        try self.connection.execute(sql.sessionUpdate, session.values(of: PersonSession.change.columns))
    }

    func delete(_ session: PersonSessionID) throws {
        try self.connection.execute(sql.sessionDelete, session.text)
    }

    func deletePersonSessions(of person: PersonID) throws {
        try self.connection.execute(sql.sessionsDelete, person.text)
    }

    func deletePersonSessions(endedBy now: Timestamp, unseenSince: Timestamp, seenAfter: Timestamp) throws {
        try self.connection.execute(
            """
            DELETE FROM person_sessions
            WHERE ends_at <= ?1 OR last_seen_at < ?2 OR last_seen_at > ?3 OR created_at > ?3
            """, now.milliseconds, unseenSince.milliseconds, seenAfter.milliseconds)
    }

    func insert(_ token: AccessToken) throws {
        try self.connection.execute(sql.tokenInsert, token.columnValues)
    }

    func update(_ token: AccessToken) throws {
        let changesCount = try self.connection.execute(sql.tokenUpdate, token.values(of: AccessToken.change.columns))
        guard changesCount == 1 else { throw StoreError.corrupt("access_tokens.id") }
    }
}

private let sql = PeopleStatements(parameters)
