//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import TestUpstream
import Testing

/// Reversals: of orders that are not paid, of those that are, and of refunds.
@Suite struct TakingBackTests {
    private static func outcome(
        of original: OriginalOperation? = nil, _ answers: [String]
    ) async throws -> (AcquirerOutcome, [String]) {
        let amount = try Bench.money(1099)
        return try await Bench.with(script: Signed.inTurn(answers)) { acquirer, stub in
            let outcome = await acquirer.perform(Bench.reversal(amount, of: original))
            return (outcome, stub.requests.map { String($0.path.split(separator: "/").last ?? "") })
        }
    }

    private static var closed: AcquirerOutcome {
        get throws {
            .approved(
                AcquirerApproval(amount: try Bench.money(1099), answer: AcquirerAnswer(), memo: Bench.orderMemo))
        }
    }

    private static let invalidOperation = AcquirerOutcome.declined(
        AcquirerDecline(reason: .invalidOperation, answer: AcquirerAnswer()))

    // MARK: - Of a payment

    @Test func closesAnOrderThatIsNotPaid() async throws {
        let (outcome, calls) = try await Self.outcome([TestAnswer.canceled()])
        #expect(outcome == (try Self.closed))
        #expect(calls == ["cancel"])
    }

    @Test func refundsAnOrderThatIsPaid() async throws {
        let (outcome, calls) = try await Self.outcome([
            TestAnswer.failed("ORDER_PAID"), TestAnswer.payment("SUCCESS"), TestAnswer.refund(value: "1099"),
        ])
        #expect(
            outcome
                == .approved(
                    AcquirerApproval(
                        amount: try Bench.money(1099), answer: AcquirerAnswer(reference: Bench.refundID),
                        memo: Bench.refundMemo)))
        #expect(calls == ["cancel", "inquiryPayment", "refund"])
    }

    @Test(arguments: ["ORDER_REFUNDED", "SOMETHING"])
    func whatIsRefundedAlreadyIsTakenBack(_ code: String) async throws {
        let (outcome, _) = try await Self.outcome([
            TestAnswer.failed("ORDER_PAID"), TestAnswer.payment("FULL_REFUND"), TestAnswer.failed(code),
        ])
        #expect(outcome == (try Self.closed))
    }

    @Test func whatIsRefundedInPartIsNotTakenBackWhole() async throws {
        let (outcome, _) = try await Self.outcome([
            TestAnswer.failed("ORDER_PAID"), TestAnswer.payment("PARTIAL_REFUND"),
            TestAnswer.failed("REFUND_AMOUNT_EXCEED"),
        ])
        #expect(outcome == Self.invalidOperation)
    }

    @Test(arguments: ["ORDER_EXPIRED", "SOMETHING", "ORDER_CANCELED"], ["FAILED", "CLOSED"])
    func whatIsNotPaidAnyMoreIsTakenBack(_ code: String, _ status: String) async throws {
        let (outcome, calls) = try await Self.outcome([TestAnswer.failed(code), TestAnswer.payment(status)])
        #expect(outcome == (try Self.closed))
        #expect(calls == ["cancel", "inquiryPayment"])
    }

    @Test(arguments: [
        ([TestAnswer.failed("PAYMENT_IN_PROCESS", status: "U")], "in_process"),
        ([TestAnswer.canceled(paymentID: "1")], "other_payment"),
        ([TestAnswer.failed("SOMETHING"), TestAnswer.payment("PAYMENT_IN_PROCESS")], "in_process"),
        ([TestAnswer.failed("ORDER_PAID"), TestAnswer.payment("SUCCESS", value: "1")], "other_amount"),
        ([TestAnswer.failed("ORDER_PAID"), "{}"], "answer_without_result"),
        (
            [
                TestAnswer.failed("ORDER_PAID"), TestAnswer.payment("SUCCESS"),
                TestAnswer.refund(status: "U", code: "REFUND_IN_PROCESS", value: "1099", refundID: nil),
            ], "in_process"
        ),
    ])
    func isOpen(_ answers: [String], _ word: String) async throws {
        #expect(try await Self.outcome(answers).0 == .unclear(word))
    }

    @Test func refusedReversalIsNotProcessed() async throws {
        #expect(
            try await Self.outcome([TestAnswer.failed("SIGN_TIMEOUT")]).0
                == .notProcessed(NotProcessed(.notAuthorized, "sign_timeout")))
    }

    @Test func whatAlphaPayDoesNotKnowIsNotTakenBack() async throws {
        #expect(try await Self.outcome([TestAnswer.failed("ORDER_NOT_EXIST")]).0 == Self.invalidOperation)
        let original = Bench.original(.authorization, try Bench.money(1099), memo: AcquirerMemo())
        let (outcome, calls) = try await Self.outcome(of: original, [TestAnswer.canceled()])
        #expect(outcome == Self.invalidOperation)
        #expect(calls.isEmpty)
    }

    // MARK: - Of a refund

    @Test(arguments: [
        TestAnswer.refund("SUCCESS", value: "1099"), TestAnswer.refund("REFUND_IN_PROCESS", value: "1099"),
        TestAnswer.failed("REFUND_NOT_EXIST"),
    ])
    func refundIsNotTakenBack(_ answer: String) async throws {
        let original = Bench.original(.refund, try Bench.money(1099), id: Bench.operationID)
        let (outcome, calls) = try await Self.outcome(of: original, [answer])
        #expect(outcome == Self.invalidOperation)
        #expect(calls == ["inquiryRefund"])
    }

    @Test func refundThatFailedNeedsNoReversal() async throws {
        let original = Bench.original(.refund, try Bench.money(1099), id: Bench.operationID)
        let (outcome, _) = try await Self.outcome(of: original, [TestAnswer.refund("FAILED", value: "1099")])
        #expect(
            outcome == .approved(AcquirerApproval(amount: try Bench.money(1099), answer: AcquirerAnswer())))
    }

    /// Its reversal is over at once, and it stays open itself: a reversal under way would keep AlphaPay's notice out.
    @Test func refundOfWhichNobodyKnowsStaysOpen() async throws {
        let original = Bench.original(.refund, try Bench.money(1099), id: Bench.operationID)
        #expect(try await Self.outcome(of: original, ["{}"]).0 == Self.invalidOperation)
    }
}
