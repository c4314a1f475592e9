//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
public import Money
public import WalletSimulator

/// A payment at a shop, call after call: keeps the handle and makes keys.
///
/// ```swift
/// var payment = shop.payment("p1")
/// try await payment.charge(1099)
/// try await payment.make(.refund(shop.money(400)))
/// ```
public struct ShopPayment: Sendable {
    public let shop: DialectShop
    public let name: String
    public private(set) var handle: [String: String] = [:]
    private var callsCount = 0

    init(shop: DialectShop, name: String) {
        self.shop = shop
        self.name = name
    }

    /// The next call; another key each time, unless it says one.
    public mutating func call(_ action: DialectCall.Action, key: String? = nil) -> DialectCall {
        self.callsCount += 1
        return DialectCall(
            action, payment: self.name, key: key ?? "\(self.name)-\(self.callsCount)", handle: self.handle)
    }

    @discardableResult
    public mutating func make(_ action: DialectCall.Action, key: String? = nil) async throws -> DialectAnswer {
        let answer = try await self.shop.call(self.call(action, key: key))
        self.handle.merge(answer.handle) { $1 }
        return answer
    }

    /// Begins the payment with a new token: a sale where there is one, else an authorization.
    @discardableResult
    public mutating func charge(
        _ minorUnits: Int64, card: SimulatedCard = .visa, options: MintOptions = MintOptions()
    ) async throws -> DialectAnswer {
        let amount = self.shop.money(minorUnits)
        return try await self.charge(amount, try self.shop.token(amount, card: card, options: options))
    }

    @discardableResult
    public mutating func charge(_ amount: Money, _ token: MintedToken) async throws -> DialectAnswer {
        try await self.make(self.shop.driver.has(.sale) ? .pay(amount, token) : .authorize(amount, token))
    }

    /// The request of the next call, prepared and not sent.
    public mutating func request(_ action: DialectCall.Action) async throws -> WireRequest {
        try await self.shop.driver.request(self.call(action), in: self.shop)
    }
}

extension DialectShop {
    public func payment(_ name: String = "p1") -> ShopPayment { ShopPayment(shop: self, name: name) }
}
