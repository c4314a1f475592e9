//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerConformance
import Money
import Payments
import TestUpstream
import Testing

@testable import RadialUpstream

/// What is concluded from an answer to an authorization.
@Suite struct AnswerTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var status = 200
        let body: String
        let outcome: AcquirerOutcome

        var testDescription: String { self.name }
    }

    typealias Reply = TestReply.Authorization

    private static func approved(_ change: (inout AcquirerAnswer) -> Void = { _ in }) -> AcquirerOutcome {
        var answer = TestReply.answer
        change(&answer)
        guard let usd = Currency.alphabetic("USD") else { return .unclear("no currency") }
        var memo = Bench.noted
        memo["BankAuthorizationCode"] = answer.authorizationCode
        return .approved(
            AcquirerApproval(amount: Money(minorUnits: 3010, currency: usd), answer: answer, memo: memo))
    }

    /// - Parameter standing: what says that queries go on with it.
    private static func accepted(
        _ code: String?, _ standing: String? = "unanswered", memo: AcquirerMemo = Bench.noted
    ) -> AcquirerOutcome {
        var answer = TestReply.answer
        answer.responseCode = code
        var memo = memo
        memo["Standing"] = standing
        return .accepted(AcquirerAcceptance(answer, memo: memo))
    }

    private static func declined(
        _ reason: DeclineReason, _ code: String?, _ change: (inout AcquirerAnswer) -> Void = { _ in }
    ) -> AcquirerOutcome {
        var answer = TestReply.answer
        answer.responseCode = code
        change(&answer)
        return .declined(AcquirerDecline(reason: reason, answer: answer))
    }

    /// For operators, beside the issuer's code.
    @Test func declineKeepsRadialsOwnWord() async throws {
        let script: StubUpstream.Script = { _, _ in
            StubAnswer(status: 200, body: Reply(code: "DECLF", issuerCode: "ND01").text)
        }
        let outcome = try await Bench.with(script: script) { acquirer, _ in
            await acquirer.perform(Bench.request(.authorize(Bench.charge()), try Bench.money(3010)))
        }
        guard case .declined(let decline) = outcome else {
            Issue.record("not declined")
            return
        }
        #expect(decline.answer.vendorCode == "DECLF")
        #expect(decline.answer.vendorText == nil)
    }

    private static func refused(_ reason: NotProcessedReason, _ word: String) -> AcquirerOutcome {
        .notProcessed(NotProcessed(reason, word))
    }

    static let approvals: [Case] = [
        Case(name: "the page's sample", body: Reply().text, outcome: Self.approved()),
        Case(name: "201", status: 201, body: Reply().text, outcome: Self.approved()),
        Case(name: "without ResponseCode", body: Reply(code: nil).text, outcome: Self.approved()),
        Case(
            name: "without AuthorizationResponseCode", body: Reply(issuerCode: nil).text,
            outcome: Self.approved { $0.responseCode = "APPROVED" }),
        Case(name: "one decimal", body: Reply(amount: "30.1").text, outcome: Self.approved()),
        Case(name: "more zeros", body: Reply(amount: "30.100").text, outcome: Self.approved()),
        Case(
            name: "American Express's letter", body: Reply(address: "AM").text,
            outcome: Self.approved { $0.addressCheck = "M" }),
        Case(
            name: "no letter", body: Reply(address: "", securityCode: "M").text,
            outcome: Self.approved { ($0.addressCheck, $0.securityCodeCheck) = (nil, "M") }),
        Case(
            name: "a word too long", body: Reply(bankCode: "12345678", suffix: "12").text,
            outcome: Self.approved { ($0.authorizationCode, $0.fundingPANSuffix) = (nil, nil) }),
    ]

    static let open: [Case] = [
        Case(
            name: "timed out", body: Reply(code: "TIMEOUT", issuerCode: "TO01", amount: "0.00").text,
            outcome: Self.accepted("TO01")),
        Case(
            name: "issuer not reached", body: Reply(code: "TIMEOUT", issuerCode: "NR01", amount: "0.00").text,
            outcome: Self.accepted("NR01")),
        Case(name: "TO01 alone", body: Reply(code: nil, issuerCode: "TO01").text, outcome: Self.accepted("TO01")),
        Case(name: "NR01 alone", body: Reply(code: nil, issuerCode: "NR01").text, outcome: Self.accepted("NR01")),
        Case(
            name: "TIMEOUT alone", body: Reply(code: "TIMEOUT", issuerCode: nil).text, outcome: Self.accepted("TIMEOUT")
        ),
        Case(
            name: "timed out without an account",
            body: Reply(account: nil, code: "TIMEOUT", issuerCode: "TO01").text,
            outcome: Self.accepted("TO01", nil, memo: AcquirerMemo())),
        Case(
            name: "a rule of the store's", body: Reply(code: "AcceptOrderWithException", issuerCode: "ND01").text,
            outcome: Self.accepted("ND01", nil)),
    ]

    static let declines: [Case] = [
        Case(
            name: "declined", body: Reply(code: "DECL", issuerCode: "ND01", amount: "0.00").text,
            outcome: Self.declined(.doNotHonor, "ND01")),
        Case(
            name: "not acceptable", body: Reply(code: "DECL", issuerCode: "NC03").text,
            outcome: Self.declined(.unspecified, "NC03")),
        Case(
            name: "lack of funds", body: Reply(code: "DECLF", issuerCode: "ND01").text,
            outcome: Self.declined(.insufficientFunds, "ND01")),
        Case(
            name: "referral", body: Reply(code: "DECLR", issuerCode: "ND01").text,
            outcome: Self.declined(.doNotHonor, "ND01")),
        Case(
            name: "address", body: Reply(code: "AVS", issuerCode: "ND01", address: "N").text,
            outcome: Self.declined(.unspecified, "ND01") { $0.addressCheck = "N" }),
        Case(
            name: "security code", body: Reply(code: "CSC", issuerCode: "ND01", securityCode: "N").text,
            outcome: Self.declined(.unspecified, "ND01") { $0.securityCodeCheck = "N" }),
        Case(
            name: "both", body: Reply(code: "AVSCSC", issuerCode: "NC03").text,
            outcome: Self.declined(.unspecified, "NC03")),
        Case(
            name: "ND01 alone", body: Reply(code: nil, issuerCode: "ND01").text,
            outcome: Self.declined(.doNotHonor, "ND01")),
        Case(
            name: "NC03 alone", body: Reply(code: nil, issuerCode: "NC03").text,
            outcome: Self.declined(.unspecified, "NC03")),
        Case(
            name: "without an account", body: Reply(account: nil, code: "DECL", issuerCode: "ND01").text,
            outcome: Self.declined(.doNotHonor, "ND01")),
    ]

    static let nothing: [Case] = [
        ("a word of tomorrow", Reply(code: "APPROVED_TOMORROW"), "code_not_understood"),
        ("a code of tomorrow", Reply(issuerCode: "AP02"), "code_not_understood"),
        ("approved and declined", Reply(issuerCode: "ND01"), "code_not_understood"),
        ("approved and timed out", Reply(issuerCode: "TO01"), "code_not_understood"),
        ("declined and approved", Reply(code: "DECL"), "code_not_understood"),
        ("an address that does not fit an approval", Reply(code: "AVS"), "code_not_understood"),
        ("timed out and approved", Reply(code: "TIMEOUT"), "code_not_understood"),
        ("another order", Reply(order: "OTHER"), "answer_about_another_order"),
        (
            "a decline of another order", Reply(order: "OTHER", code: "DECL", issuerCode: "ND01"),
            "answer_about_another_order"
        ),
        ("another amount", Reply(amount: "30.11"), "answer_about_another_amount"),
        ("a part", Reply(amount: "15.05"), "answer_about_another_amount"),
        ("a part of a cent", Reply(amount: "30.101"), "answer_about_another_amount"),
        ("another currency", Reply(currency: "CAD"), "answer_about_another_amount"),
        ("no account", Reply(account: nil), "approval_without_account"),
        ("a card's number", Reply(account: "4005519200000004", isToken: "false"), "approval_without_account"),
        ("an account too long", Reply(account: String(repeating: "1", count: 23)), "approval_without_account"),
        ("no tender", Reply(tender: nil), "approval_without_account"),
        ("the wallet's tender", Reply(tender: "DW"), "approval_without_account"),
        ("a path for a tender", Reply(tender: "V/C"), "approval_without_account"),
        ("a word twice", Reply(extra: "<ResponseCode>DECL</ResponseCode>"), "answer_unreadable"),
        ("an order twice", Reply(extra: "<x><OrderId>OTHER</OrderId></x>"), "answer_unreadable"),
    ].map { Case(name: $0.0, body: $0.1.text, outcome: .unclear($0.2)) }

    static let strangers: [Case] = [
        ("no XML", "{}", "answer_unreadable"), ("nothing", "", "answer_unreadable"),
        ("a page", "<html><body>Hello</body></html>", "answer_unreadable"),
        ("another reply", TestReply.acknowledgement(), "answer_unreadable"),
        ("funds", TestReply.funds("Success"), "answer_unreadable"),
        ("neither word", Reply(code: nil, issuerCode: nil).text, "answer_unreadable"),
        ("cut", String(Reply().text.dropLast(3)), "answer_unreadable"),
        ("a fault of tomorrow", TestReply.fault("MoonException"), "fault_not_understood"),
    ].map { Case(name: $0.0, body: $0.1, outcome: .unclear($0.2)) }

    static let faults: [Case] = [
        Case(
            name: "Luhn", status: 400, body: TestReply.fault("PanDoesNotPassLuhnCheckException"),
            outcome: .declined(AcquirerDecline(reason: .invalidCard, answer: AcquirerAnswer()))),
        Case(
            name: "a fault with 200", body: TestReply.fault("InvalidRequestException"),
            outcome: Self.refused(.requestRefused, "request_invalid")),
        Case(
            name: "a token that it cannot open", status: 400,
            body: TestReply.fault("ApplePayTokenNotDecryptableException"),
            outcome: Self.refused(.tokenRefused, "token_not_decryptable")),
        Case(
            name: "a token that was used", status: 409, body: TestReply.fault("ApplePayTokenReplayedException"),
            outcome: .unclear("token_replayed")),
        Case(
            name: "another amount than the token's", status: 400, body: TestReply.fault("AmountMismatchException"),
            outcome: Self.refused(.tokenRefused, "amount_differs_from_token")),
        Case(
            name: "another currency than the token's", status: 400,
            body: TestReply.fault("CurrencyMismatchException"),
            outcome: Self.refused(.tokenRefused, "currency_differs")),
        Case(
            name: "a token that its own acquirer does not take", status: 400,
            body: TestReply.fault("ApplePayTokenRefusedException"),
            outcome: Self.refused(.tokenRefused, "token_not_taken")),
        Case(
            name: "a tender that the store has not", status: 400,
            body: TestReply.fault("TenderGatewayConfigurationException"),
            outcome: Self.refused(.requestRefused, "tender_not_configured")),
        Case(
            name: "an order that is authorized", status: 409, body: TestReply.fault("OrderAlreadyAuthorizedException"),
            outcome: .unclear("order_known")),
        Case(
            name: "an order in process", status: 409, body: TestReply.fault("AuthorizationInProcessException"),
            outcome: .unclear("order_known")),
        Case(
            name: "an order that is closed", status: 409, body: TestReply.fault("OrderClosedException"),
            outcome: .unclear("order_known")),
        Case(
            name: "the request's id", status: 409, body: TestReply.fault("RequestIdConflictException"),
            outcome: .unclear("request_id_conflict")),
        Case(
            name: "a fault of tomorrow", status: 400, body: TestReply.fault("MoonException"),
            outcome: Self.refused(.requestRefused, "http_400")),
        Case(
            name: "a conflict of tomorrow", status: 409, body: TestReply.fault("MoonException"),
            outcome: .unclear("http_409")),
        Case(
            name: "a wrong key", status: 403, body: TestReply.fault("InvalidApiKeyException"),
            outcome: Self.refused(.notAuthorized, "http_403")),
        Case(
            name: "too many", status: 429, body: TestReply.fault("TooManyRequestsException"),
            outcome: Self.refused(.busy, "http_429")),
        Case(
            name: "not processed, it says", status: 503, body: TestReply.fault("ServiceOverloadedException"),
            outcome: .unclear("http_503")),
        Case(
            name: "a store that is not ready", status: 500, body: TestReply.fault("MerchantConfigurationException"),
            outcome: .unclear("http_500")),
        Case(
            name: "an approval under 400", status: 400, body: Reply().text, outcome: .unclear("answer_unreadable")),
        Case(
            name: "an approval under 302", status: 302, body: Reply().text, outcome: .unclear("answer_unreadable")),
        Case(
            name: "an approval under 403", status: 403, body: Reply().text, outcome: .unclear("answer_unreadable")),
        Case(name: "an approval under 500", status: 500, body: Reply().text, outcome: .unclear("http_500")),
    ]

    @Test(arguments: approvals + open + declines + nothing + strangers + faults)
    func isReadAsItStands(_ one: Case) async throws {
        let amount = try Bench.money(3010)
        let script: StubUpstream.Script = { _, _ in StubAnswer(status: one.status, body: one.body) }
        let outcome = try await Bench.with(script: script) { acquirer, _ in
            await acquirer.perform(Bench.request(.authorize(Bench.charge()), amount))
        }
        #expect(outcome.wordless == one.outcome)
    }

    /// What the dialect of the same service says, so that a code is not forgotten on one side.
    @Test func everyFaultOfTheListIsRead() {
        for fault in RadialFault.codes.compactMap(RadialFault.init(code:)) {
            switch fault.meaning {
            case .state:
                #expect(
                    fault.outcomeOfFollowUp
                        == .declined(AcquirerDecline(reason: .invalidOperation, answer: AcquirerAnswer())))
                #expect(fault.outcomeOfCharge == .unclear("order_known"))
            case .card:
                #expect(
                    fault.outcomeOfCharge
                        == .declined(AcquirerDecline(reason: .invalidCard, answer: AcquirerAnswer())))
            case .refused(let word):
                #expect(fault.outcomeOfCharge == .notProcessed(NotProcessed(.requestRefused, word)))
                #expect(fault.outcomeOfFollowUp == fault.outcomeOfCharge)
            case .token(let word):
                #expect(fault.outcomeOfCharge == .notProcessed(NotProcessed(.tokenRefused, word)))
                #expect(fault.outcomeOfFollowUp == .notProcessed(NotProcessed(.requestRefused, word)))
            case .caller, .busy, .open: #expect(fault.outcomeOfFollowUp == fault.outcomeOfCharge)
            }
        }
    }
}
