//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Gateway
import Ledger
import Money
import StrictJSON

/// `pomona ledger`.
struct LedgerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger", abstract: "Check the books.", subcommands: [LedgerCheckCommand.self])
}

/// `pomona ledger check`: proves the books from the rows. Read-only, also beside a running server.
struct LedgerCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Prove that every journal balances and that every payment's sums agree with it.",
        discussion: "Exit code 0 only when all of it is right; 1 with what is wrong.")

    @OptionGroup var directory: DataOptions

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let directory = self.directory.directory
            let store = try await DirectoryAccess.readOnly(directory)
            let report = try await LedgerAudit.run(store: store) { count in
                console.progress("Checking the books: \(Text.count(count, "payment")) …")
            }
            console.progress("")
            if self.json {
                var object = report.json
                if !report.isSound { object["error"] = report.failure.json["error"] }
                console.line(JSON.object(object).text(pretty: true))
                guard report.isSound else { throw ExitCode.failure }
            } else {
                try self.write(report, directory, to: console)
            }
        }
    }

    private func write(_ report: LedgerReport, _ directory: DataDirectory, to console: Console) throws {
        console.line(console.styled("The books of \(directory.path)", .title))
        for line in BalanceTable(report.balances).lines() { console.line(line) }
        console.line()
        let what =
            "\(Text.count(report.paymentsCount, "payment")), "
            + Text.count(report.entriesCount, "journal entry", plural: "journal entries")
        guard report.isSound else {
            for problem in report.problems { console.line(console.styled("WRONG  ", .bad) + problem) }
            throw report.failure
        }
        console.line(
            console.styled("Sound: ", .good) + "\(what); every journal balances and every payment's sums agree with it."
        )
    }
}

extension LedgerReport {
    fileprivate var failure: CommandFailure {
        CommandFailure(
            .ledgerUnsound, stage: .ledger,
            "The books are not right: \(Text.count(self.problems.count, "problem")). First: "
                + "\(self.problems.first ?? "")"
        )
    }

    fileprivate var json: JSONObject {
        var object = JSONObject()
        object["sound"] = .bool(self.isSound)
        object["payments"] = JSON(self.paymentsCount)
        object["entries"] = JSON(self.entriesCount)
        object["problems"] = .array(self.problems.map { .string($0) })
        object["balances"] = .array(
            BalanceTable.sorted(self.balances).map { key, sums in
                [
                    "account": .string(key.account.path), "layer": .string(key.layer.rawValue),
                    "currency": .string(key.currency.code), "debits": JSON(sums.debits), "credits": JSON(sums.credits),
                ]
            })
        return object
    }
}

/// The accounts with their sums, one line for each layer and currency.
struct BalanceTable {
    private var table = Table([
        ("account", .left), ("layer", .left), ("debits", .right), ("credits", .right), ("balance", .right),
    ])

    init(_ balances: [LedgerBalances.Key: LedgerBalances.Sums]) {
        for (key, sums) in Self.sorted(balances) {
            let (difference, overflow) = sums.credits.subtractingReportingOverflow(sums.debits)
            let balance = Money(minorUnits: difference == .min ? 0 : abs(difference), currency: key.currency)
            let side = difference > 0 ? " Cr" : difference < 0 ? " Dr" : "   "
            self.table.add([
                key.account.shortPath, key.layer.rawValue,
                Money(minorUnits: sums.debits, currency: key.currency).description,
                Money(minorUnits: sums.credits, currency: key.currency).description,
                overflow ? "too large" : balance.description + side,
            ])
        }
    }

    func lines() -> [String] { self.table.lines() }

    static func sorted(
        _ balances: [LedgerBalances.Key: LedgerBalances.Sums]
    ) -> [(LedgerBalances.Key, LedgerBalances.Sums)] {
        balances.map { ($0.key, $0.value) }.sorted { lhs, rhs in
            (lhs.0.account.path, lhs.0.currency.code, lhs.0.layer.rawValue)
                < (rhs.0.account.path, rhs.0.currency.code, rhs.0.layer.rawValue)
        }
    }
}
