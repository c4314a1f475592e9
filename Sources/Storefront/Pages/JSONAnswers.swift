//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import StrictJSON

/// Why a page's script does not get what it asks for: `{"error":{"code","message"}}`.
struct APIError: Error, Hashable, Sendable {
    let status: HTTPResponse.Status
    /// Stable: "order_unknown".
    let code: String
    /// What is wrong and what to do. Never anything of what was sent.
    let message: String

    init(_ status: HTTPResponse.Status, _ code: String, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }

    static func badRequest(_ code: String, _ message: String) -> APIError { APIError(.badRequest, code, message) }

    static func malformed(_ message: String) -> APIError { APIError(.badRequest, "request_malformed", message) }

    /// A failure of the server's own, in the same shape.
    init(_ failure: WireFailure) {
        switch failure {
        case .pathUnknown: self.init(.notFound, "not_found", "There is nothing under this path.")
        case .methodNotAllowed(let allowed):
            self.init(
                .methodNotAllowed, "method_not_allowed",
                "This path takes \(allowed.map(\.rawValue).joined(separator: ", ")).")
        case .bodyTooLarge(let bytesMax):
            self.init(.contentTooLarge, "body_too_large", "The body may have at most \(bytesMax) bytes.")
        case .bodyIncomplete:
            self.init(.requestTimeout, "body_incomplete", "The body did not arrive in full. Nothing was done.")
        case .timedOut:
            self.init(
                .gatewayTimeout, "timed_out", "It took too long. What was begun goes on; look at the order's exchange.")
        case .overloaded:
            self.init(.serviceUnavailable, "overloaded", "The server is busy or about to stop. Nothing was done.")
        }
    }

    var json: JSON { ["error": ["code": .string(self.code), "message": .string(self.message)]] }
}

/// Answers of the two APIs.
enum JSONAnswer {
    static let limits = JSONLimits(bytesMax: 64 * 1024)

    static func response(
        _ json: JSON, status: HTTPResponse.Status = .ok, headers: HTTPFields = PageHeaders.api
    ) -> WireResponse {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        return WireResponse(status: status, headers: headers, body: json.serialized())
    }

    static func response(_ error: APIError, headers: HTTPFields = PageHeaders.api) -> WireResponse {
        self.response(error.json, status: error.status, headers: headers)
    }

    static func response(to failure: WireFailure, headers: HTTPFields = PageHeaders.api) -> WireResponse {
        var headers = headers
        if case .methodNotAllowed(let allowed) = failure {
            headers[.allow] = allowed.map(\.rawValue).joined(separator: ", ")
        }
        return self.response(APIError(failure), headers: headers)
    }

    /// Runs a route's body and writes what it returns or throws.
    static func answering(
        headers: HTTPFields = PageHeaders.api, _ body: () async throws(APIError) -> JSON
    ) async -> WireResponse {
        do throws(APIError) {
            return self.response(try await body(), headers: headers)
        } catch {
            return self.response(error, headers: headers)
        }
    }

    /// The body as an object.
    static func object(_ request: WireRequest) throws(APIError) -> JSON {
        let json: JSON
        do throws(JSONError) {
            json = try JSON.parse(request.body, limits: self.limits)
        } catch {
            throw .malformed("The body must be a JSON object: \(error).")
        }
        guard json.object != nil else { throw .malformed("The body must be a JSON object.") }
        return json
    }

    /// A text of the object, not empty and no longer than that.
    static func text(_ name: String, of json: JSON, charactersMax: Int = 200) throws(APIError) -> String {
        guard let text = json[name]?.string, !text.isEmpty, text.count <= charactersMax else {
            throw .malformed("\(name) must be a text of 1 to \(charactersMax) characters.")
        }
        return text
    }
}
