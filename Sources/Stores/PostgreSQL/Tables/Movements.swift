//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Time

extension PostgreSQLReading {
    /// Locks nothing. In a write transaction the payments may be a moment newer than the page.
    func movements(_ query: MovementQuery) throws -> [Movement] {
        guard !query.kinds.isEmpty else { return [] }
        let places = try self.transaction.all(query.page(parameters), table: "movements") {
            try MovementPlace(&$0)
        }
        let payments = try self.payments(Set(places.map(\.paymentID)))
        return try places.map { try $0.movement(of: payments[$0.paymentID]) }
    }

    func movementNames(_ query: MovementQuery) throws -> [MovementNames] {
        guard !query.kinds.isEmpty else { return [] }
        return try self.transaction.all(query.names(parameters), table: "movements") { try MovementNames(&$0) }
    }

    func movementEntry(_ place: MovementQuery.Cursor, of merchant: MerchantID) throws -> MovementEntry? {
        try self.transaction.record(entryByKey, merchant.text, place.resolvedAt.milliseconds, place.operationID.text)
    }

    func movementEntries(of movements: [MovementEntry]) throws -> [OperationID: MovementEntry] {
        guard !movements.isEmpty else { return [:] }
        let entries: [MovementEntry] = try self.transaction.records(
            movementsByKeys, list(movements.map(\.merchantID)),
            movements.map { String($0.resolvedAt.milliseconds) }.joined(separator: ","),
            list(movements.map(\.operationID)))
        return Dictionary(entries.map { ($0.operationID, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Counted page by page, for the reason of ``ledgerSums()``.
    func movementEntriesCount() throws -> Int {
        var (count, after) = (0, Int64.min)
        while let page = try self.transaction.all(
            countOfPage, after, table: "movements", read: { (last: try $0.integer(), count: try $0.count()) }
        ).first {
            count += page.count
            after = page.last
        }
        return count
    }
}

extension PostgreSQLTransaction {
    /// Writes what a payment has had resolved since a version.
    func insertMovements(of payment: Payment, since version: Int) throws {
        let rows = MovementEntry.rows(of: payment, since: version)
        guard rows.count > 0 else { return }
        try self.transaction.put(.movement, rows.values, rows: rows.count, of: [payment.id.text])
    }
}

/// Of some hundred thousand, up to all of one moment.
private let countOfPage = """
    WITH page AS MATERIALIZED (
        SELECT MAX(resolved_at) AS last
        FROM (SELECT resolved_at FROM movements WHERE resolved_at > $1 ORDER BY resolved_at LIMIT 100000) AS moments
    )
    SELECT (SELECT last FROM page), COUNT(*) FROM movements
    WHERE resolved_at > $1 AND resolved_at <= (SELECT last FROM page) HAVING COUNT(*) > 0
    """

let movementsByKeys = """
    SELECT \(MovementEntry.table.list(MovementEntry.table.columns, of: "movements.")) FROM unnest(
        string_to_array($1, ','), string_to_array($2, ',')::bigint[], string_to_array($3, ',')
    ) AS keys (merchant, moment, operation)
    JOIN movements ON merchant_id = keys.merchant AND resolved_at = keys.moment AND operation_id = keys.operation
    """

private let entryByKey = MovementEntry.table.select(
    by: .merchantID, .resolvedAt, .operationID, with: parameters)
