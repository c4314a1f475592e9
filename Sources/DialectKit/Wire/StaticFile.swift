//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import Foundation
public import HTTPTypes

/// A file as it is served to browsers.
public struct StaticFile: Sendable {
    public let bytes: [UInt8]
    public let contentType: String
    /// A strong validator: the digest of the bytes (RFC 9110, section 8.8.3).
    public let entityTag: String

    public init(name: String, bytes: [UInt8]) {
        self.bytes = bytes
        self.contentType = Self.contentType(of: name)
        self.entityTag = "\"\(Hex.encode(Array(SHA256.hash(data: Data(bytes)).prefix(16))))\""
    }

    /// GET and HEAD; the server sends no body to HEAD.
    public func routes(at path: String, headers: HTTPFields) -> [WireRoute] {
        [HTTPRequest.Method.get, .head].map { method in
            WireRoute(method: method, path: PathPattern(path), bodyBytesMax: 0) { request, _ in
                self.response(to: request, headers: headers)
            }
        }
    }

    public func response(to request: WireRequest, headers: HTTPFields) -> WireResponse {
        var headers = headers
        headers[.eTag] = self.entityTag
        if let condition = request.headers[.ifNoneMatch], self.matches(condition) {
            return WireResponse(status: .notModified, headers: headers)
        }
        headers[.contentType] = self.contentType
        return WireResponse(status: .ok, headers: headers, body: self.bytes)
    }

    /// If-None-Match compares weakly: "*", or any of a list, with or without "W/" (RFC 9110, section 13.1.2).
    private func matches(_ condition: String) -> Bool {
        condition.split(separator: ",").contains { part in
            let tag = part.drop { $0 == " " || $0 == "\t" }
            let bare = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
            return tag == "*" || bare.trimmingCharacters(in: .whitespaces) == self.entityTag
        }
    }

    /// By the name's ending. Browsers run a script only when its type says that it is one, since the standard forbids
    /// them to guess (HTML, "Fetching scripts").
    public static func contentType(of name: String) -> String {
        if name.hasSuffix(".d.ts") { return "text/plain; charset=utf-8" }
        return switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js", "mjs": "text/javascript; charset=utf-8"
        case "json", "map", "webmanifest": "application/json; charset=utf-8"
        case "svg": "image/svg+xml; charset=utf-8"
        case "png": "image/png"
        case "webp": "image/webp"
        case "ico": "image/vnd.microsoft.icon"
        case "woff2": "font/woff2"
        case "txt", "md": "text/plain; charset=utf-8"
        default: "application/octet-stream"
        }
    }
}
