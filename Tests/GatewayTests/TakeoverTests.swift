//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import MemoryStore
import Money
import Payments
import SimulatorAcquirer
import Synchronization
import TestGateway
import Testing
import Time

/// Who recovers what and when: after a crash, beside a live call, and beside another worker.
struct TakeoverTests {
    /// A shop with a sale that was booked by the acquirer and pending in the store when the process died.
    private static func crashed() async throws -> (Shop, OperationOutcome) {
        let store = InterceptingStore(MemoryStore())
        let shop = try await Shop.open { $0.store = store }
        store.plan { $0 == 2 ? .beforeCommit : nil }
        let outcome = try await shop.sell(money(10_00))
        store.plan { _ in nil }
        shop.clock.advance(seconds: 1)
        return (shop, outcome)
    }

    @Test func whatACrashLeftPendingIsRecoveredAtOnceByTheStoresOwner() async throws {
        let (shop, outcome) = try await Self.crashed()
        let restarted = try await shop.restarted { $0.settings.ownsStore = true }
        try await restarted.gateway.prepareRecovery()
        #expect(await restarted.gateway.recover().resolvedCount == 1)
        #expect(try await shop.operation(outcome).state == .succeeded)
        try await expectAgreement(restarted)
    }

    /// What the dead process was about to send is sent at once; what waits for its schedule goes on waiting.
    @Test func whatACrashLeftUnsentIsSentAtOnceByTheStoresOwner() async throws {
        let shop = try await Shop.open()
        let taken = try await shop.sell(money(10_00))
        #expect(try await shop.gateway.leaseDeliveries(limit: 1).map(\.payment.id) == [taken.payment.id])
        _ = try await shop.sell(money(11_00))
        let failed = try #require(try await shop.gateway.leaseDeliveries(limit: 1).first)
        try await shop.gateway.record(.failed("http_503", retryAt: shop.clock.now.adding(seconds: 3600)), of: failed)
        shop.clock.advance(seconds: 1)
        let restarted = try await shop.restarted { $0.settings.ownsStore = true }
        #expect(try await restarted.gateway.leaseDeliveries(limit: 10).isEmpty)
        try await restarted.gateway.prepareRecovery()
        #expect(try await restarted.gateway.leaseDeliveries(limit: 10).map(\.payment.id) == [taken.payment.id])
    }

    /// The clock is set back while a notification is on its way, and its worker is gone.
    @Test func whatWasTakenBeforeTheClockWasSetBackIsSentAtOnce() async throws {
        let shop = try await Shop.open()
        _ = try await shop.sell(money(10_00))
        #expect(try await shop.gateway.leaseDeliveries(limit: 1).count == 1)
        shop.clock.advance(seconds: -3600)
        #expect(try await shop.gateway.leaseDeliveries(limit: 1).count == 1)
    }

    /// The same across a restart: the new process has not seen the clock set back. What the schedule has put off, and what
    /// another node has taken, stays.
    @Test(arguments: [true, false])
    func whatNoScheduleHasPutOffIsSentAtOnceAfterARestart(ownsStore: Bool) async throws {
        let shop = try await Shop.open()
        shop.clock.advance(seconds: 30 * 86_400)
        let ahead = try await shop.sell(money(10_00)).payment.id
        let retried = try await shop.sell(money(11_00)).payment.id
        let unknown = try await shop.sell(money(58_58)).payment.id
        for delivery in try await shop.gateway.leaseDeliveries(limit: 10) where delivery.payment.id == retried {
            try await shop.gateway.record(.failed("http_503", retryAt: shop.clock.now), of: delivery)
        }
        shop.clock.setBack(seconds: 30 * 86_400)
        let scheduled = try await shop.sell(money(12_00)).payment.id
        let (settings, now) = (GatewaySettings(), shop.clock.now)
        try await shop.store.write {
            let dueAt = now.adding(seconds: settings.notificationStepSecondsMax)
            try $0.update(Job(kind: .deliver, paymentID: scheduled, dueAt: dueAt))
        }
        let other = try await shop.sell(money(13_00)).payment.id
        try await shop.store.write {
            let dueAt = now.adding(seconds: settings.deliveryLeaseSeconds)
            try $0.update(Job(kind: .deliver, paymentID: other, dueAt: dueAt))
        }
        let restarted = try await shop.restarted { $0.settings.ownsStore = ownsStore }
        try await restarted.gateway.prepareRecovery()
        let sent = try await restarted.gateway.leaseDeliveries(limit: 10).map(\.payment.id)
        #expect(Set(sent) == (ownsStore ? [ahead, retried, other] : [ahead, retried]))
        #expect(await restarted.gateway.recover().examinedCount == 1)
        #expect(try await shop.payment(unknown).operations.allSatisfy(\.state.isResolved))
    }

