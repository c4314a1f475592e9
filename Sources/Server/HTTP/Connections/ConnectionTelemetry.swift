//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Metrics

/// What becomes of connections, counted; none has a line of the log, because there may be thousands of them a second.
struct ConnectionTelemetry: Sendable {
    enum Cut: String, Sendable, CaseIterable {
        case handshake
        case head
        case answer
        case room
    }

    let open: Gauge
    let addressFull: Counter
    let full: Counter
    let acceptFailures: Counter
    private let cuts: [Cut: Counter]

    init(factory: any MetricsFactory) {
        let refused = { (reason: String) in
            Counter(label: "pomona_http_connections_refused", dimensions: [("reason", reason)], factory: factory)
        }
        self.open = Gauge(label: "pomona_http_connections", factory: factory)
        self.addressFull = refused("address")
        self.full = refused("full")
        self.acceptFailures = Counter(label: "pomona_http_accept_failures", factory: factory)
        self.cuts = Dictionary(
            uniqueKeysWithValues: Cut.allCases.map { cut in
                let dimensions = [("reason", cut.rawValue)]
                return (
                    cut, Counter(label: "pomona_http_connections_cut", dimensions: dimensions, factory: factory)
                )
            })
    }

    func count(_ cut: Cut) { self.cuts[cut]?.increment() }
}
