//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerConformance
import Money
import Payments
import TestUpstream
import Testing

@testable import MPGS

/// What is concluded from an answer to a charge.
@Suite struct AnswerTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var status = 201
        let body: String
        let outcome: AcquirerOutcome

        var testDescription: String { self.name }
    }

    private static let usd = Currency.alphabetic("USD")

    private static func approved(_ minorUnits: Int64) -> AcquirerOutcome {
        guard let usd else { return .unclear("no currency") }
        return .approved(
            AcquirerApproval(amount: Money(minorUnits: minorUnits, currency: usd), answer: TestReply.answer))
    }

    private static func declined(_ reason: DeclineReason, _ code: String?) -> AcquirerOutcome {
        var answer = TestReply.answer
        answer.responseCode = code
        return .declined(AcquirerDecline(reason: reason, answer: answer))
    }

    /// An answer with everything in it that is kept beside the codes; the gateway's own words are kept of a decline.
    @Test(arguments: [false, true])
    func keepsWhatTheAcquirerSaysBeside(_ isDeclined: Bool) async throws {
        let card = #""number": "xxxxxxxxxxxx1234""#
        let more =
            #", "paymentAccountReference": "V0010013019339005665779448477", "devicePayment": {"3DSecure": {"eciIndicator": "05"}}"#
        var reply = TestReply()
        if isDeclined { (reply.result, reply.code, reply.acquirerCode) = ("FAILURE", "EXPIRED_CARD", "54") }
        let body = reply.text.replacing(card, with: card + more)
            .replacing(
                #""stan": "46465", "transactionIdentifier""#,
                with: #""merchantAdviceCode": "01", "stan": "46465", "transactionIdentifier""#)
        var answer = TestReply.answer
        answer.paymentAccountReference = "V0010013019339005665779448477"
        (answer.merchantAdviceCode, answer.eci) = ("01", "05")
        let script: StubUpstream.Script = { _, _ in StubAnswer(status: 200, body: body) }
        let amount = try Bench.money(3010)
        let outcome = try await Bench.with(script: script) { acquirer, _ in
            await acquirer.perform(Bench.request(.authorize(Bench.charge()), amount))
        }
        guard isDeclined else {
            #expect(outcome == .approved(AcquirerApproval(amount: amount, answer: answer)))
            return
        }
        (answer.responseCode, answer.vendorCode, answer.vendorText) = ("54", "EXPIRED_CARD", "Approved")
        #expect(outcome == .declined(AcquirerDecline(reason: .expiredCard, answer: answer)))
    }

    private static func notProcessed(_ reason: NotProcessedReason, _ word: String) -> AcquirerOutcome {
        .notProcessed(NotProcessed(reason, word))
    }

    static let transactions: [Case] = [
        Case(name: "approved", body: TestReply().text, outcome: Self.approved(3010)),
        Case(name: "approved, 200", status: 200, body: TestReply().text, outcome: Self.approved(3010)),
        Case(name: "approved by rule", body: TestReply(code: "APPROVED_AUTO").text, outcome: Self.approved(3010)),
        Case(
            name: "approved, settles later", body: TestReply(code: "APPROVED_PENDING_SETTLEMENT").text,
            outcome: Self.approved(3010)),
        Case(name: "more decimals", body: TestReply(amount: "30.1000").text, outcome: Self.approved(3010)),
        Case(
            name: "partial", body: TestReply(code: "PARTIALLY_APPROVED", totalAuthorized: "12.34").text,
            outcome: Self.approved(1234)),
        Case(
            name: "partial, stated as the part",
            body: TestReply(code: "PARTIALLY_APPROVED", amount: "12.34", totalAuthorized: "12.34").text,
            outcome: Self.approved(1234)),
        Case(
            name: "partial of nothing", body: TestReply(code: "PARTIALLY_APPROVED", totalAuthorized: "0").text,
            outcome: .unclear("part_not_understood")),
        Case(
            name: "partial of more", body: TestReply(code: "PARTIALLY_APPROVED", totalAuthorized: "31.00").text,
            outcome: .unclear("part_not_understood")),
        Case(
            name: "partial of unknown", body: TestReply(code: "PARTIALLY_APPROVED", totalAuthorized: nil).text,
            outcome: .unclear("part_not_understood")),
        Case(
            name: "declined", body: TestReply(result: "FAILURE", code: "DECLINED", acquirerCode: "05").text,
            outcome: Self.declined(.doNotHonor, "05")),
        Case(
            name: "issuer's code first", body: TestReply(result: "FAILURE", code: "DECLINED", acquirerCode: "51").text,
            outcome: Self.declined(.insufficientFunds, "51")),
        Case(
            name: "no issuer's code",
            body: TestReply(result: "FAILURE", code: "EXPIRED_CARD", acquirerCode: nil).text,
            outcome: Self.declined(.expiredCard, nil)),
        Case(
            name: "unknown issuer's code",
            body: TestReply(result: "FAILURE", code: "BLOCKED", acquirerCode: "Q1").text,
            outcome: Self.declined(.suspectedFraud, "Q1")),
        Case(
            name: "timed out", body: TestReply(result: "FAILURE", code: "TIMED_OUT", acquirerCode: nil).text,
            outcome: .timedOut("gateway_timed_out")),
        Case(
            name: "locked", body: TestReply(result: "FAILURE", code: "LOCK_FAILURE", acquirerCode: nil).text,
            outcome: Self.notProcessed(.busy, "order_locked")),
        Case(
            name: "pending", body: TestReply(result: "PENDING", code: "SUBMITTED").text,
            outcome: .unclear("result_pending")),
        Case(
            name: "success that is pending", body: TestReply(code: "PENDING").text, outcome: .unclear("result_pending")
        ),
        Case(
            name: "unknown", body: TestReply(result: "UNKNOWN", code: "UNKNOWN").text,
            outcome: .unclear("result_unknown")),
        Case(
            name: "a result of tomorrow", body: TestReply(result: "MAYBE").text,
            outcome: .unclear("result_not_understood")),
        Case(
            name: "a code of tomorrow", body: TestReply(code: "APPROVED_TOMORROW").text,
            outcome: .unclear("code_not_understood")),
        Case(
            name: "a failure of tomorrow", body: TestReply(result: "FAILURE", code: "NOT_YET_NAMED").text,
            outcome: .unclear("code_not_understood")),
        Case(
            name: "a failure that is approved", body: TestReply(result: "FAILURE", code: "APPROVED").text,
            outcome: .unclear("code_not_understood")),
        Case(
            name: "a success that is declined", body: TestReply(code: "DECLINED").text,
            outcome: .unclear("code_not_understood")),
    ]

    static let strangers: [Case] = [
        Case(
            name: "another order", body: TestReply(order: "pay_other").text,
            outcome: .unclear("answer_about_another_transaction")),
        Case(
            name: "another transaction", body: TestReply(transaction: "op_other").text,
            outcome: .unclear("answer_about_another_transaction")),
        Case(
            name: "a decline of another transaction",
            body: TestReply(transaction: "op_other", result: "FAILURE", code: "DECLINED").text,
            outcome: .unclear("answer_about_another_transaction")),
        Case(
            name: "another merchant", body: TestReply(merchant: "TESTOTHER").text,
            outcome: .unclear("answer_about_another_transaction")),
        Case(
            name: "another kind", body: TestReply(type: "REFUND").text,
            outcome: .unclear("answer_about_another_transaction")),
        Case(
            name: "another currency", body: TestReply(currency: "EUR").text,
            outcome: .unclear("answer_about_another_transaction")),
        Case(
            name: "another amount", body: TestReply(amount: "30.11").text,
            outcome: .unclear("answer_about_another_amount")),
        Case(
            name: "a part of a cent", body: TestReply(amount: "30.101").text,
            outcome: .unclear("answer_about_another_amount")),
        Case(
            name: "no amount", body: TestReply(amount: nil).text, outcome: .unclear("answer_about_another_amount")),
        Case(name: "no JSON", body: "<html>", outcome: .unclear("answer_unreadable")),
        Case(name: "nothing", body: "", outcome: .unclear("answer_unreadable")),
        Case(name: "no result", body: "{}", outcome: .unclear("answer_unreadable")),
        Case(name: "a list", body: "[]", outcome: .unclear("answer_unreadable")),
        Case(
            name: "the result twice", body: #"{"result": "SUCCESS", "result": "FAILURE"}"#,
            outcome: .unclear("answer_unreadable")),
    ]

    static let errors: [Case] = [
        Case(
            name: "invalid", status: 400, body: TestReply.error("INVALID_REQUEST", field: "order.amount"),
            outcome: Self.notProcessed(.requestRefused, "invalid_request")),
        Case(
            name: "the token", status: 400,
            body: TestReply.error(
                "INVALID_REQUEST", field: "sourceOfFunds.provided.card.devicePayment.paymentToken",
                supportCode: "190223456789"),
            outcome: Self.notProcessed(.tokenRefused, "token_refused")),
        Case(
            name: "another amount than the token's, of another Pomona", status: 400,
            body: TestReply.error("INVALID_REQUEST", field: "order.amount", supportCode: "TOKEN_AMOUNT_DIFFERS"),
            outcome: Self.notProcessed(.tokenRefused, "token_refused")),
        Case(
            name: "a token that another Pomona's acquirer does not take", status: 400,
            body: TestReply.error("INVALID_REQUEST", supportCode: "TOKEN_REFUSED"),
            outcome: Self.notProcessed(.tokenRefused, "token_refused")),
        Case(
            name: "an amount, whatever the vendor's number", status: 400,
            body: TestReply.error("INVALID_REQUEST", field: "order.amount", supportCode: "190223456789"),
            outcome: Self.notProcessed(.requestRefused, "invalid_request")),
        Case(
            name: "rejected", status: 400, body: TestReply.error("REQUEST_REJECTED"),
            outcome: Self.notProcessed(.requestRefused, "request_rejected")),
        Case(
            name: "busy", status: 503, body: TestReply.error("SERVER_BUSY"), outcome: .unclear("http_503")),
        Case(
            name: "busy with 400", status: 400, body: TestReply.error("SERVER_BUSY"), outcome: .unclear("server_busy")),
        Case(
            name: "failed", status: 200, body: TestReply.error("SERVER_FAILED"), outcome: .unclear("server_failed")),
        Case(
            name: "a cause of tomorrow", status: 200, body: TestReply.error("MOON"),
            outcome: .unclear("error_not_understood")),
        Case(
            name: "a cause of tomorrow, 400", status: 400, body: TestReply.error("MOON"),
            outcome: Self.notProcessed(.requestRefused, "http_400")),
        Case(name: "a page", status: 404, body: "<html>", outcome: Self.notProcessed(.requestRefused, "http_404")),
        Case(name: "405", status: 405, body: "", outcome: Self.notProcessed(.requestRefused, "http_405")),
        Case(name: "415", status: 415, body: "", outcome: Self.notProcessed(.requestRefused, "http_415")),
        Case(name: "422", status: 422, body: "{}", outcome: Self.notProcessed(.requestRefused, "http_422")),
        Case(
            name: "an approval under 400", status: 400, body: TestReply().text, outcome: .unclear("http_400")),
        Case(name: "an approval under 500", status: 500, body: TestReply().text, outcome: .unclear("http_500")),
        Case(
            name: "401", status: 401, body: TestReply.error("INVALID_REQUEST"),
            outcome: Self.notProcessed(.notAuthorized, "http_401")),
        Case(
            name: "403", status: 403, body: TestReply.error("REQUEST_REJECTED"),
            outcome: Self.notProcessed(.notAuthorized, "http_403")),
        Case(name: "429", status: 429, body: "", outcome: Self.notProcessed(.busy, "http_429")),
        Case(name: "408", status: 408, body: "", outcome: .timedOut("http_408")),
        Case(name: "425", status: 425, body: "", outcome: .unclear("http_425")),
        Case(name: "409", status: 409, body: "", outcome: .unclear("http_409")),
        Case(name: "500", status: 500, body: "", outcome: .unclear("http_500")),
        Case(name: "502", status: 502, body: "<html>", outcome: .unclear("http_502")),
        Case(name: "504", status: 504, body: "", outcome: .timedOut("http_504")),
        Case(name: "a redirect", status: 302, body: "", outcome: Self.notProcessed(.requestRefused, "http_redirect")),
    ]

    @Test(arguments: transactions + strangers + errors)
    func isReadAsItStands(_ one: Case) async throws {
        let amount = try Bench.money(3010)
        let script: StubUpstream.Script = { _, _ in StubAnswer(status: one.status, body: one.body) }
        let outcome = try await Bench.with(script: script) { acquirer, _ in
            await acquirer.perform(Bench.request(.authorize(Bench.charge()), amount))
        }
        #expect(outcome.wordless == one.outcome)
    }

    /// Every gateway code of the vendor's list but those that say that nothing is decided.
    @Test func everyFailureCodeHasItsReason() {
        let undecided: Set = ["PENDING", "SUBMITTED", "UNKNOWN", "DEFERRED_TRANSACTION_RECEIVED", "NO_BALANCE"]
        for code in undecided { #expect(GatewayCode.declineReason(code) == nil) }
        for code in GatewayCode.approvals { #expect(GatewayCode.declineReason(code) == nil) }
        #expect(GatewayCode.declineReason("INSUFFICIENT_FUNDS") == .insufficientFunds)
        #expect(GatewayCode.declineReason("declined") == nil)
    }
}
