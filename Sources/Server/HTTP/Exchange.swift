//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import Hummingbird
import NIOCore

/// What Hummingbird hands on of a connection.
struct ConnectionContext: InitializableFromSource {
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        self.channel = source.channel
    }
}

/// A request and its answer, as the log and the metrics report them.
struct Exchange: Sendable {
    let method: HTTPRequest.Method
    /// The connection's.
    let eventLoop: any EventLoop
    let started: ContinuousClock.Instant
    /// Whether the head says that there is no body.
    let hasNoBody: Bool
    var id = ""
    let call = WireCall()
    /// Whether the route was called.
    var reachedRoute = false
    /// What the service calls itself.
    var service: String?
    /// The route's pattern; `nil` when no route was found.
    var route: String?
    var bodyBytesCount = 0
    /// What a refused call is counted and logged as.
    var refusal: WireRefusal?
    /// Who called, by an id, where the service says so.
    var caller: String?
    /// Whether all that the client sends belongs to this request has been read, so that another may follow on the
    /// connection.
    var isRequestRead = false

    init(request: Request, on eventLoop: any EventLoop, started: ContinuousClock.Instant) {
        self.method = request.method
        self.eventLoop = eventLoop
        self.started = started
        // RFC 9112, section 6.3: without either field a request has no body.
        let length = request.headers[.contentLength]
        self.hasNoBody = request.headers[.transferEncoding] == nil && (length == nil || length == "0")
    }
}

/// The target of a request in origin form (RFC 9112, section 3.2.1).
struct RequestTarget: Hashable, Sendable {
    let path: String
    let query: String?

    init?(_ text: String) {
        guard text.utf8.first == UInt8(ascii: "/") else { return nil }
        let bytes = text.utf8
        guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else {
            self.path = text
            self.query = nil
            return
        }
        self.path = String(text[..<mark])
        self.query = String(text[bytes.index(after: mark)...])
    }
}

extension HTTPField.Name {
    /// The name that proxies and log collectors know.
    static let requestID: HTTPField.Name = {
        guard let name = HTTPField.Name("X-Request-Id") else { preconditionFailure("a constant is no header name") }
        return name
    }()
}
