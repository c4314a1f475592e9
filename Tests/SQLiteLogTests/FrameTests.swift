//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import GRDBSQLite
import SQLiteLog
import Testing

/// What is in the log is what SQLite writes by itself, byte for byte but for the salts that it draws
/// (sqlite.org/fileformat2.html, section 4.1).
struct FrameTests {
    /// Pages of the usual size, smaller ones, and ones that are too large to wait for.
    @Test(arguments: [4096, 1024, 16384])
    func framesAreThoseOfSQLite(pageSize: Int) throws {
        CheckpointedLog.setUpSQLite()
        let logs = try [nil, "unix"].map { try Self.log(ofSystem: $0, pageSize: pageSize) }
        #expect(logs[0].count > 20 && logs[0] == logs[1])
    }

    private struct Frame: Equatable {
        let page: [UInt8]
        /// The page's number, and the file's size where a commit ends.
        let header: [UInt8]
    }

    private struct SQLiteFailure: Error {
        let code: Int32
        let statement: String
    }

    /// The frames that the same statements leave.
    /// - Parameter system: SQLite's name of how it opens files; `nil` for this process's own way.
    private static func log(ofSystem system: String?, pageSize: Int) throws -> [Frame] {
        let directory = FileManager.default.temporaryDirectory.appending(path: "pomona-log-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appending(path: "file.sqlite").path
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let result = sqlite3_open_v2(path, &opened, flags, system)
        defer { sqlite3_close(opened) }
        guard result == SQLITE_OK else { throw SQLiteFailure(code: result, statement: "open") }
        let execute = { (sql: String) in
            let result = sqlite3_exec(opened, sql, nil, nil, nil)
            guard result == SQLITE_OK else { throw SQLiteFailure(code: result, statement: sql) }
        }
        try execute(
            "PRAGMA page_size = \(pageSize); PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; "
                + "PRAGMA cache_size = 10; CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT)")
        for number in 0..<12 {
            // Alternating syncs; a transaction that does not fit the cache writes pages twice, and their checksums anew.
            try execute("PRAGMA synchronous = \(number % 2 == 0 ? "FULL" : "NORMAL"); BEGIN")
            for row in 0..<40 { try execute("INSERT INTO row (text) VALUES ('\(number) \(row)' || zeroblob(900))") }
            try execute("UPDATE row SET text = text || 'x' WHERE id % 7 = \(number % 7)")
            try execute(number == 5 ? "ROLLBACK" : "COMMIT")
            // The log begins anew, over what is in it.
            if number == 8 { try execute("PRAGMA wal_checkpoint(RESTART)") }
        }
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path + "-wal")))
        return stride(from: 32, through: bytes.count - 24 - pageSize, by: 24 + pageSize).map { start in
            Frame(
                page: Array(bytes[(start + 24)..<(start + 24 + pageSize)]), header: Array(bytes[start..<(start + 8)]))
        }
    }
}
