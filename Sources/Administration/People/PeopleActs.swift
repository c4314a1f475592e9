//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Payments
public import Redaction
import Time

/// How somebody comes to a password.
public enum FirstCredential: String, Hashable, Sendable, CaseIterable {
    /// A secret for a link, with which the person chooses one.
    case invitation
    /// One that is made here, and must be changed at the first sign-in.
    case password
    /// None: the person signs in at an OpenID Connect provider.
    case none
}

/// A person, and what was made to sign in with.
public struct PersonWithCredential: Sendable {
    public let person: Person
    public let credential: FirstCredential
    /// To be handed to the person. It is not kept, and cannot be shown again.
    public let secret: Redacted<String>?
}

/// What administers people: each act is one commit, and stands in the audit log. Nobody makes, changes or ends what may do
/// more than he may himself.
extension People {
    /// Makes a person.
    ///
    /// - Parameter access: of whoever does it.
    /// - Throws: ``AdministrationError``; ``SignInRefusal/busy``; `StoreError`.
    public func create(
        _ draft: PersonDraft, with credential: FirstCredential = .invitation, by access: Access
    ) async throws -> PersonWithCredential {
        try PersonRules.check(userName: draft.userName)
        var person = Person(
            id: self.gateway.makeID(), userName: draft.userName, displayName: draft.displayName, email: draft.email,
            role: draft.role, merchants: draft.merchants, refundLimits: draft.refundLimits,
            externalIdentity: draft.externalIdentity, createdAt: self.now())
        try access.checkGiving(person.access)
        if person.externalIdentity != nil { try access.checkGivesIdentities() }
        try PersonRules.check(person)
        let secret = try await self.give(credential, to: &person)
        let made = person
        let details = ["id": made.id.text, "role": made.role.rawValue, "credential": credential.rawValue]
        try await self.gateway.administer(AuditDraft(.personCreate, made.userName, details)) { transaction, entry in
            guard try transaction.person(named: made.userName) == nil else {
                throw AdministrationError(
                    .userNameTaken, "There is somebody with the user name \(made.userName) already.")
            }
            entry.details["merchants"] = try made.access.merchantNames(in: transaction)
            entry.details["refundLimits"] = made.refundLimits?.limitsText(orNone: "nothing")
            try Self.checkIdentity(of: made, in: transaction)
            try transaction.insert(made)
        }
        return PersonWithCredential(person: made, credential: credential, secret: secret)
    }

    /// Changes what a person is shown as and may do. Whose role changes is signed out everywhere.
    ///
    /// - Parameter version: as it was read; `nil` to change whatever there is.
    /// - Throws: ``AdministrationError``, `StoreError`.
    @discardableResult
    public func change(
        _ id: PersonID, _ change: PersonChange, ofVersion version: Int? = nil, by access: Access
    ) async throws -> Person {
        try await self.act(.personChange, on: id, by: access, version) { transaction, person, entry in
            let earlier = person
            change.displayName.applied(to: &person.displayName)
            change.email.applied(to: &person.email)
            change.role.applied(to: &person.role)
            change.merchants.applied(to: &person.merchants)
            change.refundLimits.applied(to: &person.refundLimits)
            change.externalIdentity.applied(to: &person.externalIdentity)
            try PersonRules.check(person)
            if person.email != earlier.email { entry.details["email"] = person.email ?? "none" }
            if person.externalIdentity != earlier.externalIdentity {
                try access.checkGivesIdentities()
                try Self.checkIdentity(of: person, in: transaction)
                entry.details["identity"] = person.externalIdentity.map { "\($0.subject) at \($0.issuer)" } ?? "none"
            }
            if person.role != earlier.role {
                try transaction.deletePersonSessions(of: id)
                entry.details["role"] = person.role.rawValue
            }
            if person.merchants != earlier.merchants {
                entry.details["merchants"] = try person.access.merchantNames(in: transaction) ?? "all"
            }
            if person.refundLimits != earlier.refundLimits {
                entry.details["refundLimits"] = person.refundLimits?.limitsText(orNone: "nothing") ?? "no limit"
            }
            return false
        }
    }

    /// Lets a person not sign in any more, and signs him out everywhere at once.
    @discardableResult
    public func suspend(_ id: PersonID, by access: Access) async throws -> Person {
        try await self.act(.personState, on: id, by: access) { transaction, person, entry in
            person.state = .suspended
            entry.details["state"] = person.state.rawValue
            try transaction.deletePersonSessions(of: id)
            return false
        }
    }

    /// Lets a suspended person sign in again.
    @discardableResult
    public func resume(_ id: PersonID, by access: Access) async throws -> Person {
        try await self.act(.personState, on: id, by: access) { _, person, entry in
            person.state = .active
            entry.details["state"] = person.state.rawValue
            return false
        }
    }

    /// Removes a person, with the second factor and all sessions. The name may be given to somebody else then; what the
    /// person has done stays in the log. Access tokens that he has made stay: they are the house's.
    ///
    /// - Throws: ``AdministrationError``, `StoreError`.
    public func remove(_ id: PersonID, by access: Access) async throws {
        try await self.gateway.administer(AuditDraft(.personRemove, "", ["id": id.text])) { transaction, entry in
            let people = try transaction.people()
            guard let person = people.first(where: { $0.id == id }) else { throw Self.unknown(id) }
            try access.checkGiving(person.access)
            try Self.checkOwner(remainsOf: people, without: person, with: nil)
            entry.subject = person.userName
            try transaction.delete(id)
        }
    }

