//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
import HTTPTypes
public import WebFiles

/// The portal's files, beside the API that they call. It stands last on its listener and answers whatever nobody else
/// does, so that nothing there lacks the headers that browsers act on.
///
/// The portal's pages are one file: a path below /portal/ whose last part has no ending is a page's, and answers
/// index.html.
public struct PortalService: WireService {
    public let label = "portal"
    public let pathPrefixes = ["/"]
    public let routes: [WireRoute]

    private static let root = "/portal/"
    /// How many parts a page's path may have.
    private static let depthMax = 8

    /// - Throws: ``WebFilesError`` `file_missing` where the portal is not among the files.
    public init(files: WebFiles) throws(WebFilesError) {
        var served: [String: StaticFile] = [:]
        for (path, bytes) in files.files where "/\(path)".hasPrefix(Self.root) {
            served["/\(path)"] = StaticFile(name: path, bytes: bytes)
        }
        guard let index = served["\(Self.root)index.html"] else {
            throw WebFilesError(
                code: "file_missing",
                message: "The portal's page portal/index.html is not there. Build the program again.")
        }
        let found = served
        let patterns = (1...Self.depthMax).map { depth in
            PathPattern(Self.root + (1...depth).map { "{part\($0)}" }.joined(separator: "/"))
        }
        self.routes = [HTTPRequest.Method.get, .head].flatMap { method in
            ["/", "/portal"].map { path in
                WireRoute(method: method, path: PathPattern(path), bodyBytesMax: 0) { _, _ in Self.toRoot }
            }
                + ([PathPattern(Self.root)] + patterns).map { pattern in
                    WireRoute(method: method, path: pattern, bodyBytesMax: 0) { request, _ in
                        let file = found[request.path] ?? (Self.isPage(request.path) ? index : nil)
                        return file?.response(to: request, headers: Self.headers) ?? Self.failure(.notFound)
                    }
                }
        }
    }

    public func answer(to failure: WireFailure, request: WireRequest) async -> WireResponse {
        Self.failure(failure.status).explaining(failure)
    }

    private static func isPage(_ path: String) -> Bool {
        !(path.split(separator: "/", omittingEmptySubsequences: false).last ?? "").contains(".")
    }

    private static var toRoot: WireResponse {
        var headers = Self.headers
        headers[.location] = Self.root
        return WireResponse(status: .found, headers: headers)
    }

    private static func failure(_ status: HTTPResponse.Status) -> WireResponse {
        var headers = Self.headers
        headers[.contentType] = "text/plain; charset=utf-8"
        return WireResponse(status: status, headers: headers, body: Array("\(status.reasonPhrase)\n".utf8))
            .refused(as: WireRefusal(status: status))
    }

    /// What a page of the portal's may load, run and ask: this server's own files, and nothing that stands in a page. Nobody
    /// may frame it (W3C, Content Security Policy Level 3).
    static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
        "font-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    private static let headers: HTTPFields = [
        .contentSecurityPolicy: contentSecurityPolicy, .xContentTypeOptions: "nosniff", .cacheControl: "no-cache",
        .known("Referrer-Policy"): "no-referrer", .known("Cross-Origin-Opener-Policy"): "same-origin",
        .known("Cross-Origin-Resource-Policy"): "same-origin",
        .known("Permissions-Policy"):
            "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), publickey-credentials-get=(), usb=()",
    ]
}
