//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
@_spi(Administration) import Gateway
public import Payments
import Redaction
import Time

/// The people who administer, their sign-in and their sessions. A portal and an API are thin skins over it.
///
/// One value for all requests: what bounds the work and counts callers is shared by its copies.
public struct People: Sendable {
    public let administration: Administration
    public let settings: PeopleSettings
    let passwords: Passwords
    let addresses: SignInAddresses
    let report: @Sendable (SignInEvent) -> Void

    /// - Parameters:
    ///   - steadyNanoseconds: of a clock that nobody sets, by which addresses wait.
    ///   - report: of what becomes of sign-ins, for metrics.
    public init(
        _ administration: Administration, settings: PeopleSettings = PeopleSettings(),
        steadyNanoseconds: @escaping @Sendable () -> Int64,
        report: @escaping @Sendable (SignInEvent) -> Void = { _ in }
    ) {
        self.administration = administration
        self.settings = settings
        self.passwords = Passwords(
            cost: settings.passwordCost,
            gate: DerivationGate(runningMax: settings.derivationsMax, waitingMax: settings.waitingDerivationsMax),
            salt: administration.gateway.randomBytes(PasswordVerifier.saltBytesCount))
        self.addresses = SignInAddresses(settings, steadyNanoseconds: steadyNanoseconds)
        self.report = report
    }

    private init(_ administration: Administration, as people: People) {
        self.administration = administration
        self.settings = people.settings
        self.passwords = people.passwords
        self.addresses = people.addresses
        self.report = people.report
    }

    /// The same people under another administration of the same store: one that acts for somebody, so that the audit log
    /// names him.
    public func with(_ administration: Administration) -> People { People(administration, as: self) }

    var gateway: Gateway { self.administration.gateway }

    func now() -> Timestamp { self.gateway.now() }

    /// All people, oldest first.
    public func all() async throws -> [Person] { try await self.administration.read { try $0.people() } }

    /// - Throws: ``AdministrationError`` `person_unknown`, `StoreError`.
    public func person(named userName: String) async throws -> Person {
        let name = userName.lowercased()
        guard let person = try await self.administration.read({ try $0.person(named: name) }) else {
            throw AdministrationError(.personUnknown, "There is nobody with the user name \(name).")
        }
        return person
    }

    /// - Throws: ``AdministrationError`` `person_unknown`, `StoreError`.
    public func person(_ id: PersonID) async throws -> Person {
        guard let person = try await self.administration.read({ try $0.person(id) }) else {
            throw Self.unknown(id)
        }
        return person
    }

    static func unknown(_ id: PersonID) -> AdministrationError {
        AdministrationError(.personUnknown, "There is nobody with the id \(id).")
    }

    /// A secret of 256 bits, as text.
    func makeSecret() -> Redacted<String> {
        Redacted(MadeSecret.text(self.gateway.randomBytes(MadeSecret.bytesCount)))
    }
}

/// Why a sign-in, or a step of it, was refused.
public enum SignInRefusal: Error, Hashable, Sendable {
    /// The name, the password or the code is wrong, or nobody may sign in by that name now: one answer for all of it, so
    /// that it says nobody who exists.
    case refused
    /// Too many tries from the caller's address: nothing was looked at.
    case wait(seconds: Int)
    /// Too many sign-ins at once: nothing was looked at. Try again in a few seconds.
    case busy
    /// The session is none, or has ended, or is at another step: sign in anew.
    case sessionEnded
}

/// What becomes of sign-ins, for metrics. No name, no address.
public enum SignInEvent: String, Hashable, Sendable, CaseIterable {
    case succeeded
    case refused
    /// A person's failures have reached the bound.
    case lockedOut
    case addressWaits
    case busy
}

/// Where a request comes from.
public struct SignInOrigin: Hashable, Sendable {
    /// "192.0.2.7", "2001:db8::1".
    public let address: String?
    /// What the browser says it is.
    public let userAgent: String?

    public init(address: String? = nil, userAgent: String? = nil) {
        self.address = address.map { ForeignText.line($0, scalarsMax: 64) }
        self.userAgent = userAgent.map { ForeignText.line($0, scalarsMax: 256) }
    }
}

extension AuditAct {
    public static let personCreate = AuditAct("person.create")
    public static let personChange = AuditAct("person.change")
    public static let personState = AuditAct("person.state")
    public static let personRemove = AuditAct("person.remove")
    public static let personReset = AuditAct("person.reset")
    public static let personUnlock = AuditAct("person.unlock")
    public static let personPassword = AuditAct("person.password")
    public static let personSecondFactor = AuditAct("person.secondFactor")
    public static let personSignIn = AuditAct("person.signIn")
    /// Failures have reached the bound. Single failures are log lines, of which anybody could make any number.
    public static let personLockOut = AuditAct("person.lockOut")
    public static let personSessionsEnd = AuditAct("person.sessions")
}
