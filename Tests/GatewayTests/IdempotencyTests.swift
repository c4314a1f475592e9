//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import MemoryStore
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import Testing

/// The same key gives the same answer for ever, and one entry at the acquirer.
struct IdempotencyTests {
    /// The outcome as a call that isn't the first gets it.
    private func repeated(_ outcome: OperationOutcome) -> OperationOutcome {
        OperationOutcome(
            payment: outcome.payment, operation: outcome.operation, order: outcome.order, isRepeat: true)
    }

    @Test func sameKeyGetsSameAnswerAlsoAfterLaterChanges() async throws {
        let shop = try await Shop.open()
        let sale = try shop.authorization(of: money(10_00), sale: true, key: "sale")
        let first = try await shop.gateway.authorize(sale)
        let refund = shop.followUp(.refund(money(1_00)), of: first.payment.id, key: "refund-1")
        let refunded = try await shop.gateway.followUp(refund)
        _ = try await shop.refund(nil, of: first.payment.id)
        shop.clock.advance(seconds: 86_400)
        #expect(try await shop.gateway.authorize(sale) == self.repeated(first))
        #expect(try await shop.gateway.followUp(refund) == self.repeated(refunded))
        #expect(refunded.payment.state == .partiallyRefunded)
        try await expectAgreement(shop)
    }

    /// What it did is answered from the store: nobody has to be there for it but the store.
    @Test func repeatedFollowUpNeedsNoAcquirer() async throws {
        let store = InterceptingStore(MemoryStore())
        let shop = try await Shop.open { $0.store = store }
        let id = try await shop.authorize(money(10_00)).payment.id
        let capture = shop.followUp(.capture(money(4_00), isFinal: false), of: id, key: "capture-1")
        let captured = try await shop.gateway.followUp(capture)
        for connectors in [
            [], [SharedAcquirerConnector(InterceptingAcquirer(shop.simulator) { _, _ in .unclear("away") })],
        ] {
            let away = try await shop.restarted { $0.connectors = connectors }
            #expect(try await away.gateway.followUp(capture) == self.repeated(captured))
            var other = capture
            other.context = shop.context("capture", key: "capture-1", digest: "other contents")
            await expectRefusal(.idempotencyConflict) { _ = try await away.gateway.followUp(other) }
        }
        let unconnected = try await shop.restarted { $0.connectors = [] }
        await expectRefusal(.acquirerNotConnected) {
            _ = try await unconnected.capture(money(1_00), of: id)
        }
        #expect(try await shop.payment(id).operations.count == 2)
        #expect(shop.script.count(of: .capture) == 1)
        try await expectAgreement(shop)
    }

    /// That it is no repeat is found in the commit that begins it.
    @Test func followUpReadsNothingBesideItsCommits() async throws {
        let store = InterceptingStore(MemoryStore())
        let shop = try await Shop.open { $0.store = store }
        let id = try await shop.authorize(money(10_00)).payment.id
        store.plan { _ in nil }
        _ = try await shop.gateway.followUp(shop.followUp(.capture(nil, isFinal: false), of: id, key: "capture-1"))
        #expect(store.readsCount == 0 && store.writesCount == 2)
    }

    @Test func declineIsRepeatedAsADecline() async throws {
        let shop = try await Shop.open()
        let command = try shop.authorization(of: money(57_57), key: "sale")
        let first = try await shop.gateway.authorize(command)
        #expect(try await shop.gateway.authorize(command) == self.repeated(first))
        #expect(shop.script.count(of: .authorize) == 1)
    }

    @Test func repeatedUnknownReturnsTheOutcomeOnceItIsKnown() async throws {
        let shop = try await Shop.open()
        let command = try shop.authorization(of: money(58_58), key: "sale")
        let first = try await shop.gateway.authorize(command)
        #expect(first.operation.state == .unknown)
        #expect(try await shop.gateway.authorize(command).operation.state == .unknown)
        try await shop.recoverUntilSettled()
        let later = try await shop.gateway.authorize(command)
        #expect(later.operation.state == .succeeded)
        #expect(later.isRepeat)
        try await expectAgreement(shop)
    }