    /// A node whose clock is behind takes the others' leases for such: it leaves all as it is.
    @Test func aNodeWhoseClockIsBehindTakesNothingOver() async throws {
        let database = TestClock(TestAuthorities.start)
        let shop = try await Shop.open { $0.store = ClockedStore(MemoryStore()) { database.now } }
        _ = try await shop.sell(money(10_00))
        #expect(try await shop.gateway.leaseDeliveries(limit: 10).count == 1)
        shop.clock.advance(seconds: -2 * 86_400)
        let restarted = try await shop.restarted()
        try await restarted.gateway.prepareRecovery()
        #expect(try await restarted.gateway.leaseDeliveries(limit: 10).isEmpty)
    }

    /// Of a process that has seen it, too, however far the schedule had put it off.
    @Test func whatFailedBeforeTheClockWasSetBackIsTriedAgainAtOnce() async throws {
        let shop = try await Shop.open()
        _ = try await shop.sell(money(10_00))
        shop.clock.advance(seconds: 30 * 86_400)
        let delivery = try #require(try await shop.gateway.leaseDeliveries(limit: 1).first)
        let retryAt = shop.clock.now.adding(seconds: 7200)
        try await shop.gateway.record(.failed("http_503", retryAt: retryAt), of: delivery)
        shop.clock.setBack(seconds: 30 * 86_400)
        #expect(try await shop.gateway.leaseDeliveries(limit: 1).count == 1)
    }

