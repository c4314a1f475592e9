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
    public let state: PaymentState

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
            eci: try columns.optionalText(), displayName: try columns.optionalText(),
            proof: try columns.optionalText().map { text in
                guard let proof = TokenProof(text: text) else { throw columns.corrupt("token_proof") }
                return proof
            })
        self.createdAt = try columns.timestamp()
        self.version = try columns.count()
        guard self.version >= 1 else { throw columns.corrupt }
        self.state = try columns.choice()
    }

    /// The whole payment.
    /// - Throws: ``StoreError/corrupt(_:)`` where the operations say that it is in another state.
    public func payment(with operations: [PaymentOperation]) throws -> Payment {
        let payment = Payment(
            id: self.id, merchantID: self.merchantID, mode: self.mode, dialect: self.dialect, acquirer: self.acquirer,
            accountID: self.accountID, orderID: self.orderID, amount: self.amount, instrument: self.instrument,
            createdAt: self.createdAt, version: self.version, operations: operations)
        guard payment.state == self.state else { throw StoreError.corrupt("payments.state") }
        return payment
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
        case tokenProof = "token_proof"
        case createdAt = "created_at"
        case version
        /// What follows from the operations, for searches. Compared with them whenever a payment is read.
        case state
    }

    public static let table = RecordTable<Column>("payments", key: .id)

    public func value(of column: Column) -> RowValue {
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
        case .tokenProof: self.instrument.proof?.text
        case .createdAt: self.createdAt.milliseconds
        case .version: self.version
        case .state: self.state.rawValue
        }
    }
}

extension Payment {
    /// Of which state there are so many that an index of them would lead to nothing; the others have one.
    static let ordinaryState = PaymentState.captured

    /// The index of the states, in SQL that both engines take: part of a step of their schemas, and like it never changed
    /// once released. A sale is in it only for as long as its acquirer is asked.
    public static let stateIndex = """
        CREATE INDEX payments_by_state ON payments (state, created_at, id) WHERE state <> '\(ordinaryState.rawValue)';
        """

    /// The last four characters of what a wallet calls the card, in SQL that both engines take: part of an index, which an
    /// engine takes only for the same words. Of less than four characters engines take more or less, but never four.
    static let shownSuffix = "substr(display_name, length(display_name) - 3)"

    /// What people look payments up by: the last digits of the card, and what their operations are called. What they are
    /// sorted by other than time is a merchant's amounts; over all merchants an order by amount has no index, and sorts
    /// what the other conditions leave.
    public static let searchIndexes = """
        CREATE INDEX payments_by_suffix ON payments (pan_suffix, created_at, id);
        CREATE INDEX payments_by_amount ON payments (merchant_id, minor_units, id);
        """
    public static let operationSearchIndexes = """
        CREATE INDEX operations_by_merchant_reference ON operations (merchant_reference)
            WHERE merchant_reference IS NOT NULL;
        CREATE INDEX operations_by_acquirer_reference ON operations (acquirer_reference)
            WHERE acquirer_reference IS NOT NULL;
        CREATE INDEX operations_by_authorization_code ON operations (authorization_code)
            WHERE authorization_code IS NOT NULL;
        """
}

extension Payment {
    /// What every change of a payment changes in its own row, if that is of a version.
    public static let advance = Self.table.change(of: [.version, .state], by: [.id, .version])
}

extension PaymentChange {
    /// What a change of the payment's account changes besides.
    public static func reroute(_ parameters: Parameters) -> String {
        """
        UPDATE payments
        SET version = \(parameters(1)), state = \(parameters(2)), acquirer = \(parameters(5)), account_id = \(parameters(6))
        WHERE id = \(parameters(3)) AND version = \(parameters(4))
        """
    }

    /// The values for ``Payment/advance``, or for ``reroute(_:)`` if it is one.
    public func values(from version: Int) -> RowArguments {
        let payment = self.payment
        var values: [RowValue] = [
            .integer(Int64(payment.version)), .text(payment.state.rawValue), .text(payment.id.text),
            .integer(Int64(version)),
        ]
        if self.isReroute { values += [.text(payment.acquirer.text), .text(payment.accountID.text)] }
        return RowArguments(values: values)
    }

    /// Which operations are written for it, and which of them are not in the store yet.
    public func operationWrites(since version: Int) -> [(ordinal: Int, isNew: Bool)] {
        // An operation is large: those that are as they were are not copied.
        let operations = self.payment.operations
        return operations.indices.compactMap { ordinal in
            if operations[ordinal].begunInVersion > version { return (ordinal, true) }
            return operations[ordinal].mayHaveChanged(since: version) ? (ordinal, false) : nil
        }
    }

    /// Whether the change may be of the payment's account: its only operation is pending still, which no other change
    /// leaves behind. All others leave everything of the payment's own row but its version and state as it was.
    public var isReroute: Bool {
        self.payment.operations.count == 1 && self.payment.opening?.state == .pending
    }
}
