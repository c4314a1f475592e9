//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Time

extension SQLiteReading {
    func order(_ id: OrderID) throws -> Order? { try self.connection.record(orderByID, id.text) }

    func order(of merchant: MerchantID, dialect: DialectName, reference: String) throws -> Order? {
        try self.connection.record(orderByReference, merchant.text, dialect.text, reference)
    }
}

extension SQLiteTransaction {
    func insert(_ order: Order) throws {
        try self.connection.execute(orderInsert, order.columnValues)
    }

    func update(_ order: Order) throws {
        let changesCount = try self.connection.execute(orderUpdate, order.values(of: Order.change.columns))
        guard changesCount == 1 else { throw StoreError.corrupt("orders.id") }
    }
}

private let orderByID = Order.table.select(by: .id, with: parameters)
private let orderByReference = Order.table.select(by: .merchantID, .dialect, .reference, with: parameters)
private let orderInsert = Order.table.insert(parameters)
private let orderUpdate = Order.change.statement(parameters)
