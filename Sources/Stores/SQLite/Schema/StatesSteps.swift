//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDB
import Payments
import StoreRows

/// The states of operations and events without a list: `state IN (…)` of three values or more is checked by way of a
/// table in memory that SQLite makes and drops for every row written, which took a tenth of a payment's time in the
/// store. The same rule, written with OR, costs nothing.
func plainStatesStep(_ database: Database) throws {
    try rebuild(
        "operations", replacing: "state IN ('pending', 'unknown', 'succeeded', 'failed')",
        with: "state = 'pending' OR state = 'unknown' OR state = 'succeeded' OR state = 'failed'", in: database)
    try rebuild(
        "outbox_events", replacing: "state IN ('pending', 'delivered', 'dead')",
        with: "state = 'pending' OR state = 'delivered' OR state = 'dead'", in: database)
}

/// The state of what an acquirer has and has not decided, and failures that are nobody's decline, whose names are left to
/// the rows' reader. A token that was used up for such a failure may be used by another payment.
func acceptedOperationsStep(_ database: Database) throws {
    try rebuild(
        "operations", replacing: "state = 'unknown'", with: "state = 'unknown' OR state = 'accepted'", in: database)
    try rebuild(
        "operations", replacing: "failure TEXT CHECK (failure IN ('declined', 'reversed'))", with: "failure TEXT",
        in: database)
    try database.execute(
        sql: """
            DROP TRIGGER seen_tokens_never_update;
            CREATE TRIGGER seen_tokens_taken_over BEFORE UPDATE ON seen_tokens
            WHEN NOT \(SeenTokenRow.isNotProcessed("OLD.payment_id"))
            BEGIN SELECT RAISE(ABORT, 'a token that was paid with stays used'); END;
            """)
}

/// Makes a table anew with another rule, as sqlite.org/lang_altertable.html, section 7, has it: rows, indexes and triggers
/// stay as they are.
private func rebuild(_ table: String, replacing rule: String, with newRule: String, in database: Database) throws {
    let definition = try String.fetchOne(
        database, sql: "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", arguments: [table])
    let companions = try String.fetchAll(
        database,
        sql: "SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND type IN ('index', 'trigger') AND sql IS NOT NULL",
        arguments: [table])
    guard let definition, let columns = definition.firstIndex(of: "("), definition.contains(rule) else {
        throw StoreError.corrupt("sqlite_schema.sql")
    }
    try database.execute(
        sql: """
            CREATE TABLE new_\(table) \(definition[columns...].replacing(rule, with: newRule));
            INSERT INTO new_\(table) SELECT * FROM \(table);
            DROP TABLE \(table);
            ALTER TABLE new_\(table) RENAME TO \(table);
            """)
    for companion in companions { try database.execute(sql: companion) }
}
