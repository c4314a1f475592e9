//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CryptoExtras
import Money
import Payments
import TestUpstream
import Testing

@testable import AlphaPayUpstream

/// What AlphaPay reports to the account's address.
@Suite struct NoticeTests {
    private static let path = "/acquirers/acq/notices"

    private static func read(
        _ body: String, path: String = Self.path, key: Keys.Pair? = nil, code: String = Bench.merchantCode,
        settings: [String: String?] = [:], change: (inout [String: String]) -> Void = { _ in }
    ) throws -> NoticeReading? {
        let (time, nonce) = ("2026-06-15T12:00:00Z", "0123456789abcdef")
        var headers = [
            "merchant-code": code, "request-time": time, "nonce": nonce, "content-type": "application/json",
            "signature": Signed.signature(
                path: path, time: time, nonce: nonce, Array(body.utf8), code: code, key: key),
        ]
        change(&headers)
        return Bench.connector(Bench.client()).read(
            NoticeCall(headers: headers, body: Array(body.utf8)),
            for: try Bench.account(host: "http://127.0.0.1:1", settings: settings))
    }

    /// What a genuine notice says; how AlphaPay is answered is looked at too.
    private static func notices(_ body: String) throws -> [AcquirerNotice]? {
        guard case .notices(let notices, let answer)? = try self.read(body) else { return nil }
        #expect(answer.status == 200)
        #expect(answer.contentType == "application/json; charset=UTF-8")
        #expect(answer.body == #"{"result":{"resultCode":"SUCCESS","resultStatus":"S","resultMessage":"success"}}"#)
        return notices
    }

    private static func refusal(_ reading: NoticeReading?) -> (status: Int, word: String)? {
        guard case .refused(let answer, let word)? = reading else { return nil }
        return (answer.status, word)
    }

    private static let paymentAnswer = AcquirerAnswer(reference: "T-4711")
    private static let refundAnswer = AcquirerAnswer(reference: Bench.refundID)

    // MARK: - Payments

