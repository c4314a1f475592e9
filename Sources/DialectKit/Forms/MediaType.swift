//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

/// A media type or disposition with its parameters (RFC 9110, sections 5.6.6 and 8.3.1).
public struct MediaType: Hashable, Sendable {
    /// Lower-case: "multipart/form-data".
    public let essence: String
    /// By lower-case names.
    public let parameters: [String: String]

    private static let form = "application/x-www-form-urlencoded"

    public init?(_ text: String) {
        // Written so by most clients.
        if text == Self.form {
            self.essence = Self.form
            self.parameters = [:]
            return
        }
        guard let parsed = MediaType(disposition: text), parsed.essence.contains("/") else { return nil }
        self = parsed
    }

    /// Whether a Content-Type is one of these types, with UTF-8 as the charset if one is named (RFC 8259, section 8.1; RFC
    /// 7303).
    public static func isUTF8(_ contentType: String, _ essences: String...) -> Bool {
        // Written so by most clients.
        if essences.contains(contentType) { return true }
        guard let type = MediaType(contentType), essences.contains(type.essence) else { return false }
        return type.parameters["charset"].map { $0.lowercased() == "utf-8" } ?? true
    }

    /// Whether a Content-Type is of a form (WHATWG URL, section 5), whatever its parameters.
    public static func isForm(_ contentType: String) -> Bool {
        MediaType(contentType)?.essence == self.form
    }

    /// The value of a Content-Disposition header (RFC 6266, section 4.1) is built alike, without the slash.
    ///
    /// - Returns: `nil` if a parameter is malformed or given twice.
    init?(disposition text: String) {
        var rest = Array(text.unicodeScalars)[...]
        let head = MediaType.trimmed(rest.prefix { $0 != ";" })
        guard !head.isEmpty, head.allSatisfy({ MediaType.isTokenScalar($0) || $0 == "/" }) else { return nil }
        rest = rest.drop { $0 != ";" }
        var parameters: [String: String] = [:]
        while rest.first == ";" {
            rest = rest.dropFirst().drop(while: MediaType.isBlank)
            // A semicolon with nothing behind it is seen.
            if rest.isEmpty || rest.first == ";" { continue }
            let name = rest.prefix(while: MediaType.isTokenScalar)
            rest = rest.dropFirst(name.count)
            guard !name.isEmpty, rest.first == "=" else { return nil }
            rest = rest.dropFirst()
            guard let value = MediaType.takeValue(&rest) else { return nil }
            rest = rest.drop(while: MediaType.isBlank)
            guard rest.isEmpty || rest.first == ";" else { return nil }
            guard parameters.updateValue(value, forKey: MediaType.text(name).lowercased()) == nil else { return nil }
        }
        self.essence = MediaType.text(head).lowercased()
        self.parameters = parameters
    }

    /// A token, or a quoted string with its backslashes resolved.
    private static func takeValue(_ rest: inout ArraySlice<Unicode.Scalar>) -> String? {
        guard rest.first == "\"" else {
            // Some clients do not quote boundaries with a "/", "=" or ":".
            let value = rest.prefix { $0 != ";" && !self.isBlank($0) && $0 != "\"" }
            rest = rest.dropFirst(value.count)
            return value.isEmpty ? nil : self.text(value)
        }
        rest = rest.dropFirst()
        var value = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": return String(value)
            case "\\":
                guard let escaped = rest.popFirst() else { return nil }
                value.append(escaped)
            default: value.append(scalar)
            }
        }
        return nil
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    private static func trimmed(_ scalars: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        var trimmed = scalars.drop(while: self.isBlank)
        while let last = trimmed.last, self.isBlank(last) { trimmed = trimmed.dropLast() }
        return trimmed
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

    /// RFC 9110, section 5.6.2, `tchar`.
    private static func isTokenScalar(_ scalar: Unicode.Scalar) -> Bool {
        guard let byte = UInt8(exactly: scalar.value) else { return false }
        return ASCII.isAlphanumeric(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