    @Test func repeatedOrderPaymentGetsSameAnswerAfterTheOrderWentOn() async throws {
        let shop = try await Shop.open()
        let order = try await shop.makeOrder(money(57_57))
        let command = try shop.authorization(of: money(57_57), order: order.id, key: "try-1")
        let declined = try await shop.gateway.authorize(command)
        _ = try await shop.gateway.authorize(shop.authorization(of: money(57_57), order: order.id, key: "try-2"))
        #expect(try await shop.gateway.authorize(command) == self.repeated(declined))
        _ = try await shop.gateway.cancelOrder(order.id, context: shop.context("cancel"))
        #expect(try await shop.gateway.authorize(command) == self.repeated(declined))
    }

    @Test func refusesSameKeyWithAnotherDigest() async throws {
        let shop = try await Shop.open()
        let sale = try await shop.sell(money(10_00))
        var refund = shop.followUp(.refund(money(1_00)), of: sale.payment.id)
        refund.context = shop.context("refund", key: "R-1", digest: "one dollar")
        _ = try await shop.gateway.followUp(refund)
        refund.context = shop.context("refund", key: "R-1", digest: "two dollars")
        refund.action = .refund(money(2_00))
        await expectRefusal(.idempotencyConflict) { _ = try await shop.gateway.followUp(refund) }
        var other = try shop.authorization(of: money(10_00), key: "S-1")
        _ = try await shop.gateway.authorize(other)
        other.context = shop.context("authorize", key: "S-1", digest: "something else")
        await expectRefusal(.idempotencyConflict) { _ = try await shop.gateway.authorize(other) }
        #expect(try await shop.payment(sale.payment.id).refundedAmount == money(1_00))
        try await expectAgreement(shop)
    }

    @Test func refusesAKeyThatWasUsedForAnOrder() async throws {
        let shop = try await Shop.open()
        _ = try await shop.makeOrder(money(10_00), key: "K-1")
        var command = try shop.authorization(of: money(10_00))
        command.context = shop.context("order", key: "K-1")
        await expectRefusal(.idempotencyConflict) { _ = try await shop.gateway.authorize(command) }
    }

    @Test func fiftyConcurrentIdenticalSalesMakeOneEntryAtTheAcquirer() async throws {
        let shop = try await Shop.open()
        let command = try shop.authorization(of: money(10_00), sale: true, key: "sale")
        let outcomes = try await Self.fifty { try await shop.gateway.authorize(command) }
        #expect(Set(outcomes.map(\.operation.id)).count == 1)
        #expect(outcomes.count { !$0.isRepeat } == 1)
        #expect(try await shop.book.entries().count == 1)
        #expect(shop.script.count(of: .authorize) == 1)
        try await expectAgreement(shop)
    }

    /// Each of them finds the order payable, in process or paid, and none may be refused for it.
    @Test func fiftyConcurrentIdenticalOrderPaymentsAreOneAndNoneIsRefused() async throws {
        let shop = try await Shop.open()
        for round in 1...10 {
            let order = try await shop.makeOrder(money(10_00))
            let command = try shop.authorization(of: money(10_00), sale: true, order: order.id, key: "pay-\(round)")
            let outcomes = try await Self.fifty { try await shop.gateway.authorize(command) }
            #expect(Set(outcomes.map(\.operation.id)).count == 1)
            #expect(shop.script.count(of: .authorize) == round)
        }
        try await expectAgreement(shop)
    }

    @Test func fiftyConcurrentIdenticalRefundsRefundOnce() async throws {
        let shop = try await Shop.open()
        let sale = try await shop.sell(money(10_00))
        let command = shop.followUp(.refund(money(1_00)), of: sale.payment.id, key: "refund")
        let outcomes = try await Self.fifty { try await shop.gateway.followUp(command) }
        #expect(Set(outcomes.map(\.operation.id)).count == 1)
        #expect(try await shop.payment(sale.payment.id).refundedAmount == money(1_00))
        #expect(shop.script.count(of: .refund) == 1)
        try await expectAgreement(shop)
    }

