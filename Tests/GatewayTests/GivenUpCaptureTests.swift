//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Metrics
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import Testing
import Time

/// Planned captures that come to nothing, and when a worker leaves them.
struct GivenUpCaptureTests {
    private static let triesMax = 24

    /// How a plan's captures fail. Those after the last one that may be tried would succeed.
    enum Ending: CaseIterable {
        case declined
        case reversed
        case mixed

        func fault(of number: Int) -> SimulatorFault {
            switch self {
            case .declined: .decline(.doNotHonor)
            case .reversed: .dropBeforeBooking
            case .mixed: number.isMultiple(of: 2) ? .arriveLate : .decline(.insufficientFunds)
            }
        }
    }

    private func plan(_ ending: Ending, log: CapturedLog = CapturedLog()) async throws -> (Shop, PaymentID) {
        let shop = try await Shop.open { $0.log = log.logger }
        for number in 1...Self.triesMax {
            shop.script.append(.init(.capture, .nth(number), fault: ending.fault(of: number)))
        }
        var command = try shop.authorization(of: money(10_00))
        command.captureDueAt = shop.clock.now
        return (shop, try await shop.gateway.authorize(command).payment.id)
    }

    /// Two days of a worker that looks every ten minutes.
    private func work(_ shop: Shop) async {
        for _ in 0..<288 {
            _ = await shop.gateway.captureDue()
            shop.clock.advance(seconds: 300)
            _ = await shop.gateway.recover(limit: 1000)
            shop.clock.advance(seconds: 300)
        }
    }

    private func captures(_ shop: Shop, _ payment: PaymentID) async throws -> [PaymentOperation] {
        try await shop.payment(payment).operations.filter { $0.kind == .capture }
    }

    @Test(arguments: Ending.allCases) func givesUpAfterADay(of ending: Ending) async throws {
        let (log, metrics) = (CapturedLog(), CapturedMetrics())
        let (shop, payment) = try await self.plan(ending, log: log)
        await withMetricsFactory(metrics) { await self.work(shop) }
        #expect(try await shop.gateway.captureDueAt(of: payment) == nil)
        #expect(try await shop.payment(payment).state == .authorized)
        let captures = try await self.captures(shop, payment)
        #expect(captures.count == Self.triesMax)
        for (index, capture) in captures.enumerated() {
            guard case .failed(let failure) = capture.state else {
                Issue.record("capture \(index + 1) is \(capture.state)")
                continue
            }
            if case .decline = ending.fault(of: index + 1) {
                #expect(failure != .reversed)
            } else {
                #expect(failure == .reversed)
            }
        }
        // Each an hour after the one before has failed.
        for (capture, next) in zip(captures, captures.dropFirst()) {
            #expect(next.begunAt.milliseconds(since: try #require(capture.resolvedAt)) >= 3_600_000)
        }
        #expect(try await shop.events(of: payment).count { $0.kind == .captureFailed } == Self.triesMax)
        #expect(log.text.contains("planned capture is given up"))
        #expect(metrics.labels.contains("pomona_planned_captures_given_up_total"))
        try await expectAgreement(shop)
    }

    /// To wait for what is unresolved is no try.
    @Test func waitingUsesUpNoTries() async throws {
        let (shop, payment) = try await self.plan(.mixed)
        _ = await shop.gateway.captureDue()
        shop.clock.advance(seconds: 3600)
        _ = await shop.gateway.captureDue()
        for _ in 0..<100 {
            shop.clock.advance(seconds: 60)
            #expect(await shop.gateway.captureDue() == 0)
        }
        #expect(try await self.captures(shop, payment).map(\.state.isResolved) == [true, false])
        await self.work(shop)
        #expect(try await self.captures(shop, payment).count == Self.triesMax)
        #expect(try await shop.gateway.captureDueAt(of: payment) == nil)
    }

    @Test func planMadeAnewHasTriesOfItsOwn() async throws {
        let (shop, payment) = try await self.plan(.declined)
        await self.work(shop)
        try await shop.gateway.scheduleCapture(of: .payment(payment), at: shop.clock.now, merchant: shop.merchant)
        #expect(await shop.gateway.captureDue() == 1)
        #expect(try await shop.payment(payment).state == .captured)
        try await expectAgreement(shop)
    }
}
