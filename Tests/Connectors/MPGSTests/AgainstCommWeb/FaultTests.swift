//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Money
import Payments
import SimulatorAcquirer
import TestUpstream
import Testing

@testable import MPGS

/// Payments through a network that cuts, garbles and repeats: whatever happens to a request, what is said of it is so.
@Suite struct FaultTests {
    private struct Authorizations: FaultSubject {
        let other: OtherGateway

        func acquirer(_ client: UpstreamClient, port: Int) throws -> any Acquirer {
            try MPGSConnector(client: client).open(Bench.account(host: "http://127.0.0.1:\(port)"))
        }

        func operation(_ number: Int, _ sound: any Acquirer) async throws -> AcquirerRequest {
            Bench.authorization(number, try Bench.money(3010))
        }

        func positions() async throws -> [String: SimulatorPosition] { try await self.other.positions() }

        func booked(of request: AcquirerRequest, in positions: [String: SimulatorPosition]) -> Money? {
            positions[request.operationID.text]?.authorized
        }

        func allows(_ finding: FaultFinding) -> Bool { finding.isOfAnotherOrder }
    }

    @Test(arguments: FaultLaw.allCases) func keeps(_ law: FaultLaw) async throws {
        try await law.check(Authorizations(other: try await OtherGateway.open()))
    }
}

extension FaultFinding {
    /// A byte of the URL that is another is another order's, and of the card another card's, which is declined.
    var isOfAnotherOrder: Bool {
        switch (self.outcome, self.found) {
        case (.unknown, .notFound), (.unknown, .unknown): self.isOfAnotherRequest
        case (.declined, _): self.isOfAnotherRequest && self.isNothingBooked
        default: false
        }
    }
}
