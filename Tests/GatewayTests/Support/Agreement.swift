//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import SimulatorAcquirer
import TestGateway
import Testing

/// Whether the gateway believes what the acquirer really did.
enum Agreement {
    /// Compares every payment of the shop's store with the simulator's book, operation by operation and in the sums,
    /// audits the ledger, and looks for what is left to recover.
    static func problems(of shop: Shop) async throws -> [String] {
        let problems = try await BookAgreement.problems(store: shop.store, book: shop.book)
        return problems + (try await shop.recoveryJobs().map { "recovery of \($0.paymentID) is still due" })
    }
}

/// Expects that gateway, ledger and acquirer agree and that nothing is left to recover.
func expectAgreement(_ shop: Shop, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let problems = try await Agreement.problems(of: shop)
    #expect(problems == [], sourceLocation: sourceLocation)
}
