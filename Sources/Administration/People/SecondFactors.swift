//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
@_spi(Administration) import Gateway
import Payments
public import Redaction
import Time

/// What an app that shows codes is given, once.
public struct SecondFactorKey: Sendable {
    /// To type: base 32.
    public let text: Redacted<String>
    /// To scan: what a QR code says (`otpauth://totp/…`).
    public let uri: Redacted<String>
}

/// A new app's key while the present app still counts.
public struct SecondFactorReplacement: Sendable {
    public let key: SecondFactorKey
    /// Handed in with the new app's first code: the key, sealed for the session that has asked for it.
    public let ticket: Redacted<String>
}

/// A second factor that proves something from now on.
public struct ConfirmedSecondFactor: Sendable {
    /// For whoever has lost the app, each once. They are not kept, and cannot be shown again.
    public let recoveryCodes: [Redacted<String>]
    /// In the place of the session in which it was enrolled.
    public let session: OpenedSession
}

extension People {
    /// Makes a key for an app that shows codes. It proves nothing until a first right code has been shown; an earlier key
    /// that was never confirmed is forgotten.
    ///
    /// - Throws: ``SignInRefusal/sessionEnded``; ``AdministrationError`` `second_factor_exists`; `StoreError`.
    public func beginSecondFactor(session secret: Redacted<String>) async throws -> SecondFactorKey {
        let owner = try await self.owner(of: secret, at: [.open, .enrollment])
        let (id, digest, now) = (owner.person.id, owner.session.digest, self.now())
        let text = Redacted(Base32.encode(self.gateway.randomBytes(TOTP.keyBytesCount)))
        try await self.gateway.withFreshKeys {
            try await self.gateway.store.write { transaction in
                guard try transaction.personSession(digest: digest) != nil, try transaction.person(id) != nil else {
                    throw SignInRefusal.sessionEnded
                }
                guard try transaction.secondFactor(of: id)?.confirmedAt == nil else { throw Self.factorExists }
                let content = try self.gateway.seal(text, for: .secondFactor(id), in: transaction)
                try transaction.upsert(SecondFactor(personID: id, content: content, createdAt: now))
            }
        }
        return self.key(text, of: owner.person)
    }

    /// Makes a key for a new app, of somebody who shows a code of the present one. That one counts until a code of the new
    /// one has been shown to ``replaceSecondFactor(ticket:code:session:)``: nothing of the new key is kept until then.
    ///
    /// - Parameter code: of the app, or a recovery code.
    /// - Throws: ``SignInRefusal``; ``AdministrationError`` `second_factor_missing`; `VaultError`, `StoreError`.
    public func beginSecondFactorReplacement(
        code: String, session secret: Redacted<String>, from origin: SignInOrigin
    ) async throws -> SecondFactorReplacement {
        let text = Redacted(Base32.encode(self.gateway.randomBytes(TOTP.keyBytesCount)))
        let (owner, present) = try await self.changeSecondFactor(code, secret, origin, "new app begun") { _, _, _ in }
        let content = "\(text.reveal()) \(self.now().seconds) \(Self.mark(of: present))"
        let ticket = try await self.gateway.withFreshKeys {
            try self.seal(Redacted(Array(content.utf8)), for: Self.replacement(in: owner.session))
        }
        return SecondFactorReplacement(key: self.key(text, of: owner.person), ticket: Redacted(ticket))
    }

    /// Puts a new app in the place of the present one, by its first right code.
    ///
    /// - Throws: ``SignInRefusal`` `refused` for a wrong code, and for a ticket that is not this session's; `sessionEnded`;
    ///   ``AdministrationError`` `second_factor_ticket_expired` for one that is older than ten minutes, or for another present
    ///   app; `second_factor_missing`; `VaultError`, `StoreError`.
    public func replaceSecondFactor(
        ticket: Redacted<String>, code: String, session secret: Redacted<String>
    ) async throws -> ConfirmedSecondFactor {
        let owner = try await self.owner(of: secret, at: [.open])
        let (id, now) = (owner.person.id, self.now())
        let opened = try await self.open(ticket.reveal(), for: Self.replacement(in: owner.session))
        let parts = opened.map { String(decoding: $0.reveal(), as: UTF8.self).split(separator: " ").map { String($0) } }
        guard let parts, parts.count == 3, let key = Base32.decode(parts[0]), let madeAt = Int64(parts[1]) else {
            throw SignInRefusal.refused
        }
        // Whoever hands it in has been given it: that its time is over is no secret, and another code would not help.
        guard (0..<Self.replacementSeconds).contains(now.seconds - madeAt) else { throw Self.ticketExpired }
        let (app, text) = (TOTP(key: Redacted(key)), Redacted(parts[0]))
        return try await self.enroll(owner, "replaced", endsSessions: true) { transaction, digests in
            let present = try Self.factor(of: id, isConfirmed: true, in: transaction)
            guard Self.mark(of: present) == parts[2] else { throw Self.ticketExpired }
            guard let step = app.step(of: code, at: now, after: 0) else { throw SignInRefusal.refused }
            let content = try self.gateway.seal(text, for: .secondFactor(id), in: transaction)
            return SecondFactor(
                personID: id, content: content, confirmedAt: now, lastStep: step, recoveryDigests: digests,
                createdAt: now)
        }
    }

