//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension String {
    /// Whether both have the same code points, as RFC 8259, section 8.3 compares names.
    ///
    /// Swift's `==` asks for canonical equivalence (Unicode Standard, section 3.7): "é" equals "e" with an accent, and
    /// U+212A, the Kelvin sign, equals "K". A database or a shop's program would see two different texts there.
    public func isExactly(_ other: String) -> Bool {
        // Most texts that differ are of another length or not equivalent. What is left is compared where it lies: names
        // are looked up in every message.
        guard self.utf8.count == other.utf8.count, self == other else { return false }
        let isSame = self.utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { others in
                bytes.indices.allSatisfy { bytes[$0] == others[$0] }
            }
        }
        return isSame.flatMap(\.self) ?? self.utf8.elementsEqual(other.utf8)
    }
}

extension RawRepresentable where RawValue == String {
    /// The case that is written with these code points and no others.
    public init?(exactly text: String) {
        guard let value = Self(rawValue: text), value.rawValue.isExactly(text) else { return nil }
        self = value
    }
}

/// A text as a key of a set or a dictionary, by its code points.
public struct ExactText: Hashable, Sendable {
    public let text: String

    public init(_ text: String) {
        self.text = text
    }

    public static func == (lhs: ExactText, rhs: ExactText) -> Bool { lhs.text.isExactly(rhs.text) }

    // Texts with the same code points are equivalent, and so have the same hash.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.text) }
}
