//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HTTPTypes
public import Money

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

    public func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { self.headers[$0] } }
}

/// A notification, read.
public struct Notice: Sendable {
    /// What it is about.
    public enum Subject: String, Hashable, Sendable, CaseIterable {
        /// What began the payment: an authorization, or a sale.
        case payment
        case capture
        /// An authorization that is given back.
        case void
        case refund
        /// Something else, or the message does not say.
        case other
    }

    /// In the service's own words: "refund SUCCESS".
    public var title: String
    public var subject: Subject
    /// The shop's name of the order, where the notification names it.
    public var order: String?
    /// The shop's name of the operation, where it names that.
    public var key: String?
    public var outcome: Reading.Outcome
    /// Of the subject, where the notification says it with its currency.
    public var amount: Money?
    /// Whether it proves that it comes from the service: by signature, secret or shared key. `nil` where the service
    /// offers no proof.
    public var isGenuine: Bool?
    /// What the service wants to hear.
    public var acknowledgement: ClientReply
    public var body: ReplyBody

    init(
        title: [String?], _ subject: Subject, order: String?, key: String? = nil, outcome: Reading.Outcome,
        amount: Money? = nil, isGenuine: Bool?, acknowledgement: ClientReply = ClientReply(status: 200),
        body: ReplyBody
    ) {
        self.title = title.compactMap { $0 }.joined(separator: " ")
        self.subject = subject
        self.order = order
        self.key = key
        self.outcome = outcome
        self.amount = amount
        self.isGenuine = isGenuine
        self.acknowledgement = acknowledgement
        self.body = body
    }

    public subscript(name: String) -> String? { self.body[name] }
}
