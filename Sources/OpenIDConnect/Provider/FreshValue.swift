//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Time

/// A value that is fetched when it is wanted, kept for some time, and fetched once for all who wait. What has failed is not
/// tried again for a while: whoever asks often must not make this gateway ask others often.
actor FreshValue<Value: Sendable> {
    private enum Outcome {
        case value(Value)
        case failure(OpenIDFailure)
    }

    private let keptSeconds: Int64
    private let pauseSeconds: Int64
    private let clock: @Sendable () -> Timestamp
    private var kept: (outcome: Outcome, fetchedAt: Timestamp)?
    private var underWay: Task<Result<Value, OpenIDFailure>, Never>?

    init(keptSeconds: Int64, pauseSeconds: Int64, clock: @escaping @Sendable () -> Timestamp) {
        self.keptSeconds = keptSeconds
        self.pauseSeconds = pauseSeconds
        self.clock = clock
    }

    /// - Parameter isWanting: whether what is kept has turned out not to be enough, so that it is fetched again unless that was done
    ///   a moment ago.
    func value(
        isWanting: Bool = false, _ fetch: @escaping @Sendable () async throws(OpenIDFailure) -> Value
    ) async throws(OpenIDFailure) -> Value {
        if let kept = self.kept {
            let age = self.clock().milliseconds(since: kept.fetchedAt)
            let isPaused = (0..<self.pauseSeconds * 1000).contains(age)
            switch kept.outcome {
            case .value(let value) where isWanting ? isPaused : (0..<self.keptSeconds * 1000).contains(age):
                return value
            case .failure(let failure) where isPaused: throw failure
            default: break
            }
        }
        return try await self.fetched(fetch).get()
    }

    private func fetched(
        _ fetch: @escaping @Sendable () async throws(OpenIDFailure) -> Value
    ) async -> Result<Value, OpenIDFailure> {
        if let underWay = self.underWay { return await underWay.value }
        let task = Task { () -> Result<Value, OpenIDFailure> in
            do throws(OpenIDFailure) {
                return .success(try await fetch())
            } catch {
                return .failure(error)
            }
        }
        self.underWay = task
        let result = await task.value
        self.underWay = nil
        switch result {
        case .success(let value): self.kept = (.value(value), self.clock())
        case .failure(let failure): self.kept = (.failure(failure), self.clock())
        }
        return result
    }
}
