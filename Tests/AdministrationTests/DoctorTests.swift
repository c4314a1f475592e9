//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Money
import Payments
import Settings
import TestGateway
import Testing
import Time

/// What `pomona doctor` finds, each thing by what brings it about.
struct DoctorTests {
    private static let dialect = DialectName("test")

    private static func open(certified: Bool = true) async throws -> (TestGateway, TestMerchant) {
        let test = try await TestGateway.open()
        return (test, try await test.addMerchant("shop", dialect: Self.dialect, key: "SHOP", certified: certified))
    }

    private static func findings(_ test: TestGateway, _ merchant: TestMerchant? = nil) async throws -> [Finding] {
        try await test.gateway.administration.examine(merchant?.merchant)
    }

    /// What is not as it should be: "code severity".
    private static func troubles(_ test: TestGateway, _ merchant: TestMerchant? = nil) async throws -> Set<String> {
        Set(
            try await Self.findings(test, merchant).filter { $0.severity != .good }
                .map { "\($0.code) \($0.severity.rawValue)" })
    }

    @Test func findsNothingWrongWithAReadyMerchant() async throws {
        let (test, merchant) = try await Self.open()
        let findings = try await Self.findings(test)
        #expect(Finding.worst(of: findings) == .good, "\(findings)")
        #expect(
            Set(findings.map(\.code)) == [
                "certificate_runs", "routes_sound", "acquirer_good", "keys_known", "operations_known", "webhooks_taken",
                "audit_sound",
            ])
        // Of one merchant nothing is said that belongs to all.
        #expect(try await !Self.findings(test, merchant).contains { $0.area == .audit })
    }

    @Test func saysThatThereIsNoMerchant() async throws {
        let test = try await TestGateway.open()
        #expect(try await Self.troubles(test) == ["no_merchant failure"])
    }

    // MARK: - Certificates

    /// Opens every token itself.
    private struct SealedBank: Connector {
        let name = AcquirerName("sealed")
        let settings = KeyCustody.settings
        let secrets: [SecretDescription] = []

        private struct Opener: Acquirer {
            let name = AcquirerName("sealed")
            let capabilities = AcquirerCapabilities(forms: [.sealedApplePayToken], recovery: .reversal)

            func perform(_ request: AcquirerRequest) async -> AcquirerOutcome { .unclear("silence") }
            func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome { .unknown(.unclear("silence")) }
        }

        func open(_ account: OpenedAcquirerAccount) throws(ConnectorError) -> any Acquirer { Opener() }
        func check(_ account: OpenedAcquirerAccount) async -> [ConnectorFinding] { [] }
    }

    /// All looks ready, and no payment succeeds.
    @Test func findsAKeyThatTheAcquirerIsNotSaidToHave() async throws {
        let test = try await TestGateway.open { $0.connectors.append(SealedBank()) }
        let merchant = try await test.addMerchant("shop", dialect: Self.dialect, key: "SHOP", acquirer: nil)
        let administration = test.gateway.administration
        let account = try await administration.addAcquirerAccount(
            AcquirerAccountDraft(name: "bank", connector: AcquirerName("sealed")), to: merchant.id)
        try await administration.setRoutes(
            of: merchant.id, to: [Route(number: 1, account: account.id, condition: Route.Condition())])
        #expect(try await Self.troubles(test) == ["key_held_here_only warning"])
        let finding = try await Self.findings(test).first { $0.code == "key_held_here_only" }
        let setting = try #require(finding?.command?.last?.split(separator: "=").map { String($0) })
        #expect(setting.first == KeyCustody.identifiersName && finding?.subject == "bank")
        try await administration.changeAcquirerAccount(
            account.id, AcquirerAccountChange(settings: [setting[0]: setting[1]]))
        test.clock.advance(seconds: 60)
        #expect(try await Self.troubles(test) == [])
    }

    /// A certificate is spoken of sixty days before its end, and ever louder. Apple's run for 25 months.
    @Test(arguments: [
        (61, nil), (59, "certificate_ends notice"), (29, "certificate_ends warning"), (13, "certificate_ends failure"),
        (6, "certificate_ends failure"),
    ])
    func warnsBeforeACertificateEnds(_ days: Int64, _ expected: String?) async throws {
        let (test, merchant) = try await Self.open()
        let credential = try #require(
            try await test.gateway.administration.credentials(of: merchant.id).first {
                $0.purpose == .paymentProcessing
            })
        let end = try #require(credential.notAfter)
        test.clock.advance(seconds: end.seconds - test.clock.now.seconds - days * 86_400 - 3600)
        #expect(try await Self.troubles(test) == (expected.map { [$0] } ?? []))
        let finding = try await Self.findings(test).first { $0.area == .certificate }
        #expect(finding?.subject == credential.id)
        #expect(finding?.text.contains("\(days) ") == true)
    }

    /// The successor is in use here, and Apple still has wallets seal for the one before.
    @Test func warnsOfASuccessorThatNoTokenHasComeFor() async throws {
        let (test, merchant) = try await Self.open()
        test.clock.advance(seconds: 3600)
        _ = try await test.addMerchantIdentifier(merchant.merchantIdentifier, to: merchant)
        let credentials = try await test.gateway.administration.credentials(of: merchant.id)
            .filter { $0.purpose == .paymentProcessing }
        #expect(credentials.count == 2 && credentials.allSatisfy { $0.isInUse })
        test.clock.advance(seconds: 86_399)
        #expect(try await Self.troubles(test) == [])
        test.clock.advance(seconds: 1)
        #expect(try await Self.troubles(test) == ["certificate_never_observed warning"])
        let finding = try await Self.findings(test).first { $0.code == "certificate_never_observed" }
        #expect(finding?.subject == credentials.last?.id && finding?.merchant == merchant.merchant.name)
        // A day is given from when it was last put in use.
        _ = try await test.gateway.administration.retireCredential(try #require(finding?.subject), of: merchant.id)
        _ = try await test.gateway.administration.activateCredential(try #require(finding?.subject), of: merchant.id)
        #expect(try await Self.troubles(test) == [])
        test.clock.advance(seconds: 86_401)
        #expect(try await Self.troubles(test) == ["certificate_never_observed warning"])
        // What nothing else stands in for says no more than that no token has come.
        _ = try await test.gateway.administration.retireCredential(
            try #require(credentials.first?.id), of: merchant.id)
        #expect(try await Self.troubles(test) == [])
        let runs = try await Self.findings(test).first {
            $0.code == "certificate_runs" && $0.subject == finding?.subject
        }
        #expect(runs?.text.contains("No token has come for it yet.") == true)
        #expect(runs?.text.contains(", issued by ") == true)
    }

    @Test func failsOnceACertificateHasEnded() async throws {
        let (test, merchant) = try await Self.open()
        let end = try #require(
            try await test.gateway.administration.credentials(of: merchant.id).first?.notAfter)
        test.clock.advance(seconds: end.seconds - test.clock.now.seconds + 1)
        #expect(
            try await Self.troubles(test) == ["certificate_ended failure", "certificate_expired failure"])
    }

    @Test func isSilentAboutAnEndingCertificateThatIsFollowed() async throws {
        let (test, merchant) = try await Self.open()
        let end = try #require(
            try await test.gateway.administration.credentials(of: merchant.id).first?.notAfter)
        test.clock.advance(seconds: end.seconds - test.clock.now.seconds - 10 * 86_400)
        _ = try await test.addMerchantIdentifier(merchant.merchantIdentifier, to: merchant)
        #expect(try await Self.troubles(test) == ["certificate_ends failure"], "Apple may not know of it")
        let next = try #require(
            try await test.gateway.administration.credentials(of: merchant.id).last { $0.purpose == .paymentProcessing }
        )
        let now = test.clock.now
        try await test.store.write { transaction in
            try transaction.upsert(
                Observation(kind: .keyUse, merchantID: merchant.id, subject: next.id, number: 0, at: now))
        }
        #expect(try await Self.troubles(test) == [])
    }

    @Test func aRequestForAnIdentifierOfItsOwnIsANotice() async throws {
        let (test, merchant) = try await Self.open()
        let administration = test.gateway.administration
        _ = try await administration.createSigningRequest(
            merchant: merchant.id, purpose: .paymentProcessing, merchantIdentifier: merchant.merchantIdentifier)
        #expect(try await Self.troubles(test) == [], "a renewal")
        _ = try await administration.createSigningRequest(
            merchant: merchant.id, purpose: .paymentProcessing, merchantIdentifier: "merchant.com.example.typo")
        #expect(try await Self.troubles(test) == ["signing_request_waits notice"])
        let finding = try #require(try await Self.findings(test).first { $0.code == "signing_request_waits" })
        #expect(finding.command?.prefix(2) == ["certificate", "retire"])
        _ = try await administration.retireCredential(try #require(finding.subject), of: merchant.id)
        #expect(try await Self.troubles(test) == [])
    }

    // MARK: - What leads nowhere

    @Test func namesWhatAMerchantLacks() async throws {
        let test = try await TestGateway.open()
        _ = try await test.gateway.administration.createMerchant(
            name: "new", displayName: "New", mode: .sandbox, countryCode: "CA")
        let findings = try await Self.findings(test).filter { $0.severity == .failure }
        #expect(
            Set(findings.map(\.code)) == ["account_missing", "acquirer_missing", "processing_key_missing"])
        for finding in findings {
            #expect(finding.merchant == "new" && finding.advice != nil)
            // In a sandbox one command provides them all.
            #expect(finding.command?.contains("new") == true || finding.command == ["setup"])
        }
    }

    @Test func namesRoutesThatLeadNowhereAndAccountsWithoutOne() async throws {
        let (test, merchant) = try await Self.open()
        let administration = test.gateway.administration
        let account = try await administration.acquirerAccount(named: "simulator", of: merchant.merchant)
        _ = try await administration.addAcquirerAccount(
            AcquirerAccountDraft(name: "second", connector: AcquirerName("simulator")), to: merchant.id)
        try await administration.setRoutes(
            of: merchant.id,
            to: [
                Route(number: 1, account: account.id),
                Route(
                    number: 2, account: account.id,
                    condition: Route.Condition(currency: Currency.alphabetic("EUR"), minorUnitsMax: 1000)),
            ])
        #expect(
            try await Self.troubles(test) == ["route_never_taken notice", "account_without_route notice"])
        _ = try await administration.setAcquirerAccount(account.id, to: .suspended)
        #expect(
            try await Self.troubles(test) == [
                "route_missing failure", "route_to_suspended_account warning", "account_without_route notice",
            ])
    }

    /// What was not processed takes the next route that fits, and so one to another account is no idle one.
    @Test func takesAFallbackForNoIdleRoute() async throws {
        let (test, merchant) = try await Self.open()
        let administration = test.gateway.administration
        let first = try await administration.acquirerAccount(named: "simulator", of: merchant.merchant)
        let second = try await administration.addAcquirerAccount(
            AcquirerAccountDraft(name: "second", connector: AcquirerName("simulator")), to: merchant.id)
        try await administration.setRoutes(
            of: merchant.id, to: [Route(number: 1, account: first.id), Route(number: 2, account: second.id)])
        #expect(try await Self.troubles(test) == [])
    }

    /// An account whose acquirer takes no credentials, and one that somebody has changed in the database.
    @Test func namesAcquirersThatCannotBeUsed() async throws {
        let test = try await TestGateway.open { $0.connectors.append(ShutBank()) }
        let merchant = try await test.addMerchant("shop", dialect: Self.dialect, key: "SHOP")
        let account = try await test.gateway.administration.addAcquirerAccount(
            AcquirerAccountDraft(name: "bank", connector: AcquirerName("bank")), to: merchant.id)
        try await test.gateway.administration.setRoutes(of: merchant.id, to: [Route(number: 1, account: account.id)])
        let finding = try #require(try await Self.findings(test).first { $0.code == "acquirer_fails" })
        #expect(finding.severity == .failure && finding.subject == "bank")
        #expect(finding.text == "bank (bank), credentials: refused")
        // Asked about nobody else's machine.
        let offline = try await test.gateway.administration.examine(asksAcquirers: false)
        #expect(!offline.contains { $0.code == "acquirer_fails" })
        var changed = account
        changed.settings["host"] = "elsewhere"
        try await test.store.write { [changed] in try $0.update(changed) }
        #expect(try await Self.troubles(test).contains("acquirer_not_opened failure"))
    }

    /// What takes longer than the gateway waits is unknown to the shop.
    @Test(arguments: [(39, true), (40, false)] as [(Int64, Bool)])
    func namesAcquirersThatTakeLongerThanTheGatewayWaits(_ deadlineSeconds: Int64, _ isShort: Bool) async throws {
        let test = try await TestGateway.open {
            $0.connectors.append(ShutBank())
            $0.settings.acquirerDeadlineSeconds = deadlineSeconds
        }
        let merchant = try await test.addMerchant("shop", dialect: Self.dialect, key: "SHOP")
        _ = try await test.gateway.administration.addAcquirerAccount(
            AcquirerAccountDraft(name: "bank", connector: AcquirerName("bank")), to: merchant.id)
        let offline = try await test.gateway.administration.examine(asksAcquirers: false)
        let finding = offline.first { $0.code == "deadline_short" }
        #expect((finding != nil) == isShort)
        if let finding {
            #expect(finding.severity == .warning && finding.subject == "bank" && finding.area == .acquirer)
            #expect(finding.text == "bank (bank) may take 40 seconds, and the gateway waits 39.")
        }
    }

    private struct Silence: Acquirer {
        let name = AcquirerName("bank")
        let capabilities = AcquirerCapabilities(
            recovery: .reversal,
            deadlines: .init(chargeMilliseconds: 20_000, otherMilliseconds: 40_000, connectMilliseconds: 3000))

        func perform(_ request: AcquirerRequest) async -> AcquirerOutcome { .unclear("silence") }
        func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome { .unknown(.unclear("silence")) }
    }

    private struct ShutBank: Connector {
        let name = AcquirerName("bank")
        let settings: [SettingDescription] = []
        let secrets: [SecretDescription] = []

        func open(_ account: OpenedAcquirerAccount) throws(ConnectorError) -> any Acquirer { Silence() }

        func check(_ account: OpenedAcquirerAccount) async -> [ConnectorFinding] {
            [ConnectorFinding("credentials", isGood: false, "refused")]
        }
    }

    @Test func saysThatAMerchantIsSuspended() async throws {
        let (test, merchant) = try await Self.open()
        try await test.gateway.administration.suspendMerchant(merchant.id)
        #expect(try await Self.troubles(test) == ["merchant_suspended notice"])
        try await test.gateway.administration.closeMerchant(merchant.id)
        #expect(try await Self.troubles(test) == ["no_merchant failure"])
    }
}
