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

/// Orders that a payment opens by the merchant's name for them.
struct NamedOrderTests {
    private let name = OrderBinding.named("N-1")

    @Test func firstPaymentOpensTheOrder() async throws {
        let shop = try await Shop.open()
        let outcome = try await shop.pay(with: Shop.deviceToken(), money(10_00), .sale, order: self.name)
        let order = try #require(outcome.order)
        #expect(order.reference == "N-1")
        #expect(order.amount == money(10_00))
        #expect(order.paymentID == outcome.payment.id)
        #expect(order.merchantID == shop.merchant.merchant.id && order.dialect == Shop.dialect)
        #expect(outcome.payment.orderID == order.id)
        let history = try await shop.gateway.orderHistory(named: "N-1", merchant: shop.merchant)
        #expect(history.order == order)
        #expect(history.payments == [outcome.payment])
        let found = try await shop.gateway.order(order.id, merchant: shop.merchant)
        #expect(found.payment?.id == outcome.payment.id)
    }

    @Test func applePayTokenOpensOneToo() async throws {
        let shop = try await Shop.open()
        let outcome = try await shop.gateway.authorize(
            shop.command(.applePay(try shop.token(money(10_00))), nil, order: self.name))
        #expect(outcome.order?.amount == money(10_00))
    }

    @Test func furtherAttemptIsTakenAfterADecline() async throws {
        let shop = try await Shop.open()
        let declined = try await shop.pay(with: Shop.deviceToken(1), money(57_57), order: self.name)
        shop.clock.advance(seconds: 1)
        let paid = try await shop.pay(with: Shop.deviceToken(2), money(9_00), order: self.name)
        #expect(paid.order?.id == declined.order?.id)
        #expect(paid.order?.paymentID == paid.payment.id)
        let history = try await shop.gateway.orderHistory(named: "N-1", merchant: shop.merchant)
        #expect(history.payments.map(\.id) == [declined.payment.id, paid.payment.id], "oldest first")
        #expect(history.payments.map(\.state) == [.declined, .authorized])
        #expect(history.order.paymentID == paid.payment.id)
        try await expectAgreement(shop)
    }

    @Test func furtherAttemptIsTakenAfterAReversal() async throws {
        let shop = try await Shop.open()
        let reversed = try await shop.pay(with: Shop.deviceToken(1), money(61_61), order: self.name)
        #expect(reversed.payment.state == .reversed)
        _ = try await shop.pay(with: Shop.deviceToken(2), money(10_00), order: self.name)
    }

    @Test func paidOrderIsNotPaidAgain() async throws {
        let shop = try await Shop.open()
        let paid = try await shop.pay(with: Shop.deviceToken(1), money(10_00), order: self.name)
        let again = { (number: UInt8) in
            _ = try await shop.pay(with: Shop.deviceToken(number), money(10_00), order: self.name)
        }
        await expectRefusal(.orderPaid) { try await again(2) }
        _ = try await shop.capture(nil, of: paid.payment.id)
        await expectRefusal(.orderPaid) { try await again(2) }
        _ = try await shop.refund(nil, of: paid.payment.id)
        await expectRefusal(.orderPaid, "a refunded order has been paid") { try await again(2) }
        #expect(try await shop.payments().count == 1)
    }

    @Test(arguments: [false, true])
    func voidedOrderIsPaidAgainOnlyWhereThatIsAskedFor(followsVoids: Bool) async throws {
        let shop = try await Shop.open()
        let paid = try await shop.pay(with: Shop.deviceToken(1), money(10_00), order: self.name)
        var command = shop.command(.opened(Shop.deviceToken(2)), money(10_00), order: self.name)
        command.reauthorization.followsVoids = followsVoids
        await expectRefusal(.orderPaid) { [command] in _ = try await shop.gateway.authorize(command) }
        _ = try await shop.gateway.followUp(shop.followUp(.void(nil), of: paid.payment.id))
        guard followsVoids else {
            return await expectRefusal(.orderPaid) { [command] in _ = try await shop.gateway.authorize(command) }
        }
        #expect(try await shop.gateway.authorize(command).operation.state == .succeeded)
        let history = try await shop.gateway.orderHistory(named: "N-1", merchant: shop.merchant)
        #expect(history.payments.map(\.state) == [.voided, .authorized])
        try await expectAgreement(shop)
    }

    @Test func orderWhosePaymentIsUnknownIsInProcess() async throws {
        let shop = try await Shop.open()
        _ = try await shop.pay(with: Shop.deviceToken(1), money(58_58), order: self.name)
        await expectRefusal(.orderInProcess) {
            _ = try await shop.pay(with: Shop.deviceToken(2), money(10_00), order: self.name)
        }
        try await shop.recoverUntilSettled()
        await expectRefusal(.orderPaid) {
            _ = try await shop.pay(with: Shop.deviceToken(2), money(10_00), order: self.name)
        }
        // The cryptogram of a refused attempt is not spent.
        _ = try await shop.pay(with: Shop.deviceToken(2), money(10_00))
        try await expectAgreement(shop)
    }

