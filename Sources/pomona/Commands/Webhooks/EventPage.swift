//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Payments
import StrictJSON
import Time

/// Events as they are listed.
struct EventPage: Sendable {
    let events: [OutboxEvent]
    let hasMore: Bool
    let merchantNames: [MerchantID: String]

    var json: JSON {
        ["events": .array(self.events.map { self.json(of: $0) }), "hasMore": .bool(self.hasMore)]
    }

    private func json(of event: OutboxEvent) -> JSON {
        var object = JSONObject()
        object["id"] = .string(event.id.text)
        object["createdAt"] = .string(event.createdAt.description)
        object["merchant"] = .string(self.merchantNames[event.merchantID] ?? event.merchantID.text)
        object["payment"] = .string(event.paymentID.text)
        object["operation"] = .string(event.operationID.text)
        object["dialect"] = .string(event.dialect.text)
        object["kind"] = .string(event.kind.rawValue)
        object["state"] = .string(event.state.rawValue)
        object["attempts"] = JSON(event.attemptsCount)
        object["lastResult"] = event.lastResult.map { .string($0) } ?? .null
        object["host"] = event.host.map { .string($0) } ?? .null
        return .object(object)
    }

    func write(to console: Console) {
        guard !self.events.isEmpty else {
            console.line("There are no such notifications.")
            return
        }
        var table = Table([
            ("created", .left), ("event", .left), ("payment", .left), ("dialect", .left), ("kind", .left),
            ("state", .left), ("tries", .right), ("last result", .left), ("host", .left),
        ])
        for event in self.events {
            table.add([
                event.createdAt.rfc3339Seconds, event.id.text, event.paymentID.text, event.dialect.text,
                event.kind.rawValue.spaced, event.state.rawValue, "\(event.attemptsCount)", event.lastResult ?? "",
                event.host ?? "",
            ])
        }
        for (index, line) in table.lines().enumerated() {
            console.line(index == 0 ? console.styled(line, .strong) : line)
        }
        if self.hasMore {
            console.line()
            console.line("The newest \(self.events.count). See more with --limit.")
        }
    }
}

extension OutboxEvent {
    /// Of the address that the event goes to only this is shown: path, query and user information may hold a secret.
    fileprivate var host: String? { NotificationTarget(self.target)?.host }
}
