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
        self.amount = self.operation.approvedAmount ?? self.operation.amount
        self.movedAt = item.movement.resolvedAt
        self.payment = item.movement.payment
        self.order = item.order
    }

    var isRefund: Bool { self.operation.kind == .refund }
}

extension AlphaPay {
    func transactions(_ request: TransactionsRequest, _ merchant: MerchantContext) async throws(AlphaPayResult) -> JSON
    {
        let all = try await self.movements(request.kinds, on: request.day, merchant)
        let first = min((request.page - 1) * request.pageLimit, all.count)
        let page = all[first..<min(first + request.pageLimit, all.count)]
        let pagesCount = (all.count + request.pageLimit - 1) / request.pageLimit
        return [
            "transactions": .array(page.map(Self.transaction)),
            "pagination": [
                "page": JSON(request.page), "pageLimit": JSON(request.pageLimit), "totalPage": JSON(pagesCount),
                "total": JSON(all.count),
            ],
            "result": AlphaPayResult.success.json,
        ]
    }

    func settlements(_ request: SettlementsRequest, _ merchant: MerchantContext) async throws(AlphaPayResult) -> JSON {
        let movements = try await self.movements([.capture, .refund], on: request.day, merchant)
        let byCurrency = Dictionary(grouping: movements) { $0.amount.currency }
        let settlements = byCurrency.sorted { $0.key.code < $1.key.code }.map { currency, movements in
            Self.settlement(movements, currency, number: "\(merchant.accountKey)-\(request.day.text)-\(currency.code)")
        }
        return ["settlements": .array(settlements), "result": AlphaPayResult.success.json]
    }

    /// The movements of a day, oldest first. The end is not after now, so that a day that is not over ends.
    private func movements(
        _ kinds: Set<Operation.Kind>, on day: ReportDay, _ merchant: MerchantContext
    ) async throws(AlphaPayResult) -> [MoneyMovement] {
        let bounds = day.bounds(offsetSeconds: AccountSettings(merchant).timeZoneOffsetSeconds)
        let query = MovementQuery(
            dialect: self.name, kinds: kinds, from: bounds.lowerBound,
            to: min(bounds.upperBound, self.gateway.now().adding(milliseconds: 1)))
        do throws(GatewayRefusal) {
            return try await self.gateway.allMovements(query, merchant: merchant).map(MoneyMovement.init)
        } catch {
            throw AlphaPayResult(error)
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

    /// The sums are exact: a day's amounts in minor units stay far below what 64 bits hold, and an overflow would stop
    /// here, not wrap.
    private static func settlement(_ movements: [MoneyMovement], _ currency: Currency, number: String) -> JSON {
        let sum = { (isRefund: Bool) in
            movements.filter { $0.isRefund == isRefund }.reduce(Money.zero(currency)) { $0 + $1.amount }
        }
        let count = { (isRefund: Bool) in movements.count { $0.isRefund == isRefund } }
        let (captured, refunded) = (sum(false), sum(true))
        let net = JSON.string(String((captured - refunded).minorUnits))
        return [
            "settleInfo": [
                "settleNo": .string(number), "currency": .string(currency.code),
                "creditNum": .string(String(count(false))), "creditAmount": .string(String(captured.minorUnits)),
                "debitNum": .string(String(count(true))), "debitAmount": .string(String(refunded.minorUnits)),
                "netAmount": net, "serviceFee": "0", "settleAmount": net,
            ]
        ]
    }
}