    @Test func fiftyConcurrentIdenticalOrdersMakeOne() async throws {
        let shop = try await Shop.open()
        let context = shop.context("order", key: "O-1")
        let orders = try await Self.fifty {
            try await shop.gateway.createOrder(
                CreateOrderCommand(
                    context: context, reference: "R", amount: money(1), summary: "Tea", notifyURL: nil,
                    merchantIdentifier: nil, lifetimeSeconds: 60))
        }
        #expect(Set(orders.map(\.order.id)).count == 1)
        #expect(orders.count { !$0.isRepeat } == 1)
    }

    private static func fifty<Value: Sendable>(
        _ call: @escaping @Sendable () async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: Value.self) { group in
            for _ in 0..<50 { group.addTask { try await call() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func keyBelongsToOneMerchant() async throws {
        let shop = try await Shop.open()
        let other = try await Shop.makeMerchant("second", .sandbox, shop.gateway)
        let identity = try ProcessingIdentity.second.get()
        _ = try await shop.gateway.administration.importCredential(
            merchant: other.merchant.id, certificate: identity.certificateDER, privateKeyPEM: identity.privateKeyPEM,
            activates: true)
        let mine = try await shop.gateway.authorize(shop.authorization(of: money(10_00), key: "K"))
        let token = try shop.token(money(10_00), to: identity)
        let theirs = try await shop.gateway.authorize(
            shop.authorization(of: money(10_00), token: token, key: "K", as: other))
        #expect(!theirs.isRepeat)
        #expect(theirs.payment.id != mine.payment.id)
    }

    @Test func keyBelongsToOneOperationAndOneDialect() async throws {
        let shop = try await Shop.open()
        let sale = try await shop.sell(money(10_00))
        let merchantID = shop.merchant.merchant.id
        let dialect = DialectName("otherwire")
        try await shop.gateway.administration.putAccount(
            merchant: merchantID, dialect: dialect, key: "account", settings: [:], secrets: [:])
        let elsewhere = try #require(try await shop.gateway.account(dialect: dialect, key: "account"))
        var seen: Set<OperationID> = []
        for (operation, merchant) in [("refund", shop.merchant), ("return", shop.merchant), ("refund", elsewhere)] {
            let context = shop.context(operation, key: "K", as: merchant)
            let outcome = try await shop.gateway.followUp(
                FollowUpCommand(context: context, payment: .payment(sale.payment.id), action: .refund(money(1))))
            #expect(!outcome.isRepeat)
            seen.insert(outcome.operation.id)
        }
        #expect(seen.count == 3)
        try await expectAgreement(shop)
    }

    @Test func callWithoutAKeyIsNeverARepeat() async throws {
        let shop = try await Shop.open()
        let sale = try await shop.sell(money(10_00))
        let command = FollowUpCommand(
            context: CallContext(merchant: shop.merchant, idempotency: nil), payment: .payment(sale.payment.id),
            action: .refund(money(1_00)))
        _ = try await shop.gateway.followUp(command)
        #expect(try await shop.gateway.followUp(command).payment.refundedAmount == money(2_00))
    }

    @Test func keyOfARefusedCallIsFree() async throws {
        let shop = try await Shop.open()
        let sale = try await shop.sell(money(10_00))
        let id = sale.payment.id
        await expectRefusal(.payment(.refundExceedsCaptured)) {
            _ = try await shop.gateway.followUp(shop.followUp(.refund(money(11_00)), of: id, key: "K"))
        }
        let outcome = try await shop.gateway.followUp(shop.followUp(.refund(money(1_00)), of: id, key: "K"))
        #expect(!outcome.isRepeat)
    }
}
