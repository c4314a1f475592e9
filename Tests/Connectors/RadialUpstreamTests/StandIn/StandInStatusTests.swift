//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
import Money
import Payments
import TestGateway
import TestUpstream
import Testing

@testable import RadialUpstream

/// What a machine in between answers before Radial has anything, and what is lost behind it, of every call that moves
/// money: both books end alike.
@Suite struct StandInStatusTests {
    enum Step: CaseIterable {
        case capture
        case refund
        case void

        var call: RadialStandIn.Call { self == .void ? .cancel : .settle }

        func begin(_ at: AtStandIn) async throws -> PaymentID {
            let id = try await at.authorize().payment.id
            guard self == .refund else { return id }
            _ = try await at.capture(5000, of: id)
            await at.deliver(at.standIn.night())
            return id
        }

        func run(_ at: AtStandIn, _ id: PaymentID) async throws -> PaymentOperation {
            switch self {
            case .capture: try await at.capture(5000, of: id)
            case .refund: try await at.follow(.refund(try Bench.money(2000)), of: id)
            case .void: try await at.follow(.void(nil), of: id)
            }
        }

        /// That it was done once.
        func isDone(_ order: StandInOrder) -> Bool {
            switch self {
            case .capture: order.captured == 5000 && order.refunded == 0
            case .refund: order.captured == 5000 && order.refunded == 2000
            case .void: order.captured == 0 && order.held == 0
            }
        }
    }

    /// A call is repeated once at once, and under its own id until it is acknowledged.
    @Test(arguments: Step.allCases, [RadialStandIn.Ending.status(500), .status(503), .late, .lost])
    func followUpThatIsNotAnsweredIsDoneOnce(_ step: Step, _ ending: RadialStandIn.Ending) async throws {
        try await AtStandIn.with { at in
            let id = try await step.begin(at)
            at.standIn.next(step.call, ending, ending)
            let operation = try await step.run(at, id)
            #expect(operation.state == .unknown)
            await at.recover()
            await at.deliver(at.standIn.night())
            try await at.expectAgreement()
            #expect(try await at.state(of: operation) == .succeeded)
            #expect(at.standIn.orders.count == 1 && at.standIn.orders.allSatisfy(step.isDone))
        }
    }

    @Test(arguments: [500, 502, 503, 504], [false, true])
    func authorizationThatNeverArrivedMovesNothing(_ status: Int, _ isSale: Bool) async throws {
        try await AtStandIn.with { at in
            at.standIn.next(.authorize, .status(status), .status(status))
            let open = try await at.authorize(sale: isSale).operation
            await at.recover()
            // Nobody can ask by which account it would be known: it stays open for a person, and nothing else differs.
            #expect(try await at.state(of: open) == .unknown)
            #expect(at.standIn.orders.isEmpty)
            #expect(try await at.disagreements() == ["authorization is open: unknown"])
        }
    }

    /// The second comes through.
    @Test(arguments: [500, 503]) func authorizationThatArrivesTheSecondTimeIsOneOrder(_ status: Int) async throws {
        try await AtStandIn.with { at in
            at.standIn.next(.authorize, .status(status))
            #expect(try await at.authorize().operation.state == .succeeded)
            #expect(at.standIn.orders.count == 1)
            try await at.expectAgreement()
        }
    }
}