    /// How long after its key was made an app takes the present one's place.
    private static let replacementSeconds: Int64 = 600

    private static var ticketExpired: AdministrationError {
        AdministrationError(
            .secondFactorTicketExpired,
            "The new app's key was not confirmed within ten minutes, or the present app is another one meanwhile. Begin anew: "
                + "the new app gets another key.")
    }

    private static var factorExists: AdministrationError {
        AdministrationError(
            .secondFactorExists, "There is a second factor already. Replace it, or take it away first.")
    }

    /// Which factor it is; its key may be sealed anew meanwhile.
    private static func mark(of factor: SecondFactor) -> String {
        "\(factor.createdAt.milliseconds)-\(factor.confirmedAt?.milliseconds ?? 0)"
    }

    private static func replacement(in session: PersonSession) -> String {
        "second factor \(Hex.encode(session.digest))"
    }

    private func key(_ text: Redacted<String>, of person: Person) -> SecondFactorKey {
        SecondFactorKey(text: text, uri: TOTP.uri(key: text, issuer: self.settings.issuer, account: person.userName))
    }

    /// Shows the first right code, from which on the second factor is asked for.
    ///
    /// - Throws: ``SignInRefusal`` `refused` for a wrong code, `sessionEnded`; ``AdministrationError``
    ///   `second_factor_missing`, `second_factor_exists`; `VaultError`, `StoreError`.
    public func confirmSecondFactor(
        code: String, session secret: Redacted<String>
    ) async throws -> ConfirmedSecondFactor {
        let owner = try await self.owner(of: secret, at: [.open, .enrollment])
        let (id, now) = (owner.person.id, self.now())
        return try await self.enroll(owner, "enrolled") { transaction, digests in
            var factor = try Self.factor(of: id, isConfirmed: false, in: transaction)
            guard let step = try self.totp(of: factor).step(of: code, at: now, after: factor.lastStep) else {
                throw SignInRefusal.refused
            }
            (factor.confirmedAt, factor.lastStep, factor.recoveryDigests) = (now, step, digests)
            return factor
        }
    }

    /// A factor that proves something from now on, with new recovery codes, and a session in the place of the one in which
    /// that was shown.
    ///
    /// - Parameter endsSessions: whether all others end.
    private func enroll(
        _ owner: SignedIn, _ change: String, endsSessions: Bool = false,
        _ factor: @escaping @Sendable (any StoreTransaction, _ recoveryDigests: [[UInt8]]) throws -> SecondFactor
    ) async throws -> ConfirmedSecondFactor {
        let (id, digest) = (owner.person.id, owner.session.digest)
        let made = PersonSession.Stage.allCases.map { self.makeSession(of: id, $0, from: owner.session.origin) }
        let codes = self.makeRecoveryCodes()
        let digests = codes.map { RecoveryCode.digest($0.reveal()) }
        let draft = AuditDraft(.personSecondFactor, owner.person.userName, ["change": change])
        let opened = try await self.gateway.administer(draft) { transaction, entry -> OpenedSession in
            guard let session = try transaction.personSession(digest: digest), let person = try transaction.person(id)
            else { throw SignInRefusal.sessionEnded }
            // A new factor is no way round a lock-out.
            guard self.maySignIn(person) else { throw SignInRefusal.refused }
            try transaction.upsert(try factor(transaction, digests))
            try transaction.delete(session.id)
            if endsSessions { try transaction.deletePersonSessions(of: id) }
            let opened = try self.advance(
                person, to: self.stage(of: person, hasFactor: true, isProven: true), made,
                forgives: session.stage != .open, transaction, &entry)
            entry.isNothing = false
            return opened
        }
        return ConfirmedSecondFactor(recoveryCodes: codes, session: opened)
    }

