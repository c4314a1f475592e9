//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

extension Finding {
    /// Certificates of fewer days than this are renewed by a program, a month before they end or later (RFC 8555).
    private static let renewedDaysMax: Int64 = 100

    /// The step at which a web server's certificate is spoken of: that of one that a program renews, two weeks before
    /// its end.
    public static func endStep(notBefore: Timestamp, notAfter: Timestamp, at now: Timestamp) -> EndStep? {
        let isRenewed = notAfter.milliseconds(since: notBefore) / 86_400_000 <= self.renewedDaysMax
        return EndStep(
            secondsLeft: notAfter.milliseconds(since: now) / 1000, daysMax: isRenewed ? 14 : 60)
    }
}
