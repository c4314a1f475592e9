//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Gateway
import Money
import Payments
import Redaction
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing
import WalletSimulator

/// The plain road: what happens when nothing goes wrong.
struct PaymentTests {
    @Test func authorizationHoldsTheAmountAndCapturesNothing() async throws {
        let shop = try await Shop.open()
        let outcome = try await shop.authorize(money(10_00))
        #expect(outcome.operation.state == .succeeded)
        #expect(outcome.operation.approvedAmount == money(10_00))
        #expect(outcome.operation.answer.authorizationCode?.count == 6)
        #expect(outcome.payment.state == .authorized)
        #expect(outcome.payment.capturableAmount == money(10_00))
        #expect(!outcome.isRepeat)
        #expect(outcome.payment.instrument.maskedPAN.description == "489537xxxxxx5671")
        #expect(outcome.payment.instrument.network == .visa)
        try await expectAgreement(shop)
    }

    @Test func saleCapturesAtOnceUnderOneAnswer() async throws {
        let shop = try await Shop.open()
        let outcome = try await shop.sell(money(10_00))
        #expect(outcome.payment.state == .captured)
        #expect(outcome.payment.operations.map(\.kind) == [.authorization, .capture])
        #expect(outcome.payment.refundableAmount == money(10_00))
        try await expectAgreement(shop)
    }

    @Test func capturesInPartsAndReleasesTheRestWithTheFinalOne() async throws {
        let shop = try await Shop.open()
        let id = try await shop.authorize(money(10_00)).payment.id
        #expect(try await shop.capture(money(2_00), of: id).payment.state == .partiallyCaptured)
        #expect(try await shop.capture(money(3_00), of: id).payment.capturableAmount == money(5_00))
        let last = try await shop.capture(money(1_00), of: id, isFinal: true)
        #expect(last.payment.state == .captured)
        #expect(last.payment.capturedAmount == money(6_00))
        #expect(last.payment.capturableAmount.isZero)
        await expectRefusal(.payment(.captureIsFinal)) { _ = try await shop.capture(money(1), of: id) }
        try await expectAgreement(shop)
    }

    @Test func capturesAllThatIsLeftWhereNoAmountIsSaid() async throws {
        let shop = try await Shop.open()
        let id = try await shop.authorize(money(10_00)).payment.id
        _ = try await shop.capture(money(4_00), of: id)
        let rest = try await shop.capture(nil, of: id)
        #expect(rest.operation.amount == money(6_00))
        #expect(rest.payment.state == .captured)
        await expectRefusal(.payment(.captureExceedsAuthorized)) { _ = try await shop.capture(nil, of: id) }
        try await expectAgreement(shop)
    }

    @Test func refusesCaptureOfOneMoreThanIsLeft() async throws {
        let shop = try await Shop.open()
        let id = try await shop.authorize(money(10_00)).payment.id
        _ = try await shop.capture(money(9_99), of: id)
        await expectRefusal(.payment(.captureExceedsAuthorized)) { _ = try await shop.capture(money(2), of: id) }
        #expect(try await shop.capture(money(1), of: id).payment.state == .captured)
        try await expectAgreement(shop)
    }

    @Test func voidGivesEverythingBack() async throws {
        let shop = try await Shop.open()
        let id = try await shop.authorize(money(10_00)).payment.id
        #expect(try await shop.void(id).payment.state == .voided)
        await expectRefusal(.payment(.alreadyVoided)) { _ = try await shop.void(id) }
        await expectRefusal(.payment(.alreadyVoided)) { _ = try await shop.capture(money(1), of: id) }
        await expectRefusal(.payment(.alreadyVoided)) { _ = try await shop.refund(money(1), of: id) }
        try await expectAgreement(shop)
    }

    @Test func refusesVoidAfterCapture() async throws {
        let shop = try await Shop.open()
        let id = try await shop.authorize(money(10_00)).payment.id
        _ = try await shop.capture(money(1), of: id)
        await expectRefusal(.payment(.alreadyCaptured)) { _ = try await shop.void(id) }
        try await expectAgreement(shop)
    }

