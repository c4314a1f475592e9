//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
public import StrictJSON

/// How far a settlement file is booked that is booked in several commits and of which the last is missing: it is being
/// imported, or its import was cut off. Who imports the same file again, for the same days and with the same mapping, has
/// the rest booked.
public struct SettlementProgress: Hashable, Sendable {
    public let bookedLinesCount: Int
    /// How many lines there are to book, as it was when the last of its parts was booked. All may be booked, and what the
    /// file lacks is not compared yet.
    public let linesCount: Int

    /// - Returns: `nil` for a file that is whole, or that is booked to its end. Of what an earlier version of this program has
    ///   written it is not known.
    /// - Throws: `StoreError`.
    init?(of file: SettlementFile, in reader: any StoreReader) throws {
        guard let part = file.part,
            try reader.settlementFile(of: file.accountID, digest: part.wholeDigest) == nil
        else { return nil }
        let parts = try SettlementStart.parts(of: part.wholeDigest, of: file.accountID, in: reader)
        self.bookedLinesCount = parts.reduce(0) { $0 + $1.linesCount }
        self.linesCount = parts.last?.part?.wholeLinesCount ?? part.wholeLinesCount
    }

    public var json: JSONObject {
        var object = JSONObject()
        object["bookedLines"] = JSON(self.bookedLinesCount)
        object["lines"] = JSON(self.linesCount)
        return object
    }
}
