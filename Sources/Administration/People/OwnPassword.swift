//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Payments
public import Redaction
import Time

/// What people do with their own passwords.
extension People {
    /// Changes the person's own password. All of the person's sessions end, and another takes the place of this one.
    ///
    /// - Parameters:
    ///   - current: not asked for where the sign-in waits for a new password: it has just been shown.
    ///   - new: see `docs/people.md` for what it may be.
    /// - Throws: ``SignInRefusal``; ``AdministrationError`` `password_weak`, `password_unchanged`; `StoreError`.
    public func changePassword(
        session secret: Redacted<String>, current: Redacted<String>?, to new: Redacted<String>,
        from origin: SignInOrigin
    ) async throws -> OpenedSession {
        try self.checkAddress(origin)
        let owner = try await self.owner(of: secret, at: [.open, .newPassword])
        let (known, digest) = (owner.person, owner.session.digest)
        if owner.session.stage == .open {
            guard self.maySignIn(known),
                try await self.matches(current.flatMap(PasswordRules.prepared), known.passwordVerifier)
            else { throw try await self.failed(known.id, from: origin) }
        }
        let prepared = try PasswordRules.checked(new, userName: known.userName)
        guard try await !self.matches(prepared, known.passwordVerifier) else {
            throw AdministrationError(.passwordUnchanged, "The new password is the old one. Choose another.")
        }
        let verifier = try await self.verifier(of: prepared)
        let made = [self.makeSession(of: known.id, .open, from: owner.session.origin)]
        let draft = AuditDraft(.personPassword, known.userName)
        return try await self.gateway.administer(draft) { transaction, entry in
            // Whoever was a moment faster has ended this session.
            guard try transaction.personSession(digest: digest) != nil,
                let person = try transaction.person(known.id), person.passwordVerifier == known.passwordVerifier
            else { throw SignInRefusal.sessionEnded }
            // A new password is no way round a lock-out that has begun meanwhile, nor does it forgive wrong codes.
            guard self.maySignIn(person) else { throw SignInRefusal.refused }
            var changed = person
            (changed.passwordVerifier, changed.isPasswordInitial, changed.invitation) = (verifier, false, nil)
            try transaction.deletePersonSessions(of: person.id)
            return try self.advance(
                changed, to: .open, made, forgives: owner.session.stage != .open, transaction, &entry)
        }
    }

    /// Who was invited with a secret, for the page that asks for a password.
    ///
    /// - Throws: ``AdministrationError`` `invitation_invalid`, `StoreError`.
    public func invitedPerson(_ invitation: Redacted<String>) async throws -> Person {
        let (digest, now) = (MadeSecret.hexDigest(invitation), self.now())
        return try await self.administration.read { try Self.invited(by: digest, at: now, in: $0) }
    }

    /// Chooses a password with an invitation, which is used up. The person signs in with it then, as always.
    ///
    /// - Throws: ``AdministrationError`` `invitation_invalid`, `password_weak`; ``SignInRefusal/busy``; `StoreError`.
    @discardableResult
    public func acceptInvitation(_ invitation: Redacted<String>, password: Redacted<String>) async throws -> Person {
        let invited = try await self.invitedPerson(invitation)
        let prepared = try PasswordRules.checked(password, userName: invited.userName)
        let verifier = try await self.verifier(of: prepared)
        let (digest, now) = (MadeSecret.hexDigest(invitation), self.now())
        let draft = AuditDraft(.personPassword, invited.userName, ["by": "invitation"])
        return try await self.gateway.administer(draft) { transaction, _ in
            let person = try Self.invited(by: digest, at: now, in: transaction)
            var changed = person
            (changed.passwordVerifier, changed.isPasswordInitial, changed.invitation) = (verifier, false, nil)
            (changed.failuresCount, changed.lockedUntil) = (0, nil)
            try transaction.update(changed, from: person.version)
            try transaction.deletePersonSessions(of: person.id)
            return changed
        }
    }

    private static func invited(by digest: String, at now: Timestamp, in reader: any StoreReader) throws -> Person {
        guard let person = try reader.person(invitedBy: digest), person.state == .active,
            let invitation = person.invitation, now < invitation.endsAt
        else {
            throw AdministrationError(
                .invitationInvalid, "This invitation has been used or has ended. Ask for another one.")
        }
        return person
    }
}
