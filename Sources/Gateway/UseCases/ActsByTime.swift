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
    /// A store within this process has no other clock: there what the machine's says holds.
    ///
    /// - Parameter reader: the transaction in which it would be done.
    @_spi(Administration)
    public func mayActByTime(in reader: any StoreReader) throws -> Bool {
        let before = self.clock()
        guard let said = try reader.storeTime() else { return true }
        let comparison = ClockComparison(name: "the database", said: said, before: before, after: self.clock())
        self.clockTrust.note(comparison, self.logger)
        return !comparison.isFailure
    }
}

/// Whether this machine's clock was trusted when it was compared last, so that a change is logged, and logged once.
final class ClockTrust: Sendable {
    /// How far the clocks of two nodes may be apart of which both are trusted.
    static let differenceSecondsMax = 2 * ClockComparison.failureMilliseconds / 1000

    private let isTrusted = Mutex(true)

    func note(_ comparison: ClockComparison, _ logger: Logger) {
        let isNew = self.isTrusted.withLock { isTrusted in
            defer { isTrusted = !comparison.isFailure }
            return isTrusted == comparison.isFailure
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
