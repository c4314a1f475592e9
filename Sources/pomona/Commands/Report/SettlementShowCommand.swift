//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Payments

/// `pomona report settlement show`.
struct SettlementShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the lines of settlement files, and what the comparison found.",
        usage: """
            pomona report settlement show [--merchant <name>] [--open] [--format <format>]
                [--output <file>] [<settlement>]
            """,
        discussion: "With --open only the differences that nobody has resolved, of all files if none is named.")

    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("Only this merchant's.", valueName: "name"))
    var merchant: String?

    @Flag(help: "Only open differences.")
    var open = false

    @Option(help: ArgumentHelp("csv, or json: an object a line.", valueName: "format"))
    var format = ReportFormat.csv

    @Option(help: ArgumentHelp("The file to write, in place of standard output.", valueName: "file"))
    var output: String?

    @Argument(help: ArgumentHelp("An imported file (set_…), from list.", valueName: "settlement"))
    var settlement: String?

    func validate() throws {
        guard let text = self.settlement, SettlementFileID(text) == nil else { return }
        throw ValidationError("\(text) is no settlement: it begins with set_ and has 26 characters after that.")
    }

    func run() async throws {
        try await CommandRunner.run(json: false) { console in
            try await DirectoryAccess.withReadingAdministration(self.directory.directory) { administration in
                var query = SettlementQuery(
                    fileID: self.settlement.flatMap { SettlementFileID($0) }, isOpen: self.open,
                    limit: Administration.reportPageCount)
                if let name = self.merchant { query.merchantID = try await administration.merchant(named: name).id }
                try await ReportOutput.write(console, to: self.output) { output in
                    try output.write(SettlementRow.header(self.format))
                    while true {
                        let page = try await administration.settlementItems(query)
                        try output.write(page.map { SettlementRow($0).line(self.format) }.joined())
                        query.after = page.last?.id
                        guard page.count == query.limit else { break }
                    }
                }
            }
        }
    }
}
