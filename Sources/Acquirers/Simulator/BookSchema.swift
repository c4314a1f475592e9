//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDB

/// The book's tables, and how its database is opened.
enum BookSchema {
    static func configuration(isFile: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.label = "simulator-book"
        // Another process may look into the file; a writer waits for it.
        configuration.busyMode = .timeout(5)
        if isFile {
            configuration.journalMode = .wal
            configuration.prepareDatabase { database in
                try database.execute(sql: "PRAGMA synchronous = NORMAL")
                // Only a checkpoint waits for the disk; this makes it rare (in pages of 4096 bytes).
                try database.execute(sql: "PRAGMA wal_autocheckpoint = 8192")
            }
        }
        return configuration
    }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 operations") { database in
            try database.execute(sql: BookSchema.operations)
        }
        migrator.registerMigration("2 verifications, adjustments, checks") { database in
            try database.execute(sql: BookSchema.secondOperations)
        }
        migrator.registerMigration("3 states without a list") { database in
            try BookSchema.dropStateList(database)
        }
        migrator.registerMigration("4 reports") { database in
            try database.execute(sql: BookSchema.reports)
        }
        return migrator
    }

    /// What is still to be reported, and to which account.
    private static let reports = """
        CREATE TABLE reports (
            operation_id TEXT NOT NULL PRIMARY KEY REFERENCES operations (operation_id),
            account_id TEXT NOT NULL,
            due_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX reports_due ON reports (due_at);
        """

    /// A list of states is checked by way of a table in memory that SQLite makes and drops for every row written; the
    /// rows' reader knows the states.
    private static func dropStateList(_ database: Database) throws {
        let rule = " CHECK (state IN ('approved', 'declined', 'unclear', 'voided', 'reversed'))"
        let definition =
            try String.fetchOne(
                database, sql: "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = 'operations'") ?? ""
        guard let columns = definition.firstIndex(of: "(") else { throw SimulatorBookError.corrupt }
        try database.execute(
            sql: """
                CREATE TABLE new_operations \(definition[columns...].replacing(rule, with: ""));
                INSERT INTO new_operations SELECT * FROM operations;
                DROP TABLE operations;
                ALTER TABLE new_operations RENAME TO operations;
                CREATE INDEX operations_payment ON operations (payment_id);
                CREATE INDEX operations_target ON operations (target_id) WHERE target_id IS NOT NULL;
                """)
    }

    /// What the first two tables of operations have alike. Migrations are history: it never changes.
    private static let bothOperations = """
        payment_id TEXT NOT NULL,
        merchant_id TEXT NOT NULL,
        target_id TEXT,
        amount INTEGER NOT NULL,
        currency TEXT NOT NULL,
        captures INTEGER NOT NULL CHECK (captures IN (0, 1)),
        is_final INTEGER NOT NULL CHECK (is_final IN (0, 1)),
        state TEXT NOT NULL CHECK (state IN ('approved', 'declined', 'unclear', 'voided', 'reversed')),
        approved_amount INTEGER CHECK (approved_amount >= 0),
        decline_reason TEXT,
        reference TEXT UNIQUE,
        authorization_code TEXT,
        response_code TEXT,
        """

    /// One row an operation, also for one that was taken back before it arrived (`kind` is null then). No PAN, no
    /// cryptogram, no token.
    private static let operations = """
        CREATE TABLE operations (
            sequence INTEGER PRIMARY KEY,
            operation_id TEXT NOT NULL UNIQUE,
            kind TEXT CHECK (kind IN ('authorization', 'capture', 'refund', 'reversal')),
            \(BookSchema.bothOperations)
            arrivals_count INTEGER NOT NULL CHECK (arrivals_count >= 0),
            booked_at INTEGER NOT NULL,
            CHECK (state <> 'approved' OR approved_amount IS NOT NULL),
            CHECK (state <> 'declined' OR decline_reason IS NOT NULL)
        ) STRICT;
        CREATE INDEX operations_payment ON operations (payment_id);
        CREATE INDEX operations_target ON operations (target_id) WHERE target_id IS NOT NULL;
        """

    /// More kinds, which are left to the rows' reader from here on, and what the issuer says of the card.
    private static let secondOperations = """
        CREATE TABLE new_operations (
            sequence INTEGER PRIMARY KEY,
            operation_id TEXT NOT NULL UNIQUE,
            kind TEXT,
            \(BookSchema.bothOperations)
            stan TEXT,
            network_reference TEXT,
            address_check TEXT,
            security_code_check TEXT,
            funding_pan_suffix TEXT,
            funding_expiry_year_month TEXT,
            payment_account_reference TEXT,
            merchant_advice_code TEXT,
            eci TEXT,
            reconciliation_id TEXT,
            vendor_code TEXT,
            vendor_text TEXT,
            arrivals_count INTEGER NOT NULL CHECK (arrivals_count >= 0),
            booked_at INTEGER NOT NULL,
            CHECK (state <> 'approved' OR approved_amount IS NOT NULL),
            CHECK (state <> 'declined' OR decline_reason IS NOT NULL)
        ) STRICT;
        INSERT INTO new_operations (
                sequence, operation_id, kind, payment_id, merchant_id, target_id, amount, currency, captures, is_final,
                state, approved_amount, decline_reason, reference, authorization_code, response_code, arrivals_count,
                booked_at)
            SELECT
                sequence, operation_id, kind, payment_id, merchant_id, target_id, amount, currency, captures, is_final,
                state, approved_amount, decline_reason, reference, authorization_code, response_code, arrivals_count,
                booked_at
            FROM operations;
        DROP TABLE operations;
        ALTER TABLE new_operations RENAME TO operations;
        CREATE INDEX operations_payment ON operations (payment_id);
        CREATE INDEX operations_target ON operations (target_id) WHERE target_id IS NOT NULL;
        """
}
