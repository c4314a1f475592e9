//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import HTTPTypes
import Payments
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing

/// `transaction.targetTransactionId`: what a subsequent transaction is about, it says itself, or there is only one.
@Suite struct TargetTests {
    private static let field = "transaction.targetTransactionId"

    /// 40.00 captured as "c1", 60.00 as "c2".
    private static func twoCaptures(_ shop: CommWebShop) async throws {
        try await shop.pay("AUTHORIZE", "o1", "a", amount: "100.00")
        try await shop.follow("CAPTURE", "o1", "c1", amount: "40.00")
        try await shop.follow("CAPTURE", "o1", "c2", amount: "60.00")
    }

    @Test func refundsTheCaptureThatIsNamed() async throws {
        let shop = try await CommWebShop.open()
        try await Self.twoCaptures(shop)
        let tooMuch = try await shop.follow("REFUND", "o1", "r", amount: "50.00", target: "c1")
        #expect(tooMuch.summary == "INVALID_REQUEST REFUND_EXCEEDS_CAPTURED transaction.amount INVALID")
        #expect(tooMuch.status == 400)
        let refund = try await shop.follow("REFUND", "o1", "r", amount: "40.00", target: "c1")
        #expect(refund.summary == "SUCCESS APPROVED" && refund[Self.field] == "c1")
        #expect(refund.order == "100.00/40.00 of 100.00: PARTIALLY_REFUNDED")
        let empty = try await shop.follow("REFUND", "o1", "r2", amount: "0.01", target: "c1")
        #expect(empty.summary == "INVALID_REQUEST ALREADY_REFUNDED apiOperation INVALID")
        // Returned again for ever, by the transaction and by its order.
        #expect(try await shop.get("order/o1/transaction/r")[Self.field] == "c1")
        #expect(try await shop.get("order/o1")["transaction[3].\(Self.field)"] == "c1")
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// What the bank has taken back of one capture is not refunded of that, and the other is.
    @Test func chargebackIsOfTheCaptureThatItNames() async throws {
        let shop = try await CommWebShop.open()
        try await Self.twoCaptures(shop)
        let captures = try #require(try await shop.test.payments().first).operations.filter { $0.kind == .capture }
        let second = try #require(captures.last)
        let event = AcquirerNotice.Event.chargedBack(second.amount, fee: nil)
        #expect(try await shop.test.report(event, of: second.id, reference: "cb") == .booked)
        let gone = try await shop.follow("REFUND", "o1", "r1", amount: "40.00", target: "c2")
        #expect(gone.summary == "INVALID_REQUEST ALREADY_REFUNDED apiOperation INVALID")
        let refund = try await shop.follow("REFUND", "o1", "r2", amount: "40.00", target: "c1")
        #expect(refund.summary == "SUCCESS APPROVED")
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    @Test func refusesARefundOfWhatIsNoCapture() async throws {
        let shop = try await CommWebShop.open()
        try await Self.twoCaptures(shop)
        try await shop.follow("REFUND", "o1", "r", amount: "10.00", target: "c1")
        for id in ["a", "r"] {
            let reply = try await shop.follow("REFUND", "o1", "x", amount: "1.00", target: id)
            #expect(reply.summary == "INVALID_REQUEST FIELD_INVALID \(Self.field) INVALID", "\(id)")
        }
        let unknown = try await shop.follow("REFUND", "o1", "x", amount: "1.00", target: "nothing")
        #expect(unknown.summary == "INVALID_REQUEST TRANSACTION_NOT_FOUND \(Self.field) INVALID")
        try await shop.void("o1", "v", target: "c2")
        let voided = try await shop.follow("REFUND", "o1", "x", amount: "1.00", target: "c2")
        #expect(voided.summary == "INVALID_REQUEST ALREADY_VOIDED apiOperation INVALID")
        #expect(voided["error.explanation"] == "The transaction, or its payment, has been voided.")
        #expect(try await shop.test.bookedCount(.refund) == 1)
    }

    /// The acquirer has taken back what it had approved; nobody has voided it.
    @Test func whatCameToNothingIsNotCalledVoided() async throws {
        let shop = try await CommWebShop.open()
        try await Self.twoCaptures(shop)
        let payment = try #require(try await shop.test.payments().first)
        let late = AcquirerNotice.Event.failedLate(.doNotHonor, AcquirerAnswer())
        let capture = try #require(payment.operations.last { $0.kind == .capture }).id
        #expect(try await shop.test.report(late, of: capture, reference: "late") == .booked)
        let refund = try await shop.follow("REFUND", "o1", "x", amount: "1.00", target: "c2")
        #expect(refund.summary == "INVALID_REQUEST NOT_CAPTURED apiOperation INVALID")
        let void = try await shop.void("o1", "v", target: "c2")
        #expect(void.summary == "INVALID_REQUEST NOT_VOIDABLE apiOperation INVALID")
    }

    /// The approval's codes beside "declined" would say that it stands.
    @Test(arguments: [nil, "93"])
    func whatCameToNothingHasNotTheApprovalsCodes(reported: String?) async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("AUTHORIZE", "o1", "a", amount: "10.00")
        #expect(try await shop.get("order/o1/transaction/a")["response.acquirerCode"] == "00")
        let authorization = try #require(try await shop.test.payments().first?.authorization).id
        let late = AcquirerNotice.Event.failedLate(.suspectedFraud, AcquirerAnswer(responseCode: reported))
        #expect(try await shop.test.report(late, of: authorization, reference: "late") == .booked)
        let retrieved = try await shop.get("order/o1/transaction/a")
        #expect(retrieved["result"] == "FAILURE")
        #expect(retrieved["response.acquirerCode"] == reported)
        #expect(retrieved["authorizationResponse.responseCode"] == reported)
        #expect(retrieved["transaction.authorizationCode"] == nil)
    }

    @Test func lapsedAuthorizationIsNotCalledVoided() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("AUTHORIZE", "o1", "a", amount: "10.00")
        let authorization = try #require(try await shop.test.payments().first?.authorization).id
        let late = AcquirerNotice.Event.failedLate(.doNotHonor, AcquirerAnswer())
        #expect(try await shop.test.report(late, of: authorization, reference: "late") == .booked)
        let capture = try await shop.follow("CAPTURE", "o1", "c", amount: "10.00")
        #expect(capture.summary == "INVALID_REQUEST ORDER_NOT_AUTHORIZED apiOperation INVALID")
    }

