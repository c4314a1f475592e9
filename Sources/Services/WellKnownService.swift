//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Administration
public import DialectKit
import HTTPTypes

/// Serves the file by which Apple verifies that a domain is a merchant's, for the host that is asked for and no other.
/// Apple asks without the ending and, for files that were downloaded with it, with ".txt"; it follows no redirects.
public struct WellKnownService: WireService {
    static let paths = [RegisteredDomain.filePath, RegisteredDomain.filePath + ".txt"]

    let administration: Administration

    public let label = "well-known"

    public let pathPrefixes = Self.paths

    public init(administration: Administration) {
        self.administration = administration
    }

    public var routes: [WireRoute] {
        Self.paths.flatMap { path in
            [HTTPRequest.Method.get, .head].map { method in
                WireRoute(method: method, path: PathPattern(path), bodyBytesMax: 0) { request, _ in
                    await self.file(for: request)
                }
            }
        }
    }

    private func file(for request: WireRequest) async -> WireResponse {
        guard let host = request.authority.flatMap({ WellKnownHost(authority: $0) }) else {
            return Self.text(.notFound, "This host has no domain association file.")
        }
        do {
            guard let entry = try await self.administration.domain(host) else {
                return Self.text(.notFound, "This host has no domain association file.")
            }
            return Self.text(.ok, entry.file, lineFeed: false)
        } catch {
            return Self.text(.serviceUnavailable, "The domain association file cannot be read.")
        }
    }

    public func answer(to failure: WireFailure, request: WireRequest) async -> WireResponse {
        switch failure {
        case .pathUnknown: return Self.text(.notFound, "There is nothing under this path.")
        case .methodNotAllowed(let allowed):
            var response = Self.text(.methodNotAllowed, "This file is read with GET or HEAD.")
            response.headers[.allow] = allowed.map(\.rawValue).joined(separator: ", ")
            return response
        case .bodyTooLarge: return Self.text(.contentTooLarge, "This file is read without a body.")
        case .bodyIncomplete: return Self.text(.badRequest, "The request has not arrived in full.")
        case .timedOut, .overloaded: return Self.text(failure.status, "Try again in a moment.")
        }
    }

    private static func text(
        _ status: HTTPResponse.Status, _ text: String, lineFeed: Bool = true
    ) -> WireResponse {
        WireResponse(
            status: status,
            headers: [
                .contentType: "text/plain; charset=utf-8", .cacheControl: "no-cache",
                .xContentTypeOptions: "nosniff",
            ], body: Array((lineFeed ? text + "\n" : text).utf8))
    }
}
