//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Ledger
public import Payments
import Time

/// A page of payments, each with its order.
public struct PaymentPage: Hashable, Sendable {
    public struct Item: Hashable, Sendable {
        public let payment: Payment
        public let order: Order?

        public init(payment: Payment, order: Order?) {
            self.payment = payment
            self.order = order
        }
    }

    /// Newest first.
    public let items: [Item]
    /// How many there are over all pages.
    public let totalCount: Int

    public init(items: [Item], totalCount: Int) {
        self.items = items
        self.totalCount = totalCount
    }
}

extension Gateway {
    /// The networks that one or another of the merchant's acquirers takes.
    ///
    /// - Throws: ``GatewayRefusal/acquirerNotConnected``, ``GatewayRefusal/storeUnavailable``.
    public func networks(of merchant: MerchantContext) async throws(GatewayRefusal) -> Set<CardNetwork> {
        try await self.routes(of: merchant).candidates(dialect: merchant.dialect)
            .reduce(into: []) { $0.formUnion($1.capabilities.networks) }
    }

    /// An operation of the merchant's as it stands now: for a payment or an order its authorization.
    public func operation(
        _ selector: PaymentSelector, merchant: MerchantContext
    ) async throws(GatewayRefusal) -> OperationOutcome {
        try await self.reading { reader in
            let payment = try Gateway.payment(
                selector, of: merchant.merchant.id, dialect: merchant.dialect, in: reader
            ).asKnown
            let operation = try Gateway.operation(selector, of: payment, dialect: merchant.dialect, in: reader)
            return OperationOutcome(
                payment: payment, operation: operation, order: try payment.orderID.flatMap { try reader.order($0) },
                isRepeat: false)
        }
    }

    /// The merchant's payments that fit, and how many there are in all. The query's merchant is set here.
    ///
    /// Counting goes through all that fit, for answers that must say it; ``paymentItems(_:merchant:)`` does not.
    public func payments(
        _ query: PaymentQuery, merchant: MerchantContext
    ) async throws(GatewayRefusal) -> PaymentPage {
        var own = query
        own.merchantID = merchant.merchant.id
        let restricted = own
        return try await self.reading { reader in
            PaymentPage(
                items: try Gateway.items(restricted, in: reader), totalCount: try reader.paymentsCount(restricted))
        }
    }

    /// The merchant's payments that fit. The query's merchant is set here.
    public func paymentItems(
        _ query: PaymentQuery, merchant: MerchantContext
    ) async throws(GatewayRefusal) -> [PaymentPage.Item] {
        var own = query
        own.merchantID = merchant.merchant.id
        let restricted = own
        return try await self.reading { try Gateway.items(restricted, in: $0) }
    }

    /// What is booked of one of the merchant's payments.
    ///
    /// - Throws: ``GatewayRefusal/paymentNotFound``, ``GatewayRefusal/storeUnavailable``.
    public func journal(
        of payment: PaymentID, merchant: MerchantContext
    ) async throws(GatewayRefusal) -> [JournalEntry] {
        try await self.reading { reader in
            let found = try Gateway.payment(
                .payment(payment), of: merchant.merchant.id, dialect: merchant.dialect, in: reader)
            return try reader.journal(of: found.id)
        }
    }

    private static func items(_ query: PaymentQuery, in reader: any StoreReader) throws -> [PaymentPage.Item] {
        let payments = try reader.payments(query)
        let orders = try reader.orders(of: payments)
        return payments.map { payment in
            PaymentPage.Item(payment: payment.asKnown, order: payment.orderID.flatMap { orders[$0] })
        }
    }
}
