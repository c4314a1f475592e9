//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments
import SimulatorAcquirer
import Synchronization
import TestGateway
import Testing

/// What is prepared and then done has one deadline: the shop waits for both with one answer, which must not be late.
struct OperationTimeTests {
    /// Sleeps of which the first of a length ends when the test says so; the clock that the gateway counts by goes with the
    /// shop's.
    private final class Time: Sendable {
        let passes = Gate()
        private let asked = Mutex<[Int64]>([])
        private let given = Mutex<[Int64?]>([])
        private let passing: Int64

        init(passing: Int64 = 32_000) {
            self.passing = passing
        }

        /// For what the gateway has slept.
        var milliseconds: [Int64] { self.asked.withLock { $0 } }
        /// What connectors were given.
        var connectorMilliseconds: [Int64?] { self.given.withLock { $0 } }

        func sleep(_ milliseconds: Int64) async throws {
            let isFirst = self.asked.withLock { asked in
                asked.append(milliseconds)
                return milliseconds == self.passing && asked.count { $0 == milliseconds } == 1
            }
            guard isFirst else { return try await sleepForEver() }
            await self.passes.wait()
            try Task.checkCancellation()
        }

        func noteCall() { self.given.withLock { $0.append(AcquirerCallTime.milliseconds) } }
    }

    private static let memo: AcquirerMemo = {
        var memo = AcquirerMemo()
        memo["name"] = "six"
        return memo
    }()

    /// A shop whose acquirer has to prepare authorizations.
    private static func open(
        _ time: Time, preparing: @escaping @Sendable (TestClock) async -> Void,
        performing: @escaping @Sendable () async -> Void = {}
    ) async throws -> Shop {
        let clock = Mutex<TestClock?>(nil)
        let shop = try await Shop.open { options in
            options.acquirer = { base in
                InterceptingAcquirer(
                    base, base.capabilities.changed { $0.memos = .prepared },
                    outcomes: { _, next in
                        time.noteCall()
                        await performing()
                        return await next()
                    },
                    preparations: { _, _ in
                        if let clock = clock.withLock({ $0 }) { await preparing(clock) }
                        return .ready(Self.memo)
                    })
            }
        }
        clock.withLock { $0 = shop.clock }
        return try await self.timed(shop, time)
    }

    private static func timed(_ shop: Shop, _ time: Time) async throws -> Shop {
        let (start, began) = (ContinuousClock.now, shop.clock.steadyNanoseconds)
        return try await shop.restarted { parts in
            parts.sleep = time.sleep
            parts.steadyClock = { start + .nanoseconds(shop.clock.steadyNanoseconds - began) }
        }
    }

    private static func calls(_ shop: Shop) throws -> [AcquirerCall] {
        try #require(shop.acquirer as? InterceptingAcquirer).calls
    }

    @Test func operationHasWhatItsPreparationHasLeft() async throws {
        let time = Time()
        let shop = try await Self.open(
            time, preparing: { $0.advance(seconds: 18) },
            performing: {
                time.passes.open()
                try? await sleepForEver()
            })
        let outcome = try await shop.sell(money(10_00))
        #expect(outcome.operation.state == .unknown && outcome.operation.unknownReason == .timedOut)
        // One timer over both, and of the 14 seconds that were left the connector's share.
        #expect(time.milliseconds == [32_000])
        #expect(time.connectorMilliseconds == [13_125])
    }

    @Test func preparationKnowsItsTimeToo() async throws {
        let time = Time()
        let shop = try await Self.open(
            time,
            preparing: { clock in
                time.noteCall()
                clock.advance(seconds: 16)
                time.noteCall()
            })
        #expect(try await shop.sell(money(10_00)).operation.state == .succeeded)
        #expect(time.connectorMilliseconds == [30_000, 15_000, 15_000])
    }

    @Test func isNotSentWhenItsPreparationHasLeftTooLittle() async throws {
        let time = Time()
        let shop = try await Self.open(time, preparing: { $0.advance(seconds: 29) })
        let outcome = try await shop.sell(money(10_00))
        #expect(outcome.operation.state == .failed(.notProcessed(.notSent)))
        #expect(try Self.calls(shop).isEmpty)
        try await expectAgreement(shop)
    }

