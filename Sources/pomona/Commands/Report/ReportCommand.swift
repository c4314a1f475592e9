//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Payments
import Time

/// `pomona report`.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Export transactions, days, balances and fees; close days; import settlements.",
        subcommands: [
            ReportTransactionsCommand.self, ReportDaysCommand.self, ReportBalancesCommand.self,
            ReportFeesCommand.self, ReportCloseCommand.self, SettlementCommand.self,
        ])
}

/// What reports over a time have in common.
struct ReportOptions: ParsableArguments {
    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("The first day, in the merchant's zone: 2026-11-22.", valueName: "day"))
    var from: CalendarDay?

    @Option(help: ArgumentHelp("The last day; without it, as far as there is anything.", valueName: "day"))
    var through: CalendarDay?

    @Option(help: ArgumentHelp("csv, or json: an object a line.", valueName: "format"))
    var format = ReportFormat.csv

    @Option(help: ArgumentHelp("The file to write, in place of standard output.", valueName: "file"))
    var output: String?

    func validate() throws {
        guard let from = self.from, let through = self.through, through < from else { return }
        throw ValidationError("--through must not be before --from.")
    }

    /// The moments that the days begin and end at in a zone.
    func window(in zone: ReportZone) -> (from: Timestamp?, to: Timestamp?) {
        (self.from.map(zone.start), self.through.map { zone.start(of: $0.next) })
    }
}
