//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import StrictJSON

extension SQLiteReading {
    func payment(_ id: PaymentID) throws -> Payment? {
        let row = try self.connection.first(paymentByID, id.text, table: "payments") { try PaymentRow(&$0) }
        return try row.map { try self.payment($0) }
    }

    private func payment(_ row: PaymentRow) throws -> Payment {
        try row.payment(with: try self.operations(of: row))
    }

    func payments(_ query: PaymentQuery) throws -> [Payment] {
        let page = query.page(Payment.table.names, parameters)
        let rows = try self.connection.all(page, table: "payments") { try PaymentRow(&$0) }
        return try rows.map { try self.payment($0) }
    }

    func paymentPlace(_ query: PaymentQuery, number: Int) throws -> PaymentQuery.Cursor? {
        try self.connection.all(query.place(number: number, parameters), table: "payments") {
            PaymentQuery.Cursor(key: try $0.integer(), id: try $0.id())
        }.first
    }

    func paymentsCount(_ query: PaymentQuery, max: Int) throws -> Int {
        try self.connection.all(query.count(parameters, max: max), table: "payments") { try $0.count() }.first ?? 0
    }

    func payments(
        named names: Set<ExactText>, of merchant: MerchantID, limit: Int
    ) throws -> [ExactText: NamedPayments] {
        guard !names.isEmpty else { return [:] }
        let dialects = try self.accounts(of: merchant).map(\.dialect.text)
        let query = namedQuery(dialectsCount: dialects.count)
        var found: [ExactText: NamedPayments] = [:]
        for name in names {
            var count = 0
            let arguments = RowArguments([name.text, merchant.text, max(0, limit)] + dialects)
            try self.connection.forEach(query, arguments, table: "payments") { columns in
                count += 1
                found[name, default: NamedPayments()].add(try columns.id(), row: count, limit: limit)
            }
        }
        return found
    }

    func paymentsTally(_ query: PaymentQuery) throws -> PaymentsTally {
        let rows = try self.connection.all(query.tally(parameters), table: "payments") { try PaymentsTallyRow(&$0) }
        return query.tally(of: rows.first)
    }

    func paymentIDs(after: PaymentID?, limit: Int) throws -> [PaymentID] {
        try self.connection.all(PaymentRow.ids(after: after, limit: limit, parameters), table: "payments") {
            try $0.id()
        }
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
            let changesCount = try self.connection.execute(
                change.isReroute ? rerouteUpdate : paymentUpdate, change.values(from: version))
            guard changesCount == 1 else { throw StoreError.conflict }
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
    }
}

private let paymentByID = Payment.table.select(by: .id, with: parameters)
private let paymentInsert = HotStatement(Payment.table.insert(parameters))
private let paymentUpdate = HotStatement(Payment.advance.statement(parameters))
private let rerouteUpdate = HotStatement(PaymentChange.reroute(parameters))

/// Takes the name, the merchant, the limit and the dialects.
func namedQuery(dialectsCount: Int) -> String {
    NamedPayments.select(
        named: parameters(1), of: parameters(2), dialects: "IN (\(parameters.list(dialectsCount, from: 4)))",
        limit: parameters(3))
}
