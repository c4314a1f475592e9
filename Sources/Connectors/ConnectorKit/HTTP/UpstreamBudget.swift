//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Time

/// How long all calls of one operation may take together.
///
/// An operation whose outcome nobody heard of counts as never sent when its quiet time is over. A second call of it
/// (with another password, without a detail) must not be written later than the first one could have been.
public struct UpstreamBudget: Sendable {
    private let end: ContinuousClock.Instant
    private let now: @Sendable () -> ContinuousClock.Instant

    public init(
        milliseconds: Int64, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.end = now() + .milliseconds(milliseconds)
        self.now = now
    }

    /// What is left of it, never less than nothing.
    public var remainingMilliseconds: Int64 { self.end.milliseconds(after: self.now()) }
}
