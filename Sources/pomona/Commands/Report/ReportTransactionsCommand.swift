//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Payments
import Time

/// `pomona report transactions`.
struct ReportTransactionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transactions", abstract: "Export every operation whose end is known, failed ones too.",
        usage: """
            pomona report transactions (--merchant <name> | --all) [--from <day>] [--through <day>]
                [--format <format>] [--output <file>]
            """,
        discussion: """
            Earliest first, by the moment at which the end was known. The memory that it takes does not grow with the \
            report. With --all the days are those of UTC; the moments of each line are in its merchant's zone and in UTC.
            """)

    @OptionGroup var options: ReportOptions

    @Option(help: ArgumentHelp("The merchant's name in the store.", valueName: "name"))
    var merchant: String?

    @Flag(help: "Of all merchants.")
    var all = false

    func validate() throws {
        guard (self.merchant == nil) == self.all else { throw ValidationError("Give --merchant or --all.") }
    }

    func run() async throws {
        let options = self.options
        try await CommandRunner.run(json: false) { console in
            try await DirectoryAccess.withReadingAdministration(options.directory.directory) { administration in
                let merchant = try await self.merchant(administration)
                let window = options.window(in: merchant?.reportZone ?? .utc)
                let query = MovementQuery(
                    merchantID: merchant?.id, includesFailed: true, from: window.from, to: window.to,
                    limit: Administration.reportPageCount)
                let now = administration.now()
                var progress = ReportProgress(
                    console, "transaction", over: .init(from: window.from, to: min(window.to ?? now, now)))
                try await ReportOutput.write(console, to: options.output) { output in
                    try output.write(TransactionLine.header(options.format))
                    for try await page in administration.transactions(query) {
                        try output.write(page.map { $0.line(options.format) }.joined())
                        guard let first = page.first, let last = page.last else { continue }
                        progress.add(page.count, in: (first.movement.resolvedAt, last.movement.resolvedAt))
                    }
                }
                progress.finish()
            }
        }
    }

    private func merchant(_ administration: Administration) async throws -> Merchant? {
        guard let name = self.merchant else { return nil }
        return try await administration.merchant(named: name)
    }
}
