//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// An index that a step of both engines' schemas adds to tables that may be full.
public struct TableIndex: Hashable, Sendable {
    public let name: String
    public let table: String
    public let columns: String
    /// Which rows it holds; all without.
    public let condition: String?

    public init(_ name: String, on table: String, _ columns: String, where condition: String? = nil) {
        self.name = name
        self.table = table
        self.columns = columns
        self.condition = condition
    }

    /// Makes it where there is none of its name, in SQL that both engines take.
    public var sql: String { self.sql("INDEX") }

    /// The same without keeping writers out, which SQLite knows nothing of
    /// (postgresql.org/docs/15/sql-createindex.html#SQL-CREATEINDEX-CONCURRENTLY).
    public var concurrentSQL: String { self.sql("INDEX CONCURRENTLY") }

    private func sql(_ kind: String) -> String {
        let rest = self.condition.map { " WHERE \($0)" } ?? ""
        return "CREATE \(kind) IF NOT EXISTS \(self.name) ON \(self.table) (\(self.columns))\(rest);"
    }
}

extension [TableIndex] {
    /// What is read in pages, in the order in which it is read: millions of rows are neither sorted nor walked over for one
    /// page. Part of a step of both engines' schemas, and like it never changed once released.
    public static let ofPages = [
        TableIndex("settlement_items_booked_at", on: "settlement_items", "merchant_id, booked_at, file_id, number"),
        TableIndex(
            "settlement_items_resolved_at", on: "settlement_items", "merchant_id, resolved_at, file_id, number",
            where: "resolved_at IS NOT NULL"),
        TableIndex(
            "settlement_items_of_operation", on: "settlement_items", "operation_id", where: "operation_id IS NOT NULL"),
        TableIndex("acquirer_memos_of_key", on: "acquirer_memos", "key_id, operation_id, part"),
        TableIndex("outbox_events_of_merchant", on: "outbox_events", "merchant_id, id"),
        TableIndex("outbox_events_dead", on: "outbox_events", "id", where: "state = 'dead'"),
        TableIndex(
            "movements_lost", on: "movements", "merchant_id, resolved_at, operation_id",
            where: "kind IN ('chargeback', 'lateFailure')"),
    ]

    /// What a line of a settlement file may call an operation, and what had no index: without it, a line that nobody knows
    /// has the names of all movements of its time read. Part of a step, like ``ofPages``.
    public static let ofNames = [
        TableIndex(
            "operations_by_network_reference", on: "operations", "network_reference",
            where: "network_reference IS NOT NULL")
    ]

    /// What is looked for from one thing to others, and was walked for. Part of a step, like ``ofPages``.
    public static let ofSearches = [
        TableIndex("approvals_of_payment", on: "approvals", "payment_id, id", where: "payment_id IS NOT NULL"),
        TableIndex(
            "payments_by_shown_suffix", on: "payments", "\(Payment.shownSuffix), created_at, id",
            where: "display_name IS NOT NULL"),
        TableIndex("settlement_files_by_days", on: "settlement_files", "merchant_id, \(SettlementFile.span), from_at"),
    ]
}
