//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import Testing

struct VerificationTests {
    @Test func verifiesACardAndMovesNothing() async throws {
        let (shop, acquirer) = try await Shop.intercepted()
        let billing = PostalAddress(postalCode: "00001")
        let outcome = try await shop.gateway.authorize(
            shop.command(.opened(Shop.cardNumber()), .zero(cad), .verification, billing: billing))
        #expect(outcome.payment.state == .verified)
        #expect(outcome.payment.amount.isZero && outcome.payment.authorization == nil)
        #expect(outcome.operation.kind == .verification)
        #expect(outcome.operation.approvedAmount == .zero(cad))
        #expect(outcome.operation.answer.addressCheck == "A")
        #expect(acquirer.calls.map(\.name) == ["verify"])
        let request = try #require(acquirer.calls.first?.request)
        let charge = try #require(acquirer.calls.first?.charge)
        #expect(request.amount == .zero(cad) && !charge.captures && charge.details.billing == billing)
        #expect(request.operationID == outcome.operation.id)
        let id = outcome.payment.id
        #expect(try await shop.store.read { try $0.journal(of: id) }.isEmpty)
        #expect(try await shop.events(of: id).map(\.kind) == [.verificationSucceeded])
        #expect(try await shop.payment(id) == outcome.payment)
        try await expectAgreement(shop)
    }

    @Test func declinedCardIsNotVerified() async throws {
        let shop = try await Shop.open()
        shop.script.append(.init(.verify, fault: .decline(.lostOrStolenCard)))
        let outcome = try await shop.verify()
        #expect(outcome.payment.state == .declined)
        #expect(outcome.operation.state == .failed(.declined(.lostOrStolenCard)))
        #expect(try await shop.events(of: outcome.payment.id).map(\.kind) == [.verificationFailed])
        try await expectAgreement(shop)
    }

    /// The sheet may have shown a sum; the currency must be the one that was asked for.
    @Test func tokenIsVerifiedWhateverItsAmount() async throws {
        let shop = try await Shop.open()
        let token = try shop.token(money(10_00))
        await expectRefusal(.currencyDiffersFromToken) {
            _ = try await shop.gateway.authorize(shop.command(.applePay(token), .zero(usd), .verification))
        }
        let outcome = try await shop.gateway.authorize(shop.command(.applePay(token), .zero(cad), .verification))
        #expect(outcome.payment.state == .verified && outcome.payment.amount == .zero(cad))
        await expectRefusal(.tokenReplayed) {
            _ = try await shop.gateway.authorize(shop.authorization(of: money(10_00), token: token))
        }
    }

    @Test func tokensCurrencyIsTakenWhereNoneIsNamed() async throws {
        let shop = try await Shop.open()
        let outcome = try await shop.gateway.authorize(
            shop.command(.applePay(try shop.token(money(10_00, usd))), nil, .verification))
        #expect(outcome.payment.amount == .zero(usd))
    }

    @Test func acquirerThatVerifiesNoCardsIsNotAsked() async throws {
        let (shop, acquirer) = try await Shop.intercepted(verifies: false)
        await expectRefusal(.operationNotSupported) { _ = try await shop.verify() }
        #expect(acquirer.calls.isEmpty)
        #expect(try await shop.payments().isEmpty)
        _ = try await shop.pay(with: Shop.cardNumber(), money(10_00))
    }

    // MARK: - What follows

    @Test func nothingFollowsAVerification() async throws {
        let shop = try await Shop.open()
        let outcome = try await shop.verify()
        let id = outcome.payment.id
        let refused = GatewayRefusal.payment(.verificationOnly)
        await expectRefusal(refused) { _ = try await shop.capture(nil, of: id) }
        await expectRefusal(refused) { _ = try await shop.capture(money(1), of: id) }
        await expectRefusal(refused) { _ = try await shop.refund(nil, of: id) }
        await expectRefusal(refused) { _ = try await shop.adjust(money(1), of: id) }
        await expectRefusal(refused) { _ = try await shop.void(id) }
        await expectRefusal(refused) { _ = try await shop.void(.operation(outcome.operation.id), of: id) }
        #expect(try await shop.payment(id).version == outcome.payment.version)
    }

