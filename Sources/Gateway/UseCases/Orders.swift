//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
public import Payments
import Time

/// The most attempts at one order that are shown.
private let paymentsPerOrderMax = 1000

extension Gateway {
    /// Makes an order. The same key and contents give the same order, whether the merchant identifier is written out or
    /// left out.
    public func createOrder(_ command: CreateOrderCommand) async throws(GatewayRefusal) -> OrderOutcome {
        let merchant = command.context.merchant
        let orderID: OrderID = self.makeID()
        let now = self.clock()
        guard command.amount.isPositive else { throw .payment(.amountNotPositive) }
        return try await self.writing { transaction in
            if let key = Gateway.key(of: command.context), let claim = try transaction.claim(key) {
                guard claim.digest == command.context.idempotency?.digest, case .order(let id) = claim.subject,
                    let order = try transaction.order(id), command.fits(order)
                else { throw GatewayRefusal.idempotencyConflict }
                return OrderOutcome(
                    order: order, payment: try order.paymentID.flatMap { try transaction.payment($0) }, isRepeat: true)
            }
            let identifier = try Gateway.merchantIdentifier(
                command.merchantIdentifier, of: merchant.merchant.id, in: transaction)
            let holder = try transaction.order(
                of: merchant.merchant.id, dialect: merchant.dialect, reference: command.reference)
            guard holder == nil else { throw GatewayRefusal.referenceTaken(kind: "order reference") }
            let order = Order(
                id: orderID, merchantID: merchant.merchant.id, dialect: merchant.dialect, reference: command.reference,
                amount: command.amount, summary: command.summary, notifyURL: command.notifyURL,
                merchantIdentifier: identifier, createdAt: now, expiresAt: now.adding(seconds: command.lifetimeSeconds))
            try transaction.insert(order)
            try Gateway.record(command.context, [], .order(orderID), at: now, in: transaction)
            return OrderOutcome(order: order, payment: nil, isRepeat: false)
        }
    }

    /// Cancels an order that is not paid. Canceling it again changes nothing.
    public func cancelOrder(_ id: OrderID, context: CallContext) async throws(GatewayRefusal) -> OrderOutcome {
        let merchant = context.merchant
        let now = self.clock()
        return try await self.writing { transaction in
            var order = try Gateway.order(
                id, of: merchant.merchant.id, dialect: merchant.dialect, in: transaction)
            let payment = try order.paymentID.flatMap { try transaction.payment($0) }
            if order.canceledAt != nil { return OrderOutcome(order: order, payment: payment, isRepeat: true) }
            if let payment { try Gateway.checkFailed(payment) }
            order.canceledAt = now
            try transaction.update(order)
            return OrderOutcome(order: order, payment: payment, isRepeat: false)
        }
    }

    /// An order of the merchant's and its newest payment, as it is known by now.
    public func order(_ id: OrderID, merchant: MerchantContext) async throws(GatewayRefusal) -> OrderOutcome {
        try await self.reading { reader in
            try Gateway.known(
                try Gateway.order(id, of: merchant.merchant.id, dialect: merchant.dialect, in: reader), in: reader)
        }
    }

    /// The same by the merchant's own name for the order.
    public func order(named name: String, merchant: MerchantContext) async throws(GatewayRefusal) -> OrderOutcome {
        try await self.reading { reader in
            try Gateway.known(
                try Gateway.order(named: name, of: merchant.merchant.id, dialect: merchant.dialect, in: reader),
                in: reader)
        }
    }

    private static func known(_ order: Order, in reader: any StoreReader) throws -> OrderOutcome {
        let payment = try order.paymentID.flatMap { try reader.payment($0)?.asKnown }
        return OrderOutcome(order: order, payment: payment, isRepeat: false)
    }

