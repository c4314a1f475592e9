//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON
import Time

/// The vendor's clock: Taipei, UTC+8, without summer time.
enum TaipeiTime {
    static let offsetSeconds: Int64 = 8 * 3600

    /// "20260615".
    static func compactDate(_ time: Timestamp) -> String {
        time.adding(seconds: self.offsetSeconds).compactDate
    }

    static func startOfDay(_ time: Timestamp) -> Timestamp {
        let daySeconds: Int64 = 86_400
        let local = time.seconds + self.offsetSeconds
        let days = local >= 0 ? local / daySeconds : (local - daySeconds + 1) / daySeconds
        return Timestamp(seconds: days * daySeconds - self.offsetSeconds)
    }

    static func endOfDay(_ time: Timestamp) -> Timestamp { self.startOfDay(time).adding(seconds: 86_400) }

    static func isSameDay(_ one: Timestamp, _ other: Timestamp) -> Bool {
        self.startOfDay(one) == self.startOfDay(other)
    }

    /// When an authorization is captured by itself.
    ///
    /// - Parameters:
    ///   - days: 0 for today, or tomorrow if today's capture is over; n for n days later; -1 for never.
    ///   - minute: when authorizations are captured, since midnight.
    static func captureDueAt(authorizedAt time: Timestamp, days: Int64, minute: Int) -> Timestamp? {
        guard days >= 0 else { return nil }
        let today = self.startOfDay(time).adding(seconds: Int64(minute) * 60)
        if days > 0 { return today.adding(seconds: days * 86_400) }
        return today > time ? today : today.adding(seconds: 86_400)
    }
}

extension Timestamp {
    var millisJSON: JSON { JSON(self.milliseconds) }
}
