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

@testable import PAYONEUpstream

/// Payments through a network that cuts, garbles and repeats: whatever happens to a request, what is said of it is so.
@Suite struct FaultTests {
    private enum Kind {
        case authorization
        case capture
    }

    /// One operation through one fault.
    private struct Attempt: Sendable {
        let fault: FaultyProxy.Fault
        let reference: String
        let outcome: AcquirerOutcome
    }

    private static let amount = 1010 as Int64

    /// Makes payments, each through a fault, and then, when the other gateway has worked on all that has come, looks into
    /// its acquirer's book.
    private static func check(
        _ kind: Kind, _ faults: (_ counts: (request: Int, answer: Int)) -> [FaultyProxy.Fault]
    ) async throws {
        let other = try await OtherPAYONE.open()
        let attempts = try await other.gateway.serving { port in
            let proxy = try await FaultyProxy(to: port)
            var attempts: [Attempt] = []
            // The first shows how long a request and its answer are.
            attempts.append(try await Self.attempt(kind, 0, .none, other, port, proxy))
            for fault in faults(proxy.counts) {
                attempts.append(try await Self.attempt(kind, attempts.count, fault, other, port, proxy))
            }
            await proxy.close()
            return attempts
        }
        let positions = try await other.positions()
        for attempt in attempts { Self.judge(kind, attempt, positions[attempt.reference]) }
        #expect(try await other.test.bookProblems().isEmpty)
    }

    private static func attempt(
        _ kind: Kind, _ number: Int, _ fault: FaultyProxy.Fault, _ other: OtherPAYONE, _ port: Int,
        _ proxy: FaultyProxy
    ) async throws -> Attempt {
        proxy.set(fault)
        let (swallowed, continuation) = AsyncStream<Void>.makeStream()
        proxy.onSwallowed { continuation.finish() }
        // The deadline passes when the answer has been lost.
        let client = UpstreamClient { _ in for await _ in swallowed {} }
        let faulty = try PAYONEConnector(client: client).open(Bench.account(host: "http://127.0.0.1:\(proxy.port)"))
        let random =
            [0, 0, 0, 0, 0, 0, 0] + [UInt8(number >> 16 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
        let id = OperationID(at: Bench.at, random: random)
        let amount = try Bench.money(Self.amount)
        let authorization = Bench.request(
            .authorize(Bench.charge(instrument: try other.token(amount))), amount, operation: id, ordinal: 1)
        let outcome: AcquirerOutcome
        switch kind {
        case .authorization: outcome = await faulty.perform(authorization)
        case .capture:
            let sound = Bench.client()
            let first = try await PAYONEConnector(client: sound)
                .open(Bench.account(host: "http://127.0.0.1:\(port)")).perform(authorization)
            await sound.shutdown()
            let original = Bench.original(amount, id: id, txid: first.memo["txid"])
            let capture = OperationID(at: Bench.at, random: [1] + random.dropFirst())
            outcome = await faulty.perform(
                Bench.request(.capture(of: original, isFinal: false), amount, operation: capture))
        }
        await client.shutdown()
        return Attempt(fault: fault, reference: id.shortName, outcome: outcome)
    }

    private static func judge(_ kind: Kind, _ attempt: Attempt, _ position: SimulatorPosition?) {
        let money = kind == .authorization ? position?.authorized : position?.captured
        let booked = money?.minorUnits ?? 0
        switch attempt.outcome {
        // A byte of the reference or of the amount that is another is another payment's. TLS keeps that from happening.
        case .approved(let approval):
            #expect(
                booked == approval.amount.minorUnits || attempt.fault.changesTheRequest, "\(attempt.fault)")
        case .notProcessed(let not):
            // An HTTP status that is another says that it was not PAYONE who answered.
            #expect(
                booked == 0 || attempt.fault.changesTheStatus && not.word.hasPrefix("http_"),
                "\(attempt.fault): \(not.word)")
        case .declined:
            #expect(booked == 0, "\(attempt.fault)")
            #expect(attempt.fault.changesAByte, "\(attempt.fault)")
        case .unknown: #expect(booked == 0 || booked == Self.amount || attempt.fault.changesTheRequest)
        case .accepted: Issue.record("\(attempt.fault)")
        }
        switch (attempt.fault, attempt.outcome) {
        case (.none, .approved), (.repeatRequest, .approved), (.repeatRequest, .unknown), (.swallowAnswer, .unknown):
            break
        case (.none, _), (.repeatRequest, _), (.swallowAnswer, _):
            Issue.record("\(attempt.fault): \(attempt.outcome)")
        default: break
        }
    }

    // MARK: - Faults

    /// A token makes an authorization as long as several kilobytes, of which one byte is like another: of them a part is
    /// taken, of the head and of both ends of the body every one.
    private static func places(_ count: Int) -> [Int] {
        (0...count).filter { $0 < 420 || $0 > count - 60 || $0.isMultiple(of: 97) }
    }

    @Test func authorizationCutOnItsWay() async throws {
        try await Self.check(.authorization) { counts in
            Self.places(counts.request).map { .cutRequest(after: $0) }
        }
    }

    @Test func captureCutAtEveryByte() async throws {
        try await Self.check(.capture) { counts in (0...counts.request).map { .cutRequest(after: $0) } }
    }

    @Test func answersCutAtEveryByte() async throws {
        for kind in [Kind.authorization, .capture] {
            try await Self.check(kind) { counts in (0...counts.answer).map { .cutAnswer(after: $0) } }
        }
    }

    @Test func garbledAnswers() async throws {
        for kind in [Kind.authorization, .capture] {
            try await Self.check(kind) { counts in
                (0..<counts.answer).map { .garbleAnswer(at: $0, of: counts.answer) }
            }
        }
    }

    @Test func garbledAuthorization() async throws {
        try await Self.check(.authorization) { counts in
            Self.places(counts.request - 1).filter { $0.isMultiple(of: 3) }.map { .garbleRequest(at: $0) }
        }
    }

    @Test func garbledCapture() async throws {
        try await Self.check(.capture) { counts in
            stride(from: 0, to: counts.request, by: 3).map { .garbleRequest(at: $0) }
        }
    }

    @Test func repeatedRequestsAndLostAnswers() async throws {
        for kind in [Kind.authorization, .capture] {
            try await Self.check(kind) { _ in
                Array(repeating: .repeatRequest, count: 20) + Array(repeating: .swallowAnswer, count: 20)
            }
        }
    }
}

extension FaultyProxy.Fault {
    /// A byte of the request that is another may have made another request of it.
    fileprivate var changesTheRequest: Bool {
        if case .garbleRequest = self { true } else { false }
    }

    /// "HTTP/1.1 200": only then is an answer of PAYONE's taken for somebody else's. TLS keeps that from happening too.
    fileprivate var changesTheStatus: Bool {
        if case .garbleAnswer(let index, _) = self { (9..<12).contains(index) } else { false }
    }

    fileprivate var changesAByte: Bool {
        switch self {
        case .garbleRequest, .garbleAnswer: true
        case .none, .cutRequest, .cutAnswer, .repeatRequest, .swallowAnswer: false
        }
    }
}
