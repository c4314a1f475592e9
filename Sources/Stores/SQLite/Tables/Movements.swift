//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

extension SQLiteReading {
    func movements(_ query: MovementQuery) throws -> [Movement] {
        guard !query.kinds.isEmpty else { return [] }
        let page = movementsPage(query)
        let places = try self.connection.all(page.sql, arguments: page.arguments, table: "movements") {
            try MovementPlace(&$0)
        }
        // Two of a payment are often beside each other: a sale's authorization and its capture.
        var payments: [PaymentID: Payment] = [:]
        return try places.map { place in
            if payments[place.paymentID] == nil { payments[place.paymentID] = try self.payment(place.paymentID) }
            return try place.movement(of: payments[place.paymentID])
        }
    }
}

extension SQLiteTransaction {
    /// Writes what a payment has had resolved since a version.
    func insertMovements(of payment: Payment, since version: Int) throws {
        let rows = MovementInsert.rows(of: payment, since: version)
        guard rows.count > 0 else { return }
        try self.connection.execute(movementInsert.statement(count: rows.count), rows.values)
    }
}

/// A query that asks for some kinds at least.
func movementsPage(_ query: MovementQuery) -> (sql: String, arguments: RowArguments) {
    let filter = RowFilter(query)
    return (MovementPlace.select(filter, { _ in "?" }, limit: "?"), filter.arguments + [max(0, query.limit)])
}

private let movementInsert = MovementInsert(parameters)
