//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import StrictJSON

/// The fields of a form: names and values as bytes, in the order in which they came.
///
/// Reads `application/x-www-form-urlencoded` (WHATWG URL Standard, section 5.1) and `multipart/form-data` (RFC 7578),
/// the latter also for parts that are files, of which only the contents are kept. In which charset a value is written
/// is the caller's to know: ``text(_:as:)``. Shows nothing of its values when it is printed, reflected or logged.
public struct FormFields: Sendable {
    /// Every name, once, in the order of the body.
    public private(set) var names: [String] = []
    /// The `charset` parameter of the Content-Type.
    public private(set) var charset: String?
    /// The values, each in its place.
    private var bytes: [UInt8] = []
    private var places: [ExactText: Range<Int>] = [:]

    /// - Parameters:
    ///   - contentType: the value of the Content-Type header.
    public init(body: [UInt8], contentType: String?, limits: FormLimits = FormLimits()) throws(FormError) {
        guard let contentType, let mediaType = MediaType(contentType) else { throw .mediaTypeNotSupported }
        self.charset = mediaType.parameters["charset"]
        self.places.reserveCapacity(48)
        self.names.reserveCapacity(48)
        switch mediaType.essence {
        case "application/x-www-form-urlencoded":
            try self.readURLEncoded(body, limits)
        case "multipart/form-data":
            guard let boundary = mediaType.parameters["boundary"], MultipartReader.isBoundary(boundary) else {
                throw .boundaryInvalid
            }
            var reader = MultipartReader(body: body, boundary: boundary, limits: limits)
            while let part = try reader.next() {
                let place = self.bytes.count..<self.bytes.count + part.content.count
                self.bytes += part.content
                try part.name.withUnsafeBufferPointer { name throws(FormError) in
                    try part.content.withUnsafeBufferPointer { content throws(FormError) in
                        try self.add(name, content, at: place, limits)
                    }
                }
            }
        default: throw .mediaTypeNotSupported
        }
    }

    /// The bytes of a value.
    public subscript(name: String) -> [UInt8]? { self.places[ExactText(name)].map { Array(self.bytes[$0]) } }

    /// A value as text; `nil` if there is no such field.
    ///
    /// - Throws: when the bytes are no text in that charset.
    public func text(_ name: String, as charset: FormCharset) throws(FieldError) -> String? {
        guard let place = self.places[ExactText(name)] else { return nil }
        let text = self.bytes.withUnsafeBufferPointer { charset.text(of: UnsafeBufferPointer(rebasing: $0[place])) }
        guard let text else {
            throw FieldError(path: name, problem: "must be text in \(charset.rawValue)")
        }
        return text
    }

    /// - Parameter place: where the value lies in what is kept.
    private mutating func add(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, at place: Range<Int>,
        _ limits: FormLimits
    ) throws(FormError) {
        guard self.names.count < limits.fieldsMax else { throw .tooManyFields(max: limits.fieldsMax) }
        guard name.count <= limits.nameBytesMax else { throw .nameTooLong(bytesMax: limits.nameBytesMax) }
        guard value.count <= limits.valueBytesMax else { throw .valueTooLong(bytesMax: limits.valueBytesMax) }
        guard limits.allowsNUL || !Self.hasNUL(name) && !Self.hasNUL(value) else { throw .nulCharacter }
        // Names are ASCII in every dialect; another one has some text, so that it can be named and ignored.
        let text = ASCII.text(name) ?? String(validating: name, as: UTF8.self) ?? Latin1.text(name)
        guard self.places.updateValue(place, forKey: ExactText(text)) == nil else { throw .repeatedField(text) }
        self.names.append(text)
    }
}

// MARK: - urlencoded

