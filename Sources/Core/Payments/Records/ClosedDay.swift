//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

/// A day of a merchant's whose report is fixed. Written once, never changed.
public struct ClosedDay: Hashable, Sendable {
    public let merchantID: MerchantID
    /// The calendar date in the merchant's zone: "2026-11-22".
    public let day: String
    /// The zone that the day was closed in, by its IANA name.
    public let timeZone: String
    /// The first moment that belongs to it: that at which the day closed before it ends.
    public let from: Timestamp
    /// The first moment that does not.
    public let to: Timestamp
    public let movementsCount: Int
    /// SHA-256 over what was booked within it, 32 bytes.
    public let digest: [UInt8]
    /// The report as it was written when the day was closed, JSON: whoever asks for it again is given these bytes.
    public let report: String
    public let closedAt: Timestamp
    /// Who closed it, as the audit log has him.
    public let closedBy: String

    public init(
        merchantID: MerchantID, day: String, timeZone: String, from: Timestamp, to: Timestamp, movementsCount: Int,
        digest: [UInt8], report: String, closedAt: Timestamp, closedBy: String
    ) {
        self.merchantID = merchantID
        self.day = day
        self.timeZone = timeZone
        self.from = from
        self.to = to
        self.movementsCount = movementsCount
        self.digest = digest
        self.report = report
        self.closedAt = closedAt
        self.closedBy = closedBy
    }
}
