//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import SimulatorAcquirer
import Synchronization
import TestGateway
import Testing
import Time

@testable import Gateway

/// Captures that a worker makes when they are due.
struct DelayedCaptureTests {
    private static let delay: Int64 = 3 * 86_400

    private func authorize(_ shop: Shop, _ amount: Money = money(10_00)) async throws -> OperationOutcome {
        var command = try shop.authorization(of: amount)
        command.captureDueAt = shop.clock.now.adding(seconds: Self.delay)
        return try await shop.gateway.authorize(command)
    }

    private func isPlanned(_ shop: Shop, _ payment: PaymentID) async throws -> Bool {
        try await shop.gateway.captureDueAt(of: payment) != nil
    }

    /// Those of one account, whose acquirer hangs, leave places to all others.
    @Test func anAccountThatHangsHasAShareOfThePlaces() async throws {
        let gate = Gate()
        let arrivals = Atomic<Int>(0)
        let shop = try await Shop.open { options in
            options.acquirer = { base in
                InterceptingAcquirer(
                    base,
                    outcomes: { call, next in
                        guard call.name == "capture" else { return await next() }
                        arrivals.add(1, ordering: .relaxed)
                        await gate.wait()
                        return await next()
                    })
            }
        }
        for _ in 0..<40 { _ = try await self.authorize(shop) }
        shop.clock.advance(seconds: Self.delay)
        async let captured = shop.gateway.captureDue()
        while arrivals.load(ordering: .relaxed) < CapturePlaces.ofAccount { await Task.yield() }
        #expect(await shop.gateway.captureDue() == 0)
        gate.open()
        #expect(await captured == CapturePlaces.ofAccount)
        shop.clock.advance(seconds: 120)
        #expect(await shop.gateway.captureDue() == 40 - CapturePlaces.ofAccount)
        try await expectAgreement(shop)
    }

