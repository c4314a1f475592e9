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

/// What is found of a sale of two calls, taken back and refunded.
@Suite struct SaleFollowUpTests {
    /// A transaction as a GET finds it.
    enum Record: String, CaseIterable {
        case approved
        case voided
        case declined
        case missing
        case open
        case failed
    }

    private static let sale = Bench.authorizationID.text
    private static let capture = "\(sale)-capture"
    private static let operation = Bench.operationID.text

    private static func original() throws -> OriginalOperation {
        Bench.original(.authorization, try Bench.money(3010), isSale: true)
    }

    /// The gateway's records of a sale.
    ///
    /// - Parameter isCancelled: whether the order says that its authorization was voided.
    private static func record(
        _ request: StubRequest, capture: Record, isCancelled: Bool, type: String = "AUTHORIZATION"
    ) -> StubAnswer {
        let status = isCancelled ? "CANCELLED" : "AUTHORIZED"
        if request.transaction == self.sale {
            return StubAnswer(status: 200, body: TestReply(transaction: self.sale, type: type, status: status).text)
        }
        if request.transaction == self.capture {
            let reply = TestReply(transaction: self.capture, type: "CAPTURE", status: status)
            switch capture {
            case .approved, .voided: return SaleTests.answer(.approved, reply)
            case .declined: return SaleTests.answer(.declined, reply)
            case .missing: return StubAnswer(status: 400, body: TestReply.notFound)
            case .open: return SaleTests.answer(.pending, reply)
            case .failed: return StubAnswer(status: 503, body: "")
            }
        }
        let void =
            #"{"result": "SUCCESS", "transaction": {"id": "x", "type": "VOID_CAPTURE", "targetTransactionId": "\#(self.capture)"}}"#
        return StubAnswer(
            status: 200,
            body: #"{"id": "\#(Bench.paymentID)", "transaction": [\#(capture == .voided ? void : "")]}"#)
    }

    // MARK: - Queries

    private static let decline = AcquirerQueryOutcome.declined(
        AcquirerDecline(
            reason: .insufficientFunds,
            answer: AcquirerAnswer(
                reference: "307310046465", authorizationCode: "112233", responseCode: "51", stan: "046465",
                networkReference: "447345902", fundingPANSuffix: "1234", fundingExpiryYearMonth: "2701",
                reconciliationID: "20230314")))

    /// Nothing is finished and nothing voided by a question: what is neither approved nor over is unknown, and the
    /// gateway reverses that.
    @Test(arguments: Record.allCases, [false, true])
    func finds(_ capture: Record, _ isCancelled: Bool) async throws {
        let original = try Self.original()
        let script: StubUpstream.Script = { request, _ in
            Self.record(request, capture: capture, isCancelled: isCancelled)
        }
        let (found, requests) = try await Bench.with(settings: ["pay": "false"], script: script) { acquirer, stub in
            (await acquirer.query(Bench.query(original)), stub.requests)
        }
        let approved = AcquirerQueryOutcome.approved(
            AcquirerApproval(amount: original.amount, answer: TestReply.answer))
        let wanted: AcquirerQueryOutcome =
            switch capture {
            case .approved: isCancelled ? .reversed : approved
            case .voided: .reversed
            case .declined: isCancelled ? Self.decline : .unknown(.unclear("authorization_left"))
            case .missing: isCancelled ? .reversed : .unknown(.unclear("capture_missing"))
            case .open: .unknown(.unclear("result_pending"))
            case .failed: .unknown(.unclear("http_503"))
            }
        #expect(found.wordless == wanted)
        #expect(requests.allSatisfy { $0.method == "GET" })
    }

    /// What a sale was is read from the gateway's record, whatever the setting says by now.
    @Test(arguments: ["true", "false"]) func findsSalesFromBeforeTheSetting(_ pay: String) async throws {
        let original = try Self.original()
        for type in ["AUTHORIZATION", "PAYMENT"] {
            let script: StubUpstream.Script = { request, _ in
                Self.record(request, capture: .approved, isCancelled: false, type: type)
            }
            let (found, requests) = try await Bench.with(settings: ["pay": pay], script: script) { acquirer, stub in
                (await acquirer.query(Bench.query(original)), stub.requests)
            }
            #expect(found == .approved(AcquirerApproval(amount: original.amount, answer: TestReply.answer)))
            #expect(requests.count == (type == "PAYMENT" ? 1 : 3))
        }
    }

    // MARK: - Taking back

    /// - Returns: the outcome and the calls; a GET without what was looked up.
    private static func takeBack(
        _ settings: [String: String] = ["pay": "false"], first: SaleTests.Ending, second: SaleTests.Ending = .approved,
        capture: Record = .approved, isCancelled: Bool = false, type: String = "AUTHORIZATION"
    ) async throws -> (AcquirerOutcome, [String]) {
        let original = try Self.original()
        let script: StubUpstream.Script = { request, _ in
            if request.method == "GET" {
                return Self.record(request, capture: capture, isCancelled: isCancelled, type: type)
            }
            let isOfCapture = request.text.contains(Self.capture)
            let type = isOfCapture ? "VOID_CAPTURE" : "VOID_AUTHORIZATION"
            return SaleTests.answer(
                isOfCapture ? first : second,
                TestReply(transaction: request.transaction, type: type, amount: nil))
        }
        return try await Bench.with(settings: settings, script: script) { acquirer, stub in
            let outcome = await acquirer.perform(Bench.request(.reverse(original), original.amount))
            return (outcome, stub.requests.map { $0.method == "GET" ? "GET" : "VOID \($0.transaction)" })
        }
    }

    private static let voidOfCapture = "VOID \(operation)-capture"
    private static let voidOfAuthorization = "VOID \(operation)"

    @Test func takesBackCaptureAndAuthorization() async throws {
        let (outcome, requests) = try await Self.takeBack(first: .approved)
        #expect(
            outcome == .approved(AcquirerApproval(amount: try Bench.money(3010), answer: TestReply.answer)))
        #expect(requests == [Self.voidOfCapture, Self.voidOfAuthorization])
    }

