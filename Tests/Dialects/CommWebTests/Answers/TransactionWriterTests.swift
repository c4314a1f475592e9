//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import Redaction
import StrictJSON
import TestGateway
import Testing
import Time

@testable import CommWeb

/// Many transactions of one payment.
@Suite struct TransactionWriterTests {
    private let writer: TransactionWriter
    private let merchant: MerchantContext
    private let now: Timestamp
    private let dollar: Money

    init() async throws {
        let shop = try await CommWebShop.open()
        self.merchant = try #require(
            try await shop.test.gateway.account(dialect: CommWeb.dialectName, key: CommWebShop.merchantID))
        self.writer = TransactionWriter(merchant: self.merchant, version: APIVersion(number: 71))
        self.now = shop.test.clock.now
        self.dollar = Money(minorUnits: 1_00, currency: try #require(Currency.alphabetic("USD")))
    }

    private func id<Tag>(_ number: Int) -> Identifier<Tag> {
        Identifier(at: self.now.adding(milliseconds: Int64(number)), random: [1])
    }

    /// An authorization, and then again and again a capture, a refund of it, and a void of the refund.
    private func payment(_ roundsCount: Int) throws -> Payment {
        var operations: [PaymentOperation] = []
        func append(_ kind: PaymentOperation.Kind, _ amount: Money, target: OperationID? = nil) -> OperationID {
            let number = operations.count + 1
            operations.append(
                PaymentOperation(
                    id: self.id(number), kind: kind, amount: amount, target: target,
                    labels: OperationLabels(fields: [TransactionLabel.transactionID: "t\(number)"]),
                    begunAt: self.now, begunInVersion: number, state: .succeeded, approvedAmount: amount,
                    resolvedAt: self.now, resolvedInVersion: number))
            return operations[number - 1].id
        }
        let total = Money(minorUnits: self.dollar.minorUnits * Int64(roundsCount), currency: self.dollar.currency)
        _ = append(.authorization, total)
        for _ in 0..<roundsCount {
            let capture = append(.capture, self.dollar)
            let refund = append(.refund, self.dollar, target: capture)
            _ = append(.void, self.dollar, target: refund)
        }
        return Payment(
            id: self.id(0), merchantID: self.merchant.merchant.id, mode: .sandbox, dialect: CommWeb.dialectName,
            acquirer: AcquirerName("mpgs"), accountID: self.id(0), orderID: nil, amount: total,
            instrument: InstrumentSummary(
                maskedPAN: MaskedPAN(prefix: "520424", suffix: "5679", length: 16), network: .mastercard,
                expiryYearMonth: "3109", eci: nil, displayName: nil),
            createdAt: self.now, version: operations.count, operations: operations)
    }

    /// RETRIEVE_ORDER and RETRIEVE_TRANSACTION.
    @Test func showsEachOfManyAsItShowsOne() throws {
        let payment = try self.payment(3)
        let order = self.writer.order("o1", of: nil, payment)
        let all = self.writer.transactions(of: payment, order: order)
        let each = payment.operations.enumerated().map { index, operation in
            self.writer.transaction("t\(index + 1)", operation, of: payment, order: order, number: nil)
        }
        #expect(all.map(\.json) == each.map(\.json) && all.count == 10)
        let targets = all.map { $0["transaction.targetTransactionId"]?.string }
        #expect(targets.prefix(7) == [nil, nil, "t2", "t3", nil, "t5", "t6"])
        let types = all.prefix(4).map { $0["transaction.type"]?.string }
        #expect(types == ["AUTHORIZATION", "CAPTURE", "REFUND", "VOID_REFUND"])
    }
}
