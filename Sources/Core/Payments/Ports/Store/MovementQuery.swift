//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

/// An operation whose end is known, and its payment.
public struct Movement: Hashable, Sendable {
    public let payment: Payment
    public let operation: Operation
    public let resolvedAt: Timestamp

    /// - Returns: `nil` where the payment has no such operation, or its end is not known.
    public init?(of payment: Payment, operation id: OperationID) {
        guard let operation = payment.operation(id), let resolvedAt = operation.resolvedAt else { return nil }
        self.payment = payment
        self.operation = operation
        self.resolvedAt = resolvedAt
    }

    public var cursor: MovementQuery.Cursor {
        MovementQuery.Cursor(resolvedAt: self.resolvedAt, operationID: self.operation.id)
    }
}

/// Which movements: by the moment at which the operations were resolved, earliest first, and by the operations' ids where
/// that is the same.
///
/// A store walks what was resolved in the window, of the merchant or of all, from ``after`` on; dialect, account and kinds
/// are asked of what the walk comes by. What was resolved outside of the window, or is another merchant's, costs nothing.
///
/// An operation is resolved at a moment and committed a little later. Pages neither skip nor repeat what was committed
/// before the first; a window that is to be complete must have been over for as long as a commit may take.
public struct MovementQuery: Hashable, Sendable {
    public var merchantID: MerchantID?
    public var dialect: DialectName?
    /// One of the merchant's.
    public var accountID: AcquirerAccountID?
    public var kinds: Set<Operation.Kind>
    /// Whether operations that failed are wanted beside those that succeeded.
    public var includesFailed: Bool
    /// Resolved at or after.
    public var from: Timestamp?
    /// Resolved before.
    public var to: Timestamp?
    /// Only what comes after that place.
    public var after: Cursor?
    public var limit: Int

    /// A movement's place.
    public struct Cursor: Hashable, Sendable {
        public let resolvedAt: Timestamp
        public let operationID: OperationID

        public init(resolvedAt: Timestamp, operationID: OperationID) {
            self.resolvedAt = resolvedAt
            self.operationID = operationID
        }
    }

    public init(
        merchantID: MerchantID? = nil, dialect: DialectName? = nil, accountID: AcquirerAccountID? = nil,
        kinds: Set<Operation.Kind> = Set(Operation.Kind.allCases), includesFailed: Bool = false,
        from: Timestamp? = nil, to: Timestamp? = nil, after: Cursor? = nil, limit: Int = 100
    ) {
        self.merchantID = merchantID
        self.dialect = dialect
        self.accountID = accountID
        self.kinds = kinds
        self.includesFailed = includesFailed
        self.from = from
        self.to = to
        self.after = after
        self.limit = limit
    }
}
