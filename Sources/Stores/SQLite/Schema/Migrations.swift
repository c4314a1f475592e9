//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDB
import Payments
import StoreRows

/// What the file's application_id says: "POMA", so that no other program's database is taken for ours
/// (sqlite.org/pragma.html).
let pomonaApplicationID: Int64 = 0x504F_4D41

/// The steps from an empty file to today's tables, in order. A step that has been released is never changed; a change
/// is a new step.
func makeMigrator() -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 tables") { database in
        try database.execute(sql: "PRAGMA application_id = \(pomonaApplicationID)")
        let tables = [
            merchantTables, acquirerTables, secretTables, paymentTables, ledgerTables, deliveryTables, auditTables,
            reportTables,
            peopleTables, administrationTables,
            watchTables, approvalTables,
        ]
        for sql in tables { try database.execute(sql: sql) }
    }
    // What refers to what stays as it is, and need not be looked at in all tables.
    migrator.registerMigration("2 outcomes left open", foreignKeyChecks: .immediate) { database in
        try database.execute(sql: "ALTER TABLE operations ADD COLUMN left_open_in_version INTEGER")
    }
    migrator.registerMigration("3 outcomes left open before", foreignKeyChecks: .immediate) { database in
        try database.execute(sql: PaymentOperation.leftOpenBefore)
    }
    migrator.registerMigration("4 nodes of alarms", foreignKeyChecks: .immediate) { database in
        try database.execute(sql: "ALTER TABLE alarms ADD COLUMN seen_at INTEGER")
    }
    migrator.register(.ofPages)
    migrator.register(.ofNames)
    migrator.registerMigration("7 parts of settlement files", foreignKeyChecks: .immediate) { database in
        try database.execute(
            sql: """
                ALTER TABLE settlement_files ADD COLUMN whole_digest BLOB;
                ALTER TABLE settlement_files ADD COLUMN whole_lines_count INTEGER;
                """)
    }
    migrator.register(.ofSearches)
    return migrator
}

/// A step that makes indexes, with the name of the one before it.
private struct IndexStep {
    let name: String
    let after: String
    let indexes: [TableIndex]

    static let ofPages = IndexStep(name: "5 indexes of pages", after: "4 nodes of alarms", indexes: .ofPages)
    static let ofNames = IndexStep(name: "6 indexes of names", after: Self.ofPages.name, indexes: .ofNames)
    static let ofSearches = IndexStep(
        name: "8 indexes of searches", after: "7 parts of settlement files", indexes: .ofSearches)

    /// In their order.
    static let all = [Self.ofPages, .ofNames, .ofSearches]
}

extension DatabaseMigrator {
    fileprivate mutating func register(_ step: IndexStep) {
        self.registerMigration(step.name, foreignKeyChecks: .immediate) { database in
            for index in step.indexes { try database.execute(sql: index.sql) }
        }
    }
}

/// Brings a file's tables up to date.
///
/// The indexes of a full file take minutes. Each is made in a commit of its own before the step that has them all: a
/// process that is ended meanwhile, because it has not started in time, goes on from there the next time.
func bringUpToDate(_ pool: DatabasePool, _ migrator: DatabaseMigrator) throws {
    // Not by a connection that only reads: were it the last to be closed, it would leave the log's file behind.
    let taken = try pool.writeWithoutTransaction { try migrator.appliedIdentifiers($0) }
    for step in IndexStep.all where !taken.isEmpty && !taken.contains(step.name) {
        try migrator.migrate(pool, upTo: step.after)
        try pool.writeWithoutTransaction { database in
            for index in step.indexes { try database.execute(sql: index.sql) }
        }
    }
    try migrator.migrate(pool)
}

/// Triggers that keep a table as it was written.
func appendOnly(_ table: String) -> String {
    """
    \(never("UPDATE", table))
    \(never("DELETE", table))
    """
}

func never(_ verb: String, _ table: String) -> String {
    """
    CREATE TRIGGER \(table)_never_\(verb.lowercased()) BEFORE \(verb) ON \(table)
    BEGIN SELECT RAISE(ABORT, '\(table) is append-only'); END;
    """
}
