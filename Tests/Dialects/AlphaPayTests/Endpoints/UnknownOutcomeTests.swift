//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import SimulatorAcquirer
import StrictJSON
import Testing
import WalletSimulator

@Suite struct UnknownOutcomeTests {
    /// 5858: the acquirer has booked the sale, and its answer is lost. 6363: it never becomes known, and is taken back.
    @Test(arguments: [(5858, "SUCCESS", "SUCCESS S"), (6363, "FAILED", "TAKEN_BACK F")] as [(Int64, String, String)])
    func aPaymentOfUnknownOutcomeIsInProcessUntilItIsRecovered(
        value: Int64, status: String, result: String
    ) async throws {
        let shop = try await TestShop.open()
        let order = try await shop.order(String(value))
        let token = try shop.token(value).paymentToken
        let paid = try await shop.pay(order.paymentID, with: token)
        #expect(paid.result == "PAYMENT_IN_PROCESS U" && paid["paymentStatus"] == "PAYMENT_IN_PROCESS" && paid.isSigned)
        let waiting = try await shop.inquire(order.paymentID)
        #expect(waiting.result == "PAYMENT_IN_PROCESS S" && waiting["paymentStatus"] == "PAYMENT_IN_PROCESS")
        #expect(try await shop.pay(order.paymentID, with: token).json == paid.json)
        #expect(try await shop.pay(order.paymentID, value).result == "PAYMENT_IN_PROCESS U")
        // F and FAILED would deny it, whatever is wrong with the call.
        let malformed = try await shop.call("apple-pay/pay", ["paymentId": .string(order.paymentID)])
        #expect(malformed.result == "PAYMENT_IN_PROCESS U" && malformed.paymentID == order.paymentID)
        #expect(malformed["paymentStatus"] == "PAYMENT_IN_PROCESS" && malformed.message.contains("PARAM_ILLEGAL"))
        let cancel: JSON = ["paymentId": .string(order.paymentID)]
        #expect(try await shop.call("cancel", cancel).result == "PAYMENT_IN_PROCESS U")
        #expect(try await shop.book.entries().filter { $0.kind == .authorization }.count == 1)

        await shop.recover()
        let inquired = try await shop.inquire(order.paymentID)
        #expect(inquired.result == "SUCCESS S" && inquired["paymentStatus"] == status)
        let repeated = try await shop.pay(order.paymentID, with: token)
        #expect(repeated.result == result && repeated["paymentStatus"] == status)
    }

    @Test(arguments: [(5858, "SUCCESS", "SUCCESS S"), (6363, "FAILED", "TAKEN_BACK F")] as [(Int64, String, String)])
    func aRefundOfUnknownOutcomeIsInProcessUntilItIsRecovered(
        value: Int64, status: String, result: String
    ) async throws {
        let shop = try await TestShop.open()
        let paymentID = try await shop.paid(10_000)
        let refund = try await shop.refund(paymentID, String(value), id: "r1")
        #expect(refund.result == "REFUND_IN_PROCESS U")
        let waiting = try await shop.call("inquiryRefund", ["refundRequestId": "r1"])
        #expect(waiting.result == "REFUND_IN_PROCESS S" && waiting["refundStatus"] == "REFUND_IN_PROCESS")
        // What may have been refunded is not refunded again; nor is it refused for good.
        #expect(try await shop.refund(paymentID, "5000", id: "r2").result == "SYSTEM_BUSY F")
        #expect(try await shop.refund(paymentID, "10001", id: "r2").result == "REFUND_AMOUNT_EXCEED F")
        #expect(try await shop.inquire(paymentID)["paymentStatus"] == "SUCCESS")

        await shop.recover()
        let inquired = try await shop.call("inquiryRefund", ["refundRequestId": "r1"])
        #expect(inquired.result == "SUCCESS S" && inquired["refundStatus"] == status)
        #expect(try await shop.refund(paymentID, String(value), id: "r1").result == result)
        #expect(
            try await shop.inquire(paymentID)["paymentStatus"] == (status == "SUCCESS" ? "PARTIAL_REFUND" : "SUCCESS"))
    }

    @Test func aLostRequestIsTakenBackAndTheOrderCanBePaidAgain() async throws {
        let shop = try await TestShop.open()
        shop.script.append(.init(.authorize, .nth(1), fault: .dropBeforeBooking))
        let order = try await shop.order("1099")
        #expect(try await shop.pay(order.paymentID, 1099).code == "PAYMENT_IN_PROCESS")
        await shop.recover()
        #expect(try await shop.inquire(order.paymentID)["paymentResultCode"] == "TAKEN_BACK")
        #expect(try await shop.pay(order.paymentID, 1099).result == "SUCCESS S")
    }
}
