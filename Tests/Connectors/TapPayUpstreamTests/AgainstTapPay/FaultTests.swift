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

@testable import TapPayUpstream

/// Payments over a network that cuts, repeats, garbles and loses what is sent. Whatever happens, what is said of the
/// outcome agrees with the other gateway's book, and a query finds out what was left open.
@Suite struct FaultTests {
    /// One payment through one fault.
    private struct Attempt: Sendable {
        let fault: FaultyProxy.Fault
        let paymentID: PaymentID
        let operationID: OperationID
        var outcome: AcquirerOutcome
    }

    /// How many bytes went each way: for the prime, and for all.
    private struct Lengths: Sendable {
        let prime: (request: Int, answer: Int)
        let whole: (request: Int, answer: Int)

        /// Every byte of the second step, and every few of the first, which moves nothing.
        func requestBytes(_ every: Int = 1) -> [Int] {
            Array(stride(from: 0, to: self.prime.request, by: 97))
                + stride(from: self.prime.request, through: self.whole.request, by: every)
        }

        func answerBytes(_ every: Int = 1) -> [Int] {
            Array(stride(from: 0, to: self.prime.answer, by: 31))
                + stride(from: self.prime.answer, through: self.whole.answer, by: every)
        }
    }

    private static let minorUnits: Int64 = 35_000

    private static func random(_ number: Int) -> [UInt8] {
        [0, 0, 0, 0, 0, 0, 0] + [UInt8(number >> 16 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
    }

    /// Makes a payment through each fault, with ids and a token of its own; then, when the other gateway has worked on
    /// all that has come, asks it.
    private static func check(_ faults: (Lengths) -> [FaultyProxy.Fault]) async throws {
        let amount = try Bench.money(Self.minorUnits)
        let other = try await OtherTapPay.open()
        let attempts = try await other.other.serving { port in
            let proxy = try await FaultyProxy(to: port)
            let clock = Ticking()
            let first = try await Self.attempt(0, .none, other, proxy) { clock.next() }
            #expect(first.outcome == .notProcessed(NotProcessed(.notSent, "no_time_left")))
            let prime = proxy.counts
            var attempts = [first, try await Self.attempt(1, .none, other, proxy)]
            for fault in faults(Lengths(prime: prime, whole: proxy.counts)) {
                attempts.append(try await Self.attempt(attempts.count, fault, other, proxy))
            }
            await proxy.close()
            return attempts
        }
        let positions = try await other.positions()
        try await other.withAcquirer { acquirer in
            for attempt in attempts {
                let original = Bench.original(.authorization, amount, id: attempt.operationID, trade: nil)
                let query = AcquirerQuery(
                    paymentID: attempt.paymentID, merchantID: Bench.id(8), original: original, at: Bench.at)
                Self.judge(attempt, await acquirer.query(query), positions[attempt.operationID.shortName])
            }
        }
        #expect(try await other.test.bookProblems().isEmpty)
    }

    private static func attempt(
        _ number: Int, _ fault: FaultyProxy.Fault, _ other: OtherTapPay, _ proxy: FaultyProxy,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) async throws -> Attempt {
        let amount = try Bench.money(Self.minorUnits)
        proxy.set(fault)
        let (swallowed, continuation) = AsyncStream<Void>.makeStream()
        proxy.onSwallowed { continuation.finish() }
        // The deadline passes when the answer has been lost.
        let client = UpstreamClient { _ in for await _ in swallowed {} }
        let acquirer = try TapPayConnector(client: client, now: now).open(
            Bench.account(host: "http://127.0.0.1:\(proxy.port)"))
        let request = AcquirerRequest(
            operationID: OperationID(at: Bench.at, random: Self.random(number)),
            paymentID: PaymentID(at: Bench.at, random: Self.random(number)), merchantID: Bench.id(8), amount: amount,
            begunAt: Bench.at, action: .authorize(try other.charge(amount)))
        let outcome = await acquirer.perform(request)
        await client.shutdown()
        return Attempt(
            fault: fault, paymentID: request.paymentID, operationID: request.operationID, outcome: outcome)
    }

    private static func judge(
        _ attempt: Attempt, _ found: AcquirerQueryOutcome, _ booked: SimulatorPosition?
    ) {
        switch attempt.outcome {
        case .approved(let approval):
            #expect(booked?.authorized == approval.amount, "\(attempt.fault)")
            #expect(found.approvedAmount == approval.amount, "\(attempt.fault)")
        case .notProcessed(let not):
            #expect(booked == nil, "\(attempt.fault): \(not.word)")
            #expect(found == .notFound, "\(attempt.fault): \(not.word)")
        case .unknown(let unknown):
            switch found {
            case .approved(let approval): #expect(booked?.authorized == approval.amount, "\(attempt.fault)")
            // A byte of the name that is another is another payment's.
            case .notFound: #expect(booked == nil, "\(attempt.fault): \(unknown.word)")
            case .declined, .accepted, .reversed, .unknown: Issue.record("\(attempt.fault): \(found)")
            }
        case .declined, .accepted: Issue.record("\(attempt.fault): \(attempt.outcome)")
        }
    }

    // MARK: - Faults

    @Test func requestCutAtEveryByte() async throws {
        try await Self.check { lengths in lengths.requestBytes().map { .cutRequest(after: $0) } }
    }

    @Test func answerCutAtEveryByte() async throws {
        try await Self.check { lengths in lengths.answerBytes().map { .cutAnswer(after: $0) } }
    }

    @Test func garbledAnswers() async throws {
        try await Self.check { lengths in
            lengths.answerBytes(3).filter { $0 < lengths.whole.answer }.map {
                .garbleAnswer(at: $0, of: lengths.whole.answer)
            }
        }
    }

    @Test func garbledRequests() async throws {
        try await Self.check { lengths in
            lengths.requestBytes(3).filter { $0 < lengths.whole.request }.map { .garbleRequest(at: $0) }
        }
    }

    @Test func repeatedRequestsAndLostAnswers() async throws {
        try await Self.check { _ in
            Array(repeating: .repeatRequest, count: 20) + Array(repeating: .swallowAnswer, count: 20)
        }
    }
}

extension AcquirerQueryOutcome {
    fileprivate var approvedAmount: Money? {
        if case .approved(let approval) = self { approval.amount } else { nil }
    }
}
