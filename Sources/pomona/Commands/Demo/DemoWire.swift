//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// HTTP from the demonstration's shops to its gateway.
struct DemoWire: Sendable {
    let gatewayURL: String
    let client: HTTPClient

    struct Answer: Sendable {
        let status: UInt
        let headers: HTTPHeaders
        let body: [UInt8]

        var text: String { String(decoding: self.body, as: UTF8.self) }
    }

    func send(
        _ method: HTTPMethod, _ path: String, headers: [(String, String)], body: [UInt8]
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: self.gatewayURL + path)
        request.method = method
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        request.body = .bytes(ByteBuffer(bytes: body))
        let response = try await self.client.execute(request, timeout: .seconds(10))
        let answer = Array((try await response.body.collect(upTo: 1 << 20)).readableBytesView)
        return Answer(status: response.status.code, headers: response.headers, body: answer)
    }
}
