//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
import Logging
import Payments
public import Redaction
import Time

extension People {
    /// The first step: a name and a password.
    ///
    /// A name that nobody has takes as much work and is answered alike; so is a person who is suspended or locked out.
    /// Of passwords that are proved at the same time each counts: what was right is taken only if the person is not
    /// locked out when it is written.
    /// - Returns: a session whose stage says what comes next; ``PersonSession/Stage/open`` where nothing does.
    /// - Throws: ``SignInRefusal``, `StoreError`.
    public func signIn(
        userName: String, password: Redacted<String>, from origin: SignInOrigin
    ) async throws -> OpenedSession {
        try self.checkAddress(origin)
        let name = userName.lowercased()
        let known =
            PersonRules.isUserName(name) ? try await self.administration.read { try $0.person(named: name) } : nil
        let prepared = PasswordRules.prepared(password)
        guard try await self.matches(prepared, known?.passwordVerifier), let known, let prepared else {
            throw try await self.failed(known?.id, from: origin)
        }
        let verifier = try await self.renewed(known.passwordVerifier, prepared)
        let made = PersonSession.Stage.allCases.map { self.makeSession(of: known.id, $0, from: origin) }
        let draft = AuditDraft(.personSignIn, known.userName)
        let opened = try await self.gateway.administer(draft) { transaction, entry -> OpenedSession? in
            guard let person = try transaction.person(known.id), person.passwordVerifier == known.passwordVerifier,
                self.maySignIn(person)
            else {
                entry.isNothing = true
                return nil
            }
            var changed = person
            changed.passwordVerifier = verifier
            let hasFactor = try transaction.secondFactor(of: person.id)?.confirmedAt != nil
            return try self.advance(
                changed, to: self.stage(of: person, hasFactor: hasFactor, isProven: false), made, transaction, &entry)
        }
        guard let opened else { throw try await self.failed(nil, from: origin) }
        self.reportStep(opened)
        return opened
    }

    /// The second step: a code of the app, or a recovery code.
    ///
    /// - Returns: a session in the place of the first, with another secret.
    /// - Throws: ``SignInRefusal``, `VaultError`, `StoreError`.
    public func signIn(
        code: String, session secret: Redacted<String>, from origin: SignInOrigin
    ) async throws -> OpenedSession {
        try self.checkAddress(origin)
        guard let pending = try await self.signIn(under: secret), pending.session.stage == .secondFactor else {
            throw SignInRefusal.sessionEnded
        }
        let id = pending.person.id
        let made = PersonSession.Stage.allCases.map { self.makeSession(of: id, $0, from: origin) }
        let digest = pending.session.digest
        let draft = AuditDraft(.personSignIn, pending.person.userName)
        enum Outcome: Sendable {
            case opened(OpenedSession)
            case wrong(locksOut: Bool)
            case ended
        }
        let outcome = try await self.gateway.administer(draft) { transaction, entry -> Outcome in
            entry.isNothing = true
            guard let session = try transaction.personSession(digest: digest) else { return .ended }
            guard let person = try transaction.person(id), self.maySignIn(person),
                let factor = try transaction.secondFactor(of: id), factor.confirmedAt != nil
            else { return .wrong(locksOut: false) }
            guard let (used, how) = try self.taking(code, of: factor) else {
                return .wrong(locksOut: try self.noteFailure(of: person, from: origin, in: transaction, &entry))
            }
            entry.isNothing = false
            entry.details["secondFactor"] = how
            try transaction.upsert(used)
            try transaction.delete(session.id)
            return .opened(
                try self.advance(
                    person, to: self.stage(of: person, hasFactor: true, isProven: true), made, transaction, &entry))
        }
        switch outcome {
        case .opened(let opened):
            self.reportStep(opened)
            return opened
        case .ended: throw SignInRefusal.sessionEnded
        case .wrong(let locksOut):
            if locksOut { self.report(.lockedOut) }
            throw self.refused(id, from: origin)
        }
    }

    // MARK: - What comes next

    /// What a sign-in still waits for.
    func stage(of person: Person, hasFactor: Bool, isProven: Bool) -> PersonSession.Stage {
        if hasFactor && !isProven { return .secondFactor }
        if !hasFactor && self.settings.secondFactorRoles.contains(person.role) { return .enrollment }
        return person.isPasswordInitial ? .newPassword : .open
    }

    /// Puts the sign-in at a stage. What completes it forgives the failures before it, and stands in the log.
    ///
    /// - Parameters:
    ///   - made: a session for each stage.
    ///   - forgives: whether this completes a sign-in, and is no step of somebody who was signed in.
    func advance(
        _ person: Person, to stage: PersonSession.Stage, _ made: [(PersonSession, Redacted<String>)],
        forgives: Bool = true, _ transaction: any StoreTransaction, _ entry: inout AuditDraft
    ) throws -> OpenedSession {
        guard let (session, secret) = made.first(where: { $0.0.stage == stage }) else {
            throw SignInRefusal.sessionEnded
        }
        var changed = person
        if stage == .open {
            if forgives { (changed.failuresCount, changed.lockedUntil) = (0, nil) }
            changed.lastSignInAt = session.createdAt
            entry.details["session"] = session.id.text
            entry.details["address"] = session.address
        } else {
            entry.isNothing = true
        }
        try transaction.update(changed, from: person.version)
        try self.insert(session, in: transaction)
        return OpenedSession(session: session, secret: secret, person: changed)
    }

