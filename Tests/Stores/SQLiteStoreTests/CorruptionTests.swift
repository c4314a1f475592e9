//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import SQLiteStore
import Testing

/// A row that cannot be right is named, never trapped on, and never taken for something else.
@Suite struct CorruptionTests {
    struct Damage: Sendable, CustomTestStringConvertible {
        let sql: String
        let column: String
        let read: @Sendable (any StoreReader) throws -> Void

        var testDescription: String { self.sql }
    }

    static let payments: [Damage] = [
        ("UPDATE payments SET currency = 'XXX'", "payments.currency"),
        ("UPDATE payments SET minor_units = 0", "payments.minor_units"),
        ("UPDATE payments SET merchant_id = 'mer_1'", "payments.merchant_id"),
        ("UPDATE payments SET mode = 'test'", "payments.mode"),
        ("UPDATE payments SET dialect = ''", "payments.dialect"),
        ("UPDATE payments SET acquirer = ''", "payments.acquirer"),
        ("UPDATE payments SET account_id = 'acc_1'", "payments.account_id"),
        ("UPDATE payments SET order_id = 'order'", "payments.order_id"),
        ("UPDATE payments SET pan_prefix = '41x111'", "payments.pan_prefix"),
        ("UPDATE payments SET network = 'diners'", "payments.network"),
        ("UPDATE payments SET version = 0", "payments.version"),
        ("UPDATE payments SET state = 'paid'", "payments.state"),
        ("UPDATE payments SET state = 'declined'", "payments.state"),
        ("DELETE FROM operations", "operations.payment_id"),
        ("DELETE FROM operations WHERE ordinal = 0", "operations.ordinal"),
        ("UPDATE operations SET id = 'op_' WHERE ordinal = 0", "operations.id"),
        ("UPDATE operations SET kind = 'capture' WHERE ordinal = 0", "operations.kind"),
        ("UPDATE operations SET kind = 'credit' WHERE ordinal = 1", "operations.kind"),
        ("UPDATE operations SET minor_units = -5", "operations.minor_units"),
        ("UPDATE operations SET minor_units = 0", "operations.minor_units"),
        ("UPDATE operations SET minor_units = 0, kind = 'reversal' WHERE ordinal = 1", "operations.minor_units"),
        ("UPDATE operations SET minor_units = 0, kind = 'adjustment' WHERE ordinal = 1", "operations.minor_units"),
        ("UPDATE operations SET fields = 'a=b'", "operations.fields"),
        ("UPDATE operations SET fields = '[]'", "operations.fields"),
        ("UPDATE operations SET fields = '{\"a\":1}'", "operations.fields"),
        ("UPDATE operations SET currency = 'USD' WHERE ordinal = 1", "operations.currency"),
        ("UPDATE operations SET is_final_capture = 2", "operations.is_final_capture"),
        ("UPDATE operations SET target = 'pay_1'", "operations.target"),
        ("UPDATE operations SET begun_in_version = 3", "operations.begun_in_version"),
        ("UPDATE operations SET state = 'done'", "operations.state"),
        ("UPDATE operations SET state = 'failed'", "operations.state"),
        ("UPDATE operations SET failure = 'reversed'", "operations.state"),
        ("UPDATE operations SET state = 'failed', failure = 'declined'", "operations.state"),
        ("UPDATE operations SET decline_reason = 'mood'", "operations.decline_reason"),
        ("UPDATE operations SET approved_minor_units = 1001", "operations.approved_minor_units"),
        ("UPDATE operations SET approved_minor_units = 0", "operations.approved_minor_units"),
        ("UPDATE operations SET approved_minor_units = -1", "operations.approved_minor_units"),
        ("UPDATE operations SET resolved_in_version = 3", "operations.resolved_in_version"),
        (
            """
            UPDATE operations SET minor_units = 9223372036854775807, approved_minor_units = NULL;
            INSERT INTO operations (payment_id, ordinal, id, kind, minor_units, currency, is_final_capture,
                accepts_partial_approval, begun_at, begun_in_version, state)
            SELECT payment_id, 2, 'op_00000000000000000000000000', kind, minor_units, currency, is_final_capture,
                accepts_partial_approval, begun_at, begun_in_version, state
            FROM operations WHERE ordinal = 1
            """, "operations.minor_units"
        ),
    ].map { sql, column in
        Damage(sql: sql, column: column) { reader in
            // Reading must not only give a payment: its sums must not trap.
            _ = try reader.payment(Sample.id(1))?.state
        }
    }

