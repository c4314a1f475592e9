//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A value that must never be seen: a PAN, a cryptogram, a key, a token, a password.
///
/// Whatever prints, interpolates, mirrors, dumps or encodes a `Redacted` gets the fixed word ``placeholder``, whatever
/// the value's length. It fails closed: there is no way to the value but ``reveal()``, which is easy to search for.
public struct Redacted<Value> {
    private let value: Value

    public init(_ value: Value) {
        self.value = value
    }

    /// The value itself. Call it where the value is used (a cipher, an acquirer's message) and nowhere else.
    public func reveal() -> Value {
        self.value
    }

    /// A redacted value made from this one.
    public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Redacted<Other> {
        Redacted<Other>(try transform(self.value))
    }
}

extension Redacted where Value == String {
    /// Whether a text that somebody has sent is the secret, byte by byte, found out in a time that does not depend on
    /// where the two differ. How long the secret is, the time may say.
    ///
    /// An empty secret is none: nothing matches it.
    public func matches(_ candidate: String) -> Bool {
        let (candidate, secret) = (Array(candidate.utf8), Array(self.value.utf8))
        guard candidate.count == secret.count, !secret.isEmpty else { return false }
        return zip(candidate, secret).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// The word that stands for every redacted value.
public let redactionPlaceholder = "[redacted]"

extension Redacted: Sendable where Value: Sendable {}

extension Redacted: Equatable where Value: Equatable {}

extension Redacted: Hashable where Value: Hashable {}

extension Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { redactionPlaceholder }

    public var debugDescription: String { redactionPlaceholder }

    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension Redacted: Encodable {
    /// Encodes the fixed word. A redacted value is stored by sealing what ``reveal()`` gives, never by encoding it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(redactionPlaceholder)
    }
}