    @Test(arguments: ["SUCCESS", "PARTIAL_REFUND", "FULL_REFUND"])
    func paymentIsBooked(_ status: String) throws {
        let approval = AcquirerApproval(
            amount: try Bench.money(1099), answer: Self.paymentAnswer, memo: Bench.orderMemo)
        #expect(
            try Self.notices(TestAnswer.payment(status)) == [
                AcquirerNotice(.operation(Bench.saleID), .resolved(.approved(approval)))
            ])
    }

    @Test func failedPaymentIsBooked() throws {
        var answer = Self.paymentAnswer
        answer.vendorCode = "INSUFFICIENT_FUNDS"
        let decline = AcquirerDecline(reason: .insufficientFunds, answer: answer, memo: Bench.orderMemo)
        #expect(
            try Self.notices(TestAnswer.payment("FAILED", resultCode: "INSUFFICIENT_FUNDS")) == [
                AcquirerNotice(.operation(Bench.saleID), .resolved(.declined(decline)))
            ])
    }

    /// Genuine, but without what a booking needs.
    @Test(arguments: [
        TestAnswer.payment("PAYMENT_IN_PROCESS"), TestAnswer.payment("SOMETHING"), TestAnswer.payment(nil),
        TestAnswer.payment("SUCCESS", value: nil), TestAnswer.payment("SUCCESS", value: "10.99"),
        TestAnswer.payment("SUCCESS", value: "0"), TestAnswer.payment("SUCCESS", currency: "USD"),
        TestAnswer.payment("SUCCESS", currency: "XXX"),
    ])
    func isAReasonToAsk(_ body: String) throws {
        #expect(try Self.notices(body) == [AcquirerNotice(.operation(Bench.saleID), .changed)])
    }

    @Test func isNamedByAlphaPaysIdWhereItSaysNoOther() throws {
        let notices = try Self.notices(TestAnswer.payment("SUCCESS", requestID: nil))
        #expect(notices?.map(\.subject) == [.handle(Bench.orderID)])
        let refunds = try Self.notices(TestAnswer.refund("SUCCESS", requestID: nil))
        #expect(refunds?.map(\.subject) == [.handle(Bench.refundID)])
    }

    /// Somebody's doing in AlphaPay's own pages: nothing here waits for it, and it need not be sent again.
    @Test(arguments: [
        TestAnswer.payment("SUCCESS", requestID: "order-1"), TestAnswer.refund("SUCCESS", requestID: "by-hand"),
        TestAnswer.payment("SUCCESS", paymentID: nil, requestID: nil), "{}",
    ])
    func whatIsNotOursIsAnsweredAndIgnored(_ body: String) throws {
        #expect(try Self.notices(body) == [])
    }

    // MARK: - Refunds

    @Test func refundIsBooked() throws {
        let approval = AcquirerApproval(amount: try Bench.money(400), answer: Self.refundAnswer, memo: Bench.refundMemo)
        #expect(
            try Self.notices(TestAnswer.refund("SUCCESS")) == [
                AcquirerNotice(.operation(Bench.operationID), .resolved(.approved(approval)))
            ])
    }

    @Test func failedRefundIsBooked() throws {
        let decline = AcquirerDecline(reason: .unspecified, answer: Self.refundAnswer, memo: Bench.refundMemo)
        #expect(
            try Self.notices(TestAnswer.refund("FAILED")) == [
                AcquirerNotice(.operation(Bench.operationID), .resolved(.declined(decline)))
            ])
    }

    @Test(arguments: [
        TestAnswer.refund("REFUND_IN_PROCESS"), TestAnswer.refund("SOMETHING"), TestAnswer.refund(nil),
        TestAnswer.refund("SUCCESS", value: nil), TestAnswer.refund("SUCCESS", currency: "USD"),
    ])
    func refundMayBeAReasonToAsk(_ body: String) throws {
        #expect(try Self.notices(body) == [AcquirerNotice(.operation(Bench.operationID), .changed)])
    }

    // MARK: - Proof

    @Test func refusesAnotherSignature() throws {
        let body = TestAnswer.payment("SUCCESS")
        let readings = [
            try Self.read(body, key: try Keys.stranger), try Self.read(body, key: try Keys.merchant),
            // AlphaPay's word for another merchant, and to another address.
            try Self.read(body, code: "ANOTHER"), try Self.read(body, path: "/acquirers/other/notices"),
            try Self.read(body) { $0["signature"] = nil }, try Self.read(body) { $0["nonce"] = nil },
            try Self.read(body) { $0["request-time"] = "2026-06-15T12:00:01Z" },
            try Self.read(body) { $0["signature"] = "algorithm=RS256,keyVersion=1,signature=" },
            try Self.read(body) { $0["signature"] = "signature=AAAA" }, try Self.read(body) { $0 = [:] },
        ]
        for reading in readings {
            let refusal = try #require(Self.refusal(reading))
            #expect(refusal.status == 401 && refusal.word == "signature_wrong")
        }
    }

    @Test func takesEitherKeyOfAlphaPays() throws {
        let both = ["gatewayPublicKey2": try Keys.nextGateway.publicKey.pemRepresentation]
        for key in [try Keys.gateway, try Keys.nextGateway] {
            guard case .notices? = try Self.read(TestAnswer.payment("SUCCESS"), key: key, settings: both) else {
                Issue.record("refused")
                continue
            }
        }
    }

    @Test(arguments: ["", "[]", "paymentStatus=SUCCESS", #""SUCCESS""#])
    func refusesWhatIsNoObject(_ body: String) throws {
        let refusal = try #require(Self.refusal(try Self.read(body)))
        #expect(refusal.status == 400 && refusal.word == "notice_not_json")
    }

    /// What was signed is the address that AlphaPay was given, whatever stands before this gateway.
    @Test(arguments: [
        ("https://pay.example/notify/acq?shop=1", "/notify/acq"), ("https://pay.example", "/"),
        ("https://pay.example?x=/y", "/"),
    ])
    func signatureIsOverThePathOfTheAddress(_ url: String, _ path: String) throws {
        guard case .notices? = try Self.read(TestAnswer.payment("SUCCESS"), path: path, settings: ["notifyUrl": url])
        else {
            Issue.record("refused")
            return
        }
    }

    @Test func signatureIsOverThisGatewaysOwnPathWithoutAnAddress() throws {
        let own = "/acquirers/\((Bench.id(9) as AcquirerAccountID).text)/notices"
        guard
            case .notices? = try Self.read(
                TestAnswer.payment("SUCCESS"), path: own, settings: ["notifyUrl": nil])
        else {
            Issue.record("refused")
            return
        }
    }

    @Test func comesAgainWhereTheAccountCannotBeUsed() throws {
        let refusal = try #require(
            Self.refusal(try Self.read(TestAnswer.payment("SUCCESS"), settings: ["gatewayPublicKey": nil])))
        #expect(refusal.status == 503)
    }
}