    @Test func refusesARefundThatNamesNoneOfSeveral() async throws {
        let shop = try await CommWebShop.open()
        try await Self.twoCaptures(shop)
        let several = try await shop.follow("REFUND", "o1", "r", amount: "1.00")
        #expect(several.summary == "INVALID_REQUEST FIELD_MISSING \(Self.field) MISSING" && several.status == 400)
        // Of the other nothing is left, so there is one again.
        try await shop.follow("REFUND", "o1", "r1", amount: "40.00", target: "c1")
        let refund = try await shop.follow("REFUND", "o1", "r2", amount: "60.00")
        #expect(refund.summary == "SUCCESS APPROVED" && refund[Self.field] == "c2")
        #expect(refund.order == "100.00/100.00 of 100.00: REFUNDED")
    }

    /// ActiveMerchant names no target; its reference is the id of the capture.
    @Test func takesTheReferenceOfAClientThatKnowsNoTargets() async throws {
        let shop = try await CommWebShop.open()
        try await Self.twoCaptures(shop)
        var body = Body(["apiOperation": "REFUND", "transaction.amount": "60.00", "transaction.currency": "USD"])
        body["transaction.reference"] = "c2"
        let refund = try await shop.put("o1", "r1", body.json)
        #expect(refund.summary == "SUCCESS APPROVED" && refund[Self.field] == "c2")
        // Its answer lost, it comes again under another id: that is no refund of the other capture.
        body["transaction.amount"] = "40.00"
        let again = try await shop.put("o1", "r1b", body.json)
        #expect(again.summary.hasPrefix("INVALID_REQUEST ALREADY_REFUNDED") && again.status == 400)
        // Where there is one, the reference is anything.
        body["transaction.amount"] = "1.00"
        body["transaction.reference"] = "refund-17"
        #expect(try await shop.put("o1", "r2", body.json)[Self.field] == "c1")
    }

