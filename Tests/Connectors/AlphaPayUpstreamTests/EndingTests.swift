//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AlphaPayUpstream
import ConnectorKit
import CryptoExtras
import Money
import Payments
import TestUpstream
import Testing

/// How calls end that bring no answer of AlphaPay's, for every operation.
@Suite struct EndingTests {
    enum Call: String, CaseIterable, Sendable {
        case pay, refund, reverse

        func request(_ amount: Money) -> AcquirerRequest {
            switch self {
            case .pay: Bench.sale(amount)
            case .refund: Bench.refund(amount)
            case .reverse: Bench.reversal(amount)
            }
        }

        /// An answer that would be a success if it counted.
        var success: String {
            switch self {
            case .pay: TestAnswer.pay("SUCCESS")
            case .refund: TestAnswer.refund(value: "1099")
            case .reverse: TestAnswer.canceled()
            }
        }
    }

    private static func outcome(_ call: Call, script: @escaping StubUpstream.Script) async throws -> AcquirerOutcome {
        let amount = try Bench.money(1099)
        return try await Bench.with(script: script) { acquirer, _ in await acquirer.perform(call.request(amount)) }
    }

    private static let statuses =
        HTTPEnding.all + HTTPEnding.unclear([201, 202, 204])
        + [(413, .notProcessed(NotProcessed(.requestRefused, "http_413")))]

    /// "HTTP status must be 200": under any other, not even a signed success counts.
    @Test(arguments: Call.allCases, statuses.map(\.0))
    func onlyAnswersUnder200Count(_ call: Call, _ status: Int) async throws {
        let expected = try #require(Self.statuses.first { $0.0 == status }?.1)
        let outcome = try await Self.outcome(call) { request, _ in
            Signed.answer(status == 204 ? "" : call.success, to: request, status: status)
        }
        #expect(outcome == expected)
    }

    /// An order moves no money, so that nothing of it is ever unknown.
    @Test(arguments: statuses.map(\.0)) func ordersEndWithoutDoubt(_ status: Int) async throws {
        let amount = try Bench.money(1099)
        let expected = try #require(Self.statuses.first { $0.0 == status }?.1)
        let (prepared, count) = try await Bench.with(
            script: { request, _ in
                Signed.answer(status == 204 ? "" : TestAnswer.order(), to: request, status: status)
            },
            { acquirer, stub in
                (await acquirer.prepare(Bench.sale(amount, memo: AcquirerMemo())), stub.requests.count)
            })
        switch expected {
        case .notProcessed(let not): #expect(prepared == .notProcessed(not))
        case .unknown(let unknown): #expect(prepared == .notProcessed(NotProcessed(.notSent, unknown.word)))
        case .approved, .declined, .accepted: Issue.record("\(expected)")
        }
        #expect(count == 1)
    }

    /// Neither that it is done nor that there is no such thing.
    @Test(arguments: [PaymentOperation.Kind.authorization, .refund, .reversal], statuses.map(\.0))
    func questionsWithoutAnAnswerSayNothing(_ kind: PaymentOperation.Kind, _ status: Int) async throws {
        let original = Bench.original(
            kind, try Bench.money(1099), id: kind == .authorization ? Bench.saleID : Bench.operationID)
        let success =
            kind == .authorization ? TestAnswer.payment("SUCCESS") : TestAnswer.refund("SUCCESS", value: "1099")
        let found = try await Bench.with(
            script: { request, _ in Signed.answer(status == 204 ? "" : success, to: request, status: status) },
            { acquirer, _ in await acquirer.query(Bench.query(original)) })
        guard case .unknown(let unknown) = found else {
            Issue.record("\(found)")
            return
        }
        #expect(unknown.word == HTTPEnding.word(status))
    }

    @Test(arguments: Call.allCases) func signedAnswersCount(_ call: Call) async throws {
        let outcome = try await Self.outcome(call) { request, _ in Signed.answer(call.success, to: request) }
        guard case .approved = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    private static let notSigned = AcquirerOutcome.unclear("answer_not_signed_by_alphapay")

    @Test(arguments: Call.allCases, ["Signature", "Response-Time", "Nonce", "all"])
    func answerWithoutSignatureIsUnknown(_ call: Call, _ missing: String) async throws {
        let outcome = try await Self.outcome(call) { request, _ in
            Signed.answer(call.success, to: request) { headers in
                headers.removeAll { $0.name == missing || missing == "all" }
            }
        }
        #expect(outcome == Self.notSigned)
    }

    @Test(arguments: Call.allCases) func answerThatSomebodyElseSignedIsUnknown(_ call: Call) async throws {
        let stranger = try Keys.stranger
        let outcome = try await Self.outcome(call) { request, _ in
            Signed.answer(call.success, to: request, key: stranger)
        }
        #expect(outcome == Self.notSigned)
    }

    /// The merchant's own key signs requests, and no answers.
    @Test(arguments: Call.allCases) func answerThatTheMerchantSignedIsUnknown(_ call: Call) async throws {
        let merchant = try Keys.merchant
        let outcome = try await Self.outcome(call) { request, _ in
            Signed.answer(call.success, to: request, key: merchant)
        }
        #expect(outcome == Self.notSigned)
    }

    @Test(arguments: Call.allCases) func refusalWithoutSignatureIsUnknownToo(_ call: Call) async throws {
        for code in ["DO_NOT_HONOR", "INVALID_MERCHANT_CODE", "ORDER_PAID", "SYSTEM_BUSY"] {
            #expect(
                try await Self.outcome(call) { _, _ in StubAnswer(status: 200, body: TestAnswer.failed(code)) }
                    == Self.notSigned)
        }
    }

    /// What is signed has a path, a time, a nonce and a body.
    @Test(arguments: ["Response-Time", "Nonce", "body", "path", "moved"])
    func changedAnswerIsUnknown(_ part: String) async throws {
        let outcome = try await Self.outcome(.pay) { request, _ in
            switch part {
            case "body":
                let signed = Signed.answer(TestAnswer.pay("FAILED", status: "F", code: "DO_NOT_HONOR"), to: request)
                return StubAnswer(status: 200, body: Call.pay.success, headers: signed.headers)
            case "path":
                let signature = Signed.signature(
                    path: "/api/v2.0/payments/refund", time: "T", nonce: "N", Array(Call.pay.success.utf8))
                return StubAnswer(
                    status: 200, body: Call.pay.success,
                    headers: [("Response-Time", "T"), ("Nonce", "N"), ("Signature", signature)])
            case "moved":
                // The same signed text, cut elsewhere: a nonce with a dot in it leaves a shorter body.
                let signature = Signed.signature(
                    path: request.path, time: "T", nonce: "N", Array("x.\(Call.pay.success)".utf8))
                return StubAnswer(
                    status: 200, body: Call.pay.success,
                    headers: [("Response-Time", "T"), ("Nonce", "N.x"), ("Signature", signature)])
            default:
                return Signed.answer(Call.pay.success, to: request) { headers in
                    for index in headers.indices where headers[index].name == part { headers[index].value += "0" }
                }
            }
        }
        #expect(outcome == Self.notSigned)
    }

    @Test(arguments: Call.allCases) func nothingIsSentWhereNobodyListens(_ call: Call) async throws {
        let amount = try Bench.money(1099)
        let client = Bench.client()
        let host = StubUpstream.closedURL
        let acquirer = try Bench.connector(client).open(try Bench.account(host: host))
        #expect(
            await acquirer.perform(call.request(amount))
                == .notProcessed(NotProcessed(.notSent, "connection_refused")))
        await client.shutdown()
    }
}
