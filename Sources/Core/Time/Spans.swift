//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension Duration {
    /// Without what is left of the last millisecond: 1.9 ms is 1, and -1.9 ms is -1.
    public var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = self.components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}

extension ContinuousClock.Instant {
    /// The whole milliseconds since an earlier moment of the clock, never less than nothing: what is left of a time
    /// that is over is none.
    public func milliseconds(after earlier: ContinuousClock.Instant) -> Int64 {
        max(0, (self - earlier).wholeMilliseconds)
    }
}
