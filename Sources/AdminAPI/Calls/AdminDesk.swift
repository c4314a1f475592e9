//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import BaseEncoding
import DialectKit
import HTTPTypes
import Logging
import Payments
import StrictJSON

/// Takes calls: who calls, what is sent, whether it was done before; then the endpoint.
struct AdminDesk: Sendable {
    static let problemsURL = "\(AdminService.root)/problems"
    private static let jsonLimits = JSONLimits.ofRequest(
        bytesMax: Endpoint.bodyBytesMax, depthMax: 8, valuesMax: 4096)

    /// Of a body with a file in it.
    private static let fileLimits = JSONLimits.ofRequest(
        bytesMax: Endpoint.fileBytesMax, depthMax: 8, valuesMax: 4096)

    let house: House
    let callers: CallerDesk
    let repeated: RepeatedCalls
    let logger: Logger

    func answer(_ request: WireRequest, _ path: RouteParameters, _ endpoint: Endpoint) async -> WireResponse {
        var caller: Caller?
        var response: WireResponse
        do {
            let known = try await self.callers.caller(of: request, for: endpoint.audience)
            caller = known
            response = try await self.take(request, path, endpoint, known)
        } catch {
            response = request.namingCoding(in: self.refused(error, endpoint))
        }
        response.caller = caller?.id
        return response
    }

    private func take(
        _ request: WireRequest, _ path: RouteParameters, _ endpoint: Endpoint, _ caller: Caller
    ) async throws -> WireResponse {
        if let scope = endpoint.scope, !caller.access.allows(scope) { throw Problem.forbidden(scope) }
        var call = Call(
            endpoint: endpoint, request: request, caller: caller, house: self.house, path: path,
            query: try Self.query(request.query, endpoint), body: try Self.body(request, endpoint))
        call.identify = { [callers] isUse in
            try await callers.caller(of: isUse ? request : request.unused, for: endpoint.audience)
        }
        guard case .idempotencyKey = endpoint.precondition else {
            return try await self.done(call)
        }
        switch try await self.repeated.look(up: request, caller, body: call.body) {
        case .answered(let response): return Self.sealed(response)
        case .new(let claim):
            call.claim = claim
            do {
                let response = try await self.done(call)
                do {
                    try await self.repeated.complete(claim, response, caller)
                } catch {
                    // The act stands. Whoever repeats it learns that its answer is lost.
                    self.logger.error("answer to a change was not kept", metadata: ["operation": "\(endpoint.name)"])
                }
                return response
            } catch is ClaimTaken {
                throw RepeatedCalls.underWay
            }
        }
    }

    private func done(_ call: Call) async throws -> WireResponse {
        if let asked = try await call.earlierApproval() { return try await self.asked(asked, call) }
        let answer: Answer
        do {
            answer = try await call.endpoint.handle(call)
        } catch {
            let need = Problem.asksForApproval(error)
            guard need.isAsked, let kind = call.endpoint.approvalKind else { throw error }
            return try await self.asked(try await call.askForApproval(kind, amount: need.amount), call)
        }
        if let stream = answer.stream { return stream.response }
        var response = WireResponse(
            status: call.endpoint.status, headers: Self.headers("application/json"), body: answer.body.serialized())
        response.headers[.eTag] = answer.tag?.text
        response.headers[.location] = answer.location.map { AdminService.root + $0 }
        response.headers[.setCookie] = answer.cookie.map(self.house.site.cookie.header)
        return response
    }

    /// Nothing was done yet: a second person must approve it.
    private func asked(_ approval: Approval, _ call: Call) async throws -> WireResponse {
        let body: JSON = ["approval": .object(try await call.view(of: approval))]
        var response = WireResponse(
            status: .accepted, headers: Self.headers("application/json"), body: body.serialized())
        response.headers[.location] = "\(AdminService.root)/approvals/\(approval.id)"
        return response
    }

    private func refused(_ error: any Error, _ endpoint: Endpoint) -> WireResponse {
        if let problem = Problem(error) {
            return Self.sealed(problem.response(typeURL: Self.problemsURL, of: endpoint))
        }
        // Its text might carry data.
        self.logger.error(
            "administration call failed", metadata: ["operation": "\(endpoint.name)", "error": "\(type(of: error))"])
        let problem = Problem(
            .internalError, "Something failed that should not have. The log has it.")
        return Self.sealed(problem.response(typeURL: Self.problemsURL, of: endpoint))
    }

    /// What no cache and no page of another origin may keep or show.
    static func headers(_ contentType: String) -> HTTPFields {
        [
            .contentType: contentType, .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
            .known("Referrer-Policy"): "no-referrer", .known("Cross-Origin-Resource-Policy"): "same-origin",
        ]
    }

    static func sealed(_ response: WireResponse) -> WireResponse {
        var response = response
        for field in Self.headers(response.headers[.contentType] ?? "application/json") {
            response.headers[field.name] = field.value
        }
        return response
    }

    // MARK: - Reading

    private static func query(_ text: String?, _ endpoint: Endpoint) throws(Problem) -> [String: String] {
        guard let text, !text.isEmpty else { return [:] }
        var values: [String: String] = [:]
        for part in text.split(separator: "&", omittingEmptySubsequences: true) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let encoded = pair.count == 2 ? pair[1] : ""
            guard let name = PercentCoding.decoded(Substring(pair[0].replacing("+", with: "%20"))),
                let value = PercentCoding.decoded(Substring(encoded.replacing("+", with: "%20")))
            else { throw Problem(.queryMalformed, "The query is not percent-encoded UTF-8.") }
            guard let parameter = endpoint.query.first(where: { $0.name == name }) else {
                let names = endpoint.query.map(\.name).joined(separator: ", ")
                throw Problem(
                    .parameterUnknown,
                    "There is no parameter of that name" + (names.isEmpty ? "." : "; there are: \(names)."))
            }
            guard values[name] == nil else { throw Problem.parameter(name, "is given twice") }
            let json: JSON =
                if case .integer = parameter.schema { .number(value) } else { .string(value) }
            if let violation = parameter.schema.violations(of: json, named: AdminSchemas.named).first {
                throw Problem.parameter(name, violation.detail)
            }
            values[name] = value
        }
        return values
    }

    private static func body(_ request: WireRequest, _ endpoint: Endpoint) throws(Problem) -> JSONObject {
        guard let schema = endpoint.takenBody, !endpoint.bodyMayBeMissing || !request.body.isEmpty else {
            return JSONObject()
        }
        if let problem = request.contentCodingProblem { throw Problem(.mediaTypeWrong, problem) }
        guard MediaType.isUTF8(request.headers[.contentType] ?? "", "application/json") else {
            throw Problem(.mediaTypeWrong, "Send the body as application/json.")
        }
        let json: JSON
        do throws(JSONError) {
            json = try JSON.parse(
                request.body, limits: endpoint.bytesMax > Endpoint.bodyBytesMax ? self.fileLimits : self.jsonLimits)
        } catch {
            throw Problem(.jsonMalformed, "The body is no JSON that can be taken: \(error).")
        }
        let violations = schema.violations(of: json, named: AdminSchemas.named)
        guard violations.isEmpty, let object = json.object else { throw Problem.invalid(violations) }
        return object
    }
}
