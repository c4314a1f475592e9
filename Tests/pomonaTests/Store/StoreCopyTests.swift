//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import GRDB
import Gateway
import Payments
import StoreRows
import Synchronization
import TestPostgres
import Testing
import Threads

@testable import pomona

@Suite("Stores are copied whole") struct StoreCopyTests {
    @Test func everyRowGoesThereAndBack() async throws {
        let bench = try await CopyBench()
        let database = try await CopyDatabase()
        let original = try await CopyBench.content(bench.source)
        // A table that is added must be given rows here.
        #expect(original.filter { $0.value.isEmpty }.keys.sorted() == [])
        let there = try await CopyBench.copy(bench.source, database.location)
        #expect(there.rowsCounts == original.mapValues(\.count))
        #expect(there.books.paymentsCount == 9)
        #expect(try await CopyBench.content(database.location) == original)

        // Keys and aliases name accounts there too, once each.
        let store = try await database.location.openReadOnly()
        let account = try await store.read { try $0.account(dialect: DialectName("alphapay"), key: "odd alias") }
        #expect(account?.key == "odd key")
        #expect(account?.aliases == ["odd alias"])
        let same = try await store.read { try $0.account(dialect: DialectName("alphapay"), key: "odd key") }
        #expect(same == account)
        try await store.close()

        let back = try await CopyBench.copy(database.location, bench.file("back.sqlite"))
        #expect(back.rowsCounts == there.rowsCounts)
        #expect(try await CopyBench.content(bench.file("back.sqlite")) == original)
        // The source is as it was.
        #expect(try await CopyBench.content(bench.source) == original)
    }

