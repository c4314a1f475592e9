//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import CommWeb
import DialectConformance
import DialectKit
import Gateway
import Payments
import StrictJSON
import TestGateway
import Testing

/// What no request has named an address for goes to the account's, as it is when it is sent.
@Suite struct AddressTests {
    private static let next = "https://next.example/commweb"

    private static func setAddress(_ address: String?, of shop: CommWebShop) async throws {
        try await shop.test.gateway.administration.changeSettings(
            of: shop.merchant.merchant.id, dialect: CommWeb.dialectName
        ) { $0["notifyURL"] = address }
    }

    @Test func theAccountsAddressMovesAndTheRequestsStays() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("PAY", "o1", "p", amount: "10.00")
        try await shop.pay("PAY", "o2", "p", amount: "10.00") {
            $0["order.notificationUrl"] = "https://shop.example/own"
        }
        try await Self.setAddress(Self.next, of: shop)
        let sent = try await NotificationTests.deliver(shop)
        let targets = Dictionary(uniqueKeysWithValues: sent.map { ($0.delivery.order?.reference ?? "", $0.target) })
        #expect(targets == ["o1": Self.next, "o2": "https://shop.example/own"])
    }

    /// An order that began without an address of its own does not keep the account's of that day.
    @Test func followsTheAccountThroughAnOrder() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("AUTHORIZE", "o1", "a", amount: "10.00")
        _ = try await NotificationTests.deliver(shop)
        try await Self.setAddress(Self.next, of: shop)
        try await shop.follow("CAPTURE", "o1", "c", amount: "10.00")
        #expect(try await NotificationTests.deliver(shop).map(\.target) == [Self.next])
    }

    @Test func nothingIsSentToAnAddressThatWasTakenAway() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("PAY", "o1", "p", amount: "10.00")
        try await Self.setAddress(nil, of: shop)
        #expect(try await NotificationTests.deliver(shop).isEmpty)
        let event = try #require(try await shop.test.store.read { try $0.events(OutboxQuery()) }.first)
        #expect(event.state == .pending && event.lastResult == "no_address")
    }
}
