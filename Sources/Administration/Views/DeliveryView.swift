//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
public import StrictJSON
public import Time

/// One attempt to deliver a webhook.
public struct DeliveryAttempt: Hashable, Sendable {
    /// Which of the event's messages, from 0.
    public let message: Int
    /// From 1, over all messages.
    public let number: Int
    public let endedAt: Timestamp
    /// How long it took; `nil` where that was not measured.
    public let milliseconds: Int64?
    /// What happened, in a word.
    public let result: String

    public var view: JSONObject {
        var object = JSONObject()
        object["message"] = JSON(self.message)
        object["attempt"] = JSON(self.number)
        object["at"] = .string(self.endedAt.description)
        object["milliseconds"] = self.milliseconds.map { JSON($0) } ?? .null
        object["result"] = .string(self.result)
        return object
    }
}

extension OutboxEvent {
    /// The attempts to deliver it, oldest first, as far as they were kept.
    public func deliveries(in reader: any StoreReader) throws -> [DeliveryAttempt] {
        try reader.observations(.delivery, of: self.merchantID, subject: self.id.text, limit: 10_000).map { seen in
            DeliveryAttempt(
                message: seen.facts["message"].flatMap { Int($0) } ?? 0, number: seen.number, endedAt: seen.at,
                milliseconds: seen.facts["milliseconds"].flatMap { Int64($0) }, result: seen.facts["result"] ?? "")
        }
    }
}
