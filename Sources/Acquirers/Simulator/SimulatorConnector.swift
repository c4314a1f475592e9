//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
public import Settings
public import Time

/// The simulator as a kind of acquirer: each account may have it behave like another kind of upstream.
public struct SimulatorConnector: Connector {
    /// By what clock it reports, and how it waits.
    public struct Life: Sendable {
        let now: @Sendable () -> Timestamp
        let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void

        public init(
            now: @escaping @Sendable () -> Timestamp,
            sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void
        ) {
            self.now = now
            self.sleep = sleep
        }
    }

    private let book: SimulatorBook
    private let script: SimulatorScript
    private let life: Life?

    /// - Parameters:
    ///   - script: what goes wrong on the road, of all accounts.
    ///   - life: lets it report by itself (``run(_:)``); without it no account may be reported to.
    public init(book: SimulatorBook, script: SimulatorScript = SimulatorScript(), life: Life? = nil) {
        self.book = book
        self.script = script
        self.life = life
    }

    /// What accounts and configurations call it.
    public static let name = AcquirerName("simulator")

    public var name: AcquirerName { Self.name }
    public var bookID: AcquirerBookID? { self.book.id }

    public var settings: [SettingDescription] {
        [
            SettingDescription(
                "recovery", SettingRules.choice(["queryThenReversal", "reversal", "query", "reports"]),
                "How a lost outcome ends: asked for and taken back, taken back without asking, or asked for alone until the quiet time is over. "
                    + "Without it, queryThenReversal."),
            SettingDescription(
                "quietSeconds", SettingRules.digits(1...4),
                "With recovery=query: after how long what it has not heard of never was; without it, 60."),
            SettingDescription(
                "repeats", SettingRules.flag,
                "With recovery=reports: whether what needs no card may be sent again under its own id; without it, true."
            ),
            SettingDescription(
                "refusesRepeats", SettingRules.flag,
                "It refuses what comes under an id that it knows, and does not say what became of the first."),
            SettingDescription(
                "findsAfterSeconds", SettingRules.digits(1...4), "How long a query finds nothing of what has arrived."),
            SettingDescription(
                "acceptsForSeconds", SettingRules.digits(1...6),
                "It accepts everything, and says how it ended so many seconds after the operation was begun: to a query, or by "
                    + "itself with recovery=reports."
            ),
            SettingDescription(
                "namesOperations", SettingRules.flag,
                "It knows operations by names of its own, which it gives away before it is asked to do anything."),
            SettingDescription(
                "keepsCardForSeconds", SettingRules.digits(1...8),
                "It wants the card's number again with all that follows an authorization, and has it kept for so long after the "
                    + "payment is over."),
            SettingDescription(
                "takesSealedTokens", SettingRules.flag,
                "It takes Apple Pay tokens as they come, too, as whoever holds the merchant's Apple Pay key."),
            SettingDescription(
                "holdsForSeconds", SettingRules.digits(1...8),
                "How long it holds an authorization that nobody captures: a capture after that is declined. "
                    + "Without it, 32 days, which is longer than any capture can be planned for."),
        ] + KeyCustody.settings
    }

    public var secrets: [SecretDescription] {
        [
            SecretDescription(
                SimulatorNotice.secretName,
                "Signs what is reported to the account's address for notices; without it none are taken.")
        ]
    }

    public func read(_ call: NoticeCall, for account: OpenedAcquirerAccount) -> NoticeReading? {
        account.secrets[SimulatorNotice.secretName].map { SimulatorNotice.read(call, secret: $0) }
    }

    public func open(_ account: OpenedAcquirerAccount) throws(ConnectorError) -> any Acquirer {
        guard account.mode == .sandbox else { throw .sandboxOnly }
        let behavior = try SimulatorBehavior(account.settings, reports: self.life != nil)
        let isReportedTo = behavior.acceptsForSeconds > 0 && !behavior.recovery.answersQueries
        return SimulatorAcquirer(
            book: self.book, script: self.script, behavior: behavior, name: self.name,
            reportsTo: isReportedTo ? account.id : nil)
    }

    private static let pauseMilliseconds: Int64 = 500
    private static let reportsMax = 64

    /// Reports how operations ended that it has accepted, each until it has been booked.
    public func run(_ reports: AcquirerReports) async {
        guard let life else { return }
        while !Task.isCancelled {
            await self.reportDue(reports, at: life.now())
            guard (try? await life.sleep(Self.pauseMilliseconds)) != nil else { return }
        }
    }

    private func reportDue(_ reports: AcquirerReports, at now: Timestamp) async {
        // A book that can't be read just now is read at the next pass.
        let due = (try? await self.book.transaction { try $0.reports(dueBy: now, limit: Self.reportsMax) }) ?? []
        for (entry, account) in due {
            let notice = AcquirerNotice(.operation(entry.operationID), .resolved(entry.decided))
            guard await reports.report(notice, of: account) != .later else { continue }
            try? await self.book.transaction { try $0.deleteReport(of: entry.operationID) }
        }
    }

    public func check(_ account: OpenedAcquirerAccount) async -> [ConnectorFinding] {
        [ConnectorFinding("reachable", isGood: true, "It is simulated: it moves no money and needs no credentials.")]
    }
}

extension SimulatorEntry {
    /// How it ended when it was decided, whatever has become of it since.
    fileprivate var decided: AcquirerQueryOutcome {
        if let approvedAmount {
            return .approved(AcquirerApproval(amount: approvedAmount, answer: self.answer))
        }
        if let declineReason { return .declined(AcquirerDecline(reason: declineReason, answer: self.answer)) }
        return .unknown(.unclear("unclear"))
    }
}

extension SimulatorBehavior {
    /// - Parameter reports: whether it can report by itself.
    fileprivate init(_ settings: [String: String], reports: Bool) throws(ConnectorError) {
        func seconds(_ name: String) -> Int64? { settings[name].flatMap { Int64($0) } }
        let recovery: AcquirerCapabilities.Recovery =
            switch settings["recovery"] {
            case "reversal": .reversal
            case "query": .query(quietSeconds: seconds("quietSeconds") ?? 60)
            case "reports": .reports(repeats: settings["repeats"] != "false")
            default: .queryThenReversal
            }
        // What nobody may ask for would never end.
        let endsAcceptance = recovery.answersQueries || !recovery.reversesUnknown && reports
        guard endsAcceptance || seconds("acceptsForSeconds") == nil else {
            throw .settingNotAllowed(
                "acceptsForSeconds",
                must: "left out with recovery=reversal, which answers no queries and reports nothing")
        }
        let takesSealedTokens = settings["takesSealedTokens"] == "true"
        // It would want a number that nobody on this side knows.
        guard !takesSealedTokens || seconds("keepsCardForSeconds") == nil else {
            throw .settingNotAllowed("takesSealedTokens", must: "left out with keepsCardForSeconds")
        }
        guard takesSealedTokens || KeyCustody(settings).merchantIdentifiers.isEmpty else {
            throw .settingNotAllowed("takesSealedTokens", must: "true where the account holds Apple Pay keys")
        }
        self.init(
            recovery: recovery, findsAfterSeconds: seconds("findsAfterSeconds") ?? 0,
            acceptsForSeconds: seconds("acceptsForSeconds") ?? 0,
            namesOperations: settings["namesOperations"] == "true",
            refusesRepeats: settings["refusesRepeats"] == "true" || recovery.repeats == false,
            keepsCardForSeconds: seconds("keepsCardForSeconds"), takesSealedTokens: takesSealedTokens,
            holdsForSeconds: seconds("holdsForSeconds") ?? Self.usualHoldSeconds)
    }
}
