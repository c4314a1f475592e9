//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Payments
import Settings
import StrictJSON

/// `pomona report settlement resolve`.
struct SettlementResolveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve", abstract: "Book what a difference has turned out to be, once.",
        usage: "pomona report settlement resolve --as <decision> --reason <text> [--json] <item>",
        discussion: """
            written-off: nobody will get it back. fee: the acquirer has kept it as a fee. ours: the acquirer is right, and \
            what the merchant is owed changes. theirs: the ledger is right, and the acquirer owes it or is owed it.
            """)

    @OptionGroup var directory: DataOptions

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("What it is: written-off, fee, ours or theirs.", valueName: "decision"))
    var decision: SettlementResolution.Decision

    @Option(help: ArgumentHelp("Why, for whoever asks later and for the audit log.", valueName: "text"))
    var reason: String

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    @Argument(help: ArgumentHelp("The item (set_…/12), from show.", valueName: "item"))
    var item: String

    func validate() throws {
        guard SettlementItem.ID(self.item) != nil else {
            throw ValidationError("\(self.item) is no item: it is a settlement's id, a slash and a number.")
        }
        guard SettingRules.isLine(self.reason) else {
            throw ValidationError("--reason is a line of 1 to 255 characters.")
        }
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            guard let id = SettlementItem.ID(self.item) else { return }
            let item = try await DirectoryAccess.withAdministration(self.directory.directory) {
                try await $0.resolveSettlement(id, as: self.decision, reason: self.reason)
            }
            if self.json { return console.line(JSON.object(item.view).text(pretty: true)) }
            console.line("\(id) is resolved as \(self.decision.rawValue).")
        }
    }
}
