//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
@_spi(Administration) import Gateway
import MemoryStore
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import Testing
import Time

/// What merchants are notified of: every outcome once, in order, until it is heard or given up.
struct DeliveryTests {
    @Test func everyEndIsReportedInTheOrderItCame() async throws {
        let shop = try await Shop.open()
        let sale = try await shop.sell(money(10_00))
        let refund = try await shop.refund(money(1_00), of: sale.payment.id)
        let first = try #require(try await shop.gateway.leaseDeliveries(limit: 10).first)
        #expect(first.event.kind == .authorizationSucceeded)
        #expect(first.event.target == Shop.notifyURL)
        #expect(first.payment == sale.payment, "the payment as it was then")
        #expect(first.operation == sale.operation)
        #expect(try await shop.gateway.leaseDeliveries(limit: 10).isEmpty, "the refund's event waits for the sale's")
        try await shop.gateway.record(.delivered("http_200"), of: first)
        let second = try #require(try await shop.gateway.leaseDeliveries(limit: 10).first)
        #expect(second.event.kind == .refundSucceeded)
        #expect(second.payment == refund.payment)
        try await shop.gateway.record(.delivered("http_200"), of: second)
        #expect(try await shop.gateway.leaseDeliveries(limit: 10).isEmpty)
        let events = try await shop.events(of: sale.payment.id)
        #expect(events.allSatisfy { $0.state == .delivered && $0.attemptsCount == 1 && $0.lastResult == "http_200" })
        #expect(try await shop.store.read { try $0.jobs(.deliver, limit: 10) }.isEmpty)
    }

    /// Shops take what comes before they have saved their order for somebody else's.
    @Test func aDialectsEventsWaitAsLongAsItsShopsNeed() async throws {
        let shop = try await Shop.open { $0.settings.notificationDelaysSeconds = [Shop.dialect: 10] }
        let sale = try await shop.sell(money(10_00))
        #expect(try await shop.gateway.leaseDeliveries(limit: 10).isEmpty)
        shop.clock.advance(seconds: 9)
        _ = try await shop.refund(money(1_00), of: sale.payment.id)
        #expect(try await shop.gateway.leaseDeliveries(limit: 10).isEmpty)
        shop.clock.advance(seconds: 1)
        let first = try #require(try await shop.gateway.leaseDeliveries(limit: 10).first)
        #expect(first.event.kind == .authorizationSucceeded)
        try await shop.gateway.record(.failed("http_500", retryAt: shop.clock.now), of: first)
        let again = try #require(try await shop.gateway.leaseDeliveries(limit: 10).first)
        try await shop.gateway.record(.delivered("http_200"), of: again)
        // The refund follows, and has a time of its own.
        #expect(try await shop.gateway.leaseDeliveries(limit: 10).isEmpty)
        shop.clock.advance(seconds: 8)
        #expect(try await shop.gateway.leaseDeliveries(limit: 10).isEmpty)
        shop.clock.advance(seconds: 1)
        let second = try #require(try await shop.gateway.leaseDeliveries(limit: 10).first)
        #expect(second.event.kind == .refundSucceeded)
    }

    @Test(arguments: [10, 300] as [Int64])
    func anEventOfAClockThatWasSetBackDoesNotWait(_ delaySeconds: Int64) async throws {
        let shop = try await Shop.open { $0.settings.notificationDelaysSeconds = [Shop.dialect: delaySeconds] }
        _ = try await shop.sell(money(10_00))
        shop.clock.advance(seconds: delaySeconds)
        _ = try await shop.gateway.leaseDeliveries(limit: 10)
        _ = try await shop.sell(money(11_00))
        shop.clock.advance(seconds: -3600)
        #expect(try await shop.gateway.leaseDeliveries(limit: 10).count == 2)
    }

