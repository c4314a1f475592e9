//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing

@Suite struct RefundTests {
    @Test func refundsInPartsUpToThePaidSumAndNoMore() async throws {
        let shop = try await TestShop.open()
        let paymentID = try await shop.paid(1000)
        #expect(try await shop.refund(paymentID, "400", id: "r1").result == "SUCCESS S")
        #expect(try await shop.refund(paymentID, "400", id: "r2").result == "SUCCESS S")
        #expect(try await shop.refund(paymentID, "201", id: "r3").result == "REFUND_AMOUNT_EXCEED F")
        // A refusal keeps nothing: the id may be used for a request that can be met.
        #expect(try await shop.refund(paymentID, "200", id: "r3").result == "SUCCESS S")
        #expect(try await shop.refund(paymentID, "1", id: "r4").result == "ORDER_REFUNDED F")
        #expect(try await shop.inquire(paymentID)["paymentStatus"] == "FULL_REFUND")
    }

    @Test func concurrentRefundsNeverExceedThePaidSum() async throws {
        let shop = try await TestShop.open()
        let paymentID = try await shop.paid(1000)
        let codes = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<12 { group.addTask { try await shop.refund(paymentID, "300").code } }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(codes.count { $0 == "SUCCESS" } == 3)
        // Which of the two it is depends on whether those before have ended.
        #expect(codes.count { $0 == "REFUND_AMOUNT_EXCEED" || $0 == "SYSTEM_BUSY" } == 9)
    }

    @Test func theSameRefundIsMadeOnce() async throws {
        let shop = try await TestShop.open()
        let paymentID = try await shop.paid(1000)
        let first = try await shop.refund(paymentID, "400", id: "r1")
        shop.clock.advance(seconds: 60)
        let second = try await shop.refund(paymentID, "400", id: "r1")
        #expect(second.json == first.json)
        #expect(try await shop.refund(paymentID, "401", id: "r1").result == "REPEAT_REQ_INCONSISTENT F")
        let other = try await shop.paid(1000)
        #expect(try await shop.refund(other, "400", id: "r1").result == "REPEAT_REQ_INCONSISTENT F")
        #expect(try await shop.book.entries().filter { $0.kind == .refund }.count == 1)
    }

    @Test func withoutARefundRequestIDEachCallIsARefund() async throws {
        let shop = try await TestShop.open()
        let paymentID = try await shop.paid(1000)
        let (first, second) = (try await shop.refund(paymentID, "400"), try await shop.refund(paymentID, "400"))
        #expect(first.code == "SUCCESS" && second.code == "SUCCESS" && first.refundID != second.refundID)
        #expect(first.json["refundRequestId"] == nil)
    }

    @Test func theCurrencyMayBeLeftOut() async throws {
        let shop = try await TestShop.open()
        let paymentID = try await shop.paid(1000)
        let body: JSON = ["paymentId": .string(paymentID), "refund": ["refundAmount": ["value": "10"]]]
        #expect(try await shop.call("refund", body).result == "SUCCESS S")
        let dollars: JSON = [
            "paymentId": .string(paymentID), "refund": ["refundAmount": ["value": "10", "currency": "USD"]],
        ]
        #expect(try await shop.call("refund", dollars).result == "CURRENCY_NOT_SUPPORT F")
    }

    @Test func refusesToRefundWhatIsNotPaid() async throws {
        let shop = try await TestShop.open()
        let order = try await shop.order("1000")
        #expect(try await shop.refund(order.paymentID, "1").result == "ORDER_NOT_PAID F")
        shop.script.append(.init(.authorize, .nth(1), fault: .decline(.doNotHonor)))
        #expect(try await shop.pay(order.paymentID, 1000).code == "DO_NOT_HONOR")
        #expect(try await shop.refund(order.paymentID, "1").result == "ORDER_NOT_PAID F")
    }

