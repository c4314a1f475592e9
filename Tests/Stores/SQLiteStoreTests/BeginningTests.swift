//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import GRDB
import Payments
import Testing

@testable import SQLiteStore

/// A file is a store from its first data key on. What a process has left that was ended before that is nobody's.
@Suite struct BeginningTests {
    /// How far the making of the tables had come.
    enum Making: String, CaseIterable {
        case nothing
        case emptyFile
        case listOfSteps
        case tables
        case allSteps

        func leave(at path: String) throws {
            guard self != .nothing else { return }
            guard self != .emptyFile else { return try Data().write(to: URL(fileURLWithPath: path)) }
            let queue = try DatabaseQueue(path: path)
            switch self {
            case .nothing, .emptyFile: break
            case .listOfSteps:
                try queue.write {
                    try $0.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
                }
            case .tables: try makeMigrator().migrate(queue, upTo: "1 tables")
            case .allSteps: try makeMigrator().migrate(queue)
            }
            try queue.close()
        }
    }

    @Test(arguments: Making.allCases) func makingThatWasCutOffIsGoneOnWith(making: Making) async throws {
        try await withDirectory { place in
            try making.leave(at: place.path)
            #expect(try !SQLiteStore.isBegun(path: place.path))
            #expect(FileManager.default.fileExists(atPath: place.path) == (making != .nothing))
            try await place.withStore { _ in }
            #expect(try !SQLiteStore.isBegun(path: place.path))
            try await place.withStore { _ = try await Sample.fill($0) }
            #expect(try SQLiteStore.isBegun(path: place.path))
        }
    }

    @Test(arguments: [
        "CREATE TABLE theirs (a)", "PRAGMA application_id = 7; CREATE TABLE data_keys (a)",
        "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY); INSERT INTO grdb_migrations VALUES ('v1')",
        "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY); CREATE TABLE theirs (a)",
    ]) func fileOfAnotherProgramIsRefusedAndStaysAsItIs(_ sql: String) async throws {
        try await withDirectory { place in
            try place.tamper(sql)
            let before = try Data(contentsOf: URL(fileURLWithPath: place.path))
            #expect(throws: StoreError.unavailable("the file is no Pomona database")) {
                try SQLiteStore.isBegun(path: place.path)
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: place.path)) == before)
            #expect(throws: StoreError.unavailable("the file is no Pomona database")) {
                try SQLiteStore.open(path: place.path)
            }
        }
    }
}
