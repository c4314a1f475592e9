//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import StrictJSON
import TestUpstream
import Testing
import Time

@testable import TapPayUpstream

/// What is concluded from what TapPay says of an operation afterwards.
@Suite struct QueryTests {
    private static let name = Bench.authorizationID.shortName

    private static func payment(_ list: String) async throws -> AcquirerQueryOutcome {
        let amount = try Bench.money(35_000)
        return try await Bench.with(answers: ["transaction/query": list]) { acquirer, _ in
            await acquirer.query(Bench.query(Bench.original(.authorization, amount)))
        }
    }

    private static func followUp(
        _ kind: PaymentOperation.Kind, about original: OriginalOperation? = nil, _ answers: [String: String]
    ) async throws -> AcquirerQueryOutcome {
        let amount = try Bench.money(35_000)
        let original = original ?? Bench.original(.authorization, amount)
        return try await Bench.with(answers: answers) { acquirer, _ in
            await acquirer.query(await Bench.query(kind, amount, about: original, with: acquirer))
        }
    }

    // MARK: - Payments

    @Test func readsRecords() async throws {
        let amount = try Bench.money(35_000)
        let memo = AcquirerMemo(trade: Bench.trade)
        let approved = AcquirerQueryOutcome.approved(
            AcquirerApproval(amount: amount, answer: TestReply.answer(), memo: memo))
        func declined(_ reason: DeclineReason, _ code: String?) -> AcquirerQueryOutcome {
            .declined(AcquirerDecline(reason: reason, answer: TestReply.answer(code), memo: memo))
        }
        for (record, expected) in [
            (TestReply.record(0, name: Self.name), approved),
            (TestReply.record(1, name: Self.name, isCaptured: true), approved),
            (TestReply.record(2, name: Self.name, refunded: 100, isCaptured: true), approved),
            (TestReply.record(3, name: Self.name, refunded: 350, isCaptured: true), approved),
            // Given back before anything was taken.
            (TestReply.record(3, name: Self.name, refunded: 350), .reversed),
            (TestReply.record(5, name: Self.name), .reversed),
            (
                TestReply.record(4, name: Self.name),
                .accepted(AcquirerAcceptance(TestReply.answer(), memo: memo))
            ),
            (TestReply.record(-1, name: Self.name, code: "51"), declined(.insufficientFunds, "51")),
            (TestReply.record(-1, name: Self.name, code: ""), declined(.unspecified, nil)),
            (TestReply.record(0, name: Self.name, amount: "349"), .unknown(.unclear("record_of_another_amount"))),
            (TestReply.record(0, name: Self.name, currency: "USD"), .unknown(.unclear("record_of_another_amount"))),
            (TestReply.record(6, name: Self.name), .unknown(.unclear("record_not_understood"))),
            // The filter was not looked at.
            (TestReply.record(0, name: "TP20250615Uxy4ZR"), .unknown(.unclear("record_not_understood"))),
        ] {
            #expect(try await Self.payment(TestReply.list(record)) == expected, "\(record)")
        }
    }

