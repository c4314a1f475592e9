//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing

/// The seed's seven amounts, in major units as its table has them and in minor units.
@Suite struct TestAmountTests {
    @Test(arguments: [
        ("5656", "SUCCESS APPROVED", "PROCEED", "AUTHORIZED"),
        ("5757", "FAILURE DECLINED", "RESUBMIT_WITH_ALTERNATIVE_PAYMENT_DETAILS", "FAILED"),
        ("5858", "UNKNOWN TIMED_OUT", "DO_NOT_PROCEED", "INITIATED"),
        ("5959", "FAILURE UNSPECIFIED_FAILURE", "DO_NOT_PROCEED", "FAILED"),
        ("6161", "SUCCESS PARTIALLY_APPROVED", "PROCEED", "AUTHORIZED"),
        ("6262", "FAILURE SYSTEM_ERROR", "DO_NOT_PROCEED", "FAILED"),
        ("6363", "UNKNOWN UNKNOWN", "DO_NOT_PROCEED", "INITIATED"),
    ])
    func answersAsTheTestPageSays(
        amount: String, summary: String, recommendation: String, status: String
    ) async throws {
        let shop = try await CommWebShop.open()
        for (order, text) in [("major", amount + ".00"), ("minor", "\(amount.prefix(2)).\(amount.suffix(2))")] {
            let reply = try await shop.pay("AUTHORIZE", order, amount: text) {
                $0["order.acceptPartialAmount"] = true
            }
            #expect(reply.summary == summary && reply.status == 201)
            #expect(reply["response.gatewayRecommendation"] == recommendation && reply["order.status"] == status)
        }
    }

    /// What was not answered in time, and what was lost or answered with nothing that can be understood: whatever the
    /// amount, and reported alike as long as it is not known.
    @Test(arguments: [
        (SimulatorFault.dropAfterBooking, "UNKNOWN TIMED_OUT"), (.arriveLate, "UNKNOWN TIMED_OUT"),
        (.dropBeforeBooking, "UNKNOWN UNKNOWN"), (.garbage, "UNKNOWN UNKNOWN"),
    ])
    func reportsWhyAnOutcomeIsNotKnown(fault: SimulatorFault, summary: String) async throws {
        let shop = try await CommWebShop.open()
        shop.test.script.append(.init(.authorize, .nth(1), fault: fault))
        #expect(try await shop.pay("AUTHORIZE", "o1", amount: "10.00").summary == summary)
        #expect(try await shop.get("order/o1/transaction/1").summary == summary)
    }

    @Test(arguments: [
        ("58.58", "SUCCESS APPROVED", "AUTHORIZED"), ("63.63", "FAILURE UNSPECIFIED_FAILURE", "FAILED"),
    ])
    func findsOutWhatWasNotKnown(amount: String, summary: String, status: String) async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("AUTHORIZE", "o1", amount: amount)
        #expect(try await shop.get("order/o1/transaction/1")["result"] == "UNKNOWN")
        await shop.test.recover()
        let reply = try await shop.get("order/o1/transaction/1")
        #expect(reply.summary == summary && reply["order.status"] == status)
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    @Test func takesAPartOnlyWhereTheMerchantTakesOne() async throws {
        let shop = try await CommWebShop.open()
        let taken = try await shop.pay("AUTHORIZE", "o1", amount: "61.61") { $0["order.acceptPartialAmount"] = "true" }
        #expect(taken.summary == "SUCCESS PARTIALLY_APPROVED" && taken["response.acquirerCode"] == "10")
        #expect(taken.order == "0.00/0.00 of 30.80: AUTHORIZED" && taken["order.amount"] == "61.61")
        let refused = try await shop.pay("AUTHORIZE", "o2", amount: "61.61")
        #expect(refused.summary == "FAILURE UNSPECIFIED_FAILURE" && refused["order.status"] == "FAILED")
        #expect(refused["response.gatewayRecommendation"] == "RESUBMIT_WITH_ALTERNATIVE_PAYMENT_DETAILS")
        #expect(try await shop.test.bookProblems().isEmpty)
    }
}
