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

/// Payments through a network that cuts, garbles and repeats: whatever happens to a request, what is said of it is so.
@Suite struct FaultTests {
    private struct Authorizations: FaultSubject {
        let radial: OtherRadial
        /// Each takes a connection, and there are thousands.
        var placesStride: Int { 2 }

        var other: OtherGateway { self.radial.other }

        func acquirer(_ client: UpstreamClient, port: Int) throws -> any Acquirer {
            try RadialConnector(client: client).open(Bench.account(host: "http://127.0.0.1:\(port)"))
        }

        func operation(_ number: Int, _ sound: any Acquirer) async throws -> AcquirerRequest {
            let amount = try Bench.money(3010)
            return Bench.request(
                .authorize(try self.radial.charge(amount)), amount, operation: OperationID(number, at: Bench.at),
                payment: PaymentID(number, at: Bench.at))
        }

        func positions() async throws -> [String: SimulatorPosition] { try await self.radial.positions() }

        func booked(of request: AcquirerRequest, in positions: [String: SimulatorPosition]) -> Money? {
            positions[request.paymentID.shortName]?.authorized
        }

        func find(
            _ request: AcquirerRequest, after outcome: AcquirerOutcome, _ sound: any Acquirer
        ) async -> AcquirerQueryOutcome? { nil }

        /// The repeat came while the first was worked on.
        func allows(_ finding: FaultFinding) -> Bool { if case .accepted = finding.outcome { true } else { false } }
    }

    @Test(arguments: FaultLaw.allCases) func keeps(_ law: FaultLaw) async throws {
        try await law.check(Authorizations(radial: try await OtherRadial.open()))
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
            let clients = (good: Bench.client(), lossy: UpstreamClient { _ in for await _ in swallowed {} })
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
