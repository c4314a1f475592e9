//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import TestUpstream
import Testing

@testable import MPGS

/// What is concluded from answers to what follows a payment, and to queries.
@Suite struct FollowUpTests {
    private static func outcome(
        _ action: AcquirerRequest.Action, _ amount: Money, script: @escaping StubUpstream.Script
    ) async throws -> (AcquirerOutcome, [StubRequest]) {
        try await Bench.with(script: script) { acquirer, stub in
            (await acquirer.perform(Bench.request(action, amount)), stub.requests)
        }
    }

    private static func found(
        _ original: OriginalOperation, script: @escaping StubUpstream.Script
    ) async throws -> AcquirerQueryOutcome {
        try await Bench.with(script: script) { acquirer, _ in await acquirer.query(Bench.query(original)) }
    }

    private static let invalidOperation = AcquirerOutcome.declined(
        AcquirerDecline(reason: .invalidOperation, answer: AcquirerAnswer()))

    // MARK: - Refused

    @Test(arguments: ["transaction.amount", "apiOperation", "transaction.targetTransactionId", "order.id", nil])
    func stateOfTheOrderIsADecline(_ field: String?) async throws {
        let amount = try Bench.money(3010)
        let (outcome, _) = try await Self.outcome(
            .capture(of: Bench.original(.authorization, amount), isFinal: false), amount
        ) { _, _ in
            StubAnswer(status: 400, body: TestReply.error("INVALID_REQUEST", field: field, validation: "INVALID"))
        }
        #expect(outcome == Self.invalidOperation)
    }

    @Test(arguments: [
        ("transaction.targetTransactionId", "MISSING"), ("apiOperation", "UNSUPPORTED"), ("version", "INVALID"),
        ("merchant", "INVALID"),
    ])
    func whatIsOursIsNoDecline(_ field: String, _ validation: String) async throws {
        let amount = try Bench.money(3010)
        let (outcome, _) = try await Self.outcome(
            .refund(of: Bench.original(.authorization, amount), capture: nil), amount
        ) { _, _ in
            StubAnswer(status: 400, body: TestReply.error("INVALID_REQUEST", field: field, validation: validation))
        }
        #expect(outcome == .notProcessed(NotProcessed(.requestRefused, "invalid_request")))
    }

    // MARK: - Taking back

    @Test func voidOfWhatNeverCameIsNotApproved() async throws {
        let amount = try Bench.money(3010)
        let (outcome, requests) = try await Self.outcome(.reverse(Bench.original(.authorization, amount)), amount) {
            _, _ in StubAnswer(status: 400, body: TestReply.notFound)
        }
        #expect(outcome == Self.invalidOperation)
        #expect(requests.count == 1)
    }

    @Test(arguments: ["CANCELLED", "AUTHORIZED"])
    func refusedVoidIsApprovedOnlyOfWhatIsVoided(_ status: String) async throws {
        let amount = try Bench.money(3010)
        let original = Bench.original(.authorization, amount)
        let (outcome, requests) = try await Self.outcome(.reverse(original), amount) { request, _ in
            request.method == "PUT"
                ? StubAnswer(
                    status: 400,
                    body: TestReply.error(
                        "INVALID_REQUEST", "Value 'VOID' is invalid. There is no transaction to void.",
                        field: "apiOperation", validation: "INVALID"))
                : StubAnswer(status: 200, body: TestReply(transaction: original.id.text, status: status).text)
        }
        let approved = AcquirerOutcome.approved(AcquirerApproval(amount: amount, answer: AcquirerAnswer()))
        #expect(outcome == (status == "CANCELLED" ? approved : Self.invalidOperation))
        #expect(requests.map(\.method) == ["PUT", "GET"])
    }

    @Test func refusedVoidOfWhatCannotBeAskedAfterIsUnknown() async throws {
        let amount = try Bench.money(3010)
        let (outcome, _) = try await Self.outcome(.reverse(Bench.original(.authorization, amount)), amount) {
            request, _ in
            request.method == "PUT"
                ? StubAnswer(status: 400, body: TestReply.error("INVALID_REQUEST", field: "apiOperation"))
                : StubAnswer(status: 503, body: "")
        }
        #expect(outcome == .unclear("http_503"))
    }