    @Test func refundsInPartsToTheLimitAndNotOneMore() async throws {
        let shop = try await Shop.open()
        let id = try await shop.sell(money(10_00)).payment.id
        #expect(try await shop.refund(money(4_00), of: id).payment.state == .partiallyRefunded)
        await expectRefusal(.payment(.refundExceedsCaptured)) { _ = try await shop.refund(money(6_01), of: id) }
        #expect(try await shop.refund(money(5_99), of: id).payment.refundableAmount == money(1))
        #expect(try await shop.refund(nil, of: id).payment.state == .refunded)
        await expectRefusal(.payment(.alreadyRefunded)) { _ = try await shop.refund(money(1), of: id) }
        await expectRefusal(.payment(.alreadyRefunded)) { _ = try await shop.refund(nil, of: id) }
        try await expectAgreement(shop)
    }

    /// The part that is under way may come to nothing: neither is all that is left known, nor that nothing is.
    @Test(arguments: [Int64(4_00), 10_00]) func allThatIsLeftWaitsForARefundUnderWay(_ part: Int64) async throws {
        let shop = try await Shop.open()
        let id = try await shop.sell(money(14_00)).payment.id
        _ = try await shop.refund(money(4_00), of: id)
        shop.script.append(.init(.refund, .nth(2), fault: .dropBeforeBooking))
        #expect(try await shop.refund(money(part), of: id).operation.state == .unknown)
        await expectRefusal(.payment(.refundPending)) { _ = try await shop.refund(nil, of: id) }
        // Who names a part has it, as far as there is one.
        if part < 10_00 { #expect(try await shop.refund(money(1_00), of: id).operation.state == .succeeded) }
        try await shop.recoverUntilSettled()
        let all = try await shop.refund(nil, of: id)
        #expect(all.operation.amount == money(part < 10_00 ? 9_00 : 10_00) && all.payment.state == .refunded)
        try await expectAgreement(shop)
    }

    @Test(arguments: [Int64(3_00), 6_00]) func allThatIsLeftWaitsForACaptureUnderWay(_ part: Int64) async throws {
        let shop = try await Shop.open()
        let id = try await shop.authorize(money(10_00)).payment.id
        _ = try await shop.capture(money(4_00), of: id)
        shop.script.append(.init(.capture, .nth(2), fault: .dropBeforeBooking))
        #expect(try await shop.capture(money(part), of: id).operation.state == .unknown)
        for isFinal in [false, true] {
            await expectRefusal(.payment(.capturePending)) {
                _ = try await shop.capture(nil, of: id, isFinal: isFinal)
            }
        }
        if part < 6_00 { #expect(try await shop.capture(money(1_00), of: id).operation.state == .succeeded) }
        try await shop.recoverUntilSettled()
        let all = try await shop.capture(nil, of: id)
        #expect(all.operation.amount == money(part < 6_00 ? 5_00 : 6_00) && all.payment.state == .captured)
        try await expectAgreement(shop)
    }

    /// What is being captured may be there in a moment: whoever gives all back waits for it.
    @Test func allIsRefundedOnceNoCaptureIsUnderWay() async throws {
        let shop = try await Shop.open()
        let id = try await shop.authorize(money(10_00)).payment.id
        _ = try await shop.capture(money(4_00), of: id)
        shop.script.append(.init(.capture, .nth(2), fault: .dropAfterBooking))
        #expect(try await shop.capture(money(3_00), of: id).operation.state == .unknown)
        await expectRefusal(.payment(.capturePending)) { _ = try await shop.refund(nil, of: id) }
        // Who names a part of what has been captured has it.
        #expect(try await shop.refund(money(1_00), of: id).operation.state == .succeeded)
        await expectRefusal(.payment(.capturePending)) { _ = try await shop.refund(nil, of: id) }
        try await shop.recoverUntilSettled()
        let all = try await shop.refund(nil, of: id).operation
        #expect(all.state == .succeeded && all.amount == money(6_00))
        try await expectAgreement(shop)
    }

    @Test func refusesRefundBeforeCapture() async throws {
        let shop = try await Shop.open()
        let id = try await shop.authorize(money(10_00)).payment.id
        await expectRefusal(.payment(.notCaptured)) { _ = try await shop.refund(money(1), of: id) }
    }

    @Test func refusesAmountsThatAreNoneOrOfAnotherCurrency() async throws {
        let shop = try await Shop.open()
        let id = try await shop.sell(money(10_00)).payment.id
        await expectRefusal(.payment(.amountNotPositive)) { _ = try await shop.refund(money(0), of: id) }
        await expectRefusal(.payment(.amountNotPositive)) { _ = try await shop.refund(money(-1), of: id) }
        await expectRefusal(.payment(.currencyDiffers)) { _ = try await shop.refund(money(1, usd), of: id) }
        await expectRefusal(.payment(.amountNotPositive)) { _ = try await shop.sell(money(0)) }
    }

    @Test func refusesFollowUpsOfADeclinedPayment() async throws {
        let shop = try await Shop.open()
        let outcome = try await shop.authorize(money(57_57))
        #expect(outcome.operation.state == .failed(.declined(.doNotHonor)))
        #expect(outcome.payment.state == .declined)
        await expectRefusal(.payment(.authorizationFailed)) { _ = try await shop.capture(nil, of: outcome.payment.id) }
        await expectRefusal(.payment(.authorizationFailed)) { _ = try await shop.void(outcome.payment.id) }
        try await expectAgreement(shop)
    }

    @Test func concurrentCapturesAndRefundsNeverExceedTheirLimits() async throws {
        let shop = try await Shop.open()
        let id = try await shop.authorize(money(10_00)).payment.id
        let captured = await Self.count(20) { _ = try await shop.capture(money(3_00), of: id) }
        #expect(captured == 3)
        let refunded = await Self.count(20) { _ = try await shop.refund(money(2_50), of: id) }
        #expect(refunded == 3)
        #expect(try await shop.payment(id).refundedAmount == money(7_50))
        try await expectAgreement(shop)
    }

    /// How many of so many concurrent calls are not refused.
    private static func count(_ callsCount: Int, _ call: @escaping @Sendable () async throws -> Void) async -> Int {
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<callsCount {
                group.addTask {
                    do {
                        try await call()
                        return 1
                    } catch {
                        return 0
                    }
                }
            }
            return await group.reduce(0, +)
        }
    }

    // MARK: - Queries

    @Test func findsOperationByPaymentOperationAndReference() async throws {
        let shop = try await Shop.open()
        let sale = try await shop.sell(money(10_00))
        var command = shop.followUp(.refund(money(1_00)), of: sale.payment.id)
        let name = ReferenceName(kind: "refundRequestId", value: "R-1")
        command.references = [name]
        let refund = try await shop.gateway.followUp(command)
        let find = { (selector: PaymentSelector) in
            try await shop.gateway.operation(selector, merchant: shop.merchant).operation
        }
        #expect(try await find(.payment(sale.payment.id)).kind == .authorization)
        #expect(try await find(.operation(refund.operation.id)) == refund.operation)
        #expect(try await find(.reference(name)) == refund.operation)
        await expectRefusal(.paymentNotFound) { _ = try await find(.reference(.init(kind: "other", value: "R-1"))) }
        command = shop.followUp(.refund(money(1_00)), of: sale.payment.id)
        command.references = [name]
        await expectRefusal(.referenceTaken(kind: "refundRequestId")) { _ = try await shop.gateway.followUp(command) }
        #expect(try await shop.payment(sale.payment.id).refundedAmount == money(1_00))
        try await expectAgreement(shop)
    }

    /// A dialect whose key of a call is the operation's name has it written once, and it is taken by either.
    @Test func findsOperationByItsClaim() async throws {
        let shop = try await Shop.open()
        let sale = try await shop.sell(money(10_00))
        let context = { (key: String) in
            CallContext(
                merchant: shop.merchant,
                idempotency: CallContext.Idempotency(operation: "transaction", key: key, digest: [1]))
        }
        let name = { (value: String) in ReferenceName(kind: "transaction", value: value) }
        var command = FollowUpCommand(
            context: context("T-1"), payment: .payment(sale.payment.id), action: .refund(money(1_00)))
        command.references = [name("T-1"), name("T-2")]
        let refund = try await shop.gateway.followUp(command)
        #expect(try await shop.gateway.followUp(command).isRepeat)
        for value in ["T-1", "T-2"] {
            let found = try await shop.gateway.operation(.reference(name(value)), merchant: shop.merchant).operation
            #expect(found == refund.operation)
        }
        // The name that was a reference is no key any more, and the other way round.
        for (key, reference) in [("T-2", "T-2"), ("T-3", "T-1")] {
            var later = FollowUpCommand(
                context: context(key), payment: .payment(sale.payment.id), action: .refund(money(1_00)))
            later.references = [name(reference)]
            await expectRefusal(.referenceTaken(kind: "transaction")) { _ = try await shop.gateway.followUp(later) }
        }
        #expect(try await shop.payment(sale.payment.id).refundedAmount == money(1_00))
        try await expectAgreement(shop)
    }

    @Test func anotherMerchantsPaymentDoesNotExist() async throws {
        let shop = try await Shop.open()
        let other = try await Shop.makeMerchant("second", .sandbox, shop.gateway)
        let sale = try await shop.sell(money(10_00))
        for selector in [PaymentSelector.payment(sale.payment.id), .operation(sale.operation.id)] {
            await expectRefusal(.paymentNotFound) {
                _ = try await shop.gateway.operation(selector, merchant: other)
            }
            await expectRefusal(.paymentNotFound) {
                _ = try await shop.gateway.followUp(
                    FollowUpCommand(
                        context: shop.context("refund", as: other), payment: selector, action: .refund(money(1))))
            }
        }
        let theirs = try await shop.gateway.payments(
            PaymentQuery(merchantID: shop.merchant.merchant.id), merchant: other)
        #expect(theirs.items.isEmpty)
    }

    @Test func listsPaymentsNewestFirstByPage() async throws {
        let shop = try await Shop.open()
        var ids: [PaymentID] = []
        for index in 1...5 {
            shop.clock.advance(seconds: 1)
            ids.append(try await shop.sell(money(Int64(index))).payment.id)
        }
        let page = try await shop.gateway.payments(PaymentQuery(offset: 1, limit: 2), merchant: shop.merchant)
        #expect(page.items.map(\.payment.id) == [ids[3], ids[2]])
        #expect(page.totalCount == 5)
    }

    // MARK: - The acquirer's side

    @Test func refusesNetworkThatTheAcquirerDoesNotTake() async throws {
        let shop = try await Shop.open { options in
            options.acquirer = { InterceptingAcquirer($0, $0.capabilities.changed { $0.networks = [.mastercard] }) }
        }
        await expectRefusal(.networkNotSupported) { _ = try await shop.sell(money(10_00)) }
        let token = try shop.token(money(10_00), card: .mastercard)
        let outcome = try await shop.gateway.authorize(shop.authorization(of: money(10_00), token: token))
        #expect(outcome.payment.instrument.network == .mastercard)
    }

    @Test func refusesWhereTheMerchantsAcquirerIsNotConnected() async throws {
        let shop = try await Shop.open()
        let id = try await shop.authorize(money(10_00)).payment.id
        let unconnected = try await shop.restarted { $0.connectors = [] }
        await expectRefusal(.acquirerNotConnected) { _ = try await unconnected.sell(money(10_00)) }
        await expectRefusal(.acquirerNotConnected) { _ = try await unconnected.capture(nil, of: id) }
        #expect(try await shop.payment(id).operations.count == 1)
    }

    @Test func handsTheSealedTokenToAnAcquirerThatOpensItItself() async throws {
        let seen = CapturedInstruments()
        let shop = try await Shop.open { options in
            options.acquirer = { base in
                InterceptingAcquirer(base, base.capabilities.changed { $0.forms = [.sealedApplePayToken] }) {
                    call, next in
                    if let charge = call.charge { seen.keep(charge.instrument) }
                    return await next()
                }
            }
        }
        let token = try shop.token(money(10_00))
        let outcome = try await shop.gateway.authorize(shop.authorization(of: money(10_00), token: token))
        #expect(outcome.operation.state == .failed(.declined(.notPermitted)))
        #expect(seen.sealed == [Array(token.paymentDataJSON.serialized())])
    }
}
