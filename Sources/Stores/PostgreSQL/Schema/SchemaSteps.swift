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
    SchemaStep(
        name: "tables",
        sql: [
            ownTables, merchantTables, acquirerTables, paymentTables, secretTables, ledgerTables, deliveryTables,
            auditTables, reportTables, peopleTables, administrationTables, watchTables,
            approvalTables,
        ].joined(separator: "\n")),
    SchemaStep(
        name: "outcomes left open", sql: "ALTER TABLE operations ADD COLUMN left_open_in_version bigint;"),
    // By itself, so that nobody waits for the whole table.
    SchemaStep(name: "outcomes left open before", sql: PaymentOperation.leftOpenBefore),
    SchemaStep(name: "nodes of alarms", sql: "ALTER TABLE alarms ADD COLUMN seen_at bigint;"),
]

/// What this store alone needs: the function behind append-only tables, and connections' marks (``CommitMark``).
private let ownTables = """
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
    END
    $$;

    CREATE TABLE commit_marks (
        connection_id text COLLATE "C" NOT NULL PRIMARY KEY,
        sequence bigint NOT NULL DEFAULT 0,
        written_at timestamptz NOT NULL DEFAULT now()
    ) WITH (fillfactor = 50);
    """

/// Triggers that keep a table as it was written.
func appendOnly(_ table: String) -> String {
    """
    CREATE TRIGGER \(table)_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON \(table)
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    """
}
