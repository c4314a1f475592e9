//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What another clock says, against this machine's.
public struct ClockComparison: Hashable, Sendable {
    /// More is a failure of some clock. A second or two is what a clock that is kept may be off while it is set.
    public static let warningMilliseconds: Int64 = 2000
    /// Leases and signatures are off by that much; the least that some merchants allow a signature is a minute.
    public static let failureMilliseconds: Int64 = 30_000

    /// Whose clock it is: "the database", "apple-pay-gateway.apple.com".
    public let name: String
    /// How far this machine's clock is ahead of it, in milliseconds; behind where it is negative.
    public let aheadMilliseconds: Int64

    public init(name: String, aheadMilliseconds: Int64) {
        self.name = name
        self.aheadMilliseconds = aheadMilliseconds
    }

    /// From a clock that was asked for its time.
    ///
    /// - Parameters:
    ///   - said: what it said.
    ///   - precision: how much later than what it says it may be, in milliseconds: 1000 where it says seconds.
    ///   - before: this machine's time when it was asked.
    ///   - after: this machine's time when it answered.
    public init(name: String, said: Timestamp, precision: Int64 = 1, before: Timestamp, after: Timestamp) {
        // It said so at some moment between the two: what the difference is at least.
        let earliest = before.milliseconds(since: said.adding(milliseconds: precision))
        let latest = after.milliseconds(since: said)
        let ahead: Int64 = earliest > 0 ? earliest : latest < 0 ? latest : 0
        self.init(name: name, aheadMilliseconds: ahead)
    }

    /// Whether one of both clocks is wrong, and nobody knows which.
    public var isFailure: Bool { self.aheadMilliseconds.magnitude >= Self.failureMilliseconds.magnitude }
}
