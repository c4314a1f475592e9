//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import GRDB
import Testing

@testable import SQLiteLog

/// The log is emptied beside the writer, and by the writer for the rest.
struct CheckpointTests {
    @Test func logBeginsAnewAndNothingIsLost() async throws {
        let file = try LoggedFile(framesMax: 40)
        for _ in 0..<40 {
            try file.insert(rows: 20)
            try await file.letCheckpointsEnd()
        }
        // 800 rows of 1,000 bytes are a log of many times its length.
        #expect(try file.logBytesCount() < 150 * 4120)
        #expect(try file.rowsCount() == 800)
        try file.close()
        #expect(try file.rowsCountOfAnotherConnection() == 800)
        #expect(try Data(contentsOf: file.url).count > 800 * 1000)
    }

    /// What somebody reads stays in the log, which is emptied once he has read it.
    @Test func readerKeepsTheLogForAsLongAsHeReads() async throws {
        let file = try LoggedFile(framesMax: 10)
        try file.insert(rows: 1)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: file.url.path, configuration: configuration)
        try reader.inDatabase { database in
            try database.execute(sql: "BEGIN")
            #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM row") == 1)
        }
        for _ in 0..<20 {
            try file.insert(rows: 10)
            try await file.letCheckpointsEnd()
        }
        let grown = try file.logBytesCount()
        #expect(grown > 200 * 4120 / 4)
        try reader.inDatabase { database in
            #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM row") == 1)
            try database.execute(sql: "COMMIT")
        }
        for _ in 0..<40 {
            try file.insert(rows: 10)
            try await file.letCheckpointsEnd()
        }
        // It grows until it is emptied the next time, and not for what comes after.
        #expect(try file.logBytesCount() < grown + 40 * 4120, "the log does not begin anew")
        #expect(try file.rowsCount() == 601)
        try reader.close()
        try file.close()
    }

    @Test func isNotDueBeforeTheLogIsFullNorAfterItWasClosed() async throws {
        let file = try LoggedFile(framesMax: 30)
        try file.insert(rows: 1)
        #expect(!file.log.isDue)
        try file.insert(rows: 100)
        #expect(file.log.isDue)
        try file.close()
        #expect(!file.log.isDue)
        try file.close()
    }
}

/// A file with a writer whose log is emptied as the store's is.
final class LoggedFile {
    let directory: URL
    let url: URL
    let queue: DatabaseQueue
    let log: CheckpointedLog

    init(framesMax: Int) throws {
        CheckpointedLog.setUpSQLite()
        self.directory = FileManager.default.temporaryDirectory.appending(path: "pomona-log-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: self.directory, withIntermediateDirectories: true)
        self.url = self.directory.appending(path: "file.sqlite")
        var configuration = Configuration()
        configuration.journalMode = .wal
        let queue = try DatabaseQueue(path: self.url.path, configuration: configuration)
        self.queue = queue
        try queue.write { try $0.execute(sql: "CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT) STRICT") }
        let path = self.url.path
        self.log = try queue.writeWithoutTransaction { database in
            try CheckpointedLog(path: path, framesMax: framesMax, writer: database)
        }
    }

    deinit { try? FileManager.default.removeItem(at: self.directory) }

    func insert(rows: Int) throws {
        try self.queue.write { database in
            for _ in 0..<rows {
                try database.execute(
                    sql: "INSERT INTO row (text) VALUES (?)", arguments: [String(repeating: "x", count: 1000)])
            }
        }
    }

    /// Does what is due until nothing is.
    func letCheckpointsEnd() async throws {
        repeat {
            self.empty()
            await Task.yield()
        } while self.log.isDue || self.log.isUnderWay
    }

    private func empty() { self.queue.writeWithoutTransaction { self.log.empty(with: $0) } }

    /// How long the log has been: it is not cut when it begins anew.
    func logBytesCount() throws -> Int { try Data(contentsOf: URL(filePath: self.url.path + "-wal")).count }

    func rowsCount() throws -> Int? {
        try self.queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM row") }
    }

    func rowsCountOfAnotherConnection() throws -> Int? {
        let other = try DatabaseQueue(path: self.url.path)
        #expect(try other.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
        return try other.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM row") }
    }

    func close() throws {
        try self.queue.writeWithoutTransaction { database in
            try self.log.close(database)
            _ = try? database.checkpoint(.truncate)
        }
    }
}
