//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Settings
import SimulatorAcquirer
import Synchronization
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
            "namesOperations": "true", "repeats": "false", "refusesRepeats": "true",
            "keepsCardForSeconds": "86400", "takesSealedTokens": "true", "holdsForSeconds": "604800",
            KeyCustody.identifiersName: "merchant.example",
            KeyCustody.hashesName: String(repeating: "A", count: 43) + "=",
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
        // Nor would what nobody is there to report.
        #expect(throws: ConnectorError.self) { try Self.open(["recovery": "reports", "acceptsForSeconds": "9"]) }
    }

    @Test func formsAreThoseThatTheAccountTakes() throws {
        #expect(try Self.open([:]).capabilities.forms == [.networkToken])
        let both = try Self.open(["takesSealedTokens": "true"])
        #expect(both.capabilities.forms == [.networkToken, .sealedApplePayToken])
        // Of a token that nobody here has opened there is no number to be kept.
        #expect(throws: ConnectorError.self) {
            try Self.open(["takesSealedTokens": "true", "keepsCardForSeconds": "60"])
        }
    }

    @Test func repeatsAreTakenOrRefusedAsTheAccountSays() async throws {
        #expect(try Self.open(["recovery": "reports"]).capabilities.recovery == .reports(repeats: true))
        let refusing = try Self.open(["recovery": "reports", "repeats": "false"])
        #expect(refusing.capabilities.recovery == .reports(repeats: false) && refusing.capabilities.keyLifeSeconds == 0)
        let desk = try Desk()
        let acquirer = try SimulatorConnector(book: desk.book).open(Self.account(["refusesRepeats": "true"]))
        let request = desk.request(0, desk.money(1000), .authorize(Charge(instrument: Desk.card, network: .visa)))
        #expect(words(await acquirer.perform(request)) == "approved 1000 00")
        #expect(await acquirer.perform(request) == .unclear("repeat_refused"))
        #expect(try await desk.book.entries().map(\.arrivalsCount) == [2])
    }

    @Test func holdsAsLongAsTheAccountSays() async throws {
        let desk = try Desk()
        let acquirer = try SimulatorConnector(book: desk.book).open(Self.account(["holdsForSeconds": "60"]))
        let request = desk.request(0, desk.money(1000), .authorize(Charge(instrument: Desk.card, network: .visa)))
        guard case .approved(let approval) = await acquirer.perform(request) else {
            Issue.record("declined")
            return
        }
        #expect(approval.answer.authorizationExpiresAt == Desk.now.adding(seconds: 60))
    }

    /// What it has accepted it reports by itself when the time has come, until it is booked.
    @Test func reportsWhatItHasAccepted() async throws {
        let desk = try Desk()
        let now = Mutex(Desk.now)
        let passes = Mutex(0)
        let (beats, beat) = AsyncStream.makeStream(of: Void.self)
        let connector = SimulatorConnector(
            book: desk.book,
            life: SimulatorConnector.Life(now: { now.withLock { $0 } }) { _ in
                passes.withLock { $0 += 1 }
                for await _ in beats { return }
                throw CancellationError()
            })
        let account = Self.account(["recovery": "reports", "acceptsForSeconds": "9"])
        let acquirer = try connector.open(account)
        let charge = Charge(instrument: Desk.card, network: .visa)
        let approved = desk.request(0, desk.money(1000), .authorize(charge))
        #expect(words(await acquirer.perform(approved)) == "accepted")
        let taken = Mutex<[(AcquirerNotice, AcquirerAccountID)]>([])
        let running = Task {
            await connector.run(
                AcquirerReports { notice, account in
                    taken.withLock { taken in
                        taken.append((notice, account))
                        return taken.count < 2 ? .later : .booked
                    }
                })
        }
        func pass(seconds: Int64) async {
            let before = passes.withLock { $0 }
            now.withLock { $0 = Desk.now.adding(seconds: seconds) }
            beat.yield()
            while passes.withLock({ $0 }) == before { await Task.yield() }
        }
        while passes.withLock({ $0 }) == 0 { await Task.yield() }
        await pass(seconds: 8)
        #expect(taken.withLock { $0.isEmpty }, "it has not decided yet")
        for _ in 1...3 { await pass(seconds: 9) }
        beat.finish()
        await running.value
        let notices = taken.withLock { $0 }
        #expect(notices.count == 2 && notices.allSatisfy { $0.1 == account.id })
        #expect(notices.allSatisfy { $0.0.subject == .operation(approved.operationID) })
        guard case .resolved(.approved(let approval)) = try #require(notices.last).0.event else {
            Issue.record("it was approved")
            return
        }
        #expect(approval.amount == desk.money(1000))
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
