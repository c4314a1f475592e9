//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import HTTPTypes
import Payments

/// A small dialect of its own: it says in every answer what it was asked.
struct TestDialect: Dialect {
    static let accounts = AccountPlan(
        dialect: DialectName("test"), title: "Test", keyName: "id", credentials: [], settings: [],
        demo: AccountPlan.Demo(countryCode: "CA", currency: "CAD"), notifications: NotificationMark { _ in false },
        places: { _, _ in ([:], [:]) })

    let name = DialectName("test")
    let pathPrefixes = ["/test"]
    /// Called by the route `/test/wait/{id}` before it answers.
    var wait: @Sendable () async -> Void = {}
    /// What the route `/test/stream` answers.
    var stream: @Sendable () -> WireStream = { WireStream(next: { nil }) }

    private enum Code: Int, CaseIterable {
        case refused = 42
    }

    private enum Call: String, CaseIterable {
        case refund
    }

    var routes: [WireRoute] {
        let (wait, stream) = (self.wait, self.stream)
        return [
            WireRoute(method: .get, path: "/test/stream", bodyBytesMax: 0) { _, _ in
                var response = WireResponse(status: .ok, headers: [.contentType: "text/event-stream"])
                response.stream = stream()
                return response
            },
            WireRoute(method: .post, path: "/test/echo", bodyBytesMax: 1000) { request, _ in
                var headers: HTTPFields = [.contentType: "application/octet-stream"]
                headers[.location] = request.path + "?" + (request.query ?? "")
                return WireResponse(status: .ok, headers: headers, body: request.body)
            },
            WireRoute(method: .get, path: "/test/wait/{id}", bodyBytesMax: 0) { _, parameters in
                await wait()
                let id = parameters["id"] ?? ""
                let response = WireResponse(status: .ok, body: Array(id.utf8))
                return id == "refused" ? response.refused(as: WireRefusal(Code.refused)) : response
            },
            WireRoute(method: .post, path: "/test/refuse", bodyBytesMax: 1000) { request, _ in
                var response = WireResponse(status: .ok, body: request.body)
                    .refused(as: WireRefusal(Code.refused, of: Call.refund))
                response.caller = "tok_1"
                return response
            },
            WireRoute(method: .get, path: "/test/large", bodyBytesMax: 0) { _, _ in
                await wait()
                return WireResponse(status: .ok, body: Array(repeating: 0x61, count: 16 << 20))
            },
            WireRoute(method: .get, path: "/test/address", bodyBytesMax: 0) { request, _ in
                WireResponse(status: .ok, body: Array((request.remoteAddress ?? "none").utf8))
            },
            WireRoute(method: .get, path: "/test/host", bodyBytesMax: 0) { request, _ in
                WireResponse(status: .ok, body: Array((request.authority ?? "none").utf8))
            },
        ]
    }

    func answer(to failure: WireFailure, request: WireRequest) async -> WireResponse {
        switch failure {
        case .pathUnknown: Self.failure(.notFound, "path_unknown")
        case .methodNotAllowed(let allowed):
            Self.failure(.methodNotAllowed, "method_not_allowed " + allowed.map(\.rawValue).joined(separator: ","))
        case .bodyTooLarge(let bytesMax): Self.failure(.contentTooLarge, "too_large \(bytesMax)")
        case .bodyIncomplete: Self.failure(.requestTimeout, "incomplete")
        case .timedOut: Self.failure(.ok, "timed_out")
        case .overloaded: Self.failure(.serviceUnavailable, "overloaded")
        }
    }

    private static func failure(_ status: HTTPResponse.Status, _ text: String) -> WireResponse {
        WireResponse(status: status, body: Array(text.utf8))
    }

    func notification(for delivery: Delivery, merchant: MerchantContext) throws -> OutgoingNotification {
        OutgoingNotification(headers: [], body: [])
    }

    func isAcknowledged(status: Int, body: [UInt8]) -> Bool { status == 200 }

    var retrySchedule: RetrySchedule { RetrySchedule(delaysSeconds: []) }
}
