//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

/// A host name in lower case, without port: letters, digits, hyphens and dots (RFC 1123, section 2.1).
public struct WellKnownHost: Hashable, Sendable {
    public let name: String

    public init?(_ text: String) {
        let name = text.lowercased()
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard name.utf8.count <= 253, labels.allSatisfy(Self.isLabel) else { return nil }
        self.name = name
    }

    /// The host of a request: "shop.example.com:443".
    public init?(authority: String) {
        let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 {
            guard ASCII.isDigits(parts[1], 1...5) else { return nil }
        }
        self.init(String(parts[0]))
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.utf8.allSatisfy { ASCII.isSmallLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") }
    }
}