    static let others: [Damage] = [
        Damage(sql: "UPDATE merchants SET mode = 'play'", column: "merchants.mode") { _ = try $0.merchants() },
        Damage(sql: "UPDATE merchants SET id = 'mer_x'", column: "merchants.id") { _ = try $0.merchants() },
        Damage(sql: "UPDATE merchants SET state = 'gone'", column: "merchants.state") { _ = try $0.merchants() },
        Damage(sql: "UPDATE acquirer_accounts SET connector = ''", column: "acquirer_accounts.connector") {
            _ = try $0.acquirerAccount(Sample.id(1))
        },
        Damage(sql: "UPDATE acquirer_accounts SET mode = 'play'", column: "acquirer_accounts.mode") {
            _ = try $0.acquirerAccount(Sample.id(1))
        },
        Damage(sql: "UPDATE acquirer_accounts SET state = 'gone'", column: "acquirer_accounts.state") {
            _ = try $0.acquirerAccounts(of: Sample.id(1))
        },
        Damage(sql: "UPDATE routes SET number = 0", column: "routes.number") { _ = try $0.routes(of: Sample.id(1)) },
        Damage(sql: "UPDATE routes SET account_id = 'acc'", column: "routes.account_id") {
            _ = try $0.routes(of: Sample.id(1))
        },
        Damage(sql: "UPDATE routes SET dialect = ''", column: "routes.dialect") {
            _ = try $0.routes(of: Sample.id(1))
        },
        Damage(sql: "UPDATE routes SET network = 'diners'", column: "routes.network") {
            _ = try $0.routes(of: Sample.id(1))
        },
        Damage(sql: "UPDATE routes SET currency = 'cad'", column: "routes.currency") {
            _ = try $0.routes(of: Sample.id(1))
        },
        Damage(sql: "UPDATE routes SET minor_units_min = -1", column: "routes.minor_units_min") {
            _ = try $0.routes(of: Sample.id(1))
        },
        Damage(sql: "UPDATE accounts SET merchant_id = 'm'", column: "accounts.merchant_id") {
            _ = try $0.account(dialect: Sample.dialect, key: "M1")
        },
        Damage(sql: "UPDATE apple_credentials SET purpose = 'fun'", column: "apple_credentials.purpose") {
            _ = try $0.appleCredentials(of: nil)
        },
        Damage(sql: "UPDATE orders SET currency = 'cad'", column: "orders.currency") { _ = try $0.order(Sample.id(1)) },
        Damage(sql: "UPDATE orders SET payment_id = ''", column: "orders.payment_id") {
            _ = try $0.order(Sample.id(1))
        },
        Damage(sql: "UPDATE outbox_events SET kind = 'news'", column: "outbox_events.kind") {
            _ = try $0.event(Sample.id(1))
        },
        Damage(sql: "UPDATE outbox_events SET state = 'lost'", column: "outbox_events.state") {
            _ = try $0.events(of: Sample.id(1))
        },
        Damage(sql: "UPDATE outbox_events SET attempts_count = -1", column: "outbox_events.attempts_count") {
            _ = try $0.event(Sample.id(1))
        },
        Damage(sql: "UPDATE outbox_events SET message_index = -1", column: "outbox_events.message_index") {
            _ = try $0.event(Sample.id(1))
        },
        Damage(sql: "UPDATE orders SET minor_units = -1", column: "orders.minor_units") {
            _ = try $0.order(of: Sample.id(1), dialect: Sample.dialect, reference: "o")
        },
        Damage(sql: "UPDATE kept_items SET version = -1", column: "kept_items.version") {
            _ = try $0.keptItem(Sample.keptName)
        },
        Damage(sql: "UPDATE jobs SET payment_id = 'pay_?'", column: "jobs.payment_id") {
            _ = try $0.jobs(.deliver, limit: 1)
        },
        Damage(
            sql: "DROP TRIGGER idempotency_claims_never_update; UPDATE idempotency_claims SET operation_id = 'op_1'",
            column: "idempotency_claims.operation_id"
        ) { _ = try $0.claim(Sample.key) },
        Damage(
            sql: "DROP TRIGGER idempotency_claims_never_update; UPDATE idempotency_claims SET payment_id = NULL",
            column: "idempotency_claims.operation_id"
        ) { _ = try $0.claim(Sample.key) },
        Damage(
            sql: "DROP TRIGGER operation_references_never_update; UPDATE operation_references SET operation_id = ''",
            column: "operation_references.operation_id"
        ) { _ = try $0.operation(Sample.reference) },
        Damage(
            sql: "DROP TRIGGER postings_never_update; UPDATE postings SET minor_units = 1 WHERE side = 'debit'",
            column: "postings.minor_units"
        ) { _ = try $0.journal(of: Sample.id(1)) },
        Damage(
            sql: "DROP TRIGGER postings_never_delete; DELETE FROM postings WHERE entry_ordinal = 1",
            column: "postings.entry_ordinal"
        ) { _ = try $0.journal(of: Sample.id(1)) },
        Damage(
            sql: "DROP TRIGGER postings_never_update; UPDATE postings SET layer = 'air'", column: "postings.layer"
        ) { _ = try $0.ledgerSums() },
        Damage(
            sql: "DROP TRIGGER journal_entries_never_update; UPDATE journal_entries SET kind = 'gift'",
            column: "journal_entries.kind"
        ) { _ = try $0.journal(of: Sample.id(1)) },
    ]

    @Test(arguments: payments + others) func isNamed(_ damage: Damage) async throws {
        try await withDirectory { place in
            try await place.withStore { _ = try await Sample.fill($0) }
            try place.tamper(damage.sql)
            try await place.withStore { store in
                await #expect(throws: StoreError.corrupt(damage.column)) { try await store.read(damage.read) }
            }
        }
    }

    @Test(arguments: ["journal_entries", "postings", "idempotency_claims", "operation_references", "seen_tokens"])
    func appendOnlyTablesAreNeverChanged(_ table: String) async throws {
        try await withDirectory { place in
            try await place.withStore { _ = try await Sample.fill($0) }
            let columns = try place.query("SELECT name FROM pragma_table_info('\(table)')")
            #expect(!columns.isEmpty)
            for column in columns {
                #expect(throws: (any Error).self) { try place.tamper("UPDATE \(table) SET \(column) = \(column)") }
            }
            if table == "idempotency_claims" {
                // Old ones may go.
                try place.tamper(
                    """
                    INSERT INTO idempotency_claims SELECT merchant_id, dialect, operation, 'of today', digest, order_id,
                    payment_id, operation_id, (unixepoch() - 89 * 86400) * 1000 FROM idempotency_claims LIMIT 1
                    """)
            }
            #expect(throws: (any Error).self) { try place.tamper("DELETE FROM \(table)") }
            #expect(try place.query("SELECT CAST(COUNT(*) > 0 AS TEXT) FROM \(table)") == ["1"])
        }
    }
}
