//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Time

/// A payment: an authorization and what followed it. Its state is never stored; it follows from its operations.
public struct Payment: Hashable, Sendable, Identifiable {
    public let id: PaymentID
    public let merchantID: MerchantID
    public let mode: Mode
    public let dialect: DialectName
    public let acquirer: AcquirerName
    /// The order that it pays, where the dialect has orders.
    public let orderID: OrderID?
    /// What the customer was asked for.
    public let amount: Money
    public let instrument: InstrumentSummary
    public let createdAt: Timestamp
    /// Counts the changes, from 1. A store refuses to write a version over another.
    public internal(set) var version: Int
    /// In the order begun; the first is the authorization.
    public internal(set) var operations: [Operation]

    /// A payment as a store read it back.
    public init(
        id: PaymentID, merchantID: MerchantID, mode: Mode, dialect: DialectName, acquirer: AcquirerName,
        orderID: OrderID?,
        amount: Money, instrument: InstrumentSummary, createdAt: Timestamp, version: Int, operations: [Operation]
    ) {
        self.id = id
        self.merchantID = merchantID
        self.mode = mode
        self.dialect = dialect
        self.acquirer = acquirer
        self.orderID = orderID
        self.amount = amount
        self.instrument = instrument
        self.createdAt = createdAt
        self.version = version
        self.operations = operations
    }

    public func operation(_ id: OperationID) -> Operation? {
        self.operations.first { $0.id == id }
    }

    /// The authorization. Every payment has one, and it comes first.
    public var authorization: Operation? {
        self.operations.first { $0.kind == .authorization }
    }

    /// The payment as it was in a version: later operations are gone, later outcomes are still pending.
    ///
    /// This is what makes an idempotent answer the same for ever without storing it: an answer is a function of the
    /// payment in the version in which its operation was resolved. An operation whose outcome is unknown counts as
    /// pending here, also now: in which version it became unknown is not kept.
    public func asOf(version: Int) -> Payment {
        var earlier = self
        earlier.version = min(version, self.version)
        earlier.operations = self.operations.compactMap { operation in
            guard operation.begunInVersion <= version else { return nil }
            if let resolvedInVersion = operation.resolvedInVersion, resolvedInVersion <= version { return operation }
            var unresolved = operation
            unresolved.state = .pending
            unresolved.approvedAmount = nil
            unresolved.answer = AcquirerAnswer()
            unresolved.resolvedAt = nil
            unresolved.resolvedInVersion = nil
            return unresolved
        }
        return earlier
    }
}

// MARK: - Sums

extension Payment {
    public var authorizedAmount: Money { self.sum(of: .authorization) { $0.state == .succeeded } }

    public var capturedAmount: Money { self.sum(of: .capture) { $0.state == .succeeded } }

    public var refundedAmount: Money { self.sum(of: .refund) { $0.state == .succeeded } }

    /// Captured, or perhaps captured: what a further capture must leave room for.
    var captureReserve: Money { self.sum(of: .capture, where: \.mayHaveHappened) }

    /// Refunded, or perhaps refunded.
    var refundReserve: Money { self.sum(of: .refund, where: \.mayHaveHappened) }

    /// What may still be captured.
    public var capturableAmount: Money {
        guard !self.isVoided, !self.hasFinalCapture, self.authorization?.state == .succeeded else {
            return .zero(self.amount.currency)
        }
        return self.authorizedAmount - self.captureReserve
    }

    /// What may still be refunded.
    public var refundableAmount: Money { self.capturedAmount - self.refundReserve }

    var isVoided: Bool { self.operations.contains { $0.kind == .void && $0.state == .succeeded } }

    var hasFinalCapture: Bool { self.operations.contains { $0.isFinalCapture && $0.mayHaveHappened } }

    private func sum(of kind: Operation.Kind, where isCounted: (Operation) -> Bool) -> Money {
        self.operations.reduce(.zero(self.amount.currency)) { sum, operation in
            operation.kind == kind && isCounted(operation) ? sum + (operation.approvedAmount ?? operation.amount) : sum
        }
    }
}

extension Operation {
    /// Not known to have failed.
    var mayHaveHappened: Bool {
        switch self.state {
        case .pending, .unknown, .succeeded: true
        case .failed: false
        }
    }
}