    @Test func orderIsPaidAfterItsCardWasVerified() async throws {
        let shop = try await Shop.open()
        let verified = try await shop.verify(order: .named("N-1"))
        #expect(verified.order?.paymentID == verified.payment.id)
        #expect(verified.order?.amount == .zero(cad))
        shop.clock.advance(seconds: 1)
        let paid = try await shop.pay(with: Shop.cardNumber(), money(10_00), order: .named("N-1"))
        let history = try await shop.gateway.orderHistory(named: "N-1", merchant: shop.merchant)
        #expect(history.payments.map(\.id) == [verified.payment.id, paid.payment.id])
        await expectRefusal(.orderPaid, "a paid order needs no verification") {
            _ = try await shop.verify(order: .named("N-1"))
        }
        try await expectAgreement(shop)
    }

    @Test func placedOrderIsNotVerified() async throws {
        let shop = try await Shop.open()
        let order = try await shop.makeOrder(money(10_00))
        await expectRefusal(.amountDiffersFromToken) { _ = try await shop.verify(order: .placed(order.id)) }
    }

    // MARK: - Unknown

    @Test(arguments: [
        (SimulatorFault.dropAfterBooking, PaymentState.verified), (.garbage, .verified),
        (.dropBeforeBooking, .reversed), (.arriveLate, .reversed),
    ])
    func unknownVerificationIsRecovered(_ fault: SimulatorFault, _ state: PaymentState) async throws {
        let (shop, acquirer) = try await Shop.intercepted()
        shop.script.append(.init(.verify, fault: fault))
        let outcome = try await shop.verify()
        #expect(outcome.payment.state == .authorizationUnknown)
        #expect(outcome.operation.state == .unknown)
        try await shop.recoverUntilSettled()
        #expect(try await shop.payment(outcome.payment.id).state == state)
        #expect(acquirer.calls("verify").count == 1, "the card is not kept, and so not sent again")
        await shop.simulator.deliverLate()
        #expect(
            try await shop.events(of: outcome.payment.id).map(\.kind)
                == [state == .verified ? .verificationSucceeded : .verificationFailed])
        try await expectAgreement(shop)
    }

    @Test(arguments: [SimulatorFault.dropBeforeBooking, .dropAfterBooking])
    func unknownVerificationIsTakenBackWithoutQueries(_ fault: SimulatorFault) async throws {
        let (shop, acquirer) = try await Shop.intercepted(answersQueries: false)
        shop.script.append(.init(.verify, fault: fault))
        shop.script.append(.init(.reverse, .first(2), fault: .dropAfterBooking))
        let outcome = try await shop.verify()
        try await shop.recoverUntilSettled()
        #expect(try await shop.payment(outcome.payment.id).state == .reversed)
        let request = try #require(acquirer.calls("reverse").first?.request)
        #expect(request.original?.id == outcome.operation.id && request.amount == .zero(cad))
        guard case .reverse = request.action else {
            Issue.record("a void")
            return
        }
        try await expectAgreement(shop)
    }

    /// An approval of money that nobody asked for cannot stand.
    @Test func verificationThatWasApprovedForAnAmountIsTakenBack() async throws {
        let (shop, acquirer) = try await Shop.intercepted(outcomes: { call, next in
            guard call.name == "verify", case .approved(let approval) = await next() else { return await next() }
            return .approved(AcquirerApproval(amount: money(1), answer: approval.answer))
        })
        let outcome = try await shop.verify()
        #expect(outcome.operation.state == .failed(.reversed))
        #expect(acquirer.calls.map(\.name) == ["verify", "reverse"])
        try await expectAgreement(shop)
    }
}
