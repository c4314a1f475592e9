//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CryptoExtras
import Payments
import TestUpstream
import Testing

/// What is concluded from answers to `preOrder`: an order, or that nothing was done.
@Suite struct PreparationTests {
    private static func prepared(script: @escaping StubUpstream.Script) async throws -> AcquirerPreparation {
        let amount = try Bench.money(1099)
        return try await Bench.with(script: script) { acquirer, _ in
            await acquirer.prepare(Bench.sale(amount, memo: AcquirerMemo()))
        }
    }

    private static func prepared(_ answer: String) async throws -> AcquirerPreparation {
        try await self.prepared { call, _ in Signed.answer(answer, to: call) }
    }

    @Test(arguments: ["U", "S"]) func notesTheOrder(_ status: String) async throws {
        #expect(try await Self.prepared(TestAnswer.order(status: status)) == .ready(Bench.orderMemo))
    }

    @Test(arguments: [
        TestAnswer.order(requestID: "op_another"), TestAnswer.order(paymentID: ""), TestAnswer.order(paymentID: "a b"),
        TestAnswer.failed("PAYMENT_IN_PROCESS", status: "U"),
    ])
    func takesNoOrderThatIsNotOurs(_ answer: String) async throws {
        #expect(
            try await Self.prepared(answer)
                == .notProcessed(NotProcessed(.requestRefused, "order_not_understood")))
    }

    @Test(
        arguments: [
            ("SYSTEM_BUSY", .busy, "system_busy"), ("INVALID_SIGNATURE", .notAuthorized, "invalid_signature"),
            ("CURRENCY_NOT_SUPPORT", .requestRefused, "currency_not_support"),
            ("MERCHANT_IDENTIFIER_UNKNOWN", .requestRefused, "merchant_identifier_unknown"),
            ("REPEAT_REQ_INCONSISTENT", .requestRefused, "repeat_req_inconsistent"),
            ("ORDER_PAID", .requestRefused, "order_paid"), ("DO_NOT_HONOR", .requestRefused, "do_not_honor"),
            ("SOMETHING", .requestRefused, "result_not_listed"),
        ] as [(String, NotProcessedReason, String)])
    func refusalEndsIt(_ code: String, _ reason: NotProcessedReason, _ word: String) async throws {
        #expect(try await Self.prepared(TestAnswer.failed(code)) == .notProcessed(NotProcessed(reason, word)))
    }

    /// Whoever pays an order that he has not heard of: nobody. So nothing has been done.
    @Test(arguments: [500, 502, 503, 504, 408]) func lostAnswerMovesNoMoney(_ status: Int) async throws {
        let prepared = try await Self.prepared { _, _ in StubAnswer(status: status, body: "") }
        #expect(prepared == .notProcessed(NotProcessed(.notSent, "http_\(status)")))
    }

    @Test func unsignedOrderIsTheOperatorsBusiness() async throws {
        let expected = AcquirerPreparation.notProcessed(
            NotProcessed(.notAuthorized, "answer_not_signed_by_alphapay"))
        #expect(try await Self.prepared { _, _ in StubAnswer(status: 200, body: TestAnswer.order()) } == expected)
        let stranger = try Keys.stranger
        #expect(
            try await Self.prepared { call, _ in Signed.answer(TestAnswer.order(), to: call, key: stranger) }
                == expected)
    }

    @Test func unreadableAnswerMovesNoMoney() async throws {
        #expect(
            try await Self.prepared { _, _ in StubAnswer(status: 200, body: "<html>") }
                == .notProcessed(NotProcessed(.notSent, "answer_unreadable")))
    }
}
