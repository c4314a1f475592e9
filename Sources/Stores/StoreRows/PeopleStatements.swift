//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// What both stores ask of the tables of people, and write there.
public struct PeopleStatements: Sendable {
    public let personByID: String
    public let personByName: String
    public let personByIdentity: String
    public let personByInvitation: String
    public let personInsert: String
    public let personUpdate: String
    public let personDelete: String
    public let factorQuery: String
    public let factorUpsert: String
    public let factorDelete: String
    public let sessionByID: String
    public let sessionByDigest: String
    public let sessionsQuery: String
    public let sessionInsert: String
    public let sessionUpdate: String
    public let sessionDelete: String
    public let sessionsDelete: String
    public let tokenByID: String
    public let tokenByDigest: String
    public let tokenInsert: String
    public let tokenUpdate: String

    public init(_ parameters: Parameters) {
        self.personByID = Person.table.select(by: .id, with: parameters)
        self.personByName = Person.table.select(by: .userName, with: parameters)
        self.personByIdentity = Person.table.select(by: .issuer, .subject, with: parameters)
        self.personByInvitation = Person.table.select(by: .invitationDigest, with: parameters)
        self.personInsert = Person.table.insert(parameters)
        self.personUpdate = Person.update(parameters)
        self.personDelete = Person.table.delete(parameters)
        self.factorQuery = SecondFactor.table.select(by: .personID, with: parameters)
        self.factorUpsert = SecondFactor.table.upsert(parameters)
        self.factorDelete = SecondFactor.table.delete(parameters)
        self.sessionByID = PersonSession.table.select(by: .id, with: parameters)
        self.sessionByDigest = PersonSession.table.select(by: .digest, with: parameters)
        self.sessionsQuery = PersonSession.select(parameters)
        self.sessionInsert = PersonSession.table.insert(parameters)
        self.sessionUpdate = PersonSession.change.statement(parameters)
        self.sessionDelete = PersonSession.table.delete(parameters)
        self.sessionsDelete = PersonSession.deleteOfPerson(parameters)
        self.tokenByID = AccessToken.table.select(by: .id, with: parameters)
        self.tokenByDigest = AccessToken.table.select(by: .digest, with: parameters)
        self.tokenInsert = AccessToken.table.insert(parameters)
        self.tokenUpdate = AccessToken.change.statement(parameters)
    }
}
