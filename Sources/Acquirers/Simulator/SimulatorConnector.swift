//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
public import Settings

/// The simulator as a kind of acquirer: each account may have it behave like another kind of upstream.
public struct SimulatorConnector: Connector {
    private let book: SimulatorBook
    private let script: SimulatorScript

    /// - Parameter script: what goes wrong on the road, of all accounts.
    public init(book: SimulatorBook, script: SimulatorScript = SimulatorScript()) {
        self.book = book
        self.script = script
    }

    public var name: AcquirerName { AcquirerName("simulator") }

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
                "findsAfterSeconds", SettingRules.digits(1...4), "How long a query finds nothing of what has arrived."),
            SettingDescription(
                "acceptsForSeconds", SettingRules.digits(1...6),
                "It accepts everything, and reports the outcome to a query so many seconds after the operation was begun."
            ),
            SettingDescription(
                "namesOperations", SettingRules.flag,
                "It knows operations by names of its own, which it gives away before it is asked to do anything."),
        ]
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
        return SimulatorAcquirer(
            book: self.book, script: self.script, behavior: try SimulatorBehavior(account.settings), name: self.name)
    }

    public func check(_ account: OpenedAcquirerAccount) async -> [ConnectorFinding] {
        [ConnectorFinding("reachable", isGood: true, "It is part of this gateway and needs no credentials.")]
    }
}

extension SimulatorBehavior {
    fileprivate init(_ settings: [String: String]) throws(ConnectorError) {
        func seconds(_ name: String) -> Int64? { settings[name].flatMap { Int64($0) } }
        let recovery: AcquirerCapabilities.Recovery =
            switch settings["recovery"] {
            case "reversal": .reversal
            case "query": .query(quietSeconds: seconds("quietSeconds") ?? 60)
            case "reports": .reports(repeats: true)
            default: .queryThenReversal
            }
        // What nobody may ask for would never end.
        guard recovery.answersQueries || seconds("acceptsForSeconds") == nil else {
            throw .settingNotAllowed(
                "acceptsForSeconds",
                must: "left out with recovery=reversal and recovery=reports, which answer no queries")
        }
        self.init(
            recovery: recovery, findsAfterSeconds: seconds("findsAfterSeconds") ?? 0,
            acceptsForSeconds: seconds("acceptsForSeconds") ?? 0,
            namesOperations: settings["namesOperations"] == "true")
    }
}
