//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Redaction
import TestUpstream
import Testing

@testable import RadialUpstream

/// What is concluded from answers to what follows an authorization.
@Suite struct FollowUpTests {
    /// - Parameter wasNeverSent: so that it is true of a repeat, too.
    private static func invalidOperation(wasNeverSent: Bool) -> AcquirerOutcome {
        .declined(
            AcquirerDecline(reason: .invalidOperation, answer: AcquirerAnswer(), wasNeverSent: wasNeverSent))
    }

    private static let answer = AcquirerAnswer(reference: Bench.orderID)

    private static func outcome(
        _ action: AcquirerRequest.Action, _ amount: Money, script: @escaping StubUpstream.Script
    ) async throws -> (AcquirerOutcome, [StubRequest]) {
        try await Bench.with(script: script) { acquirer, stub in
            (await acquirer.perform(preparing: Bench.request(action, amount)), stub.requests)
        }
    }

    // MARK: - Acknowledgements

    private static let acknowledgements: [(String, AcquirerOutcome)] = [
        (TestReply.acknowledgement(), .accepted(AcquirerAcceptance(Self.answer))),
        (TestReply.acknowledgement("Timeout"), .accepted(AcquirerAcceptance(Self.answer))),
        (TestReply.acknowledgement(nil), .accepted(AcquirerAcceptance(Self.answer))),
        (TestReply.acknowledgement(nil, order: nil, request: nil), .accepted(AcquirerAcceptance(Self.answer))),
        ("<PaymentSettlementReply/>", .accepted(AcquirerAcceptance(Self.answer))),
        ("<AckReply><x/></AckReply>", .accepted(AcquirerAcceptance(Self.answer))),
        (
            TestReply.acknowledgement("Fail"),
            .declined(AcquirerDecline(reason: .unspecified, answer: Self.answer))
        ),
        (TestReply.acknowledgement("Perhaps"), .unclear("code_not_understood")),
        (TestReply.acknowledgement(order: "OTHER"), .unclear("answer_about_another_request")),
        (TestReply.acknowledgement("Fail", request: "op_other"), .unclear("answer_about_another_request")),
        // What the vendor's own acknowledgement is called is not public.
        ("", .accepted(AcquirerAcceptance(Self.answer))),
        ("<Acknowledgement/>", .accepted(AcquirerAcceptance(Self.answer))),
        ("<Ack><OrderId>OTHER</OrderId></Ack>", .unclear("answer_about_another_request")),
        (TestReply.Authorization().text, .unclear("answer_about_another_request")),
        (TestReply.funds("Success"), .unclear("answer_about_another_request")),
        ("<html/>", .unclear("answer_unreadable")), ("OK", .unclear("answer_unreadable")),
    ]

    /// It says that the request has come; the event says how it ends.
    @Test(arguments: acknowledgements)
    func acknowledgementIsNoEnd(_ body: String, _ expected: AcquirerOutcome) async throws {
        let amount = try Bench.money(3010)
        let original = Bench.original(.authorization, amount)
        for action in [
            .capture(of: original, isFinal: true), .refund(of: original, capture: nil), .void(original),
            .reverse(original),
        ] as [AcquirerRequest.Action] {
            let (outcome, _) = try await Self.outcome(
                action, amount, script: TestReply.confirming(StubAnswer(status: 200, body: body)))
            #expect(outcome == expected, "\(action)")
        }
    }

    // MARK: - Funds

