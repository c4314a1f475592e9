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
        return try self.transaction.first(
            "SELECT \(Order.columnNames) FROM orders WHERE id = $1", id.text, table: "orders"
        ) {
            try Order(&$0)
        }
    }

    func order(of merchant: MerchantID, dialect: DialectName, reference: String) throws -> Order? {
        try self.transaction.lockOrder(
            "merchant_id = $1 AND dialect = $2 AND reference = $3", merchant.text, dialect.text, reference)
        return try self.transaction.first(
            "SELECT \(Order.columnNames) FROM orders WHERE merchant_id = $1 AND dialect = $2 AND reference = $3",
            merchant.text,
            dialect.text, reference, table: "orders"
        ) { try Order(&$0) }
    }
}

extension PostgreSQLTransaction {
    func insert(_ order: Order) throws {
        try self.transaction.write {
            try self.transaction.execute(
                "INSERT INTO orders (\(Order.columnNames)) VALUES (\(parameters(13)))", order.columnValues)
        }
    }

    func update(_ order: Order) throws {
        try self.transaction.write {
            try self.transaction.require(
                "UPDATE orders SET canceled_at = $1, payment_id = $2 WHERE id = $3",
                [order.canceledAt?.milliseconds, order.paymentID?.text, order.id.text], orElse: .corrupt("orders.id"))
        }
    }
}
