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
    migrator.registerMigration("1 merchants") { database in
        try database.execute(sql: "PRAGMA application_id = \(pomonaApplicationID)")
        try database.execute(sql: merchantTables)
    }
    migrator.registerMigration("1 payments") { database in
        try database.execute(sql: paymentTables)
    }
    migrator.registerMigration("1 ledger") { database in
        try database.execute(sql: ledgerTables)
    }
    migrator.registerMigration("1 delivery") { database in
        try database.execute(sql: deliveryTables)
    }
    migrator.registerMigration("2 five dialects") { database in
        try database.execute(sql: fiveDialectsStep)
    }
    migrator.registerMigration("3 tappay") { database in
        try database.execute(sql: tapPayStep)
    }
    migrator.registerMigration("4 audit") { database in
        try database.execute(sql: auditStep)
    }
    migrator.registerMigration("5 plain states", migrate: plainStatesStep)
    migrator.registerMigration("6 unknown reason") { database in
        // Why an operation's outcome is not known; nothing for one that became so before this step.
        try database.execute(sql: "ALTER TABLE operations ADD COLUMN unknown_reason TEXT")
    }
    migrator.registerMigration("7 open events") { database in
        try database.execute(sql: OpenWork.indexStep)
    }
    migrator.registerMigration("8 certificate states") { database in
        try database.execute(sql: AppleCredential.stateStep)
    }
    migrator.registerMigration("9 accepted operations", migrate: acceptedOperationsStep)
    return migrator
}

/// Triggers that keep a table as it was written.
func appendOnly(_ table: String) -> String {
    ["UPDATE", "DELETE"].map { verb in
        """
        CREATE TRIGGER \(table)_never_\(verb.lowercased()) BEFORE \(verb) ON \(table)
        BEGIN SELECT RAISE(ABORT, '\(table) is append-only'); END;
        """
    }.joined(separator: "\n")
}
