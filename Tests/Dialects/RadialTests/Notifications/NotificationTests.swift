//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import Payments
import Redaction
import SimulatorAcquirer
import TestGateway
import Testing
import WalletSimulator

@testable import Radial

@Suite struct NotificationTests {
    private func outline(_ element: XMLElement) -> String {
        element.children.isEmpty
            ? "\(element.name)=\(element.text)"
            : "\(element.name)(\(element.children.map(self.outline).joined(separator: " ")))"
    }

    @Test(arguments: [true, false])
    func reportsSettlements(usesLists: Bool) async throws {
        let shop = try await RadialShop.open(usesLists: usesLists)
        let token = try await shop.authorized(1499)
        _ = try await shop.settle(token, "10.00", request: "s1")
        _ = try await shop.settle(token, "4.00", "Credit", request: "s2")
        let sent = try await shop.sent()
        #expect(sent.map(\.delivery.event.target) == [RadialShop.webhookURL, RadialShop.webhookURL])
        #expect(sent.allSatisfy { $0.notification.method == "POST" })
        #expect(sent.first?.notification.headers == [.init("Content-Type", "application/xml; charset=UTF-8")])
        let context = "PaymentContext(OrderId=1 PaymentAccountUniqueId=\(token)) TenderType=VC"
        let debit =
            "PaymentSettlementStatus(\(context) Amount=10.00 SettlementType=Debit SettlementStatus=S ClientContext=987654321 StoreId=TMSUS)"
        let credit =
            "PaymentSettlementStatus(\(context) Amount=4.00 SettlementType=Credit SettlementStatus=S ClientContext=987654321 StoreId=TMSUS)"
        let outlines = try sent.map { self.outline(try XMLReader.read($0.notification.body)) }
        #expect(outlines == [debit, credit].map { usesLists ? "PaymentSettlementStatusList(\($0))" : $0 })
    }

    @Test(arguments: [
        (DeclineReason.doNotHonor, "DoNotHonor"), (.insufficientFunds, "InsufficientFunds"),
        (.expiredCard, "ExpiredCard"),
        (.invalidCard, "InvalidCard"), (.lostOrStolenCard, "LostOrStolenCard"), (.suspectedFraud, "SuspectedFraud"),
        (.exceedsLimit, "ExceedsLimit"), (.notPermitted, "NotPermitted"), (.issuerUnavailable, "IssuerUnavailable"),
        (.timedOut, "TimedOut"), (.systemError, "SystemError"), (.invalidOperation, "NoAuthFoundException"),
        (.unspecified, "Unspecified"),
    ])
    func reportsWhySomethingWasRefused(reason: DeclineReason, word: String) async throws {
        let shop = try await RadialShop.open(usesLists: false)
        let token = try await shop.authorized(1499)
        shop.test.script.append(.init(.capture, .nth(1), fault: .decline(reason)))
        _ = try await shop.settle(token, "10.00", request: "s1")
        let settlement = try #require(try await shop.events().first)
        #expect(settlement.child("SettlementStatus")?.text == "R" && settlement.child("DeclineReason")?.text == word)
        shop.test.script.append(.init(.reverse, .nth(1), fault: .decline(reason)))
        _ = try await shop.cancel(token, "14.99")
        let cancellation = try #require(try await shop.events().first)
        #expect(
            cancellation.name == "PaymentAuthCancelReply" && cancellation.child("ExtendedResponseCode")?.text == word)
        let isTimeout = reason == .timedOut || reason == .issuerUnavailable
        #expect(cancellation.child("ResponseCode")?.text == (isTimeout ? "Timeout" : "Fail"))
    }

    @Test func reportsCancellations() async throws {
        let shop = try await RadialShop.open(cancelWebhookURL: "https://shop.example/cancel")
        let token = try await shop.authorized(1499, card: .mastercard)
        _ = try await shop.cancel(token, "14.99", tender: "MC")
        let sent = try #require(try await shop.sent().first)
        #expect(sent.delivery.event.target == "https://shop.example/cancel")
        #expect(
            self.outline(try XMLReader.read(sent.notification.body))
                == "PaymentAuthCancelReplyList(PaymentAuthCancelReply(PaymentContext(OrderId=1 PaymentAccountUniqueId=\(token)) "
                + "TenderType=MC ResponseCode=Success Amount=14.99 StoreId=TMSUS))")
    }

    @Test func whatWasTakenBackIsRefused() async throws {
        let shop = try await RadialShop.open(usesLists: false)
        let token = try await shop.authorized(10_000)
        _ = try await shop.settle(token, "63.63", request: "s1")
        await shop.test.recover()
        let event = try #require(try await shop.events().first)
        #expect(event.child("SettlementStatus")?.text == "R" && event.child("DeclineReason")?.text == "Reversed")
    }

    @Test func authenticatesItselfWithTheAccountsPassword() async throws {
        let shop = try await RadialShop.open(webhookCredentials: ("radial", Redacted("s3cret-webhook-password")))
        let token = try await shop.authorized(1499)
        _ = try await shop.settle(token, "1.00", request: "s1")
        let headers = try #require(try await shop.sent().first).notification.headers
        #expect(headers.last == .init("Authorization", "Basic cmFkaWFsOnMzY3JldC13ZWJob29rLXBhc3N3b3Jk"))
    }

    /// An address that was set before every one of a live account had to be https.
    @Test func aLiveAccountsPasswordIsNotSentWhereItCanBeRead() async throws {
        let shop = try await RadialShop.open(
            mode: .live, cancelWebhookURL: "http://shop.example/cancel",
            webhookCredentials: ("radial", Redacted("s3cret-webhook-password")))
        let token = try await shop.authorized(1499)
        _ = try await shop.cancel(token, "14.99")
        let sent = try #require(try await shop.sent().first)
        #expect(sent.delivery.event.target == "http://shop.example/cancel")
        #expect(!sent.notification.headers.contains { $0.name == "Authorization" })
    }

    @Test func sendsNothingWithoutAnAddressAndNothingOfAuthorizations() async throws {
        let silent = try await RadialShop.open(webhookURL: nil)
        let token = try await silent.authorized(1499)
        _ = try await silent.settle(token, "1.00", request: "s1")
        #expect(try await silent.sent().isEmpty)
        let shop = try await RadialShop.open()
        _ = try await shop.authorized(1499)
        #expect(try await shop.sent().isEmpty)
    }

    @Test func everyKindOfEventIsReportedOrNot() {
        let sent = OutboxEvent.Kind.allCases.filter { EventSubject($0) != nil }
        #expect(
            sent == [
                .captureSucceeded, .captureFailed, .voidSucceeded, .voidFailed, .refundSucceeded, .refundFailed,
                .adjustmentSucceeded, .adjustmentFailed, .chargeback, .chargebackReversed,
            ])
    }

    @Test func a200AloneAcknowledges() async throws {
        let shop = try await RadialShop.open()
        for status in [200] { #expect(shop.radial.isAcknowledged(status: status, body: [])) }
        for status in [100, 201, 202, 204, 301, 302, 400, 401, 404, 500, 503] {
            #expect(!shop.radial.isAcknowledged(status: status, body: Array("ok".utf8)))
        }
    }

    @Test func triesForThreeDays() async throws {
        let shop = try await RadialShop.open()
        let delays = shop.radial.retrySchedule.delaysSeconds
        #expect(delays.prefix(5) == [10, 60, 300, 900, 1800] && delays.count == 77)
        #expect(delays.dropFirst(5).reduce(0, +) == 3 * 86_400)
    }
}
