//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
@_spi(Administration) import Gateway
import MemoryStore
import Payments
import SimulatorAcquirer
import Synchronization
import TestGateway
import Testing
import Time

/// What happens in between: a process that stands still before it sends, an acquirer without room, a decision while an
/// answer is on its way.
struct InterruptedTests {
    // MARK: - Sent too late

    /// Whoever was suspended after the first commit finds that recovery may have been quicker, and sends nothing.
    @Test func nothingIsSentForTheFirstTimeOnceRecoveryMayHaveTakenItUp() async throws {
        let store = InterceptingStore(MemoryStore())
        let (shop, acquirer) = try await Shop.intercepted({ $0.store = store })
        let grace = shop.gateway.settings.recoveryGraceSeconds
        func standStill(seconds: Int64) {
            store.plan { number in
                if number == 1 { shop.clock.advance(seconds: seconds) }
                return nil
            }
        }
        standStill(seconds: grace - 1)
        let id = try await shop.authorize(money(10_00)).payment.id
        // The account is read again now, in a write of its own.
        store.plan { _ in nil }
        _ = try await shop.capture(money(1_00), of: id)
        standStill(seconds: grace)
        let late = try await shop.capture(nil, of: id)
        #expect(late.operation.state == .failed(.notProcessed(.notSent)))
        #expect(acquirer.calls("capture").count == 1)
        standStill(seconds: grace)
        let payment = try await shop.authorize(money(20_00)).payment
        #expect(payment.state == .notProcessed && acquirer.calls("authorize").count == 1)
        store.plan { _ in nil }
        #expect(try await shop.capture(nil, of: id).operation.state == .succeeded)
        try await expectAgreement(shop)
    }

    // MARK: - Planned captures without room

    /// Shop whose acquirer has no room for the first captures.
    private static func busyShop(times: Int) async throws -> (Shop, PaymentID) {
        let left = Mutex(times)
        let (shop, _) = try await Shop.intercepted(outcomes: { call, perform in
            let isBusy =
                call.name == "capture"
                && left.withLock { left in
                    left -= 1
                    return left >= 0
                }
            return isBusy ? .notProcessed(NotProcessed(.busy, "busy")) : await perform()
        })
        var command = try shop.authorization(of: money(10_00))
        command.captureDueAt = shop.clock.now
        return (shop, try await shop.gateway.authorize(command).payment.id)
    }

    /// Each time later, and none of it is a try that the acquirer has decided.
    @Test func aCaptureWithoutRoomUsesUpNoTries() async throws {
        let (shop, id) = try await Self.busyShop(times: 40)
        for _ in 0..<3000 where try await shop.payment(id).state != .captured {
            _ = await shop.gateway.captureDue()
            shop.clock.advance(seconds: 60)
        }
        let captures = try await shop.payment(id).operations.filter { $0.kind == .capture }
        let begun = zip(captures, captures.dropFirst()).map { $1.begunAt.milliseconds(since: $0.begunAt) / 60_000 }
        #expect(Array(begun.prefix(8)) == [1, 2, 4, 8, 16, 32, 60, 60])
        #expect(captures.count == 41 && captures.last?.state == .succeeded)
        #expect(try await shop.gateway.captureDueAt(of: id) == nil)
        try await expectAgreement(shop)
    }

    @Test func aCaptureThatNeverFindsRoomIsGivenUpInTheEnd() async throws {
        let (shop, id) = try await Self.busyShop(times: 1000)
        for _ in 0..<300 where try await shop.gateway.captureDueAt(of: id) != nil {
            _ = await shop.gateway.captureDue()
            shop.clock.advance(seconds: 3600)
        }
        #expect(try await shop.payment(id).operations.count { $0.kind == .capture } == 200)
        #expect(try await shop.payment(id).state == .authorized)
        #expect(try await shop.gateway.captureDueAt(of: id) == nil)
    }

