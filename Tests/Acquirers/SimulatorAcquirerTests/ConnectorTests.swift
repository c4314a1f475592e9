//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Settings
import SimulatorAcquirer
import Testing
import Time

/// The simulator as accounts have it: each may have it behave like another kind of upstream.
@Suite struct ConnectorTests {
    private static func account(
        _ settings: [String: String] = [:], mode: Mode = .sandbox
    ) -> OpenedAcquirerAccount {
        OpenedAcquirerAccount(
            AcquirerAccount(
                id: AcquirerAccountID(at: Desk.now, random: [1]), merchantID: Desk.merchantID(1), name: "play",
                connector: AcquirerName("simulator"), mode: mode, settings: settings, createdAt: Desk.now),
            secrets: [:])
    }

    private static func open(_ settings: [String: String]) throws -> any Acquirer {
        try SimulatorConnector(book: .inMemory()).open(self.account(settings))
    }

    @Test func settingsChooseHowALostOutcomeEnds() throws {
        #expect(try Self.open([:]).capabilities.recovery == .queryThenReversal)
        #expect(try Self.open(["recovery": "reversal"]).capabilities.recovery == .reversal)
        #expect(try Self.open(["recovery": "query"]).capabilities.recovery == .query(quietSeconds: 60))
        let quiet = try Self.open(["recovery": "query", "quietSeconds": "7"])
        #expect(quiet.capabilities.recovery == .query(quietSeconds: 7))
    }

    @Test func everySettingIsDescribedAndReadByItsRule() throws {
        let connector = SimulatorConnector(book: try .inMemory())
        #expect(connector.name == AcquirerName("simulator") && connector.secrets.map(\.name) == ["noticeSecret"])
        let good = [
            "recovery": "query", "quietSeconds": "7", "findsAfterSeconds": "3", "acceptsForSeconds": "9",
            "namesOperations": "true",
        ]
        #expect(Set(connector.settings.map(\.name)) == Set(good.keys))
        for setting in connector.settings {
            #expect(setting.rule(good[setting.name] ?? "") == nil, "\(setting.name)")
            #expect(setting.rule("-1") != nil, "\(setting.name)")
        }
    }

    @Test func liveMerchantsAreRefused() async throws {
        let connector = SimulatorConnector(book: try .inMemory())
        #expect(throws: ConnectorError.sandboxOnly) { try connector.open(Self.account(mode: .live)) }
        #expect(await connector.check(Self.account()).allSatisfy(\.isGood))
    }

    /// What nobody may ask for would stay accepted for ever.
    @Test func whatIsDecidedLaterMustBeAskedFor() throws {
        let error = #expect(throws: ConnectorError.self) {
            try Self.open(["recovery": "reversal", "acceptsForSeconds": "9"])
        }
        #expect(error?.description.contains("acceptsForSeconds") == true)
    }

    @Test func acceptsAndDecidesLater() async throws {
        let desk = try Desk()
        let acquirer = try SimulatorConnector(book: desk.book).open(Self.account(["acceptsForSeconds": "9"]))
        let charge = Charge(instrument: Desk.card, network: .visa)
        let outcome = await acquirer.perform(desk.request(0, desk.money(1000), .authorize(charge)))
        #expect(words(outcome) == "accepted")
        func query(after seconds: Int64) async -> AcquirerQueryOutcome {
            await acquirer.query(
                AcquirerQuery(
                    paymentID: desk.paymentID, merchantID: desk.merchantID, original: desk.original(0),
                    at: Desk.now.adding(seconds: seconds)))
        }
        #expect(words(await query(after: 8)) == "accepted")
        #expect(words(await query(after: 9)) == "approved 1000 00")
    }
}
