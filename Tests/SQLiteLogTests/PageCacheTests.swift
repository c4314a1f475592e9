//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CSQLiteWAL
import Foundation
import GRDB
import TestRandom
import Testing

@testable import SQLiteLog

/// The page cache is looked through where a file has become shorter, and only there. The counts are the process's, which
/// other tests add to: only a file of many transactions can say something by them.
struct PageCacheTests {
    /// In random places, so that pages are divided and change places all the time.
    private func insert(_ count: Int, into file: LoggedFile, _ random: inout SeededRandom) throws {
        try file.queue.write { database in
            for _ in 0..<count {
                try database.execute(
                    sql: "INSERT OR IGNORE INTO place VALUES (?, ?)",
                    arguments: [Int64(random.next() >> 20), String(repeating: "x", count: 300)])
            }
        }
    }

    private func makeTable(in file: LoggedFile) throws {
        try file.queue.write { database in
            try database.execute(sql: "CREATE TABLE place (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT")
        }
    }

    @Test func isNotLookedThroughAtEachCommit() throws {
        let file = try LoggedFile(framesMax: 4000)
        try self.makeTable(in: file)
        var random = SeededRandom(seed: 1)
        let before = pomona_sqlite_truncations_count()
        for _ in 0..<2000 { try self.insert(4, into: file, &random) }
        let after = pomona_sqlite_truncations_count()
        let asked = after.asked - before.asked
        #expect(asked >= 2000, "the cache is not set up")
        // Other tests' caches are passed on to as well, and are asked as often: they do not make the difference smaller.
        let passedOn = after.passed_on - before.passed_on
        #expect(asked >= passedOn + 1800, "\(passedOn) of \(asked) are passed on")
        try file.close()
    }

    /// A page behind the end that was not forgotten would come back with its old content when the file grows again.
    @Test(arguments: [1, 2, 3, 4]) func forgetsWhatIsBehindTheEnd(seed: UInt64) throws {
        let file = try LoggedFile(framesMax: 100)
        try self.makeTable(in: file)
        var random = SeededRandom(seed: seed)
        for round in 0..<30 {
            try self.insert(Int.random(in: 1...150, using: &random), into: file, &random)
            let sum = try self.sum(of: file)
            switch round % 5 {
            case 1: try file.queue.write { try $0.execute(sql: "DELETE FROM place WHERE id % 3 <> 0") }
            case 2:
                try file.queue.vacuum()
                #expect(try self.sum(of: file) == sum)
            case 3:
                // Grows the file, and takes it back.
                try? file.queue.write { database in
                    for id in 0..<400 {
                        try database.execute(
                            sql: "INSERT OR IGNORE INTO place VALUES (?, 'y')", arguments: [Int64.max - Int64(id) * 7])
                    }
                    throw CancellationError()
                }
                #expect(try self.sum(of: file) == sum)
            default: break
            }
            let check = try file.queue.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
            #expect(check == "ok")
        }
        let sum = try self.sum(of: file)
        try file.close()
        let other = try DatabaseQueue(path: file.url.path)
        #expect(try other.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
        #expect(try other.read(Self.sum) == sum)
    }

    private func sum(of file: LoggedFile) throws -> [Int64?] { try file.queue.read(Self.sum) }

    private static func sum(_ database: Database) throws -> [Int64?] {
        let row = try Row.fetchOne(
            database, sql: "SELECT COUNT(*), SUM(id % 1000003), SUM(length(text)) FROM place")
        return (0..<3).map { row?[$0] }
    }
}
