//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
public import Time

/// A row of its own: an index of the operations instead would have every outcome change all of an operation's index
/// entries in PostgreSQL, where a change that touches none of them stays on its page.
extension MovementEntry: StoredRecord {
    public enum Column: String, ColumnName {
        case merchantID = "merchant_id"
        case resolvedAt = "resolved_at"
        case operationID = "operation_id"
        case paymentID = "payment_id"
        case dialect
        case accountID = "account_id"
        case kind
        case hasSucceeded = "has_succeeded"
    }

    public static let table = RecordTable<Column>("movements", key: .merchantID, .resolvedAt, .operationID)

    public func value(of column: Column) -> RowValue {
        switch column {
        case .merchantID: self.merchantID.text
        case .resolvedAt: self.resolvedAt.milliseconds
        case .operationID: self.operationID.text
        case .paymentID: self.paymentID.text
        case .dialect: self.dialect.text
        case .accountID: self.accountID.text
        case .kind: self.kind.rawValue
        case .hasSucceeded: self.hasSucceeded
        }
    }

    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.init(
            merchantID: try columns.id(), resolvedAt: try columns.timestamp(), operationID: try columns.id(),
            paymentID: try columns.id(), dialect: DialectName(try columns.name()), accountID: try columns.id(),
            kind: try columns.choice(), hasSucceeded: try columns.flag())
    }
}

extension MovementEntry {
    /// Which are lost money, in SQL that both engines take: the condition of an index.
    public static let isLostCondition = "kind IN ('chargeback', 'lateFailure')"

    /// The kinds of which that is so.
    static let lostKinds: Set<PaymentOperation.Kind> = [.chargeback, .lateFailure]

    /// One is the rule; a sale's approval and an acknowledged reversal resolve two.
    public static func inserts<Statement>(
        _ parameters: Parameters, _ make: @escaping @Sendable (String) -> Statement
    ) -> RowsStatement<Statement> {
        RowsStatement(usually: [1, 2]) { make(self.table.insert(parameters, rows: $0)) }
    }

    /// The values of all rows that a change of a payment adds, one row after the other.
    /// - Parameter version: the one that the store has, of which nothing is to be written again; 0 for none.
    /// - Returns: how many rows, and their values.
    public static func rows(of payment: Payment, since version: Int) -> (count: Int, values: RowArguments) {
        var (count, values) = (0, RowArguments())
        // An operation is large: only one that is written is copied.
        for index in payment.operations.indices {
            guard let resolvedInVersion = payment.operations[index].resolvedInVersion, resolvedInVersion > version,
                let entry = MovementEntry(of: payment, payment.operations[index])
            else { continue }
            values += entry.columnValues
            count += 1
        }
        return (count, values)
    }
}

/// What a movement is found by, once a query has found the row.
public struct MovementPlace: Hashable, Sendable {
    public static let columns: [MovementEntry.Column] = [.paymentID, .operationID, .resolvedAt]

    public let paymentID: PaymentID
    @usableFromInline let operationID: OperationID
    @usableFromInline let resolvedAt: Timestamp

    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.paymentID = try columns.id()
        self.operationID = try columns.id()
        self.resolvedAt = try columns.timestamp()
    }

    /// - Throws: ``StoreError/corrupt(_:)`` where the payment knows otherwise.
    public func movement(of payment: Payment?) throws -> Movement {
        guard let movement = payment.flatMap({ Movement(of: $0, operation: self.operationID) }),
            movement.resolvedAt == self.resolvedAt
        else { throw StoreError.corrupt("movements.operation_id") }
        return movement
    }
}

extension MovementNames {
    static let columns = """
        movements.payment_id, movements.operation_id, movements.resolved_at, opening.id, \
        named.acquirer_reference, opening.acquirer_reference, \
        named.network_reference, named.merchant_reference, orders.reference
        """

    @inlinable public init(_ columns: inout some RowColumns) throws {
        let paymentID: PaymentID = try columns.id()
        let (operationID, resolvedAt): (OperationID, Timestamp) = (try columns.id(), try columns.timestamp())
        let openingID: OperationID? = try columns.optionalID()
        let acquirerReferences = [try columns.optionalText(), try columns.optionalText()]
        let otherReferences = [
            try columns.optionalText(), try columns.optionalText(), try columns.optionalText(),
        ]
        self.init(
            paymentID: paymentID, operationID: operationID, resolvedAt: resolvedAt, openingID: openingID,
            acquirerReferences: acquirerReferences.compactMap(\.self),
            otherReferences: otherReferences.compactMap(\.self))
    }
}