extension FormFields {
    /// Nothing decoded is longer than it was, so that the body's own length is enough for all of it, names included.
    private mutating func readURLEncoded(_ body: [UInt8], _ limits: FormLimits) throws(FormError) {
        // Without an early end, so that many bytes are looked at in a step.
        let controls = body.reduce(UInt8(0)) { $0 | ($1 < 0x20 || $1 == 0x7F ? 1 : 0) }
        guard controls == 0 else { throw .controlCharacter }
        var decoded = [UInt8](repeating: 0, count: body.count)
        try body.withUnsafeBufferPointer { body throws(FormError) in
            try decoded.withUnsafeMutableBufferPointer { target throws(FormError) in
                var rest = body[...]
                var count = 0
                while !rest.isEmpty {
                    let end = Self.index(of: UInt8(ascii: "&"), in: rest) ?? rest.endIndex
                    let pair = rest[..<end]
                    rest = rest[min(end + 1, rest.endIndex)...]
                    if pair.isEmpty { continue }
                    let equals = Self.index(of: UInt8(ascii: "="), in: pair) ?? pair.endIndex
                    let free = UnsafeMutableBufferPointer(rebasing: target[count...])
                    let name = try Self.percentDecoded(pair[..<equals], into: free)
                    let behind = UnsafeMutableBufferPointer(rebasing: free[name.count...])
                    let value = try Self.percentDecoded(pair[equals...].dropFirst(), into: behind)
                    let place = count + name.count..<count + name.count + value.count
                    try self.add(name, value, at: place, limits)
                    count = place.upperBound
                }
            }
        }
        self.bytes = decoded
    }

    /// "+" is a blank here, other than in a path. Bytes of which none is encoded are copied eight at a time: a token is some
    /// thousand characters of base64.
    private static func percentDecoded(
        _ bytes: Slice<UnsafeBufferPointer<UInt8>>, into target: UnsafeMutableBufferPointer<UInt8>
    ) throws(FormError) -> UnsafeBufferPointer<UInt8> {
        let source = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes))
        guard let count = self.percentDecode(source, to: UnsafeMutableRawBufferPointer(target)) else {
            throw .percentEncodingMalformed
        }
        return UnsafeBufferPointer(rebasing: target[..<count])
    }

    /// - Parameter target: as long as the source at least: no more comes out than goes in, so that a word that can be read
    ///   can be written, and what is too much of it is written over.
    /// - Returns: how many bytes came out; `nil` for what is not well-formed.
    private static func percentDecode(
        _ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer
    ) -> Int? {
        var (index, count) = (0, 0)
        while index < source.count {
            if source.count - index >= 8 {
                let word = source.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                let plain = min(
                    self.offset(of: UInt8(ascii: "%"), in: word), self.offset(of: UInt8(ascii: "+"), in: word))
                target.storeBytes(of: word, toByteOffset: count, as: UInt64.self)
                index += plain
                count += plain
                if plain == 8 { continue }
            }
            switch source[index] {
            case UInt8(ascii: "%"):
                guard source.count - index > 2, let high = ASCII.hexValue(source[index + 1]),
                    let low = ASCII.hexValue(source[index + 2])
                else { return nil }
                target[count] = high << 4 | low
                index += 3
            case UInt8(ascii: "+"):
                target[count] = UInt8(ascii: " ")
                index += 1
            case let byte:
                target[count] = byte
                index += 1
            }
            count += 1
        }
        return count
    }

    private static func hasNUL(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { self.index(of: 0, in: bytes[...]) != nil }

    /// Eight bytes in a step: those of which none is the one that is looked for.
    private static func index(of byte: UInt8, in slice: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: slice))
        var offset = 0
        while bytes.count - offset >= 8 {
            let found = self.offset(of: byte, in: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            guard found == 8 else { return slice.startIndex + offset + found }
            offset += 8
        }
        return bytes[offset...].firstIndex(of: byte).map { slice.startIndex + $0 }
    }

    /// The first of a word's bytes that is a certain one, in the order in which they lie; 8 if none is (H. S. Warren,
    /// Hacker's Delight, 2nd edition, section 6-1: of the bits that are found the lowest is right).
    private static func offset(of byte: UInt8, in word: UInt64) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let difference = word.littleEndian ^ (ones &* UInt64(byte))
        return ((difference &- ones) & ~difference & (ones &* 0x80)).trailingZeroBitCount / 8
    }
}

// MARK: - Nothing is shown

extension FormFields: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "FormFields(\(self.names.count) fields)" }

    public var debugDescription: String { self.description }

    public var customMirror: Mirror { Mirror(self, children: []) }
}
