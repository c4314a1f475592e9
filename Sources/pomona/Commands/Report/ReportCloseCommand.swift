//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Payments
import StrictJSON

/// `pomona report close`.
struct ReportCloseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "close", abstract: "Close a merchant's day: its report stays as it is, for ever.",
        usage: "pomona report close --merchant <name> [--day <day> | --through <day>] [--json]",
        discussion: """
            Days are closed one after the other, from that of the first movement on, each once it is over in the merchant's \
            zone and \(Administration.closingDelaySeconds / 60) minutes have passed. Without a day it is the one whose turn \
            it is.
            """)

    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("The merchant's name in the store.", valueName: "name"))
    var merchant: String

    @Option(help: ArgumentHelp("This day, whose turn it must be: 2026-11-22.", valueName: "day"))
    var day: CalendarDay?

    @Option(help: ArgumentHelp("All open days until this one.", valueName: "day"))
    var through: CalendarDay?

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func validate() throws {
        guard self.day == nil || self.through == nil else { throw ValidationError("Give --day or --through.") }
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            try await DirectoryAccess.withAdministration(self.directory.directory) { administration in
                let merchant = try await administration.merchant(named: self.merchant)
                guard let through = self.through else {
                    return self.write(try await administration.closeDay(self.day, of: merchant.id), to: console)
                }
                while let next = try await administration.nextDayToClose(of: merchant.id), next <= through {
                    self.write(try await administration.closeDay(next, of: merchant.id), to: console)
                }
            }
        }
    }

    private func write(_ closed: ClosedDay, to console: Console) {
        if self.json { return console.line(closed.report) }
        console.line(
            "\(closed.day) (\(closed.timeZone)) is closed: \(Text.count(closed.movementsCount, "movement")), "
                + "digest \(Text.abbreviated(closed.digestText)).")
    }
}
