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

/// What is concluded from answers to `pay`.
@Suite struct PayAnswerTests {
    private static func outcome(_ answer: String) async throws -> AcquirerOutcome {
        try await Bench.outcome(of: Bench.sale(try Bench.money(1099)), answer).wordless
    }

    private static let answer = AcquirerAnswer(reference: "T-4711")

    private static func declined(_ reason: DeclineReason) -> AcquirerOutcome {
        .declined(AcquirerDecline(reason: reason, answer: Self.answer, memo: Bench.orderMemo))
    }

    /// For operators: the issuer's code AlphaPay keeps to itself.
    @Test func declineKeepsAlphaPaysOwnWords() async throws {
        let body = TestAnswer.pay("FAILED", status: "F", code: "DO_NOT_HONOR")
        guard case .declined(let decline) = try await Bench.outcome(of: Bench.sale(try Bench.money(1099)), body) else {
            Issue.record("not declined")
            return
        }
        #expect(decline.answer.vendorCode == "DO_NOT_HONOR")
        #expect(decline.answer.vendorText?.isEmpty == false)
    }

    // MARK: - Done

    /// The same call again is answered as the order stands now.
    @Test(arguments: ["SUCCESS", "PARTIAL_REFUND", "FULL_REFUND"])
    func isPaid(_ status: String) async throws {
        let approval = AcquirerApproval(amount: try Bench.money(1099), answer: Self.answer, memo: Bench.orderMemo)
        #expect(try await Self.outcome(TestAnswer.pay(status)) == .approved(approval))
    }

    @Test(arguments: ["FAILED", "PAYMENT_IN_PROCESS", "AUTHORIZED", "success", "", nil])
    func isNotPaidUnlessTheStatusSaysSo(_ status: String?) async throws {
        #expect(try await Self.outcome(TestAnswer.pay(status)) == .unclear("status_not_understood"))
    }

    @Test(arguments: ["2026061512000000043", "", nil])
    func anotherPaymentsAnswerSaysNothing(_ paymentID: String?) async throws {
        #expect(try await Self.outcome(TestAnswer.pay("SUCCESS", paymentID: paymentID)) == .unclear("other_payment"))
    }

    @Test(arguments: ["a b", String(repeating: "1", count: 129), "<script>", "", nil])
    func keepsNoReferenceThatIsNone(_ reference: String?) async throws {
        guard case .approved(let approval) = try await Self.outcome(TestAnswer.pay("SUCCESS", transactionID: reference))
        else {
            Issue.record("not approved")
            return
        }
        #expect(approval.answer == AcquirerAnswer())
    }

    // MARK: - Open

