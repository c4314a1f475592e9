//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerConformance
import Money
import Payments
import TestUpstream
import Testing

@testable import AlphaPayUpstream

/// What is concluded from answers to `refund` and `inquiryRefund`.
@Suite struct RefundTests {
    private static func outcome(_ answer: String) async throws -> AcquirerOutcome {
        try await Bench.outcome(of: Bench.refund(try Bench.money(400)), answer).wordless
    }

    private static func found(_ answer: String) async throws -> AcquirerQueryOutcome {
        let original = Bench.original(.refund, try Bench.money(400), id: Bench.operationID, memo: AcquirerMemo())
        return try await Bench.with(script: Signed.always(answer)) { acquirer, _ in
            await acquirer.query(Bench.query(original)).wordless
        }
    }

    private static let answer = AcquirerAnswer(reference: Bench.refundID)

    private static var approval: AcquirerApproval {
        get throws {
            AcquirerApproval(amount: try Bench.money(400), answer: Self.answer, memo: Bench.refundMemo)
        }
    }

    private static let invalidOperation = AcquirerOutcome.declined(
        AcquirerDecline(reason: .invalidOperation, answer: AcquirerAnswer()))

    // MARK: - Refunds

    @Test func isRefunded() async throws {
        #expect(try await Self.outcome(TestAnswer.refund()) == .approved(try Self.approval))
    }

    @Test(arguments: [
        (TestAnswer.refund(requestID: "op_another"), "other_refund"),
        (TestAnswer.refund(requestID: nil), "other_refund"),
        (TestAnswer.refund(paymentID: "1"), "other_refund"), (TestAnswer.refund(paymentID: nil), "other_refund"),
        (TestAnswer.refund(value: "401"), "other_amount"), (TestAnswer.refund(currency: "USD"), "other_amount"),
        (TestAnswer.refund(value: "4.00"), "other_amount"),
        (TestAnswer.refund(status: "U", code: "REFUND_IN_PROCESS", refundID: nil), "in_process"),
        (TestAnswer.failed("UNKNOWN_EXCEPTION", status: "U"), "in_process"),
        (TestAnswer.failed("REPEAT_REQ_INCONSISTENT"), "repeat_req_inconsistent"),
        (TestAnswer.failed("REFUND_IN_PROCESS"), "refund_in_process"),
        (TestAnswer.refund(status: "F", code: "DO_NOT_HONOR", requestID: "op_another"), "other_refund"),
    ])
    func isOpen(_ answer: String, _ word: String) async throws {
        #expect(try await Self.outcome(answer) == .unclear(word))
    }

    /// AlphaPay's own id of it is needed to ask what became of it.
    @Test func whatIsUnderWayIsAskedForByAlphaPaysId() async throws {
        let amount = try Bench.money(400)
        let answers = [TestAnswer.refund(status: "U", code: "REFUND_IN_PROCESS"), TestAnswer.refund("SUCCESS")]
        try await Bench.with(script: Signed.inTurn(answers)) { acquirer, stub in
            let outcome = await acquirer.perform(Bench.refund(amount))
            var expected = UnknownOutcome.unclear("in_process")
            expected.memo = Bench.refundMemo
            #expect(outcome == .unknown(expected))
            let original = Bench.original(.refund, amount, id: Bench.operationID, memo: outcome.memo)
            let approval = try Self.approval
            #expect(await acquirer.query(Bench.query(original)) == .approved(approval))
            #expect(stub.requests.last?.text.contains(#""refundId":"\#(Bench.refundID)""#) == true)
        }
    }

    /// It may have been made before, by this very request.
    @Test(arguments: ["SOMETHING", "ORDER_REFUNDED", "REFUND_AMOUNT_EXCEED"])
    func refundThatStandsIsNotDeclined(_ code: String) async throws {
        let amount = try Bench.money(400)
        for (found, expected) in [
            ("SUCCESS", AcquirerOutcome.approved(try Self.approval)),
            ("REFUND_IN_PROCESS", .accepted(AcquirerAcceptance(Self.answer, memo: Bench.refundMemo))),
        ] {
            try await Bench.with(script: Signed.inTurn([TestAnswer.failed(code), TestAnswer.refund(found)])) {
                acquirer, stub in
                #expect(await acquirer.perform(Bench.refund(amount)) == expected)
                #expect(stub.requests.count == 2)
            }
        }
    }