    /// The acquirer is silent about one payment; another one's end is found meanwhile.
    @Test func recoveryOfAPaymentThatHangsDelaysNoOther() async throws {
        let (asked, answer) = (Gate(), Gate())
        let order = Mutex((0...).makeIterator())
        let shop = try await Shop.open { options in
            options.acquirer = { base in
                InterceptingAcquirer(
                    base,
                    queries: { _, ask in
                        if order.withLock({ $0.next() }) == 0 {
                            asked.open()
                            await answer.wait()
                        }
                        return await ask()
                    })
            }
        }
        let outcomes = [try await shop.sell(money(58_58)), try await shop.sell(money(58_58))]
        shop.clock.advance(seconds: 61)
        let jobs = await shop.gateway.leaseRecoveries(limit: 10)
        #expect(jobs.count == 2)
        let hanging = Task { await shop.gateway.recover(jobs[0]) }
        await asked.wait()
        #expect(await shop.gateway.recover(jobs[1]).resolvedCount == 1)
        answer.open()
        #expect(await hanging.value.resolvedCount == 1)
        for outcome in outcomes { #expect(try await shop.operation(outcome).state == .succeeded) }
    }

    /// Tries that crashed do not count: an acquirer that answers again is asked within a quarter of its silence.
    @Test func acquirerThatWasSilentForAWhileIsAskedAgainSoon() async throws {
        let isSilent = Mutex(true)
        let shop = try await Shop.open { options in
            options.acquirer = { base in
                InterceptingAcquirer(
                    base,
                    queries: { _, ask in
                        isSilent.withLock { $0 } ? .unknown(.unclear("no_answer")) : await ask()
                    })
            }
        }
        shop.script.append(.init(.reverse, fault: .dropBeforeBooking))
        let outcome = try await shop.sell(money(58_58))
        for second in 1...40 {
            shop.clock.advance(seconds: 1)
            // Now and then a worker takes it and dies.
            if second.isMultiple(of: 5) {
                _ = await shop.gateway.leaseRecoveries(limit: 10)
            } else {
                _ = await shop.gateway.recover()
            }
        }
        isSilent.withLock { $0 = false }
        shop.script.clear()
        var seconds = 0
        while try await !shop.operation(outcome).state.isResolved, seconds < 60 {
            shop.clock.advance(seconds: 1)
            seconds += 1
            _ = await shop.gateway.recover()
        }
        let leaseSeconds = Int(GatewaySettings().jobLeaseSeconds)
        #expect(seconds <= leaseSeconds + 17, "a lease that a dead worker holds, and a quarter of what has passed")
    }

    @Test func whatACrashLeftPendingWaitsForItsGraceWhereTheStoreIsShared() async throws {
        let (shop, outcome) = try await Self.crashed()
        let restarted = try await shop.restarted()
        try await restarted.gateway.prepareRecovery()
        #expect(await restarted.gateway.recover() == RecoveryReport())
        #expect(try await shop.operation(outcome).state == .pending)
        shop.clock.advance(seconds: GatewaySettings().recoveryGraceSeconds - 2)
        #expect(await restarted.gateway.recover() == RecoveryReport())
        shop.clock.advance(seconds: 1)
        #expect(await restarted.gateway.recover().resolvedCount == 1)
        try await expectAgreement(restarted)
    }

    @Test func reversalsThatACrashInterruptedGoOnAtOnce() async throws {
        let shop = try await Shop.open()
        shop.script.append(.init(.reverse, .first(4), fault: .dropBeforeBooking))
        let outcome = try await shop.sell(money(63_63))
        for _ in 1...6 { await shop.recoverOnce() }
        #expect(try await shop.operation(outcome).state == .unknown)
        shop.clock.advance(seconds: 1)
        let restarted = try await shop.restarted { $0.settings.ownsStore = true }
        try await restarted.gateway.prepareRecovery()
        #expect(await restarted.gateway.recover().resolvedCount == 1)
        try await expectAgreement(restarted)
    }

    // MARK: - Beside a live call

    /// The road to the acquirer, held up before or after the booking until the gate is opened.
    private static func heldUp(_ shop: Shop, beforeBooking: Bool) -> (asked: Gate, answer: Gate) {
        let asked = Gate()
        let answer = Gate()
        let hold: @Sendable () async -> Void = {
            asked.open()
            await answer.wait()
        }
        shop.script.append(
            .init(
                .authorize, beforeBooking: beforeBooking ? hold : nil, beforeAnswer: beforeBooking ? nil : hold))
        return (asked, answer)
    }

    @Test func livePendingOperationIsLeftAloneWithinItsGrace() async throws {
        let shop = try await Shop.open()
        let (asked, answer) = Self.heldUp(shop, beforeBooking: true)
        async let sale = shop.sell(money(10_00))
        await asked.wait()
        shop.clock.advance(seconds: GatewaySettings().recoveryGraceSeconds - 1)
        #expect(await shop.gateway.recover() == RecoveryReport())
        #expect(shop.script.count(of: .query) == 0)
        answer.open()
        #expect(try await sale.operation.state == .succeeded)
        try await expectAgreement(shop)
    }

    /// A job that is due for another operation's sake must not drag a live one along.
    @Test func livePendingOperationIsLeftAloneBesideAnUnknownOne() async throws {
        let shop = try await Shop.open()
        let id = try await shop.sell(money(100_00)).payment.id
        let lost = try await shop.refund(money(58_58), of: id)
        let asked = Gate()
        let answer = Gate()
        shop.script.append(
            .init(
                .refund,
                beforeBooking: {
                    asked.open()
                    await answer.wait()
                }))
        async let live = shop.refund(money(1_00), of: id)
        await asked.wait()
        shop.clock.advance(seconds: 2)
        let report = await shop.gateway.recover()
        #expect(report.resolvedCount == 1)
        #expect(report.openCount == 1)
        #expect(try await shop.operation(lost).state == .succeeded)
        #expect(shop.script.count(of: .query) == 1)
        answer.open()
        #expect(try await live.operation.state == .succeeded)
        try await expectAgreement(shop)
    }

    @Test func answerAfterRecoveryHasBookedTheApprovalChangesNothing() async throws {
        let shop = try await Shop.open()
        let (asked, answer) = Self.heldUp(shop, beforeBooking: false)
        async let sale = shop.sell(money(10_00))
        await asked.wait()
        shop.clock.advance(seconds: GatewaySettings().recoveryGraceSeconds)
        #expect(await shop.gateway.recover().resolvedCount == 1)
        answer.open()
        let outcome = try await sale
        #expect(outcome.operation.state == .succeeded)
        #expect(try await shop.events(of: outcome.payment.id).count == 1)
        #expect(try await shop.payment(outcome.payment.id).operations.count == 2)
        try await expectAgreement(shop)
    }

    @Test func callThatArrivesAfterItsReversalIsReversedForTheCallerToo() async throws {
        let shop = try await Shop.open()
        let (asked, answer) = Self.heldUp(shop, beforeBooking: true)
        async let sale = shop.sell(money(10_00))
        await asked.wait()
        shop.clock.advance(seconds: GatewaySettings().recoveryGraceSeconds)
        #expect(await shop.gateway.recover().resolvedCount == 1)
        answer.open()
        #expect(try await sale.operation.state == .failed(.reversed))
        try await expectAgreement(shop)
    }

    @Test func approvalThatComesAfterAReversalWasBegunIsTooLateToCount() async throws {
        let shop = try await Shop.open()
        let (asked, answer) = Self.heldUp(shop, beforeBooking: false)
        shop.script.append(.init(.query, fault: .garbage))
        shop.script.append(.init(.reverse, .nth(1), fault: .dropBeforeBooking))
        async let sale = shop.sell(money(10_00))
        await asked.wait()
        for _ in 1...3 { await shop.recoverOnce() }
        #expect(shop.script.count(of: .reverse) == 1)
        answer.open()
        let outcome = try await sale
        #expect(!outcome.operation.state.isResolved)
        try await shop.recoverUntilSettled()
        #expect(try await shop.operation(outcome).state == .failed(.reversed))
        try await expectAgreement(shop)
    }

    // MARK: - Beside another worker

    @Test func twoGatewaysRecoverEachPaymentOnce() async throws {
        let shop = try await Shop.open()
        for _ in 1...20 { _ = try await shop.sell(money(58_58)) }
        for _ in 1...20 { _ = try await shop.sell(money(63_63)) }
        let other = try await shop.restarted()
        shop.clock.advance(seconds: 2)
        let reports = await withTaskGroup(of: RecoveryReport.self) { group in
            for worker in [shop, other, shop, other] { group.addTask { await worker.gateway.recover() } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(reports.reduce(0) { $0 + $1.examinedCount } == 40)
        #expect(shop.script.count(of: .query) == 40)
        for _ in 1...5 {
            shop.clock.advance(seconds: 61)
            async let first = shop.gateway.recover()
            async let second = other.gateway.recover()
            _ = await (first, second)
        }
        let payments = try await shop.payments()
        #expect(payments.count { $0.state == .captured } == 20)
        #expect(payments.count { $0.state == .reversed } == 20)
        #expect(try await shop.book.entries().count == 60)
        try await expectAgreement(shop)
    }

    @Test func workerWhoseLeaseHasRunOutDoublesNothing() async throws {
        let shop = try await Shop.open()
        let outcome = try await shop.sell(money(63_63))
        let asked = Gate()
        let answer = Gate()
        shop.script.append(
            .init(
                .query, .nth(1),
                beforeAnswer: {
                    asked.open()
                    await answer.wait()
                }))
        shop.clock.advance(seconds: 2)
        async let slow = shop.gateway.recover()
        await asked.wait()
        let other = try await shop.restarted()
        shop.clock.advance(seconds: GatewaySettings().jobLeaseSeconds - 1)
        #expect(await other.gateway.recover() == RecoveryReport(), "the lease holds")
        for _ in 1...5 {
            shop.clock.advance(seconds: 61)
            _ = await other.gateway.recover()
        }
        #expect(try await shop.operation(outcome).state == .failed(.reversed))
        answer.open()
        _ = await slow
        #expect(try await shop.book.entries().count == 2)
        #expect(try await shop.events(of: outcome.payment.id).count == 1)
        try await expectAgreement(shop)
    }

    @Test func failedRecoveryIsTakenUpAgainWhenItsLeaseEnds() async throws {
        let store = InterceptingStore(MemoryStore())
        let shop = try await Shop.open { $0.store = store }
        let outcome = try await shop.sell(money(58_58))
        shop.clock.advance(seconds: 2)
        store.plan { $0 == 1 ? nil : .beforeCommit }
        _ = await shop.gateway.recover()
        store.plan { _ in nil }
        #expect(await shop.gateway.recover() == RecoveryReport(), "the lease of the worker that failed")
        shop.clock.advance(seconds: GatewaySettings().jobLeaseSeconds)
        #expect(await shop.gateway.recover().resolvedCount == 1)
        #expect(try await shop.operation(outcome).state == .succeeded)
        try await expectAgreement(shop)
    }

    @Test func passTakesNoMoreThanItsLimit() async throws {
        let shop = try await Shop.open()
        for _ in 1...5 { _ = try await shop.sell(money(58_58)) }
        shop.clock.advance(seconds: 2)
        #expect(await shop.gateway.recover(limit: 2).examinedCount == 2)
        #expect(await shop.gateway.recover(limit: 10).examinedCount == 3)
    }
}