    /// A void is sent again under its own id until it is final, and the gateway answers the same each time.
    @Test func voidThatTimedOutAtTheGatewayHasFailed() async throws {
        let amount = try Bench.money(3010)
        let (outcome, _) = try await Self.outcome(.void(Bench.original(.authorization, amount)), amount) { _, _ in
            StubAnswer(
                status: 201,
                body: TestReply(
                    type: "VOID_AUTHORIZATION", result: "FAILURE", code: "TIMED_OUT", acquirerCode: nil
                ).text)
        }
        guard case .declined(let decline) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(decline.reason == .timedOut)
    }

    @Test func reversalOfVerificationNeedsNoCall() async throws {
        let nothing = try Bench.money(0)
        let (outcome, requests) = try await Self.outcome(.reverse(Bench.original(.verification, nothing)), nothing) {
            _, _ in StubAnswer(status: 500, body: "")
        }
        #expect(outcome == .approved(AcquirerApproval(amount: nothing, answer: AcquirerAnswer())))
        #expect(requests.isEmpty)
    }

    @Test func adjustmentThatIsNotThereIsNotTakenBack() async throws {
        let amount = try Bench.money(4000)
        let original = Bench.original(.adjustment, amount, authorized: try Bench.money(3010))
        let (outcome, requests) = try await Self.outcome(.reverse(original), amount) { _, _ in
            StubAnswer(status: 400, body: TestReply.notFound)
        }
        #expect(outcome == Self.invalidOperation)
        #expect(requests.map(\.method) == ["GET"])
    }

    @Test func notFinalCaptureLowersNothing() async throws {
        let amount = try Bench.money(3010)
        let total = try Bench.money(5000)
        for isFinal in [true, false] {
            let authorized = isFinal ? amount : total
            let (_, requests) = try await Self.outcome(
                .capture(of: Bench.original(.authorization, authorized), isFinal: isFinal), amount
            ) { _, _ in StubAnswer(status: 201, body: TestReply(type: "CAPTURE").text) }
            #expect(requests.count == 1)
        }
    }

    @Test(arguments: [500, 400]) func finalCaptureThatIsNotApprovedLowersNothing(_ status: Int) async throws {
        let amount = try Bench.money(1000)
        let (_, requests) = try await Self.outcome(
            .capture(of: Bench.original(.authorization, try Bench.money(3010)), isFinal: true), amount
        ) { _, _ in StubAnswer(status: status, body: TestReply.error("INVALID_REQUEST")) }
        #expect(requests.count == 1)
    }

    // MARK: - Queries

    @Test func findsWhatWasApproved() async throws {
        let amount = try Bench.money(3010)
        let original = Bench.original(.authorization, amount)
        let found = try await Self.found(original) { _, _ in
            StubAnswer(status: 200, body: TestReply(transaction: original.id.text).text)
        }
        #expect(found == .approved(AcquirerApproval(amount: amount, answer: TestReply.answer)))
    }

    @Test func timeoutIsFinalWhenItIsLookedUp() async throws {
        let amount = try Bench.money(3010)
        let original = Bench.original(.authorization, amount)
        let found = try await Self.found(original) { _, _ in
            StubAnswer(
                status: 200,
                body: TestReply(transaction: original.id.text, result: "FAILURE", code: "TIMED_OUT", acquirerCode: nil)
                    .text)
        }
        guard case .declined(let decline) = found else {
            Issue.record("\(found)")
            return
        }
        #expect(decline.reason == .timedOut)
    }

    @Test(arguments: ["UNKNOWN", "PENDING"]) func isNotKnownYet(_ result: String) async throws {
        let amount = try Bench.money(3010)
        let original = Bench.original(.authorization, amount)
        let found = try await Self.found(original) { _, _ in
            StubAnswer(status: 200, body: TestReply(transaction: original.id.text, result: result, code: result).text)
        }
        #expect(found == .unknown(.unclear("result_" + result.lowercased())))
    }

