//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Payments
public import Redaction
public import Time

/// A payment without its operations.
public struct PaymentRow {
    public let id: PaymentID
    public let merchantID: MerchantID
    public let mode: Mode
    public let dialect: DialectName
    public let acquirer: AcquirerName
    public let orderID: OrderID?
    public let amount: Money
    public let instrument: InstrumentSummary
    public let createdAt: Timestamp
    public let version: Int

    @inlinable public init(_ columns: inout some RowColumns) throws {
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

    /// The whole payment.
    public func payment(with operations: [Payments.Operation]) -> Payment {
        Payment(
            id: self.id, merchantID: self.merchantID, mode: self.mode, dialect: self.dialect, acquirer: self.acquirer,
            orderID: self.orderID, amount: self.amount, instrument: self.instrument, createdAt: self.createdAt,
            version: self.version, operations: operations)
    }
}

extension Payment {
    /// As ``PaymentRow`` reads them.
    public static let columnNames = """
        id, merchant_id, mode, dialect, acquirer, order_id, minor_units, currency, pan_prefix, pan_suffix, pan_length, \
        network, expiry_year_month, eci, display_name, created_at, version
        """

    public var columnValues: RowArguments {
        let (instrument, maskedPAN) = (self.instrument, self.instrument.maskedPAN)
        return [
            self.id.text, self.merchantID.text, self.mode.rawValue, self.dialect.text, self.acquirer.text,
            self.orderID?.text, self.amount.minorUnits, self.amount.currency.code, maskedPAN.prefix, maskedPAN.suffix,
            maskedPAN.length, instrument.network.rawValue, instrument.expiryYearMonth, instrument.eci,
            instrument.displayName, self.createdAt.milliseconds, self.version,
        ]
    }
}