    /// Takes the person's own second factor away.
    ///
    /// - Parameter code: of the app, or a recovery code.
    /// - Throws: ``SignInRefusal``; ``AdministrationError`` `second_factor_missing`, `second_factor_required`;
    ///   `VaultError`, `StoreError`.
    public func removeSecondFactor(
        code: String, session secret: Redacted<String>, from origin: SignInOrigin
    ) async throws {
        let required = self.settings.secondFactorRoles
        try await self.changeSecondFactor(code, secret, origin, "removed") { transaction, person, _ in
            guard !required.contains(person.role) else {
                throw AdministrationError(
                    .secondFactorRequired, "Whoever is \(person.role.rawValue) here must have a second factor.")
            }
            try transaction.deleteSecondFactor(of: person.id)
        }
    }

    /// Makes new recovery codes; the earlier ones are none any more.
    ///
    /// - Parameter code: of the app, or a recovery code.
    /// - Throws: ``SignInRefusal``; ``AdministrationError`` `second_factor_missing`; `VaultError`, `StoreError`.
    public func renewRecoveryCodes(
        code: String, session secret: Redacted<String>, from origin: SignInOrigin
    ) async throws -> [Redacted<String>] {
        let codes = self.makeRecoveryCodes()
        let digests = codes.map { RecoveryCode.digest($0.reveal()) }
        try await self.changeSecondFactor(code, secret, origin, "recovery codes") { transaction, _, factor in
            var renewed = factor
            renewed.recoveryDigests = digests
            try transaction.upsert(renewed)
        }
        return codes
    }

    /// - Returns: whose it is, and the factor that was shown a code of.
    @discardableResult
    private func changeSecondFactor(
        _ code: String, _ secret: Redacted<String>, _ origin: SignInOrigin, _ change: String,
        _ body: @escaping @Sendable (any StoreTransaction, Person, SecondFactor) throws -> Void
    ) async throws -> (SignedIn, SecondFactor) {
        try self.checkAddress(origin)
        let owner = try await self.owner(of: secret, at: [.open])
        let (id, digest) = (owner.person.id, owner.session.digest)
        let draft = AuditDraft(.personSecondFactor, owner.person.userName, ["change": change])
        let (locksOut, shown): (Bool, SecondFactor?) = try await self.gateway.administer(draft) { transaction, entry in
            guard try transaction.personSession(digest: digest) != nil, let person = try transaction.person(id) else {
                throw SignInRefusal.sessionEnded
            }
            let factor = try Self.factor(of: id, isConfirmed: true, in: transaction)
            guard self.maySignIn(person) else {
                entry.isNothing = true
                return (false, nil)
            }
            guard let (used, _) = try self.taking(code, of: factor) else {
                entry.isNothing = true
                return (try self.noteFailure(of: person, from: origin, in: transaction, &entry), nil)
            }
            try transaction.upsert(used)
            try body(transaction, person, used)
            return (false, used)
        }
        if let shown { return (owner, shown) }
        if locksOut { self.report(.lockedOut) }
        throw self.refused(id, from: origin)
    }

    // MARK: - Codes

    /// The factor with a code used up, and what the code was; `nil` for one that is wrong or has been used.
    func taking(_ code: String, of factor: SecondFactor) throws -> (SecondFactor, String)? {
        var used = factor
        let digest = RecoveryCode.digest(code)
        if let index = factor.recoveryDigests.firstIndex(of: digest) {
            used.recoveryDigests.remove(at: index)
            return (used, "recovery code")
        }
        guard let step = try self.totp(of: factor).step(of: code, at: self.now(), after: factor.lastStep) else {
            return nil
        }
        used.lastStep = step
        return (used, "code")
    }

    private func totp(of factor: SecondFactor) throws -> TOTP {
        let text = try self.gateway.open(factor.content, of: .secondFactor(factor.personID))
        guard let key = Base32.decode(text.reveal()) else { throw VaultError(code: .boxDamaged) }
        return TOTP(key: Redacted(key))
    }

    private static func factor(
        of person: PersonID, isConfirmed: Bool, in reader: any StoreReader
    ) throws -> SecondFactor {
        guard let factor = try reader.secondFactor(of: person), !isConfirmed || factor.confirmedAt != nil else {
            throw AdministrationError(.secondFactorMissing, "There is no second factor. Enroll one first.")
        }
        guard isConfirmed || factor.confirmedAt == nil else { throw Self.factorExists }
        return factor
    }

    private func makeRecoveryCodes() -> [Redacted<String>] {
        (0..<RecoveryCode.count).map { _ in RecoveryCode.text(self.gateway.randomBytes(RecoveryCode.bytesCount)) }
    }

    /// Whose session it is, at one of these stages.
    ///
    /// - Throws: ``SignInRefusal/sessionEnded``.
    func owner(of secret: Redacted<String>, at stages: Set<PersonSession.Stage>) async throws -> SignedIn {
        guard let found = try await self.signIn(under: secret), stages.contains(found.session.stage) else {
            throw SignInRefusal.sessionEnded
        }
        return found
    }
}
