//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import Time

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A time in whole seconds since 1970, the resolution of ASN.1.
struct Instant: Hashable, Comparable, Sendable {
    let seconds: Int64

    init(seconds: Int64) {
        self.seconds = seconds
    }

    /// Fractions are cut off; a date that is no number or too far away becomes the nearest end of time.
    init(_ date: Date) {
        let interval = date.timeIntervalSince1970.rounded(.down)
        self.seconds = Int64(exactly: interval) ?? (interval < 0 ? .min : .max)
    }

    var date: Date { Date(timeIntervalSince1970: Double(self.seconds)) }

    /// "2015-12-10T17:44:10Z"
    ///
    /// Beyond the years that four digits can write, the first or the last of them.
    var text: String {
        Timestamp(seconds: min(max(self.seconds, -62_135_596_800), 253_402_300_799)).rfc3339Seconds
    }

    /// How much later `other` is, without overflow.
    func seconds(until other: Instant) -> Int64 {
        let (difference, overflow) = other.seconds.subtractingReportingOverflow(self.seconds)
        return overflow ? (other.seconds < self.seconds ? .min : .max) : difference
    }

    static func < (lhs: Instant, rhs: Instant) -> Bool {
        lhs.seconds < rhs.seconds
    }
}
