//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

/// The version of the schema that a client knows: "1.2". Elements that came later are left out for older ones.
struct SchemaVersion: Hashable, Sendable, Comparable {
    /// The digits of each number without leading zeros, of any length as in the pattern; none for zero.
    private let parts: [Substring]

    /// - Returns: `nil` for what does not fit `([0-9]+\.)*[0-9]+`.
    init?(_ text: String) {
        let texts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard texts.allSatisfy({ ASCII.isDigits($0) }) else { return nil }
        self.init(texts.map { $0.drop { $0 == "0" } })
    }

    private init(_ parts: [Substring]) {
        self.parts = parts
    }

    /// From which on a client knows `ResponseCode`.
    static let withResponseCode = SchemaVersion(["1", "1"])
    /// From which on it knows `TenderType`.
    static let withTenderType = SchemaVersion(["1", "2"])

    /// Number by number; missing ones are zero: 1.10 is later than 1.2, and 2 than both.
    static func < (lhs: SchemaVersion, rhs: SchemaVersion) -> Bool {
        for index in 0..<max(lhs.parts.count, rhs.parts.count) {
            let left = index < lhs.parts.count ? lhs.parts[index] : ""
            let right = index < rhs.parts.count ? rhs.parts[index] : ""
            if left != right { return (left.utf8.count, left) < (right.utf8.count, right) }
        }
        return false
    }
}
