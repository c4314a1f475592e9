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

@testable import PAYONEUpstream

/// Payments through a network that cuts, garbles and repeats: whatever happens to a request, what is said of it is so.
@Suite struct FaultTests {
    enum Kind: CaseIterable {
        case authorization
        case capture
    }

    private struct Operations: FaultSubject {
        let kind: Kind
        let payone: OtherPAYONE

        var other: OtherGateway { self.payone.gateway }

        func acquirer(_ client: UpstreamClient, port: Int) throws -> any Acquirer {
            try PAYONEConnector(client: client).open(Bench.account(host: "http://127.0.0.1:\(port)"))
        }

        func operation(_ number: Int, _ sound: any Acquirer) async throws -> AcquirerRequest {
            let amount = try Bench.money(1010)
            let id = OperationID(2 * number, at: Bench.at)
            let authorization = Bench.request(
                .authorize(Bench.charge(instrument: try self.payone.token(amount))), amount, operation: id, ordinal: 1)
            guard self.kind == .capture else { return authorization }
            let original = Bench.original(amount, id: id, txid: await sound.perform(authorization).memo["txid"])
            return Bench.request(
                .capture(of: original, isFinal: false), amount, operation: OperationID(2 * number + 1, at: Bench.at))
        }

        func positions() async throws -> [String: SimulatorPosition] { try await self.payone.positions() }

        func booked(of request: AcquirerRequest, in positions: [String: SimulatorPosition]) -> Money? {
            guard case .capture(let original, _) = request.action else {
                return positions[request.operationID.shortName]?.authorized
            }
            return positions[original.id.shortName]?.captured
        }

        func find(
            _ request: AcquirerRequest, after outcome: AcquirerOutcome, _ sound: any Acquirer
        ) async -> AcquirerQueryOutcome? { nil }

        func allows(_ finding: FaultFinding) -> Bool {
            switch (finding.fault, finding.outcome) {
            // A byte of the reference or of the amount that is another is another payment's. TLS keeps that from happening.
            case (.garbleRequest, .approved), (.garbleRequest, .unknown): true
            case (.garbleRequest, .declined): finding.isNothingBooked
            default: finding.isOfAnotherStatus
            }
        }
    }

    @Test(arguments: FaultLaw.allCases, Kind.allCases) func keeps(_ law: FaultLaw, _ kind: Kind) async throws {
        try await law.check(Operations(kind: kind, payone: try await OtherPAYONE.open()))
    }
}
