//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import StrictJSON

extension PostgreSQLReading {
    func payment(_ id: PaymentID) throws -> Payment? {
        try self.transaction.lock(id)
        return try self.transaction.rows(paymentQuery, [id.text], of: [id.text])?.payments().first
    }

    func payments(_ query: PaymentQuery) throws -> [Payment] {
        let page = query.page("*", parameters)
        return try self.transaction.rows(
            "SELECT \(joinedColumns) FROM (\(page.sql)) AS payments \(joinedOperations) "
                + "ORDER BY \(query.order.terms("payments.")), operations.ordinal", page.arguments)?.payments() ?? []
    }

    func payments(_ ids: Set<PaymentID>) throws -> [PaymentID: Payment] {
        guard !ids.isEmpty else { return [:] }
        let found = try self.transaction.rows(paymentsByIDs, [list(ids)])?.payments() ?? []
        return Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func paymentPlace(_ query: PaymentQuery, number: Int) throws -> PaymentQuery.Cursor? {
        try self.transaction.all(query.place(number: number, parameters), table: "payments") {
            PaymentQuery.Cursor(key: try $0.integer(), id: try $0.id())
        }.first
    }

    func payments(
        named names: Set<ExactText>, of merchant: MerchantID, limit: Int
    ) throws -> [ExactText: NamedPayments] {
        guard !names.isEmpty else { return [:] }
        let dialects = Set(try self.accounts(of: merchant).map(\.dialect.text))
        let rows = try self.transaction.all(
            paymentsByNames, list(names.map(\.text)), merchant.text, list(dialects), max(0, limit), table: "payments"
        ) { columns in (name: ExactText(try columns.text()), id: try columns.id() as PaymentID) }
        var (found, counts): ([ExactText: NamedPayments], [ExactText: Int]) = ([:], [:])
        for (name, id) in rows {
            let count = counts[name, default: 0] + 1
            counts[name] = count
            found[name, default: NamedPayments()].add(id, row: count, limit: limit)
        }
        return found
    }

    func paymentsCount(_ query: PaymentQuery, max: Int) throws -> Int {
        try self.transaction.all(query.count(parameters, max: max), table: "payments") { try $0.count() }.first ?? 0
    }

    func paymentsTally(_ query: PaymentQuery) throws -> PaymentsTally {
        let rows = try self.transaction.all(query.tally(parameters), table: "payments") { try PaymentsTallyRow(&$0) }
        return query.tally(of: rows.first)
    }

    func paymentIDs(after: PaymentID?, limit: Int) throws -> [PaymentID] {
        try self.transaction.all(PaymentRow.ids(after: after, limit: limit, parameters), table: "payments") {
            try $0.id()
        }
    }
}

extension PostgreSQLTransaction {
    func insert(_ payment: Payment) throws {
        try self.transaction.write {
            try self.transaction.put(.payment, payment.columnValues, key: payment.id.text, of: [payment.id.text])
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
            let values = change.values(from: version)
            if change.isReroute {
                try self.transaction.require(rerouteUpdate, values, orElse: .conflict)
            } else {
                try self.transaction.put(.paymentChange, values, key: payment.id.text, of: [payment.id.text])
            }
            for write in change.operationWrites(since: version) {
                let operation = payment.operations[write.ordinal]
                if write.isNew {
                    try self.insert(operation, ordinal: write.ordinal, of: payment.id)
                } else {
                    try self.update(operation, ordinal: write.ordinal, of: payment.id)
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
    \(PaymentOperation.table.list(PaymentOperation.readColumns, of: "operations."))
    """

private let joinedOperations = "LEFT JOIN operations ON operations.payment_id = payments.id"

private let paymentQuery = """
    SELECT \(joinedColumns) FROM payments \(joinedOperations) WHERE payments.id = $1 ORDER BY operations.ordinal
    """

private let rerouteUpdate = RequiredChange(PaymentChange.reroute(parameters))

let paymentsByIDs = """
    SELECT \(joinedColumns) FROM payments \(joinedOperations)
    WHERE payments.id = \(anyListed) ORDER BY payments.id, operations.ordinal
    """

/// Takes the names, the merchant, his dialects and the limit.
let paymentsByNames = """
    SELECT names.name, found.payment_id FROM unnest(\(listedTexts(1))) AS names (name) CROSS JOIN LATERAL (
        \(NamedPayments.select(
            named: "names.name", of: "$2", dialects: "= ANY (\(listedTexts(3)))", limit: "CAST($4 AS bigint)"))
    ) AS found (payment_id)
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
            var operations: [PaymentOperation] = []
            while row < self.count {
                var columns = self.columns(ofRow: row, table: "operations")
                guard try columns.id() == payment.id else { break }
                columns.skip(Payment.table.columns.count - 1)
                operations.append(try reader.read(&columns))
                row += 1
            }
            payments.append(try payment.payment(with: operations))
        }
        return payments
    }
}