    /// The acquirer has taken back what it had approved; nobody has voided it.
    @Test func refusesToRefundWhatCameToNothing() async throws {
        let shop = try await TestShop.open()
        let paymentID = try await shop.paid(10_000)
        let sale = try #require(try await shop.test.payments().first?.authorization).id
        let late = AcquirerNotice.Event.failedLate(.doNotHonor, AcquirerAnswer())
        #expect(try await shop.test.report(late, of: sale, reference: "late") == .booked)
        #expect(try await shop.refund(paymentID, "1").result == "ORDER_NOT_PAID F")
    }

    @Test func refusesToRefundAPaymentInProcess() async throws {
        let shop = try await TestShop.open()
        let order = try await shop.order("6363")
        #expect(try await shop.pay(order.paymentID, 6363).result == "PAYMENT_IN_PROCESS U")
        #expect(try await shop.refund(order.paymentID, "1").result == "ORDER_STATUS_INVALID F")
    }

    @Test func reportsWhyARefundWasDeclined() async throws {
        let shop = try await TestShop.open()
        let paymentID = try await shop.paid(10_000)
        let declined = try await shop.refund(paymentID, "5757", id: "r1")
        #expect(declined.result == "DO_NOT_HONOR F")
        let inquired = try await shop.call("inquiryRefund", ["refundRequestId": "r1"])
        #expect(inquired.result == "SUCCESS S" && inquired["refundStatus"] == "FAILED")
        #expect(inquired["refundResultCode"] == "DO_NOT_HONOR")
        #expect(try await shop.inquire(paymentID)["paymentStatus"] == "SUCCESS")
        // It took nothing of the sum.
        #expect(try await shop.refund(paymentID, "10000", id: "r2").result == "SUCCESS S")
    }

    @Test func findsARefundByEitherIDAndByBoth() async throws {
        let shop = try await TestShop.open()
        let paymentID = try await shop.paid(1000)
        let (first, second) = (
            try await shop.refund(paymentID, "1", id: "r1"), try await shop.refund(paymentID, "2", id: "r2")
        )
        let byID = try await shop.call("inquiryRefund", ["refundId": .string(first.refundID)])
        let byRequestID = try await shop.call("inquiryRefund", ["refundRequestId": "r1", "refundId": ""])
        let byBoth = try await shop.call(
            "inquiryRefund", ["refundId": .string(first.refundID), "refundRequestId": "r1"])
        #expect(byID.json == byRequestID.json && byID.json == byBoth.json && byID.refundID == first.refundID)
        let crossed = try await shop.call(
            "inquiryRefund", ["refundId": .string(second.refundID), "refundRequestId": "r1"])
        #expect(crossed.result == "REFUND_NOT_EXIST F")
    }

    /// The vendor's library names a refund in each inquiry, and makes refunds without a name. Said not to exist, this one
    /// would be made again.
    @Test func aNameThatNobodyHasDeniesNoRefund() async throws {
        let shop = try await TestShop.open()
        let paymentID = try await shop.paid(1000)
        let refund = try await shop.refund(paymentID, "1")
        let inquired = try await shop.call(
            "inquiryRefund", ["refundId": .string(refund.refundID), "refundRequestId": "order-1"])
        #expect(inquired.result == "SUCCESS S" && inquired.refundID == refund.refundID)
    }

    @Test func refusesAnIDThatNamesNoRefund() async throws {
        let shop = try await TestShop.open()
        let paymentID = try await shop.paid(1000)
        let payment = try #require(
            try await shop.store.read { try $0.payments(PaymentQuery()).first })
        let authorization = try #require(payment.authorization)
        for id in [authorization.id.text, paymentID, payment.id.text, "op_00000000000000000000000000", "nothing"] {
            #expect(try await shop.call("inquiryRefund", ["refundId": .string(id)]).result == "REFUND_NOT_EXIST F")
        }
        #expect(try await shop.call("inquiryRefund", ["refundRequestId": "r9"]).result == "REFUND_NOT_EXIST F")
    }
}
