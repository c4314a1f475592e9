//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import GRDB
import StrictJSON
import Testing

@testable import pomona

@Suite("pomona ledger and payments")
struct CliStoreTests {
    /// A copy of the sandbox's data, to be changed.
    private func copy() async throws -> CliFolder {
        let sandbox = try await CliSandbox.shared()
        let folder = try CliFolder()
        for name in ["pomona.sqlite", "pomona.sqlite-wal", "pomona.sqlite-shm"] {
            let source = "\(sandbox.data)/\(name)"
            guard FileManager.default.fileExists(atPath: source) else { continue }
            try FileManager.default.copyItem(atPath: source, toPath: folder.file(name))
        }
        return folder
    }

    /// Runs SQL on the file, with the triggers that keep the journal as it is taken away.
    private func tamper(_ folder: CliFolder, _ sql: String) throws -> String {
        let queue = try DatabaseQueue(path: folder.file("pomona.sqlite"))
        return try queue.write { database in
            let triggers = try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger'")
            for trigger in triggers { try database.execute(sql: "DROP TRIGGER \"\(trigger)\"") }
            let payment = try String.fetchOne(
                database, sql: "SELECT payment_id FROM postings ORDER BY payment_id LIMIT 1")
            try database.execute(sql: sql, arguments: StatementArguments([payment ?? ""]))
            return try #require(payment)
        }
    }

    @Test func soundBooksPass() async throws {
        let sandbox = try await CliSandbox.shared()
        let result = try await CliTool.pomona(["ledger", "check", "--data", sandbox.data, "--json"])
        #expect(result.exitCode == 0, "\(result.stdout)\(result.stderr)")
        let json = try result.json()
        #expect(json["sound"]?.bool == true)
        #expect(json["payments"]?.integer == 9)
        #expect(json["problems"]?.array == [])
        #expect(json["error"] == nil)
        let debits = json["balances"]?.array?.compactMap { $0["debits"]?.integer }.reduce(0, +)
        let credits = json["balances"]?.array?.compactMap { $0["credits"]?.integer }.reduce(0, +)
        #expect(debits == credits)
        let people = try await CliTool.pomona(["ledger", "check", "--data", sandbox.data])
        #expect(people.exitCode == 0)
        #expect(people.stdout.contains("Sound: 9 payments"))
        #expect(people.stderr.isEmpty)
    }

    @Test func commandsTakeTheDirectoryThatServeIsGivenByTheEnvironment() async throws {
        let sandbox = try await CliSandbox.shared()
        let named = "POMONA_DATA_DIRECTORY='\(sandbox.data)' '\(CliTool.pomona.path)'"
        let result = try await CliTool.bash("\(named) ledger check")
        #expect(result.exitCode == 0, "\(result.stdout)\(result.stderr)")
        #expect(result.stdout.contains("Sound: 9 payments"))
        // What is said on the command line counts for more.
        let folder = try CliFolder()
        let other = try await CliTool.bash("\(named) ledger check --json --data '\(folder.path)'")
        #expect(other.exitCode == 1)
        #expect(other.errorCode != nil)
        #expect(DataDirectory.defaultPath(in: ["POMONA_DATA_DIRECTORY": ""]) == ".pomona")
    }

    @Test(arguments: [
        "UPDATE postings SET minor_units = minor_units + 1 WHERE payment_id = ? AND ordinal = 0",
        "UPDATE postings SET minor_units = minor_units + 1 WHERE payment_id = ?",
        "UPDATE postings SET side = 'debit' WHERE payment_id = ?",
        "DELETE FROM postings WHERE payment_id = ?",
    ])
    func tamperedBooksFailAndNameThePayment(_ sql: String) async throws {
        let folder = try await self.copy()
        let payment = try self.tamper(folder, sql)
        let result = try await CliTool.pomona(["ledger", "check", "--data", folder.path, "--json"])
        #expect(result.exitCode == 1)
        #expect(result.errorCode == "ledger_unsound")
        #expect(result.errorStage == "ledger")
        let json = try result.json()
        #expect(json["sound"]?.bool == false)
        #expect(json["problems"]?.array?.contains { $0.string?.contains(payment) == true } == true, "\(result.stdout)")
        let people = try await CliTool.pomona(["ledger", "check", "--data", folder.path])
        #expect(people.exitCode == 1)
        #expect((people.stdout + people.stderr).contains(payment))
    }

