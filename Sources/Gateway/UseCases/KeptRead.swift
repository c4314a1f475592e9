//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

/// A long read whose answer is kept where it took long, for those who can do with one of some minutes ago: of a store with
/// many payments it takes longer than an answer over HTTP may, and waits for the check of the books besides.
@_spi(Administration)
public actor KeptRead<Value: Sendable> {
    /// What takes less is asked anew each time.
    static var longSeconds: Int64 { 1 }
    /// For how long an answer is given without asking anew.
    static var freshSeconds: Int64 { 300 }
    /// For how long it is given while one asks anew.
    static var keptSeconds: Int64 { 900 }

    /// An answer, and the moment that it is of.
    public struct Answer: Sendable {
        public let value: Value
        public let asOf: Timestamp
        fileprivate let begunAt: ContinuousClock.Instant
        fileprivate let endedAt: ContinuousClock.Instant
    }

    private let read: JoinedRead<Answer>
    private let now: @Sendable () -> Timestamp
    private let steadyNow: @Sendable () -> ContinuousClock.Instant
    private var kept: Answer?
    private var renewing: Task<Void, Never>?

    init(
        _ turn: LongReadTurn, now: @escaping @Sendable () -> Timestamp,
        steadyNow: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.read = JoinedRead(turn)
        self.now = now
        self.steadyNow = steadyNow
    }

    /// What is kept, if it is not too old; else what is asked now.
    public func recent(_ ask: @escaping @Sendable () async throws -> Value) async throws -> Answer {
        guard let kept = self.kept else { return try await self.value(ask) }
        let age = self.steadyNow() - kept.begunAt
        guard age >= .seconds(Self.freshSeconds) else { return kept }
        guard age < .seconds(Self.keptSeconds) else { return try await self.value(ask) }
        if self.renewing == nil { self.renewing = Task { await self.renew(ask) } }
        return kept
    }

    /// What is asked after this was called.
    public func value(_ ask: @escaping @Sendable () async throws -> Value) async throws -> Answer {
        let (now, steadyNow) = (self.now, self.steadyNow)
        let answer = try await self.read.value {
            let (asOf, begunAt) = (now(), steadyNow())
            let value = try await ask()
            return Answer(value: value, asOf: asOf, begunAt: begunAt, endedAt: steadyNow())
        }
        self.keep(answer)
        return answer
    }

    private func keep(_ answer: Answer) {
        if let kept = self.kept, kept.begunAt > answer.begunAt { return }
        self.kept = answer.endedAt - answer.begunAt >= .seconds(Self.longSeconds) ? answer : nil
    }

    /// One that fails is asked again by the next who comes.
    private func renew(_ ask: @escaping @Sendable () async throws -> Value) async {
        _ = try? await self.value(ask)
        self.renewing = nil
    }
}
