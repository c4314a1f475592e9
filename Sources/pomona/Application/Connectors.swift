//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AlphaPayUpstream
import ConnectorKit
import MPGS
import PAYONEUpstream
import Payments
import RadialUpstream
import SimulatorAcquirer
import TapPayUpstream

/// The kinds of acquirers that merchants' accounts may be with: a connector is added here.
enum Connectors {
    /// - Parameter simulator: the acquirer of sandbox merchants, in this process or behind the link.
    static func all(simulator: any Connector, _ surroundings: Surroundings) -> [any Connector] {
        let client = UpstreamClient(addresses: surroundings.upstreamAddresses)
        return [
            simulator, MPGSConnector(client: client), PAYONEConnector(client: client), RadialConnector(client: client),
            TapPayConnector(client: client),
            AlphaPayConnector(client: client, clock: surroundings.clock, random: surroundings.random),
        ]
    }

    /// For commands, which look at accounts and send no payments. What the server's simulator may be set to, theirs may.
    static func forCommands() throws -> [any Connector] {
        let surroundings = Surroundings.system
        let life = SimulatorConnector.Life(now: surroundings.clock, sleep: surroundings.sleep)
        return self.all(simulator: SimulatorConnector(book: try .inMemory(), life: life), surroundings)
    }
}
