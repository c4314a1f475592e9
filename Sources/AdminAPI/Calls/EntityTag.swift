//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import StrictJSON

/// What a resource was like when it was read (RFC 9110, section 8.8.3): a digest over what is shown of it, so that it
/// changes with whatever a caller could have seen, and with nothing else.
struct EntityTag: Hashable, Sendable {
    /// With its quotes.
    let text: String

    init(of view: JSONObject) {
        let digest = SHA256.hash(data: JSON.object(view).serialized())
        self.text = "\"\(Hex.encode(Array(digest.prefix(16))))\""
    }
}

/// What the header If-Match asks for (RFC 9110, section 13.1.1): any state of the resource, or one of some tags.
enum TagCondition: Hashable, Sendable {
    case any
    case named([String])

    /// - Returns: `nil` for what is neither. `*` stands alone: in a list, it would make of a change that is guarded one that
    ///   is not.
    init?(_ header: String) {
        var rest = Self.withoutBlanks(header.utf8[...])
        if rest.elementsEqual("*".utf8) {
            self = .any
            return
        }
        var tags: [String] = []
        // A list's elements may be empty (RFC 9110, section 5.6.1.2).
        while !rest.isEmpty {
            if rest.first != UInt8(ascii: ",") {
                guard let tag = Self.takeTag(&rest) else { return nil }
                tags.append(tag)
                rest = Self.withoutBlanks(rest)
            }
            guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return nil }
            rest = Self.withoutBlanks(rest.dropFirst())
        }
        self = .named(tags)
    }

    /// Compared as strong ones: a weak tag is no state that a change may go by (RFC 9110, section 8.8.3.2).
    func permits(_ tag: EntityTag) -> Bool {
        switch self {
        case .any: true
        case .named(let tags): tags.contains(tag.text)
        }
    }

    /// Takes a tag off the beginning: quoted, and what is within may be a comma (RFC 9110, section 8.8.3).
    private static func takeTag(_ rest: inout Substring.UTF8View) -> String? {
        let quote = UInt8(ascii: "\"")
        let opening = rest.starts(with: "W/".utf8) ? rest.dropFirst(2) : rest
        guard opening.first == quote, let closing = opening.dropFirst().firstIndex(of: quote) else { return nil }
        let tag = rest[...closing]
        guard tag.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        rest = rest[rest.index(after: closing)...]
        return String(Substring(tag))
    }

    private static func withoutBlanks(_ text: Substring.UTF8View) -> Substring.UTF8View {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let last = text.lastIndex(where: { !isBlank($0) }) else { return text[text.endIndex...] }
        return text[...last].drop(while: isBlank)
    }
}
