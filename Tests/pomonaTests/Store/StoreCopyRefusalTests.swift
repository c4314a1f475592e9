//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Payments
import Redaction
import Synchronization
import TestPostgres
import Testing

@testable import pomona

@Suite("Stores that are not copied") struct StoreCopyRefusalTests {
    private func code(
        _ source: StoreLocation, _ target: StoreLocation, sourceLocation: SourceLocation = #_sourceLocation
    ) async -> String? {
        do {
            _ = try await CopyBench.copy(source, target)
            Issue.record("is not refused", sourceLocation: sourceLocation)
            return nil
        } catch {
            return CommandFailure(error).code
        }
    }

    @Test func aTargetThatHoldsAnythingIsRefused() async throws {
        let bench = try await CopyBench()
        let database = try await CopyDatabase(hasTables: true)
        try await database.execute("INSERT INTO data_keys VALUES ('1', 'x', 1)")
        #expect(await self.code(bench.source, database.location) == "store_not_empty")
        #expect(try await database.execute("SELECT count(*) FROM merchants") == "0")

        let other = try await CopyBench()
        let before = try await CopyBench.content(other.source)
        #expect(await self.code(bench.source, other.source) == "store_not_empty")
        #expect(try await CopyBench.content(other.source) == before)
    }

    @Test func aStoreIsNotCopiedOntoItself() async throws {
        let bench = try await CopyBench()
        #expect(await self.code(bench.source, bench.source) == "store_same")
        // Nor by another name.
        let link = bench.folder.file("link.sqlite")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: bench.sourcePath)
        #expect(await self.code(bench.source, .sqlite(path: link)) == "store_not_empty")
    }

    @Test func aStoreThatIsServedIsRefused() async throws {
        let bench = try await CopyBench()
        let database = try await CopyDatabase()
        let file = try await bench.source.open()
        #expect(await self.code(bench.source, database.location) == "store_in_use")
        try await file.close()
        _ = try await CopyBench.copy(bench.source, database.location)

        let node = try await database.location.open()
        #expect(await self.code(database.location, bench.file("target.sqlite")) == "store_in_use")
        let empty = try await CopyDatabase(hasTables: true)
        let other = try await empty.location.open()
        #expect(await self.code(bench.source, empty.location) == "store_in_use")
        try await node.close()
        try await other.close()

        // Under whatever name its operator lets it connect.
        guard case .postgreSQL(let url) = database.location else {
            Issue.record("\(database.location)")
            return
        }
        let text = url.reveal()
        let asNode = text + (text.contains("?") ? "&" : "?") + "application_name=node2"
        let named = try await StoreLocation.postgreSQL(Redacted(asNode)).open()
        #expect(await self.code(database.location, bench.file("target.sqlite")) == "store_in_use")
        try await named.close()
    }

    /// A command that was overlooked waits, and writes nothing into what is read or filled.
    @Test func nobodyWritesMeanwhile() async throws {
        let bench = try await CopyBench()
        let database = try await CopyDatabase(hasTables: true)
        let insert = "INSERT INTO merchants VALUES ('m', 'm', 'm', 'live', 'CA', 'UTC', 1, 'active')"
        let writes = Outcomes()
        try await CopyBench.copyRows(bench.source, database.location) { at in
            guard at.step == .copying, at.table == "merchants" else { return }
            writes.add { try await database.execute("SET lock_timeout = '50ms'; \(insert)") }
        }
        #expect(writes.failuresCount == 1)
        let file = try await bench.emptyFile("target.sqlite")
        try await CopyBench.copyRows(database.location, file) { at in
            guard at.step == .copying, at.table == "merchants" else { return }
            writes.add { try await database.execute("SET lock_timeout = '50ms'; \(insert)") }
        }
        #expect(writes.failuresCount == 2)
        #expect(try await CopyBench.content(file) == CopyBench.content(bench.source))
    }

    @Test func aSourceThatIsNotThereIsNotMade() async throws {
        let bench = try await CopyBench()
        let database = try await CopyDatabase()
        #expect(await self.code(bench.file("nowhere.sqlite"), database.location) == "store_unavailable")
        #expect(!FileManager.default.fileExists(atPath: bench.folder.file("nowhere.sqlite")))
        #expect(try await database.execute("SELECT count(*) FROM pg_tables WHERE tablename = 'merchants'") == "0")
        #expect(await self.code(database.location, bench.file("target.sqlite")) == "store_unavailable")
        #expect(!FileManager.default.fileExists(atPath: bench.folder.file("target.sqlite")))
    }

    /// Before the target is made.
    @Test func aSourceOfAnEarlierVersionIsRefused() async throws {
        let bench = try await CopyBench()
        let file = try await CopyBench()
        let last = "(SELECT max(identifier) FROM grdb_migrations)"
        try CopyBench.tamper(file.sourcePath, "DELETE FROM grdb_migrations WHERE identifier = \(last)")
        let database = try await CopyDatabase()
        #expect(await self.code(file.source, database.location) == "store_tables_differ")
        #expect(try await database.execute("SELECT count(*) FROM pg_tables WHERE tablename = 'merchants'") == "0")

        _ = try await CopyBench.copy(bench.source, database.location)
        try await database.execute(
            "DELETE FROM schema_migrations WHERE number = (SELECT max(number) FROM schema_migrations)")
        #expect(await self.code(database.location, bench.file("target.sqlite")) == "store_tables_differ")
        #expect(!FileManager.default.fileExists(atPath: bench.folder.file("target.sqlite")))
    }

    @Test func tablesThatDifferAreRefused() async throws {
        let bench = try await CopyBench()
        for change in ["ALTER TABLE jobs ADD COLUMN more text", "CREATE TABLE more (id bigint PRIMARY KEY)"] {
            let database = try await CopyDatabase(hasTables: true)
            try await database.execute(change)
            #expect(await self.code(bench.source, database.location) == "store_tables_differ")
            #expect(try await database.execute("SELECT count(*) FROM merchants") == "0")
        }
    }
}

/// What became of things that were tried by a thread that must wait for them.
private final class Outcomes: Sendable {
    private let failures = Mutex(0)

    var failuresCount: Int { self.failures.withLock { $0 } }

    func add(_ work: @escaping @Sendable () async throws -> Void) {
        let done = DispatchSemaphore(value: 0)
        Task {
            do {
                try await work()
            } catch {
                self.failures.withLock { $0 += 1 }
            }
            done.signal()
        }
        done.wait()
    }
}
