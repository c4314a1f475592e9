//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Payments

/// `pomona report fees`.
struct ReportFeesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fees", abstract: "Export the fees that acquirers have kept.",
        usage: """
            pomona report fees --merchant <name> [--from <day>] [--through <day>]
                [--format <format>] [--output <file>]
            """,
        discussion: """
            First those that acquirers have reported with chargebacks and late failures, by the moment at which each \
            was booked. Then those of settlement files, in the order of their imports and in each by line; a fee as \
            which a difference was explained stands with its line. Where days are named, those whose lines were \
            booked on other days come before the files.
            """)

    @OptionGroup var options: ReportOptions

    @Option(help: ArgumentHelp("The merchant's name in the store.", valueName: "name"))
    var merchant: String

    func run() async throws {
        let options = self.options
        try await CommandRunner.run(json: false) { console in
            try await DirectoryAccess.withReadingAdministration(options.directory.directory) { administration in
                let merchant = try await administration.merchant(named: self.merchant)
                let window = options.window(in: merchant.reportZone)
                var progress = ReportProgress(console, "fee")
                try await ReportOutput.write(console, to: options.output) { output in
                    try output.write(FeeRow.header(options.format))
                    try await administration.fees(of: merchant.id, from: window.from, to: window.to) { rows in
                        try output.write(rows.map { $0.line(options.format) }.joined())
                        progress.add(rows.count)
                    }
                }
                progress.finish()
            }
        }
    }
}
