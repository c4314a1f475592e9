//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
internal import StrictJSON

/// The members of one object of the token or of its payload, read by name with an error that names the path.
struct TokenMembers {
    let object: JSONObject
    let path: String
    private let stage: TokenError.Stage

    /// - Parameter stage: `parse` for the token itself, `payload` for what was inside; it decides the codes.
    init(_ object: JSONObject, path: String, stage: TokenError.Stage = .parse) {
        self.object = object
        self.path = path
        self.stage = stage
    }

    func missing(_ name: String) -> TokenError {
        let code: TokenError.Code = self.stage == .payload ? .payloadMemberMissing : .memberMissing
        return TokenError(code, self.stage, "\(self.path)\(name) is missing.")
    }

    func wrongType(_ name: String, _ value: JSON, expected: String) -> TokenError {
        let code: TokenError.Code = self.stage == .payload ? .payloadMemberWrongType : .memberWrongType
        return TokenError(code, self.stage, "\(self.path)\(name) is \(value.kind); \(expected) is expected.")
    }

    /// An absent member and null are the same.
    func optionalString(_ name: String) throws(TokenError) -> String? {
        guard let value = self.object[name], !value.isNull else { return nil }
        guard let text = value.string else { throw self.wrongType(name, value, expected: "a string") }
        return text
    }

    func string(_ name: String) throws(TokenError) -> String {
        guard let text = try self.optionalString(name) else {
            throw self.missing(name)
        }
        return text
    }

    func members(_ name: String) throws(TokenError) -> TokenMembers {
        guard let value = self.object[name] else {
            throw self.missing(name)
        }
        guard let object = value.object else { throw self.wrongType(name, value, expected: "an object") }
        return TokenMembers(object, path: self.path + name + ".", stage: self.stage)
    }

    func optionalMembers(_ name: String) throws(TokenError) -> TokenMembers? {
        guard let value = self.object[name], !value.isNull else { return nil }
        return try self.members(name)
    }

    /// The objects of an array; none when the member is absent.
    func optionalList(_ name: String) throws(TokenError) -> [TokenMembers] {
        guard let value = self.object[name], !value.isNull else { return [] }
        guard let array = value.array else { throw self.wrongType(name, value, expected: "an array") }
        var list: [TokenMembers] = []
        for (index, element) in array.enumerated() {
            let elementName = "\(name)[\(index)]"
            guard let object = element.object else {
                throw self.wrongType(elementName, element, expected: "an object")
            }
            list.append(TokenMembers(object, path: "\(self.path)\(elementName).", stage: self.stage))
        }
        return list
    }

    func base64(_ name: String, padding: Base64.Padding = .required) throws(TokenError) -> [UInt8] {
        guard let bytes = Base64.decode(try self.string(name), padding: padding) else {
            throw TokenError(
                .base64Malformed, .parse,
                "\(self.path)\(name) is not base64 in the standard alphabet, padded and without white space (RFC "
                    + "4648, section 4)."
            )
        }
        return bytes
    }

    func hex(_ name: String) throws(TokenError) -> [UInt8] {
        guard let bytes = try self.optionalHex(name) else {
            throw self.missing(name)
        }
        return bytes
    }

    func optionalHex(_ name: String) throws(TokenError) -> [UInt8]? {
        guard let text = try self.optionalString(name) else { return nil }
        guard let bytes = Hex.decode(text) else {
            throw TokenError(
                .hexMalformed, .parse, "\(self.path)\(name) is not hexadecimal: two digits for each byte, nothing else."
            )
        }
        return bytes
    }
}
