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

/// Every operation through a network that cuts, garbles and repeats: whatever happens to a request, what is said of it is
/// so.
@Suite struct FaultTests {
    enum Kind: CaseIterable {
        case authorization
        case capture
        case sale
        case refund
        case void
        case reversal
        /// A debit of all that the sale has taken.
        case reversalOfASale

        var opens: Bool { self == .authorization || self == .sale }

        /// Whether the payment is a sale.
        var isOfASale: Bool {
            switch self {
            case .sale, .refund, .reversalOfASale: true
            case .authorization, .capture, .void, .reversal: false
            }
        }
    }

    private struct Operations: FaultSubject {
        let kind: Kind
        let payone: OtherPAYONE

        var other: OtherGateway { self.payone.gateway }
        /// The first two go through every byte; what is in the other messages is like it.
        var placesStride: Int { self.kind == .authorization || self.kind == .capture ? 1 : 6 }
        var garbledRequestsStride: Int { self.kind == .sale ? 17 : 7 }

        func acquirer(_ client: UpstreamClient, port: Int) throws -> any Acquirer {
            try PAYONEConnector(client: client).open(Bench.account(host: "http://127.0.0.1:\(port)"))
        }

        func operation(_ number: Int, _ sound: any Acquirer) async throws -> AcquirerRequest {
            let amount = try Bench.money(1010)
            let id = OperationID(2 * number, at: Bench.at)
            let charge = Bench.charge(captures: self.kind.isOfASale, instrument: try self.payone.token(amount))
            let opening = Bench.request(.authorize(charge), amount, operation: id, ordinal: 1)
            guard !self.kind.opens else { return opening }
            let original = Bench.original(
                amount, isSale: self.kind.isOfASale, id: id, captured: self.kind.isOfASale ? amount : nil,
                txid: await sound.perform(opening).memo["txid"])
            let action: AcquirerRequest.Action =
                switch self.kind {
                case .authorization, .sale, .capture: .capture(of: original, isFinal: false)
                case .refund: .refund(of: original, capture: nil)
                case .void: .void(original)
                case .reversal, .reversalOfASale: .reverse(original)
                }
            return Bench.request(action, amount, operation: OperationID(2 * number + 1, at: Bench.at))
        }

        func positions() async throws -> [String: SimulatorPosition] { try await self.payone.positions() }

        func booked(of request: AcquirerRequest, in positions: [String: SimulatorPosition]) -> Money? {
            let id = request.original?.id ?? request.operationID
            return positions[id.shortName].map { position in
                switch self.kind {
                case .authorization: position.authorized
                case .sale, .capture: position.captured
                case .refund, .reversalOfASale: position.refunded
                case .void, .reversal: position.voided
                }
            }
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
