//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import MemoryStore
import Payments
import SimulatorAcquirer
import Synchronization
import TestGateway
import Testing

/// Every ending of a call, for every kind of operation, with every way in which recovery itself may go wrong: the
/// payment is believed to be what the acquirer has booked, at every second, and nothing stays open.
struct UnknownOutcomeTests {
    /// What is known of the operation in the end.
    private static func settled(
        _ operation: OperationCase, _ ending: CallEnding, _ query: QueryEnding, _ reversal: ReversalEnding
    ) -> PaymentOperation.State {
        if ending.reported.isResolved { return ending.reported }
        if operation.isVoid {
            // It is sent again under its own id: what is booked is answered as it was, what is not may be declined now.
            return !ending.isBooked && reversal == .declinedTwice ? .failed(.declined(.systemError)) : .succeeded
        }
        return ending.isBooked && query.findsWhatIsBooked ? .succeeded : .failed(.reversed)
    }

    /// An acquirer that answers what it is asked has the operation's end known with the first pass; one that fails some
    /// times, not much later than it has stopped failing.
    private static func secondsMax(_ ending: CallEnding, _ query: QueryEnding, _ reversal: ReversalEnding) -> Int {
        if ending.reported.isResolved { return 0 }
        let isGood = (query != .silentTwice && query != .silentForEver) && reversal == .acknowledged
        return isGood ? 1 : 64
    }

    @Test(arguments: OperationCase.allCases, CallEnding.allCases)
    func gatewayLedgerAndAcquirerAgreeWhateverGoesWrong(operation: OperationCase, ending: CallEnding) async throws {
        let stage = try await UnknownOutcomeShop.open()
        let shop = stage.shop
        for (number, (query, reversal)) in Self.recoveries(after: ending).enumerated() {
            // Each other time the process starts anew before every pass.
            let restarts = !number.isMultiple(of: 2)
            let comment: Comment = "query \(query), reversal \(reversal), restarts \(restarts)"
            let outcome = try await operation.make(shop, fault: ending.fault)
            #expect(outcome.operation.state == ending.reported, comment)
            stage.queries.set(query)
            reversal.direct(shop.script)
            let seconds = try await stage.recover(outcome, restarts: restarts)
            #expect(seconds <= Self.secondsMax(ending, query, reversal), comment)
            let settled = Self.settled(operation, ending, query, reversal)
            #expect(try await shop.operation(outcome).state == settled, comment)
            await shop.simulator.deliverLate()
            let events = try await shop.events(of: outcome.payment.id)
            #expect(events.count { $0.operationID == outcome.operation.id } == 1, comment)
        }
        try await expectAgreement(shop)
    }

    /// Every way for recovery to go; one where there is nothing to recover.
    private static func recoveries(after ending: CallEnding) -> [(QueryEnding, ReversalEnding)] {
        guard !ending.reported.isResolved else { return [(.honest, .acknowledged)] }
        return QueryEnding.allCases.flatMap { query in ReversalEnding.allCases.map { (query, $0) } }
    }

    /// The process dies after the acquirer has answered, or not, and before that is written.
    @Test(arguments: OperationCase.allCases, CallEnding.allCases)
    func whatACrashLeftPendingIsFoundOut(operation: OperationCase, ending: CallEnding) async throws {
        for ownsStore in [true, false] {
            let store = InterceptingStore(MemoryStore())
            let stage = try await UnknownOutcomeShop.open { $0.store = store }
            let outcome = try await operation.make(stage.shop, fault: ending.fault) {
                store.plan { $0 == 2 ? .beforeCommit : nil }
            }
            store.plan { _ in nil }
            #expect(!outcome.operation.state.isResolved)
            let seconds = try await stage.recover(outcome, restarts: ownsStore)
            #expect(seconds <= (ownsStore ? 1 : GatewaySettings().recoveryGraceSeconds + 1))
            let state = try await stage.shop.operation(outcome).state
            if ending == .declined {
                // A void that is sent again is declined again: the book has it.
                #expect(state == .failed(.declined(.suspectedFraud)))
            } else {
                #expect(state == (ending.isBooked || operation.isVoid ? .succeeded : .failed(.reversed)))
            }
            await stage.shop.simulator.deliverLate()
            try await expectAgreement(stage.shop)
        }
    }

    /// What is late arrives before recovery has asked.
    @Test(arguments: OperationCase.allCases)
    func whatArrivesBeforeItIsAskedAboutStands(operation: OperationCase) async throws {
        let stage = try await UnknownOutcomeShop.open()
        let outcome = try await operation.make(stage.shop, fault: .arriveLate)
        await stage.shop.simulator.deliverLate()
        #expect(try await stage.recover(outcome) == 1)
        #expect(try await stage.shop.operation(outcome).state == .succeeded)
        try await expectAgreement(stage.shop)
    }

    // MARK: - Several operations of a payment

