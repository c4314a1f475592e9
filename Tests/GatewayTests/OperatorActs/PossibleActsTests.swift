//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
@_spi(Administration) import Gateway
import Money
import Payments
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing

/// What is possible to do to a payment now, and up to which amount.
struct PossibleActsTests {
    private static func possible(_ id: PaymentID, _ shop: Shop) async throws -> PossibleActs {
        try await shop.gateway.administration.possibleActs(of: id, plans: [])
    }

    @Test func authorizationIsCapturedOrVoided() async throws {
        let shop = try await Shop.open()
        let outcome = try await shop.authorize(money(10_00))
        let id = outcome.payment.id
        let fresh = try await Self.possible(id, shop)
        #expect(fresh.capture.bounds?.upTo == money(10_00) && fresh.capture.bounds?.isInParts == true)
        #expect(fresh.capture.bounds?.mayBeFinal == true)
        #expect(fresh.void.bounds?.operation == outcome.operation.id && fresh.void.bounds?.amount == money(10_00))
        #expect(fresh.void.bounds?.isSale == false && fresh.refund == .refused(.notCaptured))
        _ = try await shop.capture(money(4_00), of: id)
        let partly = try await Self.possible(id, shop)
        #expect(partly.capture.bounds?.upTo == money(6_00))
        #expect(partly.void == .refused(.alreadyCaptured) && partly.refund.bounds?.upTo == money(4_00))
        _ = try await shop.refund(nil, of: id)
        _ = try await shop.capture(nil, of: id, isFinal: true)
        let done = try await Self.possible(id, shop)
        #expect(done.capture == .refused(.captureIsFinal) && done.refund.bounds?.upTo == money(6_00))
        let voided = try await shop.authorize(money(10_00)).payment.id
        _ = try await shop.void(voided)
        let gone = try await Self.possible(voided, shop)
        #expect(
            [gone.capture.refusal, gone.void.refusal, gone.refund.refusal].allSatisfy { $0 == .alreadyVoided })
    }

    @Test func saleIsVoidedUntilItIsRefunded() async throws {
        let shop = try await Shop.open()
        let sale = try await shop.sell(money(10_00))
        let fresh = try await Self.possible(sale.payment.id, shop)
        #expect(fresh.void.bounds?.isSale == true && fresh.void.bounds?.amount == money(10_00))
        #expect(fresh.refund.bounds?.upTo == money(10_00) && fresh.refund.bounds?.captures == [])
        _ = try await shop.refund(money(1_00), of: sale.payment.id)
        #expect(try await Self.possible(sale.payment.id, shop).void == .refused(.alreadyRefunded))
    }

    @Test func nothingIsPossibleWhileNobodyKnowsHowItBegan() async throws {
        let shop = try await Shop.open()
        shop.script.append(.init(.authorize, .first(1), fault: .dropBeforeBooking))
        let lost = try await shop.authorize(money(10_00))
        let possible = try await Self.possible(lost.payment.id, shop)
        #expect(possible.capture == .refused(.authorizationUnknown))
        #expect(possible.void == .refused(.authorizationUnknown) && possible.refund == .refused(.authorizationUnknown))
        let verified = try await shop.verify().payment.id
        #expect(try await Self.possible(verified, shop).capture == .refused(.verificationOnly))
    }

    /// A capture that is under way is in the way of the last one, and of no other.
    @Test func lastCaptureWaitsForTheOthers() async throws {
        let shop = try await Shop.open()
        let id = try await shop.authorize(money(10_00)).payment.id
        shop.script.append(.init(.capture, .first(1), fault: .dropBeforeBooking))
        _ = try await shop.capture(money(4_00), of: id)
        let possible = try await Self.possible(id, shop)
        #expect(possible.capture.bounds?.upTo == money(6_00) && possible.capture.bounds?.mayBeFinal == false)
        #expect(possible.void == .refused(.capturePending) && possible.refund == .refused(.capturePending))
    }

    /// Where all that is left is under way it is not gone: it may come to nothing.
    @Test func whatIsUnderWayIsSaidToBe() async throws {
        let shop = try await Shop.open()
        let acts = shop.gateway.administration
        let id = try await shop.authorize(money(10_00)).payment.id
        _ = try await shop.capture(money(4_00), of: id)
        shop.script.append(.init(.capture, .nth(2), fault: .dropBeforeBooking))
        _ = try await shop.capture(money(6_00), of: id)
        #expect(try await Self.possible(id, shop).capture == .refused(.capturePending))
        let capture = await PaymentActTests.error {
            _ = try await acts.capture(id, amount: nil, isFinal: false, key: "c", reason: nil, plans: [])
        }
        #expect(capture?.refusal == .capturePending)
        _ = try await shop.refund(money(1_00), of: id)
        shop.script.append(.init(.refund, .nth(2), fault: .dropBeforeBooking))
        _ = try await shop.refund(money(2_00), of: id)
        // A part can be named; all cannot.
        #expect(try await Self.possible(id, shop).refund.bounds?.upTo == money(1_00))
        let refund = await PaymentActTests.error {
            _ = try await acts.refund(id, amount: nil, key: "r", reason: nil, plans: [])
        }
        #expect(refund?.refusal == .refundPending && refund?.message.contains("Up to 1.00 CAD") == true)
        _ = try await shop.refund(money(1_00), of: id)
        #expect(try await Self.possible(id, shop).refund == .refused(.refundPending))
        try await shop.recoverUntilSettled()
        let rest = try await acts.refund(id, amount: nil, key: "r", reason: nil, plans: [])
        #expect(rest.operation.amount == money(2_00))
    }

    // MARK: - Several captures

    /// 40.00 and 60.00 captured, at an acquirer that refunds one capture at a time or does not care.
    private static func captured(oneAtATime: Bool) async throws -> (Shop, PaymentID, [OperationID]) {
        let shop = try await Shop.open { options in
            options.acquirer = { base in
                InterceptingAcquirer(
                    base, base.capabilities.changed { $0.refundsOneCapture = oneAtATime }, outcomes: { await $1() })
            }
        }
        let id = try await shop.authorize(money(100_00)).payment.id
        let captures = [
            try await shop.capture(money(40_00), of: id).operation.id,
            try await shop.capture(money(60_00), of: id).operation.id,
        ]
        return (shop, id, captures)
    }

    @Test func refundNamesTheCaptureThatHasEnoughLeft() async throws {
        let (shop, id, captures) = try await Self.captured(oneAtATime: true)
        let acts = shop.gateway.administration
        let large = try await acts.refund(id, amount: money(50_00), key: "1", reason: nil, plans: [])
        #expect(large.operation.target == captures[1])
        let small = try await acts.refund(id, amount: money(6_00), key: "2", reason: nil, plans: [])
        #expect(small.operation.target == captures[1])
        let possible = try await Self.possible(id, shop)
        #expect(possible.refund.bounds?.upTo == money(40_00) && possible.refund.bounds?.total == money(44_00))
        #expect(
            possible.refund.bounds?.captures.map(\.left) == [money(40_00), money(4_00)])
        let both = await PaymentActTests.error {
            _ = try await acts.refund(id, amount: nil, key: "3", reason: nil, plans: [])
        }
        #expect(both?.refusal == .refundExceedsCaptured && both?.possible?.refund.bounds?.upTo == money(40_00))
        let named = try await acts.refund(id, amount: nil, of: captures[0], key: "3", reason: nil, plans: [])
        #expect(named.operation.amount == money(40_00) && named.operation.target == captures[0])
        // What is left of the other is the same by whatever name.
        let rest = try await acts.refund(id, amount: nil, key: "4", reason: nil, plans: [])
        #expect(rest.operation.amount == money(4_00) && rest.payment.state == .refunded)
        try await expectAgreement(shop)
    }

    @Test func refundOfAllCapturesGoesWhereTheAcquirerTakesIt() async throws {
        let (shop, id, _) = try await Self.captured(oneAtATime: false)
        #expect(try await Self.possible(id, shop).refund.bounds?.upTo == money(100_00))
        let all = try await shop.gateway.administration.refund(id, amount: nil, key: "1", reason: nil, plans: [])
        #expect(all.operation.target == nil && all.payment.state == .refunded)
        try await expectAgreement(shop)
    }

    @Test func viewSaysBoundsOrTheRule() async throws {
        let shop = try await Shop.open()
        let id = try await shop.authorize(money(10_00)).payment.id
        let view = try await Self.possible(id, shop).view
        #expect(view["capture"]?["upTo"]?.string == "10.00" && view["refund"]?["refused"]?.string == "notCaptured")
    }
}

extension PossibleActs.Possibility {
    fileprivate var refusal: PaymentRefusal? {
        guard case .refused(let refusal) = self else { return nil }
        return refusal
    }
}
