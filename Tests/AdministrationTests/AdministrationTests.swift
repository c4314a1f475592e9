//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Money
import Payments
import Redaction
import Settings
import TestGateway
import Testing

/// What an operator does, and what he is refused.
@Suite struct AdministrationTests {
    private static func open() async throws -> (TestGateway, Administration) {
        let test = try await TestGateway.open { $0.connectors.append(Bank()) }
        return (test, test.gateway.administration)
    }

    private static func expect(
        _ code: AdministrationError.Code, _ comment: Comment? = nil,
        sourceLocation: SourceLocation = #_sourceLocation, _ call: () async throws -> Void
    ) async {
        let error = await #expect(throws: AdministrationError.self, comment, sourceLocation: sourceLocation) {
            try await call()
        }
        #expect(error?.code == code, comment, sourceLocation: sourceLocation)
        #expect(error?.message.isEmpty == false, sourceLocation: sourceLocation)
    }

    private static func draft(
        _ name: String = "bank", host: String? = "bank.example", password: String? = "open sesame",
        more: [String: String] = [:]
    ) -> AcquirerAccountDraft {
        var draft = AcquirerAccountDraft(name: name, connector: AcquirerName("bank"), settings: more)
        draft.settings["host"] = host
        draft.secrets["password"] = password.map { Redacted($0) }
        return draft
    }

    // MARK: - Merchants

    @Test func liveMerchantIsMade() async throws {
        let (test, administration) = try await Self.open()
        let merchant = try await administration.createMerchant(
            name: "shop", displayName: "Café “Zum Löwen”", mode: .live, countryCode: "DE")
        #expect(try await administration.merchant(named: "shop") == merchant)
        #expect(merchant.mode == .live && merchant.state == .active)
        let entries = try await test.store.read { try $0.auditEntries(after: 0, limit: 10) }
        #expect(entries.map(\.act) == [.merchantCreate] && entries.first?.subject == "shop")
        #expect(try await test.gateway.administration.checkAuditLog().isSound)
    }

    @Test(arguments: [
        "", "house", "Shop", "a shop", "shop_1", "café", "-", "--json", "-shop", String(repeating: "a", count: 65),
    ])
    func refusesMalformedName(_ name: String) async throws {
        let (_, administration) = try await Self.open()
        await Self.expect(.merchantNameMalformed) {
            _ = try await administration.createMerchant(
                name: name, displayName: "Shop", mode: .sandbox, countryCode: "DE")
        }
    }

    @Test(arguments: ["", "D", "de", "DEU", "1A", "ZZ"])
    func refusesWhatIsNoCountry(_ code: String) async throws {
        let (_, administration) = try await Self.open()
        await Self.expect(.countryUnknown) {
            _ = try await administration.createMerchant(
                name: "shop", displayName: "Shop", mode: .sandbox, countryCode: code)
        }
    }

    @Test func merchantIsChangedSuspendedResumedAndClosed() async throws {
        let (test, administration) = try await Self.open()
        let id = try await administration.createMerchant(
            name: "shop", displayName: "Shop", mode: .sandbox, countryCode: "DE"
        ).id
        #expect(try await administration.changeMerchant(id, displayName: "New").displayName == "New")
        await Self.expect(.displayNameMalformed) { try await administration.changeMerchant(id, displayName: "") }
        #expect(try await administration.suspendMerchant(id).state == .suspended)
        #expect(try await administration.resumeMerchant(id).state == .active)
        // What changes nothing is no act.
        #expect(try await administration.resumeMerchant(id).state == .active)
        #expect(try await administration.closeMerchant(id).state == .closed)
        await Self.expect(.merchantClosed) { try await administration.suspendMerchant(id) }
        await Self.expect(.merchantClosed) { try await administration.changeMerchant(id, displayName: "Old") }
        await Self.expect(.merchantClosed) { _ = try await administration.addAcquirerAccount(Self.draft(), to: id) }
        await Self.expect(.merchantClosed) { try await administration.setRoutes(of: id, to: []) }
        await Self.expect(.merchantClosed) {
            try await administration.changeSettings(of: id, dialect: DialectName("payone")) { $0["city"] = "Bonn" }
        }
        await Self.expect(.merchantClosed) {
            _ = try await administration.createSigningRequest(
                merchant: id, purpose: .paymentProcessing, merchantIdentifier: "merchant.com.example.shop")
        }
        let closed = try await administration.merchant(named: "shop")
        #expect(try await administration.missingParts(of: closed) == [.closure])
        let acts = try await test.store.read { try $0.auditEntries(after: 0, limit: 10).map(\.act.name) }
        #expect(
            acts == ["merchant.create", "merchant.change", "merchant.state", "merchant.state", "merchant.state"])
    }

    @Test func refusesWhatIsNotThere() async throws {
        let (_, administration) = try await Self.open()
        await Self.expect(.merchantUnknown) { _ = try await administration.merchant(named: "nobody") }
        let merchant = try await administration.createMerchant(
            name: "shop", displayName: "Shop", mode: .sandbox, countryCode: "DE")
        await Self.expect(.acquirerUnknown) {
            _ = try await administration.acquirerAccount(named: "bank", of: merchant)
        }
        await Self.expect(.merchantNameTaken) {
            _ = try await administration.createMerchant(
                name: "shop", displayName: "Shop", mode: .live, countryCode: "DE")
        }
        #expect(throws: AdministrationError.self) { try administration.connector(AcquirerName("none")) }
    }

    // MARK: - Acquirer accounts

    @Test func acquirerAccountIsMadeAndItsSecretsAreSealed() async throws {
        let (test, administration) = try await Self.open()
        let merchant = try await administration.createMerchant(
            name: "shop", displayName: "Shop", mode: .sandbox, countryCode: "DE")
        var draft = Self.draft()
        draft.acceptor = try CardAcceptor(["categoryCode": "5999", "terminal": "0001"])
        let account = try await administration.addAcquirerAccount(draft, to: merchant.id)
        let stored = try #require(try await test.store.read { try $0.acquirerAccount(account.id) })
        #expect(stored == account && stored.acceptor.categoryCode == "5999")
        #expect(stored.secrets.keys.contains("password"))
        for bytes in try await test.everythingStored() { #expect(!bytes.contains(Array("open sesame".utf8))) }
        #expect(try await administration.checkAcquirerAccount(account).allSatisfy(\.isGood))
        await Self.expect(.acquirerNameTaken) {
            _ = try await administration.addAcquirerAccount(Self.draft(), to: merchant.id)
        }
    }

    @Test func refusesAcquirerAccountsThatTheConnectorDoesNotTake() async throws {
        let (test, administration) = try await Self.open()
        let merchant = try await administration.createMerchant(
            name: "shop", displayName: "Shop", mode: .sandbox, countryCode: "DE")
        let live = try await administration.createMerchant(
            name: "real", displayName: "Shop", mode: .live, countryCode: "DE")
        var unknown = Self.draft()
        unknown.connector = AcquirerName("none")
        var extra = Self.draft()
        extra.secrets["pin"] = Redacted("1234")
        var acceptor = Self.draft()
        acceptor.acceptor.categoryCode = "59"
        let cases: [(AcquirerAccountDraft, MerchantID, AdministrationError.Code)] = [
            (unknown, merchant.id, .connectorUnknown), (Self.draft("Big Bank"), merchant.id, .acquirerNameMalformed),
            (Self.draft(host: nil), merchant.id, .settingMissing),
            (Self.draft(password: nil), merchant.id, .secretMissing),
            (Self.draft(password: ""), merchant.id, .secretInvalid), (extra, merchant.id, .secretUnknown),
            (Self.draft(more: ["colour": "red"]), merchant.id, .settingUnknown),
            (Self.draft(more: ["flavor": "salty"]), merchant.id, .settingInvalid),
            (Self.draft(host: "devil"), merchant.id, .accountNotAllowed), (Self.draft(), live.id, .accountNotAllowed),
            (acceptor, merchant.id, .acceptorInvalid),
        ]
        for (draft, owner, code) in cases {
            await Self.expect(code, "\(code)") { _ = try await administration.addAcquirerAccount(draft, to: owner) }
        }
        #expect(try await test.store.read { try $0.acquirerAccounts(of: merchant.id) }.isEmpty)
        #expect(throws: AdministrationError.self) { try CardAcceptor(["colour": "red"]) }
    }

    @Test func acquirerAccountIsChangedAsAWholeOrNotAtAll() async throws {
        let (test, administration) = try await Self.open()
        let merchant = try await administration.createMerchant(
            name: "shop", displayName: "Shop", mode: .sandbox, countryCode: "DE")
        let account = try await administration.addAcquirerAccount(Self.draft(), to: merchant.id)
        let changed = try await administration.changeAcquirerAccount(
            account.id,
            AcquirerAccountChange(
                settings: ["flavor": "sweet"], secrets: ["password2": Redacted("open barley")],
                acceptor: CardAcceptor(terminal: "7")))
        #expect(changed.settings["flavor"] == "sweet" && changed.secrets["password2"] != nil)
        #expect(changed.acceptor.terminal == "7")
        let bad = AcquirerAccountChange(settings: ["flavor": "sour", "host": "devil"])
        await Self.expect(.accountNotAllowed) { try await administration.changeAcquirerAccount(account.id, bad) }
        #expect(try await test.store.read { try $0.acquirerAccount(account.id) } == changed)
        let less = AcquirerAccountChange(
            settings: ["flavor": String?.none], secrets: ["password2": Redacted<String>?.none])
        let reduced = try await administration.changeAcquirerAccount(account.id, less)
        #expect(reduced.settings["flavor"] == nil && reduced.secrets["password2"] == nil)
        await Self.expect(.secretMissing) {
            try await administration.changeAcquirerAccount(
                account.id, AcquirerAccountChange(secrets: ["password": Redacted<String>?.none]))
        }
        #expect(try await administration.checkAcquirerAccount(reduced).allSatisfy(\.isGood))
    }

    /// Unicode holds both passwords to be equal, and the acquirer knows the one alone.
    @Test func aSecretInOtherCodePointsIsAnotherOne() async throws {
        let (_, administration) = try await Self.open()
        let merchant = try await administration.createMerchant(
            name: "shop", displayName: "Shop", mode: .sandbox, countryCode: "DE")
        let account = try await administration.addAcquirerAccount(Self.draft(), to: merchant.id)
        var sealed: [SealedBytes?] = []
        for password in ["open \u{E9}", "open e\u{301}", "open e\u{301}"] {
            let change = AcquirerAccountChange(secrets: ["password2": Redacted(password)])
            sealed.append(try await administration.changeAcquirerAccount(account.id, change).secrets["password2"])
        }
        #expect(sealed[0] != nil && sealed[0] != sealed[1] && sealed[1] == sealed[2])
    }

    /// The same draft twice is one account, and another connector's is none of it.
    @Test func draftIsMadeOnceAndChangedAfterwards() async throws {
        let (_, administration) = try await Self.open()
        let merchant = try await administration.createMerchant(
            name: "shop", displayName: "Shop", mode: .sandbox, countryCode: "DE")
        var draft = Self.draft()
        draft.acceptor = CardAcceptor(terminal: "7")
        let made = try await administration.putAcquirerAccount(draft, of: merchant.id)
        let entries = try await administration.auditHead().entriesCount
        #expect(try await administration.putAcquirerAccount(draft, of: merchant.id) == made)
        #expect(try await administration.auditHead().entriesCount == entries, "nothing was done")
        let moved = try await administration.putAcquirerAccount(
            Self.draft(host: "other.example", more: ["flavor": "sour"]), of: merchant.id)
        #expect(moved.id == made.id && moved.settings == ["host": "other.example", "flavor": "sour"])
        #expect(moved.acceptor == made.acceptor, "what the draft says nothing of stays")
        draft.acceptor = CardAcceptor(categoryCode: "5999")
        let both = try await administration.putAcquirerAccount(draft, of: merchant.id).acceptor
        #expect(both == CardAcceptor(terminal: "7", categoryCode: "5999"), "of the acceptor, too")
        #expect(try await administration.read { try $0.acquirerAccounts(of: merchant.id).count } == 1)
        var other = draft
        other.connector = AcquirerName("simulator")
        await Self.expect(.acquirerNameTaken) {
            _ = try await administration.putAcquirerAccount(other, of: merchant.id)
        }
    }

    /// A change of something harmless must not seal what somebody has put beside it.
    @Test func refusesToChangeWhatWasChangedInTheStore() async throws {
        let (test, administration) = try await Self.open()
        let merchant = try await administration.createMerchant(
            name: "shop", displayName: "Shop", mode: .sandbox, countryCode: "DE")
        let account = try await administration.addAcquirerAccount(Self.draft(), to: merchant.id)
        try await test.store.write { transaction in
            var changed = account
            changed.settings["host"] = "attacker.example"
            try transaction.update(changed)
        }
        let error = await #expect(throws: VaultError.self) {
            try await administration.changeAcquirerAccount(
                account.id, AcquirerAccountChange(settings: ["flavor": "sweet"]))
        }
        #expect(error?.code == .accountChanged)
    }

    // MARK: - Routes

    @Test func routesAreSetTestedAndRemoved() async throws {
        let (_, administration) = try await Self.open()
        let merchant = try await administration.createMerchant(
            name: "shop", displayName: "Shop", mode: .sandbox, countryCode: "DE")
        let first = try await administration.addAcquirerAccount(Self.draft("first"), to: merchant.id).id
        let second = try await administration.addAcquirerAccount(Self.draft("second"), to: merchant.id).id
        let euro = try #require(Currency.alphabetic("EUR"))
        try await administration.setRoute(
            of: merchant.id, to: second, condition: Route.Condition(network: .amex, currency: euro))
        try await administration.setRoute(of: merchant.id, to: first)
        // The same again is no third route.
        let again = try await administration.setRoute(of: merchant.id, to: first)
        #expect(again.number == 2)
        #expect(try await administration.routes(of: merchant.id).map(\.account) == [second, first])
        let amount = Money(minorUnits: 1000, currency: euro)
        func verdicts(_ network: CardNetwork) async throws -> [RouteDecision.Verdict] {
            try await administration.testRoute(
                of: merchant.id, dialect: DialectName("payone"), network: network, amount: amount
            ).steps.map(\.verdict)
        }
        #expect(try await verdicts(.visa) == [.otherNetwork, .taken])
        #expect(try await verdicts(.amex) == [.taken, .later])
        try await administration.setAcquirerAccount(second, to: .suspended)
        #expect(try await verdicts(.amex) == [.suspended, .taken])
        try await administration.removeRoute(2, of: merchant.id)
        #expect(try await verdicts(.visa) == [.otherNetwork])
        await Self.expect(.routeUnknown) { try await administration.removeRoute(2, of: merchant.id) }
    }

    /// What payments are asked, the operator's question is.
    @Test func testPassesOverAccountsThatCannotBeginThePayment() async throws {
        let (_, administration) = try await Self.open()
        let merchant = try await administration.createMerchant(
            name: "shop", displayName: "Shop", mode: .sandbox, countryCode: "DE"
        ).id
        let sour = try await administration.addAcquirerAccount(
            Self.draft("sour", more: ["flavor": "sour"]), to: merchant)
        let sweet = try await administration.addAcquirerAccount(Self.draft("sweet"), to: merchant)
        try await administration.setRoute(of: merchant, to: sour.id)
        try await administration.setRoute(of: merchant, to: sweet.id)
        let amount = Money(minorUnits: 1000, currency: try #require(Currency.alphabetic("EUR")))
        let payone = DialectName("payone")
        func decide(
            _ network: CardNetwork, _ purpose: AuthorizeCommand.Purpose = .sale
        ) async throws -> RouteDecision {
            try await administration.testRoute(
                of: merchant, dialect: payone, network: network, amount: amount, purpose: purpose)
        }
        #expect(try await decide(.amex).steps.map(\.verdict) == [.networkNotTaken, .taken])
        #expect(try await decide(.mastercard).steps.map(\.verdict) == [.taken, .later])
        #expect(try await decide(.mastercard, .authorization).steps.map(\.verdict) == [.purposeNotOffered, .taken])
        #expect(
            try await decide(.mastercard, .verification).steps.map(\.verdict) == [
                .purposeNotOffered, .purposeNotOffered,
            ])
        // Nobody can ask for it, whatever the routes say.
        #expect(try await decide(.visa).obstacle == .dialectAccountMissing)
        #expect(try await decide(.visa).account == nil)
        try await administration.putAccount(merchant: merchant, dialect: payone, key: "1", settings: [:], secrets: [:])
        #expect(try await decide(.visa).account == sweet.id)
        try await administration.suspendMerchant(merchant)
        #expect(try await decide(.visa).obstacle == .merchantSuspended)
        try await administration.closeMerchant(merchant)
        #expect(try await decide(.visa).obstacle == .merchantClosed)
    }

    @Test func refusesRoutesThatLeadNowhere() async throws {
        let (_, administration) = try await Self.open()
        let merchant = try await administration.createMerchant(
            name: "shop", displayName: "Shop", mode: .sandbox, countryCode: "DE")
        let other = try await administration.createMerchant(
            name: "other", displayName: "Other", mode: .sandbox, countryCode: "DE")
        let own = try await administration.addAcquirerAccount(Self.draft(), to: merchant.id).id
        let foreign = try await administration.addAcquirerAccount(Self.draft(), to: other.id).id
        await Self.expect(.acquirerUnknown) { try await administration.setRoute(of: merchant.id, to: foreign) }
        await Self.expect(.routeInvalid, "no currency") {
            try await administration.setRoute(
                of: merchant.id, to: own, condition: Route.Condition(minorUnitsMin: 1))
        }
        await Self.expect(.routeInvalid, "upside down") {
            try await administration.setRoute(
                of: merchant.id, to: own,
                condition: Route.Condition(
                    currency: Currency.alphabetic("EUR"), minorUnitsMin: 2, minorUnitsMax: 1))
        }
        await Self.expect(.routeInvalid, "number 0") {
            try await administration.setRoute(of: merchant.id, to: own, number: 0)
        }
        await Self.expect(.routeInvalid, "twice") {
            try await administration.setRoutes(
                of: merchant.id, to: [Route(number: 1, account: own), Route(number: 1, account: own)])
        }
        #expect(try await administration.routes(of: merchant.id).isEmpty)
    }

    // MARK: - What is missing

    @Test func missingPartsAreNamedUntilNothingIs() async throws {
        let (test, administration) = try await Self.open()
        let merchant = try await administration.createMerchant(
            name: "shop", displayName: "Shop", mode: .sandbox, countryCode: "DE")
        #expect(
            try await administration.missingParts(of: merchant) == [.dialectAccount, .acquirerAccount, .processingKey])
        let account = try await administration.addAcquirerAccount(Self.draft(), to: merchant.id)
        #expect(
            try await administration.missingParts(of: merchant)
                == [.dialectAccount, .route(account: "bank"), .processingKey])
        try await administration.setRoute(of: merchant.id, to: account.id)
        try await test.gateway.administration.putAccount(
            merchant: merchant.id, dialect: DialectName("test"), key: "SHOP", settings: [:], secrets: [:])
        _ = try await test.gateway.administration.createSigningRequest(
            merchant: merchant.id, purpose: .paymentProcessing, merchantIdentifier: "merchant.com.example.shop")
        #expect(
            try await administration.missingParts(of: merchant)
                == [.processingCertificate(merchantIdentifier: "merchant.com.example.shop")])
        try await administration.suspendMerchant(merchant.id)
        #expect(try await administration.missingParts(of: merchant).last == .resumption)
        try await administration.resumeMerchant(merchant.id)
        try await administration.setAcquirerAccount(account.id, to: .suspended)
        #expect(
            try await administration.missingParts(of: merchant).first == .acquirerResumption(account: account.name))
        let ready = try await test.addMerchant("ready", dialect: DialectName("test"), key: "READY")
        #expect(try await administration.missingParts(of: ready.merchant).isEmpty)
    }
}