    /// Each attempt has a card of its own, and none a key: nothing but the name keeps them apart.
    @Test func concurrentAttemptsAtOneNameMakeOnePayment() async throws {
        let shop = try await Shop.open()
        let won = await withTaskGroup(of: Bool.self) { group in
            for number in 1...50 as ClosedRange<UInt8> {
                group.addTask {
                    do {
                        _ = try await shop.pay(with: Shop.deviceToken(number), money(10_00), order: self.name)
                        return true
                    } catch {
                        let refusal = error as? GatewayRefusal
                        #expect(refusal == .orderPaid || refusal == .orderInProcess)
                        return false
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(won == 1)
        #expect(try await shop.book.entries().count == 1)
        #expect(try await shop.gateway.orderHistory(named: "N-1", merchant: shop.merchant).payments.count == 1)
        try await expectAgreement(shop)
    }

    @Test func repeatedCallGetsItsAnswerAfterTheOrderWentOn() async throws {
        let shop = try await Shop.open()
        let command = shop.command(.opened(Shop.deviceToken(1)), money(57_57), order: self.name, key: "K")
        let declined = try await shop.gateway.authorize(command)
        _ = try await shop.pay(with: Shop.deviceToken(2), money(10_00), order: self.name)
        let repeated = try await shop.gateway.authorize(command)
        #expect(repeated.isRepeat)
        #expect(repeated.operation == declined.operation)
        #expect(repeated.order == declined.order)
    }

    @Test func refusedPaymentOpensNoOrder() async throws {
        let shop = try await Shop.open()
        _ = try await shop.pay(with: Shop.deviceToken(1), money(10_00))
        await expectRefusal(.tokenReplayed) {
            _ = try await shop.pay(with: Shop.deviceToken(1), money(10_00), order: self.name)
        }
        await expectRefusal(.orderNotFound) {
            _ = try await shop.gateway.orderHistory(named: "N-1", merchant: shop.merchant)
        }
    }

    @Test func canceledOrderTakesNoAttempt() async throws {
        let shop = try await Shop.open()
        let declined = try await shop.pay(with: Shop.deviceToken(1), money(57_57), order: self.name)
        let id = try #require(declined.order?.id)
        _ = try await shop.gateway.cancelOrder(id, context: shop.context("cancel"))
        await expectRefusal(.orderCanceled) {
            _ = try await shop.pay(with: Shop.deviceToken(2), money(10_00), order: self.name)
        }
    }

    // MARK: - Names

    @Test func nameBelongsToOneMerchantAndOneDialect() async throws {
        let shop = try await Shop.open()
        let other = try await Shop.makeMerchant("second", .sandbox, shop.gateway)
        let dialect = DialectName("otherwire")
        try await shop.gateway.administration.putAccount(
            merchant: shop.merchant.merchant.id, dialect: dialect, key: "account", settings: [:], secrets: [:])
        let elsewhere = try #require(try await shop.gateway.account(dialect: dialect, key: "account"))
        var orders: Set<OrderID> = []
        for (number, merchant) in [(UInt8(1), shop.merchant), (2, other), (3, elsewhere)] {
            await expectRefusal(.orderNotFound) {
                _ = try await shop.gateway.orderHistory(named: "N-1", merchant: merchant)
            }
            let outcome = try await shop.pay(
                with: Shop.deviceToken(number), money(10_00), order: self.name, as: merchant)
            orders.insert(try #require(outcome.order?.id))
        }
        #expect(orders.count == 3)
    }

    @Test func referenceOfAnOrderIsTakenOnce() async throws {
        let shop = try await Shop.open()
        _ = try await shop.pay(with: Shop.deviceToken(), money(10_00), order: self.name)
        let place = { (reference: String, merchant: MerchantContext) in
            _ = try await shop.gateway.createOrder(
                CreateOrderCommand(
                    context: shop.context("order", as: merchant), reference: reference, amount: money(1),
                    summary: "Tea", notifyURL: nil, merchantIdentifier: nil, lifetimeSeconds: 60))
        }
        await expectRefusal(.referenceTaken(kind: "order reference")) { try await place("N-1", shop.merchant) }
        try await place("N-2", shop.merchant)
        await expectRefusal(.referenceTaken(kind: "order reference")) { try await place("N-2", shop.merchant) }
        let other = try await Shop.makeMerchant("second", .sandbox, shop.gateway)
        _ = try await shop.gateway.administration.importCredential(
            merchant: other.merchant.id, certificate: shop.identity.certificateDER,
            privateKeyPEM: shop.identity.privateKeyPEM, activates: true)
        try await place("N-1", other)
    }

    @Test func selectorByNameFindsTheNewestPayment() async throws {
        let shop = try await Shop.open()
        _ = try await shop.pay(with: Shop.deviceToken(1), money(57_57), order: self.name)
        shop.clock.advance(seconds: 1)
        let paid = try await shop.pay(with: Shop.deviceToken(2), money(10_00), order: self.name)
        let found = try await shop.gateway.operation(.orderNamed("N-1"), merchant: shop.merchant)
        #expect(found.operation == paid.operation)
        let captured = try await shop.gateway.followUp(
            FollowUpCommand(
                context: shop.context("capture"), payment: .orderNamed("N-1"), action: .capture(nil, isFinal: false)))
        #expect(captured.payment.id == paid.payment.id && captured.payment.state == .captured)
        await expectRefusal(.orderNotFound) {
            _ = try await shop.gateway.operation(.orderNamed("N-2"), merchant: shop.merchant)
        }
        let other = try await Shop.makeMerchant("second", .sandbox, shop.gateway)
        await expectRefusal(.orderNotFound) {
            _ = try await shop.gateway.operation(.orderNamed("N-1"), merchant: other)
        }
    }

    /// A placed order may be looked for by its reference before anybody pays it.
    @Test func orderThatNobodyHasPaidHasNoPaymentToSelect() async throws {
        let shop = try await Shop.open()
        let order = try await shop.makeOrder(money(10_00))
        await expectRefusal(.paymentNotFound) {
            _ = try await shop.gateway.operation(.orderNamed(order.reference), merchant: shop.merchant)
        }
        let history = try await shop.gateway.orderHistory(named: order.reference, merchant: shop.merchant)
        #expect(history.order == order && history.payments.isEmpty)
    }
}
