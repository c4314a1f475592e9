//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDB
import SQLiteLog

/// The book's tables, and how its database is opened.
enum BookSchema {
    /// How many pages the log may have before it is emptied: only for that the disk is waited for.
    static let logPagesMax = 8192

    static func configuration(isFile: Bool) -> Configuration {
        CheckpointedLog.setUpSQLite()
        var configuration = Configuration()
        configuration.label = "simulator-book"
        // Another process may look into the file; a writer waits for it.
        configuration.busyMode = .timeout(5)
        if isFile {
            configuration.journalMode = .wal
            configuration.prepareDatabase { database in
                try database.execute(sql: "PRAGMA synchronous = NORMAL")
            }
        }
        return configuration
    }

    /// One step for as long as no version of the program has been released.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 book") { database in try database.execute(sql: BookSchema.tables) }
        return migrator
    }

    /// - `book`: what this book is called and no other, in one row.
    /// - `operations`: one row an operation, also for one that was taken back before it arrived (`kind` is null then). No
    ///   PAN, no cryptogram, no token.
    /// - `reports`: what is still to be reported, and to which account.
    private static let tables = """
        CREATE TABLE book (
            number INTEGER PRIMARY KEY CHECK (number = 1),
            id TEXT NOT NULL
        ) STRICT;

        CREATE TABLE operations (
            sequence INTEGER PRIMARY KEY,
            \(BookColumn.definitions),
            CHECK (state <> 'approved' OR approved_amount IS NOT NULL),
            CHECK (state <> 'declined' OR decline_reason IS NOT NULL)
        ) STRICT;
        CREATE INDEX operations_payment ON operations (payment_id);
        CREATE INDEX operations_target ON operations (target_id) WHERE target_id IS NOT NULL;
        CREATE UNIQUE INDEX operations_reference ON operations (reference) WHERE reference IS NOT NULL;

        CREATE TABLE reports (
            operation_id TEXT NOT NULL PRIMARY KEY REFERENCES operations (operation_id),
            account_id TEXT NOT NULL,
            due_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX reports_due ON reports (due_at);
        """
}