    /// Only a list that is whole and empty says that there is none.
    @Test func notFoundIsAnEmptyList() async throws {
        let record = TestReply.record(0, name: Self.name)
        for (answer, expected) in [
            (TestReply.list(), .notFound), (TestReply.status(0, #""trade_records":[]"#), .notFound),
            (TestReply.status(2), .unknown(.unclear("records_missing"))),
            (
                TestReply.status(2, #""number_of_transactions":1,"trade_records":[]"#),
                .unknown(.unclear("records_missing"))
            ),
            (TestReply.list(record, record), .unknown(.unclear("record_not_understood"))),
            (TestReply.status(421, #""trade_records":[]"#), .unknown(.unclear("status_421"))),
            (TestReply.status(548), .unknown(.unclear("status_548"))),
            (TestReply.status(777), .unknown(.unclear("status_not_understood"))),
            ("", .unknown(.unclear("answer_unreadable"))),
        ] as [(String, AcquirerQueryOutcome)] {
            #expect(try await Self.payment(answer) == expected, "\(answer)")
        }
    }

    @Test func readsOlderRecords() async throws {
        let amount = try Bench.money(35_000)
        let older = { (refunded: Int64) in
            """
            {"rec_trade_id":"D1","bank_transaction_id":"\(Self.name)","record_status":1,"amount":350,"currency":"TWD",
            "refunded_amount":\(refunded),"is_captured":true}
            """
        }
        guard case .approved(let approval) = try await Self.payment(TestReply.list(older(0))) else {
            Issue.record("not found")
            return
        }
        #expect(approval.amount == amount)
        #expect(try await Self.payment(TestReply.list(older(1))) == .unknown(.unclear("record_not_understood")))
    }

    // MARK: - Captures

    @Test func readsCaptures() async throws {
        let amount = try Bench.money(35_000)
        for (record, expected) in [
            (
                TestReply.record(1, isCaptured: true),
                .approved(AcquirerApproval(amount: amount, answer: AcquirerAnswer()))
            ),
            (TestReply.record(0, plannedAt: 1_750_000_000_000), .accepted(AcquirerAcceptance())),
            (TestReply.record(0), .notFound), (TestReply.record(3), .notFound),
            (TestReply.record(3, plannedAt: 1_750_000_000_000), .notFound),
            (TestReply.record(4), .unknown(.unclear("trade_pending"))),
            (TestReply.record(1, amount: "1", isCaptured: true), .unknown(.unclear("record_of_another_amount"))),
            (TestReply.record(1, trade: "D2", isCaptured: true), .unknown(.unclear("record_not_understood"))),
        ] as [(String, AcquirerQueryOutcome)] {
            #expect(
                try await Self.followUp(.capture, ["transaction/query": TestReply.list(record)]) == expected,
                "\(record)")
        }
        #expect(
            try await Self.followUp(.capture, ["transaction/query": TestReply.list()])
                == .unknown(.unclear("trade_not_listed")))
    }

    // MARK: - Refunds

    @Test func recognizesRefundsByTheirNameAlone() async throws {
        let amount = try Bench.money(35_000)
        let name = Bench.operationID.shortName
        let own = TestReply.entry(3, name: name, refund: Bench.refundTrade)
        let approved = AcquirerQueryOutcome.approved(
            AcquirerApproval(
                amount: amount, answer: AcquirerAnswer(reference: Bench.refundTrade, responseCode: "00"),
                memo: AcquirerMemo(trade: nil, refund: Bench.refundTrade)))
        let unrecognized = AcquirerQueryOutcome.unknown(.unclear("refund_not_recognized"))
        let authorization = TestReply.entry(0)
        let late = Bench.at.milliseconds + 1000
        for (history, expected) in [
            (TestReply.history(authorization, own), approved),
            // Another refund, of the same amount, under another name.
            (TestReply.history(authorization, TestReply.entry(3, name: "OTHER", refund: "RF1")), .notFound),
            (TestReply.history(TestReply.entry(3, name: "OTHER", refund: "RF1"), own), approved),
            (TestReply.history(authorization), .notFound),
            // One that was made in the Portal has no name: it could be ours unless something says that it is not.
            (TestReply.history(TestReply.entry(3, refund: "RF1", millis: late)), unrecognized),
            (TestReply.history(TestReply.entry(3, refund: "RF1", millis: late - 3_600_000)), .notFound),
            (TestReply.history(TestReply.entry(3, amount: "1", refund: "RF1", millis: late)), .notFound),
            (TestReply.history(TestReply.entry(3, refund: "RF1", millis: late), own), approved),
            // Our name, and yet not what we asked for.
            (TestReply.history(TestReply.entry(3, amount: "1", name: name, refund: "RF1")), unrecognized),
            (TestReply.history(own, own), unrecognized),
            (TestReply.history(TestReply.entry(3, name: name)), unrecognized),
            (TestReply.history(TestReply.entry(1, name: name)), unrecognized),
            (TestReply.history(TestReply.entry(3, name: name, isPending: true)), .accepted(AcquirerAcceptance())),
            (TestReply.history(own, TestReply.entry(6, refund: Bench.refundTrade)), .reversed),
            (TestReply.history(own, TestReply.entry(6, refund: Bench.refundTrade, success: false)), approved),
            (TestReply.history(own, TestReply.entry(6, refund: "RF1")), approved),
            (TestReply.history(TestReply.entry(6, name: name, refund: Bench.refundTrade)), .reversed),
            (
                TestReply.history(TestReply.entry(3, name: name, success: false, code: "54")),
                .declined(
                    AcquirerDecline(reason: .expiredCard, answer: AcquirerAnswer(responseCode: "54")))
            ),
            (TestReply.history(own, trade: "D2"), .unknown(.unclear("history_not_understood"))),
            (TestReply.history(own, currency: "USD"), unrecognized),
            (TestReply.history(own, currency: ""), .unknown(.unclear("history_not_understood"))),
            // A number that nobody has published.
            (TestReply.history(own, TestReply.entry(9)), .unknown(.unclear("history_not_understood"))),
            (TestReply.status(4002), .unknown(.unclear("status_4002"))), ("", .unknown(.unclear("answer_unreadable"))),
        ] as [(String, AcquirerQueryOutcome)] {
            #expect(
                try await Self.followUp(.refund, ["transaction/trade-history": history]) == expected, "\(history)")
        }
    }

    // MARK: - Voids and reversals

    @Test func findsWhatTookAPaymentBack() async throws {
        let amount = try Bench.money(35_000)
        let name = Bench.operationID.shortName
        let own = TestReply.entry(3, name: name, refund: Bench.refundTrade)
        let taken = TestReply.list(TestReply.record(3, name: Self.name))
        let stands = TestReply.list(TestReply.record(0, name: Self.name))
        let refunded = AcquirerQueryOutcome.approved(
            AcquirerApproval(
                amount: amount, answer: AcquirerAnswer(reference: Bench.refundTrade, responseCode: "00"),
                memo: AcquirerMemo(trade: nil, refund: Bench.refundTrade)))
        let approved = AcquirerQueryOutcome.approved(AcquirerApproval(amount: amount, answer: AcquirerAnswer()))
        for kind in [PaymentOperation.Kind.void, .reversal] {
            for (record, history, expected) in [
                (taken, TestReply.history(own), refunded), (taken, TestReply.history(), approved),
                (stands, TestReply.history(), .notFound), (TestReply.list(), "", .notFound),
                ("", "", .unknown(.unclear("answer_unreadable"))),
            ] as [(String, String, AcquirerQueryOutcome)] {
                #expect(
                    try await Self.followUp(
                        kind, ["transaction/query": record, "transaction/trade-history": history]) == expected)
            }
        }
    }

    @Test func findsWhatTookACaptureOrARefundBack() async throws {
        let amount = try Bench.money(35_000)
        let approved = AcquirerQueryOutcome.approved(AcquirerApproval(amount: amount, answer: AcquirerAnswer()))
        let capture = Bench.original(.capture, amount)
        for (record, expected) in [
            (TestReply.record(0), approved), (TestReply.record(1, isCaptured: true), .notFound),
        ] {
            #expect(
                try await Self.followUp(.void, about: capture, ["transaction/query": TestReply.list(record)])
                    == expected)
        }
        let made = TestReply.entry(3, name: Self.name, refund: Bench.refundTrade)
        let canceled = TestReply.history(made, TestReply.entry(6, refund: Bench.refundTrade))
        for refund in [Bench.refundTrade, nil] {
            let original = Bench.original(.refund, amount, refund: refund)
            for (history, expected) in [
                (canceled, approved), (TestReply.history(made), .notFound),
                ("", .unknown(.unclear("answer_unreadable"))),
            ] as [(String, AcquirerQueryOutcome)] {
                #expect(
                    try await Self.followUp(.void, about: original, ["transaction/trade-history": history])
                        == expected)
            }
        }
    }

    /// Nothing is sent before its memo is durable.
    @Test func whatHasNoMemoWasNeverSent() async throws {
        let amount = try Bench.money(35_000)
        try await Bench.with(answers: [:]) { acquirer, stub in
            for kind in [PaymentOperation.Kind.capture, .refund, .void, .reversal] {
                let original = Bench.original(kind, amount, id: Bench.operationID, trade: nil)
                #expect(await acquirer.query(Bench.query(original)) == .notFound)
            }
            #expect(stub.requests.isEmpty)
        }
    }
}
