//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectConformance
import DialectKit
import Gateway
import Payments
import TestGateway
import Testing

@testable import Radial

/// Settlements and cancellations go to the account's addresses as they are when they are sent.
@Suite struct AddressTests {
    private static let next = "https://next.example/radial"

    private static func set(_ name: String, _ address: String?, of shop: RadialShop) async throws {
        try await shop.test.gateway.administration.changeSettings(
            of: shop.merchant.merchant.id, dialect: Radial.dialectName
        ) { $0[name] = address }
    }

    /// Where what is due goes, all of it acknowledged.
    private static func targets(_ shop: RadialShop) async throws -> [String] {
        try await shop.test.deliverAll(through: shop.radial) { _ in (200, "") }.map(\.target)
    }

    @Test func settlementsGoToTheAddressOfNow() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(1499)
        _ = try await shop.settle(token, "10.00", request: "s1")
        try await Self.set("webhookURL", Self.next, of: shop)
        #expect(try await Self.targets(shop) == [Self.next])
    }

    @Test func cancellationsGoToTheirOwnAddressWhileThereIsOne() async throws {
        let shop = try await RadialShop.open(cancelWebhookURL: "https://shop.example/cancel")
        let token = try await shop.authorized(1499)
        _ = try await shop.cancel(token, "14.99")
        try await Self.set("cancelWebhookURL", nil, of: shop)
        #expect(try await Self.targets(shop) == [RadialShop.webhookURL])
    }

    @Test func cancellationsHaveAnAddressWhereSettlementsHaveNone() async throws {
        let shop = try await RadialShop.open(webhookURL: nil, cancelWebhookURL: "https://shop.example/cancel")
        let settled = try await shop.authorized(1499)
        _ = try await shop.settle(settled, "10.00", request: "s1")
        let canceled = try await shop.authorized(1599, order: "2")
        _ = try await shop.cancel(canceled, "15.99", order: "2")
        #expect(try await Self.targets(shop) == ["https://shop.example/cancel"])
    }

    @Test func settlementFromBeforeThereWasAnAddressIsReportedOnceThereIsOne() async throws {
        let shop = try await RadialShop.open(webhookURL: nil)
        let token = try await shop.authorized(1499)
        _ = try await shop.settle(token, "10.00", request: "s1")
        #expect(try await Self.targets(shop).isEmpty)
        try await Self.set("webhookURL", Self.next, of: shop)
        let payment = try #require(try await shop.test.payments().first)
        let capture = try #require(payment.operations.first { $0.kind == .capture })
        let taken = AcquirerNotice.Event.chargedBack(try RadialShop.money(400), fee: nil)
        #expect(try await shop.test.report(taken, of: capture.id, reference: "bank") == .booked)
        #expect(try await Self.targets(shop) == [Self.next])
    }
}