    /// An order by the merchant's own name for it, with all that was tried.
    public func orderHistory(
        named name: String, merchant: MerchantContext
    ) async throws(GatewayRefusal) -> OrderHistory {
        try await self.reading { reader in
            let order = try Gateway.order(
                named: name, of: merchant.merchant.id, dialect: merchant.dialect, in: reader)
            let query = PaymentQuery(merchantID: merchant.merchant.id, orderID: order.id, limit: paymentsPerOrderMax)
            return OrderHistory(order: order, payments: try reader.payments(query).reversed().map(\.asKnown))
        }
    }

    /// The order that a payment is for, if it may be paid now; `nil` where there is none, or nobody has used its name yet.
    static func payableOrder(
        of command: AuthorizeCommand, at now: Timestamp, in reader: any StoreReader
    ) throws -> PayableOrder? {
        let merchant = command.context.merchant
        switch command.order {
        case nil: return nil
        case .placed(let id):
            let order = try self.order(id, of: merchant.merchant.id, dialect: merchant.dialect, in: reader)
            let payable = try self.checkOpen(order, command.reauthorization, in: reader)
            guard order.expiresAt > now else { throw GatewayRefusal.orderExpired }
            return payable
        case .named(let name):
            let order = try reader.order(of: merchant.merchant.id, dialect: merchant.dialect, reference: name)
            return try order.map { try self.checkOpen($0, command.reauthorization, in: reader) }
        }
    }

    private static func checkOpen(
        _ order: Order, _ reauthorization: Reauthorization, in reader: any StoreReader
    ) throws -> PayableOrder {
        if order.canceledAt != nil { throw GatewayRefusal.orderCanceled }
        guard let payment = try order.paymentID.flatMap({ try reader.payment($0) }) else {
            return PayableOrder(order: order)
        }
        if reauthorization.replaces(payment) { return PayableOrder(order: order, replaced: payment.id) }
        try self.checkFailed(payment, orVoided: reauthorization.followsVoids)
        return PayableOrder(order: order)
    }

    /// An order has room for another payment, or can be canceled, only when its newest payment is known to have failed or
    /// has moved no money.
    ///
    /// - Parameter isEnough: whether one that was voided leaves room, too.
    private static func checkFailed(_ payment: Payment, orVoided isEnough: Bool = false) throws(GatewayRefusal) {
        switch payment.state {
        case .declined, .notProcessed, .reversed, .verified:
            // What was under way when an authorization came to nothing late may take the money all the same.
            guard payment.captureReserve.isPositive else { return }
            throw payment.capturedAmount.isPositive ? .orderPaid : .orderInProcess
        case .authorizing, .authorizationUnknown: throw .orderInProcess
        case .voided where isEnough && !payment.captureReserve.isPositive: return
        // It may be gone in a moment.
        case .authorized where isEnough && payment.isBeingVoided: throw .payment(.voidPending)
        case .authorized, .voided, .partiallyCaptured, .captured, .partiallyRefunded, .refunded: throw .orderPaid
        }
    }

    private static func merchantIdentifier(
        _ asked: String?, of merchantID: MerchantID, in reader: any StoreReader
    ) throws -> String {
        let identifiers = try reader.appleCredentials(of: merchantID)
            .filter { $0.purpose == .paymentProcessing && $0.isInUse }.map(\.merchantIdentifier)
        guard let newest = identifiers.last else { throw GatewayRefusal.merchantNotReady }
        guard let asked else { return newest }
        guard identifiers.contains(asked) else { throw GatewayRefusal.merchantIdentifierUnknown }
        return asked
    }
}

extension CreateOrderCommand {
    /// Whether it asks for the order's merchant identifier: the one that an identifier which is left out stood for.
    fileprivate func fits(_ order: Order) -> Bool {
        self.merchantIdentifier == nil || self.merchantIdentifier == order.merchantIdentifier
    }
}

extension Payment {
    /// Whether a void of the authorization is under way.
    fileprivate var isBeingVoided: Bool {
        self.operations.contains { $0.kind == .void && $0.target == nil && !$0.state.isResolved }
    }
}
