//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Time

extension CivilTime {
    /// The moment in UTC, to the second.
    init(_ date: Date) {
        self.init(Timestamp(seconds: Int64(date.timeIntervalSince1970.rounded(.down))))
    }

    /// "YYMMDD", as EMV tag 9A and expiration dates are written.
    var shortDate: String {
        CivilTime.twoDigits(self.year) + CivilTime.twoDigits(self.month) + CivilTime.twoDigits(self.day)
    }

    /// "YYMMDDhhmmssZ" (RFC 5652, 11.3: UTCTime from 1950 to 2049).
    func utcTime() throws(SimulatorError) -> String {
        guard (1950...2049).contains(self.year) else {
            throw SimulatorError(
                .signingTimeOutOfRange, "a signing time must lie between 1950 and 2049: pass one that UTCTime can hold")
        }
        return self.shortDate + CivilTime.twoDigits(self.hour) + CivilTime.twoDigits(self.minute)
            + CivilTime.twoDigits(self.second) + "Z"
    }

    private static func twoDigits(_ value: Int) -> String {
        let lastTwo = value % 100
        return lastTwo < 10 ? "0\(lastTwo)" : "\(lastTwo)"
    }
}