    @Test func aDirectoryWithoutAStoreIsRefused() async throws {
        let folder = try CliFolder()
        for arguments in [
            ["ledger", "check"], ["payments", "list"], ["payments", "show", "pay_01KAJ4T5C8RZ0G3V7M2W9XQY4B"],
            ["certificate", "list"],
        ] {
            let result = try await CliTool.pomona(arguments + ["--data", folder.path, "--json"])
            #expect(result.exitCode == 1)
            #expect(result.errorCode == "file_missing")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test func aFileThatIsNoStoreIsRefused() async throws {
        let folder = try CliFolder()
        let path = try folder.write("pomona.sqlite", "something else")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let result = try await CliTool.pomona(["ledger", "check", "--data", folder.path, "--json"])
        #expect(result.exitCode == 1)
        #expect(result.errorStage == "store")
    }

    @Test func listsAndShowsPayments() async throws {
        let sandbox = try await CliSandbox.shared()
        let listed = try await CliTool.pomona(
            ["payments", "list", "--data", sandbox.data, "--merchant", "alphapay", "--json"])
        #expect(listed.exitCode == 0, "\(listed.stdout)")
        let json = try listed.json()
        #expect(json["total"]?.integer == 4)
        let payments = try #require(json["payments"]?.array)
        #expect(payments.compactMap { $0["state"]?.string } == ["voided", "captured", "captured", "refunded"])
        let refunded = try #require(payments.last)
        #expect(refunded["amount"]?.string == "42.50")
        #expect(refunded["refunded"]?.string == "42.50")
        #expect(refunded["card"]?["accountNumber"]?.string == "489537xxxxxx5671")

        let id = try #require(refunded["id"]?.string)
        let shown = try await CliTool.pomona(["payments", "show", id, "--data", sandbox.data, "--json"]).json()
        let operations = shown["operations"]?.array ?? []
        #expect(operations.compactMap { $0["kind"]?.string } == ["authorization", "capture", "refund", "refund"])
        #expect(operations.allSatisfy { $0["state"]?.string == "succeeded" })
        #expect(shown["journal"]?.array?.count == 4)
        #expect(shown["notifications"]?.array?.count == 3)
        let order = try #require(shown["order"]?.string)
        let operation = try #require(operations.last?["id"]?.string)
        for selector in [order, operation] {
            let same = try await CliTool.pomona(["payments", "show", selector, "--data", sandbox.data, "--json"])
            #expect(try same.json()["id"]?.string == id)
        }
        let people = try await CliTool.pomona(["payments", "show", id, "--data", sandbox.data])
        #expect(people.stdout.contains("489537xxxxxx5671 (visa)"))
        #expect(people.stdout.contains("Journal"))
        #expect(!people.stdout.contains("4895370012345671"))
    }

    @Test func limitsTheListAndKnowsNoStranger() async throws {
        let sandbox = try await CliSandbox.shared()
        let limited = try await CliTool.pomona(["payments", "list", "--data", sandbox.data, "--limit", "1", "--json"])
        #expect(try limited.json()["payments"]?.array?.count == 1)
        #expect(try limited.json()["total"]?.integer == 9)
        let people = try await CliTool.pomona(["payments", "list", "--data", sandbox.data, "--limit", "1"])
        #expect(people.stdout.contains("The newest 1 of 9."))
        let stranger = try await CliTool.pomona(
            ["payments", "list", "--data", sandbox.data, "--merchant", "nobody", "--json"])
        #expect(stranger.errorCode == "merchant_unknown")
        let unknown = try await CliTool.pomona(
            ["payments", "show", "pay_01KAJ4T5C8RZ0G3V7M2W9XQY4B", "--data", sandbox.data, "--json"])
        #expect(unknown.exitCode == 1)
        #expect(unknown.errorCode == "payment_unknown")
    }
}
