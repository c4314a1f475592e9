//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// Events that wait for the next try that their dialect's schedule has, in an hour perhaps, and what an operator does about
/// it: `pomona webhooks resend`.
struct WaitingWebhooks: Sendable {
    /// Of the events' gateway.
    let store: any PaymentStore
    let dataPath: String

    /// Events that were tried and not delivered.
    func ids() async throws -> [String] {
        try await self.store.read { reader in
            try reader.jobs(.deliver, limit: 100_000).flatMap { job in
                try reader.events(of: job.paymentID).filter { $0.state == .pending && $0.attemptsCount > 0 }
                    .map(\.id.text)
            }
        }
    }

    /// Runs the command as often as its arguments need.
    func resend(_ ids: [String], _ run: ([String]) async throws -> Void) async throws {
        for start in stride(from: 0, to: ids.count, by: 100) {
            try await run(
                ["webhooks", "resend", "--data", self.dataPath] + ids[start..<min(start + 100, ids.count)])
        }
    }
}