    /// Rows that nobody can read are one payment's trouble.
    @Test func paymentThatCannotBeReadHoldsUpNoOther() async throws {
        let store = InterceptingStore(MemoryStore())
        let shop = try await Shop.open { $0.store = store }
        let broken = try await shop.sell(money(10_00)).payment.id
        let sound = try await shop.sell(money(11_00)).payment.id
        store.corrupt(broken)
        #expect(try await shop.gateway.leaseDeliveries(limit: 10).map(\.payment.id) == [sound])
        #expect(try await shop.gateway.leaseDeliveries(limit: 10).isEmpty)
        // Nothing of it is lost: it is tried again when its lease has ended.
        store.corrupt(nil)
        shop.clock.advance(seconds: shop.gateway.settings.deliveryLeaseSeconds + 1)
        #expect(try await shop.gateway.leaseDeliveries(limit: 10).map(\.payment.id).contains(broken))
    }

    /// More of them than are deleted at once.
    @Test func deliveredEventsGoOnceTheyWereKeptLongEnough() async throws {
        let shop = try await Shop.open { $0.settings.eventsKeptSeconds = 1000 }
        let sale = try await shop.sell(money(10_00))
        let count = 503
        let made = try #require(try await shop.events(of: sale.payment.id).first)
        try await shop.store.write { transaction in
            for number in 0..<count {
                var event = OutboxEvent(
                    id: EventID(at: made.createdAt, random: [UInt8(number / 256), UInt8(number % 256)]),
                    merchantID: made.merchantID, dialect: made.dialect, kind: made.kind, paymentID: made.paymentID,
                    operationID: made.operationID, paymentVersion: made.paymentVersion, target: made.target,
                    createdAt: made.createdAt)
                try transaction.insert(event)
                event.state = .delivered
                try transaction.update(event)
            }
        }
        shop.clock.advance(seconds: 1000)
        try await shop.gateway.deleteDeliveredEvents()
        #expect(try await shop.events(of: sale.payment.id).count == count + 1)
        shop.clock.advance(seconds: 1)
        try await shop.gateway.deleteDeliveredEvents()
        #expect(try await shop.events(of: sale.payment.id) == [made], "what has not been sent stays")
        let delivery = try #require(try await shop.gateway.leaseDeliveries(limit: 10).first)
        try await shop.gateway.record(.delivered("http_200"), of: delivery)
        try await shop.gateway.deleteDeliveredEvents()
        #expect(try await shop.events(of: sale.payment.id).isEmpty)
        let refund = try await shop.refund(money(1_00), of: sale.payment.id)
        #expect(try await shop.gateway.leaseDeliveries(limit: 10).first?.payment == refund.payment)
    }

    /// It goes on from where it was, and from the beginning when it is asked to: an old event may have been sent again.
    @Test func deliveredEventsAreLookedForFromAPlaceOn() async throws {
        let shop = try await Shop.open { $0.settings.eventsKeptSeconds = 1000 }
        let sale = try await shop.sell(money(10_00))
        let made = try #require(try await shop.events(of: sale.payment.id).first)
        let ids = (0..<3 as Range<Int64>).map { EventID(at: made.createdAt.adding(seconds: $0 - 10), random: [1]) }
        try await shop.store.write { transaction in
            for (id, state) in zip(ids, [OutboxEvent.State.dead, .delivered, .dead]) {
                var event = OutboxEvent(
                    id: id, merchantID: made.merchantID, dialect: made.dialect, kind: made.kind,
                    paymentID: made.paymentID, operationID: made.operationID, paymentVersion: made.paymentVersion,
                    target: made.target, createdAt: made.createdAt)
                try transaction.insert(event)
                event.state = state
                try transaction.update(event)
            }
        }
        shop.clock.advance(seconds: 1001)
        let left = { try await shop.events(of: sale.payment.id).map(\.id).sorted() }
        #expect(try await shop.gateway.deleteDeliveredEvents() == ids[1])
        #expect(try await left() == [ids[0], ids[2], made.id])
        #expect(try await shop.gateway.deleteDeliveredEvents(after: ids[1]) == ids[1])
        for id in [ids[0], ids[2]] {
            try await shop.store.write { transaction in
                guard var event = try transaction.event(id) else { return }
                event.state = .delivered
                try transaction.update(event)
            }
        }
        #expect(try await shop.gateway.deleteDeliveredEvents(after: ids[1]) == ids[2])
        #expect(try await left() == [ids[0], made.id])
        #expect(try await shop.gateway.deleteDeliveredEvents() == ids[0])
        #expect(try await left() == [made.id])
    }

