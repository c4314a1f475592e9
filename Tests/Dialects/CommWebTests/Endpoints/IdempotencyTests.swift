//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing

/// The URL is the key: the identical PUT has the identical answer, another one is refused.
@Suite struct IdempotencyTests {
    @Test func answersTheIdenticalRequestAlike() async throws {
        let shop = try await CommWebShop.open()
        let body = try shop.body("AUTHORIZE").json
        let first = try await shop.put("o1", "1", body)
        #expect(try await shop.put("o1", "1", body).bytes == first.bytes)
        // Whatever happens later, and long after the token's life.
        try await shop.follow("CAPTURE", "o1", "2", amount: "61.00")
        shop.test.clock.advance(seconds: 86_400)
        let again = try await shop.put("o1", "1", body)
        #expect(again.bytes == first.bytes && again.status == 201)
        #expect(try await shop.test.bookedCount(.authorization) == 1)
    }

    @Test func answersIdenticalFollowUpsAlike() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("PAY", "o1", "1", amount: "10.00")
        let first = try await shop.follow("REFUND", "o1", "refund-1", amount: "4.00")
        try await shop.follow("REFUND", "o1", "refund-2", amount: "5.00")
        #expect(try await shop.follow("REFUND", "o1", "refund-1", amount: "4.00").bytes == first.bytes)
        #expect(try await shop.test.bookedCount(.refund) == 2)
        let void = try await shop.void("o1", "void-1", target: "refund-2")
        #expect(void["transaction.type"] == "VOID_REFUND")
        #expect(try await shop.void("o1", "void-1", target: "refund-2").bytes == void.bytes)
        #expect(try await shop.test.bookedCount(.refund) == 1)
    }

    @Test func answersAnIdenticalDeclineAlike() async throws {
        let shop = try await CommWebShop.open()
        let body = try shop.body("PAY", amount: "57.57").json
        let first = try await shop.put("o1", "1", body)
        #expect(first.summary == "FAILURE DECLINED")
        #expect(try await shop.put("o1", "1", body).bytes == first.bytes)
    }

    /// A repeat asks; it does not charge.
    @Test func settlesAnUnknownOutcomeByRepeating() async throws {
        let shop = try await CommWebShop.open()
        shop.test.script.append(.init(.authorize, .nth(1), fault: .garbage))
        let body = try shop.body("PAY", amount: "58.00").json
        #expect(try await shop.put("o1", "1", body).summary == "UNKNOWN UNKNOWN")
        #expect(try await shop.put("o1", "1", body).summary == "UNKNOWN UNKNOWN")
        await shop.test.recover()
        #expect(try await shop.put("o1", "1", body).summary == "SUCCESS APPROVED")
        #expect(try await shop.test.bookedCount(.authorization) == 1)
    }

    @Test func refusesTheSameURLWithAnotherBody() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("PAY", "o1", "1", amount: "10.00")
        let expected = "INVALID_REQUEST TRANSACTION_CONFLICT transaction.id INVALID"
        let other = try await shop.pay("PAY", "o1", "1", amount: "10.00")
        #expect(other.summary == expected && other.status == 400)
        #expect(try await shop.follow("REFUND", "o1", "1", amount: "1.00").summary == expected)
        #expect(try await shop.follow("REFUND", "o1", "2", amount: "1.00").summary == "SUCCESS APPROVED")
        #expect(try await shop.follow("REFUND", "o1", "2", amount: "1.01").summary == expected)
        #expect(try await shop.void("o1", "2", target: "1").summary == expected)
        #expect(try await shop.pay("PAY", "o1", "2").summary == expected)
    }

    /// Neither the order of the members nor how a number is written makes another request, nor does the correlation id.
    @Test func comparesWhatIsAskedAndNotHowItIsWritten() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("PAY", "o1", "1", amount: "10.00")
        let path = shop.merchantPath("order/o1/transaction/2")
        let first = #"{"apiOperation":"REFUND","transaction":{"amount":"1.50","currency":"USD"},"correlationId":"a"}"#
        let second = #"{"correlationId":"b","transaction":{"currency":"USD","amount":1.50},"apiOperation":"REFUND"}"#
        let one = try await shop.send(.put, path, Array(first.utf8))
        let two = try await shop.send(.put, path, Array(second.utf8))
        #expect(one.summary == "SUCCESS APPROVED" && two["correlationId"] == "b")
        #expect(one.fields.filter { $0.key != "correlationId" } == two.fields.filter { $0.key != "correlationId" })
        for amount in ["1.5", "\"1.500\""] {
            let other = first.replacing("\"1.50\"", with: amount)
            #expect(try await shop.send(.put, path, Array(other.utf8)).bytes == one.bytes)
        }
        let less = first.replacing("\"1.50\"", with: "1.05")
        #expect(try await shop.send(.put, path, Array(less.utf8)).summary.contains("TRANSACTION_CONFLICT"))
        // The same in the other flavor.
        let form = try await shop.nvp([
            "apiOperation": "REFUND", "order.id": "o1", "transaction.id": "2", "transaction.amount": "1.50",
            "transaction.currency": "USD",
        ])
        #expect(form.fields == two.fields.filter { $0.key != "correlationId" })
        #expect(try await shop.test.bookedCount(.refund) == 1)
    }

    /// The same letter, composed and decomposed: two ids, so two captures.
    @Test func comparesIdsByteForByte() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("AUTHORIZE", "o1", "1", amount: "10.00")
        for id in ["%C3%A9", "e%CC%81"] {
            #expect(try await shop.follow("CAPTURE", "o1", id, amount: "1.00").summary == "SUCCESS APPROVED")
        }
        #expect(try await shop.get("order/o1").order == "2.00/0.00 of 10.00: PARTIALLY_CAPTURED")
    }

    /// A refusal is not kept: the same request may succeed later.
    @Test func keepsNothingOfARefusal() async throws {
        let shop = try await CommWebShop.open()
        #expect(try await shop.follow("CAPTURE", "o1", "2", amount: "61.00").summary.contains("ORDER_NOT_FOUND"))
        try await shop.pay("AUTHORIZE", "o1", "1")
        #expect(try await shop.follow("CAPTURE", "o1", "2", amount: "61.00").summary == "SUCCESS APPROVED")
    }
}
