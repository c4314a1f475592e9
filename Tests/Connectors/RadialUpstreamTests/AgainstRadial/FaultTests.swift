//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import TestUpstream
import Testing

@testable import RadialUpstream

/// Every operation through a network that cuts, garbles and repeats: whatever happens to a request, what is said of it is
/// so.
@Suite struct FaultTests {
    enum Kind: CaseIterable {
        case authorization
        /// The authorization, the confirmation of its funds and the debit.
        case sale
        /// `auth/cancel`, of a sale that comes to nothing.
        case endOfASale
        /// Its funds are confirmed over a sound network.
        case capture
        /// The confirmation as well: `funds/confirm` and `settlement/create`.
        case preparation
        case refund
        case void
    }

    private struct NotPrepared: Error {}

    private struct Operations: FaultSubject {
        let kind: Kind
        let radial: OtherRadial
        let notes = SaleNotes()
        /// Each takes a connection, and there are thousands. What is in the later messages is like the first.
        var placesStride: Int {
            switch self.kind {
            case .authorization: 2
            case .capture, .refund, .void: 7
            case .sale, .endOfASale, .preparation: 29
            }
        }
        var garbledRequestsStride: Int {
            switch self.kind {
            case .authorization: 5
            case .capture, .refund, .void: 13
            case .sale, .endOfASale, .preparation: 31
            }
        }

        var other: OtherGateway { self.radial.other }

        func acquirer(_ client: UpstreamClient, port: Int) throws -> any Acquirer {
            let acquirer = try RadialConnector(client: client).open(Bench.account(host: "http://127.0.0.1:\(port)"))
            switch self.kind {
            case .authorization: return acquirer
            case .sale: return Selling(base: acquirer, notes: self.notes)
            case .endOfASale: return GivingBack(base: acquirer)
            case .capture, .refund, .void: return Acknowledged(base: acquirer)
            case .preparation: return Acknowledged(base: Preparing(base: acquirer))
            }
        }

        func operation(_ number: Int, _ sound: any Acquirer) async throws -> AcquirerRequest {
            let amount = try Bench.money(3010)
            let next = { (place: Int, action: AcquirerRequest.Action) in
                Bench.request(
                    action, amount, operation: OperationID(3 * number + place, at: Bench.at),
                    payment: PaymentID(number, at: Bench.at))
            }
            var charge = try self.radial.charge(amount)
            charge.captures = self.kind == .sale || self.kind == .endOfASale
            let opening = next(0, .authorize(charge))
            guard self.kind != .authorization, self.kind != .sale else { return opening }
            var memo = await sound.perform(opening).memo
            if self.kind == .endOfASale { memo[RadialNote.refusal] = DeclineReason.doNotHonor.rawValue }
            let original = Bench.original(.authorization, amount, id: opening.operationID, memo: memo)
            switch self.kind {
            case .authorization, .sale: return opening
            case .endOfASale: return next(1, .reverse(original))
            case .preparation: return next(1, .capture(of: original, isFinal: true))
            case .capture:
                return try await Self.prepared(next(1, .capture(of: original, isFinal: true)), sound)
            case .refund:
                _ = await sound.perform(preparing: next(1, .capture(of: original, isFinal: false)))
                return try await Self.prepared(next(2, .refund(of: original, capture: nil)), sound)
            case .void: return try await Self.prepared(next(1, .void(original)), sound)
            }
        }

        private static func prepared(
            _ request: AcquirerRequest, _ sound: any Acquirer
        ) async throws -> AcquirerRequest {
            guard case .ready(let memo) = await sound.prepare(request) else { throw NotPrepared() }
            return request.with(memo)
        }

        func positions() async throws -> [String: SimulatorPosition] { try await self.radial.positions() }

        func booked(of request: AcquirerRequest, in positions: [String: SimulatorPosition]) -> Money? {
            positions[request.paymentID.shortName].map { position in
                switch self.kind {
                case .authorization: position.authorized
                case .sale, .capture, .preparation: position.captured
                case .refund: position.refunded
                case .endOfASale, .void: position.voided
                }
            }
        }

