//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import MPGS
import Payments
import SimulatorAcquirer

/// The kinds of acquirers that merchants' accounts may be with: a connector is added here.
enum Connectors {
    /// - Parameter simulator: the acquirer of sandbox merchants, in this process or behind the link.
    static func all(simulator: any Connector) -> [any Connector] {
        [simulator, MPGSConnector(client: UpstreamClient())]
    }

    /// For commands, which look at accounts and send no payments.
    static func forCommands() throws -> [any Connector] {
        self.all(simulator: SimulatorConnector(book: try .inMemory()))
    }
}
