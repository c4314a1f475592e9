//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

extension SQLiteReading {
    func payment(_ id: PaymentID) throws -> Payment? {
        let row = try self.connection.first(paymentByID, id.text, table: "payments") { try PaymentRow(&$0) }
        return try row.map { try self.payment($0) }
    }

    private func payment(_ row: PaymentRow) throws -> Payment {
        row.payment(with: try self.operations(of: row))
    }

    func payments(_ query: PaymentQuery) throws -> [Payment] {
        let page = paymentsPage(query)
        let rows = try self.connection.all(page.sql, arguments: page.arguments, table: "payments") {
            try PaymentRow(&$0)
        }
        return try rows.map { try self.payment($0) }
    }

    func paymentsCount(_ query: PaymentQuery) throws -> Int {
        let filter = RowFilter(query)
        return try self.connection.all(
            "SELECT COUNT(*) FROM payments\(filter.condition { _ in "?" })", arguments: filter.arguments,
            table: "payments"
        ) { try $0.count() }.first ?? 0
    }

    func paymentIDs(after: PaymentID?, limit: Int) throws -> [PaymentID] {
        try self.connection.all(
            "SELECT id FROM payments WHERE id > ? ORDER BY id LIMIT ?", after?.text ?? "", max(0, limit),
            table: "payments"
        ) { try $0.id() }
    }
}

extension SQLiteTransaction {
    func insert(_ payment: Payment) throws {
        try self.connection.atomically {
            try self.connection.execute(paymentInsert, payment.columnValues)
            for (ordinal, operation) in payment.operations.enumerated() {
                try self.insert(operation, ordinal: ordinal, of: payment.id)
            }
            try self.insertMovements(of: payment, since: 0)
        }
    }

    func update(_ change: PaymentChange, from version: Int) throws {
        let payment = change.payment
        guard payment.version > version else { throw StoreError.conflict }
        try self.connection.atomically {
            let changesCount =
                change.isReroute
                ? try self.connection.execute(
                    "UPDATE payments SET version = ?, acquirer = ?, account_id = ? WHERE id = ? AND version = ?",
                    payment.version, payment.acquirer.text, payment.accountID.text, payment.id.text, version)
                : try self.connection.execute(
                    "UPDATE payments SET version = ? WHERE id = ? AND version = ?", payment.version, payment.id.text,
                    version)
            guard changesCount == 1 else { throw StoreError.conflict }
            for (ordinal, operation) in payment.operations.enumerated() {
                if operation.begunInVersion > version {
                    try self.insert(operation, ordinal: ordinal, of: payment.id)
                } else if operation.mayHaveChanged(since: version) {
                    try self.update(operation, ordinal: ordinal, of: payment.id)
                }
            }
            try self.insertMovements(of: payment, since: version)
            try self.insert(change.journal, of: payment.id, version: payment.version)
        }
    }
}

func paymentsPage(_ query: PaymentQuery) -> (sql: String, arguments: RowArguments) {
    let filter = RowFilter(query)
    let sql = """
        SELECT \(Payment.table.names) FROM payments\(filter.condition { _ in "?" })
        ORDER BY \(query.order.terms()) LIMIT ? OFFSET ?
        """
    return (sql, filter.arguments + [max(0, query.limit), max(0, query.offset)])
}

private let paymentByID = Payment.table.select(by: .id, with: parameters)
private let paymentInsert = Payment.table.insert(parameters)
