//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import SwiftASN1

/// A writer of ASN.1 elements (X.690), small on purpose.
///
/// Apple writes the outer layers of a token's signature with indefinite lengths (X.690, 8.1.3.6), which a DER
/// serializer can't do.
enum BER {
    /// Universal tags that occur in tokens and certificates.
    enum Tag {
        static let boolean: UInt8 = 0x01
        static let integer: UInt8 = 0x02
        static let bitString: UInt8 = 0x03
        static let octetString: UInt8 = 0x04
        static let null: UInt8 = 0x05
        static let utf8String: UInt8 = 0x0C
        static let ia5String: UInt8 = 0x16
        static let utcTime: UInt8 = 0x17
        static let sequence: UInt8 = 0x30
        static let set: UInt8 = 0x31

        static func context(_ number: UInt8, isConstructed: Bool = true) -> UInt8 {
            (isConstructed ? 0xA0 : 0x80) | number
        }
    }

    /// An element of definite length in the shortest form, as DER asks for.
    static func element(_ tag: UInt8, _ contents: [UInt8]...) -> [UInt8] {
        self.element(tag, joined: contents)
    }

    static func element(_ tag: UInt8, joined contents: [[UInt8]]) -> [UInt8] {
        let count = contents.reduce(0) { $0 + $1.count }
        var output: [UInt8] = [tag]
        output.reserveCapacity(count + 6)
        if count < 0x80 {
            output.append(UInt8(count))
        } else {
            let bytes = withUnsafeBytes(of: UInt64(count).bigEndian) { Array($0.drop { $0 == 0 }) }
            output.append(0x80 | UInt8(bytes.count))
            output.append(contentsOf: bytes)
        }
        for content in contents { output.append(contentsOf: content) }
        return output
    }

    /// An element of indefinite length, closed by two zero bytes; or of definite length when that is asked for.
    static func open(_ tag: UInt8, isDefinite: Bool = false, _ contents: [UInt8]...) -> [UInt8] {
        if isDefinite { return self.element(tag, joined: contents) }
        return contents.reduce(into: [tag, 0x80]) { $0.append(contentsOf: $1) } + [0x00, 0x00]
    }

    static func sequence(_ contents: [UInt8]...) -> [UInt8] {
        self.element(Tag.sequence, joined: contents)
    }

    /// A SET OF in DER order: ascending by the encoded bytes (X.690, 11.6).
    static func set(of elements: [[UInt8]], tag: UInt8 = Tag.set) -> [UInt8] {
        self.element(tag, joined: elements.sorted { $0.lexicographicallyPrecedes($1) })
    }

    static let null: [UInt8] = [Tag.null, 0x00]

    static func integer(_ value: UInt8) -> [UInt8] {
        self.unsignedInteger([value])
    }

    /// A non-negative integer from its big-endian bytes.
    static func unsignedInteger(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var trimmed = Array(bytes.drop { $0 == 0 })
        if trimmed.first.map({ $0 >= 0x80 }) ?? true { trimmed.insert(0, at: 0) }
        return self.element(Tag.integer, trimmed)
    }

    static func octetString(_ bytes: [UInt8]) -> [UInt8] {
        self.element(Tag.octetString, bytes)
    }

    static func objectIdentifier(_ identifier: ASN1ObjectIdentifier) throws -> [UInt8] {
        try self.serialized(identifier)
    }

    static func serialized(_ value: some DERSerializable) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(value)
        return serializer.serializedBytes
    }
}
