//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Logging
import Payments
import SimulatorAcquirer

/// What a command talks to that does something to a payment.
struct PaymentAcquirer {
    /// Where `pomona acquirer serve` runs; `nil` for a simulator in the directory itself.
    let address: String?

    /// Opens the acquirers that the payment may be with, for as long as the body runs: the simulated one with the book that knows
    /// of the payment. Other acquirers keep theirs.
    ///
    /// - Throws: ``CommandFailure`` `acquirer_malformed`, and what the body throws.
    func withConnectors<Value>(
        of payment: Payment, _ directory: DataDirectory, _ body: ([any Connector]) async throws -> Value
    ) async throws -> Value {
        guard let acquirer = try self.simulator(of: payment, directory) else {
            return try await body(try Connectors.forCommands())
        }
        defer { try? acquirer.close() }
        return try await body(Connectors.all(simulator: acquirer.connector, .system))
    }

    private func simulator(of payment: Payment, _ directory: DataDirectory) throws -> ConnectedAcquirer? {
        guard payment.acquirer == SimulatorConnector.name else { return nil }
        let surroundings = Surroundings.system
        let logger = surroundings.logger("pomona", level: .critical)
        if let address {
            return try ConnectedAcquirer(.link(try LinkAddress(text: address)), directory, surroundings, logger)
        }
        guard FileSystem.exists(directory.acquirerStorePath) else {
            throw CommandFailure(
                .acquirerMalformed, stage: .acquirer,
                "The payment is with the simulated acquirer, whose book is not in this directory: it is a process of its own. "
                    + "Say where, with --acquirer tcp://HOST:PORT.")
        }
        return try ConnectedAcquirer(.simulator, directory, surroundings, logger)
    }
}
