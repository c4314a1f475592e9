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
        return try self.transaction.record(orderByID, id.text, of: [id.text])
    }

    func order(of merchant: MerchantID, dialect: DialectName, reference: String) throws -> Order? {
        try self.transaction.lockOrder(
            "merchant_id = $1 AND dialect = $2 AND reference = $3", merchant.text, dialect.text, reference)
        return try self.transaction.record(
            orderByReference, merchant.text, dialect.text, reference, of: [Self.name(merchant, dialect, reference)])
    }

    func orders(_ ids: Set<OrderID>) throws -> [OrderID: Order] {
        guard !ids.isEmpty else { return [:] }
        let orders: [Order] = try self.transaction.records(ordersByIDs, list(ids))
        return Dictionary(orders.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

extension PostgreSQLReading {
    /// By what the gathered rows of an order are found (``GatheredRows``): its id, and what the merchant calls it.
    fileprivate static func subjects(of order: Order) -> [String] {
        [order.id.text, self.name(order.merchantID, order.dialect, order.reference)]
    }

    fileprivate static func name(_ merchant: MerchantID, _ dialect: DialectName, _ reference: String) -> String {
        [merchant.text, dialect.text, reference].joined(separator: "\u{1F}")
    }
}

extension PostgreSQLTransaction {
    func insert(_ order: Order) throws {
        try self.transaction.write {
            try self.transaction.put(.order, order.columnValues, key: order.id.text, of: Self.subjects(of: order))
        }
    }

    func update(_ order: Order) throws {
        try self.transaction.write {
            try self.transaction.put(
                .orderChange, order.values(of: Order.change.columns), key: order.id.text, of: Self.subjects(of: order))
        }
    }
}

private let orderByID = Order.table.select(by: .id, with: parameters)
private let ordersByIDs =
    "SELECT \(Order.table.list(Order.table.columns)) FROM orders WHERE id = \(anyListed)"
private let orderByReference = Order.table.select(by: .merchantID, .dialect, .reference, with: parameters)