    @Test func eventThatComesWhileAnotherIsOnItsWayFollowsIt() async throws {
        let shop = try await Shop.open()
        let sale = try await shop.sell(money(10_00))
        let first = try #require(try await shop.gateway.leaseDeliveries(limit: 10).first)
        _ = try await shop.refund(money(1_00), of: sale.payment.id)
        #expect(try await shop.gateway.leaseDeliveries(limit: 10).isEmpty)
        try await shop.gateway.record(.delivered("http_200"), of: first)
        #expect(try await shop.gateway.leaseDeliveries(limit: 10).first?.event.kind == .refundSucceeded)
    }

    @Test func failedAttemptIsRepeatedWhenItIsDueAndSaysTheSame() async throws {
        let shop = try await Shop.open()
        let sale = try await shop.sell(money(10_00))
        let first = try #require(try await shop.gateway.leaseDeliveries(limit: 10).first)
        let retryAt = shop.clock.now.adding(seconds: 120)
        try await shop.gateway.record(.failed("http_503", retryAt: retryAt), of: first)
        shop.clock.advance(seconds: 119)
        #expect(try await shop.gateway.leaseDeliveries(limit: 10).isEmpty)
        _ = try await shop.refund(money(1_00), of: sale.payment.id)
        #expect(try await shop.gateway.leaseDeliveries(limit: 10).isEmpty, "a later event does not overtake it")
        shop.clock.advance(seconds: 1)
        let second = try #require(try await shop.gateway.leaseDeliveries(limit: 10).first)
        #expect(second.event.id == first.event.id)
        #expect(second.event.attemptsCount == 1)
        #expect(second.event.lastResult == "http_503")
        #expect(second.payment == first.payment)
    }

    @Test func deadEventIsPutAsideAndTheNextOneFollows() async throws {
        let shop = try await Shop.open()
        let sale = try await shop.sell(money(10_00))
        _ = try await shop.refund(money(1_00), of: sale.payment.id)
        let first = try #require(try await shop.gateway.leaseDeliveries(limit: 10).first)
        try await shop.gateway.record(.failed("timeout", retryAt: nil), of: first)
        let second = try #require(try await shop.gateway.leaseDeliveries(limit: 10).first)
        #expect(second.event.kind == .refundSucceeded)
        #expect(try await shop.events(of: sale.payment.id).map(\.state) == [.dead, .pending])
        try await shop.gateway.record(.failed("timeout", retryAt: nil), of: second)
        #expect(try await shop.gateway.leaseDeliveries(limit: 10).isEmpty)
    }

    @Test func lateRecordOfADeadOrDeliveredEventChangesNothing() async throws {
        let shop = try await Shop.open()
        let sale = try await shop.sell(money(10_00))
        let delivery = try #require(try await shop.gateway.leaseDeliveries(limit: 10).first)
        try await shop.gateway.record(.delivered("http_200"), of: delivery)
        try await shop.gateway.record(.failed("timeout", retryAt: nil), of: delivery)
        #expect(try await shop.events(of: sale.payment.id).map(\.state) == [.delivered])
    }

    // MARK: - Events of several messages

