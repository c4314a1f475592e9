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

    /// Of a member that decides nothing: what is no string is as good as absent.
    func fittingString(_ name: String) -> String? { self.object[name]?.string }

    /// The same of an object.
    func fittingMembers(_ name: String) -> TokenMembers? {
        self.object[name]?.object.map { TokenMembers($0, path: self.path + name + ".", stage: self.stage) }
    }

    /// The objects of such an array; what is none is passed over.
    func fittingList(_ name: String) -> [TokenMembers] {
        (self.object[name]?.array ?? []).enumerated().compactMap { index, element in
            element.object.map { TokenMembers($0, path: "\(self.path)\(name)[\(index)].", stage: self.stage) }
        }
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
