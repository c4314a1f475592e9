//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

extension PostgreSQLReading {
    func payment(_ id: PaymentID) throws -> Payment? {
        try self.transaction.lock(id)
        return try self.transaction.rows(paymentQuery, [id.text])?.payments().first
    }

    func payments(_ query: PaymentQuery) throws -> [Payment] {
        let filter = RowFilter(query)
        let (limit, offset) = (filter.arguments.count + 1, filter.arguments.count + 2)
        let page = """
            SELECT * FROM payments\(filter.condition { "$\($0)" }) ORDER BY \(query.order.terms())
            LIMIT $\(limit)::bigint OFFSET $\(offset)::bigint
            """
        return try self.transaction.rows(
            "SELECT \(joinedColumns) FROM (\(page)) AS payments \(joinedOperations) "
                + "ORDER BY \(query.order.terms("payments.")), operations.ordinal",
            filter.arguments + [max(0, query.limit), max(0, query.offset)])?.payments() ?? []
    }

    /// Those of the payments that there are, in no order.
    func payments(_ ids: Set<PaymentID>) throws -> [Payment] {
        try self.transaction.rows(paymentsByIDs, [ids.map(\.text).joined(separator: ",")])?.payments() ?? []
    }

    func paymentsCount(_ query: PaymentQuery) throws -> Int {
        let filter = RowFilter(query)
        return try self.transaction.all(
            "SELECT COUNT(*) FROM payments\(filter.condition { "$\($0)" })", arguments: filter.arguments,
            table: "payments"
        ) { try $0.count() }.first ?? 0
    }

    func paymentIDs(after: PaymentID?, limit: Int) throws -> [PaymentID] {
        try self.transaction.all(
            "SELECT id FROM payments WHERE id > $1 ORDER BY id LIMIT $2::bigint", after?.text ?? "", max(0, limit),
            table: "payments"
        ) { try $0.id() }
    }
}

extension PostgreSQLTransaction {
    func insert(_ payment: Payment) throws {
        try self.transaction.write {
            try self.transaction.execute(paymentInsert, payment.columnValues)
            for (ordinal, operation) in payment.operations.enumerated() {
                try self.insert(operation, ordinal: ordinal, of: payment.id)
            }
            try self.insertMovements(of: payment, since: 0)
        }
        // Nobody else sees it before the commit.
        self.transaction.locks.payments.insert(payment.id)
    }

    func update(_ change: PaymentChange, from version: Int) throws {
        let payment = change.payment
        guard payment.version > version else { throw StoreError.conflict }
        try self.transaction.write {
            let found: RowArguments = [payment.version, payment.id.text, version]
            if change.isReroute {
                try self.transaction.require(
                    rerouteUpdate, found + [payment.acquirer.text, payment.accountID.text], orElse: .conflict)
            } else {
                try self.transaction.require(versionUpdate, found, orElse: .conflict)
            }
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
        if self.transaction.locks.payments.insert(payment.id).inserted { self.transaction.locks.holdsPayments = true }
    }
}

/// A payment and its operations come as rows of the two tables joined: one statement, and so of one moment. A payment
/// without operations is a row of its own, with NULL for them.
private let joinedColumns = """
    \(Payment.table.list(Payment.table.columns, of: "payments.")), \
    \(Payments.Operation.table.list(Payments.Operation.readColumns, of: "operations."))
    """

private let joinedOperations = "LEFT JOIN operations ON operations.payment_id = payments.id"

private let paymentQuery = """
    SELECT \(joinedColumns) FROM payments \(joinedOperations) WHERE payments.id = $1 ORDER BY operations.ordinal
    """

private let paymentInsert = Payment.table.insert(parameters)
private let versionUpdate = RequiredChange("UPDATE payments SET version = $1 WHERE id = $2 AND version = $3")
private let rerouteUpdate = RequiredChange(
    "UPDATE payments SET version = $1, acquirer = $4, account_id = $5 WHERE id = $2 AND version = $3")

/// Ids are of letters, digits and "_": one text with commas takes any number of them.
private let paymentsByIDs = """
    SELECT \(joinedColumns) FROM payments \(joinedOperations)
    WHERE payments.id = ANY (string_to_array($1, ',')) ORDER BY payments.id, operations.ordinal
    """

extension PostgreSQLRows {
    /// The payments of joined rows, each payment's rows beside each other.
    fileprivate func payments() throws -> [Payment] {
        var payments: [Payment] = []
        var row = 0
        while row < self.count {
            var columns = self.columns(ofRow: row, table: "payments")
            let payment = try PaymentRow(&columns)
            guard !columns.isNextNull else { throw StoreError.corrupt("operations.payment_id") }
            var reader = OperationReader(payment: payment)
            var operations: [Payments.Operation] = []
            while row < self.count {
                var columns = self.columns(ofRow: row, table: "operations")
                guard try columns.id() == payment.id else { break }
                columns.skip(Payment.table.columns.count - 1)
                operations.append(try reader.read(&columns))
                row += 1
            }
            payments.append(payment.payment(with: operations))
        }
        return payments
    }
}
