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
import Testing

/// What is durable when: the pending record before the acquirer is called, everything else in one commit after.
struct CommitTests {
    /// Looks into the store whenever the acquirer is called.
    private final class Witness: Sendable {
        let store: MemoryStore
        let seen = Mutex<[String]>([])

        init(_ store: MemoryStore) {
            self.store = store
        }

        func look(_ call: AcquirerCall) async {
            let found = try? await self.store.read { reader -> String? in
                guard let payment = try reader.payment(call.paymentID),
                    let operation = payment.operation(call.operationID)
                else { return nil }
                let jobs = try reader.jobs(.recover, limit: 10).map(\.paymentID)
                let isWatched = jobs.contains(payment.id) ? "watched" : "forgotten"
                return "\(call.name) \(operation.kind) \(operation.state) \(isWatched)"
            }
            self.seen.withLock { $0.append((found ?? nil) ?? "\(call.name) without a record") }
        }
    }

    @Test func everyOperationIsPendingInTheStoreBeforeTheAcquirerIsCalled() async throws {
        let witness = Witness(MemoryStore())
        let shop = try await Shop.open { options in
            options.store = witness.store
            options.acquirer = { base in
                InterceptingAcquirer(base) { call, next in
                    await witness.look(call)
                    return await next()
                }
            }
        }
        let id = try await shop.authorize(money(10_00)).payment.id
        _ = try await shop.capture(nil, of: id)
        _ = try await shop.refund(money(1), of: id)
        _ = try await shop.void(try await shop.authorize(money(10_00)).payment.id)
        // Approved for less than is taken, and so reversed.
        _ = try await shop.authorize(money(61_61))
        #expect(
            witness.seen.withLock { $0 } == [
                "authorize authorization pending watched", "capture capture pending watched",
                "refund refund pending watched", "authorize authorization pending watched",
                "reverse void pending watched",
                "authorize authorization pending watched", "reverse reversal pending watched",
            ])
        try await expectAgreement(shop)
    }

    @Test func nothingIsSentWhenTheFirstCommitFails() async throws {
        let store = InterceptingStore(MemoryStore())
        let shop = try await Shop.open { $0.store = store }
        let sale = try await shop.sell(money(10_00))
        let token = try shop.token(money(20_00))
        store.plan { _ in .beforeCommit }
        await expectRefusal(.storeUnavailable) {
            _ = try await shop.gateway.authorize(shop.authorization(of: money(20_00), token: token))
        }
        await expectRefusal(.storeUnavailable) { _ = try await shop.refund(nil, of: sale.payment.id) }
        store.plan { _ in nil }
        #expect(try await shop.book.entries().count == 1)
        #expect(try await shop.payments().count == 1)
        let retried = try await shop.gateway.authorize(shop.authorization(of: money(20_00), token: token))
        #expect(retried.operation.state == .succeeded, "nothing is kept of a refused call, the token included")
        try await expectAgreement(shop)
    }

    /// The commit happened and nobody heard of it: the pending record is taken back by recovery, and the same call
    /// finds it.
    @Test func commitWhoseAnswerIsLostIsRecovered() async throws {
        let store = InterceptingStore(MemoryStore())
        let shop = try await Shop.open { $0.store = store }
        let command = try shop.authorization(of: money(10_00), key: "sale")
        store.plan { $0 == 1 ? .afterCommit : nil }
        await expectRefusal(.storeUnavailable) { _ = try await shop.gateway.authorize(command) }
        #expect(try await shop.gateway.authorize(command).operation.state == .pending)
        #expect(shop.script.count(of: .authorize) == 0)
        try await shop.recoverUntilSettled()
        #expect(try await shop.gateway.authorize(command).operation.state == .failed(.reversed))
        try await expectAgreement(shop)
    }

    /// The operations that are asked of the acquirer.
    enum Action: CaseIterable { case authorize, sell, capture, void, refund, partial }

    private static func run(_ action: Action, _ shop: Shop, failing: () -> Void) async throws -> OperationOutcome {
        switch action {
        case .authorize:
            failing()
            return try await shop.authorize(money(10_00))
        case .sell:
            failing()
            return try await shop.sell(money(10_00))
        case .capture, .void:
            let id = try await shop.authorize(money(10_00)).payment.id
            failing()
            return action == .void ? try await shop.void(id) : try await shop.capture(money(4_00), of: id)
        case .refund:
            let id = try await shop.sell(money(10_00)).payment.id
            failing()
            return try await shop.refund(money(4_00), of: id)
        case .partial:
            failing()
            return try await shop.authorize(money(61_61))
        }
    }

    /// The second commit is the outcome's.
    @Test(arguments: Action.allCases, [InterceptingStore.Failure.beforeCommit, .afterCommit])
    func outcomeThatCannotBeRecordedIsNotKnownYetAndRecoveredWithOneCharge(
        action: Action, failure: InterceptingStore.Failure
    ) async throws {
        let store = InterceptingStore(MemoryStore())
        let shop = try await Shop.open { $0.store = store }
        let outcome = try await Self.run(action, shop) { store.plan { $0 == 2 ? failure : nil } }
        #expect(!outcome.operation.state.isResolved)
        store.plan { _ in nil }
        try await shop.recoverUntilSettled()
        let settled = try await shop.operation(outcome)
        #expect(settled.state == (action == .partial ? .failed(.reversed) : .succeeded))
        #expect(try await shop.book.entries(of: outcome.payment.id).allSatisfy { $0.arrivalsCount <= 2 })
        let events = try await shop.events(of: outcome.payment.id).filter { $0.operationID == settled.id }
        #expect(events.count == 1)
        try await expectAgreement(shop)
    }

    /// State, postings and event are one commit: where one of the records can't be written, none is.
    @Test(arguments: ["PaymentChange", "OutboxEvent", "Job"])
    func outcomePostingsAndEventAreOneCommit(record: String) async throws {
        let store = InterceptingStore(MemoryStore())
        let shop = try await Shop.open { options in
            options.store = store
            options.acquirer = { base in
                InterceptingAcquirer(base) { call, next in
                    let outcome = await next()
                    store.failRecords(of: record)
                    return outcome
                }
            }
        }
        let outcome = try await shop.sell(money(10_00))
        #expect(outcome.operation.state == .pending)
        let payment = try await shop.payment(outcome.payment.id)
        #expect(payment.version == 1)
        #expect(try await shop.store.read { try $0.journal(of: payment.id) }.isEmpty)
        #expect(try await shop.events(of: payment.id).isEmpty)
        store.failRecords(of: nil)
        try await shop.recoverUntilSettled()
        #expect(try await shop.payment(payment.id).state == .captured)
        #expect(try await shop.events(of: payment.id).count == 1)
        try await expectAgreement(shop)
    }

    @Test func storeThatCannotBeReadRefusesAndSendsNothing() async throws {
        let store = InterceptingStore(MemoryStore())
        let shop = try await Shop.open { $0.store = store }
        let command = try shop.authorization(of: money(10_00))
        store.setReadable(false)
        await expectRefusal(.storeUnavailable) { _ = try await shop.gateway.authorize(command) }
        await expectRefusal(.storeUnavailable) {
            _ = try await shop.gateway.account(dialect: Shop.dialect, key: "account-nobody")
        }
        store.setReadable(true)
        #expect(shop.script.count(of: .authorize) == 0)
    }

    @Test func recoveryThatCannotReachTheStoreTriesAgain() async throws {
        let store = InterceptingStore(MemoryStore())
        let shop = try await Shop.open { $0.store = store }
        let outcome = try await shop.sell(money(58_58))
        store.plan { _ in .beforeCommit }
        #expect(await shop.recoverOnce() == RecoveryReport())
        // The lease is taken, and then the store is gone.
        store.plan { $0 == 1 ? nil : .beforeCommit }
        #expect(await shop.recoverOnce().resolvedCount == 0)
        store.plan { _ in nil }
        #expect(await shop.recoverOnce().resolvedCount == 1)
        #expect(try await shop.operation(outcome).state == .succeeded)
        try await expectAgreement(shop)
    }
}
