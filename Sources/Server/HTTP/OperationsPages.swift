//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import Hummingbird
import NIOCore

/// What the server says about itself.
struct OperationsPages: Sendable {
    enum Page: String, Sendable, CaseIterable {
        /// The process is alive.
        case healthz
        /// The process wants requests.
        case readyz
        case metrics

        init?(path: String) {
            guard path.utf8.first == UInt8(ascii: "/") else { return nil }
            self.init(rawValue: String(path.dropFirst()))
        }
    }

    let readiness: Readiness
    let registry: PrometheusRegistry
    let process: ProcessMetrics

    func response(_ page: Page, method: HTTPRequest.Method) async -> Response {
        guard method == .get || method == .head else {
            var response = Self.failure(
                .methodNotAllowed, code: "method_not_allowed", "This page is read with GET or HEAD.")
            response.headers[.allow] = "GET, HEAD"
            return response
        }
        let response = await self.page(page)
        return method == .head ? response.createHeadResponse() : response
    }

    private func page(_ page: Page) async -> Response {
        switch page {
        case .healthz: return Self.text("{\"status\":\"alive\"}\n", contentType: Self.json)
        case .readyz:
            let failures = await self.readiness.failures()
            guard !failures.isEmpty else { return Self.text("{\"status\":\"ready\"}\n", contentType: Self.json) }
            let names = failures.map { "\"\($0)\"" }.joined(separator: ",")
            return Self.text(
                "{\"status\":\"not_ready\",\"failures\":[\(names)]}\n", contentType: Self.json,
                status: .serviceUnavailable)
        case .metrics:
            return Self.text(
                self.registry.exposition() + self.process.exposition(), contentType: PrometheusText.contentType)
        }
    }

    private static let json = "application/json"

    /// An error of the server itself, where no dialect has a shape for it.
    ///
    /// - Parameters:
    ///   - code: a stable name.
    ///   - message: a constant of the program, without quotation marks or reverse solidi.
    static func failure(_ status: HTTPResponse.Status, code: String, _ message: String) -> Response {
        self.text(
            "{\"error\":{\"code\":\"\(code)\",\"message\":\"\(message)\"}}\n", contentType: self.json, status: status)
    }

    private static func text(
        _ text: String, contentType: String, status: HTTPResponse.Status = .ok
    ) -> Response {
        Response(
            status: status, headers: [.contentType: contentType, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
