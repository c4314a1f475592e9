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

@testable import TapPayUpstream

/// Payments over a network that cuts, repeats, garbles and loses what is sent, be it the call for the prime or the one
/// that pays with it. Whatever happens, what is said of the outcome agrees with the other gateway's book, and a query
/// finds out what was left open.
@Suite struct FaultTests {
    private struct Authorizations: FaultSubject {
        let tapPay: OtherTapPay
        /// Each takes a connection, and there are thousands.
        var placesStride: Int { 2 }

        var other: OtherGateway { self.tapPay.other }

        func acquirer(_ client: UpstreamClient, port: Int) throws -> any Acquirer {
            try TapPayConnector(client: client).open(Bench.account(host: "http://127.0.0.1:\(port)"))
        }

        func operation(_ number: Int, _ sound: any Acquirer) async throws -> AcquirerRequest {
            let amount = try Bench.money(35_000)
            return AcquirerRequest(
                operationID: OperationID(number, at: Bench.at), paymentID: PaymentID(number, at: Bench.at),
                merchantID: Bench.id(8), amount: amount, begunAt: Bench.at,
                action: .authorize(try self.tapPay.charge(amount)))
        }

        func positions() async throws -> [String: SimulatorPosition] { try await self.tapPay.positions() }

        func booked(of request: AcquirerRequest, in positions: [String: SimulatorPosition]) -> Money? {
            positions[request.operationID.shortName]?.authorized
        }

        func allows(_ finding: FaultFinding) -> Bool { finding.isOfAnotherStatus }
    }

    @Test(arguments: FaultLaw.allCases) func keeps(_ law: FaultLaw) async throws {
        try await law.check(Authorizations(tapPay: try await OtherTapPay.open()))
    }
}
