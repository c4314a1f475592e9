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
                return try await administration.read { reader in
                    try files.map { try SettlementFileView(of: $0, in: reader) }
                }
            }
            if self.json {
                return console.line(
                    (["files": .array(views.map { .object($0.json) })] as JSON).text(pretty: true))
            }
            guard !views.isEmpty else { return console.line("No settlement file has been imported.") }
            var table = Table([
                ("file", .left), ("imported", .left), ("mapping", .left), ("lines", .right), ("name", .left),
            ])
            for file in views.map(\.file) {
                table.add([
                    file.id.text, file.importedAt.rfc3339Seconds, file.mapping, "\(file.linesCount)", file.name,
                ])
            }
            for line in table.lines() { console.line(line) }
        }
    }
}