    /// Accounts of one connector hang together.
    @Test func accountsOfAConnectorHaveAShareTogether() async throws {
        let payment = try await self.authorize(try await Shop.open()).payment
        func of(_ account: UInt8, _ acquirer: String) throws -> Payment {
            let id = AcquirerAccountID(at: payment.createdAt, random: [account])
            return Payment(
                id: payment.id, merchantID: payment.merchantID, mode: payment.mode, dialect: payment.dialect,
                acquirer: AcquirerName(acquirer), accountID: id, orderID: nil, amount: payment.amount,
                instrument: payment.instrument, createdAt: payment.createdAt, version: payment.version,
                operations: payment.operations)
        }
        let places = CapturePlaces()
        let (one, two, other) = (try of(1, "hangs"), try of(2, "hangs"), try of(3, "works"))
        for _ in 0..<CapturePlaces.ofAccount { #expect(places.take(one)) }
        #expect(!places.take(one))
        for _ in 0..<(CapturePlaces.ofConnector - CapturePlaces.ofAccount) { #expect(places.take(two)) }
        #expect(!places.take(two) && places.take(other))
        places.giveBack(one)
        #expect(places.take(two) && !places.take(one))
    }

    @Test func capturesWhenItIsDueAndNotBefore() async throws {
        let shop = try await Shop.open()
        let outcome = try await self.authorize(shop)
        #expect(
            try await shop.gateway.captureDueAt(of: outcome.payment.id) == shop.clock.now.adding(seconds: Self.delay))
        shop.clock.advance(seconds: Self.delay - 1)
        #expect(await shop.gateway.captureDue() == 0)
        #expect(try await shop.payment(outcome.payment.id).state == .authorized)
        shop.clock.advance(seconds: 1)
        #expect(await shop.gateway.captureDue() == 1)
        let payment = try await shop.payment(outcome.payment.id)
        #expect(payment.state == .captured && payment.capturedAmount == money(10_00))
        #expect(try await !self.isPlanned(shop, payment.id))
        #expect(await shop.gateway.captureDue() == 0)
        #expect(try await shop.events(of: payment.id).map(\.kind) == [.authorizationSucceeded, .captureSucceeded])
        try await expectAgreement(shop)
    }

    @Test func capturesWhatIsLeftOfAnAuthorization() async throws {
        let shop = try await Shop.open()
        let outcome = try await self.authorize(shop)
        _ = try await shop.capture(money(4_00), of: outcome.payment.id)
        shop.clock.advance(seconds: Self.delay)
        #expect(await shop.gateway.captureDue() == 1)
        let captures = try await shop.payment(outcome.payment.id).operations.filter { $0.kind == .capture }
        #expect(captures.map(\.amount) == [money(4_00), money(6_00)])
    }

    @Test(arguments: [true, false]) func isNoMoreWhenTheMerchantWasQuicker(voids: Bool) async throws {
        let shop = try await Shop.open()
        let outcome = try await self.authorize(shop)
        _ = voids ? try await shop.void(outcome.payment.id) : try await shop.capture(nil, of: outcome.payment.id)
        shop.clock.advance(seconds: Self.delay)
        #expect(await shop.gateway.captureDue() == 0)
        #expect(try await !self.isPlanned(shop, outcome.payment.id))
        try await expectAgreement(shop)
    }

    @Test func declinedAuthorizationIsNotPlanned() async throws {
        let shop = try await Shop.open()
        let outcome = try await self.authorize(shop, money(57_57))
        #expect(outcome.payment.state == .declined)
        #expect(try await !self.isPlanned(shop, outcome.payment.id))
    }

    /// Recovery finds out first what became of the authorization.
    @Test func waitsForAnUnknownAuthorization() async throws {
        let shop = try await Shop.open()
        shop.script.append(.init(.authorize, fault: .garbage))
        let outcome = try await self.authorize(shop)
        #expect(outcome.operation.state == .unknown)
        shop.clock.advance(seconds: Self.delay)
        #expect(await shop.gateway.captureDue() == 0)
        #expect(try await self.isPlanned(shop, outcome.payment.id))
        await shop.recoverOnce()
        let settled = try await shop.payment(outcome.payment.id).state
        _ = await shop.gateway.captureDue()
        let state = try await shop.payment(outcome.payment.id).state
        #expect(settled == .authorized ? state == .captured : state == settled)
        try await expectAgreement(shop)
    }

    /// A capture of which nobody knows the end counts as made until recovery has taken it back; then it is made again.
    @Test func makesNoSecondCaptureWhileOneIsUnknownAndAnotherWhenItWasReversed() async throws {
        let shop = try await Shop.open()
        let outcome = try await self.authorize(shop)
        shop.script.append(.init(.capture, .nth(1), fault: .arriveLate))
        shop.clock.advance(seconds: Self.delay)
        #expect(await shop.gateway.captureDue() == 1)
        shop.clock.advance(seconds: 60)
        #expect(await shop.gateway.captureDue() == 0)
        #expect(try await shop.payment(outcome.payment.id).operations.count { $0.kind == .capture } == 1)
        try await shop.recoverUntilSettled()
        #expect(await shop.gateway.captureDue() == 0)
        shop.clock.advance(seconds: 3600)
        #expect(await shop.gateway.captureDue() == 1)
        let payment = try await shop.payment(outcome.payment.id)
        #expect(payment.capturedAmount == money(10_00))
        #expect(payment.operations.count { $0.kind == .capture && $0.state == .succeeded } == 1)
        try await expectAgreement(shop)
    }

    @Test func planIsMadeMovedAndTakenBack() async throws {
        let shop = try await Shop.open()
        let outcome = try await shop.authorize(money(10_00))
        let payment = PaymentSelector.payment(outcome.payment.id)
        let start = shop.clock.now
        for seconds: Int64 in [1000, 3000, 2000] {
            let due = start.adding(seconds: seconds)
            try await shop.gateway.scheduleCapture(of: payment, at: due, merchant: shop.merchant)
            #expect(try await shop.gateway.captureDueAt(of: outcome.payment.id) == due)
        }
        try await shop.gateway.scheduleCapture(of: payment, at: nil, merchant: shop.merchant)
        shop.clock.advance(seconds: 5000)
        #expect(await shop.gateway.captureDue() == 0)
        #expect(try await shop.payment(outcome.payment.id).state == .authorized)
        #expect(try await shop.payment(outcome.payment.id).version == outcome.payment.version)
    }

    @Test func nothingIsPlannedForWhatCannotBeCaptured() async throws {
        let shop = try await Shop.open()
        let captured = try await shop.sell(money(10_00))
        let voided = try await shop.authorize(money(11_00))
        _ = try await shop.void(voided.payment.id)
        for (payment, refusal) in [
            (captured.payment.id, PaymentRefusal.captureIsFinal), (voided.payment.id, .alreadyVoided),
        ] {
            await expectRefusal(.payment(refusal)) {
                try await shop.gateway.scheduleCapture(
                    of: .payment(payment), at: shop.clock.now, merchant: shop.merchant)
            }
        }
        await expectRefusal(.paymentNotFound) {
            try await shop.gateway.scheduleCapture(
                of: .reference(ReferenceName(kind: "k", value: "v")), at: shop.clock.now, merchant: shop.merchant)
        }
    }

    @Test func planIsWithdrawnWhileNothingIsCaptured() async throws {
        let shop = try await Shop.open()
        let outcome = try await self.authorize(shop)
        let payment = PaymentSelector.payment(outcome.payment.id)
        #expect(try await shop.gateway.withdrawCapture(of: payment, merchant: shop.merchant))
        #expect(try await !shop.gateway.withdrawCapture(of: payment, merchant: shop.merchant))
        shop.script.append(.init(.capture, .nth(1), fault: .arriveLate))
        _ = try await shop.capture(nil, of: outcome.payment.id, isFinal: true)
        await expectRefusal(.payment(.capturePending)) {
            _ = try await shop.gateway.withdrawCapture(of: payment, merchant: shop.merchant)
        }
        let sold = try await shop.sell(money(10_00))
        await expectRefusal(.payment(.captureIsFinal)) {
            _ = try await shop.gateway.withdrawCapture(of: .payment(sold.payment.id), merchant: shop.merchant)
        }
    }

    /// Whoever gets the answer that the plan is taken back is not captured from, however close the worker was.
    @Test func withdrawnIsNeverCaptured() async throws {
        let shop = try await Shop.open()
        var payments: [PaymentID] = []
        for _ in 0..<40 { payments.append(try await self.authorize(shop).payment.id) }
        shop.clock.advance(seconds: Self.delay)
        let withdrawn = await withTaskGroup(of: PaymentID?.self) { group in
            group.addTask {
                _ = await shop.gateway.captureDue()
                return nil
            }
            for payment in payments {
                group.addTask {
                    let isWithdrawn = try? await shop.gateway.withdrawCapture(
                        of: .payment(payment), merchant: shop.merchant)
                    return isWithdrawn == true ? payment : nil
                }
            }
            return await group.reduce(into: [PaymentID]()) { if let payment = $1 { $0.append(payment) } }
        }
        // Some may have found no place.
        shop.clock.advance(seconds: 120)
        while await shop.gateway.captureDue() > 0 {}
        for payment in payments {
            let isCaptured = try await shop.payment(payment).state == .captured
            #expect(isCaptured != withdrawn.contains(payment))
        }
        try await expectAgreement(shop)
    }
}
