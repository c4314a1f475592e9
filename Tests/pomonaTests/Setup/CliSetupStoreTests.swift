//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Foundation
import GRDB
import Payments
import StrictJSON
import TestPostgres
import Testing

@testable import pomona

/// Which store a setup begins, and what is left of one that was stopped.
@Suite("pomona setup: the store") struct CliSetupStoreTests {
    private static let file = """
        {"merchant": {"name": "shop", "displayName": "Shop", "mode": "sandbox", "countryCode": "AU"},
         "accounts": [{"dialect": "commweb"}], "acquirers": [{"name": "play", "connector": "simulator"}],
         "routes": [{"acquirer": "play"}],
         "applePay": [{"merchantIdentifier": "merchant.com.example.shop", "custody": "gateway"}]}
        """

    private func setup(_ folder: CliFolder, data: String = "data", _ further: String...) async throws -> CliResult {
        let path = try folder.write("setup.json", Self.file)
        return try await CliTool.pomona(
            ["setup", "--data", folder.file(data), "--file", path, "--json"] + further)
    }

    private func hasTables(_ server: PostgresServer, _ database: String) async throws -> Bool {
        let count = "SELECT count(*) FROM pg_class WHERE relname = 'payments'"
        return try await server.execute(count, database: database) == "1"
    }

