//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Time

extension PostgreSQLReading {
    func order(_ id: OrderID) throws -> Order? {
        try self.transaction.lockOrder("id = $1", id.text)
        return try self.transaction.first("SELECT \(orderColumns) FROM orders WHERE id = $1", id.text, table: "orders")
        {
            try Order(&$0)
        }
    }

    func order(of merchant: MerchantID, dialect: DialectName, reference: String) throws -> Order? {
        try self.transaction.lockOrder(
            "merchant_id = $1 AND dialect = $2 AND reference = $3", merchant.text, dialect.text, reference)
        return try self.transaction.first(
            "SELECT \(orderColumns) FROM orders WHERE merchant_id = $1 AND dialect = $2 AND reference = $3",
            merchant.text,
            dialect.text, reference, table: "orders"
        ) { try Order(&$0) }
    }
}

extension PostgreSQLTransaction {
    func insert(_ order: Order) throws {
        try self.transaction.write {
            try self.transaction.execute(
                "INSERT INTO orders (\(orderColumns)) VALUES (\(parameters(13)))", order.id.text,
                order.merchantID.text, order.dialect.text, order.reference, order.amount.minorUnits,
                order.amount.currency.code, order.summary, order.notifyURL, order.merchantIdentifier,
                order.createdAt.milliseconds, order.expiresAt.milliseconds, order.canceledAt?.milliseconds,
                order.paymentID?.text)
        }
    }

    func update(_ order: Order) throws {
        try self.transaction.write {
            try self.transaction.require(
                "UPDATE orders SET canceled_at = $1, payment_id = $2 WHERE id = $3", order.canceledAt?.milliseconds,
                order.paymentID?.text, order.id.text, orElse: .corrupt("orders.id"))
        }
    }
}

private let orderColumns = """
    id, merchant_id, dialect, reference, minor_units, currency, summary, notify_url, merchant_identifier, created_at, \
    expires_at, canceled_at, payment_id
    """

extension Order {
    fileprivate init(_ columns: inout PostgreSQLColumns) throws {
        self.init(
            id: try columns.id(), merchantID: try columns.id(), dialect: DialectName(try columns.name()),
            reference: try columns.text(), amount: try columns.money(), summary: try columns.text(),
            notifyURL: try columns.optionalText(), merchantIdentifier: try columns.optionalText(),
            createdAt: try columns.timestamp(), expiresAt: try columns.timestamp(),
            canceledAt: try columns.optionalTimestamp(), paymentID: try columns.optionalID())
    }
}
