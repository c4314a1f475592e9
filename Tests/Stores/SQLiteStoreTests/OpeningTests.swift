//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import GRDB
import Payments
import Testing
import Time

@testable import SQLiteStore

@Suite struct OpeningTests {
    @Test func reopeningKeepsEverything() async throws {
        try await withDirectory { place in
            let before = try await place.withStore { store in
                _ = try await Sample.fill(store)
                return try await Sample.content(of: store)
            }
            #expect(before.payment?.state == .captured)
            for _ in 0..<2 {
                let after = try await place.withStore { try await Sample.content(of: $0) }
                #expect(after == before)
            }
        }
    }

    /// What a killed process leaves: the file and its log as they are at that moment.
    @Test func whatWasCommittedSurvivesAKill() async throws {
        try await withDirectory { place in
            let copy = TemporaryStore(directory: place.directory + "/copy")
            try FileManager.default.createDirectory(atPath: copy.directory, withIntermediateDirectories: true)
            let before = try await place.withStore { store in
                _ = try await Sample.fill(store)
                for suffix in ["", "-wal"] {
                    try FileManager.default.copyItem(atPath: place.path + suffix, toPath: copy.path + suffix)
                }
                return try await Sample.content(of: store)
            }
            // Whoever comes first, a reader or the next writer, reads the log.
            let reader = try SQLiteStore.openReadOnly(path: copy.path)
            #expect(try await Sample.content(of: reader) == before)
            try await reader.close()
            let after = try await copy.withStore { try await Sample.content(of: $0) }
            #expect(after == before)
        }
    }

