//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import TestUpstream
import Testing

@testable import RadialUpstream

/// Payments through a network that cuts, garbles and repeats: whatever happens to a request, what is said of it is so.
@Suite struct FaultTests {
    /// One payment through one fault.
    private struct Attempt: Sendable {
        let fault: FaultyProxy.Fault
        let orderID: String
        let outcome: AcquirerOutcome
    }

    private static let amount = 3010 as Int64

    /// Ids of its own for every attempt.
    private static func request(_ number: Int, _ charge: Charge, _ amount: Money) -> AcquirerRequest {
        let random =
            [0, 0, 0, 0, 0, 0, 0] + [UInt8(number >> 16 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
        return Bench.request(
            .authorize(charge), amount, operation: OperationID(at: Bench.at, random: random),
            payment: PaymentID(at: Bench.at, random: random))
    }

    /// Makes a payment through each fault; then, when the other gateway has worked on all that has come, looks into its
    /// book.
    private static func check(_ faults: (_ counts: (request: Int, answer: Int)) -> [FaultyProxy.Fault]) async throws {
        let amount = try Bench.money(Self.amount)
        let other = try await OtherRadial.open()
        let attempts = try await other.other.serving { port in
            let proxy = try await FaultyProxy(to: port)
            var attempts: [Attempt] = []
            // The first shows how long a request and its answer are.
            attempts.append(try await Self.attempt(0, .none, amount, other, proxy))
            for fault in faults(proxy.counts) {
                attempts.append(try await Self.attempt(attempts.count, fault, amount, other, proxy))
            }
            await proxy.close()
            return attempts
        }
        let positions = try await other.positions()
        for attempt in attempts { Self.judge(attempt, positions[attempt.orderID]) }
        #expect(try await other.test.bookProblems().isEmpty)
        // However often a request came, it was booked once.
        #expect(try await other.test.bookedCount(.authorization) <= attempts.count)
    }

    private static func attempt(
        _ number: Int, _ fault: FaultyProxy.Fault, _ amount: Money, _ other: OtherRadial, _ proxy: FaultyProxy
    ) async throws -> Attempt {
        proxy.set(fault)
        let (swallowed, continuation) = AsyncStream<Void>.makeStream()
        proxy.onSwallowed { continuation.finish() }
        // The deadline passes when the answer has been lost.
        let client = UpstreamClient { _ in for await _ in swallowed {} }
        let acquirer = try RadialConnector(client: client).open(
            Bench.account(host: "http://127.0.0.1:\(proxy.port)"))
        let request = Self.request(number, try other.charge(amount), amount)
        let outcome = await acquirer.perform(request)
        await client.shutdown()
        return Attempt(fault: fault, orderID: request.paymentID.shortName, outcome: outcome)
    }

    private static func judge(_ attempt: Attempt, _ booked: SimulatorPosition?) {
        switch attempt.outcome {
        case .approved(let approval): #expect(booked?.authorized == approval.amount, "\(attempt.fault)")
        case .notProcessed(let not):
            #expect(booked?.authorized.isPositive != true, "\(attempt.fault): \(not.word)")
        // The repeat came while the first was worked on, or nobody knows.
        case .accepted, .unknown: break
        case .declined: Issue.record("\(attempt.fault)")
        }
    }

    @Test func requestCutAtEveryByte() async throws {
        try await Self.check { counts in
            // The token is long, and every byte of it is like the next.
            (0...counts.request).filter { $0 < 400 || $0 % 29 == 0 || $0 > counts.request - 400 }
                .map { .cutRequest(after: $0) }
        }
    }

    @Test func answerCutAtEveryByte() async throws {
        try await Self.check { counts in (0...counts.answer).map { .cutAnswer(after: $0) } }
    }

    @Test func garbledAnswers() async throws {
        try await Self.check { counts in
            stride(from: 0, to: counts.answer, by: 3).map { .garbleAnswer(at: $0, of: counts.answer) }
        }
    }

    @Test func garbledRequests() async throws {
        try await Self.check { counts in stride(from: 0, to: counts.request, by: 23).map { .garbleRequest(at: $0) } }
    }

    @Test func repeatedRequestsAndLostAnswers() async throws {
        try await Self.check { _ in
            Array(repeating: .repeatRequest, count: 20) + Array(repeating: .swallowAnswer, count: 20)
        }
    }

    // MARK: - Settlements and cancellations

    private enum Step: CaseIterable {
        case capture
        case refund
        case void
    }

    /// Their answers are lost; they are sent again under their own ids, and done once. The event ends them in between.
    @Test(arguments: Step.allCases) private func lostAcknowledgement(_ step: Step) async throws {
        let amount = try Bench.money(Self.amount)
        let other = try await OtherRadial.open()
        try await other.other.serving { port in
            let proxy = try await FaultyProxy(to: port)
            proxy.set(.swallowAnswer)
            let (swallowed, continuation) = AsyncStream<Void>.makeStream()
            proxy.onSwallowed { continuation.finish() }
            let clients = (good: Bench.client(), lossy: UpstreamClient { _ in for await _ in swallowed {} })
            let good = try RadialConnector(client: clients.good).open(Bench.account(host: "http://127.0.0.1:\(port)"))
            let lossy = try RadialConnector(client: clients.lossy).open(
                Bench.account(host: "http://127.0.0.1:\(proxy.port)"))
            let authorization = await good.perform(
                Bench.request(.authorize(try other.charge(amount)), amount, operation: Bench.authorizationID))
            let original = Bench.original(.authorization, amount, memo: authorization.memo)
            if step == .refund {
                _ = await good.perform(
                    preparing: Bench.request(.capture(of: original, isFinal: false), amount, operation: Bench.id(4)))
                _ = try await other.reports()
            }
            let action: AcquirerRequest.Action =
                switch step {
                case .capture: .capture(of: original, isFinal: true)
                case .refund: .refund(of: original, capture: nil)
                case .void: .void(original)
                }
            let request = Bench.request(action, amount)
            guard case .ready(let memo) = await good.prepare(request) else {
                Issue.record("not prepared")
                return
            }
            guard case .unknown = await lossy.perform(request.with(memo)) else {
                Issue.record("was answered")
                return
            }
            let again = await good.perform(request.with(memo))
            #expect(again == .accepted(AcquirerAcceptance(AcquirerAnswer(reference: Bench.orderID))))
            #expect(try await other.reports().count == 1)
            await clients.good.shutdown()
            await clients.lossy.shutdown()
            await proxy.close()
        }
        let position = try #require(try await other.positions()[Bench.orderID])
        #expect(position.authorized == amount)
        #expect(position.captured.isZero == (step == .void) && position.refunded.isPositive == (step == .refund))
        #expect(position.voided.isPositive == (step == .void))
        #expect(try await other.test.bookProblems().isEmpty)
    }
}
