//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import GRDB
import StrictJSON
import TestPostgres
import Testing

@testable import pomona

@Suite("pomona store copy") struct StoreCopyCommandTests {
    private func copy(_ data: String, to store: String, _ further: String...) async throws -> CliResult {
        try await CliTool.pomona(["store", "copy", "--data", data, "--to", store] + further)
    }

    /// A payment that was made before the copies is answered after each of them as it was.
    @Test func aRepeatedPaymentIsAnsweredAsBefore() async throws {
        let sandbox = try await CliSandbox.copy()
        let data = sandbox.data
        let database = try await CopyDatabase()
        var server = try await SandboxProcess(data: data)
        var shop = try Shop(url: server.http, data: data)
        let paymentID = try await shop.order("order-copied", amount: 1099)
        let call: JSON = ["paymentId": .string(paymentID), "token": try shop.token(amount: 1099)]
        let answer = try await shop.call("apple-pay/pay", call)
        #expect(answer["paymentStatus"]?.string == "SUCCESS", "\(answer.text())")

        let refused = try await self.copy(data, to: database.url, "--json")
        #expect(refused.exitCode == 1)
        #expect(refused.errorCode == "directory_in_use")
        #expect(await server.stop() == 0)

        for (number, place) in [database.url, "sqlite:\(sandbox.folder.file("back.sqlite"))"].enumerated() {
            let copied = try await self.copy(data, to: place, "--switch", "--json")
            #expect(copied.exitCode == 0, "\(copied.stdout)\(copied.stderr)")
            let report = try copied.json()
            #expect(report["copied"]?.bool == true)
            #expect(report["switched"]?.bool == true)
            #expect(report["logged"]?.bool == true)
            #expect(report["payments"]?.integer == 10)
            #expect(report["tables"]?["payments"]?.integer == 10)
            #expect(report["to"]?.string == (number == 0 ? "postgresql" : "sqlite"))

            server = try await SandboxProcess(data: data)
            shop = try Shop(url: server.http, data: data)
            #expect(try await shop.call("apple-pay/pay", call) == answer)
            #expect(await server.stop() == 0)
            let check = try await CliTool.pomona(["ledger", "check", "--data", data, "--json"])
            #expect(try check.json()["payments"]?.integer == 10, "\(check.stdout)")
            let log = try await CliTool.pomona(["audit", "list", "--data", data, "--json"]).json()
            let acts = log["entries"]?.array?.compactMap { $0["act"]?.string }.filter { $0 == "store.copy" }
            #expect(acts?.count == number + 1)
            #expect(try await CliTool.pomona(["audit", "verify", "--data", data]).exitCode == 0)
        }
    }

    /// A backup, as the documents make it, keeps no write-ahead log.
    @Test func aRestoredBackupIsCopied() async throws {
        let sandbox = try await CliSandbox.copy()
        let file = "\(sandbox.data)/pomona.sqlite"
        let backup = sandbox.folder.file("backup.sqlite")
        try await DatabaseQueue(path: file).writeWithoutTransaction {
            try $0.execute(sql: "VACUUM INTO ?", arguments: [backup])
        }
        for suffix in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: file + suffix) {
            try FileManager.default.removeItem(atPath: file + suffix)
        }
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.moveItem(atPath: backup, toPath: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let copied = try await self.copy(sandbox.data, to: "sqlite:\(sandbox.folder.file("moved.sqlite"))", "--json")
        #expect(copied.exitCode == 0, "\(copied.stdout)\(copied.stderr)")
        #expect(try copied.json()["payments"]?.integer == 9)
    }

    @Test func nothingIsSwitchedUnlessAsked() async throws {
        let sandbox = try await CliSandbox.copy()
        let target = sandbox.folder.file("target.sqlite")
        let copied = try await self.copy(sandbox.data, to: "sqlite:\(target)")
        #expect(copied.exitCode == 0, "\(copied.stdout)\(copied.stderr)")
        #expect(copied.stdout.contains("9 payments"))
        #expect(copied.stdout.contains("Nothing was switched"))
        #expect(copied.stderr.isEmpty)
        let directory = DataDirectory(path: sandbox.data)
        #expect(try directory.storeLocation() == .sqlite(path: directory.storePath))
        let again = try await self.copy(sandbox.data, to: "sqlite:\(target)", "--json")
        #expect(again.exitCode == 1)
        #expect(again.errorCode == "store_not_empty")
    }

    @Test func storesAreNamedWithoutADataDirectory() async throws {
        let sandbox = try await CliSandbox.copy()
        let folder = try CliFolder()
        let database = try await CopyDatabase()
        let copied = try await CliTool.pomona([
            "store", "copy", "--data", folder.file("none"), "--from", "sqlite:\(sandbox.data)/pomona.sqlite", "--to",
            database.url, "--json",
        ])
        #expect(copied.exitCode == 0, "\(copied.stdout)\(copied.stderr)")
        // The master key is the other directory's.
        #expect(try copied.json()["logged"]?.bool == false)
        #expect(!FileManager.default.fileExists(atPath: folder.file("none")))
    }

    @Test(
        arguments: [
            (["--to", "mysql://u:hunter2@h/d"], 1, "store_malformed"),
            (["--to", "postgresql://nobody:hunter2@127.0.0.1:1/none"], 1, "store_unavailable"),
            (["--to", "sqlite:x", "--from", "sqlite:y", "--switch"], 64, nil),
            ([], 64, nil),
        ] as [([String], Int32, String?)])
    func refusesWhatItCannotUse(arguments: [String], exitCode: Int32, code: String?) async throws {
        let sandbox = try await CliSandbox.copy()
        let result = try await CliTool.pomona(["store", "copy", "--json", "--data", sandbox.data] + arguments)
        #expect(result.exitCode == exitCode, "\(result.stdout)\(result.stderr)")
        #expect(result.errorCode == code)
        #expect(!(result.stdout + result.stderr).contains("hunter2"))
    }
}
