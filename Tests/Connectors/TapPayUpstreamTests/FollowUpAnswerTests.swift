//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerConformance
import Money
import Payments
import TestUpstream
import Testing

@testable import TapPayUpstream

/// What is concluded from answers to what follows a payment.
@Suite struct FollowUpAnswerTests {
    private static func outcome(
        _ action: AcquirerRequest.Action, _ amount: Money, _ answers: [String: String]
    ) async throws -> (outcome: AcquirerOutcome, paths: [String]) {
        try await Bench.with(answers: answers) { acquirer, stub in
            let outcome = await acquirer.perform(Bench.request(action, amount))
            return (outcome, stub.requests.map { String($0.path.dropFirst("/tpc/transaction/".count)) })
        }
    }

    private static func notProcessed(_ reason: NotProcessedReason, _ word: String) -> AcquirerOutcome {
        .notProcessed(NotProcessed(reason, word))
    }

    private static func declined(_ reason: DeclineReason, _ code: String?) -> AcquirerOutcome {
        .declined(AcquirerDecline(reason: reason, answer: AcquirerAnswer(responseCode: code)))
    }

    private static func code(_ status: Int64, _ code: String) -> String {
        TestReply.status(status, #""bank_result_code":"\#(code)""#)
    }

    private static let name = Bench.operationID.shortName

    // MARK: - Captures

    @Test func readsCaptures() async throws {
        let amount = try Bench.money(35_000)
        let approved = AcquirerOutcome.approved(AcquirerApproval(amount: amount, answer: AcquirerAnswer()))
        let captured = TestReply.record(1, name: "x", isCaptured: true)
        for (cap, record, expected) in [
            (TestReply.status(0, #""cap_millis":1750000000000,"currency":"TWD""#), "", approved),
            (TestReply.status(0), "", approved),
            (TestReply.status(0, #""rec_trade_id":"\#(Bench.trade)""#), "", approved),
            (TestReply.status(0, #""rec_trade_id":"D2""#), "", .unclear("answer_about_another_trade")),
            (TestReply.status(0, #""currency":"USD""#), "", .unclear("answer_about_another_trade")),
            (Self.code(10_003, "51"), "", Self.declined(.insufficientFunds, "51")),
            (Self.code(10_023, ""), "", Self.declined(.unspecified, nil)),
            (TestReply.status(84), "", Self.notProcessed(.notAuthorized, "status_84")),
            (TestReply.status(596), "", Self.notProcessed(.requestRefused, "status_596")),
            (TestReply.status(421), "", .timedOut("status_421")), (TestReply.status(915), "", .unclear("status_915")),
            (TestReply.status(10_005), "", .unclear("status_10005")),
            (TestReply.status(10_010), "", .unclear("status_10010")),
            (TestReply.status(777), "", .unclear("status_not_understood")),
            // It has been captured before, by this operation, or can't be captured any more.
            (TestReply.status(4002), TestReply.list(captured), approved),
            (TestReply.status(4002), TestReply.list(TestReply.record(name: "x")), .wrongState),
            (TestReply.status(4002), TestReply.list(TestReply.record(3, name: "x")), .wrongState),
            (
                TestReply.status(4002), TestReply.list(TestReply.record(name: "x", plannedAt: 1)),
                .accepted(AcquirerAcceptance())
            ),
            (TestReply.status(4002), TestReply.list(), .unclear("trade_not_listed")),
            ("nothing", "", .unclear("answer_unreadable")),
        ] {
            let (outcome, paths) = try await Self.outcome(
                .capture(of: Bench.original(.authorization, amount), isFinal: true), amount,
                ["transaction/cap": cap, "transaction/query": record])
            #expect(outcome.wordless == expected, "\(cap)")
            #expect(paths == (record.isEmpty ? ["cap"] : ["cap", "query"]))
        }
    }

    // MARK: - Refunds

    private static func refunded(_ amount: Money, code: String? = "00") -> AcquirerOutcome {
        .approved(
            AcquirerApproval(
                amount: amount, answer: AcquirerAnswer(reference: Bench.refundTrade, responseCode: code),
                memo: AcquirerMemo(trade: nil, refund: Bench.refundTrade)))
    }

    @Test func readsRefunds() async throws {
        let amount = try Bench.money(35_000)
        for (refund, expected) in [
            (TestReply.refunded(), Self.refunded(amount)),
            (TestReply.refunded(isCaptured: false), Self.refunded(amount)),
            (TestReply.refunded(code: ""), Self.refunded(amount, code: nil)),
            (TestReply.refunded(amount: "349"), .unclear("answer_about_another_amount")),
            (TestReply.refunded(amount: "null"), .unclear("answer_about_another_amount")),
            (TestReply.refunded(currency: "USD"), .unclear("answer_about_another_trade")),
            (TestReply.refunded(refund: nil), .unclear("answer_about_another_trade")),
            (Self.code(10_003, "05"), Self.declined(.doNotHonor, "05")),
            (TestReply.status(506), Self.notProcessed(.requestRefused, "status_506")),
            (TestReply.status(421), .timedOut("status_421")), (TestReply.status(10_001), .unclear("status_10001")),
            (TestReply.status(777), .unclear("status_not_understood")), ("", .unclear("answer_unreadable")),
        ] {
            let (outcome, paths) = try await Self.outcome(
                .refund(of: Bench.original(.authorization, amount, captured: amount), capture: nil), amount,
                ["transaction/refund": refund])
            #expect(outcome.wordless == expected, "\(refund)")
            #expect(paths == ["refund"])
        }
    }

    /// What a refusal of the trade's state means depends on whether this refund has been made before.
    @Test(arguments: [4002, 4014, 6002, 10_011, 10_050, 10_051, 11_000, 10_005, 10_006, 10_024, 10_010, 92] as [Int64])
    func looksUpRefusedRefunds(_ status: Int64) async throws {
        let amount = try Bench.money(35_000)
        let own = TestReply.entry(3, name: Self.name, refund: Bench.refundTrade)
        let others = TestReply.entry(3, name: Bench.authorizationID.shortName, refund: "RF1")
        let cancel = TestReply.entry(6, refund: Bench.refundTrade)
        let absent: AcquirerOutcome =
            switch status {
            case 6002, 10_005, 10_006: .unclear("status_\(status)")
            case 10_010, 10_024: Self.notProcessed(.busy, "status_\(status)")
            default: .wrongState
            }
        for (history, expected) in [
            (TestReply.history(own), Self.refunded(amount)), (TestReply.history(own, others), Self.refunded(amount)),
            (TestReply.history(), absent), (TestReply.history(others), absent),
            (TestReply.history(own, cancel), .wrongState),
            (
                TestReply.history(TestReply.entry(3, name: Self.name, refund: "RF2", success: false, code: "51")),
                .declined(
                    AcquirerDecline(
                        reason: .insufficientFunds, answer: AcquirerAnswer(reference: "RF2", responseCode: "51")))
            ),
            (
                TestReply.history(TestReply.entry(3, name: Self.name, success: false, isPending: true)),
                .accepted(AcquirerAcceptance())
            ),
            ("", .unclear("answer_unreadable")),
        ] {
            let (outcome, paths) = try await Self.outcome(
                .refund(of: Bench.original(.authorization, amount, captured: amount), capture: nil), amount,
                ["transaction/refund": TestReply.status(status), "transaction/trade-history": history])
            #expect(outcome.wordless == expected, "\(history)")
            #expect(paths == ["refund", "trade-history"])
        }
    }

    @Test func refundOfWhatIsNotCapturedIsDeclined() async throws {
        let (amount, part) = (try Bench.money(35_000), try Bench.money(10_000))
        let answers = [
            "transaction/refund": TestReply.status(10_024), "transaction/trade-history": TestReply.history(),
        ]
        let authorized = Bench.original(.authorization, amount)
        #expect(try await Self.outcome(.refund(of: authorized, capture: nil), part, answers).outcome == .wrongState)
        // TapPay captures it in the evening, and then takes the same.
        let sale = Bench.original(.authorization, amount, isSale: true)
        #expect(
            try await Self.outcome(.refund(of: sale, capture: nil), part, answers).outcome
                == Self.notProcessed(.busy, "status_10024"))
    }

    // MARK: - Voids

    /// The second of two voids with one name is refused, and is the first one all the same.
    @Test func repeatedVoidIsTheFirst() async throws {
        let amount = try Bench.money(35_000)
        let own = TestReply.entry(3, name: Self.name, refund: Bench.refundTrade)
        let (outcome, _) = try await Self.outcome(
            .void(Bench.original(.authorization, amount)), amount,
            ["transaction/refund": TestReply.status(4014), "transaction/trade-history": TestReply.history(own)])
        #expect(outcome == Self.refunded(amount))
    }

    @Test func readsCancelledCaptures() async throws {
        let amount = try Bench.money(35_000)
        let approved = AcquirerOutcome.approved(AcquirerApproval(amount: amount, answer: AcquirerAnswer()))
        let held = TestReply.list(TestReply.record(name: "x"))
        let captured = TestReply.list(TestReply.record(1, name: "x", isCaptured: true))
        for (cancel, record, expected) in [
            (TestReply.status(0), "", approved),
            (TestReply.status(0, #""rec_trade_id":"D2""#), "", .unclear("answer_about_another_trade")),
            (TestReply.status(934), captured, .wrongState), (TestReply.status(935), held, approved),
            (TestReply.status(4002), TestReply.list(), .unclear("trade_not_listed")),
            (Self.code(10_003, "57"), captured, Self.declined(.notPermitted, "57")),
            (TestReply.status(10_005), captured, .unclear("status_10005")),
            (TestReply.status(936), "", .unclear("status_936")), (TestReply.status(421), "", .timedOut("status_421")),
            (TestReply.status(84), "", Self.notProcessed(.notAuthorized, "status_84")),
            (TestReply.status(777), "", .unclear("status_not_understood")),
        ] {
            let (outcome, paths) = try await Self.outcome(
                .void(Bench.original(.capture, amount)), amount,
                ["transaction/cap/cancel": cancel, "transaction/query": record])
            #expect(outcome.wordless == expected, "\(cancel)")
            #expect(paths == (record.isEmpty ? ["cap/cancel"] : ["cap/cancel", "query"]))
        }
    }

    @Test func readsCancelledRefunds() async throws {
        let amount = try Bench.money(35_000)
        let approved = AcquirerOutcome.approved(AcquirerApproval(amount: amount, answer: AcquirerAnswer()))
        let made = TestReply.entry(3, name: "x", refund: Bench.refundTrade)
        let canceled = TestReply.history(made, TestReply.entry(6, refund: Bench.refundTrade))
        func result(_ success: Bool, _ refund: String) -> String {
            TestReply.status(0, #""result":{"success":\#(success),"refund_id":"\#(refund)","amount":350}"#)
        }
        for (cancel, history, expected) in [
            (result(true, Bench.refundTrade), "", approved),
            (result(true, "RF2"), "", .unclear("cancellation_not_confirmed")),
            (result(false, Bench.refundTrade), "", .unclear("cancellation_not_confirmed")),
            (TestReply.status(0), "", .unclear("cancellation_not_confirmed")),
            (TestReply.status(68), TestReply.history(made), .wrongState),
            (TestReply.status(670), canceled, approved),
            (TestReply.status(670), TestReply.history(made, TestReply.entry(6, refund: "RF2")), .wrongState),
            (TestReply.status(670), "", .unclear("answer_unreadable")),
        ] {
            let (outcome, paths) = try await Self.outcome(
                .void(Bench.original(.refund, amount, refund: Bench.refundTrade)), amount,
                ["transaction/refund/cancel": cancel, "transaction/trade-history": history])
            #expect(outcome.wordless == expected, "\(cancel)")
            #expect(paths.first == "refund/cancel")
        }
    }

    // MARK: - Reversals

    @Test func reversesOnlyWhatIsThere() async throws {
        let amount = try Bench.money(35_000)
        let name = Bench.authorizationID.shortName
        let original = Bench.original(.authorization, amount, trade: nil)
        let approved = AcquirerOutcome.approved(AcquirerApproval(amount: amount, answer: AcquirerAnswer()))
        let own = TestReply.entry(3, name: Self.name, refund: Bench.refundTrade)
        for (record, history, expected, sent) in [
            (TestReply.list(TestReply.record(name: name)), "", Self.refunded(amount), ["query", "refund"]),
            // It may still come.
            (TestReply.list(), "", .wrongState, ["query"]),
            (TestReply.list(TestReply.record(-1, name: name)), "", .wrongState, ["query"]),
            (TestReply.list(TestReply.record(4, name: name)), "", .unclear("trade_pending"), ["query"]),
            (
                TestReply.list(TestReply.record(name: name, amount: "1")), "", .unclear("record_of_another_amount"),
                ["query"]
            ),
            // Taken back before: by this reversal, or by another.
            (
                TestReply.list(TestReply.record(3, name: name)), TestReply.history(own), Self.refunded(amount),
                ["query", "trade-history"]
            ),
            (
                TestReply.list(TestReply.record(5, name: name)), TestReply.history(), approved,
                ["query", "trade-history"]
            ),
            ("", "", .unclear("answer_unreadable"), ["query"]),
        ] as [(String, String, AcquirerOutcome, [String])] {
            let (outcome, paths) = try await Self.outcome(
                .reverse(original), amount,
                [
                    "transaction/query": record, "transaction/refund": TestReply.refunded(),
                    "transaction/trade-history": history,
                ])
            #expect(outcome.wordless == expected, "\(record)")
            #expect(paths == sent)
        }
    }

    @Test func reversesCapturesAndRefundsByWhatIsThere() async throws {
        let amount = try Bench.money(35_000)
        let approved = AcquirerOutcome.approved(AcquirerApproval(amount: amount, answer: AcquirerAnswer()))
        let capture = Bench.original(.capture, amount)
        for (record, expected, sent) in [
            (TestReply.record(1, name: "x", isCaptured: true), approved, ["query", "cap/cancel"]),
            (TestReply.record(0, name: "x", plannedAt: 1), approved, ["query", "cap/cancel"]),
            (TestReply.record(0, name: "x"), .wrongState, ["query"]),
        ] as [(String, AcquirerOutcome, [String])] {
            let (outcome, paths) = try await Self.outcome(
                .reverse(capture), amount,
                ["transaction/query": TestReply.list(record), "transaction/cap/cancel": TestReply.status(0)])
            #expect(outcome.wordless == expected)
            #expect(paths == sent)
        }
        let refund = Bench.original(.refund, amount)
        let name = refund.id.shortName
        let made = TestReply.entry(3, name: name, refund: Bench.refundTrade)
        let cancel = #""result":{"success":true,"refund_id":"\#(Bench.refundTrade)"}"#
        for (history, expected, sent) in [
            (TestReply.history(made), approved, ["trade-history", "refund/cancel"]),
            (
                TestReply.history(made, TestReply.entry(6, refund: Bench.refundTrade)), approved, ["trade-history"]
            ),
            (TestReply.history(), .wrongState, ["trade-history"]),
            (
                TestReply.history(TestReply.entry(3, name: name, isPending: true)), .unclear("refund_pending"),
                ["trade-history"]
            ),
        ] as [(String, AcquirerOutcome, [String])] {
            let (outcome, paths) = try await Self.outcome(
                .reverse(refund), amount,
                [
                    "transaction/trade-history": history,
                    "transaction/refund/cancel": TestReply.status(0, cancel),
                ])
            #expect(outcome.wordless == expected)
            #expect(paths == sent)
        }
    }
}
