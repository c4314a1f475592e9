//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HTTPTypes
public import Redaction

/// A request to a payment service, ready to be sent: whoever has a connection adds the host.
///
/// Headers and body hold keys and tokens, so that nothing of them is ever printed by chance.
public struct ClientRequest: Sendable, CustomStringConvertible {
    public var method: HTTPRequest.Method
    /// "/api/v2.0/payments/refund".
    public var path: String
    public var headers: [(name: String, value: Redacted<String>)]
    public var body: Redacted<[UInt8]>

    public init(_ method: HTTPRequest.Method, _ path: String, headers: [(String, String)] = [], body: [UInt8] = []) {
        self.method = method
        self.path = path
        self.headers = headers.map { (name: $0, value: Redacted($1)) }
        self.body = Redacted(body)
    }

    public var description: String { "\(self.method.rawValue) \(self.path)" }
}

/// What came back, or what acknowledges a notification.
public struct ClientReply: Sendable {
    public var status: Int
    public var headers: HTTPFields
    public var body: [UInt8]

    public init(status: Int, headers: HTTPFields = HTTPFields(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    public var text: String { String(decoding: self.body, as: UTF8.self) }

    /// The first field of that name, in any case.
    func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { self.headers[$0] } }
}

/// Why a client makes no request: nothing was sent.
public struct ClientError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The language has no field for it.
        case instrumentNotTaken
        /// The language has no such request.
        case operationNotOffered
        /// An earlier answer should have given something that the request needs, and has not.
        case handleMissing
        /// A field that the language demands was left out, or is not one that it takes.
        case fieldMissing
        /// A key cannot be read, or does not sign.
        case keyUnusable
    }

    public let code: Code
    /// A sentence, with nothing in it of what was to be sent.
    public let description: String

    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
