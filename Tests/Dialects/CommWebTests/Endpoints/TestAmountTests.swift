//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing

/// The seed's seven amounts, in major units as its table has them and in minor units.
@Suite struct TestAmountTests {
    @Test(
        arguments: [
            ("5656", "SUCCESS APPROVED", "PROCEED", "AUTHORIZED"),
            ("5757", "FAILURE DECLINED", "RESUBMIT_WITH_ALTERNATIVE_PAYMENT_DETAILS", "FAILED"),
            ("5858", "FAILURE TIMED_OUT", "RESUBMIT_WITH_ALTERNATIVE_PAYMENT_DETAILS", "FAILED"),
            ("5959", "FAILURE UNSPECIFIED_FAILURE", "DO_NOT_PROCEED", "FAILED"),
            ("6161", "SUCCESS PARTIALLY_APPROVED", "PROCEED", "AUTHORIZED"),
            ("6262", "FAILURE SYSTEM_ERROR", "DO_NOT_PROCEED", "FAILED"),
            ("6363", "UNKNOWN UNKNOWN", nil, "INITIATED"),
        ] as [(String, String, String?, String)])
    func answersAsTheTestPageSays(
        amount: String, summary: String, recommendation: String?, status: String
    ) async throws {
        let shop = try await CommWebShop.open()
        for (order, text) in [("major", amount + ".00"), ("minor", "\(amount.prefix(2)).\(amount.suffix(2))")] {
            let reply = try await shop.pay("AUTHORIZE", order, amount: text)
            #expect(reply.summary == summary && reply.status == 201)
            #expect(reply["response.gatewayRecommendation"] == recommendation && reply["order.status"] == status)
        }
    }

