//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Ledger
public import Payments
import Time

extension Gateway {
    /// The networks that one or another of the merchant's acquirers takes.
    ///
    /// - Throws: ``GatewayRefusal/acquirerNotConnected``, ``GatewayRefusal/storeUnavailable``.
    public func networks(of merchant: MerchantContext) async throws(GatewayRefusal) -> Set<CardNetwork> {
        try await self.routes(of: merchant).candidates(dialect: merchant.dialect)
            .reduce(into: []) { $0.formUnion($1.capabilities.networks) }
    }

    /// An operation of the merchant's as it stands now: for a payment or an order the one that opened it.
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
}
