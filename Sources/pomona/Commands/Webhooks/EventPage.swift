//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Payments
import StrictJSON
import Time

/// Events as they are listed.
struct EventPage: Sendable {
    let events: [WaitingEvent]
    let hasMore: Bool
    let merchantNames: [MerchantID: String]

    var json: JSON {
        [
            "events": .array(
                self.events.map {
                    .object($0.view(merchant: self.merchantNames[$0.event.merchantID] ?? $0.event.merchantID.text))
                }), "hasMore": .bool(self.hasMore),
        ]
    }

    func write(to console: Console) {
        guard !self.events.isEmpty else {
            console.line("There are no such notifications.")
            return
        }
        var table = Table([
            ("created", .left), ("event", .left), ("payment", .left), ("dialect", .left), ("kind", .left),
            ("state", .left), ("tries", .right), ("last result", .left), ("host", .left),
            ("next try", .left),
        ])
        for waiting in self.events {
            let event = waiting.event
            table.add([
                event.createdAt.rfc3339Seconds, event.id.text, event.paymentID.text, event.dialect.text,
                event.kind.rawValue.spaced, event.state.rawValue, "\(event.attemptsCount)", event.lastResult ?? "",
                event.host ?? "", waiting.wait?.words ?? "",
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

extension EventWait {
    /// When, or behind what.
    var words: String {
        switch self {
        case .attempt(let at): at.rfc3339Seconds
        case .earlier(let event): "after \(event.text)"
        }
    }
}
