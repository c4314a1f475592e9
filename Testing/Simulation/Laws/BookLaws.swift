//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
public import SimulatorAcquirer
import TestGateway

/// Whether what the gateway believes is what the acquirer really did, for whoever runs this room's gateways as processes.
public enum BookLaws {
    /// A sentence for each thing that is not so. Operations without an end are among them.
    public static func problems(
        store: any PaymentStore, book: SimulatorBook
    ) async throws -> [String] {
        try await BookAgreement.problems(store: store, book: book)
    }
}
