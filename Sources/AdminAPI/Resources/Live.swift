//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import Payments
import StrictJSON

extension AdminEndpoints {
    static let live: [Endpoint] = [
        Endpoint(
            method: .get, path: "/stream", name: "streamEvents",
            summary: "What happens, as it happens: server-sent events with ids. Heartbeats come every 15 seconds.",
            group: "Home", scope: .paymentsRead,
            query: [.init("merchant", .name(""), "Only this merchant's.")],
            answer: AdminSchemas.streamText
        ) { call in
            // Whoever sees some merchants hears of all of those.
            let merchant = call.query["merchant"] == nil ? nil : try await call.merchantFilter()
            guard let place = call.house.streams.place(of: call.caller.person?.id.text ?? call.caller.holder) else {
                var problem = Problem(
                    .tooManyStreams, "A caller has at most \(StreamDesk.perCallerMax) streams. Close one, or wait.")
                problem.headers[.retryAfter] = "15"
                throw problem
            }
            let listener = StreamListener(place, call.house.streams, call, merchant: merchant)
            return Answer(StreamAnswer(type: "text/event-stream", stream: listener.stream))
        }.streaming("text/event-stream")
    ]
}

extension WireRequest {
    /// The same, as something that nobody has clicked.
    var unused: WireRequest {
        var copy = self
        copy.headers[.pomonaBackground] = "1"
        return copy
    }
}
