//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Logging
public import Payments
import Synchronization
import Time

extension Gateway {
    /// Whether what is due by the time, and cannot be undone, may be done: deleting what was kept long enough, capturing
    /// what was planned, taking over what another node has begun. Not while this machine's clock and the store's differ by
    /// as much as is a failure (``ClockComparison/failureMilliseconds``): one of both is wrong, and nobody knows which.
    /// Whoever's clock agrees does it, or this node once it does.
    ///
    /// A store within this process has no other clock: there what the machine's says holds. Of another the time is
    /// asked with each look for jobs, and once for all else that is done within seconds (``ClockTrust/lookSeconds``): a long
    /// pass is thousands of deletions.
    ///
    /// - Parameters:
    ///   - reader: the transaction in which it would be done.
    ///   - isAsked: whether the store is asked in any case: where what this machine takes for the present decides what
    ///     another node has given up. All clocks of a virtual machine stand while it is paused, so that it does not
    ///     notice.
    @_spi(Administration)
    public func mayActByTime(in reader: any StoreReader, asking isAsked: Bool = false) throws -> Bool {
        let moment = self.moment
        if !isAsked, self.clockTrust.isAgreed(at: moment) { return true }
        guard let said = try reader.storeTime() else { return true }
        let comparison = ClockComparison(name: "the database", said: said, before: moment.time, after: self.clock())
        self.clockTrust.note(comparison, at: moment, self.logger)
        return !comparison.isFailure
    }

    /// The same, where it is read first what there is to do.
    ///
    /// - Throws: `StoreError`.
    @_spi(Administration)
    public func mayActByTime() async throws -> Bool {
        if self.clockTrust.isAgreed(at: self.moment) { return true }
        return try await self.store.read { try self.mayActByTime(in: $0) }
    }

    private var moment: ClockTrust.Moment { ClockTrust.Moment(time: self.clock(), steady: self.steadyClock()) }
}

/// What is known of this machine's clock since it was compared with the store's last. It is trusted for seconds
/// without being compared again, and only as long as nobody sets it: by how much it was set is how far it has gone
/// beside the steady one. Only that it agrees is remembered; where it does not, the store is asked each time.
final class ClockTrust: Sendable {
    /// How far the clocks of two nodes may be apart of which both are trusted.
    static let differenceSecondsMax = 2 * ClockComparison.failureMilliseconds / 1000

    /// How long the store is not asked again. So long it goes unnoticed that the store's own clock was set, or that
    /// another server has taken over whose clock is another; this machine's then still says what both had agreed on.
    static let lookSeconds: Int64 = 5

    /// A moment as this machine's clock and the one that nobody sets have it.
    struct Moment: Sendable {
        let time: Timestamp
        let steady: ContinuousClock.Instant
    }

    private struct Look {
        let comparison: ClockComparison
        /// Before the store was asked.
        let moment: Moment

        /// How far ahead this machine's clock is at a later moment, if the store's goes on as time does.
        func comparison(at later: Moment) -> ClockComparison {
            let passed = later.steady.milliseconds(after: self.moment.steady)
            let set = later.time.milliseconds(since: self.moment.time) - passed
            return ClockComparison(
                name: self.comparison.name, aheadMilliseconds: self.comparison.aheadMilliseconds + set)
        }
    }

    private struct State {
        /// So that a change is logged, and logged once.
        var isTrusted = true
        var look: Look?
    }

    private let state = Mutex(State())

    /// Whether the last comparison says so still.
    func isAgreed(at moment: Moment) -> Bool {
        guard let look = self.state.withLock({ $0.look }) else { return false }
        let age = look.moment.steady.duration(to: moment.steady)
        return age < .seconds(Self.lookSeconds) && !look.comparison(at: moment).isFailure
    }

    /// - Parameter moment: before the store was asked.
    func note(_ comparison: ClockComparison, at moment: Moment, _ logger: Logger) {
        let isNew = self.state.withLock { state in
            defer { state.isTrusted = !comparison.isFailure }
            state.look = comparison.isFailure ? nil : Look(comparison: comparison, moment: moment)
            return state.isTrusted == comparison.isFailure
        }
        guard isNew else { return }
        guard comparison.isFailure else {
            logger.notice("this machine's clock agrees with the database's again: what is due by the time goes on")
            return
        }
        logger.error(
            "this machine's clock differs from the database's: nothing is deleted, captured or recovered by the time",
            metadata: ["seconds": "\(comparison.aheadMilliseconds / 1000)"])
    }
}
