//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Payments
import StrictJSON
import Time

/// `pomona report settlement list`.
struct SettlementListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the imported settlement files, newest first.",
        usage: "pomona report settlement list [--merchant <name>] [--limit <count>] [--json]")

    @OptionGroup var filter: MerchantFilter

    @OptionGroup var page: LimitOption

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let views = try await DirectoryAccess.withReadingAdministration(self.filter.directory) { administration in
                var merchant: Merchant?
                if let name = self.filter.merchant { merchant = try await administration.merchant(named: name) }
                let files = try await administration.settlementFiles(of: merchant?.id, limit: self.page.limit)
                return try await administration.read { try SettlementFileView.list(files, in: $0) }
            }
            if self.json {
                return console.line(
                    (["files": .array(views.map { .object($0.json) })] as JSON).text(pretty: true))
            }
            guard !views.isEmpty else { return console.line("No settlement file has been imported.") }
            var table = Table([
                ("file", .left), ("imported", .left), ("mapping", .left), ("lines", .right), ("import", .left),
                ("name", .left),
            ])
            for view in views {
                let file = view.file
                table.add([
                    file.id.text, file.importedAt.rfc3339Seconds, file.mapping, "\(file.linesCount)",
                    view.incomplete?.words ?? "", file.name,
                ])
            }
            for line in table.lines() { console.line(line) }
            guard views.contains(where: { $0.incomplete != nil }) else { return }
            console.line()
            console.line(
                """
                What is incomplete is being imported, or its import was cut off: import the same file again, for the same \
                days and with the same mapping, to have the rest booked.
                """)
        }
    }
}

extension SettlementProgress {
    /// "incomplete, 5000 of 12000 lines".
    fileprivate var words: String { "incomplete, \(self.bookedLinesCount) of \(Text.count(self.linesCount, "line"))" }
}