    @Test func beginsAnEmptyDatabase() async throws {
        let server = try await PostgresServer.shared()
        let url = server.url(database: try await server.makeDatabase())
        let folder = try CliFolder()
        let first = try await self.setup(folder, "--store", url)
        #expect(try first.exitCode == 0 && first.json()["missing"] == [], "\(first.stdout)\(first.stderr)")
        #expect(try first.json()["accounts"]?["commweb"]?["password"]?.string?.count == 32)
        #expect(
            try DataDirectory(path: folder.file("data")).rememberedStore() == StoreLocation(text: url))
        // From now on the directory knows it; naming it again is no other one.
        for further in [[], ["--store", url]] {
            let path = try folder.write("setup.json", Self.file)
            let again = try await CliTool.pomona(
                ["setup", "--data", folder.file("data"), "--file", path, "--json"] + further)
            #expect(try again.exitCode == 0 && again.json()["merchant"] == first.json()["merchant"])
        }
        let dialogue = try await CliTool.pomona(["setup", "--data", folder.file("data")], stdin: "")
        #expect(dialogue.stdout.contains("There are: shop."), "\(dialogue.stdout)\(dialogue.stderr)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("data/pomona.sqlite")))
    }

    @Test func questionsBeginAnEmptyDatabase() async throws {
        let server = try await PostgresServer.shared()
        let url = server.url(database: try await server.makeDatabase())
        let folder = try CliFolder()
        let left = try await CliTool.pomona(
            ["setup", "--data", folder.file("data"), "--store", url], stdin: "shop\nMy Shop\nsandbox\nAU\n")
        #expect(left.exitCode == 0, "\(left.stdout)\(left.stderr)")
        let shown = try await CliTool.pomona(["merchant", "list", "--data", folder.file("data"), "--json"])
        #expect(try shown.json()["merchants"]?.array?.first?["name"] == "shop", "\(shown.stdout)")
    }

    @Test func refusesAnotherStoreForADirectoryThatHasOne() async throws {
        let server = try await PostgresServer.shared()
        let database = try await server.makeDatabase()
        let folder = try CliFolder()
        let first = try await self.setup(folder)
        let directory = DataDirectory(path: folder.file("data"))
        for store in [
            server.url(database: database), "sqlite:\(folder.file("other.sqlite"))", "sqlite:/nowhere/x.sqlite",
        ] {
            let refused = try await self.setup(folder, "--store", store)
            #expect(refused.exitCode == 1 && refused.errorCode == "setup_differs", "\(refused.stdout)")
            #expect(refused.stdout.contains("pomona store copy --to STORE --switch"))
            #expect(!FileSystem.exists(directory.storeLocationPath))
        }
        #expect(try await !self.hasTables(server, database))
        #expect(!FileSystem.exists(folder.file("other.sqlite")))
        let again = try await self.setup(folder)
        #expect(try again.exitCode == 0 && again.json()["merchant"] == first.json()["merchant"])
    }

    @Test func storeThatCannotBeOpenedIsNotRemembered() async throws {
        let folder = try CliFolder()
        let refused = try await self.setup(folder, "--store", "sqlite:\(folder.file("nowhere/x.sqlite"))")
        #expect(refused.exitCode == 1 && refused.errorStage == "store", "\(refused.stdout)")
        #expect(!FileSystem.exists(folder.file("data/store.location")))
        let made = try await self.setup(folder)
        #expect(made.exitCode == 0, "\(made.stdout)")
        #expect(FileSystem.exists(folder.file("data/pomona.sqlite")))
    }

    /// One installation's database, named in another's directory.
    @Test func storeOfAnotherInstallationIsNotRemembered() async throws {
        let server = try await PostgresServer.shared()
        let url = server.url(database: try await server.makeDatabase())
        let folder = try CliFolder()
        #expect(try await self.setup(folder, data: "theirs", "--store", url).exitCode == 0)
        let keyless = try await self.setup(folder, "--store", url)
        #expect(keyless.exitCode == 1 && keyless.errorCode == "file_missing", "\(keyless.stdout)")
        #expect(!FileSystem.exists(folder.file("data")))
        let directory = DataDirectory(path: folder.file("data"))
        try directory.create()
        _ = try directory.loadOrCreateMasterKey(random: Surroundings.system.random)
        let strange = try await self.setup(folder, "--store", url)
        #expect(strange.exitCode == 1 && strange.errorCode == "master_key_wrong", "\(strange.stdout)")
        #expect(!FileSystem.exists(directory.storeLocationPath))
    }

    // MARK: - Stopped

    /// No file may become longer, as on a full disk, and then it may: wherever the first run was stopped, the second goes on
    /// from there, and one of the two shows the credentials. XFSZ is ignored for writes to fail (setrlimit(2)).
    @Test(arguments: [4, 8, 100, 300, 450, 500, 525, 550, 570, 590, 605, 620, 635])
    func runThatFoundNoRoomIsGoneOnWith(kibibytes: Int) async throws {
        let folder = try CliFolder()
        let path = try folder.write("setup.json", Self.file)
        let first = try await CliTool.bash(
            "trap '' XFSZ; ulimit -f \(kibibytes); "
                + "exec '\(CliTool.pomona.path)' setup --data '\(folder.file("data"))' --file '\(path)' --json")
        let second = try await self.setup(folder)
        #expect(second.exitCode == 0, "\(first.stdout)\(second.stdout)")
        #expect(try second.json()["missing"] == [], "\(first.stdout)\(second.stdout)")
        let parts = try second.json()["missingForWeb"]?.array?.compactMap { $0["part"]?.string }
        #expect(parts == ["domain"], "\(second.stdout)")
        let shown = [first, second].filter { $0.stdout.contains(#""password":"#) }
        #expect(shown.count == 1, "\(first.stdout)\(second.stdout)")
        let minted = try await CliTool.pomona([
            "token", "mint", "--data", folder.file("data"), "--merchant", "shop", "--amount", "10.99",
        ])
        #expect(minted.exitCode == 0, "\(minted.stderr)")
    }

    /// The two files that a process leaves that is killed while it makes the tables.
    @Test(arguments: ["", "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"])
    func fileWithoutTablesIsGoneOnWith(_ sql: String) async throws {
        let folder = try CliFolder()
        let directory = DataDirectory(path: folder.file("data"))
        try directory.create()
        _ = try directory.loadOrCreateMasterKey(random: Surroundings.system.random)
        try await Self.make(directory.storePath, sql)
        let made = try await self.setup(folder)
        #expect(try made.exitCode == 0 && made.json()["missing"] == [], "\(made.stdout)")
    }

    @Test func fileOfAnotherProgramIsRefusedAndStaysAsItIs() async throws {
        let folder = try CliFolder()
        let directory = DataDirectory(path: folder.file("data"))
        try directory.create()
        _ = try directory.loadOrCreateMasterKey(random: Surroundings.system.random)
        try await Self.make(directory.storePath, "CREATE TABLE theirs (a)")
        let before = try Data(contentsOf: URL(fileURLWithPath: directory.storePath))
        let refused = try await self.setup(folder)
        #expect(refused.exitCode == 1 && refused.stdout.contains("no Pomona database"), "\(refused.stdout)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: directory.storePath)) == before)
    }

    private static func make(_ path: String, _ sql: String) async throws {
        let queue = try DatabaseQueue(path: path)
        if !sql.isEmpty { try await queue.write { try $0.execute(sql: sql) } }
        try queue.close()
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    // MARK: - What was made

    /// What a body has made is its caller's, though the store cannot be closed: somebody reads what was before.
    @Test func storeThatCannotBeClosedKeepsTheOutcome() async throws {
        let folder = try CliFolder()
        #expect(try await self.setup(folder).exitCode == 0)
        let directory = DataDirectory(path: folder.file("data"))
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: directory.storePath, configuration: configuration)
        var failures: [String] = []
        let keep: (any Error) -> Void = { failures.append("\($0)") }
        let name = try await DirectoryAccess.withOpenGateway(directory, onCloseFailure: keep) { open in
            try await reader.writeWithoutTransaction { database in
                try database.execute(sql: "BEGIN DEFERRED")
                _ = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM merchants")
            }
            return try await open.administration.createMerchant(
                name: "second", displayName: "Second", mode: .sandbox, countryCode: "AU", timeZone: "UTC"
            ).name
        }
        #expect(name == "second")
        #expect(failures.count == 1, "\(failures)")
        try await reader.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        try reader.close()
    }

    /// As a run leaves it that was stopped between a sandbox merchant's signing request and its certificate.
    @Test func openSigningRequestOfASandboxMerchantIsCertified() async throws {
        let folder = try CliFolder()
        let made = try await CliTool.pomona([
            "merchant", "create", "--data", folder.file("data"), "--name", "shop", "--display-name", "Shop", "--mode",
            "sandbox", "--country", "AU", "--json",
        ])
        #expect(made.exitCode == 0, "\(made.stdout)")
        for purpose in ["payment-processing", "merchant-identity"] {
            let request = try await CliTool.pomona([
                "certificate", "csr", "--data", folder.file("data"), "--merchant", "shop", "--purpose", purpose,
                "--merchant-identifier", "merchant.com.example.shop", "--out", folder.file("\(purpose).csr"),
            ])
            #expect(request.exitCode == 0, "\(request.stdout)\(request.stderr)")
        }
        let done = try await self.setup(folder)
        #expect(try done.exitCode == 0 && done.json()["missing"] == [], "\(done.stdout)")
        let list = try await CliTool.pomona(["certificate", "list", "--data", folder.file("data"), "--json"]).json()
        let states = list["certificates"]?.array?.compactMap { $0["state"]?.string }
        #expect(states == ["active", "active"], "\(list.text())")
        // A certificate whose file was not written any more is written by the next run.
        let path = try #require(try done.json()["applePay"]?.array?.first?["processingCertificate"]?.string)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try FileManager.default.removeItem(atPath: path)
        #expect(try await self.setup(folder).exitCode == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
}
