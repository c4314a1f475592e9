//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Time

extension SQLiteReading {
    func movements(_ query: MovementQuery) throws -> [Movement] {
        guard !query.kinds.isEmpty else { return [] }
        let places = try self.connection.all(query.page(parameters), table: "movements") {
            try MovementPlace(&$0)
        }
        // Two of a payment are often beside each other: a sale's authorization and its capture.
        var payments: [PaymentID: Payment] = [:]
        return try places.map { place in
            if payments[place.paymentID] == nil { payments[place.paymentID] = try self.payment(place.paymentID) }
            return try place.movement(of: payments[place.paymentID])
        }
    }

    func movementNames(_ query: MovementQuery) throws -> [MovementNames] {
        guard !query.kinds.isEmpty else { return [] }
        return try self.connection.all(query.names(parameters), table: "movements") { try MovementNames(&$0) }
    }

    func movementEntry(_ place: MovementQuery.Cursor, of merchant: MerchantID) throws -> MovementEntry? {
        try self.connection.record(entryByKey, merchant.text, place.resolvedAt.milliseconds, place.operationID.text)
    }

    func movementEntriesCount() throws -> Int {
        try self.connection.all("SELECT COUNT(*) FROM movements", table: "movements") { try $0.count() }.first ?? 0
    }
}

extension SQLiteTransaction {
    /// Writes what a payment has had resolved since a version.
    func insertMovements(of payment: Payment, since version: Int) throws {
        let rows = MovementEntry.rows(of: payment, since: version)
        guard rows.count > 0 else { return }
        try self.connection.execute(movementInserts.statement(count: rows.count), rows.values)
    }
}

private let entryByKey = MovementEntry.table.select(
    by: .merchantID, .resolvedAt, .operationID, with: parameters)
private let movementInserts = MovementEntry.inserts(parameters) { HotStatement($0) }