    /// What a command writes there after the copy and before the switch would be in neither store that is served.
    @Test func nobodyWritesToTheSourceBeforeTheSwitch() async throws {
        let bench = try await CopyBench()
        let path = bench.sourcePath
        let refused = Mutex<[ResultCode]>([])
        let copy = StoreCopy(source: bench.source, target: bench.file("switched.sqlite"))
        _ = try await copy.run { _ in
        } finish: { report in
            #expect(report.books.isSound)
            var configuration = Configuration()
            configuration.busyMode = .immediateError
            let writer = try DatabaseQueue(path: path, configuration: configuration)
            do {
                try await writer.write { try $0.execute(sql: "CREATE TABLE intruder (id INTEGER)") }
            } catch let error as DatabaseError {
                refused.withLock { $0.append(error.resultCode) }
            }
        }
        #expect(refused.withLock { $0 } == [.SQLITE_BUSY])
        // It is free again afterwards, and what could not be finished is reported.
        let again = StoreCopy(source: bench.source, target: bench.file("again.sqlite"))
        await #expect(throws: CancellationError.self) {
            _ = try await again.run { _ in
            } finish: { _ in
                throw CancellationError()
            }
        }
        try await DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE later (id INTEGER)") }
    }

    @Test func aFileIsCopiedIntoAFileAndADatabaseIntoADatabase() async throws {
        let bench = try await CopyBench()
        let original = try await CopyBench.content(bench.source)
        let (one, two) = (try await CopyDatabase(), try await CopyDatabase())
        _ = try await CopyBench.copy(bench.source, bench.file("second.sqlite"))
        _ = try await CopyBench.copy(bench.file("second.sqlite"), one.location)
        _ = try await CopyBench.copy(one.location, two.location)
        #expect(try await CopyBench.content(two.location) == original)
    }

    /// What is copied is what the schemas have, but for what is each store's own affair.
    @Test func everyTableOfTheSchemasIsCopied() async throws {
        let bench = try await CopyBench()
        let database = try await CopyDatabase(hasTables: true)
        let path = bench.sourcePath
        let queue = try DatabaseQueue(path: path)
        let inFile = try await queue.read { database in
            try String.fetchSet(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
        }
        try queue.close()
        let inDatabase = try await database.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        ).split(separator: "\n").map(String.init)

        let copiers = try [bench.source.copier(), database.location.copier()]
        let tables = try await onOwnThread { try copiers.map { try $0.read { try $0.tables() } } }
        let names = Set(tables[0].map(\.name))
        #expect(names == inFile.subtracting(["grdb_migrations", "sqlite_sequence"]))
        #expect(
            names.subtracting(["account_aliases"])
                == Set(inDatabase).subtracting(["schema_migrations", "commit_marks", "account_names"]))
        #expect(tables[0].map(\.name) == tables[1].map(\.name))
        #expect(tables[0].map(\.columns) == tables[1].map(\.columns))
    }

    @Test func tablesComeAfterThoseThatTheyReferTo() throws {
        func table(_ name: String, _ references: Set<String>) -> CopiedTable {
            CopiedTable(name: name, columns: [], references: references)
        }
        let tables = [
            table("a", ["d"]), table("b", ["c"]), table("c", ["b", "d"]), table("d", ["d"]), table("e", ["b", "a"]),
        ]
        #expect(tables.inOrderOfReferences.map(\.name) == ["d", "a", "b", "c", "e"])
    }

    // MARK: - Cuts

    private struct Cut: Error {}

    @Test func aCopyThatIsCutOffLeavesAnEmptyTarget() async throws {
        let bench = try await CopyBench()
        let database = try await CopyDatabase(hasTables: true)
        for target in [try await bench.emptyFile("target.sqlite"), database.location] {
            for step in [RowCopy.Progress.Step.copying, .checking] {
                await #expect(throws: Cut.self) {
                    try await CopyBench.copyRows(bench.source, target) { at in
                        if at.step == step, at.table == "postings" { throw Cut() }
                    }
                }
                #expect(try await CopyBench.isEmpty(target))
            }
            // And can be filled afterwards.
            try await CopyBench.copyRows(bench.source, target)
        }
    }

    @Test func aLostConnectionLeavesAnEmptyTarget() async throws {
        let bench = try await CopyBench()
        let database = try await CopyDatabase(hasTables: true)
        for step in [RowCopy.Progress.Step.copying, .checking] {
            let error = await #expect(throws: StoreError.self) {
                try await CopyBench.copyRows(bench.source, database.location) { at in
                    if at.step == step, at.table == "operations" { database.cutConnections() }
                }
            }
            #expect("\(String(describing: error))".contains("connection"))
            #expect(try await CopyBench.isEmpty(database.location))
        }
        _ = try await CopyBench.copy(bench.source, database.location)

        let file = try await bench.emptyFile("target.sqlite")
        await #expect(throws: StoreError.self) {
            try await CopyBench.copyRows(database.location, file) { at in
                if at.table == "accounts" { database.cutConnections() }
            }
        }
        #expect(try await CopyBench.isEmpty(file))
    }

    // MARK: - Checks

    @Test(arguments: [
        // What is written is not what arrives.
        "CREATE FUNCTION alter_row() RETURNS trigger LANGUAGE plpgsql AS "
            + "$$ BEGIN NEW.created_at := NEW.created_at + 1; RETURN NEW; END $$; "
            + "CREATE TRIGGER alter_row BEFORE INSERT ON payments FOR EACH ROW EXECUTE FUNCTION alter_row()",
        // A row gets lost.
        "CREATE FUNCTION lose_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$; "
            + "CREATE TRIGGER lose_row BEFORE INSERT ON seen_tokens FOR EACH ROW EXECUTE FUNCTION lose_row()",
    ]) func whatArrivesOtherwiseIsNotKept(_ sabotage: String) async throws {
        let bench = try await CopyBench()
        let database = try await CopyDatabase(hasTables: true)
        try await database.execute(sabotage)
        let error = await #expect(throws: StoreCopyError.self) {
            try await CopyBench.copy(bench.source, database.location)
        }
        #expect(error?.code == .contentDiffers)
        #expect(try await CopyBench.isEmpty(database.location))
    }

    @Test func rowsThatReferToNothingAreRefused() async throws {
        let bench = try await CopyBench()
        let path = bench.sourcePath
        try CopyBench.tamper(path, "INSERT INTO jobs VALUES ('recover', 'nobody', 1, 0, NULL)")
        let database = try await CopyDatabase(hasTables: true)
        for target in [try await bench.emptyFile("target.sqlite"), database.location] {
            await #expect(throws: StoreError.self) { try await CopyBench.copyRows(bench.source, target) }
            #expect(try await CopyBench.isEmpty(target))
        }
    }

    @Test func textWithNULIsNoTextOfPostgreSQL() async throws {
        let bench = try await CopyBench()
        try CopyBench.tamper(
            bench.sourcePath, "UPDATE merchants SET display_name = 'a' || char(0) || 'b'")
        let database = try await CopyDatabase(hasTables: true)
        await #expect(throws: StoreError.corrupt("a text with a character that PostgreSQL does not store")) {
            try await CopyBench.copyRows(bench.source, database.location)
        }
        #expect(try await CopyBench.isEmpty(database.location))
        let file = try await bench.emptyFile("target.sqlite")
        try await CopyBench.copyRows(bench.source, file)
        #expect(try await CopyBench.content(file) == CopyBench.content(bench.source))
    }

    @Test func unsoundBooksAreNotCopied() async throws {
        let bench = try await CopyBench()
        try CopyBench.tamper(
            bench.sourcePath,
            "DROP TRIGGER postings_never_update; UPDATE postings SET minor_units = minor_units + 1 WHERE ordinal = 0")
        let database = try await CopyDatabase()
        let failure = await #expect(throws: CommandFailure.self) {
            try await CopyBench.copy(bench.source, database.location)
        }
        #expect(failure?.code == "ledger_unsound")
        #expect(try await CopyBench.isEmpty(database.location))
    }
}