    @Test(arguments: SaleTests.Ending.allCases.filter { ![.approved, .refused].contains($0) })
    func nothingElseIsTouchedWhenTheCaptureIsNotVoided(_ ending: SaleTests.Ending) async throws {
        let (outcome, requests) = try await Self.takeBack(first: ending)
        #expect(Set(requests) == [Self.voidOfCapture])
        switch (ending, outcome) {
        // A void is final: it is sent again rather than asked after.
        case (.declined, .declined), (.timedOut, .declined): break
        case (.unsupported, .notProcessed), (.locked, .notProcessed), (.notAuthorized, .notProcessed),
            (.busy, .notProcessed):
            break
        case (.pending, .unknown), (.failed, .unknown), (.garbled, .unknown): break
        default: Issue.record("\(ending): \(outcome)")
        }
    }

    /// What can't be voided is asked after: only what is not there, has failed or is void already is left behind.
    @Test(arguments: Record.allCases) func refusedVoidOfTheCaptureAsksForIt(_ record: Record) async throws {
        let (outcome, requests) = try await Self.takeBack(first: .refused, capture: record)
        switch record {
        case .voided, .declined, .missing:
            #expect(
                outcome == .approved(AcquirerApproval(amount: try Bench.money(3010), answer: TestReply.answer)))
            #expect(requests.first == Self.voidOfCapture && requests.last == Self.voidOfAuthorization)
        case .approved:
            #expect(outcome == .declined(AcquirerDecline(reason: .invalidOperation, answer: AcquirerAnswer())))
            #expect(!requests.contains(Self.voidOfAuthorization))
        case .open, .failed:
            guard case .unknown = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(!requests.contains(Self.voidOfAuthorization))
        }
    }

    /// The capture is void, so that no money moves: the sale is never said to stand.
    @Test(arguments: SaleTests.Ending.allCases)
    func voidOfTheCaptureIsEnough(_ ending: SaleTests.Ending) async throws {
        let (outcome, _) = try await Self.takeBack(first: .approved, second: ending)
        switch (ending, outcome) {
        case (.approved, .approved), (.declined, .approved), (.refused, .approved), (.unsupported, .approved),
            (.timedOut, .approved):
            break
        case (.locked, .unknown), (.notAuthorized, .unknown), (.busy, .unknown), (.pending, .unknown),
            (.failed, .unknown), (.garbled, .unknown):
            break
        default: Issue.record("\(ending): \(outcome)")
        }
    }

    /// Where there was no capture to void, the authorization's void decides.
    @Test(arguments: SaleTests.Ending.allCases)
    func authorizationThatStandsIsNotTakenBack(_ ending: SaleTests.Ending) async throws {
        let (outcome, _) = try await Self.takeBack(first: .refused, second: ending, capture: .declined)
        switch (ending, outcome) {
        case (.approved, .approved): break
        case (.declined, .declined), (.timedOut, .declined): break
        case (.refused, .unknown(let unknown)): #expect(unknown == .unclear("authorization_left"))
        case (.unsupported, .notProcessed), (.locked, .notProcessed), (.notAuthorized, .notProcessed),
            (.busy, .notProcessed):
            break
        case (.pending, .unknown), (.failed, .unknown), (.garbled, .unknown): break
        default: Issue.record("\(ending): \(outcome)")
        }
    }

    @Test func whatIsTakenBackAlreadyIsApproved() async throws {
        let (outcome, _) = try await Self.takeBack(
            first: .refused, second: .refused, capture: .missing, isCancelled: true)
        #expect(
            outcome == .approved(AcquirerApproval(amount: try Bench.money(3010), answer: AcquirerAnswer())))
    }

    /// The account sold in two calls once, and sells in one now.
    @Test func takesBackSalesFromBeforeTheSetting() async throws {
        let original = try Self.original()
        let script: StubUpstream.Script = { request, number in
            if request.method == "GET" { return Self.record(request, capture: .approved, isCancelled: false) }
            let type = request.text.contains(Self.capture) ? "VOID_CAPTURE" : "VOID_AUTHORIZATION"
            return SaleTests.answer(
                number == 1 ? .refused : .approved, TestReply(transaction: request.transaction, type: type, amount: nil)
            )
        }
        let (outcome, voids) = try await Bench.with(script: script) { acquirer, stub in
            let outcome = await acquirer.perform(Bench.request(.void(original), original.amount))
            return (outcome, stub.requests.filter { $0.method == "PUT" }.map { "VOID \($0.transaction)" })
        }
        #expect(outcome == .approved(AcquirerApproval(amount: original.amount, answer: TestReply.answer)))
        #expect(voids == [Self.voidOfAuthorization, Self.voidOfCapture, Self.voidOfAuthorization])
    }

    // MARK: - Refunds

    @Test(arguments: [("true", "PAYMENT"), ("false", "AUTHORIZATION"), ("true", "AUTHORIZATION"), ("false", "PAYMENT")])
    func refundsTheTransactionThatHasTheMoney(_ pay: String, _ type: String) async throws {
        let original = try Self.original()
        let target = type == "PAYMENT" ? Self.sale : Self.capture
        let script: StubUpstream.Script = { request, _ in
            if request.method == "GET" {
                return Self.record(request, capture: .approved, isCancelled: false, type: type)
            }
            let isRight = request.text.contains(#""targetTransactionId":"\#(target)""#)
            return SaleTests.answer(
                isRight ? .approved : .refused, TestReply(transaction: Self.operation, type: "REFUND"))
        }
        let (outcome, refunds) = try await Bench.with(settings: ["pay": pay], script: script) { acquirer, stub in
            let outcome = await acquirer.perform(Bench.request(.refund(of: original, capture: nil), original.amount))
            return (outcome, stub.requests.filter { $0.method == "PUT" }.count)
        }
        #expect(outcome == .approved(AcquirerApproval(amount: original.amount, answer: TestReply.answer)))
        let isAsSet = (pay == "true") == (type == "PAYMENT")
        #expect(refunds == (isAsSet ? 1 : 2))
    }

    /// A refund that is refused for another reason is not sent again.
    @Test(arguments: [("true", "PAYMENT"), ("false", "AUTHORIZATION")])
    func refusedRefundIsSentOnce(_ pay: String, _ type: String) async throws {
        let original = try Self.original()
        let script: StubUpstream.Script = { request, _ in
            request.method == "GET"
                ? Self.record(request, capture: .approved, isCancelled: false, type: type)
                : SaleTests.answer(.refused, TestReply())
        }
        let (outcome, refunds) = try await Bench.with(settings: ["pay": pay], script: script) { acquirer, stub in
            let outcome = await acquirer.perform(Bench.request(.refund(of: original, capture: nil), original.amount))
            return (outcome, stub.requests.filter { $0.method == "PUT" }.count)
        }
        #expect(outcome == .declined(AcquirerDecline(reason: .invalidOperation, answer: AcquirerAnswer())))
        #expect(refunds == 1)
    }
}
