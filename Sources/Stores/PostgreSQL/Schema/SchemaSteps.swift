//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

/// One step from an empty database to today's tables.
struct SchemaStep {
    /// Letters, digits and spaces.
    let name: String
    let sql: String
}

/// The steps, in order. A step that has been released is never changed; a change is a new step, and only adds (see
/// ``Migrator``).
let schemaSteps = [
    SchemaStep(name: "merchants", sql: merchantTables),
    SchemaStep(name: "payments", sql: paymentTables),
    SchemaStep(name: "ledger", sql: ledgerTables),
    SchemaStep(name: "delivery", sql: deliveryTables),
    SchemaStep(name: "audit", sql: auditTables),
    // Why an operation's outcome is not known; nothing for one that became so before this step.
    SchemaStep(name: "unknown reason", sql: "ALTER TABLE operations ADD COLUMN unknown_reason text;"),
    SchemaStep(name: "open events", sql: OpenWork.indexStep),
    SchemaStep(name: "certificate states", sql: AppleCredential.stateStep),
]

/// Triggers that keep a table as it was written.
func appendOnly(_ table: String) -> String {
    """
    CREATE TRIGGER \(table)_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON \(table)
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    """
}
