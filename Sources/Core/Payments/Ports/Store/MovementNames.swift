//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

/// What others call a movement and its payment, without the rest of them: a walk over many reads no more than this.
public struct MovementNames: Hashable, Sendable {
    public let paymentID: PaymentID
    public let operationID: OperationID
    public let resolvedAt: Timestamp
    /// The operation with which the payment was opened.
    public let openingID: OperationID?
    /// What the acquirer calls the operation, and the one with which the payment was opened.
    public let acquirerReferences: [String]
    /// What the network and the merchant call the operation, and the merchant the payment's order.
    public let otherReferences: [String]

    public init(
        paymentID: PaymentID, operationID: OperationID, resolvedAt: Timestamp, openingID: OperationID?,
        acquirerReferences: [String], otherReferences: [String]
    ) {
        self.paymentID = paymentID
        self.operationID = operationID
        self.resolvedAt = resolvedAt
        self.openingID = openingID
        self.acquirerReferences = acquirerReferences
        self.otherReferences = otherReferences
    }

    /// - Parameter order: the payment's.
    public init(of movement: Movement, _ order: Order?) {
        let (payment, operation) = (movement.payment, movement.operation)
        self.init(
            paymentID: payment.id, operationID: operation.id, resolvedAt: movement.resolvedAt,
            openingID: payment.opening?.id,
            acquirerReferences: [operation.answer.reference, payment.opening?.answer.reference].compactMap(\.self),
            otherReferences: [operation.answer.networkReference, operation.labels.reference, order?.reference]
                .compactMap(\.self))
    }

    public var cursor: MovementQuery.Cursor {
        MovementQuery.Cursor(resolvedAt: self.resolvedAt, operationID: self.operationID)
    }
}

/// The payments that a name leads to.
public struct NamedPayments: Hashable, Sendable {
    public var ids: Set<PaymentID>
    /// Whether there may be more, since the look-up went no further.
    public var isCut: Bool

    public init(ids: Set<PaymentID> = [], isCut: Bool = false) {
        self.ids = ids
        self.isCut = isCut
    }
}
