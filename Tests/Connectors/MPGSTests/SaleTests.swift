//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Foundation
import Money
import Payments
import Synchronization
import TestUpstream
import Testing

@testable import MPGS

/// A sale of two calls, by every ending of each of them.
@Suite struct SaleTests {
    /// What the gateway answers to a call.
    enum Ending: String, CaseIterable {
        case approved
        case declined
        case refused
        case unsupported
        case locked
        case notAuthorized
        case busy
        case timedOut
        case pending
        case failed
        case garbled
    }

    static func answer(_ ending: Ending, _ reply: TestReply) -> StubAnswer {
        var reply = reply
        switch ending {
        case .approved: return StubAnswer(status: 201, body: reply.text)
        case .declined: (reply.result, reply.code, reply.acquirerCode) = ("FAILURE", "INSUFFICIENT_FUNDS", "51")
        case .locked: (reply.result, reply.code, reply.acquirerCode) = ("FAILURE", "LOCK_FAILURE", nil)
        case .timedOut: (reply.result, reply.code, reply.acquirerCode) = ("FAILURE", "TIMED_OUT", nil)
        case .pending: (reply.result, reply.code) = ("PENDING", "PENDING")
        case .refused:
            return StubAnswer(status: 400, body: TestReply.error("INVALID_REQUEST", field: "transaction.amount"))
        case .unsupported:
            return StubAnswer(
                status: 400,
                body: TestReply.error("INVALID_REQUEST", field: "apiOperation", validation: "UNSUPPORTED"))
        case .notAuthorized: return StubAnswer(status: 401, body: "")
        case .busy: return StubAnswer(status: 429, body: "")
        case .failed: return StubAnswer(status: 500, body: "")
        case .garbled: return StubAnswer(status: 201, body: "{")
        }
        return StubAnswer(status: 201, body: reply.text)
    }

    private static let operation = Bench.operationID.text

    private static func sell(
        first: Ending = .approved, capture: Ending = .approved, void: Ending = .approved, part: String? = nil
    ) async throws -> (AcquirerOutcome, [String]) {
        let script: StubUpstream.Script = { request, _ in
            if request.path.hasSuffix("-capture") {
                return Self.answer(
                    capture,
                    TestReply(transaction: Self.operation + "-capture", type: "CAPTURE", amount: part ?? "30.10"))
            }
            if request.path.hasSuffix("-void") {
                return Self.answer(
                    void, TestReply(transaction: Self.operation + "-void", type: "VOID_AUTHORIZATION", amount: nil))
            }
            return Self.answer(
                first,
                TestReply(code: part == nil ? "APPROVED" : "PARTIALLY_APPROVED", totalAuthorized: part ?? "30.10"))
        }
        return try await Bench.with(settings: ["pay": "false"], script: script) { acquirer, stub in
            let charge = Bench.charge(captures: true, acceptsPartialApproval: part != nil)
            let outcome = await acquirer.perform(Bench.request(.authorize(charge), try Bench.money(3010)))
            return (outcome, stub.requests.map { "\($0.apiOperation) \($0.transaction)" })
        }
    }

    private static let systemError = AcquirerOutcome.declined(
        AcquirerDecline(reason: .systemError, answer: AcquirerAnswer()))
    private static let authorize = "AUTHORIZE \(operation)"
    private static let capture = "CAPTURE \(operation)-capture"
    private static let void = "VOID \(operation)-void"

    // MARK: - Both calls

