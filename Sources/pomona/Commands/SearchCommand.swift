//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Payments
import StrictJSON
import Time

/// `pomona search`: whatever a text names.
struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Find payments, refused calls, webhooks and others by whatever names them.",
        usage: "pomona search [--limit <count>] [--data <dir>] [--json] <text>",
        discussion: """
            The whole of an id or a reference: a payment's, an operation's, the merchant's order, the acquirer's \
            reference, an approval code, the last four digits of the card or of the device's number, what a dialect calls it \
            (TapPay's rec_trade_id, PAYONE's txid, ORDER/TRANSACTION of CommWeb, a requestId or a token of Radial's); \
            a refused call's X-Request-Id; a webhook, a settlement file, a certificate, a merchant. Bullets, * and # \
            in front are left out where nothing is called so. Each is a look-up by an index. \
            What the store has no index for is not found: CommWeb's transaction id alone and order.reference, \
            PAYONE's customerid and param, Radial's InvoiceId. pomona payments show reads all payments for these.
            """)

    @OptionGroup var directory: DataOptions

    @Argument(help: ArgumentHelp("What is looked for, as a whole.", valueName: "text"))
    var text: String

    @Option(help: ArgumentHelp("How many at most, 1 to 100.", valueName: "count"))
    var limit = 20

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func validate() throws {
        guard (1...100).contains(self.limit) else { throw ValidationError("--limit must be 1 to 100.") }
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let plans = DialectModule.all.map(\.plan)
            let (hits, isCut) = try await DirectoryAccess.withReadingAdministration(self.directory.directory) {
                try await $0.search(
                    Search(self.text, merchants: nil, scopes: Set(Scope.allCases), plans: plans, limit: self.limit))
            }
            if self.json {
                let report: JSON = ["hits": .array(hits.map { .object($0.view) }), "cut": .bool(isCut)]
                return console.line(report.text(pretty: true))
            }
            guard !hits.isEmpty else { return console.line("Nothing has that name.") }
            var table = Table([
                ("what", .left), ("id", .left), ("merchant", .left), ("found by", .left), ("", .left), ("at", .left),
            ])
            for hit in hits {
                table.add([
                    hit.kind.rawValue, hit.id, hit.merchant ?? "", hit.match.rawValue,
                    hit.detail.isEmpty ? hit.title : "\(hit.title), \(hit.detail)", hit.at?.rfc3339Seconds ?? "",
                ])
            }
            for line in table.lines() { console.line(line) }
            if isCut { console.line("There is more. See it with --limit.") }
        }
    }
}
