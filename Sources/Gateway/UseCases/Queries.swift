//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

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
    /// What the merchant's acquirer takes.
    ///
    /// - Throws: ``GatewayRefusal/acquirerNotConnected``.
    public func acquirerCapabilities(of merchant: MerchantContext) throws(GatewayRefusal) -> AcquirerCapabilities {
        guard let acquirer = self.acquirers[merchant.merchant.acquirer] else { throw .acquirerNotConnected }
        return acquirer.capabilities
    }

    /// An operation of the merchant's as it stands now: for a payment or an order its authorization.
    public func operation(
        _ selector: PaymentSelector, merchant: MerchantContext
    ) async throws(GatewayRefusal) -> OperationOutcome {
        try await self.reading { reader in
            let payment = try Gateway.payment(
                selector, of: merchant.merchant.id, dialect: merchant.dialect, in: reader)
            let operation = try Gateway.operation(selector, of: payment, dialect: merchant.dialect, in: reader)
            return OperationOutcome(
                payment: payment, operation: operation, order: try payment.orderID.flatMap { try reader.order($0) },
                isRepeat: false)
        }
    }

    /// The merchant's payments that fit. The query's merchant is set here.
    public func payments(
        _ query: PaymentQuery, merchant: MerchantContext
    ) async throws(GatewayRefusal) -> PaymentPage {
        var own = query
        own.merchantID = merchant.merchant.id
        let restricted = own
        return try await self.reading { reader in
            let items = try reader.payments(restricted).map { payment in
                PaymentPage.Item(payment: payment, order: try payment.orderID.flatMap { try reader.order($0) })
            }
            return PaymentPage(items: items, totalCount: try reader.paymentsCount(restricted))
        }
    }
}
