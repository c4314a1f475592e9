//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectConformance
import DialectKit
import Gateway
import HTTPTypes
import Money
import PAYONE
import Payments
import SimulatorAcquirer
import TestGateway
import Testing
import Time

@Suite struct NotificationTests {
    @Test func reportsAPreauthorizationAndItsCaptures() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        #expect(
            try await shop.send(ShopForm.capture(txid, 250, mode: "notcompleted")).status == "APPROVED")
        #expect(try await shop.send(ShopForm.capture(txid, 500, sequenceNumber: 2)).status == "APPROVED")
        #expect(
            try await shop.sent().map(\.summary) == [
                "appointed 0 10.00/0.00/0.00",
                "capture 1 10.00/2.50/2.50", "paid 1 10.00/0.00/2.50",
                "capture 2 10.00/5.00/7.50", "paid 2 10.00/0.00/7.50",
            ])
    }

    /// Shops find what was paid by its number, and count on from that of the last message.
    @Test func theNextNumberFollowsFromTheLastMessage() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        for number in 1...3 {
            let form = ShopForm.capture(txid, 100, sequenceNumber: number, mode: "notcompleted")
            #expect(try await shop.send(form).status == "APPROVED")
            let last = try #require(try await shop.sent().last)
            #expect(last["txaction"] == "paid" && last["sequencenumber"] == String(number))
        }
    }

    /// The vendor's sample of a wallet authorization.
    @Test func reportsAnAuthorization() async throws {
        let shop = try await TestShop.open()
        _ = try await shop.paid(111)
        #expect(
            try await shop.sent().map(\.summary) == ["appointed 0 1.11/1.11/1.11", "paid 0 1.11/0.00/1.11"])
    }

    /// A bank takes parts back, and then the payment comes to nothing: each message says what is open in all, and no more than
    /// was paid.
    @Test func aCancelationsBalanceIsWhatIsOpenInAll() async throws {
        let shop = try await TestShop.open()
        _ = try await shop.paid()
        _ = try await shop.sent()
        let sale = try #require(try await shop.payment().opening).id
        for number in 1...2 {
            let event = AcquirerNotice.Event.chargedBack(TestShop.euros(400), fee: nil)
            #expect(try await shop.test.report(event, of: sale, reference: "chargeback \(number)") == .booked)
        }
        let late = AcquirerNotice.Event.failedLate(.systemError, AcquirerAnswer())
        #expect(try await shop.test.report(late, of: sale, reference: "late") == .booked)
        #expect(
            try await shop.sent().map(\.summary) == [
                "cancelation 0 10.00/4.00/10.00", "cancelation 0 10.00/8.00/10.00", "cancelation 0 10.00/10.00/10.00",
            ])
    }

    @Test func reportsDebitsAndRefunds() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.paid()
        _ = try await shop.sent()
        #expect(try await shop.send(ShopForm.debit(txid, -400, sequenceNumber: 1)).status == "APPROVED")
        #expect(
            try await shop.send(ShopForm.debit(txid, -600, sequenceNumber: 2, request: "refund")).status == "APPROVED")
        let sent = try await shop.sent()
        #expect(sent.map(\.summary) == ["debit 1 10.00/0.00/6.00", "refund 2 10.00/0.00/0.00"])
        #expect(sent.allSatisfy { $0["transactiontype"] == "GT" })
    }

    /// `cancelation` is a returned debit or a chargeback to the shops: a reservation that was given back is none.
    @Test func aVoidIsNoCancelation() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        #expect(try await shop.send(ShopForm.capture(txid, 0)).status == "APPROVED")
        #expect(try await shop.sent().map(\.summary) == ["appointed 0 10.00/0.00/0.00"])
        #expect(try await shop.payment().state == .voided)
    }

    @Test func hasAllFieldsInOrder() async throws {
        let shop = try await TestShop.open()
        let form = try shop.preauthorization().merging(["customerid": "K-17", "param": "a&b=c\u{E9}"])
        let reply = try await shop.send(form)
        let sent = try #require(try await shop.sent().first)
        #expect(
            sent.names == [
                "key", "txaction", "transaction_status", "notify_version", "mode", "portalid", "aid", "clearingtype",
                "txtime", "currency", "userid", "customerid", "param", "txid", "reference", "sequencenumber", "price",
                "balance", "receivable",
            ])
        let expected: [String: String?] = [
            "key": ShopForm.Account.keyMD5, "txaction": "appointed", "transaction_status": "completed",
            "notify_version": "7.6", "mode": "test", "portalid": "2030405", "aid": "20002", "clearingtype": "wlt",
            "txtime": "1781524800", "currency": "EUR", "userid": reply["userid"], "customerid": "K-17",
            "param": "a&b=c\u{E9}", "txid": reply.txid, "reference": "10001_1", "sequencenumber": "0",
        ]
        for (name, value) in expected { #expect(sent[name] == value, "\(name)") }
        #expect(sent.target == TestShop.notificationURL)
        #expect(sent.headers["Content-Type"] == "application/x-www-form-urlencoded; charset=ISO-8859-1")
        #expect(sent.headers["User-Agent"] == "PAYONE FinanceGate")
    }

    @Test func sendsNothingWithoutAnAddress() async throws {
        let shop = try await TestShop.open(notificationURL: nil)
        _ = try await shop.paid()
        #expect(try await shop.sent().isEmpty)
    }

    // MARK: - Failures

    /// A decline is answered at once, without a txid: the shop could do nothing with a notification.
    @Test func reportsNoDeclineThatWasAnswered() async throws {
        let shop = try await TestShop.open()
        #expect(try await shop.send(shop.preauthorization(TestShop.euros(5757))).status == "ERROR")
        #expect(try await shop.sent().isEmpty)
        let txid = try await shop.preauthorized(reference: "2")
        _ = try await shop.sent()
        shop.direct(.capture, .decline(.doNotHonor))
        #expect(try await shop.send(ShopForm.capture(txid, 1000)).errorCode == 5)
        #expect(try await shop.sent().isEmpty)
    }

    /// Nor where other requests of the payment process began and ended before the bank declined this one.
    @Test func reportsNoDeclineThatWasAnsweredAfterOthers() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.paid()
        _ = try await shop.sent()
        shop.test.script.append(
            .init(
                .refund, .nth(1), fault: .decline(.doNotHonor),
                beforeAnswer: {
                    let other = try? await shop.send(ShopForm.debit(txid, -100, sequenceNumber: 2))
                    #expect(other?.status == "APPROVED")
                }))
        #expect(try await shop.send(ShopForm.debit(txid, -400, sequenceNumber: 1)).errorCode == 5)
        #expect(try await shop.sent().map(\.summary) == ["debit 2 10.00/0.00/9.00"])
    }

    /// Who was answered PENDING is notified of how it ended, whatever began and ended meanwhile.
    @Test func reportsADeclineThatWasAnsweredAsPending() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.paid()
        _ = try await shop.sent()
        shop.direct(.refund, .dropBeforeBooking)
        #expect(try await shop.send(ShopForm.debit(txid, -400, sequenceNumber: 1)).status == "PENDING")
        #expect(try await shop.send(ShopForm.debit(txid, -100, sequenceNumber: 2)).status == "APPROVED")
        await shop.test.recover()
        #expect(
            try await shop.sent().map(\.summary) == ["debit 2 10.00/0.00/9.00", "failed 1 10.00/0.00/9.00"])
    }

    /// Who was answered PENDING is notified of how it ended.
    @Test(
        arguments: [
            (
                SimulatorFault.dropBeforeBooking,
                ["appointed pending 0 10.00/0.00/0.00", "failed 0 10.00/0.00/0.00"], "21"
            ),
            (
                .dropAfterBooking,
                [
                    "appointed pending 0 10.00/0.00/0.00", "appointed 0 10.00/10.00/10.00",
                    "paid 0 10.00/0.00/10.00",
                ], nil
            ),
        ] as [(SimulatorFault, [String], String?)])
    func reportsHowAPendingPaymentEnded(fault: SimulatorFault, summaries: [String], reason: String?) async throws {
        let shop = try await TestShop.open()
        shop.direct(.authorize, fault)
        let form = try shop.preauthorization(request: "authorization")
        let pending = try await shop.send(form)
        #expect(pending.status == "PENDING" && pending["userid"] != nil)
        #expect(try await shop.sent().isEmpty)
        await shop.test.recover()
        let sent = try await shop.sent()
        #expect(sent.map(\.summary) == summaries && sent.allSatisfy { $0["txid"] == pending.txid })
        #expect(sent.map { $0["reasoncode"] } == sent.map { $0["txaction"] == "failed" ? reason : nil })
        #expect(try await shop.send(form).status == (reason == nil ? "APPROVED" : "ERROR"))
    }

    @Test(
        arguments: [
            (SimulatorCall.capture, SimulatorFault.dropBeforeBooking, ["failed 1 10.00/0.00/0.00"]),
            (.capture, .dropAfterBooking, ["capture 1 10.00/10.00/10.00", "paid 1 10.00/0.00/10.00"]),
            // The same request once more says how the void ended.
            (.reverse, .dropAfterBooking, []),
        ] as [(SimulatorCall, SimulatorFault, [String])])
    func reportsHowAPendingFollowUpEnded(call: SimulatorCall, fault: SimulatorFault, summaries: [String]) async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        _ = try await shop.sent()
        shop.direct(call, fault)
        let form = ShopForm.capture(txid, call == .capture ? 1000 : 0)
        let pending = try await shop.send(form)
        #expect(pending.status == "PENDING" && pending["settleaccount"] == "no")
        await shop.test.recover()
        #expect(try await shop.sent().map(\.summary) == summaries)
        #expect(try await shop.send(form).status == (fault == .dropAfterBooking ? "APPROVED" : "ERROR"))
    }

    // MARK: - Acknowledgement and schedule

    @Test(arguments: [
        (200, "TSOK", true), (200, "SSOK", true), (200, "TSOK\n", true), (200, "TSOK\r\n", true), (204, "TSOK", true),
        (200, "", false), (200, "tsok", false), (200, " TSOK", false), (200, "TSOK ", false), (200, "TSOK\n\n", false),
        (200, "<html>TSOK</html>", false), (200, "TSNOTOK", false), (500, "TSOK", false), (302, "TSOK", false),
    ])
    func knowsAnAcknowledgement(status: Int, body: String, isOne: Bool) async throws {
        let shop = try await TestShop.open()
        #expect(shop.payone.isAcknowledged(status: status, body: Array(body.utf8)) == isOne)
    }

    @Test func triesTwelveTimesWithin48Hours() async throws {
        let delays = try await TestShop.open().payone.retrySchedule.delaysSeconds
        #expect(delays.count == 11 && delays.first == 3600 && delays.reduce(0, +) <= 48 * 3600)
        #expect(zip(delays, delays.dropFirst()).allSatisfy { $0 < $1 })
    }

    /// What is not acknowledged holds everything back that comes after it.
    @Test func sendsOneAfterTheOther() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.paid()
        let first = try await shop.test.deliverAll(through: shop.payone) { _ in (200, "<html/>") }
        #expect(first.count == 1)
        #expect(try await shop.send(ShopForm.debit(txid, -100, sequenceNumber: 1)).status == "APPROVED")
        #expect(try await shop.sent().isEmpty)
        shop.test.clock.advance(seconds: 3600)
        #expect(try await shop.sent().map { $0["txaction"] } == ["appointed", "paid", "debit"])
        #expect(try await shop.sent().isEmpty)
    }

    @Test func anAccountWithoutAKeySendsNothing() async throws {
        let shop = try await TestShop.open()
        _ = try await shop.paid()
        try await shop.test.gateway.administration.putAccount(
            merchant: shop.merchant.id, dialect: PAYONE.dialectName, key: ShopForm.Account.portalID,
            settings: ["notificationURL": TestShop.notificationURL], secrets: [:])
        shop.test.clock.advance(seconds: 3600)
        await #expect(throws: (any Error).self) { try await shop.sent() }
    }
}
