//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

/// The most that a form may have of everything.
public struct FormLimits: Hashable, Sendable {
    public var fieldsMax: Int
    public var nameBytesMax: Int
    public var valueBytesMax: Int
    /// Of all headers of one part of a multipart form together.
    public var partHeaderBytesMax: Int
    /// Whether a name or a value may hold U+0000.
    public var allowsNUL: Bool

    public init(
        fieldsMax: Int = 256, nameBytesMax: Int = 128, valueBytesMax: Int = 64 * 1024, partHeaderBytesMax: Int = 2048,
        allowsNUL: Bool = false
    ) {
        self.fieldsMax = fieldsMax
        self.nameBytesMax = nameBytesMax
        self.valueBytesMax = valueBytesMax
        self.partHeaderBytesMax = partHeaderBytesMax
        self.allowsNUL = allowsNUL
    }
}

/// Why a body is not taken as a form.
public enum FormError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The Content-Type is neither `application/x-www-form-urlencoded` nor `multipart/form-data`, or is missing.
    case mediaTypeNotSupported
    /// `multipart/form-data` without a boundary as RFC 2046, section 5.1.1 has it.
    case boundaryInvalid
    /// A "%" that two hexadecimal digits do not follow.
    case percentEncodingMalformed
    /// A control character that is not percent-encoded.
    case controlCharacter
    /// A name or a value holds U+0000, which no store keeps as text.
    case nulCharacter
    /// The parts are not delimited as RFC 2046, section 5.1 has it, or the last delimiter is missing.
    case multipartMalformed
    /// A part that has no `Content-Disposition: form-data` with a name, or one that is encoded for transfer.
    case partHeaderMalformed
    case tooManyFields(max: Int)
    case nameTooLong(bytesMax: Int)
    case valueTooLong(bytesMax: Int)
    case partHeadersTooLong(bytesMax: Int)
    /// Two values for one name: the receiver and whoever looked at the form before it could take different ones.
    case repeatedField(String)

    /// What was wrong. A name is shown only where it looks like one.
    public var description: String {
        switch self {
        case .mediaTypeNotSupported:
            "The Content-Type must be application/x-www-form-urlencoded or multipart/form-data."
        case .boundaryInvalid: "The Content-Type multipart/form-data has no valid boundary."
        case .percentEncodingMalformed: "A \"%\" in the form is not followed by two hexadecimal digits."
        case .controlCharacter: "The form holds a control character that is not percent-encoded."
        case .nulCharacter: "A field of the form holds U+0000, which is not taken."
        case .multipartMalformed: "The parts of the form are not delimited by its boundary, or its end is missing."
        case .partHeaderMalformed:
            "A part of the form has no \"Content-Disposition: form-data\" with a name, or is encoded for transfer."
        case .tooManyFields(let max): "The form has more than \(max) fields."
        case .nameTooLong(let max): "A field's name has more than \(max) bytes."
        case .valueTooLong(let max): "A field's value has more than \(max) bytes."
        case .partHeadersTooLong(let max): "The headers of a part of the form have more than \(max) bytes."
        case .repeatedField(let name):
            FormError.isPlain(name)
                ? "The field \(name) stands in the form more than once."
                : "A field stands in the form more than once."
        }
    }

    private static func isPlain(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                ASCII.isNameCharacter(byte) || ".[]".utf8.contains(byte)
            }
            // A name may end in a number; what is mostly digits is no name.
            && name.utf8.count(where: ASCII.isDigit) <= 4
    }
}
