//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Redaction
import Time

extension SQLiteReading {
    func payment(_ id: PaymentID) throws -> Payment? {
        let row = try self.connection.first(
            "SELECT \(paymentColumns) FROM payments WHERE id = ?", id.text, table: "payments"
        ) { try PaymentRow(&$0) }
        return try row.map { try self.payment($0) }
    }

    private func payment(_ row: PaymentRow) throws -> Payment {
        row.payment(with: try self.operations(of: row))
    }

    func payments(_ query: PaymentQuery) throws -> [Payment] {
        let filter = PaymentFilter(query)
        let rows = try self.connection.all(
            """
            SELECT \(paymentColumns) FROM payments\(filter.condition) ORDER BY \(query.order.terms) LIMIT ? OFFSET ?
            """, arguments: filter.arguments + [max(0, query.limit), max(0, query.offset)], table: "payments"
        ) { try PaymentRow(&$0) }
        return try rows.map { try self.payment($0) }
    }

    func paymentsCount(_ query: PaymentQuery) throws -> Int {
        let filter = PaymentFilter(query)
        return try self.connection.all(
            "SELECT COUNT(*) FROM payments\(filter.condition)", arguments: filter.arguments, table: "payments"
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
        let instrument = payment.instrument
        try self.connection.atomically {
            try self.connection.execute(
                "INSERT INTO payments (\(paymentColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                payment.id.text, payment.merchantID.text, payment.mode.rawValue, payment.dialect.text,
                payment.acquirer.text, payment.orderID?.text, payment.amount.minorUnits, payment.amount.currency.code,
                instrument.maskedPAN.prefix, instrument.maskedPAN.suffix, instrument.maskedPAN.length,
                instrument.network.rawValue, instrument.expiryYearMonth, instrument.eci, instrument.displayName,
                payment.createdAt.milliseconds, payment.version)
            for (ordinal, operation) in payment.operations.enumerated() {
                try self.insert(operation, ordinal: ordinal, of: payment.id)
            }
        }
    }

    func update(_ change: PaymentChange, from version: Int) throws {
        let payment = change.payment
        guard payment.version > version else { throw StoreError.conflict }
        try self.connection.atomically {
            let changesCount = try self.connection.execute(
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
            try self.insert(change.journal, of: payment.id, version: payment.version)
        }
    }
}

private let paymentColumns = """
    id, merchant_id, mode, dialect, acquirer, order_id, minor_units, currency, pan_prefix, pan_suffix, pan_length, \
    network, expiry_year_month, eci, display_name, created_at, version
    """

/// A payment without its operations.
struct PaymentRow {
    let id: PaymentID
    let merchantID: MerchantID
    let mode: Mode
    let dialect: DialectName
    let acquirer: AcquirerName
    let orderID: OrderID?
    let amount: Money
    let instrument: InstrumentSummary
    let createdAt: Timestamp
    let version: Int

    fileprivate init(_ columns: inout SQLiteColumns) throws {
        self.id = try columns.id()
        self.merchantID = try columns.id()
        self.mode = try columns.choice()
        self.dialect = DialectName(try columns.name())
        self.acquirer = AcquirerName(try columns.name())
        self.orderID = try columns.optionalID()
        self.amount = try columns.money()
        let (prefix, suffix) = (try columns.text(), try columns.text())
        let length = try columns.count()
        let maskedPAN = MaskedPAN(prefix: prefix, suffix: suffix, length: length)
        // What is masked whole was stored as nothing; anything else must come back as it was.
        guard maskedPAN.prefix == prefix, maskedPAN.suffix == suffix, maskedPAN.length == length else {
            throw columns.corrupt("pan_prefix")
        }
        self.instrument = InstrumentSummary(
            maskedPAN: maskedPAN, network: try columns.choice(), expiryYearMonth: try columns.text(),
            eci: try columns.optionalText(), displayName: try columns.optionalText())
        self.createdAt = try columns.timestamp()
        self.version = try columns.count()
        guard self.version >= 1 else { throw columns.corrupt }
    }

    fileprivate func payment(with operations: [Payments.Operation]) -> Payment {
        Payment(
            id: self.id, merchantID: self.merchantID, mode: self.mode, dialect: self.dialect, acquirer: self.acquirer,
            orderID: self.orderID, amount: self.amount, instrument: self.instrument, createdAt: self.createdAt,
            version: self.version, operations: operations)
    }
}

extension PaymentQuery.Order {
    fileprivate var terms: String {
        switch self {
        case .newestFirst: "created_at DESC, id DESC"
        case .oldestFirst: "created_at, id"
        case .largestFirst: "minor_units DESC, id DESC"
        case .smallestFirst: "minor_units, id"
        }
    }
}

/// The WHERE of a query: only what was asked for, so that SQLite can use the index that fits.
private struct PaymentFilter {
    let condition: String
    let arguments: [(any SQLiteArgument)?]

    init(_ query: PaymentQuery) {
        var terms: [String] = []
        var arguments: [(any SQLiteArgument)?] = []
        if let id = query.merchantID {
            terms.append("merchant_id = ?")
            arguments += [id.text]
        }
        if let dialect = query.dialect {
            terms.append("dialect = ?")
            arguments += [dialect.text]
        }
        if let id = query.orderID {
            terms.append("order_id = ?")
            arguments += [id.text]
        }
        if let from = query.from {
            terms.append("created_at >= ?")
            arguments += [from.milliseconds]
        }
        if let to = query.to {
            terms.append("created_at < ?")
            arguments += [to.milliseconds]
        }
        if let currency = query.currency {
            terms.append("currency = ?")
            arguments += [currency.code]
        }
        if let range = query.minorUnits {
            terms.append("minor_units BETWEEN ? AND ?")
            arguments += [range.lowerBound, range.upperBound]
        }
        self.condition = terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND ")
        self.arguments = arguments
    }
}
