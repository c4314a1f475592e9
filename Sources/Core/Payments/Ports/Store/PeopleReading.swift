//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The people who administer, where they are signed in, and what lets machines do so.
public protocol PeopleReading {
    func person(_ id: PersonID) throws -> Person?
    func person(named userName: String) throws -> Person?
    func person(_ identity: ExternalIdentity) throws -> Person?
    /// Whose invitation it is.
    /// - Parameter digest: as ``Invitation/digest``.
    func person(invitedBy digest: String) throws -> Person?
    /// All people, oldest first. In a body of `write`, nobody else changes one of them until it has ended.
    func people() throws -> [Person]
    func secondFactor(of person: PersonID) throws -> SecondFactor?
    func personSession(_ id: PersonSessionID) throws -> PersonSession?
    /// - Parameter digest: SHA-256 of the secret.
    func personSession(digest: [UInt8]) throws -> PersonSession?
    /// The person's sessions, oldest first.
    func personSessions(of person: PersonID) throws -> [PersonSession]
    func accessToken(_ id: AccessTokenID) throws -> AccessToken?
    /// - Parameter digest: SHA-256 of the secret.
    func accessToken(digest: [UInt8]) throws -> AccessToken?
    /// All access tokens, oldest first; those that are revoked or have ended included.
    func accessTokens() throws -> [AccessToken]
}
