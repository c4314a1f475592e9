//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why a text is not JSON as this parser accepts it. Says where and what, and carries nothing of the text itself.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A stable name for the rule that was broken.
    public enum Code: String, Hashable, Sendable {
        case tooLarge = "too_large"
        case tooDeep = "too_deep"
        case tooManyValues = "too_many_values"
        case endsEarly = "ends_early"
        case trailingBytes = "trailing_bytes"
        case unexpectedByte = "unexpected_byte"
        case malformedNumber = "malformed_number"
        case malformedString = "malformed_string"
        case invalidUTF8 = "invalid_utf8"
        case duplicateName = "duplicate_name"
        case nulCharacter = "nul_character"
        case tooManyMarks = "too_many_marks"
        case byteOrderMark = "byte_order_mark"
    }

    public let code: Code
    /// The byte at which the rule was broken, counted from 0.
    public let offset: Int

    public init(code: Code, offset: Int) {
        self.code = code
        self.offset = offset
    }

    public var description: String {
        let what =
            switch self.code {
            case .tooLarge: "the text is larger than allowed"
            case .tooDeep: "the text nests deeper than allowed"
            case .tooManyValues: "the text holds more values than allowed"
            case .endsEarly: "the text ends in the middle of a value"
            case .trailingBytes: "something follows the value"
            case .unexpectedByte: "a value, a name or a separator is missing or misplaced"
            case .malformedNumber: "a number is not written as RFC 8259 requires"
            case .malformedString: "a string holds a control character or a wrong escape"
            case .invalidUTF8: "the text is not UTF-8"
            case .duplicateName: "an object has the same name twice"
            case .nulCharacter: "a string holds U+0000, which is not taken"
            case .tooManyMarks: "a string has more than 30 combining marks in a row"
            case .byteOrderMark: "the text begins with a byte order mark, which JSON must not (RFC 8259, section 8.1)"
            }
        return "\(what) (byte \(self.offset))"
    }
}

/// Bounds on what ``JSON/parse(_:limits:)`` reads, so that no input can exhaust memory or stack.
public struct JSONLimits: Hashable, Sendable {
    public var bytesMax: Int
    public var depthMax: Int
    public var valuesMax: Int
    /// Whether a string may hold U+0000. RFC 8259 lets it; databases and C do not.
    public var allowsNUL: Bool

    public init(bytesMax: Int = 1 << 20, depthMax: Int = 32, valuesMax: Int = 20_000, allowsNUL: Bool = true) {
        self.bytesMax = bytesMax
        self.depthMax = depthMax
        self.valuesMax = valuesMax
        self.allowsNUL = allowsNUL
    }
}
