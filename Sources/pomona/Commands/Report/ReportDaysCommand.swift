//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Payments
import StrictJSON

/// `pomona report days`.
struct ReportDaysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "days", abstract: "Captures, refunds, chargebacks and fees by day, account and currency.",
        usage: """
            pomona report days --merchant <name> --from <day> [--through <day>]
                [--format <format>] [--output <file>]
            """,
        discussion: """
            Days begin and end in the merchant's zone. A day that is closed is shown as it was closed, with --format json \
            in the same bytes each time; where something was booked within it since, the state is differs, and a warning \
            says so on standard error. Without --through the report goes on to today, in the merchant's zone.
            """)

    @OptionGroup var options: ReportOptions

    @Option(help: ArgumentHelp("The merchant's name in the store.", valueName: "name"))
    var merchant: String

    /// Ten years; each day is a walk.
    static let daysMax: Int64 = 3660

    func validate() throws {
        guard let from = self.options.from else {
            throw ValidationError("Give --from, and --through for an end before today.")
        }
        // In some zones it is tomorrow by now.
        let today = ReportZone.utc.day(of: Surroundings.system.clock()).next
        guard (self.options.through ?? today).days(since: from) < Self.daysMax else {
            throw ValidationError("Ask for no more than \(Self.daysMax) days.")
        }
    }

    func run() async throws {
        let options = self.options
        try await CommandRunner.run(json: false) { console in
            try await DirectoryAccess.withReadingAdministration(options.directory.directory) { administration in
                let merchant = try await administration.merchant(named: self.merchant)
                guard var day = options.from else { return }
                let today = merchant.reportZone.day(of: administration.now())
                let last = options.through ?? max(day, today)
                var progress = ReportProgress(console, "day")
                var warnings: [String] = []
                try await ReportOutput.write(console, to: options.output) { output in
                    try output.write(DayRow.header(options.format))
                    while day <= last {
                        let report = try await administration.dayReport(of: merchant.id, on: day)
                        try output.write(try Self.text(of: report, options.format))
                        if let warning = Self.warning(about: report) { warnings.append(warning) }
                        progress.add(1, at: day.description)
                        day = day.next
                    }
                }
                progress.finish()
                for warning in warnings { console.errorLine(warning) }
            }
        }
    }

    static func text(of report: DayReport, _ format: ReportFormat) throws -> String {
        switch format {
        case .csv: try report.rows().map { $0.line(.csv) }.joined()
        case .json:
            switch report.state {
            case .open: try report.content() + "\n"
            case .closed(let closed), .differs(let closed, _, _): closed.report + "\n"
            }
        }
    }

    static func warning(about report: DayReport) -> String? {
        guard case .differs(let closed, let count, _) = report.state else { return nil }
        return "warning: \(report.day) was closed with \(Text.count(closed.movementsCount, "movement")), and there are "
            + "\(count) now, or one is not what it was. The report stands as it was closed; see docs/reports.md."
    }
}
