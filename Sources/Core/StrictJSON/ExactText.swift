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
        // Where the bytes lie, since names are looked up in every message; and never with `==`, which takes its time for texts
        // that were made to be equivalent.
        guard self.utf8.count == other.utf8.count else { return false }
        let isSame = self.utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { others in
                bytes.indices.allSatisfy { bytes[$0] == others[$0] }
            }
        }
        return isSame.flatMap(\.self) ?? self.utf8.elementsEqual(other.utf8)
    }
}

extension String? {
    /// Whether both are left out, or have the same code points (``Swift/String/isExactly(_:)``).
    public func isExactly(_ other: String?) -> Bool {
        switch (self, other) {
        case (let text?, let other?): text.isExactly(other)
        case (nil, nil): true
        case (nil, _?), (_?, nil): false
        }
    }
}

extension RawRepresentable where RawValue == String {
    /// The case that is written with these code points and no others.
    public init?(exactly text: String) {
        // No case is as long, and a long text may be made to be slow to compare.
        guard text.utf8.count <= 128, let value = Self(rawValue: text), value.rawValue.isExactly(text) else {
            return nil
        }
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

    // Of the bytes: equivalent texts have the same hash, and thousands of them would lie in one place.
    public func hash(into hasher: inout Hasher) {
        var text = self.text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // Between two texts, as the standard library separates its own.
        hasher.combine(0xFF as UInt8)
    }
}
