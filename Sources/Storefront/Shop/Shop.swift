//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import DialectKit
import HTTPTypes
import Money
import Payments
import Redaction
import StrictJSON
import Synchronization
public import Time

/// What the demo shop needs of the sandbox.
public struct ShopParts: Sendable {
    public var accounts: [ShopAccount]
    public var wire: ShopWire
    public var view: GatewayView
    /// The shop's own address, for notifications: "http://127.0.0.1:8080"; `nil` where services that take it with
    /// each order shall not notify.
    public var shopURL: @Sendable () async -> String?
    public var clock: @Sendable () -> Timestamp
    /// That many bytes of a cryptographically secure source.
    public var random: @Sendable (Int) -> [UInt8]

    public init(
        accounts: [ShopAccount], wire: ShopWire, view: GatewayView, shopURL: @escaping @Sendable () async -> String?,
        clock: @escaping @Sendable () -> Timestamp,
        random: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.accounts = accounts
        self.wire = wire
        self.view = view
        self.shopURL = shopURL
        self.clock = clock
        self.random = random
    }
}

/// The demo shop's server: orders with its own amounts, payments through any service, and a record of all of it.
final class Shop: Sendable {
    let parts: ShopParts
    let catalog: Catalog
    let orders = Mutex(OrderBook())

    init(_ parts: ShopParts, catalog: Catalog = .demo) {
        self.parts = parts
        self.catalog = catalog
    }

    func account(_ json: JSON) throws(APIError) -> ShopAccount {
        let name = json["dialect"]?.string
        guard let account = self.parts.accounts.first(where: { $0.name == name }) else {
            throw .badRequest("dialect_unknown", "The shop has no such payment service. See /shop/api/config.")
        }
        return account
    }

    func config() -> JSON {
        let catalog = self.catalog.json
        var config = JSONObject()
        config["dialects"] = .array(self.parts.accounts.map(\.json))
        config["products"] = catalog.products
        config["shipping"] = catalog.shipping
        config["upstream"] = self.parts.view.upstream.map {
            ["title": .string($0.title), "opensTokens": .bool($0.opensTokens)]
        }
        return .object(config)
    }

    /// A merchant session, as the service or the gateway gave it. Handed on unread.
    func merchantSession(_ body: JSON) async throws(APIError) -> JSON {
        let account = try self.account(body)
        let domain = try JSONAnswer.text("domain", of: body, charactersMax: 253)
        let validationURL = try JSONAnswer.text("validationURL", of: body, charactersMax: 1000)
        do throws(ShopWireError) {
            if let session = try await account.client.merchantSession(
                domain: domain, validationURL: validationURL, on: self.parts.wire)
            {
                return session
            }
            return try await self.parts.view.merchantSession(account.name, domain, validationURL)
        } catch {
            throw APIError(.badGateway, "merchant_session_failed", "\(error)")
        }
    }

    /// An order. The amount is the server's: what the page says of prices does not count.
    func order(_ body: JSON) async throws(APIError) -> JSON {
        let account = try self.account(body)
        let cart = try Cart(body, in: self.catalog, currency: account.currency.code)
        guard let amount = account.money(ofUnits: cart.units) else {
            throw .badRequest("amount_wrong", "The sum is more than can be paid.")
        }
        let now = self.parts.clock()
        let id = "S" + Hex.encode(self.parts.random(8))
        var purchase = Purchase(
            reference: id, amount: amount, summary: String(cart.summary.prefix(80)), countryCode: account.countryCode)
        purchase.notifyURL = await self.parts.shopURL().map { "\($0)/shop/notifications/\(account.name)" }
        var order = ShopOrder(id: id, account: account, cart: cart, purchase: purchase, createdAt: now)
        let text = account.text(ofUnits: cart.units)
        order.log.append(
            ExchangeEntry(
                .note, "Order \(id)",
                "\(cart.summary)\n\(text) \(account.currency.code), to be paid through \(account.title)"),
            at: now)
        self.orders.withLock { [order] in $0.insert(order, now: now) }
        return order.json
    }

    /// How an order stands, for a page that knows it from before.
    func standing(_ id: String) async throws(APIError) -> JSON { try await self.current(id).json }

    /// What happened since an entry.
    func exchange(_ id: String, after sequence: Int) async throws(APIError) -> JSON {
        let newest = try await self.current(id)
        return [
            "entries": newest.log.json(after: sequence), "status": .string(newest.status.rawValue),
            "order": newest.json,
        ]
    }

    private func current(_ id: String) async throws(APIError) -> ShopOrder {
        let now = self.parts.clock()
        let order = try self.orders.withLock { book throws(APIError) in try book.order(id, now: now) }
        // Recovery may have found out what a lost answer said.
        if order.status == .unknown, !order.isBusy { await self.refresh(order) }
        return try self.orders.withLock { book throws(APIError) in try book.order(id, now: now) }
    }

    func append(_ entry: ExchangeEntry, to id: String) {
        let now = self.parts.clock()
        self.orders.withLock { $0.change(id) { $0.log.append(entry, at: now) } }
    }
}
