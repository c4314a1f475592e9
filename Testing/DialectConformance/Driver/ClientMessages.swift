//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Clients
public import DialectKit
import Foundation
import HTTPTypes
import Redaction

// What a client makes and reads, as it goes over the wire.

extension WireRequest {
    public init(_ request: ClientRequest) {
        self.init(method: request.method, path: request.path, body: request.body.reveal())
        for header in request.headers {
            guard let name = HTTPField.Name(header.name) else { continue }
            self.headers[name] = header.value.reveal()
        }
    }
}

extension ClientRequest {
    public init(_ request: WireRequest) {
        self.init(
            request.method, request.path, headers: request.headers.map { ($0.name.rawName, $0.value) },
            body: request.body)
    }
}

extension ClientReply {
    public init(_ response: WireResponse) {
        self.init(status: response.status.code, headers: response.headers, body: response.body)
    }
}

extension ClientNotification {
    init(_ delivered: Delivered) {
        var headers = HTTPFields()
        for header in delivered.notification.headers {
            guard let name = HTTPField.Name(header.name) else { continue }
            headers[name] = header.value
        }
        self.init(
            path: URLComponents(string: delivered.target)?.percentEncodedPath ?? "", headers: headers,
            body: delivered.notification.body)
    }
}
