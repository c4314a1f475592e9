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

/// Every operation through a network that cuts, garbles and repeats: whatever happens to a request, what is said of it is
/// so.
@Suite struct FaultTests {
    enum Kind: CaseIterable {
        case authorization
        /// In one call (``SaleOfTwoCallsTests`` has the other).
        case sale
        case verification
        case capture
        /// Of less than the authorization, in two calls: the second gives the rest back.
        case finalCapture
        /// To a higher total.
        case adjustment
        case refund
        case void
        case voidOfASale
        case voidOfACapture
        case reversal

        var isOfASale: Bool { self == .sale || self == .refund || self == .voidOfASale }
    }

    private struct Operations: FaultSubject {
        let kind: Kind
        let other: OtherGateway

        /// The first goes through every byte; what is in the other messages is like it.
        var placesStride: Int { self.kind == .authorization ? 1 : 7 }
        var garbledRequestsStride: Int { self.kind == .authorization ? 5 : 7 }

        func acquirer(_ client: UpstreamClient, port: Int) throws -> any Acquirer {
            try MPGSConnector(client: client).open(Bench.account(host: "http://127.0.0.1:\(port)"))
        }

        func operation(_ number: Int, _ sound: any Acquirer) async throws -> AcquirerRequest {
            let amount = try Bench.money(3010)
            var opening = Bench.authorization(3 * number, amount, captures: self.kind.isOfASale)
            let original = Bench.original(
                .authorization, amount, isSale: self.kind.isOfASale, id: opening.operationID,
                captured: self.kind.isOfASale ? amount : nil)
            let (paymentID, merchantID) = (opening.paymentID, opening.merchantID)
            let next = { (place: Int, action: AcquirerRequest.Action, amount: Money) in
                AcquirerRequest(
                    operationID: OperationID(3 * number + place, at: Bench.at), paymentID: paymentID,
                    merchantID: merchantID, amount: amount, begunAt: Bench.at, action: action)
            }
            switch self.kind {
            case .authorization, .sale: return opening
            case .verification:
                guard case .authorize(let charge) = opening.action else { return opening }
                opening = next(0, .verify(charge), .zero(amount.currency))
                return opening
            case .finalCapture:
                _ = await sound.perform(opening)
                return next(1, .capture(of: original, isFinal: true), try Bench.money(2010))
            case .adjustment:
                _ = await sound.perform(opening)
                return next(1, .adjust(original), try Bench.money(4010))
            case .capture:
                _ = await sound.perform(opening)
                return next(1, .capture(of: original, isFinal: false), amount)
            case .refund:
                _ = await sound.perform(opening)
                return next(1, .refund(of: original, capture: nil), amount)
            case .void, .voidOfASale:
                _ = await sound.perform(opening)
                return next(1, .void(original), amount)
            case .reversal:
                _ = await sound.perform(opening)
                return next(1, .reverse(original), amount)
            case .voidOfACapture:
                _ = await sound.perform(opening)
                let capture = next(1, .capture(of: original, isFinal: false), amount)
                _ = await sound.perform(capture)
                return next(
                    2, .void(Bench.original(.capture, amount, id: capture.operationID, captured: amount)), amount)
            }
        }

        func positions() async throws -> [String: SimulatorPosition] {
            guard self.kind == .verification else { return try await self.other.positions() }
            return try await self.other.verified()
        }

        func booked(of request: AcquirerRequest, in positions: [String: SimulatorPosition]) -> Money? {
            // A payment and the transaction with which it begins have one number here.
            let number = request.paymentID.text.suffix(26)
            return positions.first { $0.key.hasSuffix(number) }.map { position in
                switch self.kind {
                case .authorization, .verification: position.value.authorized
                case .sale, .capture, .finalCapture: position.value.captured
                // Nothing, as long as the total is what was authorized first.
                case .adjustment:
                    position.value.authorized.minorUnits < request.amount.minorUnits
                        ? .zero(request.amount.currency) : position.value.authorized
                case .refund: position.value.refunded
                case .void, .reversal: position.value.voided
                case .voidOfASale, .voidOfACapture: request.amount - position.value.captured
                }
            }
        }

        func allows(_ finding: FaultFinding) -> Bool { finding.isOfAnotherOrder }
    }

    @Test(arguments: FaultLaw.allCases, Kind.allCases) func keeps(_ law: FaultLaw, _ kind: Kind) async throws {
        try await law.check(Operations(kind: kind, other: try await OtherGateway.open()))
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