    /// Plans come due together: what an account takes no more of waits, and no operation is begun for it.
    @Test func plansWaitForTheirAccountsPace() async throws {
        let shop = try await Shop.open { options in
            options.acquirer = { InterceptingAcquirer($0, $0.capabilities.changed { $0.requestsPerSecond = 2 }) }
        }
        var ids: [PaymentID] = []
        for _ in 0..<6 {
            shop.clock.advance(seconds: 1)
            var command = try shop.authorization(of: money(10_00))
            command.captureDueAt = shop.clock.now.adding(seconds: 600)
            ids.append(try await shop.gateway.authorize(command).payment.id)
        }
        shop.clock.advance(seconds: 600)
        for _ in 0..<200 {
            _ = await shop.gateway.captureDue()
            shop.clock.advance(seconds: 1)
        }
        for id in ids { #expect(try await shop.payment(id).state == .captured) }
        let failed = try await shop.payments().flatMap(\.operations).filter {
            $0.state == .failed(.notProcessed(.busy))
        }
        // Those of one pass look at the same moment; the next pass begins none without room.
        #expect(failed.count <= 4, "\(failed.count)")
        try await expectAgreement(shop)
    }

    /// A void that begins between the look at the plan and its capture may come to nothing: the plan stays.
    @Test func aPlanStaysWhileSomethingElseIsUnderWay() async throws {
        let store = HookedStore(MemoryStore())
        let shop = try await Shop.open { $0.store = store }
        var command = try shop.authorization(of: money(10_00))
        command.captureDueAt = shop.clock.now
        let id = try await shop.gateway.authorize(command).payment.id
        shop.script.append(.init(.reverse, .first(1), fault: .dropBeforeBooking))
        // The first write takes the job, the second begins the capture.
        store.beforeWrite(2) { _ = try? await shop.void(id) }
        #expect(await shop.gateway.captureDue() == 0)
        #expect(try await shop.payment(id).operations.map(\.kind) == [.authorization, .void])
        #expect(try await shop.gateway.captureDueAt(of: id) == shop.clock.now.adding(seconds: 60))
        try await shop.recoverUntilSettled()
        try await expectAgreement(shop)
    }

    // MARK: - Decided while an answer is on its way

    @Test(arguments: [true, false])
    func anApprovalOfWhatWasDecidedToHaveFailedIsReported(isQuery: Bool) async throws {
        let log = CapturedLog()
        let deciding = Mutex<(@Sendable () async -> Void)?>(nil)
        let decide: @Sendable () async -> Void = {
            let body = deciding.withLock { body in
                defer { body = nil }
                return body
            }
            await body?()
        }
        let shop = try await Shop.open { options in
            options.log = log.logger
            options.acquirer = { base in
                InterceptingAcquirer(
                    base,
                    outcomes: { call, perform in
                        let outcome = await perform()
                        if call.name == "capture", !isQuery { await decide() }
                        return outcome
                    },
                    queries: { _, ask in
                        let answer = await ask()
                        await decide()
                        return answer
                    })
            }
        }
        let id = try await shop.authorize(money(10_00)).payment.id
        let resolve: @Sendable () async -> Void = {
            shop.clock.advance(seconds: 600)
            guard let capture = try? await shop.payment(id).operations.last else { return }
            _ = try? await shop.gateway.administration.decide(capture.id, .failed, reason: "not in the portal")
        }
        if isQuery {
            shop.script.append(.init(.capture, .first(1), fault: .dropAfterBooking))
            _ = try await shop.capture(nil, of: id)
            deciding.withLock { $0 = resolve }
            shop.clock.advance(seconds: 600)
            _ = await shop.gateway.recover()
        } else {
            deciding.withLock { $0 = resolve }
            _ = try await shop.capture(nil, of: id)
        }
        let payment = try await shop.payment(id)
        #expect(payment.operations.last?.state == .failed(.notProcessed(.neverArrived)), "\(payment.operations)")
        #expect(log.text.contains("acquirer has approved what is booked as failed"))
        #expect(log.text.contains(id.text))
    }
}