    /// What follows a payment brings no payment details that others could take the place of.
    @Test(arguments: [
        ("57.57", "FAILURE DECLINED"), ("58.58", "FAILURE TIMED_OUT"), ("59.59", "FAILURE UNSPECIFIED_FAILURE"),
    ])
    func recommendsNoOtherCardForWhatFollows(amount: String, summary: String) async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("AUTHORIZE", "o1", "a", amount: "200.00")
        try await shop.pay("PAY", "o2", "p", amount: "200.00")
        for reply in [
            try await shop.follow("CAPTURE", "o1", "c", amount: amount),
            try await shop.follow("UPDATE_AUTHORIZATION", "o1", "u", amount: amount),
            try await shop.follow("REFUND", "o2", "r", amount: amount),
        ] {
            let type = reply["transaction.type"] ?? "-"
            #expect(reply.summary == summary, "\(type)")
            #expect(reply["response.gatewayRecommendation"] == "DO_NOT_PROCEED", "\(type)")
        }
    }

    // MARK: - Outcomes that are not known

    /// What was lost, or answered with nothing that can be understood, is open, whatever the amount: no failure, and no
    /// word on whether to proceed.
    @Test(arguments: [SimulatorFault.dropBeforeBooking, .garbage])
    func reportsAnOpenOutcomeAsUnknown(fault: SimulatorFault) async throws {
        let shop = try await CommWebShop.open()
        shop.test.script.append(.init(.authorize, .nth(1), fault: fault))
        for reply in [
            try await shop.pay("AUTHORIZE", "o1", amount: "10.00"), try await shop.get("order/o1/transaction/1"),
        ] {
            #expect(reply.summary == "UNKNOWN UNKNOWN" && reply["response.gatewayRecommendation"] == nil)
            #expect(reply["order.status"] == "INITIATED")
        }
        await shop.test.recover()
        let later = try await shop.get("order/o1/transaction/1")
        #expect(later.summary == (fault == .garbage ? "SUCCESS APPROVED" : "FAILURE UNSPECIFIED_FAILURE"))
    }

    /// While the acquirer has not answered at all.
    @Test func reportsAPendingOutcomeAsSubmitted() async throws {
        let shop = try await CommWebShop.open()
        let (asked, answered) = (Gate(), Gate())
        shop.test.script.append(
            .init(
                .authorize, .nth(1),
                beforeAnswer: {
                    asked.open()
                    await answered.wait()
                }))
        async let paid = shop.pay("AUTHORIZE", "o1", amount: "10.00")
        await asked.wait()
        let open = try await shop.get("order/o1/transaction/1")
        #expect(open.summary == "PENDING SUBMITTED" && open["response.gatewayRecommendation"] == nil)
        answered.open()
        #expect(try await paid.summary == "SUCCESS APPROVED")
    }

    /// A timeout is a failure: the acquirer may have booked it, and it is taken back before the merchant is notified.
    @Test(arguments: [SimulatorFault.dropAfterBooking, .arriveLate])
    func reversesWhatTimesOut(fault: SimulatorFault) async throws {
        let shop = try await CommWebShop.open()
        shop.test.script.append(.init(.authorize, .nth(1), fault: fault))
        let body = try shop.body("PAY", amount: "10.00").json
        let failed = try await shop.put("o1", "1", body)
        #expect(failed.summary == "FAILURE TIMED_OUT" && failed.status == 201)
        #expect(failed.order == "0.00/0.00 of 0.00: FAILED" && failed["authorizationResponse.responseCode"] == nil)
        #expect(try await shop.put("o1", "1", body).bytes == failed.bytes)
        #expect(try await shop.get("order/o1/transaction/1").summary == "FAILURE TIMED_OUT")
        await shop.test.acquirer.deliverLate()
        await shop.test.recover()
        #expect(try await shop.get("order/o1").order == "0.00/0.00 of 0.00: FAILED")
        #expect(try await shop.test.bookedCount(.authorization) == 0)
        #expect(try await shop.test.bookProblems().isEmpty)
        // The order is open for another try.
        #expect(try await shop.pay("PAY", "o1", "2", amount: "10.00").summary == "SUCCESS APPROVED")
    }

    @Test func reversesACaptureAndARefundThatTimeOut() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("AUTHORIZE", "o1", "a", amount: "117.16")
        let capture = try await shop.follow("CAPTURE", "o1", "c1", amount: "58.58")
        #expect(capture.summary == "FAILURE TIMED_OUT" && capture.order == "0.00/0.00 of 117.16: AUTHORIZED")
        try await shop.follow("CAPTURE", "o1", "c2", amount: "100.00")
        let refund = try await shop.follow("REFUND", "o1", "r1", amount: "58.58")
        #expect(refund.summary == "FAILURE TIMED_OUT" && refund.order == "100.00/0.00 of 117.16: PARTIALLY_CAPTURED")
        #expect(try await shop.follow("REFUND", "o1", "r2", amount: "100.00").summary == "SUCCESS APPROVED")
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// Nobody knows until the reversal is acknowledged; then it is a failure, and never an approval.
    @Test func reportsATimeoutOnlyOnceItIsReversed() async throws {
        let shop = try await CommWebShop.open()
        shop.test.script.append(.init(.authorize, .nth(1), fault: .dropAfterBooking))
        shop.test.script.append(.init(.reverse, .nth(1), fault: .dropBeforeBooking))
        #expect(try await shop.pay("PAY", "o1", amount: "10.00").summary == "UNKNOWN UNKNOWN")
        #expect(try await NotificationTests.deliver(shop).isEmpty)
        await shop.test.recover()
        let later = try await shop.get("order/o1/transaction/1")
        #expect(later.summary == "FAILURE TIMED_OUT" && later["order.status"] == "FAILED")
        let sent = try await NotificationTests.deliver(shop)
        #expect(try sent.map { try NotificationTests.body($0)["response"]?["gatewayCode"]?.string } == ["TIMED_OUT"])
        #expect(try await shop.test.bookedCount(.authorization) == 0)
    }

    @Test func findsOutWhatNobodyCanSay() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("AUTHORIZE", "o1", amount: "63.63")
        #expect(try await shop.get("order/o1/transaction/1")["result"] == "UNKNOWN")
        await shop.test.recover()
        let reply = try await shop.get("order/o1/transaction/1")
        #expect(reply.summary == "FAILURE UNSPECIFIED_FAILURE" && reply["order.status"] == "FAILED")
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    // MARK: - Partial approvals

    @Test func takesAPartOnlyWhereTheMerchantTakesOne() async throws {
        let shop = try await CommWebShop.open()
        let taken = try await shop.pay("AUTHORIZE", "o1", amount: "61.61") { $0["order.acceptPartialAmount"] = "true" }
        #expect(taken.summary == "SUCCESS PARTIALLY_APPROVED" && taken["response.acquirerCode"] == "10")
        #expect(taken.order == "0.00/0.00 of 30.80: AUTHORIZED" && taken["order.amount"] == "61.61")
        // As the seed's own request: the field left out.
        #expect(try await shop.pay("PAY", "o3", amount: "6161.00").summary == "SUCCESS PARTIALLY_APPROVED")
        let refused = try await shop.pay("AUTHORIZE", "o2", amount: "61.61") { $0["order.acceptPartialAmount"] = false }
        #expect(refused.summary == "FAILURE UNSPECIFIED_FAILURE" && refused["order.status"] == "FAILED")
        #expect(refused["response.gatewayRecommendation"] == "RESUBMIT_WITH_ALTERNATIVE_PAYMENT_DETAILS")
        #expect(try await shop.test.bookProblems().isEmpty)
        // A live merchant is not surprised by less money than was asked for.
        let live = try await CommWebShop.open(mode: .live)
        #expect(try await live.put("o1", "1", PaymentTests.decrypted(amount: "61.61").json).summary == refused.summary)
    }
}
