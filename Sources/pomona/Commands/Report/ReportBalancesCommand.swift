//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Payments

/// `pomona report balances`.
struct ReportBalancesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "balances", abstract: "What the ledger's accounts hold now.",
        usage: "pomona report balances [--merchant <name>] [--format <format>] [--output <file>]",
        discussion: """
            The balance is debits less credits: positive for what an acquirer owes, negative for what a merchant is owed. \
            pomona ledger check proves the sums.
            """)

    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("Only this merchant's.", valueName: "name"))
    var merchant: String?

    @Option(help: ArgumentHelp("csv, or json: an object a line.", valueName: "format"))
    var format = ReportFormat.csv

    @Option(help: ArgumentHelp("The file to write, in place of standard output.", valueName: "file"))
    var output: String?

    func run() async throws {
        try await CommandRunner.run(json: false) { console in
            try await DirectoryAccess.withReadingAdministration(self.directory.directory) { administration in
                var merchant: Merchant?
                if let name = self.merchant { merchant = try await administration.merchant(named: name) }
                let rows = try await administration.balances(of: merchant?.id)
                try await ReportOutput.write(console, to: self.output) { output in
                    try output.write(BalanceRow.header(self.format))
                    try output.write(rows.map { $0.line(self.format) }.joined())
                }
            }
        }
    }
}
