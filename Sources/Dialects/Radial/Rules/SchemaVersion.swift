//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The version of the schema that a client knows: "1.2". Elements that came later are left out for older ones.
struct SchemaVersion: Hashable, Sendable, Comparable {
    private let parts: [UInt64]

    /// - Returns: `nil` for what does not fit `([0-9]+\.)*[0-9]+`, or has numbers that no version has.
    init?(_ text: String) {
        let texts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard texts.count <= 8, texts.allSatisfy({ XMLText.isDigits($0) && $0.utf8.count <= 9 }) else { return nil }
        self.init(texts.compactMap { UInt64($0) })
    }

    private init(_ parts: [UInt64]) {
        self.parts = parts
    }

    /// From which on a client knows `ResponseCode`.
    static let withResponseCode = SchemaVersion([1, 1])
    /// From which on it knows `TenderType`.
    static let withTenderType = SchemaVersion([1, 2])

    /// Number by number; missing ones are zero: 1.10 is later than 1.2, and 2 than both.
    static func < (lhs: SchemaVersion, rhs: SchemaVersion) -> Bool {
        for index in 0..<max(lhs.parts.count, rhs.parts.count) {
            let left = index < lhs.parts.count ? lhs.parts[index] : 0
            let right = index < rhs.parts.count ? rhs.parts[index] : 0
            if left != right { return left < right }
        }
        return false
    }
}