    @Test func isApprovedWhenBothAre() async throws {
        let (outcome, requests) = try await Self.sell()
        #expect(
            outcome == .approved(AcquirerApproval(amount: try Bench.money(3010), answer: TestReply.answer)))
        #expect(requests == [Self.authorize, Self.capture])
    }

    @Test func capturesThePartThatIsApproved() async throws {
        let (outcome, requests) = try await Self.sell(part: "12.50")
        #expect(
            outcome == .approved(AcquirerApproval(amount: try Bench.money(1250), answer: TestReply.answer)))
        #expect(requests == [Self.authorize, Self.capture])
    }

    // MARK: - The authorization's endings

    @Test(arguments: Ending.allCases.filter { $0 != .approved })
    func nothingFollowsAnAuthorizationThatIsNotApproved(_ ending: Ending) async throws {
        let (outcome, requests) = try await Self.sell(first: ending)
        #expect(Set(requests) == [Self.authorize])
        switch (ending, outcome) {
        case (.declined, .declined(let decline)): #expect(decline.reason == .insufficientFunds)
        case (.refused, .notProcessed(let not)), (.unsupported, .notProcessed(let not)):
            #expect(not == NotProcessed(.requestRefused, "invalid_request"))
        case (.locked, .notProcessed(let not)): #expect(not.reason == .busy)
        case (.notAuthorized, .notProcessed(let not)): #expect(not.reason == .notAuthorized)
        case (.busy, .notProcessed(let not)): #expect(not.reason == .busy)
        case (.timedOut, .unknown(let unknown)): #expect(unknown == .timedOut("gateway_timed_out"))
        case (.pending, .unknown), (.failed, .unknown), (.garbled, .unknown): break
        default: Issue.record("\(ending): \(outcome)")
        }
    }

    // MARK: - The capture's endings

    @Test(arguments: [Ending.declined, .refused, .unsupported, .locked, .notAuthorized, .busy])
    func authorizationIsTakenBackWhenTheCaptureIsNot(_ ending: Ending) async throws {
        let (outcome, requests) = try await Self.sell(capture: ending)
        #expect(requests == [Self.authorize, Self.capture, Self.void])
        switch (ending, outcome) {
        case (.declined, .declined(let decline)):
            #expect(decline.reason == .insufficientFunds && decline.answer.responseCode == "51")
        case (.refused, .declined(let decline)): #expect(decline.reason == .invalidOperation)
        // The card was asked: it is no "not processed" any more, after which its token would be used again.
        default: #expect(outcome == Self.systemError, "\(ending)")
        }
    }

    @Test(arguments: [Ending.timedOut, .pending, .failed, .garbled])
    func nothingIsTakenBackWhileTheCaptureMayStand(_ ending: Ending) async throws {
        let (outcome, requests) = try await Self.sell(capture: ending)
        #expect(requests == [Self.authorize, Self.capture])
        guard case .unknown = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    // MARK: - The void's endings

    @Test(arguments: Ending.allCases.filter { $0 != .approved })
    func isUnknownWhenTheAuthorizationMayStand(_ ending: Ending) async throws {
        let (outcome, requests) = try await Self.sell(capture: .declined, void: ending)
        #expect(requests == [Self.authorize, Self.capture, Self.void])
        #expect(outcome == .unclear("authorization_not_taken_back"))
    }

    /// A capture that is written later than the authorization could have been would outlive the quiet time.
    @Test func allCallsAreWithinOneBudget() async throws {
        let seconds = Mutex(0)
        let stub = try await StubUpstream { _, _ in
            seconds.withLock { $0 += 31 }
            return StubAnswer(status: 201, body: TestReply().text)
        }
        let client = Bench.client()
        let start = ContinuousClock.now
        let connector = MPGSConnector(client: client) { start + .seconds(seconds.withLock { $0 }) }
        let acquirer = try connector.open(
            Bench.account(host: "http://127.0.0.1:\(stub.port)", settings: ["pay": "false"]))
        let outcome = await acquirer.perform(
            Bench.request(.authorize(Bench.charge(captures: true)), try Bench.money(3010)))
        #expect(outcome == .unclear("authorization_not_taken_back"))
        #expect(stub.requests.map(\.apiOperation) == ["AUTHORIZE"])
        await client.shutdown()
        await stub.close()
    }
}

extension StubRequest {
    /// The field of the body, or the method where it has none.
    var apiOperation: String {
        let halves = self.text.components(separatedBy: #""apiOperation":""#)
        return halves.count > 1 ? String(halves[1].prefix { $0 != "\"" }) : self.method
    }

    /// The last part of the path.
    var transaction: String { self.path.split(separator: "/").last.map(String.init) ?? "" }
}
