//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerConformance
import Money
import Payments
import TestUpstream
import Testing

/// What is concluded from answers to `inquiryPayment`.
@Suite struct QueryTests {
    private static func found(
        _ original: OriginalOperation? = nil, script: @escaping StubUpstream.Script
    ) async throws -> AcquirerQueryOutcome {
        let original = try original ?? Bench.original(.authorization, try Bench.money(1099))
        return try await Bench.with(script: script) { acquirer, _ in
            await acquirer.query(Bench.query(original)).wordless
        }
    }

    private static func found(_ answer: String) async throws -> AcquirerQueryOutcome {
        try await self.found { call, _ in Signed.answer(answer, to: call) }
    }

    private static let answer = AcquirerAnswer(reference: "T-4711")

    @Test(arguments: ["SUCCESS", "PARTIAL_REFUND"]) func findsWhatIsPaid(_ status: String) async throws {
        let approval = AcquirerApproval(amount: try Bench.money(1099), answer: Self.answer, memo: Bench.orderMemo)
        #expect(try await Self.found(TestAnswer.payment(status)) == .approved(approval))
    }

    /// Nobody here refunds a payment that is not known to be paid: somebody has taken it back.
    @Test func refundedWholeIsTakenBack() async throws {
        #expect(try await Self.found(TestAnswer.payment("FULL_REFUND")) == .reversed)
    }

    /// AlphaPay, "Order Inquiry": CLOSED is the status of an order that nobody has paid and nobody can.
    @Test func canceledOrderIsTakenBack() async throws {
        #expect(try await Self.found(TestAnswer.payment("CLOSED")) == .reversed)
        #expect(try await Self.found(TestAnswer.payment("FAILED", resultCode: "ORDER_CANCELED")) == .reversed)
    }

    @Test(
        arguments: [
            ("DO_NOT_HONOR", .doNotHonor), ("CARD_EXPIRED", .expiredCard), ("ORDER_EXPIRED", .timedOut),
            ("TAKEN_BACK", .systemError), ("CHANNEL_UNAVAILABLE", .systemError),
            ("CHANNEL_MISCONFIGURED", .systemError),
            ("SOMETHING", .unspecified), (nil, .unspecified), ("UNKNOWN_EXCEPTION", .unspecified),
        ] as [(String?, DeclineReason)])
    func findsWhyItFailed(_ code: String?, _ reason: DeclineReason) async throws {
        #expect(
            try await Self.found(TestAnswer.payment("FAILED", resultCode: code))
                == .declined(AcquirerDecline(reason: reason, answer: Self.answer, memo: Bench.orderMemo)))
    }

    /// The inquiry has succeeded, and the payment has not: not yet, or never.
    @Test func unpaidAndUnderWayAreAlike() async throws {
        #expect(
            try await Self.found(TestAnswer.payment("PAYMENT_IN_PROCESS", code: "PAYMENT_IN_PROCESS"))
                == .unknown(.unclear("in_process")))
    }

    @Test(arguments: [
        (TestAnswer.payment("SUCCESS", value: "1100"), "other_amount"),
        (TestAnswer.payment("SUCCESS", currency: "USD"), "other_amount"),
        (TestAnswer.payment("SUCCESS", paymentID: "1"), "other_payment"),
        (TestAnswer.payment("SUCCESS", paymentID: nil), "other_payment"),
        (TestAnswer.payment("PAID"), "status_not_understood"), (TestAnswer.payment(nil), "status_not_understood"),
        (TestAnswer.payment("SUCCESS", status: "U"), "inquiry_without_answer"),
        (TestAnswer.payment("SUCCESS", status: "F"), "result_not_listed"),
        (TestAnswer.failed("PARAM_ILLEGAL"), "param_illegal"),
        (TestAnswer.failed("REFUND_NOT_EXIST"), "refund_not_exist"),
    ])
    func knowsNothing(_ answer: String, _ word: String) async throws {
        #expect(try await Self.found(answer) == .unknown(.unclear(word)))
    }

    @Test func orderThatAlphaPayDoesNotKnowIsNotFound() async throws {
        #expect(try await Self.found(TestAnswer.failed("ORDER_NOT_EXIST")) == .notFound)
    }

    /// The order is noted before it is paid: what has none was not sent.
    @Test func whatHasNoOrderWasNeverSent() async throws {
        let original = Bench.original(.authorization, try Bench.money(1099), memo: AcquirerMemo())
        #expect(try await Self.found(original) { _, _ in StubAnswer(status: 500, body: "") } == .notFound)
    }

    @Test(arguments: [
        (401, "http_401"), (404, "http_404"), (429, "http_429"), (500, "http_500"), (302, "http_redirect"),
    ])
    func anotherStatusSaysNothing(_ status: Int, _ word: String) async throws {
        let found = try await Self.found { call, _ in
            Signed.answer(TestAnswer.payment("SUCCESS"), to: call, status: status)
        }
        #expect(found == .unknown(.unclear(word)))
    }

    @Test(
        arguments: [.capture, .adjustment, .void, .verification, .lateFailure, .chargeback] as [PaymentOperation.Kind]
    )
    func whatIsNeverSentIsNotFound(_ kind: PaymentOperation.Kind) async throws {
        let original = Bench.original(kind, try Bench.money(1099))
        #expect(try await Self.found(original) { _, _ in StubAnswer(status: 500, body: "") } == .notFound)
    }
}
