//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
@_spi(Administration) import Gateway
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import Testing

/// What the gateway makes of acquirers that are unlike the simulator: that decide later, do nothing, forget reversals, or
/// offer less.
@Suite struct AcquirerContractTests {
    // MARK: - Accepted

    @Test func acceptedCaptureCountsForTheLimitsAndIsNotTakenBack() async throws {
        let shop = try await Shop.open()
        let id = try await shop.authorize(money(10_00)).payment.id
        shop.script.append(.init(.capture, .nth(1), fault: .accept))
        shop.script.append(.init(.query, .first(20), fault: .accept))
        let capture = try await shop.capture(money(6_00), of: id)
        #expect(capture.operation.state == .accepted)
        #expect(capture.payment.capturedAmount == money(0) && capture.payment.state == .authorized)
        await expectRefusal(.payment(.capturePending)) { _ = try await shop.capture(money(5_00), of: id) }
        await expectRefusal(.payment(.captureExceedsAuthorized)) { _ = try await shop.capture(money(11_00), of: id) }
        await expectRefusal(.payment(.capturePending)) { _ = try await shop.refund(money(1_00), of: id) }
        // However long it takes: it is asked for ever more seldom, and never reversed.
        for _ in 0..<20 {
            shop.clock.advance(seconds: 3600)
            _ = await shop.gateway.recover()
        }
        #expect(try await shop.operation(capture).state == .accepted)
        #expect(shop.script.count(of: .reverse) == 0)
        shop.script.clear()
        try await shop.recoverUntilSettled()
        #expect(try await shop.operation(capture).state == .succeeded)
        try await expectAgreement(shop)
        #expect(try await shop.events(of: id).map(\.kind) == [.authorizationSucceeded, .captureSucceeded])
    }

    @Test func acceptedOperationThatIsDeclinedLaterFails() async throws {
        let shop = try await Shop.open()
        shop.script.append(.init(.authorize, .nth(1), fault: .accept))
        let outcome = try await shop.authorize(money(57_57))
        #expect(outcome.operation.state == .accepted && outcome.payment.state == .authorizing)
        await expectRefusal(.payment(.authorizationPending)) {
            _ = try await shop.capture(money(1_00), of: outcome.payment.id)
        }
        shop.script.clear()
        try await shop.recoverUntilSettled()
        #expect(try await shop.operation(outcome).state == .failed(.declined(.doNotHonor)))
    }

    @Test func acceptedOperationThatTheAcquirerTakesBackByItselfFails() async throws {
        let shop = try await Shop.open()
        shop.script.append(.init(.authorize, .nth(1), fault: .accept))
        let outcome = try await shop.authorize(money(10_00))
        let (payment, now) = (outcome.payment, shop.clock.now)
        let original = OriginalOperation(
            id: outcome.operation.id, kind: .authorization, amount: money(10_00), begunAt: now,
            authorizedTotal: money(0), capturedTotal: money(0))
        let reversal = await shop.simulator.perform(
            AcquirerRequest(
                operationID: OperationID(at: now, random: [1]), paymentID: payment.id, merchantID: payment.merchantID,
                amount: money(10_00), begunAt: now, action: .reverse(original)))
        guard case .approved = reversal else {
            Issue.record("\(reversal)")
            return
        }
        try await shop.recoverUntilSettled()
        #expect(try await shop.operation(outcome).state == .failed(.reversed))
        #expect(try await shop.events(of: payment.id).map(\.kind) == [.authorizationFailed])
    }

    // MARK: - Not processed

    @Test(arguments: NotProcessedReason.allCases)
    func whatWasNotProcessedIsNobodysDecline(_ reason: NotProcessedReason) async throws {
        let shop = try await Shop.open()
        shop.script.append(.init(.authorize, .nth(1), fault: .refuse(reason)))
        let outcome = try await shop.authorize(money(10_00))
        #expect(outcome.operation.state == .failed(.notProcessed(reason)))
        #expect(outcome.payment.state == .notProcessed)
        #expect(try await shop.recoveryJobs().isEmpty, "there is nothing to recover")
        #expect(try await shop.book.entry(outcome.operation.id) == nil)
        try await expectAgreement(shop)
    }

