//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON
import TestPostgres
import Testing

@testable import pomona

/// Commands look at the store of `pomona serve` under the same configuration, also before it has ever been started.
@Suite struct CliConfiguredStoreTests {
    private func setup(_ data: String, _ merchant: String, in folder: CliFolder, _ further: String...) async throws {
        let file = try folder.write(
            "\(merchant).json",
            #"{"merchant": {"name": "\#(merchant)", "mode": "sandbox", "countryCode": "AU"}}"#)
        let made = try await CliTool.pomona(["setup", "--data", data, "--file", file, "--json"] + further)
        try #require(made.exitCode == 0, "\(made.stdout)\(made.stderr)")
    }

    private func configuration(_ data: String, store: String, in folder: CliFolder) throws -> String {
        let configuration: JSON = [
            "data": ["directory": .string(data)], "store": ["url": .string(store)],
        ]
        return try folder.write("pomona.json", configuration.text())
    }

    /// A database and a master key are all that a restore brings back.
    @Test func restoredDatabaseIsCheckedBeforeItIsServed() async throws {
        let server = try await PostgresServer.shared()
        let url = server.url(database: try await server.makeDatabase())
        let folder = try CliFolder()
        try await self.setup(folder.file("lost"), "shop", in: folder, "--store", url)
        let restored = DataDirectory(path: folder.file("restored"))
        try restored.create()
        try FileManager.default.copyItem(
            atPath: folder.file("lost/master.key"), toPath: restored.masterKeyPath)
        let config = try self.configuration(restored.path, store: url, in: folder)
        for command in [["ledger", "check"], ["audit", "verify"], ["upgrade", "check"], ["payments", "list"]] {
            let result = try await CliTool.pomona(command + ["--data", restored.path, "--config", config, "--json"])
            #expect(result.exitCode == 0, "\(command): \(result.stdout)\(result.stderr)")
            #expect(result.stderr.isEmpty, "\(result.stderr)")
        }
        let merchants = try await CliTool.bash(
            "POMONA_STORE_URL='\(url)' '\(CliTool.pomona.path)' merchant list --data '\(restored.path)' --json")
        #expect(try merchants.json()["merchants"]?.array?.map { $0["name"] } == ["shop"], "\(merchants.stdout)")
        // What looks leaves nothing behind.
        #expect(!FileSystem.exists(restored.storeLocationPath) && !FileSystem.exists(restored.storePath))
        let without = try await CliTool.pomona(["ledger", "check", "--data", restored.path, "--json"])
        #expect(without.errorCode == "file_missing")
    }

    @Test func storeOfTheConfigurationCountsForMoreThanWhatIsRemembered() async throws {
        let folder = try CliFolder()
        let (data, other) = (folder.file("data"), folder.file("other"))
        try await self.setup(data, "here", in: folder)
        try await self.setup(other, "there", in: folder)
        // Both are sealed with one key, as stores of one installation are.
        try FileManager.default.removeItem(atPath: "\(data)/master.key")
        try FileManager.default.copyItem(atPath: "\(other)/master.key", toPath: "\(data)/master.key")
        let config = try self.configuration(data, store: "sqlite:\(other)/pomona.sqlite", in: folder)
        let listed = try await CliTool.pomona(["merchant", "list", "--config", config, "--json"])
        #expect(try listed.json()["merchants"]?.array?.map { $0["name"] } == ["there"], "\(listed.stdout)")
        let note = "note: store.url (or POMONA_STORE_URL) names another store"
        #expect(listed.stderr.hasPrefix(note), "\(listed.stderr)")
        #expect(!FileSystem.exists("\(data)/store.location"))
        let begun = try await CliTool.pomona([
            "setup", "--config", config, "--store", "sqlite:\(folder.file("third.sqlite"))", "--file",
            folder.file("here.json"), "--json",
        ])
        #expect(begun.errorCode == "setup_differs", "\(begun.stdout)")
        #expect(!FileSystem.exists(folder.file("third.sqlite")))
    }

    @Test func missingStoreIsNamedByWhatNamesIt() async throws {
        let folder = try CliFolder()
        let config = try self.configuration(
            folder.file("data"), store: "sqlite:\(folder.file("gone.sqlite"))", in: folder)
        let result = try await CliTool.pomona(["ledger", "check", "--config", config, "--json"])
        #expect(result.errorCode == "file_missing" && result.stdout.contains("gone.sqlite"), "\(result.stdout)")
        #expect(result.stdout.contains("which store.url (or POMONA_STORE_URL) names"), "\(result.stdout)")
    }
}