    /// A backup on a read-only disk. Who may write everywhere has such a file, too: beside a name of this length there is no
    /// room for one that has "-wal" at its end (`NAME_MAX` is 255).
    @Test(arguments: [true, false]) func readerSaysWhatIsMissingWhereNothingCanBeMadeBesideTheFile(
        isLongName: Bool
    ) async throws {
        try await withDirectory { place in
            try await place.withStore { _ = try await Sample.fill($0) }
            let directory = place.directory + "/copy"
            let copy = directory + "/" + (isLongName ? String(repeating: "x", count: 252) : "pomona.sqlite")
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: place.path, toPath: copy)
            func setMode(_ mode: Int) throws {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: directory)
            }
            if !isLongName { try setMode(0o500) }
            defer { try? setMode(0o700) }
            // Root writes there all the same.
            guard isLongName || !FileManager.default.isWritableFile(atPath: directory) else { return }
            for onlyLooks in [false, true] {
                let error = #expect(throws: StoreError.self) {
                    if onlyLooks {
                        _ = try SQLiteStore.missingSteps(path: copy)
                    } else {
                        _ = try SQLiteStore.openReadOnly(path: copy)
                    }
                }
                guard case .unavailable(let text) = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(text.contains("-wal") && text.contains("may write, with its -wal"))
            }
        }
    }

    @Test func closingEmptiesTheLog() async throws {
        try await withDirectory { place in
            try await place.withStore { _ = try await Sample.fill($0) }
            #expect(!FileManager.default.fileExists(atPath: place.path + "-wal"))
        }
    }

    @Test func anOperatorWritesBesideTheOwner() async throws {
        try await withDirectory { place in
            try await place.withStore { owner in
                _ = try await Sample.fill(owner)
                let beside = try SQLiteStore.openBeside(path: place.path)
                let key = SealedDataKey(id: "beside", box: [1, 2, 3], createdAt: Timestamp(seconds: 1))
                async let mine: Void = beside.write { try $0.insert(key) }
                async let theirs: Void = owner.write { try $0.makeDue(.recover, at: Timestamp(seconds: 1)) }
                _ = try await (mine, theirs)
                try await beside.close()
                let keys = try await owner.read { try $0.dataKeys() }
                #expect(keys.contains(key))
            }
        }
    }

    @Test func nothingIsMadeForAnOperatorWhoWritesBesideNobody() async throws {
        try await withDirectory { place in
            #expect(throws: StoreError.self) { try SQLiteStore.openBeside(path: place.path) }
            #expect(!FileManager.default.fileExists(atPath: place.path))
        }
    }

    @Test func closedStoreRefuses() async throws {
        try await withDirectory { place in
            let store = try SQLiteStore.open(path: place.path)
            try await store.close()
            try await store.close()
            await #expect(throws: StoreError.unavailable("the store is closed")) {
                try await store.write { try $0.insert(Sample.merchant()) }
            }
            await #expect(throws: StoreError.unavailable("the store is closed")) {
                try await store.read { try $0.merchants() }
            }
        }
    }

    @Test func closingWaitsForWhatIsUnderWay() async throws {
        try await withDirectory { place in
            let store = try SQLiteStore.open(path: place.path)
            let writes = (1...200).map { number in
                Task { try await store.write { try $0.insert(Sample.merchant(number)) } }
            }
            try await store.close()
            var written = 0
            for write in writes {
                do {
                    try await write.value
                    written += 1
                } catch StoreError.unavailable {}
            }
            let found = try await place.withStore { try await $0.read { try $0.merchants().count } }
            #expect(found == written)
        }
    }

    @Test func secondWriterIsRefused() async throws {
        try await withDirectory { place in
            try await place.withStore { _ in
                #expect(
                    throws: StoreError.unavailable(
                        "another process has it open for writing; stop that one, or open the store for reading only")
                ) {
                    try SQLiteStore.open(path: place.path)
                }
            }
            try await place.withStore { _ in }
        }
    }

    @Test func readerSeesWhatTheWriterCommits() async throws {
        try await withDirectory { place in
            try await place.withStore { store in
                let reader = try SQLiteStore.openReadOnly(path: place.path)
                #expect(try await reader.read { try $0.merchants().isEmpty })
                _ = try await Sample.fill(store)
                #expect(try await Sample.content(of: reader) == Sample.content(of: store))
                await #expect(throws: StoreError.unavailable("the store is open for reading only")) {
                    try await reader.write { try $0.insert(Sample.merchant(2)) }
                }
                try await reader.close()
                try await store.write { try $0.insert(Sample.merchant(3)) }
            }
        }
    }

    @Test func readerNeedsNoWriter() async throws {
        try await withDirectory { place in
            let before = try await place.withStore { store in
                _ = try await Sample.fill(store)
                return try await Sample.content(of: store)
            }
            let reader = try SQLiteStore.openReadOnly(path: place.path)
            #expect(try await Sample.content(of: reader) == before)
            // A writer may start beside it.
            try await place.withStore { try await $0.write { try $0.insert(Sample.merchant(2)) } }
            #expect(try await reader.read { try $0.merchants().count } == 2)
            try await reader.close()
        }
    }

    @Test func readerNeedsAFile() async throws {
        try await withDirectory { place in
            #expect {
                try SQLiteStore.openReadOnly(path: place.path)
            } throws: {
                guard case StoreError.unavailable(let why) = $0 else { return false }
                return why.contains("check that it exists")
            }
            #expect(!FileManager.default.fileExists(atPath: place.path))
        }
    }

    @Test func missingDirectoryIsNamed() async throws {
        try await withDirectory { place in
            #expect {
                try SQLiteStore.open(path: place.directory + "/nowhere/pomona.sqlite")
            } throws: {
                guard case StoreError.unavailable(let why) = $0 else { return false }
                return why.contains("directory")
            }
        }
    }

    @Test func onlyTheOwnerMayReadTheFiles() async throws {
        try await withDirectory { place in
            try await place.withStore { store in
                _ = try await Sample.fill(store)
                for suffix in ["", "-wal", "-shm", ".lock"] { #expect(try place.permissions(suffix) == 0o600) }
            }
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: place.path)
            let permissions = try await place.withStore { _ in try place.permissions() }
            #expect(permissions == 0o600)
        }
    }

    @Test func migrationsAreNamedAndRunOnce() async throws {
        try await withDirectory { place in
            var schemas: [[String]] = []
            for _ in 0..<2 {
                try await place.withStore { _ in }
                #expect(
                    try place.query("SELECT identifier FROM grdb_migrations ORDER BY rowid")
                        == [
                            "1 tables", "2 outcomes left open", "3 outcomes left open before", "4 nodes of alarms",
                            "5 indexes of pages", "6 indexes of names", "7 parts of settlement files",
                            "8 indexes of searches",
                        ])
                schemas.append(try place.query("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"))
            }
            #expect(schemas[0] == schemas[1])
            let tables = try place.query(
                "SELECT name FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND NOT strict")
            #expect(tables == ["grdb_migrations"], "every table of ours is STRICT")
        }
    }

    @Test func fileOfALaterVersionIsRefused() async throws {
        try await withDirectory { place in
            try await place.withStore { _ in }
            try place.tamper("INSERT INTO grdb_migrations VALUES ('99 the future')")
            let refusal = StoreError.unavailable("a later version of this program has written it; use that version")
            #expect(throws: refusal) { try SQLiteStore.open(path: place.path) }
            #expect(throws: refusal) { try SQLiteStore.openReadOnly(path: place.path) }
        }
    }

    @Test func fileOfAnEarlierVersionIsNotReadOnly() async throws {
        try await withDirectory { place in
            try await place.withStore { _ in }
            try place.tamper("DELETE FROM grdb_migrations")
            #expect {
                try SQLiteStore.openReadOnly(path: place.path)
            } throws: {
                guard case StoreError.unavailable(let why) = $0 else { return false }
                return why.contains("bring it up to date with pomona store migrate, or by starting the gateway once")
            }
        }
    }

    @Test(arguments: ["CREATE TABLE notes (text TEXT)", "PRAGMA application_id = 7; CREATE TABLE payments (id TEXT)"])
    func fileOfAnotherProgramIsRefused(_ sql: String) async throws {
        try await withDirectory { place in
            try place.tamper(sql)
            let refusal = StoreError.unavailable("the file is no Pomona database")
            #expect(throws: refusal) { try SQLiteStore.open(path: place.path) }
            #expect(throws: refusal) { try SQLiteStore.openReadOnly(path: place.path) }
        }
    }

    @Test func fileThatIsNoDatabaseIsRefused() async throws {
        try await withDirectory { place in
            let text = String(repeating: "This is a letter, not a database. ", count: 100)
            try text.write(toFile: place.path, atomically: true, encoding: .utf8)
            #expect(throws: StoreError.unavailable("the file is no SQLite database")) {
                try SQLiteStore.open(path: place.path)
            }
        }
    }

    @Test func everyCommitIsSynced() async throws {
        try await withDirectory { place in
            try await place.withStore { store in
                let settings = try store.settings()
                #expect(
                    settings == ["wal", "2", "1", "5000"], "journal_mode, synchronous FULL, foreign_keys, busy_timeout")
            }
        }
    }
}
