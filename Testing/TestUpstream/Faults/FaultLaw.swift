//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Payments
import TestGateway
import Testing

/// What holds of a connector over a network that cuts, garbles, repeats and loses: whatever happens to an operation on its
/// way, what is said of it is so by the other gateway's book, and whoever asks afterwards finds the same.
///
/// ```swift
/// @Test(arguments: FaultLaw.allCases) func keeps(_ law: FaultLaw) async throws {
///     try await law.check(try await Authorizations.open())
/// }
/// ```
///
/// A law has one gateway. Where the same bytes arrive there whatever is done to the others, it is asked once, and its
/// answers are given again.
public enum FaultLaw: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// A part of a request, up to any byte, moves nothing; nobody says that it has, or that it can't have.
    case partOfARequestDoesNothing
    case requestWithAnotherByteIsNotMisreported
    case repeatedRequestIsBookedOnce
    /// The answer is cut at any byte. It was the same operation each time.
    case partOfAnAnswerIsNotBelieved
    case answerWithAnotherByteIsNotMisreported
    /// Each time an operation of its own, whose answer does not come or comes in part.
    case lostAnswerLeavesTheOutcomeOpen

    public var description: String { self.rawValue }

    public func check(_ subject: some FaultSubject) async throws {
        // A length that was garbled makes the other gateway wait.
        let attempts = try await subject.other.serving(receiveTimeoutMilliseconds: 5000) { port in
            let proxy = try await FaultyProxy(to: port)
            let attempts = try await UpstreamClient.withoutDeadline { client in
                let trial = FaultTrial(subject, proxy, sound: try subject.acquirer(client, port: port))
                try await self.make(trial)
                return trial.attempts
            }
            await proxy.close()
            return attempts
        }
        // All that has come is worked on now.
        let findings = try await Self.findings(attempts, subject)
        for finding in findings where !finding.agrees(answersAreSigned: subject.answersAreSigned) {
            if !subject.allows(finding) { Issue.record("\(finding)") }
        }
        #expect(try await subject.other.test.bookProblems().isEmpty)
    }

    private static func findings(
        _ attempts: [FaultTrial.Attempt], _ subject: some FaultSubject
    ) async throws -> [FaultFinding] {
        var found: [OperationID: AcquirerQueryOutcome?] = [:]
        try await subject.other.withAcquirer(subject.acquirer) { sound in
            for attempt in attempts where found[attempt.request.operationID] == nil {
                found[attempt.request.operationID] = .some(
                    await subject.find(attempt.request, after: attempt.outcome, sound))
            }
        }
        let positions = try await subject.positions()
        return attempts.map { attempt in
            FaultFinding(
                fault: attempt.fault, amount: attempt.request.amount, outcome: attempt.outcome,
                found: found[attempt.request.operationID] ?? nil,
                booked: subject.booked(of: attempt.request, in: positions))
        }
    }

    private func make(_ trial: FaultTrial) async throws {
        let exchanges = try await trial.whole(trial.next())
        for number in exchanges.indices {
            let exchange = exchanges[number]
            let isLast = number == exchanges.count - 1
            switch self {
            case .partOfARequestDoesNothing: try await trial.cutRequest(number)
            case .requestWithAnotherByteIsNotMisreported:
                for place in trial.garbledPlaces(in: exchange.request) {
                    try await trial.attempt(.garbleRequest(at: place), to: number)
                }
            case .repeatedRequestIsBookedOnce:
                for _ in 0..<10 { try await trial.attempt(.repeatRequest, to: number) }
            case .partOfAnAnswerIsNotBelieved:
                try await trial.spoilAnswer(number, isLast: isLast, at: FaultPlaces.every) {
                    .cutAnswer(after: $0)
                }
            case .answerWithAnotherByteIsNotMisreported:
                try await trial.spoilAnswer(number, isLast: isLast, at: FaultPlaces.all) {
                    .garbleAnswer(at: $0)
                }
                guard !isLast else { continue }
                // What comes next follows from it.
                for place in stride(from: 0, to: exchange.answer.count, by: 31) {
                    try await trial.attempt(.garbleAnswer(at: place), to: number)
                }
            case .lostAnswerLeavesTheOutcomeOpen:
                for _ in 0..<5 { try await trial.attempt(.swallowAnswer, to: number) }
                for place in stride(from: 0, to: exchange.answer.count, by: exchange.answer.count / 7) {
                    try await trial.attempt(.cutAnswer(after: place), to: number)
                }
                // The last byte arrives, and then the connection ends.
                try await trial.attempt(.cutRequest(after: exchange.request.count), to: number)
            }
        }
    }
}