    /// Strictly one after the other, and each with attempts of its own.
    @Test func everyMessageIsSentInItsTurnAndOnlyTheFailedOneAgain() async throws {
        let shop = try await Shop.open()
        let sale = try await shop.sell(money(10_00))
        _ = try await shop.refund(money(1_00), of: sale.payment.id)
        let lease = { try await shop.gateway.leaseDeliveries(limit: 10) }
        let first = try #require(try await lease().first)
        #expect(first.event.messageIndex == 0)
        let retryAt = shop.clock.now.adding(seconds: 5)
        try await shop.gateway.record(.failed("http_503", retryAt: retryAt), of: first, messagesCount: 2)
        shop.clock.advance(seconds: 5)
        let again = try #require(try await lease().first)
        #expect(again.event.messageIndex == 0 && again.event.attemptsCount == 1)
        try await shop.gateway.record(.delivered("http_200"), of: again, messagesCount: 2)

        let second = try #require(try await lease().first)
        #expect(second.event.id == first.event.id, "the next event waits for both messages")
        #expect(second.event.messageIndex == 1 && second.event.attemptsCount == 0, "attempts start anew")
        #expect(second.event.state == .pending && second.event.lastResult == "http_200")
        #expect(second.payment == first.payment)
        let later = shop.clock.now.adding(seconds: 7)
        try await shop.gateway.record(.failed("timeout", retryAt: later), of: second, messagesCount: 2)
        shop.clock.advance(seconds: 6)
        #expect(try await lease().isEmpty)
        shop.clock.advance(seconds: 1)
        let secondAgain = try #require(try await lease().first)
        #expect(secondAgain.event.messageIndex == 1 && secondAgain.event.attemptsCount == 1)
        try await shop.gateway.record(.delivered("http_200"), of: secondAgain, messagesCount: 2)

        let event = try #require(try await shop.events(of: sale.payment.id).first)
        #expect(event.state == .delivered && event.messageIndex == 1 && event.attemptsCount == 2)
        #expect(try await lease().first?.event.kind == .refundSucceeded)
    }

    @Test func messageThatIsGivenUpEndsItsEvent() async throws {
        let shop = try await Shop.open()
        let sale = try await shop.sell(money(10_00))
        _ = try await shop.refund(money(1_00), of: sale.payment.id)
        let first = try #require(try await shop.gateway.leaseDeliveries(limit: 10).first)
        try await shop.gateway.record(.failed("timeout", retryAt: nil), of: first, messagesCount: 2)
        #expect(try await shop.events(of: sale.payment.id).map(\.state) == [.dead, .pending])
        let next = try #require(try await shop.gateway.leaseDeliveries(limit: 10).first)
        #expect(next.event.kind == .refundSucceeded && next.event.messageIndex == 0)
    }

    /// A sender whose lease has ended, and whose message somebody else has sent.
    @Test func lateRecordOfAnEarlierMessageChangesNothing() async throws {
        let shop = try await Shop.open()
        let sale = try await shop.sell(money(10_00))
        let first = try #require(try await shop.gateway.leaseDeliveries(limit: 10).first)
        try await shop.gateway.record(.delivered("http_200"), of: first, messagesCount: 2)
        let before = try await shop.events(of: sale.payment.id)
        try await shop.gateway.record(.delivered("http_200"), of: first, messagesCount: 2)
        try await shop.gateway.record(.failed("timeout", retryAt: nil), of: first, messagesCount: 2)
        #expect(try await shop.events(of: sale.payment.id) == before)
    }

    // MARK: - Sending again

    @Test func deadEventIsSentAgainFromItsFirstMessage() async throws {
        let shop = try await Shop.open()
        let sale = try await shop.sell(money(10_00))
        let lease = { try await shop.gateway.leaseDeliveries(limit: 10) }
        let first = try #require(try await lease().first)
        try await shop.gateway.record(.delivered("http_200"), of: first, messagesCount: 2)
        let second = try #require(try await lease().first)
        try await shop.gateway.record(.failed("http_500", retryAt: nil), of: second, messagesCount: 2)
        #expect(try await lease().isEmpty)

        try await shop.gateway.administration.resend(first.event.id)
        let event = try #require(try await shop.events(of: sale.payment.id).first)
        #expect(event.state == .pending && event.messageIndex == 0 && event.attemptsCount == 0)
        #expect(event.lastResult == "http_500", "what happened last stays known until the next try")
        let again = try #require(try await lease().first)
        #expect(again.event.id == first.event.id && again.event.messageIndex == 0)
        #expect(again.payment == first.payment, "it says the same")
        try await shop.gateway.record(.delivered("http_200"), of: again)
        #expect(try await shop.events(of: sale.payment.id).map(\.state) == [.delivered])
        #expect(try await lease().isEmpty)
    }

