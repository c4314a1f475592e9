//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Time

extension SQLiteReading {
    func order(_ id: OrderID) throws -> Order? {
        try self.connection.first("SELECT \(orderColumns) FROM orders WHERE id = ?", id.text, table: "orders") {
            try Order(&$0)
        }
    }

    func order(of merchant: MerchantID, dialect: DialectName, reference: String) throws -> Order? {
        try self.connection.first(
            "SELECT \(orderColumns) FROM orders WHERE merchant_id = ? AND dialect = ? AND reference = ?", merchant.text,
            dialect.text, reference, table: "orders"
        ) { try Order(&$0) }
    }
}

extension SQLiteTransaction {
    func insert(_ order: Order) throws {
        try self.connection.execute(
            "INSERT INTO orders (\(orderColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", order.id.text,
            order.merchantID.text, order.dialect.text, order.reference, order.amount.minorUnits,
            order.amount.currency.code, order.summary, order.notifyURL, order.merchantIdentifier,
            order.createdAt.milliseconds, order.expiresAt.milliseconds, order.canceledAt?.milliseconds,
            order.paymentID?.text)
    }

    func update(_ order: Order) throws {
        let changesCount = try self.connection.execute(
            "UPDATE orders SET canceled_at = ?, payment_id = ? WHERE id = ?", order.canceledAt?.milliseconds,
            order.paymentID?.text, order.id.text)
        guard changesCount == 1 else { throw StoreError.corrupt("orders.id") }
    }
}

private let orderColumns = """
    id, merchant_id, dialect, reference, minor_units, currency, summary, notify_url, merchant_identifier, created_at, \
    expires_at, canceled_at, payment_id
    """

extension Order {
    fileprivate init(_ columns: inout SQLiteColumns) throws {
        self.init(
            id: try columns.id(), merchantID: try columns.id(), dialect: DialectName(try columns.name()),
            reference: try columns.text(), amount: try columns.money(), summary: try columns.text(),
            notifyURL: try columns.optionalText(), merchantIdentifier: try columns.optionalText(),
            createdAt: try columns.timestamp(), expiresAt: try columns.timestamp(),
            canceledAt: try columns.optionalTimestamp(), paymentID: try columns.optionalID())
    }
}
