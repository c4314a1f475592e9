//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import Payments
import TestGateway
import Testing

@testable import Radial

/// What the store is notified of when an operator settles or cancels.
@Suite struct OperatorActTests {
    private static let plans = [Radial.accounts]

    private static func payment(_ shop: RadialShop) async throws -> PaymentID {
        try #require(try await shop.test.payments().first).id
    }

    private static func outline(_ events: [XMLElement]) -> [String] {
        events.map { event in
            let names = ["Amount", "SettlementType", "SettlementStatus", "ResponseCode", "ClientContext"]
            return ([event.name] + names.compactMap { event.child($0)?.text }).joined(separator: " ")
        }
    }

    @Test func settlementsAreReportedAndTheStoreGoesOn() async throws {
        let shop = try await RadialShop.open(usesLists: false)
        let token = try await shop.authorized(10_000)
        let id = try await Self.payment(shop)
        let acts = shop.test.gateway.administration
        _ = try await acts.capture(
            id, amount: RadialShop.money(6000), isFinal: false, key: "c", reason: nil, plans: Self.plans)
        _ = try await acts.refund(id, amount: RadialShop.money(1000), key: "r", reason: nil, plans: Self.plans)
        let sent = try await shop.sent()
        #expect(sent.map(\.delivery.event.target) == [RadialShop.webhookURL, RadialShop.webhookURL])
        let events = try sent.map { try XMLReader.read($0.notification.body) }
        #expect(
            Self.outline(events) == [
                "PaymentSettlementStatus 60.00 Debit S", "PaymentSettlementStatus 10.00 Credit S",
            ])
        #expect(
            events.allSatisfy {
                $0.descendant("PaymentContext/PaymentAccountUniqueId")?.text == token
                    && $0.descendant("PaymentContext/OrderId")?.text == "1" && $0.child("TenderType")?.text == "VC"
            })
        #expect(try await shop.confirm(token, "100.00")["FundsAvailable"] == "Success")
        #expect(try await shop.cancel(token, "100.00").status == 409)
        #expect(try await shop.settle(token, "40.01", request: "s1").fault == "409 DebitExceedsAuthorizationException")
        #expect(try await shop.settle(token, "40.00", request: "s1")["ResponseCode"] == "Success")
        #expect(
            try await shop.settle(token, "90.01", "Credit", request: "s2").fault == "409 CreditExceedsDebitsException")
        #expect(try await shop.settle(token, "90.00", "Credit", request: "s2")["ResponseCode"] == "Success")
        #expect(try await shop.confirm(token, "100.00")["FundsAvailable"] == "Fail")
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    @Test func lastCaptureIsAFinalDebit() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(10_000)
        _ = try await shop.test.gateway.administration.capture(
            Self.payment(shop), amount: RadialShop.money(6000), isFinal: true, key: "c", reason: nil, plans: Self.plans)
        #expect(try await shop.settle(token, "1.00", request: "s1").fault == "409 FinalDebitMadeException")
    }

    @Test func cancellationGoesToItsOwnAddress() async throws {
        let shop = try await RadialShop.open(usesLists: false, cancelWebhookURL: "https://shop.example/cancel")
        let token = try await shop.authorized(1499)
        _ = try await shop.test.gateway.administration.void(
            Self.payment(shop), key: "v", reason: nil, plans: Self.plans)
        let sent = try await shop.sent()
        #expect(sent.map(\.delivery.event.target) == ["https://shop.example/cancel"])
        let events = try sent.map { try XMLReader.read($0.notification.body) }
        #expect(Self.outline(events) == ["PaymentAuthCancelReply 14.99 Success"])
        // The shop asks for what the operator has done, and is notified as if it had been the first.
        #expect(try await shop.cancel(token, "14.99")["ResponseCode"] == "Success")
        #expect(
            Self.outline(try await shop.sent().map { try XMLReader.read($0.notification.body) }) == Self.outline(events)
        )
        #expect(try await shop.confirm(token, "14.99")["FundsAvailable"] == "Fail")
    }

    @Test func storeWithoutAnAddressIsNotNotified() async throws {
        let shop = try await RadialShop.open(webhookURL: nil)
        _ = try await shop.authorized(1499)
        _ = try await shop.test.gateway.administration.void(
            Self.payment(shop), key: "v", reason: nil, plans: Self.plans)
        #expect(try await shop.sent().isEmpty)
    }
}
