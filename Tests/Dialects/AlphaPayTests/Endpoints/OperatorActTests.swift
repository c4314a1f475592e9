//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectConformance
import DialectKit
import Gateway
import Money
import Payments
import StrictJSON
import TestGateway
import Testing

@testable import AlphaPay

/// What the wire says of a refund that an operator has made.
@Suite struct OperatorActTests {
    private static func cents(_ minorUnits: Int64) throws -> Money {
        Money(minorUnits: minorUnits, currency: try #require(Currency.alphabetic("CAD")))
    }

    private static func payment(_ shop: TestShop) async throws -> PaymentID {
        try #require(try await shop.test.payments().first).id
    }

    private static func refund(_ minorUnits: Int64, _ key: String, _ shop: TestShop) async throws -> OperationOutcome {
        try await shop.gateway.administration.refund(
            try await self.payment(shop), amount: self.cents(minorUnits), key: key, reason: "by telephone",
            plans: [AlphaPay.accounts])
    }

    private static func sent(_ shop: TestShop) async throws -> [Delivered] {
        try await shop.test.deliverAll(through: shop.alphaPay) { _ in (200, #"{"result":{"resultStatus":"S"}}"#) }
    }

    @Test func inquiriesRefundsAndReportsCountIt() async throws {
        let shop = try await TestShop.open()
        let paymentID = try await shop.paid(1000)
        let id = try await Self.refund(400, "k", shop).operation.id.text
        #expect(try await shop.inquire(paymentID)["paymentStatus"] == "PARTIAL_REFUND")
        for name in ["refundId", "refundRequestId"] {
            let inquiry = try await shop.call("inquiryRefund", [name: .string(id)])
            #expect(inquiry["refundStatus"] == "SUCCESS" && inquiry["paymentId"] == paymentID, "\(name)")
            #expect(inquiry.refundID == id && inquiry["refundRequestId"] == id)
            #expect(inquiry.json["refund"]?["refundAmount"]?["value"] == "400")
            // What was said to the operator is not the shop's to read.
            #expect(!inquiry.text.contains("telephone") && inquiry.json["refund"]?["notifyUrl"] == nil)
        }
        #expect(try await shop.refund(paymentID, "601", id: "r1").result == "REFUND_AMOUNT_EXCEED F")
        // An id of the operator's names what it names.
        #expect(try await shop.refund(paymentID, "600", id: id).code != "SUCCESS")
        #expect(try await shop.refund(paymentID, "600", id: "r1").result == "SUCCESS S")
        #expect(try await shop.inquire(paymentID)["paymentStatus"] == "FULL_REFUND")
        let report = try await shop.call("transactions", ["date": "20260615", "transactionType": "Debit"])
        let lines = report.json["transactions"]?.array ?? []
        #expect(lines.map { $0["amount"]?.string } == ["400", "600"])
        #expect(lines.first?["requestId"]?.string == id && lines.first?["refundId"]?.string == id)
        let settled = try await shop.call("settlements", ["date": "20260615"])
        let settlement = settled.json["settlements"]?.array?.first?["settleInfo"]
        #expect(settlement?["debitNum"] == "2" && settlement?["netAmount"] == "0")
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// Whoever takes any notification for a payment would mark an order paid that has been given back.
    @Test func isNotReportedWhereThePaymentsAre() async throws {
        let shop = try await TestShop.open()
        let paymentID = try await shop.paid(1000)
        #expect(try await Self.sent(shop).map(\.target) == ["https://shop.example/notify"])
        _ = try await Self.refund(400, "k", shop)
        #expect(try await Self.sent(shop).isEmpty)
        #expect(try await shop.inquire(paymentID)["paymentStatus"] == "PARTIAL_REFUND")
    }

    /// What an earlier version has left, with the address for payments.
    @Test func isNotReportedToAnAddressForPaymentsThatWasKept() async throws {
        let shop = try await TestShop.open()
        let paymentID = try await shop.paid(1000)
        try await shop.refund(paymentID, "100", id: "r1", notifyURL: "https://shop.example/notify")
        let due = try #require(try await shop.gateway.leaseDeliveries(limit: 1).first)
        let refund = try #require(try await shop.test.payments().first?.operations.first { $0.kind == .refund })
        let kept = PaymentOperation(
            id: refund.id, kind: .refund, amount: refund.amount,
            labels: OperationLabels(notifyURL: due.event.target, fields: ["report": "payment"]),
            begunAt: refund.begunAt, begunInVersion: refund.begunInVersion)
        let event = OutboxEvent(
            id: due.event.id, merchantID: due.event.merchantID, dialect: due.event.dialect, kind: .refundSucceeded,
            paymentID: due.event.paymentID, operationID: refund.id, paymentVersion: due.event.paymentVersion,
            target: due.event.target, createdAt: due.event.createdAt)
        let delivery = Delivery(event: event, payment: due.payment, operation: kept, order: due.order)
        #expect(shop.alphaPay.notificationsCount(for: delivery) == 0)
    }

    @Test func isReportedAsARefundWhereTheShopTakesThem() async throws {
        let shop = try await TestShop.open()
        let paymentID = try await shop.paid(1000)
        try await shop.refund(paymentID, "100", id: "r1", notifyURL: "https://shop.example/refund")
        _ = try await Self.sent(shop)
        let id = try await Self.refund(400, "k", shop).operation.id.text
        let sent = try await Self.sent(shop)
        #expect(sent.map(\.target) == ["https://shop.example/refund"])
        let body = try JSON.parse(try #require(sent.first).notification.body)
        #expect(body["refundId"] == .string(id) && body["refundStatus"] == "SUCCESS")
        #expect(body == (try await shop.call("inquiryRefund", ["refundId": .string(id)])).json)
    }

    @Test func isReportedToNobodyWhoGaveNoAddress() async throws {
        let shop = try await TestShop.open()
        _ = try await shop.paid(1000, notifyURL: nil)
        _ = try await Self.refund(400, "k", shop)
        #expect(try await Self.sent(shop).isEmpty)
    }

    @Test func onlyRefundsAreOffered() async throws {
        let shop = try await TestShop.open()
        _ = try await shop.paid(1000)
        let id = try await Self.payment(shop)
        let acts = shop.gateway.administration
        let possible = try await acts.possibleActs(of: id, plans: [AlphaPay.accounts])
        let all = try Self.cents(1000)
        #expect(possible.void == .notOffered && possible.refund.bounds?.upTo == all)
        let error = await #expect(throws: PaymentActError.self) {
            _ = try await acts.void(id, key: "v", reason: nil, plans: [AlphaPay.accounts])
        }
        #expect(error?.code == .notOffered)
    }
}