    @Test func tokenOfAPaymentThatWasNotProcessedPaysOnceMoreAndOnceOnly() async throws {
        let shop = try await Shop.open()
        let token = try shop.token(money(10_00))
        let pay = { try await shop.gateway.authorize(shop.command(.applePay(token), money(10_00))) }
        shop.script.append(.init(.authorize, .first(2), fault: .refuse(.notSent)))
        #expect(try await pay().payment.state == .notProcessed)
        #expect(try await pay().payment.state == .notProcessed)
        #expect(try await pay().payment.state == .authorized)
        await expectRefusal(.tokenReplayed) { _ = try await pay() }
    }

    @Test func declinedPaymentKeepsItsToken() async throws {
        let shop = try await Shop.open()
        let token = try shop.token(money(57_57))
        #expect(
            try await shop.gateway.authorize(shop.command(.applePay(token), money(57_57))).payment.state == .declined)
        await expectRefusal(.tokenReplayed) {
            _ = try await shop.gateway.authorize(shop.command(.applePay(token), money(57_57)))
        }
    }

    /// That a repeat was not processed says nothing of the first request, which was.
    @Test func voidThatIsSentAgainIsNotFailedByWhatBecameOfTheRepeat() async throws {
        let shop = try await Shop.open()
        let id = try await shop.authorize(money(10_00)).payment.id
        shop.script.append(.init(.reverse, .nth(1), fault: .dropAfterBooking))
        shop.script.append(.init(.reverse, .nth(2), fault: .refuse(.busy)))
        let void = try await shop.void(id)
        #expect(void.operation.state == .unknown)
        shop.clock.advance(seconds: 2)
        _ = await shop.gateway.recover()
        #expect(try await shop.operation(void).state == .unknown)
        try await shop.recoverUntilSettled()
        #expect(try await shop.operation(void).state == .succeeded)
        try await expectAgreement(shop)
    }

    // MARK: - Quiet time

    /// An acquirer that could not remember the reversal of what it has never heard of.
    private func forgetful() async throws -> (Shop, InterceptingAcquirer) {
        let shop = try await Shop.open { options in
            options.acquirer = { base in
                InterceptingAcquirer(base, base.capabilities.changed { $0.recovery = .query(quietSeconds: 120) })
            }
        }
        return (shop, try #require(shop.acquirer as? InterceptingAcquirer))
    }

    @Test func whatTheAcquirerNeverHeardOfIsOverAfterTheQuietTime() async throws {
        let (shop, acquirer) = try await self.forgetful()
        shop.script.append(.init(.authorize, .nth(1), fault: .dropBeforeBooking))
        let outcome = try await shop.authorize(money(10_00))
        #expect(outcome.operation.state == .unknown)
        for _ in 0..<11 {
            shop.clock.advance(seconds: 10)
            _ = await shop.gateway.recover()
        }
        #expect(try await shop.operation(outcome).state == .unknown, "110 seconds")
        shop.clock.advance(seconds: 60)
        _ = await shop.gateway.recover()
        #expect(try await shop.operation(outcome).state == .failed(.notProcessed(.neverArrived)))
        #expect(acquirer.calls("reverse").isEmpty)
        try await expectAgreement(shop)
        #expect(try await shop.events(of: outcome.payment.id).map(\.kind) == [.authorizationFailed])
    }

    @Test func whatArrivesWithinTheQuietTimeCounts() async throws {
        let (shop, _) = try await self.forgetful()
        shop.script.append(.init(.authorize, .nth(1), fault: .arriveLate))
        let outcome = try await shop.authorize(money(10_00))
        shop.clock.advance(seconds: 60)
        _ = await shop.gateway.recover()
        #expect(try await shop.operation(outcome).state == .unknown)
        await shop.simulator.deliverLate()
        try await shop.recoverUntilSettled()
        #expect(try await shop.operation(outcome).state == .succeeded)
        try await expectAgreement(shop)
    }

    // MARK: - Capabilities

    @Test func whatAnAcquirerDoesNotOfferIsRefusedBeforeAnythingIsBegun() async throws {
        let shop = try await Shop.open { options in
            options.acquirer = { base in
                InterceptingAcquirer(
                    base,
                    base.capabilities.changed {
                        $0.sells = false
                        $0.capturesInParts = false
                        $0.refundsInParts = false
                        $0.adjustments = [.up]
                        $0.voids = [.authorization]
                        $0.proofs = [.cryptogram]
                    })
            }
        }
        await expectRefusal(.operationNotSupported) { _ = try await shop.sell(money(10_00)) }
        await expectRefusal(.operationNotSupported) {
            _ = try await shop.pay(with: Shop.cardNumber(), money(10_00))
        }
        let id = try await shop.authorize(money(10_00)).payment.id
        await expectRefusal(.operationNotSupported) { _ = try await shop.capture(money(6_00), of: id) }
        await expectRefusal(.operationNotSupported) { _ = try await shop.adjust(money(9_00), of: id) }
        #expect(try await shop.adjust(money(12_00), of: id).operation.state == .succeeded)
        let capture = try await shop.capture(money(12_00), of: id)
        #expect(capture.operation.state == .succeeded)
        await expectRefusal(.operationNotSupported) {
            _ = try await shop.void(.operation(capture.operation.id), of: id)
        }
        await expectRefusal(.operationNotSupported) { _ = try await shop.refund(money(1_00), of: id) }
        #expect(try await shop.refund(money(12_00), of: id).operation.state == .succeeded)
        try await expectAgreement(shop)
    }

    @Test func whatTheMerchantSaysReachesTheAcquirer() async throws {
        let (shop, acquirer) = try await Shop.intercepted()
        let details = ChargeDetails(
            orderReference: "1042", description: "A teapot", statementDescriptor: "TEAPOTS", certainty: .final,
            customer: Customer(
                id: "c-1", firstName: "Ada", lastName: "Example", email: "ada@shop.example", phone: "+1 613 555 0100",
                ipAddress: "192.0.2.1", userAgent: "Safari"),
            billing: PostalAddress(postalCode: "K1A 0B1", countryCode: "CA"),
            shipping: PostalAddress(city: "Ottawa", countryCode: "CA"))
        var command = shop.command(.applePay(try shop.token(money(10_00))), money(10_00))
        command.details = details
        command.acceptsPartialApproval = true
        _ = try await shop.gateway.authorize(command)
        let charge = try #require(acquirer.calls.first?.charge)
        #expect(charge.details == details && charge.acceptsPartialApproval && charge.network == .visa)
    }

    // MARK: - Who asks

    /// A payment by the merchant alone carries the network's reference of the one with which its agreement was made.
    @Test func laterPaymentCarriesTheFirstOnesReference() async throws {
        let (shop, acquirer) = try await Shop.intercepted()
        func pay(_ number: UInt8, _ amount: Money, _ initiator: PaymentInitiator) async throws -> OperationOutcome {
            var command = shop.command(.opened(Shop.deviceToken(number)), amount)
            command.details.initiator = initiator
            return try await shop.gateway.authorize(command)
        }
        let agreement = PaymentAgreement(kind: .recurring, id: "subscription 7")
        // The first try fails, and is no agreement.
        #expect(try await pay(1, money(57_57), .customer(agreement: agreement)).payment.state == .declined)
        let first = try await pay(2, money(10_00), .customer(agreement: agreement))
        // A second one changes nothing about the first.
        _ = try await pay(3, money(11_00), .customer(agreement: agreement))
        _ = try await pay(4, money(12_00), .merchant(agreement))
        let reference = try #require(first.operation.answer.networkReference)
        var expected = agreement
        expected.networkReference = reference
        #expect(acquirer.calls.last?.charge?.details.initiator == .merchant(expected))
        // Another merchant's agreement, and what the merchant says himself.
        for known in [
            PaymentAgreement(kind: .recurring, id: "subscription 8"),
            PaymentAgreement(kind: .unscheduled, id: "subscription 7", networkReference: "MCC0001"), PaymentAgreement(),
        ] {
            _ = try await pay(UInt8(5 + acquirer.calls.count), money(13_00), .merchant(known))
            #expect(acquirer.calls.last?.charge?.details.initiator == .merchant(known))
        }
    }

    @Test func merchantsOwnPaymentIsRefusedWhereItWouldPassForTheCustomers() async throws {
        let shop = try await Shop.open { options in
            options.acquirer = {
                InterceptingAcquirer($0, $0.capabilities.changed { $0.takesMerchantInitiated = false })
            }
        }
        var command = shop.command(.opened(Shop.deviceToken()), money(10_00))
        command.details.initiator = .merchant(PaymentAgreement(kind: .recurring))
        await expectRefusal(.operationNotSupported) { _ = try await shop.gateway.authorize(command) }
        #expect(try await shop.book.entries().isEmpty)
        command.details.initiator = .customer(agreement: PaymentAgreement(kind: .recurring))
        #expect(try await shop.gateway.authorize(command).operation.state == .succeeded)
    }

    // MARK: - Amounts

    private static func shop(_ currencies: [Currency: CurrencyTerms]) async throws -> Shop {
        try await Shop.open { options in
            options.acquirer = { InterceptingAcquirer($0, $0.capabilities.changed { $0.currencies = currencies }) }
        }
    }

    /// Before anything is begun: the token may be used again.
    @Test func amountThatTheAcquirerDoesNotTakeIsRefused() async throws {
        let shop = try await Self.shop([cad: CurrencyTerms(exponent: 0, minorUnits: 2_00...100_00)])
        await expectRefusal(.currencyNotSupported) {
            _ = try await shop.pay(with: Shop.deviceToken(), money(10_00, usd))
        }
        for refused in [1_00, 100_01, 101_00, 10_50] as [Int64] {
            await expectRefusal(.amountNotSupported) {
                _ = try await shop.pay(with: Shop.deviceToken(), money(refused))
            }
        }
        #expect(try await shop.book.entries().isEmpty)
        let id = try await shop.pay(with: Shop.deviceToken(), money(10_00)).payment.id
        // A part may be less than a payment may be, but none of the unit.
        await expectRefusal(.amountNotSupported) { _ = try await shop.capture(money(50), of: id) }
        #expect(try await shop.capture(money(1_00), of: id).operation.state == .succeeded)
        await expectRefusal(.amountNotSupported) { _ = try await shop.refund(money(50), of: id) }
        await expectRefusal(.operationNotSupported) { _ = try await shop.adjust(money(200_00), of: id) }
        // A verification is for nothing, in a currency all the same.
        await expectRefusal(.currencyNotSupported) {
            _ = try await shop.pay(with: Shop.cardNumber(), .zero(usd), .verification)
        }
        #expect(try await shop.verify().operation.state == .succeeded)
    }

    /// A bank takes any part: what is left is given back as far as the acquirer can say it.
    @Test func allThatIsLeftIsWholeUnitsOfTheAcquirer() async throws {
        let shop = try await Self.shop([cad: CurrencyTerms(exponent: 0, minorUnits: 1_00...100_00)])
        let acts = shop.gateway.administration
        let sale = try await shop.sell(money(10_00)).payment
        let capture = try #require(sale.operations.last).id
        let notice = AcquirerNotice(.operation(capture), .chargedBack(money(50), fee: nil), reference: "bank")
        #expect(await shop.gateway.receive(notice, for: sale.accountID, by: sale.acquirer) == .booked)
        let bounds = try await acts.possibleActs(of: sale.id, plans: []).refund.bounds
        #expect(bounds?.upTo == money(9_00) && bounds?.total == money(9_00))
        let error = await #expect(throws: PaymentActError.self) {
            try await acts.refund(sale.id, amount: money(1_50), key: "k", reason: nil, plans: [])
        }
        #expect(error?.code == .amountNotTaken && error?.message.contains("Up to 9.00 CAD") == true)
        let refund = try await shop.gateway.followUp(shop.followUp(.refund(nil), of: sale.id, key: "all"))
        #expect(refund.operation.amount == money(9_00) && refund.operation.state == .succeeded)
        // What is left is less than a unit: nothing more can be given back.
        #expect(try await acts.possibleActs(of: sale.id, plans: []).refund == .refused(.refundExceedsCaptured))
        await expectRefusal(.payment(.refundExceedsCaptured)) {
            _ = try await shop.gateway.followUp(shop.followUp(.refund(nil), of: sale.id, key: "more"))
        }
    }

    @Test func noMoreCapturesAreMadeThanTheAcquirerTakes() async throws {
        let shop = try await Shop.open { options in
            options.acquirer = { InterceptingAcquirer($0, $0.capabilities.changed { $0.capturesMax = 2 }) }
        }
        let id = try await shop.authorize(money(10_00)).payment.id
        shop.script.append(.init(.capture, .first(1), fault: .decline(.systemError)))
        // One that failed is none.
        for amount in [1_00, 2_00, 3_00] as [Int64] { _ = try await shop.capture(money(amount), of: id) }
        await expectRefusal(.operationNotSupported) { _ = try await shop.capture(money(1_00), of: id) }
        #expect(try await shop.payment(id).capturedAmount == money(5_00))
    }

    @Test func accountIsSentNoMoreInASecondThanItTakes() async throws {
        let shop = try await Shop.open { options in
            options.acquirer = { InterceptingAcquirer($0, $0.capabilities.changed { $0.requestsPerSecond = 2 }) }
        }
        var states: [PaymentOperation.State] = []
        for number in 1...3 {
            states.append(
                try await shop.pay(with: Shop.deviceToken(UInt8(number)), money(Int64(number) * 100)).operation.state)
        }
        #expect(states == [.succeeded, .succeeded, .failed(.notProcessed(.busy))])
        shop.clock.advance(seconds: 1)
        #expect(try await shop.pay(with: Shop.deviceToken(4), money(4_00)).operation.state == .succeeded)
    }

    @Test func followUpNamesItsOriginalsWithTheSumsOfTheirTime() async throws {
        let (shop, acquirer) = try await Shop.intercepted()
        let authorized = try await shop.authorize(money(10_00))
        let id = authorized.payment.id
        let first = try await shop.capture(money(4_00), of: id)
        _ = try await shop.capture(money(3_00), of: id)
        let refund = FollowUpCommand.Action.refund(money(1_00), of: .operation(first.operation.id))
        _ = try await shop.gateway.followUp(shop.followUp(refund, of: id))
        let captures = acquirer.calls("capture").compactMap { $0.request?.original }
        #expect(captures.map(\.capturedTotal) == [money(0), money(4_00)])
        #expect(captures.allSatisfy { $0.id == authorized.operation.id && $0.ordinal == 1 })
        #expect(captures.allSatisfy { $0.authorizedTotal == money(10_00) && $0.answer == authorized.operation.answer })
        guard case .refund(let original, let capture?) = acquirer.calls("refund").first?.request?.action else {
            Issue.record("the capture is not named")
            return
        }
        #expect(original.capturedTotal == money(7_00))
        #expect(capture.id == first.operation.id && capture.amount == money(4_00) && capture.ordinal == 2)
    }
}
