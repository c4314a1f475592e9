//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import Testing

extension Shop {
    func makeOrder(
        _ amount: Money, key: String? = nil, lifetimeSeconds: Int64 = 1800, merchantIdentifier: String? = nil,
        as merchant: MerchantContext? = nil
    ) async throws -> Order {
        try await self.gateway.createOrder(
            CreateOrderCommand(
                context: self.context("order", key: key, as: merchant), reference: "PR-\(self.nextNumber())",
                amount: amount, summary: "Tea", notifyURL: Shop.notifyURL, merchantIdentifier: merchantIdentifier,
                lifetimeSeconds: lifetimeSeconds)
        ).order
    }

    func pay(_ order: Order, token amount: Money? = nil) async throws -> OperationOutcome {
        let amount = amount ?? order.amount
        return try await self.gateway.authorize(
            self.authorization(of: amount, token: self.token(amount), sale: true, order: order.id, notifyURL: nil))
    }
}

/// Orders: payable until they are paid, canceled or expired.
struct OrderTests {
    @Test func paidOrderNamesItsPaymentAndIsNotPaidTwice() async throws {
        let shop = try await Shop.open()
        let order = try await shop.makeOrder(money(10_00))
        let paid = try await shop.pay(order)
        #expect(paid.order?.paymentID == paid.payment.id)
        #expect(paid.operation.labels.notifyURL == Shop.notifyURL)
        let found = try await shop.gateway.order(order.id, merchant: shop.merchant)
        #expect(found.payment?.state == .captured)
        await expectRefusal(.orderPaid) { _ = try await shop.pay(order) }
        await expectRefusal(.orderPaid) {
            _ = try await shop.gateway.cancelOrder(order.id, context: shop.context("cancel"))
        }
        #expect(shop.script.count(of: .authorize) == 1)
    }

    @Test func sameKeyGivesSameOrderAndAnotherDigestIsRefused() async throws {
        let shop = try await Shop.open()
        let order = try await shop.makeOrder(money(10_00), key: "K")
        #expect(try await shop.makeOrder(money(10_00), key: "K") == order)
        await expectRefusal(.idempotencyConflict) {
            _ = try await shop.gateway.createOrder(
                CreateOrderCommand(
                    context: shop.context("order", key: "K", digest: "other"), reference: "PR-1", amount: money(11_00),
                    summary: "Tea", notifyURL: nil, merchantIdentifier: nil, lifetimeSeconds: 1800))
        }
    }

    @Test func expiredOrderIsNotPaid() async throws {
        let shop = try await Shop.open()
        let order = try await shop.makeOrder(money(10_00), lifetimeSeconds: 60)
        shop.clock.advance(seconds: 59)
        let token = try shop.token(money(10_00))
        shop.clock.advance(seconds: 1)
        await expectRefusal(.orderExpired) {
            _ = try await shop.gateway.authorize(
                shop.authorization(of: money(10_00), token: token, order: order.id))
        }
        #expect(try await shop.payments().isEmpty)
        let canceled = try await shop.gateway.cancelOrder(order.id, context: shop.context("cancel"))
        #expect(canceled.order.canceledAt == shop.clock.now)
    }

    @Test func canceledOrderIsNotPaidAndStaysCanceled() async throws {
        let shop = try await Shop.open()
        let order = try await shop.makeOrder(money(10_00))
        let first = try await shop.gateway.cancelOrder(order.id, context: shop.context("cancel"))
        shop.clock.advance(seconds: 10)
        let second = try await shop.gateway.cancelOrder(order.id, context: shop.context("cancel"))
        #expect(second.isRepeat)
        #expect(second.order == first.order)
        await expectRefusal(.orderCanceled) { _ = try await shop.pay(order) }
    }

    @Test func orderWhosePaymentIsUnknownIsInProcessUntilItIsKnown() async throws {
        let shop = try await Shop.open()
        let order = try await shop.makeOrder(money(58_58))
        #expect(try await shop.pay(order).operation.state == .unknown)
        await expectRefusal(.orderInProcess) { _ = try await shop.pay(order) }
        await expectRefusal(.orderInProcess) {
            _ = try await shop.gateway.cancelOrder(order.id, context: shop.context("cancel"))
        }
        try await shop.recoverUntilSettled()
        await expectRefusal(.orderPaid) { _ = try await shop.pay(order) }
        try await expectAgreement(shop)
    }

    @Test func orderIsInProcessWhileTheAcquirerIsAsked() async throws {
        let gate = Gate()
        let shop = try await Shop.open()
        let asked = Gate()
        shop.script.append(
            .init(
                .authorize,
                beforeBooking: {
                    asked.open()
                    await gate.wait()
                }))
        let order = try await shop.makeOrder(money(10_00))
        async let first = shop.pay(order)
        await asked.wait()
        await expectRefusal(.orderInProcess) { _ = try await shop.pay(order) }
        gate.open()
        #expect(try await first.payment.state == .captured)
    }

