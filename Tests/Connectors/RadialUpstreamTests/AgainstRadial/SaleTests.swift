//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import TestUpstream
import Testing

@testable import RadialUpstream

/// Sales, and authorizations that the issuer did not answer, over HTTP against another gateway: recovery does what is left
/// of them.
@Suite struct SaleTests {
    @Test func saleIsDebitedOnceAndEndsByItsEvent() async throws {
        try await TwoGateways.with { gateways in
            let sale = try await gateways.authorize(5000, sale: true)
            let id = sale.payment.id
            #expect(sale.operation.state == .accepted && sale.payment.state == .authorizing)
            #expect(try await gateways.other.positions()[id.shortName]?.captured.isZero == true)
            // The funds, the debit, and then nothing more until the event.
            await gateways.recover(times: 8)
            #expect(try await gateways.state(of: sale.operation) == .accepted)
            #expect(try await gateways.other.test.bookedCount(.capture) == 1)
            #expect(try await gateways.deliver() == 1)
            let payment = try await gateways.front.payment(id)
            #expect(payment.state == .captured)
            // What the bank called its approval came with the authorization, and stands.
            #expect(payment.authorization?.answer.authorizationCode?.isEmpty == false)
            try await gateways.expectAgreement(on: id, authorized: 5000, captured: 5000)
            let refund = try await gateways.follow(.refund(try Bench.money(2000)), of: id)
            try await gateways.deliver()
            #expect(try await gateways.state(of: refund) == .succeeded)
            try await gateways.expectAgreement(on: id, authorized: 5000, captured: 5000, refunded: 2000)
        }
    }

    @Test func declinedSaleIsOverAtOnce() async throws {
        try await TwoGateways.with { gateways in
            let sale = try await gateways.authorize(5757, sale: true)
            #expect(sale.operation.state == .failed(.declined(.doNotHonor)))
            await gateways.recover(times: 2)
            try await gateways.expectAgreement(on: sale.payment.id)
        }
    }

    /// The acquirer behind the other gateway does not answer at this amount; that gateway then takes it back.
    @Test(arguments: [false, true]) func timedOutPaymentEndsAsTheServiceSays(_ isSale: Bool) async throws {
        try await TwoGateways.with { gateways in
            gateways.other.test.deadline.pass()
            let open = try await gateways.authorize(5858, sale: isSale)
            gateways.other.test.deadline.reset()
            #expect(open.operation.state == .accepted)
            // As long as the service does not know, neither does anybody here.
            await gateways.recover(times: 3)
            #expect(try await gateways.state(of: open.operation) == .accepted)
            for _ in 0..<8 {
                gateways.other.test.clock.advance(seconds: 60)
                await gateways.other.test.recover()
            }
            await gateways.recover(times: 8)
            // The debit is of the same amount, and open there as the authorization was.
            await gateways.other.test.recover()
            try await gateways.deliver()
            let there = try #require(try await gateways.other.test.payments().first)
            let here = try await gateways.front.payment(open.payment.id)
            switch there.state {
            case .reversed, .declined, .notProcessed: #expect(here.state == .declined)
            case .authorized, .captured:
                #expect(here.state == there.state, "\(there.operations.map(\.state))")
                #expect(isSale == (there.state == .captured))
            default: Issue.record("\(there.state)")
            }
        }
    }
}
