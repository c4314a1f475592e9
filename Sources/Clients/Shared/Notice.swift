//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HTTPTypes

/// A message that came by itself.
public struct ClientNotification: Sendable {
    /// The path that it was sent to: signatures cover it.
    public var path: String
    public var headers: HTTPFields
    public var body: [UInt8]

    public init(path: String, headers: HTTPFields = HTTPFields(), body: [UInt8]) {
        self.path = path
        self.headers = headers
        self.body = body
    }

    func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { self.headers[$0] } }
}

/// A notification, read.
public struct Notice: Sendable {
    /// In the service's own words: "refund SUCCESS".
    public var title: String
    /// The shop's name of the order, where the notification names it.
    public var order: String?
    /// The shop's name of the operation, where it names that.
    public var key: String?
    public var outcome: Reading.Outcome
    /// Whether it proves that it comes from the service: by signature, secret or shared key. `nil` where the service
    /// offers no proof.
    public var isGenuine: Bool?
    /// What the service wants to hear.
    public var acknowledgement: ClientReply
    public var body: ReplyBody

    init(
        title: [String?], order: String?, key: String? = nil, outcome: Reading.Outcome, isGenuine: Bool?,
        acknowledgement: ClientReply = ClientReply(status: 200), body: ReplyBody
    ) {
        self.title = title.compactMap { $0 }.joined(separator: " ")
        self.order = order
        self.key = key
        self.outcome = outcome
        self.isGenuine = isGenuine
        self.acknowledgement = acknowledgement
        self.body = body
    }

    public subscript(name: String) -> String? { self.body[name] }
}
