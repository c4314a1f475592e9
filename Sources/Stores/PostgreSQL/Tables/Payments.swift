//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Redaction
import Time

extension PostgreSQLReading {
    func payment(_ id: PaymentID) throws -> Payment? {
        try self.transaction.lock(id)
        return try self.transaction.rows(paymentQuery, [id.text])?.payments().first
    }

    func payments(_ query: PaymentQuery) throws -> [Payment] {
        let filter = PaymentFilter(query)
        let (limit, offset) = (filter.arguments.count + 1, filter.arguments.count + 2)
        let page = """
            SELECT * FROM payments\(filter.condition) ORDER BY \(query.order.terms(""))
            LIMIT $\(limit)::bigint OFFSET $\(offset)::bigint
            """
        return try self.transaction.rows(
            "SELECT \(joinedColumns) FROM (\(page)) AS payments \(joinedOperations) "
                + "ORDER BY \(query.order.terms("payments.")), operations.ordinal",
            filter.arguments + [max(0, query.limit), max(0, query.offset)])?.payments() ?? []
    }

    func paymentsCount(_ query: PaymentQuery) throws -> Int {
        let filter = PaymentFilter(query)
        return try self.transaction.all(
            "SELECT COUNT(*) FROM payments\(filter.condition)", arguments: filter.arguments, table: "payments"
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
        let instrument = payment.instrument
        try self.transaction.write {
            try self.transaction.execute(
                "INSERT INTO payments (\(paymentColumns)) VALUES (\(parameters(17)))",
                payment.id.text, payment.merchantID.text, payment.mode.rawValue, payment.dialect.text,
                payment.acquirer.text, payment.orderID?.text, payment.amount.minorUnits, payment.amount.currency.code,
                instrument.maskedPAN.prefix, instrument.maskedPAN.suffix, instrument.maskedPAN.length,
                instrument.network.rawValue, instrument.expiryYearMonth, instrument.eci, instrument.displayName,
                payment.createdAt.milliseconds, payment.version)
            for (ordinal, operation) in payment.operations.enumerated() {
                try self.insert(operation, ordinal: ordinal, of: payment.id)
            }
        }
        // Nobody else sees it before the commit.
        self.transaction.locks.payments.insert(payment.id)
    }

    func update(_ change: PaymentChange, from version: Int) throws {
        let payment = change.payment
        guard payment.version > version else { throw StoreError.conflict }
        try self.transaction.write {
            try self.transaction.require(
                "UPDATE payments SET version = $1 WHERE id = $2 AND version = $3", payment.version, payment.id.text,
                version, orElse: .conflict)
            for (ordinal, operation) in payment.operations.enumerated() {
                if operation.begunInVersion > version {
                    try self.insert(operation, ordinal: ordinal, of: payment.id)
                } else if operation.mayHaveChanged(since: version) {
                    try self.update(operation, ordinal: ordinal, of: payment.id)
                }
            }
            try self.insert(change.journal, of: payment.id, version: payment.version)
        }
        if self.transaction.locks.payments.insert(payment.id).inserted { self.transaction.locks.holdsPayments = true }
    }
}

private let paymentColumns = """
    id, merchant_id, mode, dialect, acquirer, order_id, minor_units, currency, pan_prefix, pan_suffix, pan_length, \
    network, expiry_year_month, eci, display_name, created_at, version
    """

/// A payment and its operations come as rows of the two tables joined: one statement, and so of one moment. A payment
/// without operations is a row of its own, with NULL for them.
private let joinedColumns =
    paymentColumns.columns(of: "payments") + ", " + operationColumns.columns(of: "operations")

private let joinedOperations = "LEFT JOIN operations ON operations.payment_id = payments.id"

private let paymentQuery = """
    SELECT \(joinedColumns) FROM payments \(joinedOperations) WHERE payments.id = $1 ORDER BY operations.ordinal
    """

extension String {
    /// Column names with their table's.
    fileprivate func columns(of table: String) -> String {
        self.split(separator: ", ").map { "\(table).\($0)" }.joined(separator: ", ")
    }
}

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
                columns.skip(paymentColumnsCount - 1)
                operations.append(try reader.read(&columns))
                row += 1
            }
            payments.append(payment.payment(with: operations))
        }
        return payments
    }
}

private let paymentColumnsCount = paymentColumns.split(separator: ",").count

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

    fileprivate init(_ columns: inout PostgreSQLColumns) throws {
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
    /// - Parameter table: "payments." where another table has the same columns.
    fileprivate func terms(_ table: String) -> String {
        switch self {
        case .newestFirst: "\(table)created_at DESC, \(table)id DESC"
        case .oldestFirst: "\(table)created_at, \(table)id"
        case .largestFirst: "\(table)minor_units DESC, \(table)id DESC"
        case .smallestFirst: "\(table)minor_units, \(table)id"
        }
    }
}

/// The WHERE of a query: only what was asked for, so that the server can use the index that fits.
private struct PaymentFilter {
    private var terms: [String] = []
    private(set) var arguments: [(any PostgreSQLArgument)?] = []

    init(_ query: PaymentQuery) {
        if let id = query.merchantID { self.add("merchant_id =", id.text) }
        if let dialect = query.dialect { self.add("dialect =", dialect.text) }
        if let id = query.orderID { self.add("order_id =", id.text) }
        if let from = query.from { self.add("created_at >=", from.milliseconds) }
        if let to = query.to { self.add("created_at <", to.milliseconds) }
        if let currency = query.currency { self.add("currency =", currency.code) }
        if let range = query.minorUnits {
            self.add("minor_units >=", range.lowerBound)
            self.add("minor_units <=", range.upperBound)
        }
    }

    var condition: String { self.terms.isEmpty ? "" : " WHERE " + self.terms.joined(separator: " AND ") }

    private mutating func add(_ term: String, _ argument: any PostgreSQLArgument) {
        self.arguments.append(argument)
        self.terms.append("\(term) $\(self.arguments.count)")
    }
}
