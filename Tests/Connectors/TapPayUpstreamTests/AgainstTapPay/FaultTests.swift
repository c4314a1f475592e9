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

/// Every operation over a network that cuts, repeats, garbles and loses what is sent, be it the call for the prime or the
/// one that pays with it. Whatever happens, what is said of the outcome agrees with the other gateway's book, and a query
/// finds out what was left open.
@Suite struct FaultTests {
    enum Kind: CaseIterable {
        case authorization
        case sale
        case capture
        case refund
        case void
        case voidOfACapture
        case voidOfARefund
        /// It asks for the trade first.
        case reversal
    }

    private struct NotPrepared: Error {}

    private struct Operations: FaultSubject {
        let kind: Kind
        let tapPay: OtherTapPay

        /// Each takes a connection, and there are thousands. What is in the later messages is like the first.
        var placesStride: Int { self.kind == .authorization ? 2 : 11 }
        var garbledRequestsStride: Int {
            switch self.kind {
            case .authorization: 5
            case .sale: 31
            default: 7
            }
        }

        var other: OtherGateway { self.tapPay.other }

        func acquirer(_ client: UpstreamClient, port: Int) throws -> any Acquirer {
            try TapPayConnector(client: client).open(Bench.account(host: "http://127.0.0.1:\(port)"))
        }

        func operation(_ number: Int, _ sound: any Acquirer) async throws -> AcquirerRequest {
            let amount = try Bench.money(35_000)
            let charge = try self.tapPay.charge(amount, captures: self.kind == .sale)
            let opening = Self.request(number, 0, .authorize(charge), amount)
            if self.kind == .authorization || self.kind == .sale { return opening }
            let memo = await sound.perform(opening).memo
            let trade = memo[AcquirerMemo.trade]
            let original = Bench.original(.authorization, amount, id: opening.operationID, trade: trade)
            let captured = Bench.original(
                .authorization, amount, id: opening.operationID, captured: amount, trade: trade)
            let capture = Self.request(number, 1, .capture(of: original, isFinal: true), amount)
            let refund = Self.request(number, 2, .refund(of: captured, capture: nil), amount)
            switch self.kind {
            case .authorization, .sale, .capture: return try await Self.prepared(capture, sound)
            case .refund:
                _ = await sound.perform(capture)
                return try await Self.prepared(refund, sound)
            case .void: return try await Self.prepared(Self.request(number, 3, .void(original), amount), sound)
            case .voidOfACapture:
                _ = await sound.perform(capture)
                let done = Bench.original(.capture, amount, id: capture.operationID, trade: trade)
                return try await Self.prepared(Self.request(number, 3, .void(done), amount), sound)
            case .voidOfARefund:
                _ = await sound.perform(capture)
                let id = await sound.perform(refund).memo[AcquirerMemo.refund]
                let done = Bench.original(.refund, amount, id: refund.operationID, trade: trade, refund: id)
                return try await Self.prepared(Self.request(number, 3, .void(done), amount), sound)
            case .reversal:
                return try await Self.prepared(Self.request(number, 3, .reverse(original), amount), sound)
            }
        }

        /// - Parameter place: among the operations of its payment.
        private static func request(
            _ number: Int, _ place: Int, _ action: AcquirerRequest.Action, _ amount: Money
        ) -> AcquirerRequest {
            AcquirerRequest(
                operationID: OperationID(4 * number + place, at: Bench.at),
                paymentID: PaymentID(4 * number, at: Bench.at),
                merchantID: Bench.id(8), amount: amount, begunAt: Bench.at, action: action)
        }

        private static func prepared(
            _ request: AcquirerRequest, _ sound: any Acquirer
        ) async throws -> AcquirerRequest {
            guard case .ready(let memo) = await sound.prepare(request) else { throw NotPrepared() }
            return request.with(memo)
        }

        func positions() async throws -> [String: SimulatorPosition] { try await self.tapPay.positions() }

        func booked(of request: AcquirerRequest, in positions: [String: SimulatorPosition]) -> Money? {
            // A payment and the operation with which it begins have one number here.
            positions[request.paymentID.shortName].map { position in
                switch self.kind {
                // A sale is captured in the evening.
                case .authorization, .sale: position.authorized
                case .capture: position.captured
                case .refund: position.refunded
                case .void, .reversal: position.voided
                case .voidOfACapture: request.amount - position.captured
                case .voidOfARefund: request.amount - position.refunded
                }
            }
        }

        func allows(_ finding: FaultFinding) -> Bool {
            if finding.isOfAnotherStatus { return true }
            guard finding.isOfAnotherRequest, self.kind != .authorization, self.kind != .sale else { return false }
            // A byte of a name or of a trade's id that is another is another refund's or trade's. TLS keeps that from
            // happening.
            switch (finding.outcome, finding.found) {
            case (.unknown, .notFound), (.unknown, .unknown): return true
            // What carries the name was called otherwise: the refund is there without one, or under another, and nobody
            // says of it that it is ours.
            case (.approved, .notFound), (.approved, .unknown): return finding.booked == finding.amount
            case (.declined, _): return finding.isNothingBooked
            default: return false
            }
        }
    }

    @Test(arguments: FaultLaw.allCases, Kind.allCases) func keeps(_ law: FaultLaw, _ kind: Kind) async throws {
        try await law.check(Operations(kind: kind, tapPay: try await OtherTapPay.open()))
    }
}
