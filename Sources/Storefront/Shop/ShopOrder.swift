//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import DialectKit
import HTTPTypes
import Money
import Payments
import Redaction
import StrictJSON
import Time

/// Where an order stands, as the shop knows it.
enum ShopOrderStatus: String, Hashable, Sendable, CaseIterable {
    case open
    case authorized
    case captured
    case refunded
    case voided
    /// The last attempt was declined; another token may be tried.
    case declined
    /// Nobody knows yet whether it is paid.
    case unknown
}

/// What a customer wants done with an order.
enum ShopOperation: String, Hashable, Sendable, CaseIterable {
    case pay
    case capture
    case refund
    case void

    /// As the exchange calls it.
    var title: String {
        switch self {
        case .pay: "Payment"
        case .capture: "Capture"
        case .refund: "Refund"
        case .void: "Void"
        }
    }

    /// Whether an order in that state takes it.
    func isPossible(in status: ShopOrderStatus) -> Bool {
        switch (self, status) {
        case (.pay, .open), (.pay, .declined): true
        case (.capture, .authorized), (.void, .authorized): true
        case (.refund, .captured): true
        case (.pay, _), (.capture, _), (.refund, _), (.void, _): false
        }
    }
}

struct ShopOrder: Sendable {
    let id: String
    let account: ShopAccount
    let amountUnits: Int64
    let createdAt: Timestamp
    var purchase: Purchase
    var status = ShopOrderStatus.open
    /// While an operation is under way no other begins.
    var isBusy = false
    /// What must not be seen in the exchange.
    var secrets: [Redacted<String>]
    var log = ExchangeLog()
    /// What the last operation came to.
    var last: (operation: ShopOperation, step: PaymentStep)?
    /// The token went from the page's SDK to the gateway; its stages are shown once the gateway has the payment.
    var isPaidByPrime = false
    var showsStages = false
    /// Entries of the ledger that the exchange has shown.
    var shownJournal: Set<String> = []

    init(id: String, account: ShopAccount, cart: Cart, purchase: Purchase, createdAt: Timestamp) {
        self.id = id
        self.account = account
        self.amountUnits = cart.units
        self.createdAt = createdAt
        self.purchase = purchase
        self.secrets = account.client.secrets
    }

    /// The order for its page, with nothing of what is secret.
    var json: JSON {
        let scrubber = Scrubber(self.secrets)
        var json = JSONObject()
        json["orderId"] = .string(self.id)
        json["dialect"] = .string(self.account.name)
        json["title"] = .string(self.account.title)
        json["status"] = .string(self.status.rawValue)
        json["isBusy"] = .bool(self.isBusy)
        json["summary"] = .string(self.purchase.summary)
        json["amountMinor"] = JSON(self.amountUnits)
        json["amount"] = .string(self.account.text(ofUnits: self.amountUnits))
        json["currency"] = .string(self.account.currency.code)
        json["decimals"] = JSON(self.account.decimals)
        json["createdAtMillis"] = JSON(self.createdAt.milliseconds)
        json["facts"] = .array(
            self.account.client.facts(of: self.purchase).map { fact in
                ["name": .string(fact.name), "value": .string(scrubber.scrub(fact.value))]
            })
        json["last"] = self.last.map { operation, step in
            [
                "operation": .string(operation.rawValue), "status": .string(step.status.rawValue),
                "message": .string(scrubber.scrub(step.message)), "codes": .array(step.codes.map(\.json)),
            ]
        }
        return .object(json)
    }
}

/// The shop's orders, in memory and bounded: each is kept for an hour, and the oldest goes when there are too many.
struct OrderBook: Sendable {
    static let ordersMax = 500
    static let lifetimeSeconds: Int64 = 3600

    private var orders: [String: ShopOrder] = [:]

    var count: Int { self.orders.count }

    subscript(id: String) -> ShopOrder? { self.orders[id] }

    mutating func insert(_ order: ShopOrder, now: Timestamp) {
        self.orders = self.orders.filter { $0.value.isBusy || !self.isOver($0.value, now) }
        if self.orders.count >= Self.ordersMax {
            // One that is being worked on goes last.
            let oldest = self.orders.values.min {
                ($0.isBusy ? 1 : 0, $0.createdAt.milliseconds) < ($1.isBusy ? 1 : 0, $1.createdAt.milliseconds)
            }
            if let oldest { self.orders[oldest.id] = nil }
        }
        self.orders[order.id] = order
    }

    /// - Throws: `order_unknown` for one that there is not, or not any more.
    func order(_ id: String, now: Timestamp) throws(APIError) -> ShopOrder {
        guard let order = self.orders[id], order.isBusy || !self.isOver(order, now) else { throw .orderUnknown }
        return order
    }

    /// Changes an order that is still there.
    mutating func change(_ id: String, _ body: (inout ShopOrder) -> Void) {
        guard var order = self.orders[id] else { return }
        self.orders[id] = nil
        body(&order)
        self.orders[id] = order
    }

    /// Takes an order for an operation.
    ///
    /// - Throws: `order_unknown`, `order_busy`, `order_state`.
    mutating func begin(_ operation: ShopOperation, of id: String, now: Timestamp) throws(APIError) -> ShopOrder {
        let order = try self.order(id, now: now)
        guard !order.isBusy else {
            throw APIError(.conflict, "order_busy", "Another operation of the order is under way. Wait for it.")
        }
        guard operation.isPossible(in: order.status) else {
            throw APIError(
                .conflict, "order_state",
                "The order is \(order.status.rawValue), and \(operation.rawValue) is not possible now.")
        }
        self.change(id) { $0.isBusy = true }
        return order
    }

    private func isOver(_ order: ShopOrder, _ now: Timestamp) -> Bool {
        order.createdAt.adding(seconds: Self.lifetimeSeconds) <= now
    }
}

extension APIError {
    static let orderUnknown = APIError(
        .notFound, "order_unknown", "The shop has no such order, or not any more. Make a new one.")
}
