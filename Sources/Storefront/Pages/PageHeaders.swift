//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes

/// The headers that browsers act on.
enum PageHeaders {
    /// What a page may load and run: its own server's files, and no script or style that stands in a page or attribute.
    /// Nobody may frame it (W3C, Content Security Policy Level 3).
    static let contentSecurityPolicy = [
        "default-src 'self'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'", "object-src 'none'",
    ].joined(separator: "; ")

    private static let common: HTTPFields = [
        .known("X-Content-Type-Options"): "nosniff",
        .known("Referrer-Policy"): "no-referrer",
    ]

    /// Of pages and of what belongs to them alone.
    static let page: HTTPFields = {
        var headers = PageHeaders.common
        headers[.known("Content-Security-Policy")] = PageHeaders.contentSecurityPolicy
        headers[.known("Cross-Origin-Opener-Policy")] = "same-origin"
        headers[.known("Cross-Origin-Resource-Policy")] = "same-origin"
        headers[.known("Permissions-Policy")] = "camera=(), geolocation=(), microphone=()"
        headers[.cacheControl] = "no-cache"
        return headers
    }()

    /// Of files that pages of other origins load: the SDK's and the wallet's scripts.
    static let shared: HTTPFields = {
        var headers = PageHeaders.common
        headers[.accessControlAllowOrigin] = "*"
        headers[.known("Cross-Origin-Resource-Policy")] = "cross-origin"
        headers[.cacheControl] = "no-cache"
        return headers
    }()

    /// Of answers to scripts of the same origin.
    static let api: HTTPFields = {
        var headers = PageHeaders.common
        headers[.known("Cross-Origin-Resource-Policy")] = "same-origin"
        headers[.cacheControl] = "no-store"
        return headers
    }()

    /// Of answers to scripts of any origin. Nothing of them depends on cookies, and none are taken (Fetch, "CORS
    /// protocol").
    static let sharedAPI: HTTPFields = {
        var headers = PageHeaders.common
        headers[.accessControlAllowOrigin] = "*"
        headers[.known("Cross-Origin-Resource-Policy")] = "cross-origin"
        headers[.cacheControl] = "no-store"
        return headers
    }()

    /// The answer to a script's question whether it may ask (Fetch, "CORS-preflight request").
    static func preflight(methods: String) -> HTTPFields {
        var headers = self.sharedAPI
        headers[.known("Access-Control-Allow-Methods")] = methods
        headers[.known("Access-Control-Allow-Headers")] = "content-type"
        headers[.known("Access-Control-Max-Age")] = "600"
        return headers
    }
}