    @Test(arguments: [400, 404])
    func isNotFoundInTheGatewaysWordsAlone(_ status: Int) async throws {
        let original = Bench.original(.authorization, try Bench.money(3010))
        for explanation in [
            "Unable to find order = pay_1 for merchant TEST", "Unable to find the transaction.",
            "Unable to find transaction with id 1",
        ] {
            let found = try await Self.found(original) { _, _ in
                StubAnswer(status: status, body: TestReply.error("INVALID_REQUEST", explanation))
            }
            #expect(found == .notFound, "\(explanation)")
        }
        // Each of these would have a payment that moved money counted as never sent.
        for body in [
            "<html>not found</html>", "{}", "", TestReply.error("INVALID_REQUEST", "Unable to find merchant TEST"),
            TestReply.error("INVALID_REQUEST", "Version not supported"), TestReply.error("INVALID_REQUEST", "Unable"),
            TestReply.error("SERVER_FAILED", "Unable to find order 1"),
            TestReply.error("REQUEST_REJECTED", "Unable to find order 1"),
        ] {
            let found = try await Self.found(original) { _, _ in StubAnswer(status: status, body: body) }
            #expect(found == .unknown(.unclear("http_\(status)")), "\(body)")
        }
    }

    @Test(arguments: [401, 403, 429, 500, 502, 503]) func refusalSaysNothingOfTheOperation(_ status: Int) async throws {
        let original = Bench.original(.authorization, try Bench.money(3010))
        let found = try await Self.found(original) { _, _ in StubAnswer(status: status, body: TestReply.notFound) }
        #expect(found == .unknown(.unclear("http_\(status)")))
    }

    @Test func voidedPaymentIsReversed() async throws {
        let original = Bench.original(.authorization, try Bench.money(3010))
        let found = try await Self.found(original) { _, _ in
            StubAnswer(status: 200, body: TestReply(transaction: original.id.text, status: "CANCELLED").text)
        }
        #expect(found == .reversed)
    }

    @Test(arguments: [
        ("VOID_CAPTURE", "SUCCESS", true), ("VOID_CAPTURE", "FAILURE", false), ("REFUND", "SUCCESS", false),
    ])
    func voidedCaptureIsReversed(_ type: String, _ result: String, _ isReversed: Bool) async throws {
        let amount = try Bench.money(3010)
        let original = Bench.original(.capture, amount)
        let found = try await Self.found(original) { request, _ in
            request.path.contains("/transaction/")
                ? StubAnswer(status: 200, body: TestReply(transaction: original.id.text, type: "CAPTURE").text)
                : StubAnswer(
                    status: 200,
                    body: """
                        {"id": "\(Bench.paymentID)", "result": "SUCCESS", "transaction": [{"result": "\(result)", \
                        "transaction": {"id": "x", "type": "\(type)", "targetTransactionId": "\(original.id)"}}]}
                        """)
        }
        #expect(
            found == (isReversed ? .reversed : .approved(AcquirerApproval(amount: amount, answer: TestReply.answer))))
    }

    @Test func captureOfUnreadableOrderIsUnknown() async throws {
        let original = Bench.original(.capture, try Bench.money(3010))
        let found = try await Self.found(original) { request, _ in
            request.path.contains("/transaction/")
                ? StubAnswer(status: 200, body: TestReply(transaction: original.id.text, type: "CAPTURE").text)
                : StubAnswer(status: 200, body: #"{"id": "another", "transaction": []}"#)
        }
        #expect(found == .unknown(.unclear("order_unreadable")))
    }

    @Test func answerAboutAnotherTransactionIsUnknown() async throws {
        let original = Bench.original(.authorization, try Bench.money(3010))
        let found = try await Self.found(original) { _, _ in
            StubAnswer(status: 200, body: TestReply(transaction: "op_other").text)
        }
        #expect(found == .unknown(.unclear("answer_about_another_transaction")))
    }
}
