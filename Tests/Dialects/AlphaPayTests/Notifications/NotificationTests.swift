//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import AlphaPay
import DialectConformance
import DialectKit
import Gateway
import Payments
import StrictJSON
import TestGateway
import Testing
import Time

@Suite struct NotificationTests {
    /// What is sent of everything that is due, each acknowledged.
    private func sent(_ shop: TestShop) async throws -> [(delivery: Delivery, notification: OutgoingNotification)] {
        var sent: [(Delivery, OutgoingNotification)] = []
        while true {
            let deliveries = try await shop.gateway.leaseDeliveries(limit: 10)
            if deliveries.isEmpty { return sent }
            for delivery in deliveries {
                let merchant = try #require(try await shop.gateway.merchantContext(for: delivery))
                if shop.alphaPay.notificationsCount(for: delivery) > 0 {
                    sent.append((delivery, try shop.alphaPay.notification(for: delivery, merchant: merchant)))
                } else {
                    #expect(throws: (any Error).self) {
                        try shop.alphaPay.notification(for: delivery, merchant: merchant)
                    }
                }
                try await shop.gateway.record(.delivered("http_200"), of: delivery)
            }
        }
    }

    private func header(_ name: String, of notification: OutgoingNotification) -> String {
        notification.headers.first { $0.name == name }?.value ?? ""
    }

    private func isSigned(_ notification: OutgoingNotification, path: String) throws -> Bool {
        let time = self.header("Request-Time", of: notification)
        let nonce = self.header("Nonce", of: notification)
        return try Reply.isValid(
            header: self.header("Signature", of: notification),
            signed: "POST \(path)\n\(self.header("Merchant-Code", of: notification)).\(time).\(nonce).",
            body: notification.body)
    }

    @Test func notifiesOfAPaymentAndItsRefunds() async throws {
        let shop = try await TestShop.open()
        let paymentID = try await shop.paid(1000, notifyURL: "https://shop.example/pay/notify?shop=1")
        let refund = try await shop.refund(paymentID, "400", id: "r1", notifyURL: "https://shop.example/refund")
        #expect(try await shop.refund(paymentID, "100", id: "r2").code == "SUCCESS")
        let sent = try await self.sent(shop)
        #expect(
            sent.map(\.delivery.event.target) == [
                "https://shop.example/pay/notify?shop=1", "https://shop.example/refund",
            ])

        let payment = try #require(sent.first).notification
        #expect(payment.method == "POST")
        #expect(try self.isSigned(payment, path: "/pay/notify"))
        #expect(self.header("Merchant-Code", of: payment) == TestShop.merchantCode)
        #expect(self.header("Nonce", of: payment).count == 32)
        #expect(self.header("Content-Type", of: payment) == "application/json; charset=UTF-8")
        let paymentBody = try JSON.parse(payment.body)
        // As it was when the event came about, not as it is after the refund.
        #expect(paymentBody["paymentStatus"] == "SUCCESS" && paymentBody["paymentId"] == .string(paymentID))
        #expect(paymentBody["result"]?["resultStatus"] == "S")

        let refundNotification = try #require(sent.last).notification
        let refundBody = try JSON.parse(refundNotification.body)
        #expect(try self.isSigned(refundNotification, path: "/refund"))
        #expect(refundBody["refundId"] == .string(refund.refundID) && refundBody["refundStatus"] == "SUCCESS")
        let inquired = try await shop.call("inquiryRefund", ["refundRequestId": "r1"])
        #expect(refundBody == inquired.json)
    }

    /// "When a customer's payment or refund is successful": a shop may take any notification for a payment.
    @Test func notifiesOfNothingButSuccess() async throws {
        let shop = try await TestShop.open()
        let declined = try await shop.order("5757")
        #expect(try await shop.pay(declined.paymentID, 5757).code == "DO_NOT_HONOR")
        let unclear = try await shop.order("6363")
        #expect(try await shop.pay(unclear.paymentID, 6363).code == "PAYMENT_IN_PROCESS")
        await shop.recover()
        #expect(try await shop.inquire(unclear.paymentID)["paymentStatus"] == "FAILED")
        #expect(try await self.sent(shop).isEmpty)
        let paid = try await shop.paid(10_000)
        #expect(try await self.sent(shop).count == 1)
        let refund = try await shop.refund(paid, "5757", id: "r1", notifyURL: "https://shop.example/refund")
        #expect(refund.code == "DO_NOT_HONOR")
        #expect(try await self.sent(shop).isEmpty)
    }

    /// The same with what the worker writes of it.
    private func taken(_ shop: TestShop) async throws -> [Delivered] {
        try await shop.test.deliverAll(through: shop.alphaPay) { _ in (200, #"{"result":{"resultStatus":"S"}}"#) }
    }

    private func fail(_ kind: PaymentOperation.Kind, in shop: TestShop) async throws {
        let payment = try #require(try await shop.test.payments().first)
        let operation = try #require(payment.operations.first { $0.kind == kind })
        let late = AcquirerNotice.Event.failedLate(.suspectedFraud, AcquirerAnswer())
        #expect(try await shop.test.report(late, of: operation.id, reference: "late") == .booked)
    }

    /// The first attempt has failed; by the second one the payment has come to nothing.
    @Test func whatHasFailedBeforeItWasTakenIsNotReportedAsASuccess() async throws {
        let shop = try await TestShop.open()
        let paymentID = try await shop.paid(1000)
        #expect(try await shop.test.deliverDue(through: shop.alphaPay) { _ in (500, "") }.count == 1)
        try await self.fail(.authorization, in: shop)
        shop.clock.advance(seconds: 5)
        #expect(try await self.taken(shop).isEmpty)
        let events = try await shop.test.store.read { try $0.events(OutboxQuery()) }
        #expect(events.map(\.lastResult) == ["not_told", "not_told"] && events.allSatisfy { $0.state == .delivered })
        #expect(try await shop.inquire(paymentID)["paymentStatus"] == "FAILED")
    }

    @Test func aRefundThatHasFailedBeforeItWasTakenIsNotReportedAsASuccess() async throws {
        let shop = try await TestShop.open()
        let paymentID = try await shop.paid(1000)
        #expect(try await self.taken(shop).count == 1)
        try await shop.refund(paymentID, "400", id: "r1", notifyURL: "https://shop.example/refund")
        #expect(try await shop.test.deliverDue(through: shop.alphaPay) { _ in (500, "") }.count == 1)
        try await self.fail(.refund, in: shop)
        shop.clock.advance(seconds: 5)
        #expect(try await self.taken(shop).isEmpty)
    }

    @Test func whatWasTakenBeforeItFailedIsSaidAgainAsItWas() async throws {
        let shop = try await TestShop.open()
        _ = try await shop.paid(1000)
        let taken = try #require(try await self.taken(shop).first)
        try await self.fail(.authorization, in: shop)
        #expect(try await self.taken(shop).isEmpty)
        try await shop.gateway.administration.resend(taken.delivery.event.id)
        #expect(try await self.taken(shop).map(\.notification.body) == [taken.notification.body])
    }

    @Test func notifiesOfARecoveredPayment() async throws {
        let shop = try await TestShop.open()
        let lost = try await shop.order("5858")
        #expect(try await shop.pay(lost.paymentID, 5858).code == "PAYMENT_IN_PROCESS")
        #expect(try await self.sent(shop).isEmpty)
        await shop.recover()
        let sent = try await self.sent(shop)
        #expect(sent.count == 1)
        let recovered = try JSON.parse(try #require(sent.first).notification.body)
        #expect(recovered["paymentStatus"] == "SUCCESS")
    }

    @Test func notifiesNobodyWhoGaveNoAddress() async throws {
        let shop = try await TestShop.open()
        _ = try await shop.paid(1000, notifyURL: nil)
        #expect(try await self.sent(shop).isEmpty)
    }

    @Test func everyAttemptIsSignedAnew() async throws {
        let shop = try await TestShop.open()
        _ = try await shop.paid(1000)
        let delivery = try #require(try await shop.gateway.leaseDeliveries(limit: 1).first)
        let merchant = try #require(try await shop.gateway.merchantContext(for: delivery))
        let first = try shop.alphaPay.notification(for: delivery, merchant: merchant)
        shop.clock.advance(seconds: 1800)
        let second = try shop.alphaPay.notification(for: delivery, merchant: merchant)
        #expect(first.body == second.body)
        #expect(self.header("Nonce", of: first) != self.header("Nonce", of: second))
        #expect(self.header("Request-Time", of: second) == "2026-06-15T12:30:00Z")
        #expect(try self.isSigned(second, path: "/notify"))
    }

    @Test(arguments: [
        (200, #"{"result":{"resultCode":"SUCCESS","resultStatus":"S","resultMessage":"success"}}"#, true),
        (200, #"{"result":{"resultStatus":"S"},"more":1}"#, true), (200, #"{"result":{"resultStatus":"F"}}"#, false),
        (200, #"{"result":{"resultStatus":"U"}}"#, false), (200, #"{"resultStatus":"S"}"#, false),
        (200, "success", false),
        (200, "", false), (200, "<html>", false), (201, #"{"result":{"resultStatus":"S"}}"#, false),
        (302, #"{"result":{"resultStatus":"S"}}"#, false), (500, #"{"result":{"resultStatus":"S"}}"#, false),
    ])
    func isAcknowledgedByItsResultOnly(status: Int, body: String, isAcknowledged: Bool) async throws {
        let shop = try await TestShop.open()
        #expect(shop.alphaPay.isAcknowledged(status: status, body: Array(body.utf8)) == isAcknowledged)
    }

    @Test func triesThriceAtOnceAndThenForADay() async throws {
        let shop = try await TestShop.open()
        let schedule = shop.alphaPay.retrySchedule
        #expect(schedule.delaysSeconds.count == 50)
        #expect(schedule.delaySeconds(afterAttempts: 1) == 5 && schedule.delaySeconds(afterAttempts: 2) == 10)
        #expect(schedule.delaySeconds(afterAttempts: 3) == 1800 && schedule.delaySeconds(afterAttempts: 50) == 1800)
        #expect(schedule.delaySeconds(afterAttempts: 51) == nil)
        #expect(schedule.delaysSeconds.dropFirst(2).reduce(0, +) == 86_400)
    }
}
