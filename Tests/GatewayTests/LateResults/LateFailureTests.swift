//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
@_spi(Administration) import Gateway
import Ledger
import Money
import Payments
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing

/// What an acquirer had approved, and reports later as come to nothing.
struct LateFailureTests {
    @Test func captureThatCameToNothingHoldsAgain() async throws {
        let upstream = try await Upstream.open()
        let shop = upstream.shop
        let payment = try await shop.authorize(money(10_00)).payment.id
        let capture = try await shop.capture(money(4_00), of: payment, isFinal: true)
        #expect(try await upstream.payable(of: payment) == (4_00, 0))

        let answer = await upstream.report("failed", of: capture.operation.id, ["reason": "suspectedFraud"])
        #expect(answer.status == 200)
        let after = try await shop.payment(payment)
        #expect(after.state == .authorized)
        #expect(after.capturedAmount == money(0))
        #expect(after.capturableAmount == money(10_00))
        #expect(try await upstream.payable(of: payment) == (0, 10_00))
        #expect(try await upstream.problems() == [])
        // The merchant is notified as of any capture that failed, with what is known now.
        let event = try #require(try await shop.events(of: payment).last)
        #expect(event.kind == .captureFailed)
        #expect(event.operationID == capture.operation.id)
        let known = try #require(after.asOf(version: event.paymentVersion).asKnown.operation(capture.operation.id))
        #expect(known.state == .failed(.declined(.suspectedFraud)))
        // And may ask for another; the simulator's own book has the first one still.
        let again = try await shop.capture(nil, of: payment).operation
        #expect(again.state == .failed(.declined(.invalidOperation)))
    }