    @Test func deliveredEventIsSentAgain() async throws {
        let shop = try await Shop.open()
        _ = try await shop.sell(money(10_00))
        let first = try #require(try await shop.gateway.leaseDeliveries(limit: 10).first)
        try await shop.gateway.record(.delivered("http_200"), of: first)
        try await shop.gateway.administration.resend(first.event.id)
        #expect(try await shop.gateway.leaseDeliveries(limit: 10).first?.event.id == first.event.id)
    }

    @Test func resentEventGoesBeforeLaterOnesThatArePending() async throws {
        let shop = try await Shop.open()
        let sale = try await shop.sell(money(10_00))
        _ = try await shop.refund(money(1_00), of: sale.payment.id)
        let lease = { try await shop.gateway.leaseDeliveries(limit: 10) }
        let first = try #require(try await lease().first)
        try await shop.gateway.record(.failed("timeout", retryAt: nil), of: first)
        let second = try #require(try await lease().first)
        let retryAt = shop.clock.now.adding(seconds: 3600)
        try await shop.gateway.record(.failed("timeout", retryAt: retryAt), of: second)
        #expect(try await lease().isEmpty)
        try await shop.gateway.administration.resend(first.event.id)
        let resent = try #require(try await lease().first)
        #expect(resent.event.id == first.event.id)
        try await shop.gateway.record(.delivered("http_200"), of: resent)
        let next = try #require(try await lease().first)
        #expect(next.event.id == second.event.id && next.event.attemptsCount == 1)
    }

    /// A try by hand is none of the schedule's: however often somebody asks, none of those is used up.
    @Test func pendingEventIsMadeDueAndKeepsItsTries() async throws {
        let shop = try await Shop.open()
        _ = try await shop.sell(money(10_00))
        let first = try #require(try await shop.gateway.leaseDeliveries(limit: 10).first)
        let retryAt = shop.clock.now.adding(seconds: 3600)
        try await shop.gateway.record(.failed("http_503", retryAt: retryAt), of: first)
        #expect(try await shop.gateway.leaseDeliveries(limit: 10).isEmpty)
        for _ in 0..<5 {
            try await shop.gateway.administration.resend(first.event.id)
            // What is due already is due once.
            try await shop.gateway.administration.resend(first.event.id)
            let again = try #require(try await shop.gateway.leaseDeliveries(limit: 10).first)
            #expect(again.event.id == first.event.id && again.event.attemptsCount == 0)
            try await shop.gateway.record(.failed("http_503", retryAt: retryAt), of: again)
            let event = try #require(try await shop.store.read { try $0.event(first.event.id) })
            #expect(event.attemptsCount == 1 && event.state == .pending)
        }
    }

    /// It is not tried sooner for being asked for: the earlier one goes first.
    @Test func eventThatWaitsForAnotherIsGivenNoTry() async throws {
        let shop = try await Shop.open()
        let sale = try await shop.sell(money(10_00))
        _ = try await shop.refund(money(1_00), of: sale.payment.id)
        let lease = { try await shop.gateway.leaseDeliveries(limit: 10) }
        let first = try #require(try await lease().first)
        try await shop.gateway.record(.failed("timeout", retryAt: nil), of: first)
        let second = try #require(try await lease().first)
        let retryAt = shop.clock.now.adding(seconds: 3600)
        try await shop.gateway.record(.failed("timeout", retryAt: retryAt), of: second)
        try await shop.gateway.administration.resend(first.event.id)
        try await shop.gateway.administration.resend(second.event.id)
        #expect(try await shop.store.read { try $0.event(second.event.id) }?.attemptsCount == 1)
    }

