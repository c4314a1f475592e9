//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments

/// How a call ended, as far as it is known: read ``Operation/state``. A dialect writes its answer from this and from
/// nothing else.
public struct OperationOutcome: Hashable, Sendable {
    /// The payment in the version in which the operation was resolved (its newest version while it is not), so that a
    /// repeated call gets the same answer for ever.
    public let payment: Payment
    public let operation: Operation
    public let order: Order?
    /// Whether this answers a repeated call.
    public let isRepeat: Bool

    public init(payment: Payment, operation: Operation, order: Order?, isRepeat: Bool) {
        self.payment = payment
        self.operation = operation
        self.order = order
        self.isRepeat = isRepeat
    }
}

/// An order, and the payment that is under way for it or has settled it.
public struct OrderOutcome: Hashable, Sendable {
    public let order: Order
    public let payment: Payment?
    public let isRepeat: Bool

    public init(order: Order, payment: Payment?, isRepeat: Bool) {
        self.order = order
        self.payment = payment
        self.isRepeat = isRepeat
    }
}

/// An order and every payment that was begun for it, oldest first.
public struct OrderHistory: Hashable, Sendable {
    public let order: Order
    public let payments: [Payment]

    public init(order: Order, payments: [Payment]) {
        self.order = order
        self.payments = payments
    }
}

/// Something to notify a merchant of.
public struct Delivery: Hashable, Sendable {
    public private(set) var event: OutboxEvent
    /// The payment in the version that the event is about.
    public let payment: Payment
    public let operation: Operation
    public let order: Order?
    /// Whether the operation had succeeded in that version, and has come to nothing since.
    public let hasFailedSince: Bool

    public init(
        event: OutboxEvent, payment: Payment, operation: Operation, order: Order?, hasFailedSince: Bool = false
    ) {
        self.event = event
        self.payment = payment
        self.operation = operation
        self.order = order
        self.hasFailedSince = hasFailedSince
    }

    /// The same on its way to another address.
    public func addressed(to target: String) -> Delivery {
        var addressed = self
        addressed.event.target = target
        return addressed
    }
}
