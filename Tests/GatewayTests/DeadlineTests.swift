//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import SimulatorAcquirer
import Synchronization
import TestGateway
import Testing
import Time

/// An acquirer that takes too long. The deadline is passed by hand: nothing here waits for a clock.
struct DeadlineTests {
    /// A sleep that ends when the test says so, once; later ones never end.
    private final class Deadline: Sendable {
        let passes = Gate()
        private let asked = Mutex<[Int64]>([])

        var milliseconds: [Int64] { self.asked.withLock { $0 } }

        func sleep(_ milliseconds: Int64) async throws {
            let isFirst = self.asked.withLock { asked in
                asked.append(milliseconds)
                return asked.count == 1
            }
            guard isFirst else { return try await sleepForEver() }
            await self.passes.wait()
        }
    }

    @Test func answerAfterTheDeadlineIsNotWaitedForAndNotBooked() async throws {
        let deadline = Deadline()
        let shop = try await Shop.open { $0.sleep = deadline.sleep }
        let asked = Gate()
        let answer = Gate()
        let answered = Gate()
        shop.script.append(
            .init(
                .authorize,
                beforeAnswer: {
                    asked.open()
                    await answer.wait()
                    answered.open()
                }))
        async let sale = shop.sell(money(10_00))
        await asked.wait()
        deadline.passes.open()
        let outcome = try await sale
        #expect(outcome.operation.state == .unknown)
        #expect(deadline.milliseconds.first == GatewaySettings().acquirerDeadlineSeconds * 1000)
        answer.open()
        await answered.wait()
        #expect(try await shop.operation(outcome).state == .unknown)
        try await shop.recoverUntilSettled()
        #expect(try await shop.operation(outcome).state == .succeeded)
        try await expectAgreement(shop)
    }

    @Test func requestThatIsBookedAfterItWasGivenUpIsReversed() async throws {
        let deadline = Deadline()
        let shop = try await Shop.open { $0.sleep = deadline.sleep }
        let asked = Gate()
        let road = Gate()
        shop.script.append(
            .init(
                .authorize,
                beforeBooking: {
                    asked.open()
                    await road.wait(mindsCancellation: false)
                }))
        async let sale = shop.sell(money(10_00))
        await asked.wait()
        deadline.passes.open()
        let outcome = try await sale
        #expect(outcome.operation.state == .unknown)
        try await shop.recoverUntilSettled()
        road.open()
        #expect(try await shop.operation(outcome).state == .failed(.reversed))
        try await expectAgreement(shop)
    }

    @Test func answerBeforeTheDeadlineIsTakenAndTheSleepCancelled() async throws {
        let cancelled = Gate()
        let shop = try await Shop.open { options in
            options.sleep = { _ in
                do {
                    try await sleepForEver()
                } catch {
                    cancelled.open()
                    throw error
                }
            }
        }
        #expect(try await shop.sell(money(10_00)).operation.state == .succeeded)
        await cancelled.wait()
    }

    @Test(arguments: ["query", "reverse"]) func recoverysCallsHaveTheDeadlineToo(name: String) async throws {
        let passes = Gate()
        let hangs = Mutex(false)
        let shop = try await Shop.open { options in
            options.sleep = { _ in
                guard hangs.withLock({ $0 }) else { return try await sleepForEver() }
                await passes.wait()
            }
            // The deadline passes while the call hangs that is meant to, and for no other.
            let hang: @Sendable (String) async -> Void = { call in
                guard call == name, hangs.withLock({ $0 }) else { return }
                passes.open()
                try? await sleepForEver()
            }
            options.acquirer = { base in
                InterceptingAcquirer(
                    base,
                    outcomes: { call, next in
                        await hang(call.name)
                        return await next()
                    },
                    queries: { _, next in
                        await hang("query")
                        return await next()
                    })
            }
        }
        shop.script.append(.init(.authorize, fault: .dropBeforeBooking))
        let outcome = try await shop.sell(money(10_00))
        #expect(outcome.operation.state == .unknown)
        hangs.withLock { $0 = true }
        #expect(await shop.recoverOnce().resolvedCount == 0)
        #expect(try await shop.operation(outcome).state == .unknown)
        hangs.withLock { $0 = false }
        try await shop.recoverUntilSettled()
        #expect(try await shop.operation(outcome).state == .failed(.reversed))
        try await expectAgreement(shop)
    }
}
