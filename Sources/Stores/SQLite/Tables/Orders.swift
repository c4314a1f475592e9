//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Time

extension SQLiteReading {
    func order(_ id: OrderID) throws -> Order? {
        try self.connection.first("SELECT \(Order.columnNames) FROM orders WHERE id = ?", id.text, table: "orders") {
            try Order(&$0)
        }
    }

    func order(of merchant: MerchantID, dialect: DialectName, reference: String) throws -> Order? {
        try self.connection.first(
            "SELECT \(Order.columnNames) FROM orders WHERE merchant_id = ? AND dialect = ? AND reference = ?",
            merchant.text,
            dialect.text, reference, table: "orders"
        ) { try Order(&$0) }
    }
}

extension SQLiteTransaction {
    func insert(_ order: Order) throws {
        try self.connection.execute(
            "INSERT INTO orders (\(Order.columnNames)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            order.columnValues)
    }

    func update(_ order: Order) throws {
        let changesCount = try self.connection.execute(
            "UPDATE orders SET canceled_at = ?, payment_id = ? WHERE id = ?", order.canceledAt?.milliseconds,
            order.paymentID?.text, order.id.text)
        guard changesCount == 1 else { throw StoreError.corrupt("orders.id") }
    }
}
