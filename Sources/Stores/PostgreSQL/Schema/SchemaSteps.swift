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
    let work: Work

    init(name: String, _ work: Work) {
        self.name = name
        self.work = work
    }

    /// A step of statements.
    init(name: String, sql: String) {
        self.init(name: name, .statements(sql))
    }

    enum Work {
        /// Statements in one transaction.
        case statements(String)
        /// A change of rows, page by page.
        case pages(PagedChange)
        /// Indexes of tables that may be full.
        case indexes([TableIndex])
    }
}

/// A change of rows that are already there. Each page is a transaction of its own: nobody waits long for a row, no
/// statement is too long, and a change that was interrupted begins anew, without doing twice what it has done.
struct PagedChange {
    let table: String
    /// A text by which pages are made, and the first column of an index.
    let column: String
    /// How many rows there are on a page, about.
    let rowsMax: Int
    /// For the rows after `$1` and up to `$2`.
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
    SchemaStep(
        name: "outcomes left open before",
        .pages(
            PagedChange(
                table: "operations", column: "payment_id", rowsMax: 20_000,
                sql: PaymentOperation.leftOpenBefore(after: "$1", through: "$2")))),
    SchemaStep(name: "nodes of alarms", sql: "ALTER TABLE alarms ADD COLUMN seen_at bigint;"),
    SchemaStep(name: "indexes of pages", .indexes(.ofPages)),
    SchemaStep(name: "indexes of names", .indexes(.ofNames)),
    SchemaStep(name: "rows of payments", sql: rowsOfPayments),
    SchemaStep(
        name: "parts of settlement files",
        sql: """
            ALTER TABLE settlement_files ADD COLUMN whole_digest bytea, ADD COLUMN whole_lines_count bigint;
            """),
    SchemaStep(name: "indexes of searches", .indexes(.ofSearches)),
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
