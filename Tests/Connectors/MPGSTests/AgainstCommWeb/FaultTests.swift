//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Money
import Payments
import Redaction
import SimulatorAcquirer
import TestGateway
import TestUpstream
import Testing

@testable import MPGS

/// Payments through a network that cuts, garbles and repeats: whatever happens to a request, what is said of it is so.
@Suite struct FaultTests {
    /// One payment through one fault.
    private struct Attempt: Sendable {
        let fault: FaultyProxy.Fault
        let paymentID: PaymentID
        let operationID: OperationID
        var outcome: AcquirerOutcome
    }

    private static let amount = 3010 as Int64

    /// Ids and a cryptogram of its own for every attempt: a cryptogram pays once.
    static func request(_ number: Int, _ amount: Money, captures: Bool = false) -> AcquirerRequest {
        let random =
            [0, 0, 0, 0, 0, 0, 0] + [UInt8(number >> 16 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
        let cryptogram = Array(Bench.cryptogram.dropLast(3)) + random.suffix(3)
        let token = NetworkToken(
            pan: Redacted("4005519200000004"), expiryYearMonth: "3901",
            proof: .cryptogram(Redacted(cryptogram)), eci: "05")
        return AcquirerRequest(
            operationID: OperationID(at: Bench.at, random: random), paymentID: PaymentID(at: Bench.at, random: random),
            merchantID: Bench.id(8), amount: amount, begunAt: Bench.at,
            action: .authorize(Charge(instrument: .networkToken(token), network: .visa, captures: captures)))
    }

    private static func original(_ attempt: Attempt, _ amount: Money) -> OriginalOperation {
        Bench.original(.authorization, amount, id: attempt.operationID)
    }

    /// Makes a payment through each fault; then, when the other gateway has worked on all that has come, asks it.
    private static func check(_ faults: (_ counts: (request: Int, answer: Int)) -> [FaultyProxy.Fault]) async throws {
        let amount = try Bench.money(Self.amount)
        let other = try await OtherGateway.open()
        let attempts = try await other.serving { port in
            let proxy = try await FaultyProxy(to: port)
            var attempts: [Attempt] = []
            // The first shows how long a request and its answer are.
            attempts.append(try await Self.attempt(0, .none, amount, proxy))
            for fault in faults(proxy.counts) {
                attempts.append(try await Self.attempt(attempts.count, fault, amount, proxy))
            }
            await proxy.close()
            return attempts
        }
        let positions = try await other.positions()
        try await other.withAcquirer { acquirer in
            for attempt in attempts {
                let query = AcquirerQuery(
                    paymentID: attempt.paymentID, merchantID: Bench.id(8), original: Self.original(attempt, amount),
                    at: Bench.at)
                Self.judge(attempt, await acquirer.query(query), positions[attempt.operationID.text])
            }
        }
        #expect(try await other.test.bookProblems().isEmpty)
    }

    private static func attempt(
        _ number: Int, _ fault: FaultyProxy.Fault, _ amount: Money, _ proxy: FaultyProxy
    ) async throws -> Attempt {
        proxy.set(fault)
        let (swallowed, continuation) = AsyncStream<Void>.makeStream()
        proxy.onSwallowed { continuation.finish() }
        // The deadline passes when the answer has been lost.
        let client = UpstreamClient { _ in for await _ in swallowed {} }
        let acquirer = try MPGSConnector(client: client).open(Bench.account(host: "http://127.0.0.1:\(proxy.port)"))
        let request = Self.request(number, amount)
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
            // A byte of the URL that is another is another order's.
            case .notFound:
                #expect(booked == nil || attempt.fault.changesTheRequest, "\(attempt.fault): \(unknown.word)")
            case .unknown where attempt.fault.changesTheRequest: break
            case .declined, .accepted, .reversed, .unknown: Issue.record("\(attempt.fault): \(found)")
            }
        case .declined:
            // Another card was asked for, and that is what was declined.
            #expect(attempt.fault.changesTheRequest, "\(attempt.fault)")
            #expect(booked?.authorized.isPositive != true, "\(attempt.fault)")
        case .accepted: Issue.record("\(attempt.fault)")
        }
    }

    // MARK: - Faults

    @Test func requestCutAtEveryByte() async throws {
        try await Self.check { counts in (0...counts.request).map { .cutRequest(after: $0) } }
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
        try await Self.check { counts in stride(from: 0, to: counts.request, by: 3).map { .garbleRequest(at: $0) } }
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

extension FaultyProxy.Fault {
    /// A byte of the request that is another may have made another request of it.
    fileprivate var changesTheRequest: Bool {
        if case .garbleRequest = self { true } else { false }
    }
}