    @Test func refundsAPaymentByItsId() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("PAY", "o1", "p", amount: "10.00")
        let named = try await shop.follow("REFUND", "o1", "r1", amount: "4.00", target: "p")
        #expect(named.summary == "SUCCESS APPROVED" && named[Self.field] == "p")
        let unnamed = try await shop.follow("REFUND", "o1", "r2", amount: "6.00")
        #expect(unnamed.summary == "SUCCESS APPROVED" && unnamed[Self.field] == "p")
        #expect(unnamed.order == "10.00/10.00 of 10.00: REFUNDED")
    }

    /// Both fit by themselves, and together they do not: the capture is counted where the refund is begun.
    @Test func refundsACaptureOnceAlsoWhenAskedTwiceAtOnce() async throws {
        let shop = try await CommWebShop.open()
        try await Self.twoCaptures(shop)
        let summaries = try await withThrowingTaskGroup(of: String.self) { group in
            for index in 1...6 {
                group.addTask {
                    try await shop.follow("REFUND", "o1", "r\(index)", amount: "30.00", target: "c1").summary
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(summaries.filter { $0 == "SUCCESS APPROVED" }.count == 1)
        // Which of the two it is depends on whether the first has ended.
        let refusals = ["REFUND_EXCEEDS_CAPTURED", "ORDER_LOCKED"]
        #expect(summaries.filter { summary in refusals.contains { summary.contains($0) } }.count == 5)
        #expect(try await shop.get("order/o1").order == "100.00/30.00 of 100.00: PARTIALLY_REFUNDED")
    }

    /// Whoever is refunded has been paid by somebody else otherwise.
    @Test(arguments: [
        "sourceOfFunds.type", "sourceOfFunds.provided.card.number", "sourceOfFunds.token", "sourceOfFunds.x.y",
    ])
    func refusesARefundToAnotherCard(path: String) async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("PAY", "o1", "p", amount: "10.00")
        var body = Body(["apiOperation": "REFUND", "transaction.amount": "1.00", "transaction.currency": "USD"])
        body[path] = path.hasSuffix("type") ? "CARD" : "5123450000000008"
        let expected = "INVALID_REQUEST FIELD_NOT_SUPPORTED sourceOfFunds UNSUPPORTED"
        let reply = try await shop.put("o1", "r", body.json)
        #expect(reply.summary == expected && !reply.text.contains("512345"))
        var form = body.form
        form["order.id"] = "o1"
        form["transaction.id"] = "r"
        #expect(try await shop.nvp(form).summary == expected)
        #expect(try await shop.test.bookedCount(.refund) == 0)
        // Empty shells are nothing.
        let shells = """
            {"apiOperation":"REFUND","sourceOfFunds":{"provided":{"card":{"expiry":{},"number":""}},"type":null},
             "transaction":{"amount":"1.00","currency":"USD"}}
            """
        let refund = try await shop.send(.put, shop.merchantPath("order/o1/transaction/r"), Array(shells.utf8))
        #expect(refund.summary == "SUCCESS APPROVED")
    }

    @Test func capturesAndUpdatesTheAuthorizationThatIsNamed() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("AUTHORIZE", "o1", "a", amount: "100.00")
        #expect(
            try await shop.follow("UPDATE_AUTHORIZATION", "o1", "u", amount: "90.00", target: "a").summary
                == "SUCCESS APPROVED")
        try await shop.follow("CAPTURE", "o1", "c1", amount: "40.00", target: "a")
        for operation in ["CAPTURE", "UPDATE_AUTHORIZATION"] {
            let other = try await shop.follow(operation, "o1", "x", amount: "50.00", target: "c1")
            #expect(other.summary == "INVALID_REQUEST FIELD_INVALID \(Self.field) INVALID")
            let unknown = try await shop.follow(operation, "o1", "x", amount: "50.00", target: "nothing")
            #expect(unknown.summary == "INVALID_REQUEST TRANSACTION_NOT_FOUND \(Self.field) INVALID")
        }
        // An update is one of the authorization, and names it as well.
        let updated = try await shop.follow("CAPTURE", "o1", "c2", amount: "10.00", target: "u")
        #expect(updated.summary == "SUCCESS APPROVED")
        #expect(try await shop.get("order/o1").order == "50.00/0.00 of 90.00: PARTIALLY_CAPTURED")
    }

    /// A capture that has been refunded stays: what is void of it would be given back twice.
    @Test func refusesTheVoidOfACaptureThatHasBeenRefunded() async throws {
        let shop = try await CommWebShop.open()
        try await Self.twoCaptures(shop)
        try await shop.follow("REFUND", "o1", "r", amount: "1.00", target: "c1")
        let refused = try await shop.void("o1", "v", target: "c1")
        #expect(refused.summary == "INVALID_REQUEST ALREADY_REFUNDED apiOperation INVALID")
        #expect(try await shop.void("o1", "v", target: "c2").summary == "SUCCESS APPROVED")
        #expect(try await shop.test.bookProblems().isEmpty)
    }
}
