//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import GRDB
import StoreRows
import StrictJSON
import TestPostgres
import Testing

@testable import pomona

/// `pomona upgrade check`, as a program.
@Suite("pomona upgrade")
struct CliUpgradeTests {
    private static let first = [
        "1 tables", "2 outcomes left open", "3 outcomes left open before", "4 nodes of alarms",
        "5 indexes of pages", "6 indexes of names",
    ]
    private static let later = ["parts of settlement files", "indexes of searches"]
    private static let steps = first + later.enumerated().map { "\($0 + 7) \($1)" }
    private static let serverSteps = first + (["rows of payments"] + later).enumerated().map { "\($0 + 7) \($1)" }

    private static func json(_ steps: some Sequence<String>) -> JSON { .array(steps.map { .string($0) }) }

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
            #expect(json["steps"] == Self.json(Self.steps))
        }
        let said = try await CliTool.pomona(["upgrade", "check", "--data", sandbox.data])
        let list = (["lack \(Self.steps.count) steps:"] + Self.steps.map { "  \($0)" }).joined(separator: "\n") + "\n"
        #expect(said.stdout.contains(list) && said.stdout.contains("pomona store migrate"))
    }

    @Test func earlierVersionsStoreIsBroughtUpToDate() async throws {
        let sandbox = try await CliSandbox.copy()
        let leftOpen = "SELECT DISTINCT payment_id FROM operations WHERE left_open_in_version IS NOT NULL"
        let queue = try DatabaseQueue(path: sandbox.data + "/pomona.sqlite")
        let before = try await queue.read { try String.fetchSet($0, sql: leftOpen) }
        try await queue.write { database in
            try database.execute(sql: "ALTER TABLE operations DROP COLUMN left_open_in_version")
            try database.execute(sql: "ALTER TABLE alarms DROP COLUMN seen_at")
            for column in ["whole_digest", "whole_lines_count"] {
                try database.execute(sql: "ALTER TABLE settlement_files DROP COLUMN \(column)")
            }
            try database.execute(sql: "DELETE FROM grdb_migrations WHERE identifier > '2'")
            // As it is after a process that was ended while it made them.
            for index in [TableIndex].ofPages.dropFirst() { try database.execute(sql: "DROP INDEX \(index.name)") }
            try database.execute(
                sql: "UPDATE payments SET version = version + 1 WHERE id = (SELECT min(payment_id) FROM operations)")
            try database.execute(
                sql: """
                    UPDATE operations SET resolved_in_version = resolved_in_version + 1,
                        begun_in_version = begun_in_version + (begun_in_version > 1)
                    WHERE payment_id = (SELECT min(payment_id) FROM operations)
                    """)
        }
        try queue.close()
        #expect(try await self.check(sandbox.data).1["steps"] == Self.json(Self.steps.dropFirst()))
        let migrated = try await CliTool.pomona(["store", "migrate", "--data", sandbox.data])
        #expect(migrated.exitCode == 0, "\(migrated.stderr)")
        let after = try DatabaseQueue(path: sandbox.data + "/pomona.sqlite")
        let first = try await after.read { try String.fetchSet($0, sql: "SELECT min(payment_id) FROM operations") }
        #expect(try await after.read { try String.fetchSet($0, sql: leftOpen) } == before.union(first))
        let indexes = try await after.read { try String.fetchSet($0, sql: "SELECT name FROM sqlite_schema") }
        #expect(indexes.isSuperset(of: ([TableIndex].ofPages + .ofNames + .ofSearches).map(\.name)))
        try after.close()
        #expect(try await CliTool.pomona(["payments", "list", "--data", sandbox.data]).exitCode == 0)
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
        #expect(json["steps"] == Self.json(Self.serverSteps))
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