    @Test(arguments: ["PAYMENT_IN_PROCESS", "UNKNOWN_EXCEPTION", "SUCCESS", "DO_NOT_HONOR", ""])
    func isOpenWhateverTheCode(_ code: String) async throws {
        #expect(
            try await Self.outcome(TestAnswer.pay("PAYMENT_IN_PROCESS", status: "U", code: code))
                == .unclear("in_process"))
    }

    @Test(arguments: ["A", "s", "", "SUCCESS"]) func aStatusOfTomorrowSaysNothing(_ status: String) async throws {
        #expect(
            try await Self.outcome(TestAnswer.pay("SUCCESS", status: status)) == .unclear("answer_without_result"))
    }

    @Test(arguments: ["{}", "[]", #"{"result":"S"}"#, #"{"result":{}}"#, #"{"paymentStatus":"SUCCESS"}"#])
    func needsAResult(_ body: String) async throws {
        #expect(try await Self.outcome(body) == .unclear("answer_without_result"))
    }

    @Test(arguments: ["", "<html>", "result=S", #"{"result":{"resultStatus":"S"},"result":{"resultStatus":"F"}}"#])
    func needsJSON(_ body: String) async throws {
        #expect(try await Self.outcome(body) == .unclear("answer_unreadable"))
    }

    // MARK: - Failed

    static let declines: [(String, DeclineReason)] = [
        ("DO_NOT_HONOR", .doNotHonor), ("INSUFFICIENT_FUNDS", .insufficientFunds), ("CARD_EXPIRED", .expiredCard),
        ("CARD_INVALID", .invalidCard), ("CARD_LOST_OR_STOLEN", .lostOrStolenCard), ("RISK_REJECT", .suspectedFraud),
        ("PAYMENT_AMOUNT_EXCEED_LIMIT", .exceedsLimit), ("CARD_NOT_PERMITTED", .notPermitted),
        ("CARD_NETWORK_NOT_SUPPORTED", .notPermitted), ("ISSUER_UNAVAILABLE", .issuerUnavailable),
        ("CHANNEL_TIMEOUT", .timedOut), ("CHANNEL_SYSTEM_ERROR", .systemError), ("CHANNEL_REFUSED", .invalidOperation),
        ("PROCESS_FAIL", .unspecified), ("TAKEN_BACK", .systemError),
    ]

    @Test(arguments: declines) func isDeclined(_ code: String, _ reason: DeclineReason) async throws {
        #expect(
            try await Self.outcome(TestAnswer.pay("FAILED", status: "F", code: code)) == Self.declined(reason))
    }

    static let refusals: [(String, NotProcessedReason)] = [
        ("SYSTEM_BUSY", .busy), ("REQUEST_TRAFFIC_EXCEED_LIMIT", .busy), ("REQUEST_INCOMPLETE", .busy),
        ("CHANNEL_UNAVAILABLE", .busy), ("INVALID_SIGNATURE", .notAuthorized), ("KEY_VERSION_UNKNOWN", .notAuthorized),
        ("SIGN_TIMEOUT", .notAuthorized), ("NONCE_MALFORMED", .notAuthorized),
        ("HEADER_MISSING", .notAuthorized), ("INVALID_MERCHANT_CODE", .notAuthorized),
        ("ACCOUNT_NOT_CONFIGURED", .notAuthorized), ("SIGNATURE_MALFORMED", .notAuthorized),
        ("SIGNATURE_ALGORITHM_NOT_SUPPORTED", .notAuthorized), ("REQUEST_TIME_MALFORMED", .notAuthorized),
        ("PARAM_ILLEGAL", .requestRefused), ("CURRENCY_NOT_SUPPORT", .requestRefused), ("INVALID_API", .requestRefused),
        ("JSON_MALFORMED", .requestRefused), ("MEDIA_TYPE_NOT_SUPPORTED", .requestRefused),
        ("METHOD_NOT_SUPPORTED", .requestRefused), ("REQUEST_TOO_LARGE", .requestRefused),
        ("MERCHANT_NOT_READY", .requestRefused), ("MERCHANT_IDENTIFIER_UNKNOWN", .requestRefused),
        ("CHANNEL_NOT_CONNECTED", .requestRefused), ("CHANNEL_MISCONFIGURED", .requestRefused),
        ("APPLE_PAY_TOKEN_INVALID", .tokenRefused), ("APPLE_PAY_TOKEN_REPEATED", .tokenRefused),
        ("APPLE_PAY_AMOUNT_MISMATCH", .tokenRefused), ("APPLE_PAY_CURRENCY_MISMATCH", .tokenRefused),
        ("APPLE_PAY_MODE_MISMATCH", .tokenRefused), ("ORDER_EXPIRED", .requestRefused),
        ("ORDER_CANCELED", .requestRefused), ("ORDER_NOT_EXIST", .requestRefused),
        ("REFUND_NOT_EXIST", .requestRefused),
    ]

    /// How the order stands changes nothing: an earlier card may have been declined for it.
    @Test(arguments: refusals, ["FAILED", "PAYMENT_IN_PROCESS", nil])
    func refusalOfTheRequestIsNoDecline(_ one: (String, NotProcessedReason), _ status: String?) async throws {
        #expect(
            try await Self.outcome(TestAnswer.pay(status, status: "F", code: one.0))
                == .notProcessed(NotProcessed(one.1, one.0.lowercased())))
    }

    static let open = [
        "ORDER_PAID", "ORDER_REFUNDED", "ORDER_STATUS_INVALID", "ORDER_NOT_PAID", "REFUND_AMOUNT_EXCEED",
        "REFUND_COUNT_EXCEED", "REPEAT_REQ_INCONSISTENT", "PAYMENT_IN_PROCESS", "REFUND_IN_PROCESS",
        "UNKNOWN_EXCEPTION", "NONCE_REUSED",
    ]

    @Test(arguments: open) func leavesOpenWhatAnotherCallMayHaveDone(_ code: String) async throws {
        #expect(
            try await Self.outcome(TestAnswer.pay("FAILED", status: "F", code: code)) == .unclear(code.lowercased()))
    }

    @Test(arguments: ["SUCCESS", "PARTIAL_REFUND", "FULL_REFUND"])
    func aFailureOfWhatIsPaidSaysNothing(_ status: String) async throws {
        for code in ["ORDER_PAID", "DO_NOT_HONOR", "PARAM_ILLEGAL", "SOMETHING"] {
            #expect(
                try await Self.outcome(TestAnswer.pay(status, status: "F", code: code)) == .unclear("order_paid"))
        }
    }

    @Test func aFailureOfAnotherPaymentSaysNothing() async throws {
        #expect(
            try await Self.outcome(TestAnswer.pay("FAILED", status: "F", code: "DO_NOT_HONOR", paymentID: "1"))
                == .unclear("other_payment"))
    }

    /// AlphaPay publishes no list. F is its word for "payment failed", and only a payment can have failed as one.
    @Test(arguments: ["SOMETHING", "", "do_not_honor"])
    func codeThatIsNotListedIsADeclineOnlyOfAPayment(_ code: String) async throws {
        #expect(
            try await Self.outcome(TestAnswer.pay("FAILED", status: "F", code: code)) == Self.declined(.unspecified))
        #expect(
            try await Self.outcome(TestAnswer.failed(code))
                == .notProcessed(NotProcessed(.requestRefused, "result_not_listed")))
    }

    /// Every code of the table stands in one of the lists above, and in none that it does not belong to.
    @Test func everyListedCodeIsTested() {
        let tested = Self.declines.map(\.0) + Self.refusals.map(\.0) + Self.open
        #expect(Set(tested) == Set(ResultMeaning.all.keys))
        #expect(tested.count == ResultMeaning.all.count)
    }

    /// What nobody has published may say that the order has been paid, by this very request.
    @Test func refusalThatIsNotListedOfAPaidOrderIsNotBelieved() async throws {
        let amount = try Bench.money(1099)
        for (status, isApproved) in [("SUCCESS", true), ("PAYMENT_IN_PROCESS", false), ("CLOSED", false)] {
            let answers = [TestAnswer.failed("SOMETHING"), TestAnswer.payment(status)]
            try await Bench.with(script: Signed.inTurn(answers)) { acquirer, _ in
                switch await acquirer.perform(Bench.sale(amount)) {
                case .approved(let approval): #expect(isApproved && approval.amount == amount)
                case .notProcessed(let not): #expect(!isApproved && not.word == "result_not_listed")
                case let other: Issue.record("\(other)")
                }
            }
        }
    }
}
