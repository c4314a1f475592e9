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

/// How the end of an operation is found that nobody knows.
struct RecoveryTests {
    /// A shop, and the acquirer between it and the simulator.
    private static func shop(
        answersQueries: Bool = true, queries: @escaping InterceptingAcquirer.Queries = { await $1() }
    ) async throws -> (Shop, InterceptingAcquirer) {
        let shop = try await Shop.open { options in
            options.acquirer = { base in
                InterceptingAcquirer(
                    base, base.capabilities.changed { if !answersQueries { $0.recovery = .reversal } }, queries: queries
                )
            }
        }
        return (shop, try #require(shop.acquirer as? InterceptingAcquirer))
    }

    // MARK: - What a query says

    @Test func queriedApprovalIsBooked() async throws {
        let (shop, acquirer) = try await Self.shop()
        let outcome = try await shop.sell(money(58_58))
        let report = await shop.recoverOnce()
        #expect(report.resolvedCount == 1)
        #expect(report.openCount == 0)
        #expect(try await shop.operation(outcome).state == .succeeded)
        #expect(acquirer.calls.map(\.name) == ["authorize", "query"])
        try await expectAgreement(shop)
    }

    /// The commit of the answer failed, so that the merchant has heard of no end.
    @Test func declineThatIsFoundIsNoAnswer() async throws {
        let store = InterceptingStore(MemoryStore())
        let shop = try await Shop.open { options in options.store = store }
        store.plan { $0 == 2 ? .beforeCommit : nil }
        let outcome = try await shop.sell(money(57_57))
        #expect(outcome.operation.state == .pending)
        store.plan { _ in nil }
        #expect(await shop.recoverOnce().resolvedCount == 1)
        let operation = try await shop.operation(outcome)
        guard case .failed(.declined) = operation.state else {
            Issue.record("\(operation.state)")
            return
        }
        #expect(!operation.wasResolvedAtOnce)
        // And what the merchant was answered stays what it was.
        let first = try await shop.payment(outcome.payment.id).asOf(version: outcome.payment.version)
        #expect(first == outcome.payment)
    }

    /// What is known already is not asked for again: beside the lease there is one read and one commit.
    @Test(arguments: [58_58, 61_61]) func paymentIsReadOnce(_ minorUnits: Int64) async throws {
        let store = InterceptingStore(MemoryStore())
        let shop = try await Shop.open { options in
            options.store = store
            options.settings.accountCacheSeconds = 3600
        }
        shop.script.append(.init(.authorize, fault: .dropAfterBooking))
        _ = try await shop.sell(money(minorUnits))
        store.plan { _ in nil }
        #expect(await shop.recoverOnce().openCount == 0)
        #expect(store.readsCount == 1 && store.paymentsReadCount == 0)
        // An approval that cannot stand begins a reversal, whose end is another commit.
        #expect(store.writesCount == (minorUnits == 61_61 ? 3 : 2))
        #expect(try await shop.recoveryJobs().isEmpty)
        try await expectAgreement(shop)
    }

    /// What somebody else has committed meanwhile is found by the version that the commit asks for.
    @Test func whatHasChangedSinceItWasReadIsReadAgain() async throws {
        let elsewhere = Mutex<Shop?>(nil)
        let (shop, _) = try await Self.shop { _, next in
            let answer = await next()
            if let other = elsewhere.withLock({ $0 }) { _ = await other.gateway.recover(limit: 10) }
            return answer
        }
        let outcome = try await shop.sell(money(58_58))
        let other = try await shop.restarted {
            $0.connectors = [SharedAcquirerConnector(shop.simulator, takesLive: true)]
        }
        elsewhere.withLock { $0 = other }
        shop.clock.advance(seconds: 61)
        let jobs = await shop.gateway.leaseRecoveries(limit: 10)
        // Taken by another node whose clock runs ahead, or after a lease that was too short.
        try await shop.store.write { try $0.makeDue(.recover, at: shop.clock.now) }
        let report = await shop.gateway.recover(try #require(jobs.first))
        #expect(report.resolvedCount == 1 && report.openCount == 0)
        #expect(try await shop.operation(outcome).state == .succeeded)
        #expect(try await shop.events(of: outcome.payment.id).count == 1, "it is booked once")
        try await expectAgreement(shop)
    }

    /// The process that began it was stopped before it could send it, for so long that another one has sent it again.
    @Test func notSentIsNotBelievedOfWhatHasBeenSentAgain() async throws {
        let elsewhere = Mutex<Shop?>(nil)
        let reports: @Sendable (inout AcquirerCapabilities) -> Void = { $0.recovery = .reports(repeats: true) }
        let shop = try await Shop.open { options in
            options.acquirer = { base in
                InterceptingAcquirer(base, base.capabilities.changed(reports)) { call, next in
                    guard call.name == "capture", let other = elsewhere.withLock({ $0 }) else { return await next() }
                    elsewhere.withLock { $0 = nil }
                    other.clock.advance(seconds: 61)
                    _ = await other.gateway.recover(limit: 10)
                    return .notProcessed(NotProcessed(.notSent, "lost"))
                }
            }
        }
        let id = try await shop.authorize(money(10_00)).payment.id
        let simulator = shop.simulator
        let other = try await shop.restarted {
            $0.connectors = [
                SharedAcquirerConnector(InterceptingAcquirer(simulator, simulator.capabilities.changed(reports)))
            ]
        }
        elsewhere.withLock { $0 = other }
        shop.script.append(.init(.capture, .first(1), fault: .dropAfterBooking))
        let outcome = try await shop.capture(nil, of: id)
        #expect(outcome.operation.state == .unknown)
        #expect(shop.script.count(of: .capture) == 1)
        try await shop.recoverUntilSettled()
        #expect(try await shop.operation(outcome).state == .succeeded)
        #expect(try await shop.payment(id).state == .captured)
        try await expectAgreement(shop)
    }

    /// Recovery looks at what only a report ends once an hour at last: what waits is counted, and not the looks.
    @Test func whatWaitsForALateReportIsCountedUntilItHasAnEnd() async throws {
        let shop = try await Shop.open { options in
            options.acquirer = { base in
                InterceptingAcquirer(base, base.capabilities.changed { $0.recovery = .reports(repeats: false) })
            }
        }
        let outcome = try await shop.sell(money(10_00))
        #expect(outcome.operation.state == .succeeded)
        for _ in 1...2 {
            shop.script.append(.init(.authorize, fault: .dropAfterBooking))
            #expect(try await shop.sell(money(20_00)).operation.state == .unknown)
        }
        shop.clock.advance(seconds: 299)
        #expect(try await shop.gateway.lateReportsCount() == 0, "a report comes within minutes")
        shop.clock.advance(seconds: 1)
        #expect(try await shop.gateway.lateReportsCount() == 2)
        // However seldom, and however often, it is looked at.
        #expect(await shop.recoverOnce().openCount == 2)
        shop.clock.advance(seconds: 50 * 60)
        for _ in 1...3 { #expect(try await shop.gateway.lateReportsCount() == 2) }
        #expect(try await shop.gateway.lateReportsCount(limit: 1) == 1)
    }

    /// What queries end waits for nobody.
    @Test func whatAQueryEndsDoesNotWaitForAReport() async throws {
        let (shop, _) = try await Self.shop()
        shop.script.append(.init(.authorize, fault: .dropAfterBooking))
        #expect(try await shop.sell(money(20_00)).operation.state == .unknown)
        shop.clock.advance(seconds: 3600)
        #expect(try await shop.gateway.lateReportsCount() == 0)
    }

    @Test func queriedDeclineIsBooked() async throws {
        let (shop, acquirer) = try await Self.shop()
        shop.script.append(.init(.authorize, fault: .garbage))
        let outcome = try await shop.sell(money(57_57))
        #expect(outcome.operation.state == .unknown)
        await shop.recoverOnce()
        #expect(try await shop.operation(outcome).state == .failed(.declined(.doNotHonor)))
        #expect(acquirer.calls("reverse").isEmpty)
        try await expectAgreement(shop)
    }

    @Test func queriedPartialApprovalThatIsNotAcceptedIsReversed() async throws {
        let (shop, _) = try await Self.shop()
        shop.script.append(.init(.authorize, fault: .dropAfterBooking))
        let outcome = try await shop.sell(money(61_61))
        await shop.recoverOnce()
        #expect(try await shop.operation(outcome).state == .failed(.reversed))
        try await expectAgreement(shop)
    }

    /// Not found may mean not yet.
    @Test func whatTheAcquirerNeverHeardOfIsReversedSoThatALateArrivalDoesNothing() async throws {
        let (shop, acquirer) = try await Self.shop()
        shop.script.append(.init(.authorize, fault: .arriveLate))
        let outcome = try await shop.sell(money(10_00))
        await shop.recoverOnce()
        #expect(acquirer.calls.map(\.name) == ["authorize", "query", "reverse"])
        #expect(try await shop.operation(outcome).state == .failed(.reversed))
        let late = await shop.simulator.deliverLate()
        #expect(late.count == 1)
        try await expectAgreement(shop)
    }

    @Test func whatTheAcquirerHasTakenBackIsReversedHereToo() async throws {
        let (shop, _) = try await Self.shop { _, _ in .reversed }
        let outcome = try await shop.sell(money(58_58))
        await shop.recoverOnce()
        #expect(try await shop.operation(outcome).state == .failed(.reversed))
        try await expectAgreement(shop)
    }

    @Test func unknownForEverIsReversedAfterTheThirdQuery() async throws {
        let (shop, acquirer) = try await Self.shop { _, _ in .unknown(.unclear("no_answer")) }
        let outcome = try await shop.sell(money(58_58))
        for pass in 1...3 {
            await shop.recoverOnce()
            #expect(acquirer.calls("query").count == pass)
            #expect(acquirer.calls("reverse").count == (pass == 3 ? 1 : 0))
        }
        #expect(try await shop.operation(outcome).state == .failed(.reversed))
        try await expectAgreement(shop)
    }

    @Test func acquirerWithoutQueriesIsAskedNothingAndTheOperationReversed() async throws {
        let (shop, acquirer) = try await Self.shop(answersQueries: false)
        let outcome = try await shop.sell(money(58_58))
        await shop.recoverOnce()
        #expect(acquirer.calls.map(\.name) == ["authorize", "reverse"])
        #expect(try await shop.operation(outcome).state == .failed(.reversed))
        try await expectAgreement(shop)
    }

    // MARK: - Reversals that go wrong

    @Test(arguments: [SimulatorFault.dropBeforeBooking, .dropAfterBooking, .arriveLate, .garbage])
    func reversalIsSentAgainUnderItsOwnIDUntilItIsAcknowledged(fault: SimulatorFault) async throws {
        let (shop, acquirer) = try await Self.shop(answersQueries: false)
        shop.script.append(.init(.reverse, .first(4), fault: fault))
        let outcome = try await shop.sell(money(63_63))
        for _ in 1...4 { #expect(await shop.recoverOnce().openCount == 2) }
        await shop.recoverOnce()
        #expect(Set(acquirer.calls("reverse").map(\.operationID)).count == 1)
        #expect(acquirer.calls("reverse").count == 5)
        #expect(try await shop.operation(outcome).state == .failed(.reversed))
        await shop.simulator.deliverLate()
        try await expectAgreement(shop)
    }

    /// An outage of hours: every further try is the one reversal, and whoever looks sees that it is under way.
    @Test func reversalThatTakesHoursIsOneAndStaysVisible() async throws {
        let (shop, acquirer) = try await Self.shop(answersQueries: false)
        shop.script.append(.init(.reverse, fault: .dropBeforeBooking))
        let outcome = try await shop.sell(money(63_63))
        let id = outcome.payment.id
        await shop.recoverOnce()
        let reversal = try #require(try await shop.payment(id).unresolvedReversal(of: outcome.operation.id))
        // Across a restart, too.
        let restarted = try await shop.restarted()
        for _ in 0..<(6 * 60) {
            await restarted.recoverOnce()
            let payment = try await restarted.payment(id)
            #expect(payment.isBeingReversed)
            #expect(payment.unresolvedReversal(of: outcome.operation.id)?.id == reversal.id)
            #expect(payment.operations.count { $0.kind == .reversal } == 1)
        }
        #expect(Set(acquirer.calls("reverse").map(\.operationID)) == [reversal.id])
        #expect(acquirer.calls("reverse").count > 60)
        shop.script.clear()
        try await restarted.recoverUntilSettled()
        #expect(try await !restarted.payment(id).isBeingReversed)
        #expect(try await restarted.operation(outcome).state == .failed(.reversed))
        #expect(Set(acquirer.calls("reverse").map(\.operationID)) == [reversal.id])
        try await expectAgreement(restarted)
    }

    /// A declined reversal is an answer: another one is another operation, after another query.
    @Test func declinedReversalIsFollowedByAQueryAndANewReversal() async throws {
        let (shop, acquirer) = try await Self.shop()
        shop.script.append(.init(.reverse, .first(2), fault: .decline(.systemError)))
        let outcome = try await shop.sell(money(63_63))
        try await shop.recoverUntilSettled()
        #expect(Set(acquirer.calls("reverse").map(\.operationID)).count == 3)
        #expect(try await shop.operation(outcome).state == .failed(.reversed))
        try await expectAgreement(shop)
    }

    @Test func declinedReversalWithoutQueriesIsTriedAnew() async throws {
        let (shop, acquirer) = try await Self.shop(answersQueries: false)
        shop.script.append(.init(.reverse, .first(2), fault: .decline(.systemError)))
        let outcome = try await shop.sell(money(63_63))
        try await shop.recoverUntilSettled()
        #expect(Set(acquirer.calls("reverse").map(\.operationID)).count == 3)
        #expect(try await shop.operation(outcome).state == .failed(.reversed))
        try await expectAgreement(shop)
    }

    /// Each declined reversal is a new operation of the payment, so they come ever more seldom.
    @Test func reversalsThatAreDeclinedForADayStayFew() async throws {
        let (shop, acquirer) = try await Self.shop(answersQueries: false)
        shop.script.append(.init(.reverse, fault: .decline(.systemError)))
        let outcome = try await shop.sell(money(63_63))
        for _ in 0..<1440 { await shop.recoverOnce() }
        #expect(acquirer.calls("reverse").count < 50)
        shop.script.clear()
        try await shop.recoverUntilSettled()
        #expect(try await shop.operation(outcome).state == .failed(.reversed))
        try await expectAgreement(shop)
    }

    @Test func approvalThatIsFoundAfterADeclinedReversalStands() async throws {
        let (shop, _) = try await Self.shop()
        shop.script.append(.init(.authorize, fault: .dropAfterBooking))
        shop.script.append(.init(.query, .first(3), fault: .garbage))
        shop.script.append(.init(.reverse, .first(1), fault: .decline(.invalidOperation)))
        let outcome = try await shop.sell(money(10_00))
        try await shop.recoverUntilSettled()
        #expect(try await shop.operation(outcome).state == .succeeded)
        try await expectAgreement(shop)
    }

    // MARK: - Voids

    @Test func unknownVoidIsSentAgainUnderItsOwnID() async throws {
        let (shop, acquirer) = try await Self.shop()
        let id = try await shop.authorize(money(10_00)).payment.id
        shop.script.append(.init(.reverse, .first(3), fault: .dropBeforeBooking))
        let outcome = try await shop.void(id)
        #expect(outcome.operation.state == .unknown)
        await expectRefusal(.payment(.voidPending)) { _ = try await shop.capture(nil, of: id) }
        try await shop.recoverUntilSettled()
        #expect(Set(acquirer.calls("reverse").map(\.operationID)) == [outcome.operation.id])
        #expect(try await shop.payment(id).state == .voided)
        try await expectAgreement(shop)
    }

    @Test func declinedVoidLeavesTheAuthorization() async throws {
        let (shop, _) = try await Self.shop()
        let id = try await shop.authorize(money(10_00)).payment.id
        shop.script.append(.init(.reverse, .nth(1), fault: .dropBeforeBooking))
        shop.script.append(.init(.reverse, .nth(2), fault: .decline(.systemError)))
        _ = try await shop.void(id)
        try await shop.recoverUntilSettled()
        #expect(try await shop.payment(id).state == .authorized)
        #expect(try await shop.capture(nil, of: id).payment.state == .captured)
        try await expectAgreement(shop)
    }

    // MARK: - Several at once

    @Test func captureThatIsTakenBackLeavesRoomWhileAnotherStands() async throws {
        let (shop, _) = try await Self.shop()
        let id = try await shop.authorize(money(10_00)).payment.id
        shop.script.append(.init(.capture, .nth(1), fault: .dropBeforeBooking))
        let lost = try await shop.capture(money(6_00), of: id)
        await expectRefusal(.payment(.capturePending), "an unknown capture keeps its place") {
            _ = try await shop.capture(money(4_01), of: id)
        }
        await expectRefusal(.payment(.captureExceedsAuthorized)) { _ = try await shop.capture(money(10_01), of: id) }
        await expectRefusal(.payment(.capturePending)) { _ = try await shop.void(id) }
        await expectRefusal(.payment(.capturePending)) { _ = try await shop.refund(money(1), of: id) }
        #expect(try await shop.capture(money(4_00), of: id).operation.state == .succeeded)
        try await shop.recoverUntilSettled()
        #expect(try await shop.operation(lost).state == .failed(.reversed))
        #expect(try await shop.payment(id).capturableAmount == money(6_00))
        #expect(try await shop.capture(money(6_00), of: id).payment.state == .captured)
        try await expectAgreement(shop)
    }

    /// An operation that hangs must not cost another one its queries.
    @Test func everyOperationIsQueriedBeforeItIsReversed() async throws {
        let (shop, acquirer) = try await Self.shop()
        let id = try await shop.sell(money(100_00)).payment.id
        shop.script.append(.init(.reverse, .first(6), fault: .dropBeforeBooking))
        _ = try await shop.refund(money(63_63), of: id)
        for _ in 1...5 { await shop.recoverOnce() }
        shop.script.append(.init(.refund, fault: .dropAfterBooking))
        let booked = try await shop.refund(money(1_00), of: id)
        await shop.recoverOnce()
        #expect(try await shop.operation(booked).state == .succeeded)
        #expect(acquirer.calls("reverse").allSatisfy { $0.operationID != booked.operation.id })
        try await shop.recoverUntilSettled()
        try await expectAgreement(shop)
    }
}