    @Test(arguments: [
        (TestReply.funds("Fail"), DeclineReason.invalidOperation),
        (TestReply.funds("Fail", reauthorized: "true"), .doNotHonor),
        // As the vendor's own clients write a boolean.
        (TestReply.funds("Fail", reauthorized: "1"), .doNotHonor),
        (TestReply.funds("Fail", reauthorized: "0"), .invalidOperation),
    ])
    func captureWithoutFundsIsDeclinedAndNotSent(_ body: String, _ reason: DeclineReason) async throws {
        let amount = try Bench.money(3010)
        let (outcome, requests) = try await Self.outcome(
            .capture(of: Bench.original(.authorization, amount), isFinal: false), amount
        ) { _, _ in StubAnswer(status: 200, body: body) }
        #expect(
            outcome == .declined(AcquirerDecline(reason: reason, answer: Self.answer, wasNeverSent: true)))
        #expect(requests.map { $0.path.hasSuffix("/funds/confirm/VC.xml") } == [true])
    }

    @Test(arguments: [
        (200, TestReply.funds("Timeout")), (200, TestReply.funds("Perhaps")),
        (200, TestReply.funds("Success", order: "OTHER")), (200, TestReply.acknowledgement()), (200, ""),
        (503, ""), (409, TestReply.fault("OperationInProcessException")),
        (409, TestReply.fault("RequestIdConflictException")),
    ])
    func captureWhoseFundsNobodyConfirmedIsNotProcessed(_ status: Int, _ body: String) async throws {
        let amount = try Bench.money(3010)
        let (outcome, requests) = try await Self.outcome(
            .capture(of: Bench.original(.authorization, amount), isFinal: false), amount
        ) { _, _ in StubAnswer(status: status, body: body) }
        guard case .notProcessed(let not) = outcome, not.reason == .busy else {
            Issue.record("\(outcome)")
            return
        }
        #expect(requests.count == 1)
    }

    @Test func captureOfWhatTheServiceDoesNotKnowIsDeclined() async throws {
        let amount = try Bench.money(3010)
        let (outcome, requests) = try await Self.outcome(
            .capture(of: Bench.original(.authorization, amount), isFinal: false), amount
        ) { _, _ in StubAnswer(status: 404, body: TestReply.fault("NoAuthFoundException")) }
        #expect(
            outcome
                == .declined(AcquirerDecline(reason: .invalidOperation, answer: Self.answer, wasNeverSent: true)))
        #expect(requests.count == 1)
    }

    /// The first may have been done, and then its own funds are gone: that is no decline.
    @Test func captureThatIsSentAgainDoesNotConfirmAgain() async throws {
        let amount = try Bench.money(3010)
        let request = Bench.request(.capture(of: Bench.original(.authorization, amount), isFinal: true), amount)
            .with(AcquirerMemo(["FundsAvailable": Redacted("Success")]))
        let script: StubUpstream.Script = { _, _ in StubAnswer(status: 200, body: TestReply.acknowledgement()) }
        try await Bench.with(script: script) { acquirer, stub in
            #expect(await acquirer.perform(request) == .accepted(AcquirerAcceptance(Self.answer)))
            #expect(stub.requests.map { $0.path.hasSuffix("/settlement/create/VC.xml") } == [true])
        }
    }

    @Test func captureThatWasNotPreparedIsNotSent() async throws {
        let amount = try Bench.money(3010)
        let request = Bench.request(.capture(of: Bench.original(.authorization, amount), isFinal: true), amount)
        let script: StubUpstream.Script = { _, _ in StubAnswer(status: 500, body: "") }
        try await Bench.with(script: script) { acquirer, stub in
            #expect(
                await acquirer.perform(request)
                    == .notProcessed(NotProcessed(.requestRefused, "funds_not_confirmed")))
            #expect(stub.requests.isEmpty)
        }
    }

    // MARK: - Preparations

    @Test func onlyCapturesAreNoted() async throws {
        let amount = try Bench.money(3010)
        let original = Bench.original(.authorization, amount)
        let script: StubUpstream.Script = { _, _ in StubAnswer(status: 200, body: TestReply.funds("Success")) }
        try await Bench.with(script: script) { acquirer, stub in
            for action in [
                .authorize(Bench.charge()), .authorize(Bench.charge(captures: true)), .void(original),
                .reverse(original), .refund(of: original, capture: nil),
            ] as [AcquirerRequest.Action] {
                #expect(await acquirer.prepare(Bench.request(action, amount)) == .ready(AcquirerMemo()))
            }
            #expect(stub.requests.isEmpty)
            let capture = Bench.request(.capture(of: original, isFinal: false), amount)
            #expect(
                await acquirer.prepare(capture)
                    == .ready(
                        AcquirerMemo([
                            "FundsAvailable": Redacted("Success"), "ReauthorizationAttempted": Redacted("false"),
                        ])))
        }
    }

    // MARK: - What cannot be named

    @Test func followUpOfAnAuthorizationWithoutAccountIsDeclinedAndNotSent() async throws {
        let amount = try Bench.money(3010)
        let nameless = Bench.original(.authorization, amount, memo: AcquirerMemo())
        for action in [
            .capture(of: nameless, isFinal: false), .refund(of: nameless, capture: nil), .void(nameless),
            .reverse(nameless),
        ] as [AcquirerRequest.Action] {
            let (outcome, requests) = try await Self.outcome(action, amount) { _, _ in
                StubAnswer(status: 200, body: TestReply.acknowledgement())
            }
            #expect(outcome == Self.invalidOperation(wasNeverSent: true), "\(action)")
            #expect(requests.isEmpty)
        }
    }

    @Test(arguments: [PaymentOperation.Kind.capture, .refund])
    func settlementsAreNotTakenBack(_ kind: PaymentOperation.Kind) async throws {
        let amount = try Bench.money(3010)
        let (outcome, requests) = try await Self.outcome(.reverse(Bench.original(kind, amount)), amount) { _, _ in
            StubAnswer(status: 200, body: TestReply.acknowledgement())
        }
        #expect(outcome == Self.invalidOperation(wasNeverSent: true))
        #expect(requests.isEmpty)
    }

    @Test(arguments: ["AlreadyCreditedException", "CreditExceedsDebitsException", "NothingSettledException"])
    func stateOfTheOrderIsADecline(_ code: String) async throws {
        let amount = try Bench.money(3010)
        let (outcome, requests) = try await Self.outcome(
            .refund(of: Bench.original(.authorization, amount), capture: nil), amount
        ) { _, _ in StubAnswer(status: 409, body: TestReply.fault(code)) }
        #expect(outcome == Self.invalidOperation(wasNeverSent: false))
        #expect(requests.count == 1)
    }
}