    @Test func repeatedReportIsBookedOnce() async throws {
        let upstream = try await Upstream.open()
        let payment = try await upstream.shop.sell(money(10_00)).payment.id
        let refund = try await upstream.shop.refund(money(3_00), of: payment)
        for _ in 0..<3 { #expect(await upstream.report("failed", of: refund.operation.id).status == 200) }
        let after = try await upstream.shop.payment(payment)
        #expect(after.operations.filter { $0.kind == .lateFailure }.count == 1)
        #expect(after.refundableAmount == money(10_00))
        #expect(try await upstream.payable(of: payment) == (10_00, 0))
        #expect(try await upstream.problems() == [])
        #expect(try await upstream.shop.events(of: payment).filter { $0.kind == .refundFailed }.count == 1)
    }

    @Test func saleThatCameToNothingIsDeclined() async throws {
        let upstream = try await Upstream.open()
        let outcome = try await upstream.shop.sell(money(10_00))
        let captureID = try #require(outcome.operation.saleCaptureID)
        // By its capture's id or by its own: it is one thing.
        await upstream.report("failed", of: captureID)
        await upstream.report("failed", of: outcome.operation.id)
        let after = try await upstream.shop.payment(outcome.payment.id)
        #expect(after.state == .declined)
        #expect(try await upstream.payable(of: after.id) == (0, 0))
        #expect(try await upstream.problems() == [])
        await expectRefusal(.payment(.authorizationFailed)) {
            _ = try await upstream.shop.refund(nil, of: after.id)
        }
    }

    @Test func authorizationThatLapsedHoldsNothing() async throws {
        let upstream = try await Upstream.open()
        let outcome = try await upstream.shop.authorize(money(10_00))
        await upstream.report("failed", of: outcome.operation.id)
        #expect(try await upstream.shop.payment(outcome.payment.id).state == .declined)
        #expect(try await upstream.payable(of: outcome.payment.id) == (0, 0))
        await expectRefusal(.payment(.authorizationFailed)) {
            _ = try await upstream.shop.capture(nil, of: outcome.payment.id)
        }
    }

    /// What ends after the report finds nothing left to give back, or nothing held to take from: the books follow the sums.
    @Test(arguments: [SimulatorCall.reverse, .capture])
    func whatWasUnderWayEndsAfterTheAuthorizationHasFailed(_ call: SimulatorCall) async throws {
        let upstream = try await Upstream.open()
        let shop = upstream.shop
        let outcome = try await shop.authorize(money(10_00))
        let payment = outcome.payment.id
        shop.script.append(.init(call, .nth(1), fault: .accept))
        let underWay =
            try await call == .capture ? shop.capture(money(4_00), of: payment) : shop.void(payment)
        #expect(underWay.operation.state == .accepted)
        await upstream.report("failed", of: outcome.operation.id)
        #expect(try await upstream.payable(of: payment) == (0, 0))
        try await shop.recoverUntilSettled()
        let captured = call == .capture ? money(4_00) : money(0)
        #expect(try await shop.operation(underWay).state == .succeeded)
        #expect(try await shop.payment(payment).capturedAmount == captured)
        #expect(try await upstream.payable(of: payment) == (captured.minorUnits, 0))
        #expect(try await upstream.problems() == [])
        #expect(try await shop.payment(payment).state == .declined)
        guard call == .capture else { return }
        // What was taken can be given back, and nothing more is taken.
        await expectRefusal(.payment(.authorizationFailed)) { _ = try await shop.capture(money(1_00), of: payment) }
        #expect(try await shop.refund(nil, of: payment).operation.state == .succeeded)
        #expect(try await upstream.payable(of: payment) == (0, 0))
        #expect(try await upstream.problems() == [])
    }

    /// An order whose payment may still take money is not paid again.
    @Test func orderIsInProcessWhileACaptureIsUnderWay() async throws {
        let upstream = try await Upstream.open()
        let shop = upstream.shop
        let first = try await shop.pay(with: Shop.deviceToken(), money(10_00), order: .named("o1"))
        let payment = first.payment.id
        shop.script.append(.init(.capture, .nth(1), fault: .accept))
        _ = try await shop.capture(nil, of: payment)
        await upstream.report("failed", of: first.operation.id)
        #expect(try await shop.payment(payment).state == .declined)
        await expectRefusal(.orderInProcess) {
            _ = try await shop.pay(with: Shop.deviceToken(), money(10_00), order: .named("o1"))
        }
        try await shop.recoverUntilSettled()
        #expect(try await shop.payment(payment).capturedAmount == money(10_00))
        await expectRefusal(.orderPaid) {
            _ = try await shop.pay(with: Shop.deviceToken(), money(10_00), order: .named("o1"))
        }
    }

    /// What was captured shows that the authorization held; whatever is meant by it, somebody has to look.
    @Test func failureOfACapturedAuthorizationIsNotBooked() async throws {
        let upstream = try await Upstream.open()
        let outcome = try await upstream.shop.authorize(money(10_00))
        _ = try await upstream.shop.capture(money(1_00), of: outcome.payment.id)
        #expect(await upstream.report("failed", of: outcome.operation.id).status == 200)
        #expect(try await upstream.shop.payment(outcome.payment.id).state == .partiallyCaptured)
    }

    @Test func idempotentAnswerStaysWhatItWas() async throws {
        let upstream = try await Upstream.open()
        let payment = try await upstream.shop.authorize(money(10_00)).payment.id
        let command = upstream.shop.followUp(.capture(money(4_00), isFinal: false), of: payment, key: "c1")
        let first = try await upstream.shop.gateway.followUp(command)
        await upstream.report("failed", of: first.operation.id)
        let again = try await upstream.shop.gateway.followUp(command)
        #expect(again.isRepeat)
        #expect(again.operation.state == .succeeded)
        #expect(again.payment.capturedAmount == money(4_00))
    }

    /// Two of them would be more than the sums of an account can be.
    @Test(arguments: [money(Money.minorUnitsMax + 1), money(9_000_000_000_000_000_000), money(25, usd)])
    func feeThatCannotBeIsNotBooked(_ fee: Money) async throws {
        let log = CapturedLog()
        let upstream = try await Upstream.open(log: log)
        let outcome = try await upstream.shop.sell(money(10_00))
        let event = AcquirerNotice.Event.chargedBack(money(1_00), fee: fee)
        for number in 1...2 {
            let notice = AcquirerNotice(.operation(outcome.operation.id), event, reference: "cb-\(number)")
            _ = await upstream.shop.gateway.receive(
                notice, for: upstream.account, by: AcquirerName("simulator"))
            let members = ["amount": Upstream.json(money(1_00)), "fee": Upstream.json(fee)]
            await upstream.report("chargeback", of: outcome.operation.id, members)
        }
        let fees = LedgerBalances.Key(account: Bookkeeping.fees(of: upstream.account), layer: .posted, currency: cad)
        #expect(try await upstream.shop.store.read { try $0.ledgerSums() }[fees] == nil)
        // The money is gone all the same.
        let payment = try await upstream.shop.payment(outcome.payment.id)
        #expect(payment.chargedBackAmount == money(4_00))
        #expect(log.text.contains("fee of an acquirer's report cannot be booked"))
        #expect(try await upstream.problems() == [])
    }

    @Test func chargebackTakesFromWhatIsKept() async throws {
        let upstream = try await Upstream.open()
        let outcome = try await upstream.shop.sell(money(10_00))
        let payment = outcome.payment.id
        _ = try await upstream.shop.refund(money(2_00), of: payment)
        let members: [String: JSON] = [
            "amount": Upstream.json(money(6_00)), "fee": Upstream.json(money(25)), "reference": "cb-1",
        ]
        for _ in 0..<2 { #expect(await upstream.report("chargeback", of: outcome.operation.id, members).status == 200) }
        let after = try await upstream.shop.payment(payment)
        #expect(after.chargedBackAmount == money(6_00))
        #expect(after.refundableAmount == money(2_00))
        #expect(try await upstream.payable(of: payment) == (2_00, 0))
        #expect(try await upstream.problems() == [])
        #expect(try await upstream.shop.events(of: payment).map(\.kind).filter { $0 == .chargeback }.count == 1)
        // The fee is the acquirer's, and not the merchant's debt.
        let sums = try await upstream.shop.store.read { try $0.ledgerSums() }
        let fees = LedgerBalances.Key(
            account: Bookkeeping.fees(of: upstream.account), layer: .posted, currency: cad)
        #expect(sums[fees]?.debits == 25)
        await expectRefusal(.payment(.refundExceedsCaptured)) {
            _ = try await upstream.shop.refund(money(2_01), of: payment)
        }
    }

    @Test func chargebackThatIsGivenUpIsTheMerchantsAgain() async throws {
        let upstream = try await Upstream.open()
        let outcome = try await upstream.shop.sell(money(10_00))
        let amount = ["amount": Upstream.json(money(10_00)), "reference": "cb-1"] as [String: JSON]
        await upstream.report("chargeback", of: outcome.operation.id, amount)
        let reversal: [String: JSON] = ["chargeback": "cb-1", "reference": "cb-1-won"]
        for _ in 0..<2 { await upstream.report("chargebackReversed", of: outcome.operation.id, reversal) }
        let after = try await upstream.shop.payment(outcome.payment.id)
        #expect(after.chargedBackAmount == money(0))
        #expect(try await upstream.payable(of: after.id) == (10_00, 0))
        #expect(try await upstream.problems() == [])
    }

    /// Each by its name; that the money is the merchant's again is no warning.
    @Test func reportsAreLoggedByWhatTheyAre() async throws {
        let log = CapturedLog()
        let upstream = try await Upstream.open(log: log)
        let sale = try await upstream.shop.sell(money(10_00))
        let amount = ["amount": Upstream.json(money(4_00)), "reference": "cb-1"] as [String: JSON]
        await upstream.report("chargeback", of: sale.operation.id, amount)
        await upstream.report(
            "chargebackReversed", of: sale.operation.id, ["chargeback": "cb-1", "reference": "cb-1-won"])
        await upstream.report("failed", of: sale.operation.id)
        for line in [
            "warning cardholder's bank has charged back what was captured", "notice chargeback was reversed",
            "warning acquirer has taken back what it had approved",
        ] {
            #expect(log.lines.count { $0.hasPrefix(line) } == 1, "\(log.text)")
        }
    }

    /// What the bank has taken back for the cardholder is not given back once more by a void.
    @Test(arguments: [true, false]) func whatWasChargedBackIsNotVoided(isSale: Bool) async throws {
        let upstream = try await Upstream.open()
        let shop = upstream.shop
        let (payment, charge): (PaymentID, OperationID)
        if isSale {
            let sale = try await shop.sell(money(10_00))
            (payment, charge) = (sale.payment.id, sale.operation.id)
        } else {
            payment = try await shop.authorize(money(10_00)).payment.id
            charge = try await shop.capture(money(10_00), of: payment, isFinal: true).operation.id
        }
        let amount = ["amount": Upstream.json(money(4_00)), "reference": "cb-1"] as [String: JSON]
        await upstream.report("chargeback", of: charge, amount)
        await expectRefusal(.payment(.alreadyRefunded)) { _ = try await shop.void(.operation(charge), of: payment) }
        await upstream.report("chargebackReversed", of: charge, ["chargeback": "cb-1", "reference": "cb-1-won"])
        _ = try await shop.void(.operation(charge), of: payment)
        #expect(try await upstream.payable(of: payment).0 == 0)
        #expect(try await upstream.problems() == [])
    }

    @Test func moreThanWasCapturedIsNotChargedBack() async throws {
        let upstream = try await Upstream.open()
        let outcome = try await upstream.shop.sell(money(10_00))
        let amount = ["amount": Upstream.json(money(10_01))]
        #expect(await upstream.report("chargeback", of: outcome.operation.id, amount).status == 200)
        #expect(try await upstream.shop.payment(outcome.payment.id).chargedBackAmount == money(0))
    }
}
