//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
public import Time

/// An operation whose end is known, as reports look for it: a row of its own, which is written together with the end and
/// never changes. An index of the operations instead would have every outcome change all of an operation's index
/// entries in PostgreSQL, where a change that touches none of them stays on its page.
public struct MovementRow: WrittenRecord {
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

    private let payment: Payment
    private let operation: Payments.Operation
    private let resolvedAt: Timestamp

    public init(_ payment: Payment, _ operation: Payments.Operation, resolvedAt: Timestamp) {
        self.payment = payment
        self.operation = operation
        self.resolvedAt = resolvedAt
    }

    public func value(of column: Column) -> (any RowArgument)? {
        switch column {
        case .merchantID: self.payment.merchantID.text
        case .resolvedAt: self.resolvedAt.milliseconds
        case .operationID: self.operation.id.text
        case .paymentID: self.payment.id.text
        case .dialect: self.payment.dialect.text
        case .accountID: self.payment.accountID.text
        case .kind: self.operation.kind.rawValue
        case .hasSucceeded: self.operation.state == .succeeded
        }
    }
}

/// The statements that write what a change of a payment has resolved.
public struct MovementInsert: Sendable {
    private let parameters: Parameters
    private let ofOne: String
    private let ofTwo: String

    public init(_ parameters: Parameters) {
        self.parameters = parameters
        self.ofOne = MovementRow.table.insert(parameters)
        self.ofTwo = MovementRow.table.insert(parameters, rows: 2)
    }

    /// One is the rule; a sale's approval and an acknowledged reversal resolve two.
    public func statement(count: Int) -> String {
        switch count {
        case 1: self.ofOne
        case 2: self.ofTwo
        default: MovementRow.table.insert(self.parameters, rows: count)
        }
    }

    /// The values of all rows, one row after the other.
    /// - Parameter version: the one that the store has, of which nothing is to be written again; 0 for none.
    /// - Returns: how many rows, and their values.
    public static func rows(of payment: Payment, since version: Int) -> (count: Int, values: RowArguments) {
        var (count, values) = (0, RowArguments())
        for operation in payment.operations {
            guard let resolvedAt = operation.resolvedAt, let resolvedInVersion = operation.resolvedInVersion,
                resolvedInVersion > version
            else { continue }
            values += MovementRow(payment, operation, resolvedAt: resolvedAt).columnValues
            count += 1
        }
        return (count, values)
    }
}

/// What a movement is found by, once a query has found the row.
public struct MovementPlace: Hashable, Sendable {
    public static let columns: [MovementRow.Column] = [.paymentID, .operationID, .resolvedAt]

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

    /// - Parameters:
    ///   - filter: of a query that asks for some kinds at least.
    ///   - limit: the parameter of how many.
    public static func select(_ filter: RowFilter, _ placeholder: (_ number: Int) -> String, limit: String) -> String {
        """
        SELECT \(MovementRow.table.list(Self.columns)) FROM movements\(filter.condition(placeholder)) \
        ORDER BY resolved_at, operation_id LIMIT \(limit)
        """
    }
}
