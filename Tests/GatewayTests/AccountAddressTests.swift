//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Payments
import TestGateway
import Testing
import Time

/// Events of operations for which the account, and no request, names the address.
@Suite struct AccountAddressTests {
    private static let address = "https://shop.example/account"

    private static func open(_ address: String?) async throws -> Shop {
        let shop = try await Shop.open()
        try await Self.set(address, of: shop)
        return shop
    }

    private static func set(_ address: String?, of shop: Shop) async throws {
        try await shop.gateway.administration.changeSettings(
            of: shop.merchant.merchant.id, dialect: Shop.dialect
        ) { $0["hook"] = address }
    }

    /// Called with the account as it is now.
    private static func sell(_ minorUnits: Int64, in shop: Shop) async throws -> OperationOutcome {
        let merchant = try #require(try await shop.gateway.account(dialect: Shop.dialect, key: "account-first"))
        var command = try shop.authorization(of: money(minorUnits), sale: true, notifyURL: nil, as: merchant)
        command.labels.notifySettings = ["other", "hook"]
        return try await shop.gateway.authorize(command)
    }

    private static func events(_ shop: Shop) async throws -> [OutboxEvent] {
        try await shop.store.read { try $0.events(OutboxQuery()) }
    }

    @Test func theEventIsWrittenWhereTheAccountHasAnAddress() async throws {
        let shop = try await Self.open(Self.address)
        let outcome = try await Self.sell(10_00, in: shop)
        let event = try #require(try await Self.events(shop).first)
        #expect(event.target == Self.address && event.operationID == outcome.operation.id)
        #expect(outcome.operation.labels.notifyURL == nil, "the payment keeps no address of the account's")
    }

    @Test(arguments: [nil, ""])
    func nothingIsWrittenWhereItHasNone(address: String?) async throws {
        let shop = try await Self.open(address)
        let payment = try await Self.sell(10_00, in: shop).payment.id
        #expect(try await Self.events(shop).isEmpty)
        #expect(try await shop.store.read { try $0.job(.deliver, of: payment) } == nil)
    }

    /// The account is read as it is when the end is found out, long after the call.
    @Test func whatRecoveryFindsOutIsReportedByTheAccountOfThen() async throws {
        let shop = try await Self.open(nil)
        _ = try await Self.sell(58_58, in: shop)
        try await Self.set(Self.address, of: shop)
        await shop.recoverOnce()
        #expect(try await Self.events(shop).map(\.target) == [Self.address])
    }

    @Test func anAttemptIsKeptWithTheAddressToWhichItWent() async throws {
        let shop = try await Self.open(Self.address)
        _ = try await Self.sell(10_00, in: shop)
        let due = try #require(try await shop.gateway.leaseDeliveries(limit: 1).first)
        let next = "https://next.example/"
        try await shop.gateway.record(
            .failed("http_503", retryAt: shop.clock.now.adding(seconds: 60)), of: due.addressed(to: next))
        #expect(try await Self.events(shop).map(\.target) == [next])
    }
}
