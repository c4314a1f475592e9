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

/// What is concluded from the answers to the two steps of a payment.
@Suite struct ChargeAnswerTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let answer: String
        let outcome: AcquirerOutcome

        var testDescription: String { self.name }
    }

    private static let amount = Currency.alphabetic("TWD").map { Money(minorUnits: 35_000, currency: $0) }

    private static func outcome(
        _ answers: [String: String]
    ) async throws -> (outcome: AcquirerOutcome, paths: [String]) {
        let amount = try Bench.money(35_000)
        return try await Bench.with(answers: answers) { acquirer, stub in
            let outcome = await acquirer.perform(Bench.request(.authorize(Bench.charge()), amount))
            return (outcome, stub.requests.map { String($0.path.dropFirst("/tpc/".count)) })
        }
    }

    private static let steps = ["applepay/getprime", "payment/pay-by-prime"]
    private static let memo = AcquirerMemo(trade: Bench.trade)

    private static func approved(_ answer: AcquirerAnswer = TestReply.answer()) -> AcquirerOutcome {
        guard let amount else { return .unclear("no currency") }
        return .approved(AcquirerApproval(amount: amount, answer: answer, memo: self.memo))
    }

    private static func declined(_ reason: DeclineReason, _ code: String?) -> AcquirerOutcome {
        .declined(AcquirerDecline(reason: reason, answer: TestReply.answer(code), memo: self.memo))
    }

    private static func notProcessed(_ reason: NotProcessedReason, _ word: String) -> AcquirerOutcome {
        .notProcessed(NotProcessed(reason, word))
    }

    private static func open(_ reason: UnknownReason, _ status: Int64) -> AcquirerOutcome {
        var unknown = UnknownOutcome(reason, "status_\(status)")
        unknown.memo = self.memo
        return .unknown(unknown)
    }

    /// For operators, beside the bank's code.
    @Test func declineKeepsTapPaysOwnWords() async throws {
        let body = TestReply.status(10_003, #""bank_result_code":"51""#)
        let (outcome, _) = try await Bench.with(answers: ["applepay/getprime": body]) { acquirer, stub in
            await (acquirer.perform(Bench.request(.authorize(Bench.charge()), try Bench.money(35_000))), stub.requests)
        }
        guard case .declined(let decline) = outcome else {
            Issue.record("not declined")
            return
        }
        #expect(
            decline.answer == AcquirerAnswer(responseCode: "51", vendorCode: "10003", vendorText: "m"))
    }

    // MARK: - The second step

    static let paid: [Case] =
        [
            Case(name: "approved", answer: TestReply.paid(), outcome: Self.approved()),
            Case(name: "amount as text", answer: TestReply.paid(amount: #""350""#), outcome: Self.approved()),
            Case(
                name: "another amount", answer: TestReply.paid(amount: "349"),
                outcome: .unclear("answer_about_another_amount")),
            Case(
                name: "another currency", answer: TestReply.paid(currency: "USD"),
                outcome: .unclear("answer_about_another_amount")),
            Case(
                name: "no amount", answer: TestReply.paid(amount: "null"),
                outcome: .unclear("answer_about_another_amount")),
            Case(
                name: "another name", answer: TestReply.paid(name: "TP20250615Uxy4ZR"),
                outcome: .unclear("answer_about_another_trade")),
            Case(
                name: "no name", answer: TestReply.paid(name: nil), outcome: .unclear("answer_about_another_trade")),
            Case(
                name: "no trade", answer: TestReply.paid(trade: nil), outcome: .unclear("answer_about_another_trade")),
            Case(
                name: "decline of another", answer: TestReply.paid(10_003, name: "TP1", code: "05"),
                outcome: .unclear("answer_about_another_trade")),
            Case(
                name: "issuer's code", answer: TestReply.paid(10_003, code: "51"),
                outcome: Self.declined(.insufficientFunds, "51")),
            Case(
                name: "no issuer's code", answer: TestReply.paid(10_003, code: ""),
                outcome: Self.declined(.unspecified, nil)),
            Case(
                name: "unknown code", answer: TestReply.paid(10_003, code: "Q1"),
                outcome: Self.declined(.unspecified, "Q1")),
            Case(
                name: "amount error", answer: TestReply.paid(10_009, code: ""),
                outcome: Self.declined(.exceedsLimit, nil)),
            Case(
                name: "bank error", answer: TestReply.paid(10_023, code: "05"),
                outcome: Self.declined(.doNotHonor, "05")),
            Case(
                name: "redeem failed", answer: TestReply.paid(10_015, code: ""),
                outcome: Self.declined(.unspecified, nil)),
            Case(
                name: "expired card", answer: TestReply.paid(2013, code: ""), outcome: Self.declined(.expiredCard, nil)),
            Case(
                name: "bank's system, with the issuer's word", answer: TestReply.paid(10_005, code: "91"),
                outcome: Self.declined(.issuerUnavailable, "91")),
            Case(name: "gateway timeout", answer: TestReply.paid(421, code: ""), outcome: Self.open(.timedOut, 421)),
            Case(name: "authorization timeout", answer: TestReply.paid(422), outcome: Self.open(.timedOut, 422)),
            Case(name: "system error", answer: TestReply.paid(915), outcome: Self.open(.unclear, 915)),
            Case(name: "pending", answer: TestReply.paid(10_001), outcome: Self.open(.unclear, 10_001)),
            Case(
                name: "a timeout without a trade", answer: TestReply.status(421), outcome: .timedOut("status_421")),
            Case(
                name: "bank's merchant data", answer: TestReply.paid(10_008),
                outcome: Self.notProcessed(.notAuthorized, "status_10008")),
            Case(
                name: "no merchant", answer: TestReply.status(61),
                outcome: Self.notProcessed(.notAuthorized, "status_61")),
            Case(name: "address", answer: TestReply.status(4), outcome: Self.notProcessed(.notAuthorized, "status_4")),
            Case(
                name: "field", answer: TestReply.status(507), outcome: Self.notProcessed(.requestRefused, "status_507")),
            Case(
                name: "amount differs from the token's", answer: TestReply.status(909),
                outcome: Self.notProcessed(.tokenRefused, "status_909")),
            Case(
                name: "currency", answer: TestReply.status(89), outcome: Self.notProcessed(.requestRefused, "status_89")
            ),
        ]
        + ([3, 99, 700, 4002, 10_024, 12_345, -1] as [Int64]).map { status in
            Case(
                name: "\(status)", answer: TestReply.paid(status),
                outcome: StatusMeaning(status) == .notUnderstood
                    ? .unclear("status_not_understood") : .unclear("status_\(status)"))
        }
        + ["", "OK", "{}", "[]", #"{"status":"0"}"#, #"{"status":null}"#, #"{"status":0}x"#].map { text in
            Case(name: "unreadable: \(text)", answer: text, outcome: .unclear("answer_unreadable"))
        }

    @Test(arguments: paid) func readsPayments(_ one: Case) async throws {
        let (outcome, paths) = try await Self.outcome(["payment/pay-by-prime": one.answer])
        #expect(outcome.wordless == one.outcome)
        #expect(paths == Self.steps)
    }

    // MARK: - What has to be looked up

    static let records: [(String, Int64, String, AcquirerOutcome)] = [
        ("found", 6001, TestReply.list(TestReply.record()), Self.approved()),
        ("found, used at the bank", 10_006, TestReply.list(TestReply.record(1, isCaptured: true)), Self.approved()),
        ("found, order number", 10_013, TestReply.list(TestReply.record()), Self.approved()),
        ("declined before", 6001, TestReply.list(TestReply.record(-1, code: "54")), Self.declined(.expiredCard, "54")),
        (
            "taken back before", 6001, TestReply.list(TestReply.record(3)),
            .declined(AcquirerDecline(reason: .invalidOperation, answer: TestReply.answer(), memo: memo))
        ),
        (
            "pending", 6001, TestReply.list(TestReply.record(4)),
            .accepted(AcquirerAcceptance(TestReply.answer(), memo: memo))
        ),
        // It says that the name is used, and lists nothing under it.
        ("contradiction", 6001, TestReply.list(), .unclear("status_6001")),
        ("prime over", 91, TestReply.list(), Self.notProcessed(.tokenRefused, "status_91")),
        ("prime used, and nothing paid", 121, TestReply.list(), Self.notProcessed(.tokenRefused, "status_121")),
        ("prime used, and paid", 121, TestReply.list(TestReply.record()), Self.approved()),
        ("bank failed, and it went through", 10_005, TestReply.list(TestReply.record()), Self.approved()),
        ("bank failed", 10_005, TestReply.list(TestReply.record(-1, code: "")), Self.declined(.systemError, nil)),
        ("bank failed, nobody knows", 10_005, TestReply.list(), .unclear("status_10005")),
        ("another's amount", 6001, TestReply.list(TestReply.record(amount: "1")), .unclear("record_of_another_amount")),
        ("no answer", 6001, "", .unclear("answer_unreadable")),
    ]

    @Test(arguments: records.indices) func looksUpWhatMayHaveBeenPaid(_ index: Int) async throws {
        let (name, status, list, expected) = Self.records[index]
        let (outcome, paths) = try await Self.outcome([
            "payment/pay-by-prime": TestReply.paid(status, code: ""), "transaction/query": list,
        ])
        #expect(outcome.wordless == expected, "\(name)")
        #expect(paths == Self.steps + ["transaction/query"])
    }

    // MARK: - The first step

    static let primes: [Case] = [
        Case(
            name: "expired card", answer: TestReply.status(2013),
            outcome: .declined(AcquirerDecline(reason: .expiredCard, answer: AcquirerAnswer()))),
        Case(
            name: "no card", answer: TestReply.status(41),
            outcome: .declined(AcquirerDecline(reason: .invalidCard, answer: AcquirerAnswer()))),
        Case(name: "no app", answer: TestReply.status(11), outcome: Self.notProcessed(.notAuthorized, "status_11")),
        Case(name: "app key", answer: TestReply.status(16), outcome: Self.notProcessed(.notAuthorized, "status_16")),
        Case(
            name: "identifier", answer: TestReply.status(13_002),
            outcome: Self.notProcessed(.notAuthorized, "status_13002")),
        Case(
            name: "a part is missing", answer: TestReply.status(608),
            outcome: Self.notProcessed(.requestRefused, "status_608")),
        Case(name: "system", answer: TestReply.status(915), outcome: Self.notProcessed(.busy, "status_915")),
        Case(name: "timeout", answer: TestReply.status(421), outcome: Self.notProcessed(.busy, "status_421")),
        Case(
            name: "no prime", answer: TestReply.status(0), outcome: Self.notProcessed(.requestRefused, "prime_missing")),
        Case(
            name: "an empty prime", answer: TestReply.status(0, #""prime":"""#),
            outcome: Self.notProcessed(.requestRefused, "prime_missing")),
        Case(
            name: "a prime that is too long",
            answer: TestReply.status(0, #""prime":"\#(String(repeating: "a", count: 72))""#),
            outcome: Self.notProcessed(.requestRefused, "prime_missing")),
        Case(
            name: "a live prime", answer: TestReply.status(0, #""prime":"prod_1234""#),
            outcome: Self.notProcessed(.requestRefused, "prime_of_other_mode")),
        Case(name: "unreadable", answer: "<html>", outcome: Self.notProcessed(.busy, "prime_answer_unreadable")),
    ]

    /// Nothing has moved, whatever went wrong.
    @Test(arguments: primes) func readsPrimes(_ one: Case) async throws {
        let (outcome, paths) = try await Self.outcome(["applepay/getprime": one.answer])
        #expect(outcome.wordless == one.outcome)
        #expect(paths == ["applepay/getprime"])
    }

    /// The token may have been taken before, for this very operation.
    @Test(arguments: [917, 916, 122, 3] as [Int64]) func looksUpWhenTheTokenIsRefused(_ status: Int64) async throws {
        // What the number says of the token, if it is one that says something.
        let (reason, word): (NotProcessedReason, String) =
            status == 3
            ? (.requestRefused, "prime_status_not_understood") : (.tokenRefused, "prime_status_\(status)")
        for (list, expected) in [
            (TestReply.list(), Self.notProcessed(reason, word)),
            (TestReply.list(TestReply.record()), Self.approved()),
            (TestReply.list(TestReply.record(-1, code: "51")), Self.declined(.insufficientFunds, "51")),
        ] {
            let (outcome, paths) = try await Self.outcome([
                "applepay/getprime": TestReply.status(status), "transaction/query": list,
            ])
            #expect(outcome.wordless == expected)
            #expect(paths == ["applepay/getprime", "transaction/query"])
        }
    }

    @Test func livePaymentsTakeNoTestPrimes() throws {
        let live = try TapPayAccount(Bench.account(mode: .live))
        let sandbox = try TapPayAccount(Bench.account())
        for prime in [Bench.prime, "ap_test_1"] { #expect(!live.takes(prime: prime) && sandbox.takes(prime: prime)) }
        #expect(live.takes(prime: "prod_1") && !sandbox.takes(prime: "prod_1"))
        #expect(live.takes(prime: "1f2e") && sandbox.takes(prime: "1f2e"))
    }

    /// Every number of the vendor's table means what it means, and no other number means anything.
    @Test func everyOtherNumberIsOpen() {
        var understood: Set<Int64> = []
        for status in Int64(-100)...20_000 where StatusMeaning(status) != .notUnderstood { understood.insert(status) }
        let ranges: [ClosedRange<Int64>] = [70...75, 126...132, 501...670, 801...803]
        let singles: [Int64] = [
            0, 4, 5, 11, 12, 13, 16, 31, 32, 33, 41, 43, 61, 66, 67, 68, 80, 81, 84, 89, 91, 92, 121, 122, 141, 421,
            422,
            909, 910, 915, 916, 917, 934, 935, 936, 2013, 4002, 4014, 6001, 6002, 10_001, 10_003, 10_005, 10_006,
            10_008,
            10_009, 10_010, 10_011, 10_013, 10_015, 10_023, 10_024, 10_050, 10_051, 11_000, 13_002,
        ]
        #expect(understood == Set(ranges.flatMap { Array($0) } + singles))
    }
}
