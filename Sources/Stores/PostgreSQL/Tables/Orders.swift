//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Time

extension PostgreSQLReading {
    func order(_ id: OrderID) throws -> Order? {
        try self.transaction.lockOrder("id = $1", id.text)
        return try self.transaction.record(orderByID, id.text)
    }

    func order(of merchant: MerchantID, dialect: DialectName, reference: String) throws -> Order? {
        try self.transaction.lockOrder(
            "merchant_id = $1 AND dialect = $2 AND reference = $3", merchant.text, dialect.text, reference)
        return try self.transaction.record(orderByReference, merchant.text, dialect.text, reference)
    }
}

extension PostgreSQLTransaction {
    func insert(_ order: Order) throws {
        try self.transaction.write { try self.transaction.execute(orderInsert, order.columnValues) }
    }

    func update(_ order: Order) throws {
        try self.transaction.write {
            try self.transaction.require(
                orderUpdate, order.values(of: Order.change.columns), orElse: .corrupt("orders.id"))
        }
    }
}

private let orderByID = Order.table.select(by: .id, with: parameters)
private let orderByReference = Order.table.select(by: .merchantID, .dialect, .reference, with: parameters)
private let orderInsert = Order.table.insert(parameters)
private let orderUpdate = RequiredChange(Order.change.statement(parameters))
