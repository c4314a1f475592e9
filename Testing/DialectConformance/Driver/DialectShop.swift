//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
import Gateway
public import Money
public import Payments
public import TestGateway
public import Time
public import WalletSimulator

/// A merchant's shop at a test gateway, calling through a dialect. Everything that goes over the wire is kept.
public struct DialectShop: Sendable {
    public let test: TestGateway
    public let dialect: any Dialect
    public let merchant: TestMerchant
    public let driver: any DialectDriver
    public let exchanges: ExchangeLog

    /// Callers whose address is not known, as those of most laws, may guess as often as they like.
    static func open(
        _ driver: any DialectDriver, mode: Mode = .sandbox, rates: MerchantRates.Settings = .init(),
        configure: (inout GatewayParts) throws -> Void = { _ in }
    ) async throws -> DialectShop {
        let test = try await TestGateway.open(mode: mode, configure: configure)
        let clock = test.clock
        let nanoseconds = { @Sendable in clock.steadyNanoseconds }
        let limits = CallerLimits(
            throttle: CredentialThrottle(
                settings: CredentialThrottle.Settings(freeFailures: 3, freeFailuresOfAddress: 8), now: nanoseconds),
            rates: MerchantRates(settings: rates, now: nanoseconds))
        let dialect = try driver.makeDialect(test.gateway, limits: limits)
        let merchant = try await driver.addMerchant(to: test, name: "shop")
        let exchanges = ExchangeLog()
        exchanges.keep(merchant)
        return DialectShop(test: test, dialect: dialect, merchant: merchant, driver: driver, exchanges: exchanges)
    }

    /// Another merchant's shop at the same gateway.
    public func other() async throws -> DialectShop {
        self.at(try await self.driver.addMerchant(to: self.test, name: "other"))
    }

    /// The shop of a merchant that a test has added itself; what goes over the wire is kept with the rest.
    public func at(_ merchant: TestMerchant) -> DialectShop {
        self.exchanges.keep(merchant)
        return DialectShop(
            test: self.test, dialect: self.dialect, merchant: merchant, driver: self.driver,
            exchanges: self.exchanges)
    }

    public var clock: TestClock { self.test.clock }

    /// An amount of the driver's currency.
    public func money(_ minorUnits: Int64) -> Money {
        Money(minorUnits: minorUnits, currency: self.driver.currency)
    }

    /// Sends a request, and keeps the exchange.
    @discardableResult
    public func send(_ request: WireRequest) async -> WireResponse {
        let response = await self.dialect.respond(to: request)
        self.exchanges.keep(request, response)
        return response
    }

    /// Has a request fail before it reaches its route, and keeps the exchange.
    @discardableResult
    public func send(_ request: WireRequest, failing failure: WireFailure) async -> WireResponse {
        let response = await self.dialect.answer(to: failure, request: request)
        self.exchanges.keep(request, response)
        return response
    }

    /// Mints a token for the shop.
    public func token(
        _ amount: Money, card: SimulatedCard = .visa, options: MintOptions = MintOptions(),
        signedAt: Timestamp? = nil, mode: Mode? = nil
    ) throws -> MintedToken {
        let token = try self.test.mint(
            amount, for: self.merchant, card: card, options: options, signedAt: signedAt, mode: mode)
        self.exchanges.keep(token)
        return token
    }

    /// Makes a call and reads the answer.
    @discardableResult
    public func call(_ call: DialectCall) async throws -> DialectAnswer {
        let request = try await self.driver.request(call, in: self)
        return try self.driver.read(await self.send(request), to: request, of: call, in: self)
    }
}