        func find(
            _ request: AcquirerRequest, after outcome: AcquirerOutcome, _ sound: any Acquirer
        ) async -> AcquirerQueryOutcome? { await (sound as? Selling)?.find(request) }

        func allows(_ finding: FaultFinding) -> Bool {
            switch (finding.fault, finding.outcome) {
            // The repeat came while the first was worked on.
            case (_, .accepted): true
            // An acknowledgement does not repeat the amount: a digit that is another is another settlement. TLS keeps that
            // from happening.
            case (.garbleRequest, .approved), (.garbleRequest, .unknown): self.kind != .authorization
            case (.garbleRequest, .declined): finding.isNothingBooked && self.kind != .authorization
            // What comes next follows from an answer that was garbled: the account of another order, say.
            case (.garbleAnswer, .declined), (.garbleAnswer, .unknown):
                finding.isNothingBooked && (self.kind == .sale || self.kind == .preparation)
            default: false
            }
        }
    }

    @Test(arguments: FaultLaw.allCases, Kind.allCases) func keeps(_ law: FaultLaw, _ kind: Kind) async throws {
        try await law.check(Operations(kind: kind, radial: try await OtherRadial.open()))
    }

    // MARK: - Settlements and cancellations

    private enum Step: CaseIterable {
        case capture
        case refund
        case void
    }

    /// Their answers are lost; they are sent again under their own ids, and done once. The event ends them in between.
    @Test(arguments: Step.allCases) private func lostAcknowledgement(_ step: Step) async throws {
        let amount = try Bench.money(3010)
        let other = try await OtherRadial.open()
        try await other.other.serving { port in
            let proxy = try await FaultyProxy(to: port)
            proxy.set(.swallowAnswer)
            let (swallowed, continuation) = AsyncStream<Void>.makeStream()
            proxy.onSwallowed { continuation.finish() }
            let limits = UpstreamLimits(connectMilliseconds: 60_000)
            let clients = (
                good: Bench.client(), lossy: UpstreamClient(limits: limits) { _ in for await _ in swallowed {} }
            )
            let good = try RadialConnector(client: clients.good).open(Bench.account(host: "http://127.0.0.1:\(port)"))
            let lossy = try RadialConnector(client: clients.lossy).open(
                Bench.account(host: "http://127.0.0.1:\(proxy.port)"))
            let authorization = await good.perform(
                Bench.request(.authorize(try other.charge(amount)), amount, operation: Bench.authorizationID))
            let original = Bench.original(.authorization, amount, memo: authorization.memo)
            if step == .refund {
                _ = await good.perform(
                    preparing: Bench.request(.capture(of: original, isFinal: false), amount, operation: Bench.id(4)))
                _ = try await other.reports()
            }
            let action: AcquirerRequest.Action =
                switch step {
                case .capture: .capture(of: original, isFinal: true)
                case .refund: .refund(of: original, capture: nil)
                case .void: .void(original)
                }
            let request = Bench.request(action, amount)
            guard case .ready(let memo) = await good.prepare(request) else {
                Issue.record("not prepared")
                return
            }
            guard case .unknown = await lossy.perform(request.with(memo)) else {
                Issue.record("was answered")
                return
            }
            let again = await good.perform(request.with(memo))
            #expect(again == .accepted(AcquirerAcceptance(AcquirerAnswer(reference: Bench.orderID))))
            #expect(try await other.reports().count == 1)
            await clients.good.shutdown()
            await clients.lossy.shutdown()
            await proxy.close()
        }
        let position = try #require(try await other.positions()[Bench.orderID])
        #expect(position.authorized == amount)
        #expect(position.captured.isZero == (step == .void) && position.refunded.isPositive == (step == .refund))
        #expect(position.voided.isPositive == (step == .void))
        #expect(try await other.test.bookProblems().isEmpty)
    }
}