    @Test func orderIsPayableAgainAfterADecline() async throws {
        let shop = try await Shop.open()
        shop.script.append(.init(.authorize, .nth(1), fault: .decline(.insufficientFunds)))
        let order = try await shop.makeOrder(money(10_00))
        let declined = try await shop.pay(order)
        #expect(declined.operation.state == .failed(.declined(.insufficientFunds)))
        let paid = try await shop.pay(order)
        #expect(paid.payment.state == .captured)
        #expect(try await shop.gateway.order(order.id, merchant: shop.merchant).payment?.id == paid.payment.id)
        try await expectAgreement(shop)
    }

    @Test func orderIsPayableAgainAfterAReversal() async throws {
        let shop = try await Shop.open()
        shop.script.append(.init(.authorize, .nth(1), fault: .dropBeforeBooking))
        let order = try await shop.makeOrder(money(10_00))
        #expect(try await shop.pay(order).operation.state == .unknown)
        #expect(await shop.recoverOnce().resolvedCount == 1)
        #expect(try await shop.gateway.order(order.id, merchant: shop.merchant).payment?.state == .reversed)
        #expect(try await shop.pay(order).payment.state == .captured)
        try await expectAgreement(shop)
    }

    @Test(arguments: [9_99, 10_01]) func orderIsPaidWithItsOwnAmountOnly(cents: Int64) async throws {
        let shop = try await Shop.open()
        let order = try await shop.makeOrder(money(10_00))
        await expectRefusal(.amountDiffersFromToken) { _ = try await shop.pay(order, token: money(cents)) }
        await expectRefusal(.currencyDiffersFromToken) { _ = try await shop.pay(order, token: money(10_00, usd)) }
        var command = try shop.authorization(of: money(cents), token: shop.token(money(cents)), order: order.id)
        command.amount = money(cents)
        await expectRefusal(.amountDiffersFromToken, "the caller's amount does not stand in for the order's") {
            _ = try await shop.gateway.authorize(command)
        }
        #expect(try await shop.payments().isEmpty)
    }

    @Test func twoTokensForOneOrderAtOncePayItOnce() async throws {
        let shop = try await Shop.open()
        let order = try await shop.makeOrder(money(10_00))
        let results = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    do {
                        return try await shop.pay(order).payment.state == .captured
                    } catch {
                        return false
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count { $0 } == 1)
        #expect(try await shop.book.entries().count == 1)
        try await expectAgreement(shop)
    }

    @Test func anotherMerchantsOrderDoesNotExist() async throws {
        let shop = try await Shop.open()
        let other = try await Shop.makeMerchant("second", .sandbox, shop.gateway)
        let order = try await shop.makeOrder(money(10_00))
        await expectRefusal(.orderNotFound) { _ = try await shop.gateway.order(order.id, merchant: other) }
        await expectRefusal(.orderNotFound) {
            _ = try await shop.gateway.cancelOrder(order.id, context: shop.context("cancel", as: other))
        }
        await expectRefusal(.orderNotFound) {
            _ = try await shop.gateway.operation(.order(order.id), merchant: other)
        }
        await expectRefusal(.payment(.notCaptured)) {
            _ = try await shop.gateway.operation(.order(order.id), merchant: shop.merchant)
        }
    }

    /// The same merchant, called in another dialect.
    @Test func anotherDialectsOrderDoesNotExist() async throws {
        let shop = try await Shop.open()
        let order = try await shop.makeOrder(money(10_00))
        let dialect = DialectName("other")
        try await shop.gateway.administration.putAccount(
            merchant: shop.merchant.merchant.id, dialect: dialect, key: "other", settings: [:], secrets: [:])
        let other = try #require(try await shop.gateway.account(dialect: dialect, key: "other"))
        await expectRefusal(.orderNotFound) { _ = try await shop.gateway.order(order.id, merchant: other) }
        await expectRefusal(.orderNotFound) {
            _ = try await shop.gateway.cancelOrder(order.id, context: shop.context("cancel", as: other))
        }
        await expectRefusal(.orderNotFound) {
            _ = try await shop.gateway.operation(.order(order.id), merchant: other)
        }
        #expect(try await shop.gateway.order(order.id, merchant: shop.merchant).order.canceledAt == nil)
    }

    @Test func orderNamesOneOfTheMerchantsIdentifiers() async throws {
        let shop = try await Shop.open()
        #expect(try await shop.makeOrder(money(1)).merchantIdentifier == shop.identity.merchantIdentifier)
        await expectRefusal(.merchantIdentifierUnknown) {
            _ = try await shop.makeOrder(money(1), merchantIdentifier: "merchant.com.example.nobody")
        }
        await expectRefusal(.payment(.amountNotPositive)) { _ = try await shop.makeOrder(money(0)) }
        let bare = try await Shop.makeMerchant("second", .sandbox, shop.gateway)
        await expectRefusal(.merchantNotReady) { _ = try await shop.makeOrder(money(1), as: bare) }
    }
}
