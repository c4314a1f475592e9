//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Payments
import SimulatorAcquirer

/// The operator of gateways whose acquirer answers no queries and reports by itself: an authorization that it has never
/// heard of, or has no end of, long after it was begun, will be reported by nobody. All else is sent again until it is
/// heard of.
struct BookDesk: Sendable {
    let cluster: Cluster
    let program: URL
    let store: any PaymentStore

    /// Longer than a request can be on its way: the gateways' deadline, a process that is stopped, held connections.
    private static let decidesAfterMilliseconds: Int64 = 25_000

    /// Until it is canceled. What fails because something is down just now is tried again.
    func work() async {
        guard let book = try? SimulatorBook.open(path: self.cluster.bookPath) else { return }
        var firstSeen: [OperationID: Int64] = [:]
        while !Task.isCancelled {
            try? await self.decide(book, &firstSeen)
            await Timer.pause(milliseconds: 1000)
        }
        try? book.close()
    }

    private func decide(_ book: SimulatorBook, _ firstSeen: inout [OperationID: Int64]) async throws {
        let open = try await self.store.read { reader in
            try reader.jobs(.recover, limit: 1000).compactMap { try reader.payment($0.paymentID) }
                .compactMap(\.opening).filter { !$0.state.isResolved }
        }
        let now = Timer.nowMilliseconds
        for operation in open {
            let first = firstSeen[operation.id] ?? now
            firstSeen[operation.id] = first
            guard now - first > Self.decidesAfterMilliseconds else { continue }
            let state = try await book.entry(operation.id)?.state
            guard state == nil || state == .unclear else { continue }
            _ = try await ProgramProcess(
                "payments resolve", program: self.program, logPath: self.cluster.folder + "/desk.log"
            ).run([
                "payments", "resolve", operation.id.text, "--failed", "--reason", "The acquirer has never heard of it.",
                "--data", self.cluster.dataPath,
            ])
        }
    }
}
