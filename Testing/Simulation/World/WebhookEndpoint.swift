//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization

/// Where a merchant's webhooks arrive.
final class WebhookEndpoint: Sendable {
    private struct State {
        /// In the order of the first arrival.
        var arrived: [PaymentID: [EventID]] = [:]
        var arrivalsCount = 0
    }

    private let record: Record
    private let state = Mutex(State())

    init(record: Record) {
        self.record = record
    }

    var arrivalsCount: Int { self.state.withLock { $0.arrivalsCount } }

    func receive(_ event: OutboxEvent) {
        self.state.withLock { state in
            state.arrivalsCount += 1
            if !state.arrived[event.paymentID, default: []].contains(event.id) {
                state.arrived[event.paymentID, default: []].append(event.id)
            }
        }
    }

    /// What has arrived of a payment, in the order of the first arrivals.
    func arrived(of payment: PaymentID) -> [EventID] { self.state.withLock { $0.arrived[payment] ?? [] } }
}
