//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Payments
import Redaction
import Settings
import TestGateway
import Testing

/// What a merchant lacks, and with which command it is provided.
@Suite struct ReadinessTests {
    private static let identifier = "merchant.com.example.shop"

    /// A merchant with an account in a dialect, and nothing besides.
    private static func open(_ mode: Mode = .live) async throws -> (TestGateway, Administration, Merchant) {
        let test = try await TestGateway.open()
        let administration = test.gateway.administration
        let merchant = try await administration.createMerchant(
            name: "shop", displayName: "Shop", mode: mode, countryCode: "DE")
        try await administration.putAccount(
            merchant: merchant.id, dialect: DialectName("test"), key: "SHOP", settings: [:], secrets: [:])
        return (test, administration, merchant)
    }

    private static func add(
        _ name: String, to merchant: Merchant, _ administration: Administration
    ) async throws -> AcquirerAccount {
        let connector = try #require(administration.connectors.first)
        return try await administration.addAcquirerAccount(
            AcquirerAccountDraft(name: name, connector: connector.name), to: merchant.id)
    }

    @Test func suspendedAccountsAreResumedAndNotRouted() async throws {
        let (_, administration, merchant) = try await Self.open()
        func first() async throws -> MissingPart? { try await administration.missingParts(of: merchant).first }
        let one = try await Self.add("one", to: merchant, administration)
        #expect(try await first() == .route(account: "one"))
        #expect(
            try await first()?.command(for: merchant)
                == ["route", "set", "--merchant", "shop", "--acquirer", "one"])
        try await administration.setAcquirerAccount(one.id, to: .suspended)
        #expect(try await first() == .acquirerResumption(account: "one"))
        let two = try await Self.add("two", to: merchant, administration)
        #expect(try await first() == .route(account: "two"))
        try await administration.setAcquirerAccount(one.id, to: .active)
        #expect(try await first() == .route(account: nil))
        try await administration.setRoute(of: merchant.id, to: two.id)
        try await administration.setAcquirerAccount(two.id, to: .suspended)
        #expect(try await first() == .acquirerResumption(account: "two"))
        #expect(
            try await first()?.command(for: merchant)
                == ["acquirer", "resume", "--merchant", "shop", "--name", "two"])
    }

    /// Who takes payments in apps alone is ready without a domain and without the certificate for sessions.
    @Test func whatOnlyWebPagesNeedKeepsNobodyFromPayments() async throws {
        let (test, administration, merchant) = try await Self.open()
        func forWeb() async throws -> [MissingPart] {
            try await administration.missingPartsForWeb(of: merchant)
        }
        let host = try #require(WellKnownHost("shop.example.com"))
        #expect(try await forWeb() == [.identityKey(merchantIdentifier: nil), .domain])
        _ = try await administration.createSigningRequest(
            merchant: merchant.id, purpose: .paymentProcessing, merchantIdentifier: Self.identifier)
        try await administration.addDomain(host, to: merchant.id, file: Array("file".utf8))
        #expect(try await forWeb() == [.identityKey(merchantIdentifier: Self.identifier)])
        try await administration.removeDomain(host, of: merchant.id)
        _ = try await administration.createSigningRequest(
            merchant: merchant.id, purpose: .merchantIdentity, merchantIdentifier: Self.identifier)
        #expect(try await forWeb() == [.identityCertificate(merchantIdentifier: Self.identifier), .domain])
        #expect(try await forWeb().allSatisfy(\.isForWeb))
        let parts = try await administration.missingParts(of: merchant)
        #expect(!parts.isEmpty && !parts.contains(where: \.isForWeb))
        let ready = try await test.addMerchant("ready", dialect: DialectName("test"), key: "READY").merchant
        #expect(try await administration.missingParts(of: ready).isEmpty)
        #expect(try await administration.missingPartsForWeb(of: ready).contains(.domain))
        try await administration.closeMerchant(merchant.id)
        #expect(try await forWeb().isEmpty)
    }

    @Test func aKeyThatIsUsedNoMoreIsNone() async throws {
        let (test, administration, _) = try await Self.open()
        let ready = try await test.addMerchant("ready", dialect: DialectName("test"), key: "READY").merchant
        for credential in try await administration.credentials(of: ready.id) {
            _ = try await administration.retireCredential(credential.id, of: ready.id)
        }
        #expect(try await administration.missingParts(of: ready) == [.processingKey])
    }

    /// A mistyped one, or one for another app.
    @Test func aRequestBesideAKeyThatWorksKeepsNobodyFromPayments() async throws {
        let (test, administration, merchant) = try await Self.open()
        let ready = try await test.addMerchant("ready", dialect: DialectName("test"), key: "READY").merchant
        for owner in [ready, merchant] {
            _ = try await administration.createSigningRequest(
                merchant: owner.id, purpose: .paymentProcessing, merchantIdentifier: "merchant.com.example.typo")
        }
        #expect(try await administration.missingParts(of: ready).isEmpty)
        let lack = MissingPart.processingCertificate(merchantIdentifier: "merchant.com.example.typo")
        #expect(try await administration.missingParts(of: merchant).contains(lack), "it has nothing else")
        let request = try #require(
            try await administration.credentials(of: merchant.id).first { $0.state == .requested })
        #expect(try await administration.retireCredential(request.id, of: merchant.id).state == .retired)
        let parts = try await administration.missingParts(of: merchant)
        #expect(parts.contains(.processingKey) && !parts.contains(lack))
    }

    @Test func sandboxMerchantIsNotSentToApplesPortal() async throws {
        let (_, _, sandbox) = try await Self.open(.sandbox)
        let (_, _, live) = try await Self.open(.live)
        for part in [MissingPart.processingKey, .processingExpired(merchantIdentifier: Self.identifier)] {
            #expect(part.command(for: sandbox) == ["setup"])
            #expect(part.command(for: live).prefix(2) == ["certificate", "csr"])
        }
        #expect(MissingPart.domain.command(for: sandbox) == ["setup"])
        #expect(MissingPart.domain.command(for: live).prefix(2) == ["domain", "add"])
    }

    // MARK: - What keeps an account from being made

    private struct Bank: Connector {
        let name = AcquirerName("bank")
        let settings = [SettingDescription("host", SettingRules.text(8), "Where it is.", isRequired: true)]
        let secrets = [
            SecretDescription("password", "Lets us in.", alternative: "password"),
            SecretDescription("certificate", "Lets us in, too.", alternative: "certificate"),
            SecretDescription("key", "Goes with it.", alternative: "certificate"),
        ]

        func open(_ account: OpenedAcquirerAccount) throws(ConnectorError) -> any Acquirer {
            guard account.mode == .sandbox else { throw .sandboxOnly }
            throw .settingNotAllowed("host", must: "another one")
        }

        func check(_ account: OpenedAcquirerAccount) async -> [ConnectorFinding] { [] }
    }

    @Test(
        arguments: [
            (["password"], nil), (["certificate", "key"], nil), (["password", "key"], nil),
            ([], "password, or certificate and key"), (["key"], "certificate and key"),
        ] as [(Set<String>, String?)])
    func oneOfSeveralWaysIsNeeded(_ secrets: Set<String>, _ lacking: String?) {
        #expect(Bank().secrets.lackingAlternatives(among: secrets) == lacking)
        #expect(Bank().secrets.alternatives.map(\.name) == ["password", "certificate"])
    }

    @Test func allThatIsWrongWithAnAccountIsSaid() {
        var draft = AcquirerAccountDraft(
            name: "B", connector: AcquirerName("bank"), acceptor: CardAcceptor(categoryCode: "x"),
            settings: ["hose": "a"], secrets: ["key": Redacted("k")])
        let problems = draft.problems(mode: .live, Bank())
        #expect(
            problems.map(\.place) == [
                ["name"], ["settings", "hose"], ["settings", "host"], ["secrets"], ["acceptor", "categoryCode"],
            ])
        #expect(
            problems.map(\.error.code) == [
                .acquirerNameMalformed, .settingUnknown, .settingMissing, .secretMissing, .acceptorInvalid,
            ])
        draft = AcquirerAccountDraft(
            name: "b", connector: AcquirerName("bank"), settings: ["host": "a"], secrets: ["password": Redacted("p")])
        #expect(draft.problems(mode: .live, Bank()).map(\.place) == [["connector"]])
        #expect(draft.problems(mode: .sandbox, Bank()).map(\.place) == [["settings", "host"]])
    }
}
