//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

/// Under what reports find an operation whose end is known: written together with the end, and never changed.
public struct MovementEntry: Hashable, Sendable {
    public let merchantID: MerchantID
    public let resolvedAt: Timestamp
    public let operationID: OperationID
    public let paymentID: PaymentID
    public let dialect: DialectName
    public let accountID: AcquirerAccountID
    public let kind: Operation.Kind
    public let hasSucceeded: Bool

    public init(
        merchantID: MerchantID, resolvedAt: Timestamp, operationID: OperationID, paymentID: PaymentID,
        dialect: DialectName, accountID: AcquirerAccountID, kind: Operation.Kind, hasSucceeded: Bool
    ) {
        self.merchantID = merchantID
        self.resolvedAt = resolvedAt
        self.operationID = operationID
        self.paymentID = paymentID
        self.dialect = dialect
        self.accountID = accountID
        self.kind = kind
        self.hasSucceeded = hasSucceeded
    }

    /// - Returns: `nil` for an operation whose end is not known.
    public init?(of payment: Payment, _ operation: Operation) {
        guard let resolvedAt = operation.resolvedAt else { return nil }
        self.init(
            merchantID: payment.merchantID, resolvedAt: resolvedAt, operationID: operation.id, paymentID: payment.id,
            dialect: payment.dialect, accountID: payment.accountID, kind: operation.kind,
            hasSucceeded: operation.state == .succeeded)
    }

    public var cursor: MovementQuery.Cursor {
        MovementQuery.Cursor(resolvedAt: self.resolvedAt, operationID: self.operationID)
    }
}