    func reportStep(_ opened: OpenedSession) {
        if opened.session.stage == .open { self.report(.succeeded) }
    }

    func maySignIn(_ person: Person) -> Bool {
        person.state == .active && person.lockedUntil.map { $0 <= self.now() } != false
    }

    // MARK: - Failures

    func checkAddress(_ origin: SignInOrigin) throws(SignInRefusal) {
        guard let seconds = self.addresses.waitSeconds(of: origin) else { return }
        self.report(.addressWaits)
        throw .wait(seconds: seconds)
    }

    /// - Throws: ``SignInRefusal/busy``.
    func matches(_ password: Redacted<[UInt8]>?, _ verifier: Redacted<String>?) async throws -> Bool {
        do {
            return try await self.passwords.matches(password, verifier)
        } catch is DerivationGate.Busy {
            self.report(.busy)
            throw SignInRefusal.busy
        }
    }

    /// - Throws: ``SignInRefusal/busy``.
    func verifier(of password: Redacted<[UInt8]>) async throws -> Redacted<String> {
        do {
            return try await self.passwords.verifier(
                of: password, salt: self.gateway.randomBytes(PasswordVerifier.saltBytesCount))
        } catch is DerivationGate.Busy {
            self.report(.busy)
            throw SignInRefusal.busy
        }
    }

    /// The verifier, with today's work where it was made with another. A sign-in does not fail for that.
    private func renewed(
        _ verifier: Redacted<String>?, _ password: Redacted<[UInt8]>
    ) async throws -> Redacted<String>? {
        guard let verifier, self.passwords.isOutdated(verifier) else { return verifier }
        do {
            return try await self.verifier(of: password)
        } catch SignInRefusal.busy {
            return verifier
        }
    }

    /// Counts a failure of the address.
    ///
    /// - Returns: what to answer.
    func refused(_ id: PersonID?, from origin: SignInOrigin) -> SignInRefusal {
        self.report(.refused)
        self.addresses.count(origin)
        // A name that nobody has may be a password that was typed in the wrong field.
        self.gateway.logger.notice(
            "sign-in refused",
            metadata: ["person": "\(id.map(\.text) ?? "unknown")", "address": "\(origin.address ?? "unknown")"])
        return .refused
    }

    /// Counts a failure of the address, and of the person if it is one's.
    ///
    /// - Returns: what to answer.
    func failed(_ id: PersonID?, from origin: SignInOrigin) async throws -> SignInRefusal {
        let now = self.now()
        let refusal = self.refused(id, from: origin)
        guard let id else { return refusal }
        // The first look writes nothing into the log, of which anybody could then make as much as he likes.
        let isCounted = try await self.gateway.store.write { transaction in
            guard var person = try transaction.person(id), self.maySignIn(person) else { return true }
            guard !self.countFailure(of: &person, at: now) else { return false }
            try transaction.update(person, from: person.version)
            return true
        }
        if isCounted { return refusal }
        let locksOut = try await self.gateway.administer(AuditDraft(.personLockOut, "")) { transaction, entry in
            entry.isNothing = true
            guard let person = try transaction.person(id), self.maySignIn(person) else { return false }
            return try self.noteFailure(of: person, from: origin, in: transaction, &entry)
        }
        if locksOut { self.report(.lockedOut) }
        return refusal
    }

    /// Counts a failure in the transaction that has found it. Of tries that come at once each sees those before it: whoever
    /// tries many has no more than the settings leave him.
    ///
    /// - Parameter entry: gets a line beside it if the person is locked out from now on.
    /// - Returns: whether he is.
    func noteFailure(
        of person: Person, from origin: SignInOrigin, in transaction: any StoreTransaction, _ entry: inout AuditDraft
    ) throws -> Bool {
        var changed = person
        let isLockedOut = self.countFailure(of: &changed, at: self.now())
        try transaction.update(changed, from: person.version)
        guard isLockedOut else { return false }
        var details = ["failures": "\(changed.failuresCount)"]
        details["address"] = origin.address
        entry.others.append(AuditDraft(.personLockOut, person.userName, details))
        for session in try transaction.personSessions(of: person.id) where session.stage != .open {
            try transaction.delete(session.id)
        }
        return true
    }

    /// - Returns: whether the person is locked out from now on.
    private func countFailure(of person: inout Person, at now: Timestamp) -> Bool {
        if person.lockedUntil?.isOlder(than: self.settings.failuresMemorySeconds, at: now) == true {
            (person.failuresCount, person.lockedUntil) = (0, nil)
        }
        person.failuresCount += 1
        guard let seconds = self.settings.lockSeconds(afterFailures: person.failuresCount) else { return false }
        person.lockedUntil = now.adding(seconds: seconds)
        return true
    }
}