    @Test func eventWithoutAMessageIsNotSentAgain() async throws {
        let shop = try await Shop.open()
        let sale = try await shop.sell(money(10_00))
        let first = try #require(try await shop.gateway.leaseDeliveries(limit: 10).first)
        try await shop.gateway.record(.delivered("not_told"), of: first)
        let error = await #expect(throws: AdministrationError.self) {
            try await shop.gateway.administration.resend(first.event.id)
        }
        #expect(error?.code == .messageNotSent)
        #expect(try await shop.events(of: sale.payment.id).map(\.state) == [.delivered])
    }

    @Test func unknownEventIsNotResent() async throws {
        let shop = try await Shop.open()
        _ = try await shop.sell(money(10_00))
        let unknown = EventID(at: shop.clock.now, random: [1, 2, 3])
        let error = await #expect(throws: AdministrationError.self) {
            try await shop.gateway.administration.resend(unknown)
        }
        #expect(error?.code == .eventUnknown)
        #expect(try await shop.gateway.leaseDeliveries(limit: 10).count == 1, "nothing else has changed")
    }

    @Test func leaseHoldsUntilItEnds() async throws {
        let shop = try await Shop.open()
        _ = try await shop.sell(money(10_00))
        let other = try await shop.restarted()
        let first = try await shop.gateway.leaseDeliveries(limit: 10)
        #expect(first.count == 1)
        shop.clock.advance(seconds: 29)
        #expect(try await other.gateway.leaseDeliveries(limit: 10).isEmpty)
        shop.clock.advance(seconds: 1)
        #expect(try await other.gateway.leaseDeliveries(limit: 10) == first)
    }

    @Test func onePaymentsDeadShopDoesNotHoldUpAnother() async throws {
        let shop = try await Shop.open()
        _ = try await shop.sell(money(10_00))
        _ = try await shop.sell(money(20_00))
        #expect(try await shop.gateway.leaseDeliveries(limit: 1).count == 1)
        #expect(try await shop.gateway.leaseDeliveries(limit: 10).count == 1)
    }

    @Test func declinesVoidsCapturesAndReversalsAreReported() async throws {
        let shop = try await Shop.open()
        let declined = try await shop.authorize(money(57_57)).payment.id
        let reversed = try await shop.authorize(money(61_61)).payment.id
        let voided = try await shop.authorize(money(10_00)).payment.id
        _ = try await shop.void(voided)
        let captured = try await shop.authorize(money(100_00)).payment.id
        _ = try await shop.capture(money(57_57), of: captured)
        _ = try await shop.capture(money(1_00), of: captured)
        _ = try await shop.refund(money(1_00), of: captured)
        let kinds = { (id: PaymentID) in try await shop.events(of: id).map(\.kind) }
        #expect(try await kinds(declined) == [.authorizationFailed])
        #expect(try await kinds(reversed) == [.authorizationFailed])
        #expect(try await kinds(voided) == [.authorizationSucceeded, .voidSucceeded])
        #expect(
            try await kinds(captured) == [
                .authorizationSucceeded, .captureFailed, .captureSucceeded, .refundSucceeded,
            ])
    }

    @Test func nobodyIsNotifiedOfAnUnknownOutcomeUntilItIsKnown() async throws {
        let shop = try await Shop.open()
        let sale = try await shop.sell(money(58_58))
        #expect(try await shop.gateway.leaseDeliveries(limit: 10).isEmpty)
        try await shop.recoverUntilSettled()
        let delivery = try #require(try await shop.gateway.leaseDeliveries(limit: 10).first)
        #expect(delivery.event.kind == .authorizationSucceeded)
        #expect(delivery.operation.id == sale.operation.id)
    }

    @Test func nobodyIsNotifiedWhereNoTargetIsNamed() async throws {
        let shop = try await Shop.open()
        let outcome = try await shop.gateway.authorize(shop.authorization(of: money(10_00), notifyURL: nil))
        #expect(try await shop.events(of: outcome.payment.id).isEmpty)
        #expect(try await shop.gateway.leaseDeliveries(limit: 10).isEmpty)
    }

    @Test func deliveryNamesItsMerchantAndOrder() async throws {
        let shop = try await Shop.open()
        let order = try await shop.makeOrder(money(10_00))
        _ = try await shop.pay(order)
        let delivery = try #require(try await shop.gateway.leaseDeliveries(limit: 10).first)
        #expect(delivery.order?.id == order.id)
        let merchant = try #require(try await shop.gateway.merchantContext(for: delivery))
        #expect(merchant.merchant == shop.merchant.merchant)
        #expect(merchant.accountKey == "account-first")
    }
}
