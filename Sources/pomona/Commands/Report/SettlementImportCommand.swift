//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Foundation
import Payments
import StrictJSON
import Time

/// `pomona report settlement import`.
struct SettlementImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import a settlement file, and book what it says.",
        usage: """
            pomona report settlement import --merchant <name> --acquirer <name> [--mapping <mapping>]
                [--from <day>] [--through <day>] [--json] <file>
            """,
        discussion: """
            Lines are matched with the account's captures, refunds and chargebacks by the acquirer's reference, by the \
            gateway's names and the merchant's, by kind and amount. All of the file is read and compared before any of it \
            is booked, a long one in several commits: after an import that was cut off, import it again to have the rest \
            booked. The same file, or the same line in another file, is booked once.
            """)

    static let bytesMax = 64 << 20

    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("The merchant's name in the store.", valueName: "name"))
    var merchant: String

    @Option(help: ArgumentHelp("The name of the merchant's account with the acquirer.", valueName: "name"))
    var acquirer: String

    @Option(
        help: ArgumentHelp(
            "mpgs, payone, or a JSON file; the account's kind of acquirer if left out.", valueName: "mapping"))
    var mapping: String?

    @Option(help: ArgumentHelp("The first day whose movements the file must have.", valueName: "day"))
    var from: CalendarDay?

    @Option(help: ArgumentHelp("The last of these days; both are the file's own if left out.", valueName: "day"))
    var through: CalendarDay?

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    @Argument(help: ArgumentHelp("The settlement file, CSV; - for standard input.", valueName: "file"))
    var file: String

    func validate() throws {
        guard (self.from == nil) == (self.through == nil) else { throw ValidationError("Give --from and --through.") }
        guard let from = self.from, let through = self.through, through < from else { return }
        throw ValidationError("--through must not be before --from.")
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let bytes = try InputFile.bytes(of: self.file, what: "settlement file", bytesMax: Self.bytesMax)
            let name = self.file == "-" ? "standard input" : URL(fileURLWithPath: self.file).lastPathComponent
            let days = self.from.flatMap { from in self.through.map { from...$0 } }
            let (outcome, view) = try await DirectoryAccess.withAdministration(self.directory.directory) {
                administration in
                let merchant = try await administration.merchant(named: self.merchant)
                let mapping = try await self.mapping(of: merchant, administration)
                console.progress("Comparing the settlement file with the ledger …")
                let done = try await administration.importSettlement(
                    SettlementDocument(name: name, bytes: bytes, mapping: mapping, days: days),
                    account: self.acquirer, of: merchant.id)
                return (done, try await administration.read { try SettlementFileView(of: done.file, in: $0) })
            }
            console.progress("")
            if self.json { return console.line(outcome.view(view).text(pretty: true)) }
            for line in outcome.lines { console.line(line) }
        }
    }

    private func mapping(
        of merchant: Merchant, _ administration: Administration
    ) async throws -> SettlementMapping {
        var wanted = self.mapping
        if wanted == nil {
            let accounts = try await administration.read { try $0.acquirerAccounts(of: merchant.id) }
            wanted = accounts.first { $0.name == self.acquirer }?.connector.text
        }
        if let known = SettlementMapping.known.first(where: { $0.name == wanted }) { return known }
        guard let path = self.mapping, path.contains(".") || path.contains("/") else {
            let names = SettlementMapping.known.map(\.name).joined(separator: ", ")
            throw CommandFailure(
                .settingInvalid, stage: .input,
                "There is no mapping of that name: give --mapping with one of \(names), or a JSON file "
                    + "(docs/reports.md).")
        }
        let text = try InputFile.text(of: path, what: "mapping")
        return try SettlementMapping(try JSON.parse(text))
    }
}

extension SettlementImport {
    var lines: [String] {
        var fields = Fields()
        for verdict in SettlementItem.Verdict.allCases {
            guard let count = self.counts[verdict], count > 0 else { continue }
            fields.add(verdict.words, "\(count)")
        }
        if self.repeatedLinesCount > 0 { fields.add("in an earlier file", "\(self.repeatedLinesCount)") }
        if self.ignoredLinesCount > 0 { fields.add("settle nothing", "\(self.ignoredLinesCount)") }
        if self.foundCount > 0 { fields.add("lacking before, found now", "\(self.foundCount)") }
        let linesCount = self.parts.reduce(0) { $0 + $1.linesCount }
        let name = self.parts.count == 1 ? "\(self.file.id)" : "\(self.parts.count) parts, the last \(self.file.id)"
        let title =
            self.isRepeated
            ? "\(self.file.name) was imported before, as \(name). Nothing was booked now."
            : "\(self.file.name) is imported as \(name): \(Text.count(linesCount, "line"))."
        let shown = self.parts.count == 1 ? " \(self.file.id)" : ""
        let next =
            self.differencesCount == 0
            ? [] : ["", "See the differences with: pomona report settlement show --open\(shown)"]
        return [title] + fields.lines() + next
    }
}

extension SettlementItem.Verdict {
    var words: String {
        switch self {
        case .matched: "matched"
        case .amountDiffers: "amount differs"
        case .settledBefore: "settled before"
        case .missingInLedger: "missing in the ledger"
        case .missingInFile: "missing in the file"
        case .fee: "fee"
        case .failedLate: "failed late, taken back"
        }
    }
}
