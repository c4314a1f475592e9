//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Money
import Payments
import SimulatorAcquirer
import Synchronization
import TestGateway
import Testing

@_spi(Administration) @testable import Gateway

/// A commit that makes a notification due wakes this process's worker.
@Suite(.timeLimit(.minutes(1))) struct DueSignalTests {
    private static func isRaised(_ shop: Shop) -> Bool { shop.gateway.deliveriesDue.state.withLock { $0.isRaised } }

    /// Whether the act raises it, once for however many looks.
    private static func raises(_ shop: Shop, _ act: () async throws -> Void) async throws -> Bool {
        if self.isRaised(shop) { await shop.gateway.deliveriesDue.wait() }
        #expect(!self.isRaised(shop))
        try await act()
        return self.isRaised(shop)
    }

    // MARK: - The commits

    @Test func answerOfAnAcquirerRaisesIt() async throws {
        let shop = try await Shop.open()
        #expect(!Self.isRaised(shop))
        #expect(try await Self.raises(shop) { _ = try await shop.sell(money(10_00)) })
        #expect(try await Self.raises(shop) { _ = try await shop.sell(money(57_57)) }, "a decline is notified too")
        #expect(!(try await shop.gateway.leaseDeliveries(limit: 10).isEmpty))
    }

    @Test func whatNobodyIsNotifiedOfDoesNot() async throws {
        let shop = try await Shop.open()
        let silent = try shop.authorization(of: money(10_00), notifyURL: nil)
        #expect(try await !Self.raises(shop) { _ = try await shop.gateway.authorize(silent) })
        #expect(try await !Self.raises(shop) { _ = try await shop.gateway.authorize(silent) })
        // Its end is not known yet.
        #expect(try await !Self.raises(shop) { _ = try await shop.sell(money(58_58)) })
    }

    @Test func whatRecoveryBooksRaisesIt() async throws {
        let shop = try await Shop.open()
        _ = try await shop.sell(money(58_58))
        #expect(try await Self.raises(shop) { await shop.recoverOnce() })
        // Approved for less than is taken: what ends it is its reversal.
        shop.script.append(.init(.authorize, fault: .dropAfterBooking))
        let partial = try await shop.sell(money(61_61))
        #expect(try await Self.raises(shop) { await shop.recoverOnce() })
        #expect(try await shop.operation(partial).state == .failed(.reversed))
    }

    @Test func reportOfAnAcquirerRaisesIt() async throws {
        let upstream = try await Upstream.open()
        let payment = try await upstream.shop.sell(money(10_00)).payment.id
        let refund = try await upstream.shop.refund(money(3_00), of: payment)
        #expect(try await Self.raises(upstream.shop) { await upstream.report("failed", of: refund.operation.id) })
    }

    @Test func decisionOfAnOperatorRaisesIt() async throws {
        let upstream = try await Upstream.open(["recovery": "reports"])
        upstream.shop.script.append(.init(.authorize, .first(1), fault: .dropAfterBooking))
        let outcome = try await upstream.shop.authorize(money(10_00))
        upstream.shop.clock.advance(seconds: 600)
        let raised = try await Self.raises(upstream.shop) {
            _ = try await upstream.shop.gateway.administration.decide(
                outcome.operation.id, .approved(reference: nil), reason: "seen")
        }
        #expect(raised)
    }

    // MARK: - The signal

    @Test func howeverOftenItIsRaisedItWakesOnce() async throws {
        let signal = DueSignal()
        for _ in 1...3 { signal.raise() }
        await signal.wait()
        #expect(!signal.state.withLock { $0.isRaised })
    }

    @Test func itWakesWhoeverWaits() async throws {
        let signal = DueSignal()
        let waiting = Task { await signal.wait() }
        while signal.state.withLock({ $0.waiting.isEmpty }) { await Task.yield() }
        signal.raise()
        await waiting.value
        #expect(!signal.state.withLock { $0.isRaised }, "it has been heard")
    }

    @Test(arguments: [true, false]) func whoeverIsCancelledWaitsNoLonger(_ waitsFirst: Bool) async throws {
        let signal = DueSignal()
        let waiting = Task { await signal.wait() }
        while waitsFirst && signal.state.withLock({ $0.waiting.isEmpty }) { await Task.yield() }
        waiting.cancel()
        await waiting.value
        #expect(signal.state.withLock { $0.waiting.isEmpty })
    }
}