    @Test func isNeverSentOnceItsPreparationWasTooLate() async throws {
        let time = Time()
        let road = Gate()
        let isFirst = Mutex(true)
        let shop = try await Self.open(
            time,
            preparing: { _ in
                let waits = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                guard waits else { return }
                time.passes.open()
                await road.wait(mindsCancellation: false)
            })
        let outcome = try await shop.sell(money(10_00))
        #expect(outcome.operation.state == .failed(.notProcessed(.notSent)))
        road.open()
        #expect(try await shop.sell(money(20_00)).operation.state == .succeeded)
        #expect(try Self.calls(shop).compactMap(\.request?.amount) == [money(20_00)])
        #expect(try await shop.store.read { try $0.memos(of: outcome.payment.id) }.isEmpty)
        try await expectAgreement(shop)
    }

    @Test func whatNeedsNoPreparationHasTheUsualTime() async throws {
        let time = Time()
        let shop = try await Shop.open { options in
            options.sleep = time.sleep
            options.acquirer = { base in
                InterceptingAcquirer(base) { _, next in
                    time.noteCall()
                    return await next()
                }
            }
        }
        #expect(try await shop.sell(money(10_00)).operation.state == .succeeded)
        #expect(time.connectorMilliseconds == [nil])
    }

    // MARK: - Reversals within a call

    /// A shop whose acquirer does not answer the first authorization, which takes so many seconds, nor the first reversal
    /// where that is named too.
    private static func silent(
        _ time: Time, _ seconds: Int64, to names: Set<String> = ["authorize", "reverse"]
    ) async throws -> Shop {
        let clock = Mutex<TestClock?>(nil)
        let silences = Mutex(names)
        let shop = try await Shop.open { options in
            options.acquirer = { base in
                InterceptingAcquirer(base) { call, next in
                    guard silences.withLock({ $0.remove(call.name) }) != nil else { return await next() }
                    guard call.name == "reverse" else {
                        clock.withLock { $0 }?.advance(seconds: seconds)
                        return .timedOut("no_answer_in_time")
                    }
                    time.noteCall()
                    time.passes.open()
                    try? await sleepForEver()
                    return await next()
                }
            }
        }
        clock.withLock { $0 = shop.clock }
        return try await self.timed(shop, time)
    }

    /// As in a dialect in which a timeout is a failure.
    private static func authorize(_ shop: Shop) async throws -> OperationOutcome {
        var command = try shop.authorization(of: money(10_00))
        command.context = CallContext(
            merchant: shop.merchant, idempotency: command.context.idempotency, timeouts: .areReversed)
        return try await shop.gateway.authorize(command)
    }

    @Test(arguments: [(Int64(20), Int64(12_000)), (30, 5000), (32, 5000), (37, 3000)])
    func answerWaitsForAReversalAsLongAsItIsInTime(seconds: Int64, milliseconds: Int64) async throws {
        let time = Time(passing: milliseconds)
        let shop = try await Self.silent(time, seconds)
        let outcome = try await Self.authorize(shop)
        #expect(outcome.operation.state == .unknown && outcome.operation.unknownReason == .timedOut)
        #expect(time.milliseconds.contains(milliseconds))
        #expect(time.connectorMilliseconds == [milliseconds / 16 * 15])
        let payment = try await shop.payment(outcome.payment.id)
        let reversal = try #require(payment.operations.first { $0.kind == .reversal })
        #expect(reversal.state == .unknown)
        // Recovery goes on with the same reversal.
        try await shop.recoverUntilSettled()
        #expect(try await shop.operation(outcome).state == .failed(.reversed))
        #expect(Set(try Self.calls(shop).filter { $0.name == "reverse" }.map(\.operationID)) == [reversal.id])
        try await expectAgreement(shop)
    }

    @Test func aReversalForWhichThereIsNoTimeIsLeftToRecovery() async throws {
        let shop = try await Self.silent(Time(passing: 0), 41, to: ["authorize"])
        let outcome = try await Self.authorize(shop)
        #expect(outcome.operation.state == .unknown)
        #expect(try Self.calls(shop).map(\.name) == ["authorize"])
        let payment = try await shop.payment(outcome.payment.id)
        #expect(payment.operations.first { $0.kind == .reversal }?.state == .pending)
        try await shop.recoverUntilSettled()
        #expect(try await shop.operation(outcome).state == .failed(.reversed))
        #expect(try Self.calls(shop).map(\.name) == ["authorize", "reverse"])
        try await expectAgreement(shop)
    }
}
