//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
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
    private var values: [ExactText: [UInt8]] = [:]

    /// - Parameters:
    ///   - contentType: the value of the Content-Type header.
    public init(body: [UInt8], contentType: String?, limits: FormLimits = FormLimits()) throws(FormError) {
        guard let contentType, let mediaType = MediaType(contentType) else { throw .mediaTypeNotSupported }
        self.charset = mediaType.parameters["charset"]
        switch mediaType.essence {
        case "application/x-www-form-urlencoded":
            try self.readURLEncoded(body, limits)
        case "multipart/form-data":
            guard let boundary = mediaType.parameters["boundary"], MultipartReader.isBoundary(boundary) else {
                throw .boundaryInvalid
            }
            var reader = MultipartReader(body: body, boundary: boundary, limits: limits)
            while let part = try reader.next() { try self.add(part.name, part.content, limits) }
        default: throw .mediaTypeNotSupported
        }
    }

    /// The bytes of a value.
    public subscript(name: String) -> [UInt8]? { self.values[ExactText(name)] }

    /// A value as text; `nil` if there is no such field.
    ///
    /// - Throws: when the bytes are no text in that charset.
    public func text(_ name: String, as charset: FormCharset) throws(FieldError) -> String? {
        guard let bytes = self.values[ExactText(name)] else { return nil }
        guard let text = charset.text(of: bytes) else {
            throw FieldError(path: name, problem: "must be text in \(charset.rawValue)")
        }
        return text
    }

    private mutating func add(_ name: [UInt8], _ value: [UInt8], _ limits: FormLimits) throws(FormError) {
        guard self.names.count < limits.fieldsMax else { throw .tooManyFields(max: limits.fieldsMax) }
        guard name.count <= limits.nameBytesMax else { throw .nameTooLong(bytesMax: limits.nameBytesMax) }
        guard value.count <= limits.valueBytesMax else { throw .valueTooLong(bytesMax: limits.valueBytesMax) }
        guard limits.allowsNUL || !name.contains(0) && !value.contains(0) else { throw .nulCharacter }
        // Names are ASCII in every dialect; another one has some text, so that it can be named and ignored.
        let text = String(validating: name, as: UTF8.self) ?? Latin1.text(name)
        guard self.values.updateValue(value, forKey: ExactText(text)) == nil else { throw .repeatedField(text) }
        self.names.append(text)
    }
}

// MARK: - urlencoded

extension FormFields {
    private mutating func readURLEncoded(_ body: [UInt8], _ limits: FormLimits) throws(FormError) {
        var start = body.startIndex
        while start < body.endIndex {
            let end = body[start...].firstIndex(of: UInt8(ascii: "&")) ?? body.endIndex
            let pair = body[start..<end]
            start = end + 1
            if pair.isEmpty { continue }
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let name = try FormFields.percentDecoded(pair[..<equals])
            let value = try FormFields.percentDecoded(pair[equals...].dropFirst())
            try self.add(name, value, limits)
        }
    }

    /// "+" is a blank here, other than in a path.
    private static func percentDecoded(_ bytes: ArraySlice<UInt8>) throws(FormError) -> [UInt8] {
        var failure: FormError?
        let output = [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
            var index = bytes.startIndex
            while index < bytes.endIndex, failure == nil {
                var byte = bytes[index]
                switch byte {
                case UInt8(ascii: "+"): byte = UInt8(ascii: " ")
                case UInt8(ascii: "%"):
                    if bytes.endIndex - index > 2, let high = Hex.value(bytes[index + 1]),
                        let low = Hex.value(bytes[index + 2])
                    {
                        byte = high << 4 | low
                        index += 2
                    } else {
                        failure = .percentEncodingMalformed
                    }
                case 0x00...0x1F, 0x7F: failure = .controlCharacter
                default: break
                }
                output[count] = byte
                count += 1
                index += 1
            }
        }
        if let failure { throw failure }
        return output
    }
}

// MARK: - Nothing is shown

extension FormFields: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "FormFields(\(self.names.count) fields)" }

    public var debugDescription: String { self.description }

    public var customMirror: Mirror { Mirror(self, children: []) }
}
