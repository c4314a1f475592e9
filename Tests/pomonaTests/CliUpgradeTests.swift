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

/// `pomona upgrade check`, as a program.
@Suite("pomona upgrade")
struct CliUpgradeTests {
    private func check(_ data: String, _ more: [String] = []) async throws -> (CliResult, JSON) {
        let result = try await CliTool.pomona(["upgrade", "check", "--json", "--data", data] + more)
        return (result, try result.json())
    }

    @Test func storeOfThisVersionNeedsNothing() async throws {
        let sandbox = try await CliSandbox.shared()
        let (result, json) = try await self.check(sandbox.data)
        #expect(result.exitCode == 0, "\(result.stderr)")
        #expect(json["version"]?.string == Version.text)
        #expect(json["steps"] == [])
        #expect(json["configuration"] == nil)
        let said = try await CliTool.pomona(["upgrade", "check", "--data", sandbox.data])
        #expect(said.stdout.contains("are this version's"))
    }

    @Test func missingStepsAreNamedAndNotTaken() async throws {
        let sandbox = try await CliSandbox.copy()
        let queue = try DatabaseQueue(path: sandbox.data + "/pomona.sqlite")
        try await queue.write { try $0.execute(sql: "DELETE FROM grdb_migrations") }
        try queue.close()
        for _ in 0..<2 {
            let (result, json) = try await self.check(sandbox.data)
            #expect(result.exitCode == 2, "\(result.stderr)")
            #expect(json["steps"] == ["1 tables"])
        }
        let said = try await CliTool.pomona(["upgrade", "check", "--data", sandbox.data])
        #expect(said.stdout.contains("lack 1 step:\n  1 tables\n") && said.stdout.contains("pomona store migrate"))
    }

    @Test func laterVersionsStoreIsRefused() async throws {
        let sandbox = try await CliSandbox.copy()
        let queue = try DatabaseQueue(path: sandbox.data + "/pomona.sqlite")
        try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('9 what is to come')") }
        try queue.close()
        let result = try await CliTool.pomona(["upgrade", "check", "--data", sandbox.data])
        #expect(result.exitCode == 1)
        #expect(result.stderr.contains("a later version"))
    }

    @Test func emptyDatabaseLacksAll() async throws {
        let server = try await PostgresServer.shared()
        let name = try await server.makeDatabase()
        let folder = try CliFolder()
        let (result, json) = try await self.check(
            folder.file("data"), ["--store", "\(server.url(database: name))"])
        #expect(result.exitCode == 2, "\(result.stderr)")
        #expect(json["steps"] == ["1 tables"])
        let tables = "SELECT count(*) FROM pg_class WHERE relname = 'payments'"
        #expect(try await server.execute(tables, database: name) == "0")
    }

    @Test func configurationIsReadAsThisVersionDoes() async throws {
        let sandbox = try await CliSandbox.shared()
        let folder = try CliFolder()
        let good = try folder.write("good.json", #"{"data": {"directory": "\#(sandbox.data)"}}"#)
        let (taken, json) = try await self.check(sandbox.data, ["--config", good])
        #expect(taken.exitCode == 0, "\(taken.stderr)")
        #expect(json["configuration"]?["taken"]?.bool == true)
        let bad = try folder.write("bad.json", #"{"http": {"prot": 1}}"#)
        let (refused, said) = try await self.check(sandbox.data, ["--config", bad])
        #expect(refused.exitCode == 3)
        #expect(said["configuration"]?["refusal"]?.string?.contains("http.prot") == true)
        let missing = try await CliTool.pomona([
            "upgrade", "check", "--data", sandbox.data, "--config", folder.file("none.json"),
        ])
        #expect(missing.exitCode == 1)
    }
}
