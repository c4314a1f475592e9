//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
public import Payments
import Redaction
public import StrictJSON
public import Time

/// A person as those see him who administer people: never a password, nor what it is proved by.
public struct PersonView: Sendable {
    public let person: Person
    /// The names of the merchants that the person is for; `nil` for all.
    public let merchants: [String]?
    public let hasSecondFactor: Bool

    public init(of person: Person, in reader: any StoreReader) throws {
        self.person = person
        self.merchants = try person.merchants?.sorted().map { try reader.merchant($0)?.name ?? $0.text }.sorted()
        self.hasSecondFactor = try reader.secondFactor(of: person.id)?.confirmedAt != nil
    }

    public var json: JSONObject {
        let person = self.person
        var object = JSONObject()
        object["id"] = .string(person.id.text)
        object["userName"] = .string(person.userName)
        object["displayName"] = .string(person.displayName)
        object["email"] = .string(orNull: person.email)
        object["role"] = .string(person.role.rawValue)
        object["merchants"] = self.merchantsView
        object["refundLimits"] = person.refundLimits?.view ?? .null
        object["state"] = .string(person.state.rawValue)
        object["hasPassword"] = .bool(person.passwordVerifier != nil)
        object["mustChangePassword"] = .bool(person.isPasswordInitial)
        object["hasSecondFactor"] = .bool(self.hasSecondFactor)
        object["failures"] = JSON(person.failuresCount)
        object["lockedUntil"] = .string(orNull: person.lockedUntil?.description)
        object["invitedUntil"] = .string(orNull: person.invitation?.endsAt.description)
        object["externalIdentity"] =
            person.externalIdentity.map { ["issuer": .string($0.issuer), "subject": .string($0.subject)] } ?? .null
        object["createdAt"] = .string(person.createdAt.description)
        object["lastSignInAt"] = .string(orNull: person.lastSignInAt?.description)
        return object
    }

    /// A person as he sees himself.
    ///
    /// - Parameter mustHaveSecondFactor: whether he cannot take it away.
    public func ownJSON(mustHaveSecondFactor: Bool) -> JSONObject {
        let (person, access) = (self.person, self.person.access)
        var object = JSONObject()
        object["id"] = .string(person.id.text)
        object["userName"] = .string(person.userName)
        object["displayName"] = .string(person.displayName)
        object["email"] = .string(orNull: person.email)
        object["role"] = .string(person.role.rawValue)
        object["scopes"] = .array(access.scopes.sorted().map { .string($0.rawValue) })
        object["merchants"] = self.merchantsView
        object["sandboxOnly"] = .bool(access.changesSandboxOnly)
        object["refundLimits"] = person.refundLimits?.view ?? .null
        object["hasPassword"] = .bool(person.passwordVerifier != nil)
        object["hasSecondFactor"] = .bool(self.hasSecondFactor)
        object["mustHaveSecondFactor"] = .bool(mustHaveSecondFactor)
        return object
    }

    private var merchantsView: JSON { self.merchants.map { .array($0.map { .string($0) }) } ?? .null }
}

extension PersonWithCredential {
    /// With the secret, which is shown this once.
    ///
    /// - Parameter person: the person as he is shown.
    public func view(_ person: PersonView) -> JSON {
        [
            "person": .object(person.json), "credential": .string(self.credential.rawValue),
            "secret": .string(orNull: self.secret?.reveal()),
        ]
    }
}

extension Person {
    /// What is shown of somebody who has not signed in wholly yet.
    public var briefView: JSONObject {
        var object = JSONObject()
        object["userName"] = .string(self.userName)
        object["displayName"] = .string(self.displayName)
        return object
    }
}

extension PersonSession {
    /// - Parameter current: the session that asks, which is marked; `nil` where that is nobody's of these.
    public func view(current: PersonSessionID?) -> JSONObject {
        var object = JSONObject()
        object["id"] = .string(self.id.text)
        object["stage"] = .string(self.stage.rawValue)
        object["current"] = .bool(self.id == current)
        object["createdAt"] = .string(self.createdAt.description)
        object["lastSeenAt"] = .string(self.lastSeenAt.description)
        object["endsAt"] = .string(self.endsAt.description)
        object["address"] = .string(orNull: self.address)
        object["userAgent"] = .string(orNull: self.userAgent)
        return object
    }

    /// When it ends if nothing more comes.
    public func idleEndsAt(after idleSeconds: Int64) -> Timestamp {
        min(self.lastSeenAt.adding(seconds: idleSeconds), self.endsAt)
    }
}
