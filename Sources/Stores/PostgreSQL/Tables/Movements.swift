//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

extension PostgreSQLReading {
    /// Locks nothing. In a write transaction the payments may be a moment newer than the page.
    func movements(_ query: MovementQuery) throws -> [Movement] {
        guard !query.kinds.isEmpty else { return [] }
        let page = movementsPage(query)
        let places = try self.transaction.all(page.sql, arguments: page.arguments, table: "movements") {
            try MovementPlace(&$0)
        }
        guard !places.isEmpty else { return [] }
        let found = try self.payments(Set(places.map(\.paymentID)))
        let payments = Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return try places.map { try $0.movement(of: payments[$0.paymentID]) }
    }
}

extension PostgreSQLTransaction {
    /// Writes what a payment has had resolved since a version.
    func insertMovements(of payment: Payment, since version: Int) throws {
        let rows = MovementInsert.rows(of: payment, since: version)
        guard rows.count > 0 else { return }
        try self.transaction.execute(movementInsert.statement(count: rows.count), rows.values)
    }
}

/// A query that asks for some kinds at least.
func movementsPage(_ query: MovementQuery) -> (sql: String, arguments: RowArguments) {
    let filter = RowFilter(query)
    let limit = parameters(filter.arguments.count + 1) + "::bigint"
    return (MovementPlace.select(filter, { parameters($0) }, limit: limit), filter.arguments + [max(0, query.limit)])
}

private let movementInsert = MovementInsert(parameters)
