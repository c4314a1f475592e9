//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Foundation
import GRDB
import StrictJSON
import Testing

/// `pomona report`, over the data that a demo has left.
@Suite("pomona report")
struct CliReportTests {
    private func report(_ words: [String], _ sandbox: CliSandbox) async throws -> CliResult {
        try await CliTool.pomona(["report"] + words + ["--data", sandbox.data])
    }

    private func lines(_ result: CliResult) -> [String] {
        result.stdout.split(separator: "\r\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    @Test func transactionsAreExported() async throws {
        let sandbox = try await CliSandbox.shared()
        let all = try await self.report(["transactions", "--all"], sandbox)
        #expect(all.exitCode == 0 && all.stderr.isEmpty, "\(all.stderr)")
        let lines = self.lines(all)
        #expect(lines.count > 3 && lines.first?.hasPrefix("moment,momentUTC,merchant,") == true)
        let folder = try CliFolder()
        let path = folder.file("all.json")
        let written = try await self.report(
            ["transactions", "--all", "--format", "json", "--output", path], sandbox)
        #expect(written.exitCode == 0 && written.stdout.isEmpty, "\(written.stderr)")
        let rows = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
            try JSON.parse(String($0))
        }
        #expect(rows.count == lines.count - 1)
        #expect(rows.allSatisfy { $0["operation"]?.string?.hasPrefix("op_") == true })
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["all.json"])
        let merchant = try #require(rows.first?["merchant"]?.string)
        let own = try await self.report(["transactions", "--merchant", merchant], sandbox)
        #expect(self.lines(own).count - 1 == rows.count { $0["merchant"]?.string == merchant })
        let none = try await self.report(
            ["transactions", "--merchant", merchant, "--through", "2001-01-01"], sandbox)
        #expect(self.lines(none).count == 1)
    }

    @Test func balancesDaysAndFeesAreExported() async throws {
        let sandbox = try await CliSandbox.shared()
        let balances = try await self.report(["balances"], sandbox)
        #expect(self.lines(balances).contains { $0.contains(",receivable,posted,") }, "\(balances.stdout)")
        let row = try #require(self.lines(try await self.report(["transactions", "--all"], sandbox)).dropFirst().first)
        let cells = row.split(separator: ",").map(String.init)
        let (date, merchant) = (String(cells[1].prefix(10)), cells[2])
        let days = try await self.report(["days", "--merchant", merchant, "--from", date], sandbox)
        #expect(self.lines(days).first?.hasPrefix("day,timeZone,merchant,account,currency,") == true)
        #expect(self.lines(days).dropFirst().allSatisfy { $0.hasPrefix("\(date),UTC,\(merchant),") })
        // Without an end it goes on to today, when the demo was.
        let before = try #require(CalendarDay(date)).adding(days: -2).description
        let on = try await self.report(["days", "--merchant", merchant, "--from", before], sandbox)
        #expect(self.lines(on).contains { $0.hasPrefix("\(date),") }, "\(on.stdout)\(on.stderr)")
        let ended = try await self.report(
            ["days", "--merchant", merchant, "--from", before, "--through", before], sandbox)
        #expect(ended.exitCode == 0 && self.lines(ended).count == 1)
        let fees = try await self.report(["fees", "--merchant", merchant], sandbox)
        #expect(fees.exitCode == 0 && self.lines(fees).count == 1)
        let close = try await self.report(["close", "--merchant", merchant, "--day", "2001-01-01", "--json"], sandbox)
        #expect(close.exitCode == 1 && close.errorCode == "day_not_next", "\(close.stdout)")
    }

    @Test func settlementFileIsImportedShownAndResolved() async throws {
        let sandbox = try await CliSandbox.copy()
        let folder = try CliFolder()
        let row = try #require(self.lines(try await self.report(["transactions", "--all"], sandbox)).dropFirst().first)
        let cells = row.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let (date, merchant, account) = (String(cells[1].prefix(10)), cells[2], cells[14])
        let mapping = try folder.write(
            "bank.json",
            #"{"name":"bank","columns":{"date":"d","amount":"a","currency":"c","reference":"r"}}"#)
        let file = try folder.write("bank.csv", "d,a,c,r\n\(date),12.34,EUR,unheard of\n")
        let words = [
            "settlement", "import", "--merchant", merchant, "--acquirer", account, "--mapping", mapping, "--json",
        ]
        let imported = try await self.report(words + [file], sandbox)
        #expect(imported.exitCode == 0, "\(imported.stdout)")
        #expect(try imported.json()["counts"]?["missingInLedger"]?.integer == 1)
        let shown = try imported.json()["file"]
        #expect(shown?["merchant"]?.string == merchant && shown?["acquirer"]?.string == account)
        let again = try await self.report(words + [file], sandbox)
        #expect(try again.json()["repeated"]?.bool == true)
        let open = try await self.report(["settlement", "show", "--open", "--format", "json"], sandbox)
        let items = try open.stdout.split(separator: "\n").map { try JSON.parse(String($0)) }
        let item = try #require(items.first { $0["reference"]?.string == "unheard of" }?["item"]?.string)
        let resolve = ["settlement", "resolve", "--as", "theirs", "--reason", "asked the bank", "--json", item]
        let resolved = try await self.report(resolve, sandbox)
        #expect(try resolved.json()["resolution"]?.string == "theirs")
        #expect(try resolved.json()["number"]?.integer == 1)
        #expect(try await self.report(resolve, sandbox).errorCode == "settlement_resolved")
        let list = try await self.report(["settlement", "list"], sandbox)
        #expect(list.stdout.contains("bank.csv"))
        #expect(!list.stdout.contains("incomplete"), "\(list.stdout)")
        let check = try await CliTool.pomona(["ledger", "check", "--data", sandbox.data])
        #expect(check.exitCode == 0, "\(check.stdout)")
        let wrong = try folder.write("wrong.csv", "d,a,c,r\n\(date),12.345,EUR,x\n")
        let refused = try await self.report(words + [wrong], sandbox)
        #expect(refused.errorCode == "settlement_malformed" && refused.stdout.contains("Line 2"))
        let unknown = try await self.report(
            ["settlement", "import", "--merchant", merchant, "--acquirer", account, "--mapping", "x", "--json", file],
            sandbox)
        #expect(unknown.errorCode == "setting_invalid")
    }

    /// As a process leaves it that was killed after its first commit.
    @Test func importThatWasCutOffIsMarked() async throws {
        let sandbox = try await CliSandbox.copy()
        // Of the first part of the file that will have the digest 02.
        let digest = "6128c495e8e5aa3ed3504371f03665e2e0d254c10caa5111d1a32a2da296788a"
        let queue = try DatabaseQueue(path: sandbox.data + "/pomona.sqlite")
        try await queue.write { database in
            try database.execute(
                sql: """
                    INSERT INTO settlement_files SELECT 'set_01M7YRCW0HRMMTHEQKHE6Y9WF6', merchant_id, id,
                        'long.csv, part 1', 'bank', x'\(digest)', 5000, 0, 86400000, 86400000, 'alice', x'02', 12000
                    FROM acquirer_accounts LIMIT 1
                    """)
        }
        try queue.close()
        let list = try await self.report(["settlement", "list"], sandbox)
        #expect(list.stdout.contains("incomplete, 5000 of 12000 lines"), "\(list.stdout)\(list.stderr)")
        #expect(list.stdout.contains("import the same file again"))
        let json = try await self.report(["settlement", "list", "--json"], sandbox).json()
        #expect(json["files"]?.array?.first?["incomplete"] == ["bookedLines": 5000, "lines": 12_000])
    }

    @Test(arguments: [
        ["transactions"], ["transactions", "--all", "--merchant", "x"],
        ["transactions", "--all", "--from", "2026-02-30"], ["days", "--merchant", "x"],
        ["transactions", "--all", "--from", "2026-02-02", "--through", "2026-02-01"],
        ["days", "--merchant", "x", "--from", "1990-01-01", "--through", "2026-01-01"],
        ["days", "--merchant", "x", "--from", "1990-01-01"],
        ["close", "--merchant", "x", "--day", "2026-01-01", "--through", "2026-01-02"],
        ["settlement", "resolve", "--as", "gone", "--reason", "x", "set_01M7YRCW0HRMMTHEQKHE6Y9WF6/1"],
        ["settlement", "resolve", "--as", "fee", "--reason", "x", "set_1/1"],
        ["settlement", "resolve", "--as", "fee", "--reason", "", "set_01M7YRCW0HRMMTHEQKHE6Y9WF6/1"],
        ["settlement", "import", "--merchant", "x", "--acquirer", "y", "--from", "2026-01-01", "f.csv"],
        ["settlement", "show", "set_1"], ["settlement", "list", "--limit", "0"],
    ])
    func refusesWrongCommandLine(_ words: [String]) async throws {
        let result = try await CliTool.pomona(["report"] + words)
        #expect(result.exitCode == 64, "\(result.stdout) \(result.stderr)")
    }
}
