//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments
import Redaction
import TestGateway
import Testing
import Time

@testable import Administration

/// People over a real gateway, with passwords that take little work.
struct PeopleBench: Sendable {
    static let password = "a glass of cold cider"
    static let owner = Access(.owner)

    let test: TestGateway
    let people: People
    let origin = SignInOrigin(address: "192.0.2.7", userAgent: "Mozilla/5.0")

    static func open(_ configure: (inout PeopleSettings) throws -> Void = { _ in }) async throws -> PeopleBench {
        var settings = PeopleSettings()
        settings.passwordCost = try #require(ScryptCost(logRounds: 4))
        settings.secondFactorRoles = []
        try configure(&settings)
        let test = try await TestGateway.open()
        return PeopleBench(test: test, people: Self.people(of: test, settings))
    }

    static func people(
        of test: TestGateway, _ settings: PeopleSettings, report: @escaping @Sendable (SignInEvent) -> Void = { _ in }
    ) -> People {
        People(
            test.gateway.administration, settings: settings,
            steadyNanoseconds: { [clock = test.clock] in clock.steadyNanoseconds }, report: report)
    }

    /// How many passwords have been proved or made.
    var derivationsCount: Int { self.people.passwords.gate.begunCount }

    func entries(_ act: AuditAct) async throws -> [AuditEntry] {
        try await self.test.store.read { try $0.auditEntries(after: 0, limit: 1000) }.filter { $0.act == act }
    }

    /// Somebody who has chosen ``password``.
    @discardableResult
    func add(
        _ userName: String = "alice", role: Role = .owner, merchants: Set<MerchantID>? = nil
    ) async throws -> Person {
        let made = try await self.people.create(
            PersonDraft(userName: userName, displayName: userName, role: role, merchants: merchants),
            by: Self.owner)
        let secret = try #require(made.secret)
        return try await self.people.acceptInvitation(secret, password: Redacted(Self.password))
    }

    func signIn(
        _ userName: String = "alice", _ password: String = Self.password, from address: String? = nil
    ) async throws -> OpenedSession {
        try await self.people.signIn(
            userName: userName, password: Redacted(password),
            from: address.map { SignInOrigin(address: $0) } ?? self.origin)
    }

    /// Enrolls an app, and waits until its next code is another one.
    func enroll(_ session: Redacted<String>) async throws -> (app: TOTP, confirmed: ConfirmedSecondFactor) {
        let key = try await self.people.beginSecondFactor(session: session)
        let app = TOTP(key: Redacted(try #require(Base32.decode(key.text.reveal()))))
        let confirmed = try await self.people.confirmSecondFactor(code: self.code(of: app), session: session)
        self.test.clock.advance(seconds: TOTP.stepSeconds)
        return (app, confirmed)
    }

    func code(of app: TOTP, stepsAhead: Int64 = 0) -> String {
        app.code(ofStep: TOTP.step(at: self.test.clock.now) + stepsAhead)
    }
}

func expectRefusal(
    _ refusal: SignInRefusal, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ call: () async throws -> Void
) async {
    let error = await #expect(throws: SignInRefusal.self, comment, sourceLocation: sourceLocation) { try await call() }
    #expect(error == refusal, comment, sourceLocation: sourceLocation)
}

func expectError(
    _ code: AdministrationError.Code, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ call: () async throws -> Void
) async {
    let error = await #expect(throws: AdministrationError.self, comment, sourceLocation: sourceLocation) {
        try await call()
    }
    #expect(error?.code == code, comment, sourceLocation: sourceLocation)
    #expect(error?.message.isEmpty == false, sourceLocation: sourceLocation)
}
