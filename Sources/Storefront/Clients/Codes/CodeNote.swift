//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import StrictJSON

/// A code in a payment service's message, and what it means in a plain sentence.
public struct CodeNote: Hashable, Sendable {
    /// As the service names it: "response.gatewayCode".
    public var field: String
    public var value: String
    /// "The card's issuer declined."
    public var meaning: String

    public init(_ field: String, _ value: String, _ meaning: String) {
        self.field = field
        self.value = value
        self.meaning = meaning
    }

    /// `nil` where the message has no such field. A code that is in no table is said to be the service's own.
    init?(_ field: String, _ value: String?, in meanings: [String: String]) {
        guard let value, !value.isEmpty else { return nil }
        self.init(field, value, meanings[value] ?? "No further explanation here: see the service's list of codes.")
    }

    init?(_ field: String, in body: ReplyBody, _ meanings: [String: String]) {
        self.init(field, body[field], in: meanings)
    }

    var json: JSON {
        ["field": .string(self.field), "value": .string(self.value), "meaning": .string(self.meaning)]
    }
}

/// A part of an order under the service's own name for it: ("rec_trade_id", "D2026…").
public struct OrderFact: Hashable, Sendable {
    public var name: String
    public var value: String

    /// `nil` where the service has not given it yet.
    init?(_ name: String, _ value: String?) {
        guard let value, !value.isEmpty else { return nil }
        self.name = name
        self.value = value
    }
}
