//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import StrictJSON
import Testing

@testable import AdminAPI

/// Answers that are made while they are sent.
extension Desk {
    struct File: Sendable {
        let name: String
        let type: String
        let text: String

        /// The rows of CSV, or the objects of JSON, as lines.
        var lines: [Substring] { self.text.split(whereSeparator: \.isNewline) }
    }

    func stream(
        _ path: String, token: String? = nil, query: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> (WireResponse, WireStream) {
        let request = WireRequest(
            method: .get, path: AdminService.root + path, query: query,
            headers: [.authorization: "Bearer \(token ?? self.owner)"], remoteAddress: "192.0.2.7")
        let response = await self.service.respond(to: request)
        #expect(response.headers[.cacheControl] == "no-store", sourceLocation: sourceLocation)
        let stream = try #require(
            response.stream, "\(String(decoding: response.body, as: UTF8.self))", sourceLocation: sourceLocation)
        return (response, stream)
    }

    /// All of a file.
    func file(
        _ path: String, token: String? = nil, query: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> File {
        let (response, stream) = try await self.stream(
            path, token: token, query: query, sourceLocation: sourceLocation)
        let disposition = response.headers[.contentDisposition] ?? ""
        let name = disposition.split(separator: "\"").dropFirst().first.map(String.init) ?? ""
        return File(
            name: name, type: response.headers[.contentType] ?? "",
            text: String(decoding: try await stream.collected(), as: UTF8.self))
    }

    /// The first parts of a stream.
    func parts(_ path: String, token: String? = nil, query: String? = nil, count: Int) async throws -> [String] {
        let (_, stream) = try await self.stream(path, token: token, query: query)
        defer { stream.end() }
        var parts: [String] = []
        while parts.count < count, let part = try await stream.next() {
            parts.append(String(decoding: part, as: UTF8.self))
        }
        return parts
    }
}
