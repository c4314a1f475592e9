//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

/// The time that Home shows, in buckets of which the first begins where an hour or a day does.
public struct HomeWindow: Hashable, Sendable {
    public enum Bucket: String, Hashable, Sendable, CaseIterable {
        case hour
        /// Of the merchant's zone.
        case day
    }

    /// What a chart can show, and a walk can pay for.
    public static let daysMax: Int64 = 92
    /// Up to this long a window has hours.
    public static let hoursMax: Int64 = 72

    public let bucket: Bucket
    public let zone: ReportZone
    /// Of each bucket its first moment, oldest first; one at least.
    public let starts: [Timestamp]
    /// Before that.
    public let to: Timestamp

    public var from: Timestamp { self.starts.first ?? self.to }

    /// From 0002 to 9999, in every zone: beyond those years days no longer begin one after the other.
    private static let times = Timestamp(seconds: -62_104_060_800)...Timestamp(seconds: 253_370_764_800)

    /// - Parameters:
    ///   - from: a day before `to` if left out.
    ///   - to: now if left out.
    ///   - bucket: by the length if left out.
    /// - Returns: `nil` for a window that ends before it begins, has more than 92 days, or more than 72 hours by the hour,
    ///   and for one that is not within the years 2 to 9998.
    public init?(from: Timestamp?, to: Timestamp?, bucket: Bucket?, zone: ReportZone, now: Timestamp) {
        let to = to ?? now
        let from = from ?? to.adding(seconds: -86_400)
        let (seconds, overflow) = to.milliseconds.subtractingReportingOverflow(from.milliseconds)
        guard !overflow, seconds > 0, seconds <= Self.daysMax * 86_400_000 else { return nil }
        guard from >= Self.times.lowerBound, to <= Self.times.upperBound else { return nil }
        let isShort = seconds <= Self.hoursMax * 3_600_000
        let bucket = bucket ?? (isShort ? .hour : .day)
        guard bucket == .day || isShort else { return nil }
        self.bucket = bucket
        self.zone = zone
        self.to = to
        var starts: [Timestamp] = []
        switch bucket {
        case .hour:
            let hour: Int64 = 3_600_000
            var start = Timestamp(milliseconds: from.milliseconds - ((from.milliseconds % hour) + hour) % hour)
            while start < to {
                starts.append(start)
                start = start.adding(milliseconds: hour)
            }
        case .day:
            var day = zone.day(of: from)
            while zone.start(of: day) < to {
                starts.append(zone.start(of: day))
                day = day.next
            }
        }
        self.starts = starts
    }

    /// Where a bucket ends.
    public func end(of index: Int) -> Timestamp {
        index + 1 < self.starts.count ? self.starts[index + 1] : self.to
    }

    /// In which bucket a moment is.
    public func index(of moment: Timestamp) -> Int? {
        guard moment < self.to else { return nil }
        return self.starts.lastIndex { $0 <= moment }
    }
}
