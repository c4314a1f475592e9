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

/// Orders that the service takes though the issuer has not answered: recovery confirms their funds.
@Suite struct StandInTimeoutTests {
    private static let named = RadialStandIn.Issuer.isSilent(namesAccount: true)

    @Test(arguments: [false, true]) func unansweredPaymentIsApprovedWhenTheIssuerAnswers(_ isSale: Bool) async throws {
        try await AtStandIn.with { at in
            at.standIn.issuer(Self.named)
            let open = try await at.authorize(sale: isSale)
            #expect(open.operation.state == .accepted)
            await at.recover()
            if !isSale {
                #expect(try await at.state(of: open.operation) == .succeeded)
                _ = try await at.capture(5000, isFinal: true, of: open.payment.id)
            }
            await at.deliver(at.standIn.night())
            try await at.expectAgreement()
            #expect(at.standIn.orders.map(\.captured) == [5000])
        }
    }

    @Test(arguments: [false, true]) func unansweredPaymentIsDeclinedWhenTheIssuerDeclines(_ isSale: Bool) async throws {
        try await AtStandIn.with { at in
            at.standIn.issuer(Self.named, .declines)
            let open = try await at.authorize(sale: isSale)
            await at.recover()
            #expect(try await at.state(of: open.operation) == .failed(.declined(.doNotHonor)))
            await at.deliver(at.standIn.night())
            try await at.expectAgreement()
        }
    }

    /// Each question has an id of its own: the same one would be answered as before.
    @Test func issuerMayBeSilentForLong() async throws {
        try await AtStandIn.with { at in
            at.standIn.issuer(Self.named, Self.named, Self.named, Self.named)
            let open = try await at.authorize()
            await at.recover(times: 3)
            #expect(try await at.state(of: open.operation) == .accepted)
            await at.recover(times: 3)
            #expect(try await at.state(of: open.operation) == .succeeded)
            #expect(at.standIn.count(.confirm) == 4)
            try await at.expectAgreement()
        }
    }

    /// What was asked and held, and not heard, is not held again.
    @Test func lostConfirmationHoldsNothingTwice() async throws {
        try await AtStandIn.with { at in
            at.standIn.issuer(Self.named)
            at.standIn.next(.confirm, .lost, .late)
            let open = try await at.authorize()
            await at.recover()
            #expect(try await at.state(of: open.operation) == .succeeded)
            #expect(at.standIn.orders.map(\.held) == [5000])
            try await at.expectAgreement()
        }
    }

    @Test func issuerIsNotAskedAgainWhereTheAccountSaysNo() async throws {
        try await AtStandIn.with(settings: ["reauthorize": "false"]) { at in
            at.standIn.issuer(Self.named)
            let open = try await at.authorize()
            await at.recover()
            #expect(try await at.state(of: open.operation) == .failed(.declined(.timedOut)))
            try await at.expectAgreement()
        }
    }

    /// Without an account nothing can be asked; what was taken against the issuer's word is released by people.
    @Test(arguments: [RadialStandIn.Issuer.isSilent(namesAccount: false), .isOverruled], [false, true])
    func whatCannotBeAskedWaitsForAPerson(_ issuer: RadialStandIn.Issuer, _ isSale: Bool) async throws {
        try await AtStandIn.with { at in
            at.standIn.issuer(issuer)
            let open = try await at.authorize(sale: isSale)
            await at.recover()
            #expect(try await at.state(of: open.operation) == .accepted)
            #expect(at.standIn.count(.confirm) == 0 && at.standIn.count(.settle) == 0)
            let decided = try await at.front.test.gateway.decide(
                open.operation.id, .failed, reason: "Not in the vendor's tools.")
            #expect(decided.state == .declined)
            try await at.expectAgreement()
        }
    }
}
