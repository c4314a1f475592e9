//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AlphaPayUpstream
import ConnectorKit
import Gateway
import MPGS
import PAYONEUpstream
import Payments
import RadialUpstream
import SimulatorAcquirer
import TapPayUpstream
import Webhooks

/// The kinds of acquirers that merchants' accounts may be with: a connector is added here.
enum Connectors {
    /// - Parameters:
    ///   - simulator: the acquirer of sandbox merchants, in this process or behind the link.
    ///   - reach: where the names of acquirers' hosts may lead; anywhere for whoever is at the machine itself.
    static func all(
        simulator: any Connector, _ surroundings: Surroundings, reach: UpstreamReach = .anywhere
    ) -> [any Connector] {
        let client = UpstreamClient(addresses: surroundings.upstreamAddresses, reach: reach)
        return [
            simulator, MPGSConnector(client: client), PAYONEConnector(client: client), RadialConnector(client: client),
            TapPayConnector(client: client),
            AlphaPayConnector(client: client, clock: surroundings.clock, random: surroundings.random),
        ]
    }

    /// Where a gateway with these settings lets the names of acquirers' hosts lead.
    static func reach(_ settings: GatewaySettings) -> UpstreamReach {
        settings.allowsPrivateAcquirers
            ? .anywhere : .publicInternet { host in (try? await Resolver.system.addresses(of: host)) ?? [] }
    }

    /// For commands that look at accounts and send no payments: the simulator's book is empty. What the server's simulator may be set to, theirs may.
    static func forCommands(reach: UpstreamReach = .anywhere) throws -> [any Connector] {
        let surroundings = Surroundings.system
        let life = SimulatorConnector.Life(now: surroundings.clock, sleep: surroundings.sleep)
        return self.all(simulator: SimulatorConnector(book: try .inMemory(), life: life), surroundings, reach: reach)
    }
}