/// Operations, each through a fault.
final class FaultTrial {
    struct Attempt: Sendable {
        let fault: FaultyProxy.Fault
        let request: AcquirerRequest
        let outcome: AcquirerOutcome
    }

    private struct NotApproved: Error {
        let outcome: AcquirerOutcome
    }

    private(set) var attempts: [Attempt] = []
    private let subject: any FaultSubject
    private let proxy: FaultyProxy
    private let sound: any Acquirer
    private var count = 0

    init(_ subject: any FaultSubject, _ proxy: FaultyProxy, sound: any Acquirer) {
        self.subject = subject
        self.proxy = proxy
        self.sound = sound
    }

    func next() async throws -> AcquirerRequest {
        self.count += 1
        return try await self.subject.operation(self.count, self.sound)
    }

    /// Performs an operation of its own.
    func attempt(_ fault: FaultyProxy.Fault, to exchange: Int) async throws {
        _ = try await self.attempt(try await self.next(), fault, to: exchange)
    }

    private func attempt(
        _ request: AcquirerRequest, _ fault: FaultyProxy.Fault, to exchange: Int? = nil,
        replaying answers: [[UInt8]] = []
    ) async throws -> AcquirerOutcome {
        self.proxy.set(fault, to: exchange, replaying: answers)
        let deadline = CallDeadline()
        // It passes when the answer has been lost.
        self.proxy.onSwallowed { deadline.pass() }
        let client = UpstreamClient(limits: UpstreamLimits(connectMilliseconds: 60_000)) { _ in await deadline.wait() }
        let outcome = try await client.closed { client in
            await (try self.subject.acquirer(client, port: self.proxy.port)).perform(request)
        }
        self.attempts.append(Attempt(fault: fault, request: request, outcome: outcome))
        return outcome
    }

    /// Performs an operation to which nothing happens.
    func whole(_ request: AcquirerRequest) async throws -> [FaultyProxy.Exchange] {
        let outcome = try await self.attempt(request, .none)
        guard case .approved = outcome else { throw NotApproved(outcome: outcome) }
        return self.proxy.exchanges
    }

    /// - Parameter all: where a message can be spoilt.
    private func places(_ all: [Int]) -> [Int] {
        all.enumerated().filter { FaultPlaces.isTried($0.offset, stride: self.subject.placesStride) }.map(\.element)
    }

    /// Where a request is garbled.
    func garbledPlaces(in request: [UInt8]) -> [Int] {
        FaultPlaces.all(in: request).filter {
            FaultPlaces.isTried($0, stride: self.subject.garbledRequestsStride)
        }
    }

    /// The same operation again and again, of which less than all arrives each time.
    func cutRequest(_ exchange: Int) async throws {
        let operation = try await self.next()
        _ = try await self.attempt(operation, .loseRequest, to: exchange)
        let exchanges = self.proxy.exchanges
        let answers = exchanges.prefix(exchange).map(\.answer)
        let request = try #require(exchanges.dropFirst(exchange).first).request
        for place in self.places(Array(request.indices.dropLast(self.subject.requestLengthVariance))) {
            _ = try await self.attempt(operation, .cutRequest(after: place), to: exchange, replaying: answers)
        }
    }

    /// The same operation again and again, whose answer is another each time.
    ///
    /// - Parameter places: of an answer.
    func spoilAnswer(
        _ exchange: Int, isLast: Bool, at places: (_ answer: [UInt8]) -> [Int],
        _ fault: (_ place: Int) -> FaultyProxy.Fault
    ) async throws {
        let operation = try await self.next()
        if isLast {
            _ = try await self.whole(operation)
        } else {
            _ = try await self.attempt(operation, .loseRequest, to: exchange + 1)
        }
        let answers = self.proxy.exchanges.prefix(exchange + 1).map(\.answer)
        for place in self.places(places(try #require(answers.last))) {
            _ = try await self.attempt(operation, fault(place), to: exchange, replaying: answers)
        }
    }
}