    /// Takes a person's password away and signs him out everywhere.
    ///
    /// - Parameter credential: what he gets in its place.
    /// - Throws: ``AdministrationError``; ``SignInRefusal/busy``; `StoreError`.
    public func resetPassword(
        of id: PersonID, with credential: FirstCredential = .invitation, by access: Access
    ) async throws -> PersonWithCredential {
        try access.checkAdministersPeople()
        var draft = try await self.person(id)
        let secret = try await self.give(credential, to: &draft)
        let given = draft
        let person = try await self.act(.personReset, on: id, by: access) { transaction, person, entry in
            (person.passwordVerifier, person.isPasswordInitial) = (given.passwordVerifier, given.isPasswordInitial)
            person.invitation = given.invitation
            (person.failuresCount, person.lockedUntil) = (0, nil)
            entry.details["reset"] = "password"
            entry.details["credential"] = credential.rawValue
            try transaction.deletePersonSessions(of: id)
            return true
        }
        return PersonWithCredential(person: person, credential: credential, secret: secret)
    }

    /// Takes a person's second factor away, with the recovery codes, and signs him out everywhere.
    @discardableResult
    public func resetSecondFactor(of id: PersonID, by access: Access) async throws -> Person {
        try await self.act(.personReset, on: id, by: access) { transaction, _, entry in
            entry.details["reset"] = "second factor"
            let isThere = try transaction.secondFactor(of: id) != nil
            try transaction.deleteSecondFactor(of: id)
            if isThere { try transaction.deletePersonSessions(of: id) }
            return isThere
        }
    }

    /// Forgives a person's failures, and ends a lock-out.
    @discardableResult
    public func unlock(_ id: PersonID, by access: Access) async throws -> Person {
        try await self.act(.personUnlock, on: id, by: access) { _, person, _ in
            (person.failuresCount, person.lockedUntil) = (0, nil)
            return false
        }
    }

    /// Signs a person out everywhere.
    public func endSessions(of id: PersonID, by access: Access) async throws {
        try await self.act(.personSessionsEnd, on: id, by: access) { transaction, _, entry in
            let count = try transaction.personSessions(of: id).count
            entry.details["sessions"] = "\(count)"
            try transaction.deletePersonSessions(of: id)
            return count > 0
        }
    }

    // MARK: - What acts share

    /// Changes one person.
    ///
    /// - Parameter body: returns whether it has done anything beside what it has changed of the person.
    @discardableResult
    private func act(
        _ act: AuditAct, on id: PersonID, by access: Access, _ version: Int? = nil,
        _ body: @escaping @Sendable (any StoreTransaction, inout Person, inout AuditDraft) throws -> Bool
    ) async throws -> Person {
        try await self.gateway.administer(AuditDraft(act, "")) { transaction, entry in
            // All, so that of two who each take an owner away one sees that no other is left.
            let people = try transaction.people()
            guard let person = people.first(where: { $0.id == id }) else { throw Self.unknown(id) }
            try access.checkGiving(person.access)
            guard version ?? person.version == person.version else {
                throw AdministrationError(
                    .personChanged, "Somebody else has changed \(person.userName) meanwhile. Look again.")
            }
            var changed = person
            entry.subject = person.userName
            let hasDoneMore = try body(transaction, &changed, &entry)
            try access.checkGiving(changed.access)
            try Self.checkOwner(remainsOf: people, without: person, with: changed)
            entry.isNothing = changed == person && !hasDoneMore
            guard changed != person else { return person }
            changed.version += 1
            try transaction.update(changed, from: person.version)
            return changed
        }
    }

    /// - Throws: ``AdministrationError`` `last_owner` when there was somebody who may do everything, and then would not.
    private static func checkOwner(
        remainsOf people: [Person], without person: Person, with changed: Person?
    ) throws(AdministrationError) {
        let others = people.filter { $0.id != person.id }
        guard person.isOwner, !others.contains(where: \.isOwner), changed?.isOwner != true else { return }
        throw AdministrationError(
            .lastOwner, "\(person.userName) is the last owner who is active. Make another one first.")
    }

    private static func checkIdentity(of person: Person, in reader: any StoreReader) throws {
        guard let identity = person.externalIdentity, let holder = try reader.person(identity), holder.id != person.id
        else { return }
        throw AdministrationError(.identityTaken, "\(holder.userName) is known by this external identity already.")
    }

    /// Gives a person what to sign in with at first.
    private func give(_ credential: FirstCredential, to person: inout Person) async throws -> Redacted<String>? {
        (person.passwordVerifier, person.isPasswordInitial, person.invitation) = (nil, false, nil)
        switch credential {
        case .none: return nil
        case .invitation:
            let secret = self.makeSecret()
            person.invitation = Invitation(
                digest: MadeSecret.hexDigest(secret),
                endsAt: self.now().adding(seconds: self.settings.invitationSeconds))
            return secret
        case .password:
            // Eighty bits in groups that can be read out.
            let secret = RecoveryCode.text(self.gateway.randomBytes(RecoveryCode.bytesCount))
            person.passwordVerifier = try await self.verifier(of: Redacted(Array(secret.reveal().utf8)))
            person.isPasswordInitial = true
            return secret
        }
    }
}

extension Person {
    /// Whether the person may do everything, for everybody.
    fileprivate var isOwner: Bool { self.role == .owner && self.state == .active && self.merchants == nil }
}
