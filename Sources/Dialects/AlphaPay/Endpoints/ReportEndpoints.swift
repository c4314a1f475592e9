//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import StrictJSON
import Time

/// A movement of money: a capture or a refund that has succeeded.
struct MoneyMovement: Hashable, Sendable {
    let amount: Money
    let movedAt: Timestamp
    let operation: Operation
    let payment: Payment
    let order: Order?

    init(_ item: MovementItem) {
        self.operation = item.movement.operation
        self.amount = self.operation.movedAmount
        self.movedAt = item.movement.resolvedAt
        self.payment = item.movement.payment
        self.order = item.order
    }

    var isRefund: Bool { self.operation.kind == .refund }
}

extension AlphaPay {
    func transactions(_ request: TransactionsRequest, _ merchant: MerchantContext) async throws(AlphaPayResult) -> JSON
    {
        let page = try await self.sum(
            of: request.kinds, on: request.day, merchant,
            from: CountedPage<Movement>(offset: (request.page - 1) * request.pageLimit, limit: request.pageLimit)
        ) { $0.add($1) }
        let items: [MovementItem]
        do throws(GatewayRefusal) {
            items = try await self.gateway.items(of: page.elements)
        } catch {
            throw AlphaPayResult(refusal: error)
        }
        return [
            "transactions": .array(items.map { Self.transaction(MoneyMovement($0)) }),
            "pagination": [
                "page": JSON(request.page), "pageLimit": JSON(request.pageLimit), "totalPage": JSON(page.pagesCount),
                "total": JSON(page.totalCount),
            ],
            "result": AlphaPayResult.success.json,
        ]
    }

    func settlements(_ request: SettlementsRequest, _ merchant: MerchantContext) async throws(AlphaPayResult) -> JSON {
        let sums = try await self.sum(
            of: [.capture, .refund], on: request.day, merchant, from: [Currency: SettlementSums]()
        ) { sums, movement in
            let currency = movement.operation.movedAmount.currency
            sums[currency, default: SettlementSums(currency)].add(movement.operation)
        }
        let settlements = sums.sorted { $0.key.code < $1.key.code }.map { currency, sums in
            sums.json(number: "\(merchant.accountKey)-\(request.day.text)-\(currency.code)")
        }
        return ["settlements": .array(settlements), "result": AlphaPayResult.success.json]
    }

    /// Adds up the movements of a day, oldest first. The end is not after now, so that a day that is not over ends.
    private func sum<Sum: Sendable>(
        of kinds: Set<Operation.Kind>, on day: ReportDay, _ merchant: MerchantContext, from start: Sum,
        _ add: @escaping @Sendable (_ sum: inout Sum, _ movement: Movement) -> Void
    ) async throws(AlphaPayResult) -> Sum {
        let bounds = day.bounds(offsetSeconds: AccountSettings(merchant).timeZoneOffsetSeconds)
        let query = MovementQuery(
            dialect: self.name, kinds: kinds, from: bounds.lowerBound,
            to: min(bounds.upperBound, self.gateway.now().adding(milliseconds: 1)))
        do throws(GatewayRefusal) {
            return try await self.gateway.sum(of: query, merchant: merchant, from: start, add)
        } catch {
            throw AlphaPayResult(refusal: error)
        }
    }

    private static func transaction(_ movement: MoneyMovement) -> JSON {
        let amount = JSON.string(String(movement.amount.minorUnits))
        let currency = JSON.string(movement.amount.currency.code)
        var transaction = JSONObject()
        transaction["requestId"] =
            (movement.isRefund ? movement.operation.labels.reference : movement.order?.reference).map(JSON.string)
        transaction["transactionId"] = movement.operation.answer.reference.map(JSON.string)
        transaction["paymentId"] = (movement.payment.orderID?.text).map(JSON.string)
        if movement.isRefund { transaction["refundId"] = .string(movement.operation.id.text) }
        transaction["transactionType"] = movement.isRefund ? "Debit" : "Credit"
        transaction["amount"] = amount
        transaction["currency"] = currency
        transaction["settleAmount"] = amount
        transaction["settleCurrency"] = currency
        transaction["exchangeRate"] = "1"
        transaction["paymentMethod"] = "APPLE_PAY"
        let begunAt = movement.isRefund ? movement.operation.begunAt : movement.payment.createdAt
        transaction["createTime"] = .string(begunAt.rfc3339Seconds)
        transaction["transactionTime"] = .string(movement.movedAt.rfc3339Seconds)
        return .object(transaction)
    }
}

/// What a day's movements in a currency come to.
///
/// The sums are exact: a day's amounts in minor units stay far below what 64 bits hold, and an overflow would stop here,
/// not wrap.
private struct SettlementSums: Sendable {
    private let currency: Currency
    private var captured: (count: Int, amount: Money)
    private var refunded: (count: Int, amount: Money)

    init(_ currency: Currency) {
        self.currency = currency
        self.captured = (0, Money.zero(currency))
        self.refunded = (0, Money.zero(currency))
    }

    mutating func add(_ operation: Operation) {
        let (amount, isRefund) = (operation.movedAmount, operation.kind == .refund)
        let sum = isRefund ? self.refunded : self.captured
        let next = (sum.count + 1, sum.amount + amount)
        if isRefund { self.refunded = next } else { self.captured = next }
    }

    func json(number: String) -> JSON {
        let net = JSON.string(String((self.captured.amount - self.refunded.amount).minorUnits))
        return [
            "settleInfo": [
                "settleNo": .string(number), "currency": .string(self.currency.code),
                "creditNum": .string(String(self.captured.count)),
                "creditAmount": .string(String(self.captured.amount.minorUnits)),
                "debitNum": .string(String(self.refunded.count)),
                "debitAmount": .string(String(self.refunded.amount.minorUnits)),
                "netAmount": net, "serviceFee": "0", "settleAmount": net,
            ]
        ]
    }
}
