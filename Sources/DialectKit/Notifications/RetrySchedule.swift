//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// When a notification that was not acknowledged is sent again.
public struct RetrySchedule: Hashable, Sendable {
    /// The waits after the first, second, third … failed attempt. After the last of them nothing is tried any more.
    public let delaysSeconds: [Int64]

    public init(delaysSeconds: [Int64]) {
        self.delaysSeconds = delaysSeconds
    }

    /// The wait after that many failed attempts, at least one; `nil` when it is time to give up.
    public func delaySeconds(afterAttempts attemptsCount: Int) -> Int64? {
        let index = max(attemptsCount, 1) - 1
        return index < self.delaysSeconds.count ? self.delaysSeconds[index] : nil
    }
}
