//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import GRDB
import SQLiteStore
import StoreRows
import Testing

/// How a file is filled with another store's rows: in one transaction, and without a log of all of them.
@Suite struct CopyingTests {
    private struct Cut: Error {}

    private static let rowsCount = 20_000

    /// More than a connection keeps in memory.
    private static func write(_ writer: any RowWriter) throws {
        let table = try #require(try writer.tables().first { $0.name == "seen_tokens" })
        #expect(table.columns.map(\.name) == ["mode", "payment_id", "seen_at", "transaction_identifier"])
        try writer.write(table) { write in
            for start in stride(from: 0, to: self.rowsCount, by: 500) {
                try write(
                    (start..<start + 500).map { number in
                        let bytes = withUnsafeBytes(of: UInt64(number).bigEndian, Array.init)
                        return [
                            .text("live"), .text("pay"), .integer(Int64(number)),
                            .bytes(bytes + [UInt8](repeating: 7, count: 800)),
                        ]
                    })
            }
        }
        try writer.finish()
    }

    private static func size(_ place: TemporaryStore, _ suffix: String = "") -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: place.path + suffix)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }

    @Test func rowsGoStraightIntoTheFile() async throws {
        try await withDirectory { place in
            try await place.withStore { _ in }
            let sizes = try SQLiteCopier(path: place.path).fill { writer in
                try Self.write(writer)
                return (file: Self.size(place), log: Self.size(place, "-wal"), journal: Self.size(place, "-journal"))
            }
            #expect(sizes.file > 5_000_000 && sizes.log == 0 && sizes.journal < 1_000_000, "\(sizes)")
            #expect(try place.query("SELECT count(*) FROM seen_tokens") == ["\(Self.rowsCount)"])
            #expect(try place.query("PRAGMA journal_mode") == ["wal"])
            #expect(try place.query("PRAGMA integrity_check") == ["ok"])
            try await place.withStore { _ in }
        }
    }

    @Test func fillingThatIsCutOffLeavesWhatWasThere() async throws {
        try await withDirectory { place in
            try await place.withStore { _ in }
            let before = Self.size(place)
            #expect(throws: Cut.self) {
                try SQLiteCopier(path: place.path).fill { writer in
                    try Self.write(writer)
                    #expect(Self.size(place) > before)
                    throw Cut()
                }
            }
            #expect(try place.query("SELECT count(*) FROM seen_tokens") == ["0"])
            #expect(try place.query("PRAGMA integrity_check") == ["ok"])
            try SQLiteCopier(path: place.path).fill { try Self.write($0) }
            try await place.withStore { _ in }
        }
    }

    /// A process that ends leaves the journal, and whoever opens the file next makes it what it was.
    @Test func journalThatWasLeftIsRolledBack() async throws {
        try await withDirectory { place in
            try await place.withStore { _ in }
            let left = TemporaryStore(directory: place.directory + "/left")
            try FileManager.default.createDirectory(atPath: left.directory, withIntermediateDirectories: true)
            #expect(throws: Cut.self) {
                try SQLiteCopier(path: place.path).fill { writer in
                    try Self.write(writer)
                    // As the disk is at the moment of the end.
                    for suffix in ["", "-journal"] {
                        try FileManager.default.copyItem(atPath: place.path + suffix, toPath: left.path + suffix)
                    }
                    throw Cut()
                }
            }
            #expect(Self.size(left) > 5_000_000 && Self.size(left, "-journal") > 0)
            try await left.withStore { _ in }
            #expect(try left.query("SELECT count(*) FROM seen_tokens") == ["0"])
            #expect(try left.query("PRAGMA integrity_check") == ["ok"])
        }
    }

    /// Where somebody has the file open it is written by way of the log, and all of it is there, too.
    @Test func fileThatSomebodyHasOpenIsFilledToo() async throws {
        try await withDirectory { place in
            try await place.withStore { _ in }
            let other = try DatabaseQueue(path: place.path)
            #expect(try await other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM seen_tokens") } == 0)
            try SQLiteCopier(path: place.path).fill { try Self.write($0) }
            let count = try await other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM seen_tokens") }
            #expect(count == Self.rowsCount)
            try other.close()
        }
    }
}
