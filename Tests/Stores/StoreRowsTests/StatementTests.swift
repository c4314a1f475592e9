//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Testing

/// What follows from a list of columns.
@Suite struct StatementTests {
    private enum Column: String, ColumnName {
        case id, kind
        case dueAt = "due_at"
        case note
    }

    private let table = RecordTable<Column>("things", key: .id, .kind)
    private let question = Parameters("?")
    private let dollar = Parameters("$")

    @Test func parametersAreNumbered() {
        #expect(self.question(1) == "?1")
        #expect(self.dollar.list(3, from: 4) == "$4, $5, $6")
        #expect(self.dollar.condition(["a", "b"], from: 2) == "a = $2 AND b = $3")
    }

    @Test func rowsAreInserted() {
        #expect(self.table.names == "id, kind, due_at, note")
        #expect(
            self.table.insert(self.question) == "INSERT INTO things (id, kind, due_at, note) VALUES (?1, ?2, ?3, ?4)")
        #expect(
            self.table.insert(self.dollar, rows: 2)
                == "INSERT INTO things (id, kind, due_at, note) VALUES ($1, $2, $3, $4), ($5, $6, $7, $8)")
        #expect(self.table.parameter(.dueAt, self.dollar) == "$3")
    }

    @Test func rowsAreWrittenOver() {
        #expect(
            self.table.upsert(self.dollar) == """
                INSERT INTO things (id, kind, due_at, note) VALUES ($1, $2, $3, $4) \
                ON CONFLICT (id, kind) DO UPDATE SET due_at = excluded.due_at, note = excluded.note
                """)
    }

    @Test func someColumnsAreChanged() {
        let change = self.table.change(of: [.note, .dueAt], by: [.id, .kind])
        #expect(
            change.statement(self.question) == "UPDATE things SET note = ?1, due_at = ?2 WHERE id = ?3 AND kind = ?4")
        #expect(change.columns == [.note, .dueAt, .id, .kind])
    }

    @Test func rowsAreFoundAndDeleted() {
        #expect(
            self.table.select(by: .kind, with: self.dollar)
                == "SELECT id, kind, due_at, note FROM things WHERE kind = $1")
        #expect(self.table.delete(self.dollar) == "DELETE FROM things WHERE id = $1 AND kind = $2")
    }

    @Test func someColumnsAreListed() {
        #expect(self.table.columns(from: .dueAt) == [.dueAt, .note])
        #expect(self.table.list(self.table.columns(without: .id, .note), of: "t.") == "t.kind, t.due_at")
    }

    @Test func anEventTakesTheNextPlaceOfItsPayment() {
        let insert = OutboxEvent.insert(self.dollar)
        #expect(insert.contains("WHERE payment_id = $5"))
        #expect(insert.hasPrefix("INSERT INTO outbox_events (ordinal, id, "))
        #expect(insert.hasSuffix("$12, $13)"))
    }

    @Test func whatAnAccountHasIsFoundByItsOwner() {
        #expect(
            OwnedTable.secrets.insert(self.dollar)
                == "INSERT INTO account_secrets (dialect, merchant_id, name, key_id, box) VALUES ($1, $2, $3, $4, $5)")
        #expect(
            OwnedTable.settings.select(self.question)
                == "SELECT name, value FROM account_settings WHERE dialect = ?1 AND merchant_id = ?2")
        #expect(
            OwnedTable.acquirerSettings.delete(self.question)
                == "DELETE FROM acquirer_account_settings WHERE account_id = ?1")
        let queries = AcquirerAccountQueries(by: .merchantID, self.dollar)
        #expect(
            queries.secrets == """
                SELECT account_id, name, key_id, box FROM acquirer_account_secrets \
                WHERE (account_id) IN (SELECT id FROM acquirer_accounts WHERE merchant_id = $1)
                """)
        #expect(queries.accounts.hasSuffix("WHERE merchant_id = $1 ORDER BY created_at, id"))
    }
}
