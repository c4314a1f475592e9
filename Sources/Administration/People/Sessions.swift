//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
import Logging
public import Payments
public import Redaction
import Time

/// Who makes a request.
public struct SignedIn: Sendable {
    public let session: PersonSession
    public let person: Person
    /// What the person may do now, as the store says, not as it was at sign-in.
    public var access: Access { self.person.access }
}

/// A session that has just been begun, or put in the place of another.
public struct OpenedSession: Sendable {
    public let session: PersonSession
    /// What the browser holds from now on. It is not kept, and cannot be shown again.
    public let secret: Redacted<String>
    public let person: Person
}

extension People {
    /// Who is signed in with a secret. That a session was seen is written at most once a minute; where that fails, the
    /// person goes on.
    ///
    /// - Parameter isUse: whether it keeps the session from ending idle. What a page asks for by itself does not.
    /// - Returns: `nil` unless the sign-in is complete, the session runs and the person is active.
    /// - Throws: `StoreError`.
    public func authenticate(session secret: Redacted<String>, isUse: Bool = true) async throws -> SignedIn? {
        guard let found = try await self.signIn(under: secret, isUse: isUse), found.session.stage == .open else {
            return nil
        }
        return found
    }

    /// What a session waits for, and who is about to sign in with it: for the pages of a sign-in, which must let nobody do
    /// anything but the step. At ``PersonSession/Stage/open`` it is complete.
    ///
    /// - Parameter isUse: as of ``authenticate(session:isUse:)``.
    /// - Returns: `nil` where there is no session of that secret, it has ended, or the person is suspended.
    /// - Throws: `StoreError`.
    public func signIn(under secret: Redacted<String>, isUse: Bool = true) async throws -> SignedIn? {
        let (digest, now) = (MadeSecret.digest(secret), self.now())
        let idleSeconds = self.settings.idleSeconds
        let found = try await self.administration.read { reader -> SignedIn? in
            try SignedIn(digest: digest, at: now, idleSeconds: idleSeconds, in: reader)
        }
        guard let found, isUse, found.session.lastSeenAt.isOlder(than: 60, at: now) else { return found }
        var session = found.session
        session.lastSeenAt = now
        let seen = session
        do {
            try await self.gateway.store.write { try $0.update(seen) }
        } catch {
            self.gateway.logger.warning(
                "a session's use was not written", metadata: ["session": "\(seen.id)", "reason": "\(error)"])
        }
        return SignedIn(session: seen, person: found.person)
    }

    /// Ends the session of a secret: signs out.
    ///
    /// - Throws: `StoreError`.
    public func end(session secret: Redacted<String>) async throws {
        let digest = MadeSecret.digest(secret)
        try await self.gateway.store.write { transaction in
            if let session = try transaction.personSession(digest: digest) { try transaction.delete(session.id) }
        }
    }

    /// A person's sessions that run, oldest first.
    public func sessions(of person: PersonID) async throws -> [PersonSession] {
        let (now, idleSeconds) = (self.now(), self.settings.idleSeconds)
        return try await self.administration.read { reader in
            try reader.personSessions(of: person).filter { $0.isRunning(at: now, idleSeconds: idleSeconds) }
        }
    }

    /// Ends one of a person's sessions, as the person himself.
    ///
    /// - Throws: ``AdministrationError`` `session_unknown`, `StoreError`.
    public func endSession(_ id: PersonSessionID, of person: PersonID) async throws {
        try await self.gateway.store.write { transaction in
            guard try transaction.personSession(id)?.personID == person else {
                throw AdministrationError(.sessionUnknown, "There is no such session.")
            }
            try transaction.delete(id)
        }
    }

    /// Ends all of a person's sessions but one, as the person himself.
    ///
    /// - Throws: `StoreError`.
    public func endSessions(of person: PersonID, but kept: PersonSessionID?) async throws {
        try await self.gateway.store.write { transaction in
            for session in try transaction.personSessions(of: person) where session.id != kept {
                try transaction.delete(session.id)
            }
        }
    }

    /// Makes a session. Its secret is new: what the browser held before opens nothing, whoever knew it.
    func makeSession(
        of person: PersonID, _ stage: PersonSession.Stage, from origin: SignInOrigin
    ) -> (PersonSession, Redacted<String>) {
        let (now, secret) = (self.now(), self.makeSecret())
        let session = PersonSession(
            id: self.gateway.makeID(), digest: MadeSecret.digest(secret), personID: person, stage: stage,
            createdAt: now, lastSeenAt: now, endsAt: now.adding(seconds: self.settings.seconds(of: stage)),
            address: origin.address, userAgent: origin.userAgent)
        return (session, secret)
    }

    /// Writes a session, and takes those away that have ended.
    func insert(_ session: PersonSession, in transaction: any StoreTransaction) throws {
        let now = session.createdAt
        if try self.gateway.mayActByTime(in: transaction) {
            try transaction.deletePersonSessions(
                endedBy: now, unseenSince: now.adding(seconds: -self.settings.idleSeconds),
                seenAfter: now.adding(seconds: PersonSession.aheadSecondsMax))
        }
        try transaction.insert(session)
    }
}

extension SignedIn {
    /// - Returns: `nil` where there is no session of that secret, it has ended, or the person is suspended.
    init?(digest: [UInt8], at now: Timestamp, idleSeconds: Int64, in reader: any StoreReader) throws {
        guard let session = try reader.personSession(digest: digest),
            session.isRunning(at: now, idleSeconds: idleSeconds),
            let person = try reader.person(session.personID), person.state == .active
        else { return nil }
        self.init(session: session, person: person)
    }
}

extension PersonSession {
    /// How far in the future it may have been made or seen: nodes' clocks differ a little. More is a clock that has been set
    /// back since, and how long nobody has used it then is not known.
    static let aheadSecondsMax: Int64 = 60

    func isRunning(at now: Timestamp, idleSeconds: Int64) -> Bool {
        now < self.endsAt && !self.lastSeenAt.isOlder(than: idleSeconds, at: now)
            && max(self.lastSeenAt, self.createdAt) <= now.adding(seconds: Self.aheadSecondsMax)
    }

    var origin: SignInOrigin { SignInOrigin(address: self.address, userAgent: self.userAgent) }
}
