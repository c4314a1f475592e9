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
    public let accountID: AcquirerAccountID
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
        self.accountID = try columns.id()
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
            accountID: self.accountID, orderID: self.orderID, amount: self.amount, instrument: self.instrument,
            createdAt: self.createdAt, version: self.version, operations: operations)
    }
}

/// Without its operations, which are rows of another table; ``PaymentRow`` reads it.
extension Payment: WrittenRecord {
    public enum Column: String, ColumnName {
        case id
        case merchantID = "merchant_id"
        case mode, dialect, acquirer
        case accountID = "account_id"
        case orderID = "order_id"
        case minorUnits = "minor_units"
        case currency
        case panPrefix = "pan_prefix"
        case panSuffix = "pan_suffix"
        case panLength = "pan_length"
        case network
        case expiryYearMonth = "expiry_year_month"
        case eci
        case displayName = "display_name"
        case createdAt = "created_at"
        case version
    }

    public static let table = RecordTable<Column>("payments", key: .id)

    public func value(of column: Column) -> (any RowArgument)? {
        switch column {
        case .id: self.id.text
        case .merchantID: self.merchantID.text
        case .mode: self.mode.rawValue
        case .dialect: self.dialect.text
        case .acquirer: self.acquirer.text
        case .accountID: self.accountID.text
        case .orderID: self.orderID?.text
        case .minorUnits: self.amount.minorUnits
        case .currency: self.amount.currency.code
        case .panPrefix: self.instrument.maskedPAN.prefix
        case .panSuffix: self.instrument.maskedPAN.suffix
        case .panLength: self.instrument.maskedPAN.length
        case .network: self.instrument.network.rawValue
        case .expiryYearMonth: self.instrument.expiryYearMonth
        case .eci: self.instrument.eci
        case .displayName: self.instrument.displayName
        case .createdAt: self.createdAt.milliseconds
        case .version: self.version
        }
    }
}

extension PaymentChange {
    /// Whether the change may be of the payment's account: its only operation is pending still, which no other change
    /// leaves behind. All others leave everything of the payment's own row but its version as it was.
    public var isReroute: Bool {
        self.payment.operations.count == 1 && self.payment.opening?.state == .pending
    }
}
