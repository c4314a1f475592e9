//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import Payments
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing

@Suite struct FollowUpTests {
    @Test func capturesInPartsAndRefundsInParts() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("AUTHORIZE", "o1", "a", amount: "10.00")
        let first = try await shop.follow("CAPTURE", "o1", "c1", amount: "3.00")
        #expect(first.status == 201 && first.summary == "SUCCESS APPROVED")
        #expect(first.order == "3.00/0.00 of 10.00: PARTIALLY_CAPTURED" && first["transaction.type"] == "CAPTURE")
        #expect(first["transaction.amount"] == "3.00" && first["order.amount"] == "10.00")
        let beyond = try await shop.follow("CAPTURE", "o1", "c2", amount: "7.01")
        #expect(beyond.summary == "INVALID_REQUEST CAPTURE_EXCEEDS_AUTHORIZED transaction.amount INVALID")
        #expect(
            try await shop.follow("CAPTURE", "o1", "c3", amount: "7").order == "10.00/0.00 of 10.00: CAPTURED")
        let refund = try await shop.follow("REFUND", "o1", "r1", amount: "4.0", target: "c3")
        #expect(refund.order == "10.00/4.00 of 10.00: PARTIALLY_REFUNDED" && refund["transaction.type"] == "REFUND")
        let tooMuch = try await shop.follow("REFUND", "o1", "r2", amount: "3.01", target: "c3")
        #expect(tooMuch.summary == "INVALID_REQUEST REFUND_EXCEEDS_CAPTURED transaction.amount INVALID")
        try await shop.follow("REFUND", "o1", "r3", amount: "3", target: "c3")
        let last = try await shop.follow("REFUND", "o1", "r4", amount: "3", target: "c1")
        #expect(last.order == "10.00/10.00 of 10.00: REFUNDED")
        let more = try await shop.follow("REFUND", "o1", "r5", amount: "0.01")
        #expect(more.summary == "INVALID_REQUEST ALREADY_REFUNDED apiOperation INVALID")
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    // MARK: - VOID

    @Test func voidsTheAuthorization() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("AUTHORIZE", "o1", "a", amount: "10.00")
        let void = try await shop.void("o1", "v", target: "a")
        #expect(void.summary == "SUCCESS APPROVED" && void["transaction.type"] == "VOID_AUTHORIZATION")
        #expect(void["transaction.targetTransactionId"] == "a" && void["transaction.amount"] == "10.00")
        #expect(void.order == "0.00/0.00 of 0.00: CANCELLED")
        let late = try await shop.follow("CAPTURE", "o1", "c", amount: "1.00")
        #expect(late.summary == "INVALID_REQUEST ALREADY_VOIDED apiOperation INVALID")
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    @Test func voidsAPaymentWhole() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("PAY", "o1", "p", amount: "10.00")
        let void = try await shop.void("o1", "v", target: "p")
        #expect(void["transaction.type"] == "VOID_PAYMENT" && void["transaction.targetTransactionId"] == "p")
        #expect(void.order == "0.00/0.00 of 0.00: CANCELLED")
    }

    @Test func voidsACaptureAndARefund() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("AUTHORIZE", "o1", "a", amount: "10.00")
        try await shop.follow("CAPTURE", "o1", "c1", amount: "6.00")
        try await shop.follow("CAPTURE", "o1", "c2", amount: "4.00")
        let capture = try await shop.void("o1", "v1", target: "c1")
        #expect(capture["transaction.type"] == "VOID_CAPTURE" && capture["transaction.amount"] == "6.00")
        #expect(capture.order == "4.00/0.00 of 10.00: PARTIALLY_CAPTURED")
        try await shop.follow("REFUND", "o1", "r", amount: "4.00")
        let refund = try await shop.void("o1", "v2", target: "r")
        #expect(refund["transaction.type"] == "VOID_REFUND" && refund["transaction.targetTransactionId"] == "r")
        #expect(refund.order == "4.00/0.00 of 10.00: PARTIALLY_CAPTURED")
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// Whoever does not say what is voided might get another transaction voided than the one that was meant.
    @Test func refusesAVoidWithoutATarget() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("AUTHORIZE", "o1", "a", amount: "10.00")
        let expected = "INVALID_REQUEST FIELD_MISSING transaction.targetTransactionId MISSING"
        let reply = try await shop.void("o1", "v")
        #expect(reply.summary == expected && reply.status == 400)
        let form = try await shop.nvp(["apiOperation": "VOID", "order.id": "o1", "transaction.id": "v"])
        #expect(form.summary == expected)
        let empty = Body(["apiOperation": "VOID", "transaction.targetTransactionId": ""])
        #expect(try await shop.put("o1", "v", empty.json).summary == expected)
        #expect(try await shop.get("order/o1").order == "0.00/0.00 of 10.00: AUTHORIZED")
    }

    @Test func refusesVoidsOfNothing() async throws {
        let shop = try await CommWebShop.open()
        let unknown = try await shop.void("o1", "v", target: "a")
        #expect(unknown.summary == "INVALID_REQUEST ORDER_NOT_FOUND order.id INVALID" && unknown.status == 400)
        try await shop.pay("AUTHORIZE", "o1", "a", amount: "57.57")
        let nothing = try await shop.void("o1", "v", target: "b")
        #expect(nothing.summary == "INVALID_REQUEST NOTHING_TO_VOID apiOperation INVALID")
        #expect(nothing["error.explanation"] == "Value 'VOID' is invalid. There is no transaction to void.")
        try await shop.pay("AUTHORIZE", "o2", "a", amount: "10.00")
        try await shop.follow("CAPTURE", "o2", "c", amount: "5.00")
        #expect(
            try await shop.void("o2", "v", target: "nothing").summary
                == "INVALID_REQUEST TRANSACTION_NOT_FOUND transaction.targetTransactionId INVALID")
        #expect(
            try await shop.void("o2", "v", target: "a").summary
                == "INVALID_REQUEST ALREADY_CAPTURED apiOperation INVALID")
        try await shop.void("o2", "v", target: "c")
        #expect(
            try await shop.void("o2", "v2", target: "c").summary
                == "INVALID_REQUEST ALREADY_VOIDED apiOperation INVALID")
        #expect(
            try await shop.void("o2", "v3", target: "v").summary == "INVALID_REQUEST NOT_VOIDABLE apiOperation INVALID")
    }

    /// An object or a value in the wrong place is no field that anybody reads.
    @Test func refusesATargetThatIsNoText() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("AUTHORIZE", "o1", "a", amount: "10.00")
        var body = Body(["apiOperation": "VOID", "transaction.targetTransactionId": ["id": "a"]])
        let reply = try await shop.put("o1", "v", body.json)
        #expect(reply.summary == "INVALID_REQUEST FIELD_INVALID transaction.targetTransactionId INVALID")
        body = Body(["apiOperation": "VOID", "transaction": "a"])
        #expect(
            try await shop.put("o1", "v", body.json).summary == "INVALID_REQUEST FIELD_INVALID transaction INVALID")
        let form = try await shop.nvp([
            "apiOperation": "VOID", "order.id": "o1", "transaction.id": "v", "transaction": "a",
        ])
        #expect(form.summary == "INVALID_REQUEST FIELD_INVALID transaction INVALID")
        #expect(try await shop.get("order/o1").order == "0.00/0.00 of 10.00: AUTHORIZED")
    }

    @Test func saysOfAVoidWhatItIsAbout() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("PAY", "o1", "p", amount: "10.00")
        try await shop.follow("REFUND", "o1", "r", amount: "4.00")
        let refunded = try await shop.void("o1", "v1", target: "p")
        #expect(refunded.summary == "INVALID_REQUEST ALREADY_REFUNDED apiOperation INVALID")
        #expect(refunded["error.explanation"]?.contains("Void the refund first") == true)
        try await shop.void("o1", "v2", target: "r")
        let voided = try await shop.void("o1", "v3", target: "r")
        #expect(voided["error.explanation"] == "The transaction, or its payment, has been voided.")
    }

    // MARK: - UPDATE_AUTHORIZATION

    @Test func updatesTheAuthorization() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("AUTHORIZE", "o1", "a", amount: "10.00")
        let more = try await shop.follow("UPDATE_AUTHORIZATION", "o1", "u1", amount: "15.00", target: "a")
        #expect(more.summary == "SUCCESS APPROVED" && more["transaction.type"] == "AUTHORIZATION_UPDATE")
        #expect(more.order == "0.00/0.00 of 15.00: AUTHORIZED" && more["order.amount"] == "15.00")
        try await shop.follow("CAPTURE", "o1", "c1", amount: "12.00")
        let below = try await shop.follow("UPDATE_AUTHORIZATION", "o1", "u2", amount: "11.99")
        #expect(below.summary == "INVALID_REQUEST UPDATE_BELOW_CAPTURED transaction.amount INVALID")
        let less = try await shop.follow("UPDATE_AUTHORIZATION", "o1", "u3", amount: "12.00")
        #expect(less.order == "12.00/0.00 of 12.00: CAPTURED")
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    // MARK: - What is wrong with a request

    @Test(arguments: ["CAPTURE", "REFUND", "UPDATE_AUTHORIZATION"])
    func requiresAmountAndCurrency(operation: String) async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("PAY", "o1", amount: "10.00")
        var body = Body(["apiOperation": .string(operation)])
        #expect(
            try await shop.put("o1", "2", body.json).summary
                == "INVALID_REQUEST FIELD_MISSING transaction.amount MISSING")
        body["transaction.amount"] = "1.00"
        #expect(
            try await shop.put("o1", "2", body.json).summary
                == "INVALID_REQUEST FIELD_MISSING transaction.currency MISSING")
        body["transaction.currency"] = "AUD"
        #expect(
            try await shop.put("o1", "2", body.json).summary
                == "INVALID_REQUEST CURRENCY_DIFFERS transaction.currency INVALID")
        body["transaction.currency"] = "USD"
        body["transaction.amount"] = "0.00"
        #expect(
            try await shop.put("o1", "2", body.json).summary
                == "INVALID_REQUEST AMOUNT_INVALID transaction.amount INVALID")
    }

    @Test func refusesRefundsOfWhatIsNotCaptured() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("AUTHORIZE", "o1", amount: "10.00")
        #expect(
            try await shop.follow("REFUND", "o1", "r", amount: "1.00").summary
                == "INVALID_REQUEST NOT_CAPTURED apiOperation INVALID")
        try await shop.pay("AUTHORIZE", "o2", amount: "57.57")
        #expect(
            try await shop.follow("CAPTURE", "o2", "c", amount: "1.00").summary
                == "INVALID_REQUEST ORDER_NOT_AUTHORIZED apiOperation INVALID")
        try await shop.pay("PAY", "o3", amount: "10.00")
        #expect(
            try await shop.follow("CAPTURE", "o3", "c", amount: "1.00").summary
                == "INVALID_REQUEST ALREADY_CAPTURED apiOperation INVALID")
    }

    /// Whoever asks while nobody knows gets the answer to ask again.
    @Test func refusesToFollowWhatIsNotKnown() async throws {
        let shop = try await CommWebShop.open()
        shop.test.script.append(.init(.authorize, .nth(1), fault: .garbage))
        try await shop.pay("AUTHORIZE", "o1", amount: "58.00")
        let reply = try await shop.follow("CAPTURE", "o1", "c", amount: "1.00")
        #expect(reply.summary == "SERVER_BUSY ORDER_LOCKED order.id INVALID" && reply.status == 503)
        let second = try await shop.pay("AUTHORIZE", "o1", "2", amount: "58.00")
        #expect(second.summary == "SERVER_BUSY ORDER_LOCKED order.id INVALID")
        await shop.test.recover()
        #expect(try await shop.follow("CAPTURE", "o1", "c", amount: "1.00").summary == "SUCCESS APPROVED")
    }

    /// What ActiveMerchant sends: empty shells, a reference, and amounts as texts.
    @Test func takesTheEmptyShellsOfOldClients() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("AUTHORIZE", "o1", "1", amount: "1.00")
        let body = """
            {"apiOperation":"CAPTURE","sourceOfFunds":{"provided":{"card":{}}},"order":{},"billing":{},"device":{},
             "customer":{"email":null},"transaction":{"amount":"1.00","currency":"USD","reference":"1"}}
            """
        let path = shop.merchantPath("order/o1/transaction/2")
        let capture = try await shop.send(.put, path, Array(body.utf8))
        #expect(capture.summary == "SUCCESS APPROVED" && capture["transaction.reference"] == "1")
        let void = #"{"apiOperation":"VOID","order":{},"transaction":{"targetTransactionId":"2"}}"#
        let voided = try await shop.send(.put, shop.merchantPath("order/o1/transaction/3"), Array(void.utf8))
        #expect(voided["transaction.type"] == "VOID_CAPTURE")
    }
}