    @Test(arguments: [
        "ORDER_NOT_PAID", "ORDER_REFUNDED", "REFUND_AMOUNT_EXCEED", "REFUND_COUNT_EXCEED", "ORDER_STATUS_INVALID",
        "ORDER_NOT_EXIST", "ORDER_CANCELED", "ORDER_EXPIRED", "ORDER_PAID",
    ])
    func stateOfTheOrderIsADecline(_ code: String) async throws {
        #expect(try await Self.outcome(TestAnswer.failed(code)) == Self.invalidOperation)
    }

    @Test(arguments: PayAnswerTests.declines) func isDeclined(_ code: String, _ reason: DeclineReason) async throws {
        #expect(
            try await Self.outcome(TestAnswer.refund(status: "F", code: code))
                == .declined(AcquirerDecline(reason: reason, answer: Self.answer, memo: Bench.refundMemo)))
    }

    @Test func codeThatIsNotListedIsADeclineWithoutReason() async throws {
        #expect(
            try await Self.outcome(TestAnswer.failed("SOMETHING"))
                == .declined(AcquirerDecline(reason: .unspecified, answer: AcquirerAnswer())))
    }

    @Test(
        arguments: [
            ("SYSTEM_BUSY", .busy), ("CHANNEL_UNAVAILABLE", .busy), ("NONCE_MALFORMED", .notAuthorized),
            ("PARAM_ILLEGAL", .requestRefused), ("CHANNEL_MISCONFIGURED", .requestRefused),
        ] as [(String, NotProcessedReason)])
    func refusalOfTheRequestIsNoDecline(_ code: String, _ reason: NotProcessedReason) async throws {
        #expect(
            try await Self.outcome(TestAnswer.failed(code))
                == .notProcessed(NotProcessed(reason, code.lowercased())))
    }

    @Test func nothingIsRefundedWithoutAnOrder() async throws {
        let amount = try Bench.money(400)
        let sale = Bench.original(.authorization, amount, memo: AcquirerMemo())
        try await Bench.with(script: Bench.noAnswer) { acquirer, stub in
            #expect(await acquirer.perform(Bench.refund(amount, of: sale)) == Self.invalidOperation)
            #expect(stub.requests.isEmpty)
        }
    }

    // MARK: - Inquiries

    @Test func findsWhatWasRefunded() async throws {
        #expect(try await Self.found(TestAnswer.refund("SUCCESS")) == .approved(try Self.approval))
    }

    /// AlphaPay has it and decides later, which is no reason to take anything back.
    @Test func refundInProcessIsAccepted() async throws {
        #expect(
            try await Self.found(TestAnswer.refund("REFUND_IN_PROCESS", code: "REFUND_IN_PROCESS"))
                == .accepted(AcquirerAcceptance(Self.answer, memo: Bench.refundMemo)))
    }

    @Test(
        arguments: [
            ("DO_NOT_HONOR", .doNotHonor), ("CHANNEL_UNAVAILABLE", .systemError), (nil, .unspecified),
            ("SOMETHING", .unspecified), ("ORDER_REFUNDED", .invalidOperation), ("TAKEN_BACK", .systemError),
        ] as [(String?, DeclineReason)])
    func findsWhyItFailed(_ code: String?, _ reason: DeclineReason) async throws {
        #expect(
            try await Self.found(TestAnswer.refund("FAILED", resultCode: code))
                == .declined(AcquirerDecline(reason: reason, answer: Self.answer, memo: Bench.refundMemo)))
    }

    @Test func isNotFoundInAlphaPaysWordsAlone() async throws {
        #expect(try await Self.found(TestAnswer.failed("REFUND_NOT_EXIST")) == .notFound)
        for code in ["ORDER_NOT_EXIST", "PARAM_ILLEGAL", "INVALID_SIGNATURE", "SYSTEM_BUSY"] {
            #expect(try await Self.found(TestAnswer.failed(code)) == .unknown(.unclear(code.lowercased())))
        }
    }

    @Test(arguments: [
        (TestAnswer.refund("PENDING"), "status_not_understood"), (TestAnswer.refund(nil), "status_not_understood"),
        (TestAnswer.refund("SUCCESS", value: "1"), "other_amount"),
        (TestAnswer.refund("SUCCESS", requestID: "op_another"), "other_refund"),
        (TestAnswer.refund("SUCCESS", status: "U"), "inquiry_without_answer"),
        (TestAnswer.failed("SOMETHING"), "result_not_listed"),
    ])
    func knowsNothing(_ answer: String, _ word: String) async throws {
        #expect(try await Self.found(answer) == .unknown(.unclear(word)))
    }
}
