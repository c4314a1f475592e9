//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Payments
import StrictJSON
import Time

/// What `pomona webhooks listen` prints of one webhook.
struct ListenReport: Sendable {
    /// How handing it on ended.
    enum Forwarding: Hashable, Sendable {
        case none
        case answered(status: Int, milliseconds: Int64)
        case failed(word: String, milliseconds: Int64)
    }

    let webhook: ReceivedWebhook
    let facts: WebhookKnowledge.Facts
    let forwarding: Forwarding
    /// Where it was handed on to, without a query, which might hold a secret.
    let destination: String?
    let reply: WebhookReply
    let isVerbose: Bool

    /// For programs: one line.
    var json: JSON {
        func text(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }
        var object = JSONObject()
        object["receivedAt"] = .string(self.webhook.receivedAt.description)
        object["path"] = .string(String(self.webhook.target.prefix { $0 != "?" }))
        object["dialect"] = text(self.facts.dialect)
        object["merchant"] = text(self.facts.merchant)
        object["event"] = text(self.webhook.messageID.map(Self.bounded))
        object["attempt"] = self.webhook.attempt.map { JSON($0) } ?? .null
        object["kind"] = text(self.facts.kind?.rawValue)
        object["payment"] = text(self.facts.payment)
        object["state"] = text(self.facts.state?.rawValue)
        object["signature"] = .string(self.facts.signature.rawValue)
        object["bytes"] = JSON(self.webhook.body.count)
        object["forward"] = self.forwardingJSON
        object["answered"] = JSON(self.reply.status)
        if self.isVerbose {
            let shown = WebhookText(self.webhook)
            object["headers"] = .array(
                shown.headers.map { ["name": .string($0.name), "value": .string($0.value)] })
            object["body"] = .string(shown.body)
        }
        return .object(object)
    }

    private var forwardingJSON: JSON {
        switch self.forwarding {
        case .none: .null
        case .answered(let status, let milliseconds):
            ["status": JSON(status), "milliseconds": JSON(milliseconds)]
        case .failed(let word, let milliseconds):
            ["failure": .string(word), "milliseconds": JSON(milliseconds)]
        }
    }

    /// For people.
    func lines(_ console: Console) -> [String] {
        let id = self.webhook.messageID.map(Self.bounded)
        let words = [
            self.webhook.receivedAt.rfc3339Seconds, self.facts.dialect ?? "unknown dialect",
            self.facts.merchant.flatMap { $0 == self.facts.dialect ? nil : $0 }, self.facts.kind?.rawValue.spaced,
            id.map(WebhookText.printable), self.webhook.attempt.map { "attempt \($0)" }, self.facts.state?.rawValue,
        ]
        let isGood = self.facts.signature == .valid
        let isBad = !isGood && self.facts.signature != .unchecked
        let signature = "signature \(self.facts.signature.rawValue)"
        var lines = [
            words.compactMap(\.self).joined(separator: "  ") + "  "
                + console.styled(signature, isGood ? .good : isBad ? .bad : .faint)
        ]
        switch self.forwarding {
        case .none: lines.append("    answered \(self.reply.status)")
        case .answered(let status, let milliseconds):
            lines.append("    → \(self.destination ?? "")  \(status) in \(milliseconds) ms")
        case .failed(let word, let milliseconds):
            lines.append(
                "    → \(self.destination ?? "")  "
                    + console.styled("\(word) after \(milliseconds) ms, answered \(self.reply.status)", .bad))
        }
        guard self.isVerbose else { return lines }
        let shown = WebhookText(self.webhook)
        lines += shown.headers.map { "    \($0.name): \($0.value)" }
        lines += [""] + shown.body.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" } + [""]
        return lines
    }

    private static func bounded(_ id: String) -> String { String(id.prefix(64)) }
}