    /// One refund hangs for hours, because the acquirer goes on declining its reversals. Another of the same payment is
    /// resolved as quickly as if it were alone, and asked about as often.
    @Test func operationThatHangsDelaysNoOtherOfItsPayment() async throws {
        let stage = try await UnknownOutcomeShop.open()
        let shop = stage.shop
        let id = try await shop.sell(money(100_00)).payment.id
        let hanging = try await shop.refund(money(63_63), of: id)
        shop.script.append(.init(.reverse, fault: .decline(.systemError)))
        for _ in 1...60 { await shop.recoverOnce() }
        #expect(try await shop.operation(hanging).state == .unknown)

        let reversalsCount = shop.script.count(of: .reverse)
        shop.script.append(.init(.refund, .nth(2), fault: .dropAfterBooking))
        let booked = try await shop.refund(money(1_00), of: id)
        #expect(booked.operation.state == .unknown)
        stage.queries.set(.silentTwice)
        for _ in 1...7 {
            shop.clock.advance(seconds: 1)
            _ = await shop.gateway.recover()
        }
        #expect(try await shop.operation(booked).state == .succeeded)
        #expect(shop.script.count(of: .reverse) <= reversalsCount + 1, "the other one is not tried more often")

        shop.script.clear()
        try await shop.recoverUntilSettled()
        #expect(try await shop.operation(hanging).state == .failed(.reversed))
        try await expectAgreement(shop)
    }

    /// A pass that holds the payment's job must not put off what has become unknown meanwhile.
    @Test func operationThatBecomesUnknownDuringAPassIsDueSoon() async throws {
        let stage = try await UnknownOutcomeShop.open()
        let shop = stage.shop
        let id = try await shop.sell(money(100_00)).payment.id
        let hanging = try await shop.refund(money(63_63), of: id)
        shop.script.append(.init(.reverse, .first(20), fault: .dropBeforeBooking))
        for _ in 1...12 { await shop.recoverOnce() }
        #expect(try await shop.operation(hanging).state == .unknown)
        let booked = Mutex<OperationOutcome?>(nil)
        shop.script.clear()
        shop.script.append(.init(.refund, fault: .dropAfterBooking))
        shop.script.append(
            .init(
                .reverse, .nth(1), fault: .dropBeforeBooking,
                beforeBooking: {
                    let outcome = try? await shop.refund(money(1_00), of: id)
                    booked.withLock { $0 = outcome }
                }))
        await shop.recoverOnce()
        let outcome = try #require(booked.withLock { $0 })
        #expect(outcome.operation.state == .unknown)
        shop.clock.advance(seconds: 1)
        _ = await shop.gateway.recover()
        #expect(try await shop.operation(outcome).state == .succeeded)
        try await shop.recoverUntilSettled()
        try await expectAgreement(shop)
    }

    // MARK: - Clocks

    /// The clock goes wrong by an hour, an operation becomes unknown, and the clock is put right.
    @Test(arguments: [false, true]) func clockThatIsSetBackPutsNoRecoveryOff(hasCrashed: Bool) async throws {
        let store = InterceptingStore(MemoryStore())
        let stage = try await UnknownOutcomeShop.open { $0.store = store }
        let shop = stage.shop
        shop.clock.advance(seconds: 3600)
        _ = await shop.gateway.recover()
        let outcome = try await OperationCase.sell.make(shop, fault: .dropAfterBooking) {
            if hasCrashed { store.plan { $0 == 2 ? .beforeCommit : nil } }
        }
        store.plan { _ in nil }
        #expect(outcome.operation.state == (hasCrashed ? .pending : .unknown))
        shop.clock.advance(seconds: -3599)
        _ = await shop.gateway.recover()
        #expect(try await shop.operation(outcome).state == .succeeded)
        try await expectAgreement(shop)
    }

    /// Declined reversals are seldom repeated; a clock that is set back makes them no more so.
    @Test func clockThatIsSetBackPutsNoReversalOff() async throws {
        let stage = try await UnknownOutcomeShop.open()
        let shop = stage.shop
        shop.clock.advance(seconds: 86_400)
        shop.script.append(.init(.reverse, .nth(1), fault: .decline(.systemError)))
        let outcome = try await shop.sell(money(63_63))
        stage.queries.set(.findsNothing)
        shop.clock.advance(seconds: 1)
        _ = await shop.gateway.recover()
        #expect(shop.script.count(of: .reverse) == 1)
        shop.clock.advance(seconds: -86_000)
        #expect(try await stage.recover(outcome) <= 3)
        #expect(try await shop.operation(outcome).state == .failed(.reversed))
        try await expectAgreement(shop)
    }

    /// Small corrections are no reason to look at everything again.
    @Test func correctedClockMakesNothingDue() async throws {
        let stage = try await UnknownOutcomeShop.open()
        let shop = stage.shop
        _ = await shop.gateway.recover()
        _ = try await shop.sell(money(58_58))
        shop.clock.advance(seconds: -1)
        #expect(await shop.gateway.recover() == RecoveryReport())
        shop.clock.advance(seconds: 2)
        #expect(await shop.gateway.recover().resolvedCount == 1)
    }
}
