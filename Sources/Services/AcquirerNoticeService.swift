//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
@_spi(Administration) public import Gateway
import HTTPTypes
import Payments

/// Where acquirers report what has become of payments: `POST /acquirers/ACCOUNT/notices`, one address an account. Who may
/// report what, its connector knows.
public struct AcquirerNoticeService: WireService {
    /// Notices are as large as an acquirer's answers, and no larger.
    static let bodyBytesMax = 256 * 1024

    let gateway: Gateway

    public let label = "acquirer-notices"

    public let pathPrefixes = ["/acquirers"]

    public init(gateway: Gateway) {
        self.gateway = gateway
    }

    public var routes: [WireRoute] {
        [
            WireRoute(method: .post, path: "/acquirers/{account}/notices", bodyBytesMax: Self.bodyBytesMax) {
                await self.take($0, account: $1["account"])
            }
        ]
    }

    private func take(_ request: WireRequest, account: String?) async -> WireResponse {
        guard let id = account.flatMap(AcquirerAccountID.init) else { return Self.nothingHere }
        var headers: [String: String] = [:]
        for field in request.headers { headers[field.name.canonicalName] = field.value }
        let answer = await self.gateway.receive(
            NoticeCall(
                headers: headers, query: request.query, body: request.body, address: request.remoteAddress),
            for: id)
        var response = WireResponse(
            status: HTTPResponse.Status(code: answer.status), headers: [:], body: Array(answer.body.utf8))
        response.headers[.contentType] = answer.contentType
        return response
    }

    private static var nothingHere: WireResponse { WireResponse(status: .notFound, headers: [:], body: []) }

    public func answer(to failure: WireFailure, request: WireRequest) async -> WireResponse {
        // What is not answered with success is sent again.
        WireResponse(status: failure.status, headers: [:], body: []).explaining(failure)
    }
}
