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

/// Payments through a network that cuts, garbles and repeats: whatever happens to `pay`, what is said of it is so.
///
/// An order is asked for over a sound network, since it moves no money.
@Suite struct FaultTests {
    private struct NotPrepared: Error {}

    private struct Sales: FaultSubject {
        let vendor: Vendor
        /// Each takes a connection, and there are thousands.
        var placesStride: Int { 3 }

        var other: OtherGateway { self.vendor.other }
        var answersAreSigned: Bool { true }
        /// A signature has 344 characters of Base64, of which about eleven are percent-encoded.
        var requestLengthVariance: Int { 64 }

        func acquirer(_ client: UpstreamClient, port: Int) throws -> any Acquirer {
            try self.vendor.acquirer(client, port: port)
        }

        func operation(_ number: Int, _ sound: any Acquirer) async throws -> AcquirerRequest {
            let amount = try Bench.money(3010)
            let charge = Charge(instrument: try self.vendor.instrument(amount), network: .visa, captures: true)
            let request = Bench.request(.authorize(charge), amount, operation: OperationID(number, at: Bench.at))
            guard case .ready(let memo) = await sound.prepare(request) else { throw NotPrepared() }
            return request.with(memo)
        }

        func positions() async throws -> [String: SimulatorPosition] { try await self.vendor.positions() }

        func booked(of request: AcquirerRequest, in positions: [String: SimulatorPosition]) -> Money? {
            positions[request.operationID.text]?.captured
        }

        /// An order that is not paid is answered like one whose payment is under way.
        func allows(_ finding: FaultFinding) -> Bool {
            if finding.isOfAnotherStatus { return true }
            guard finding.isNothingBooked, finding.found == .unknown(.unclear("in_process")) else { return false }
            switch finding.outcome {
            case .notProcessed, .unknown: return true
            case .approved, .declined, .accepted: return false
            }
        }
    }

    @Test(arguments: FaultLaw.allCases) func keeps(_ law: FaultLaw) async throws {
        try await law.check(Sales(vendor: try await Vendor.open()))
    }
}
