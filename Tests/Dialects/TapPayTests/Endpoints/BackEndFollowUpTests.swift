//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import HTTPTypes
import Money
import Payments
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing
import Time

@testable import TapPay

/// cap, refund and what takes them back.
@Suite struct BackEndFollowUpTests {
    /// A day's authorizations are captured at 23:00 in Taipei, 15:00 UTC; the clock begins at 12:00 UTC.
    @Test func delayZeroCapturesTheSameEvening() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.pay().recTradeID
        #expect(try await shop.record(trade)["record_status"]?.integer == 0)
        let due = shop.test.clock.now.adding(seconds: 3 * 3600)
        #expect(try await shop.record(trade)["cap_millis"]?.integer == due.milliseconds)
        shop.test.clock.advance(to: due.adding(seconds: -1))
        #expect(await shop.test.gateway.captureDue() == 0)
        shop.test.clock.advance(to: due)
        #expect(await shop.test.gateway.captureDue() == 1)
        let record = try await shop.record(trade)
        #expect(record["record_status"]?.integer == 1 && record["is_captured"] == true)
        #expect(record["cap_millis"]?.integer == due.milliseconds)
    }

    @Test func delayOfDaysAndNoCaptureAtAll() async throws {
        let shop = try await BackEndShop.open(settings: ["captureTime": "02:30"])
        let late = try await shop.pay(changing: ["delay_capture_in_days": 3]).recTradeID
        let never = try await shop.pay(changing: ["delay_capture_in_days": -1]).recTradeID
        // 2026-06-15 in Taipei; 02:30 there is 18:30 UTC of the day before.
        let due = try #require(Timestamp(rfc3339: "2026-06-17T18:30:00Z"))
        #expect(try await shop.record(late)["cap_millis"]?.integer == due.milliseconds)
        #expect(try await shop.record(never)["cap_millis"]?.integer == 0)
        shop.test.clock.advance(to: due)
        #expect(await shop.test.gateway.captureDue() == 1)
        #expect(try await shop.record(late)["is_captured"] == true)
        #expect(try await shop.record(never)["is_captured"] == false)
    }

    @Test func partIsRefundedOnlyAfterTheCapture() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.pay(1000).recTradeID
        let early = try await shop.follow("refund", trade, ["amount": 400])
        #expect(early.status == 10024 && early.message == "Authorized transaction cannot be partially refunded")
        #expect(early.detail.contains("/tpc/transaction/cap"))
        #expect(try await shop.follow("refund", trade, ["amount": 1001]).status == 10051)
        shop.test.clock.advance(seconds: 3 * 3600)
        #expect(await shop.test.gateway.captureDue() == 1)
        let refund = try await shop.follow("refund", trade, ["amount": "400", "bank_refund_id": "R1"])
        #expect(refund.status == 0 && refund.integer("refund_amount") == 400)
        #expect(refund.json["is_captured"] == true && refund["currency"] == "TWD")
        #expect(refund["refund_id"].hasPrefix("RF2026") && refund["bank_refund_order_number"].count == 12)
        let record = try await shop.record(trade)
        #expect(record["record_status"]?.integer == 2 && record["amount"]?.integer == 600)
        #expect(record["refunded_amount"]?.integer == 400 && record["original_amount"]?.integer == 1000)
        #expect(try await shop.follow("refund", trade, ["amount": 601]).status == 10051)
        #expect(try await shop.follow("refund", trade).integer("refund_amount") == 600)
        #expect(try await shop.record(trade)["record_status"]?.integer == 3)
        #expect(try await shop.follow("refund", trade).status == 4014)
    }

    @Test func refundBeforeTheCaptureTakesTheAuthorizationBack() async throws {
        let shop = try await BackEndShop.open()
        for fields in [[:], ["amount": 100]] as [[String: JSON?]] {
            let trade = try await shop.pay(100).recTradeID
            let refund = try await shop.follow("refund", trade, fields)
            #expect(refund.status == 0 && refund.json["is_captured"] == false)
            #expect(refund.integer("refund_amount") == 100)
            let record = try await shop.record(trade)
            #expect(record["record_status"]?.integer == 3 && record["amount"]?.integer == 0)
            #expect(try await shop.follow("refund", trade).status == 4014)
            let capture = try await shop.follow("cap", trade)
            #expect(capture.status == 4002 && capture.detail.contains("refunded before it was captured"))
            let cancel = try await shop.follow(
                "refund/cancel", trade, ["refund_id": .string(refund["refund_id"])])
            #expect(cancel.status == 68)
        }
        #expect(try await shop.test.bookedCount(.capture) == 0)
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    @Test func sameBankRefundIDIsTheSameRefund() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.paid(1000)
        let first = try await shop.follow("refund", trade, ["amount": 300, "bank_refund_id": "R1"])
        let again = try await shop.follow("refund", trade, ["amount": 300, "bank_refund_id": "R1"])
        #expect(first.response.body == again.response.body)
        let other = try await shop.follow("refund", trade, ["amount": 301, "bank_refund_id": "R1"])
        #expect(other.status == 10011 && other.detail.contains("bank_refund_id"))
        #expect(try await shop.test.bookedCount(.refund) == 1)
        // Without one, every request is a refund of its own, but for a header that says otherwise.
        for _ in 0..<2 {
            try await shop.follow("refund", trade, ["amount": 100], headers: [.idempotencyKey: "k1"])
        }
        #expect(try await shop.test.bookedCount(.refund) == 2)
        // What is said names what was sent.
        let conflict = try await shop.follow("refund", trade, ["amount": 101], headers: [.idempotencyKey: "k1"])
        #expect(conflict.status == 10011 && conflict.detail.contains("Idempotency-Key"))
        #expect(!conflict.detail.contains("bank_refund_id"))
        #expect(
            try await shop.follow("refund", trade, headers: [.idempotencyKey: String(repeating: "k", count: 256)])
                .status
                == 5)
    }

    @Test(arguments: [String(repeating: "R", count: 41), "R\n1", "R\t1", "R\r1", "R\u{7F}1", "R\u{85}1"])
    func refusesABankRefundIDThatIsNone(_ id: String) async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.paid(1000)
        let refused = try await shop.follow("refund", trade, ["amount": 300, "bank_refund_id": .string(id)])
        #expect(refused.status == 5 && refused.detail.hasPrefix("bank_refund_id must"), "\(refused)")
        #expect(try await shop.test.bookedCount(.refund) == 0)
        let longest = String(repeating: "R", count: 40)
        let taken = try await shop.follow("refund", trade, ["amount": 300, "bank_refund_id": .string(longest)])
        #expect(taken.status == 0)
    }

    @Test(arguments: [("0", 510), ("-5", 510), ("x", 510), ("1.5", 510), ("", 510)] as [(String, Int64)])
    func refusesARefundOfNoAmount(_ amount: String, _ code: Int64) async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.paid(1000)
        #expect(try await shop.follow("refund", trade, ["amount": .string(amount)]).status == code)
    }

    /// The sum of nothing in somebody's language; everywhere else `null` counts as left out.
    @Test func refusesARefundOfNull() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.paid(1000)
        let refused = try await shop.follow("refund", trade, ["amount": JSON.null, "bank_refund_id": "R1"])
        #expect(refused.status == 510 && refused.detail.contains("Leave it out"))
        #expect(try await shop.test.bookedCount(.refund) == 0)
        #expect(try await shop.follow("refund", trade, ["additional_data": JSON.null]).status == 0)
    }

    @Test func capturedTradeIsAnsweredAsItWasThen() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.pay().recTradeID
        let first = try await shop.follow("cap", trade)
        #expect(first.status == 0 && first["currency"] == "TWD" && first["rec_trade_id"] == trade)
        #expect(first.integer("cap_millis") == shop.test.clock.now.milliseconds)
        shop.test.clock.advance(seconds: 60)
        #expect(try await shop.follow("cap", trade).response.body == first.response.body)
        #expect(try await shop.test.bookedCount(.capture) == 1)
        shop.test.clock.advance(seconds: 86_400)
        #expect(await shop.test.gateway.captureDue() == 0)
    }

    @Test func captureUnderWayIsReportedAsSuch() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.pay().recTradeID
        shop.test.script.append(.init(.capture, .nth(1), fault: .dropAfterBooking))
        #expect(try await shop.follow("cap", trade).status == 421)
        #expect(try await shop.follow("cap", trade).status == 421)
        #expect(try await shop.follow("cap/cancel", trade).status == 936)
        #expect(try await shop.follow("refund", trade).status == 10010)
        await shop.test.recover()
        #expect(try await shop.follow("cap", trade).status == 0)
    }

    /// Sent again until its outcome is known, and after that, by itself and by its name; whatever was lost, it is made once.
    @Test(arguments: [SimulatorFault.dropAfterBooking, .dropBeforeBooking], [nil, "cap-1"])
    func captureWhoseAnswerIsLostIsMadeOnce(_ fault: SimulatorFault, _ key: String?) async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.pay().recTradeID
        shop.test.script.append(.init(.capture, .nth(1), fault: fault))
        let headers = key.map { [HTTPField.Name.idempotencyKey: $0] } ?? [:]
        for _ in 0..<3 { #expect(try await shop.follow("cap", trade, headers: headers).status == 421) }
        #expect(try await shop.test.bookedCount(.capture) <= 1)
        await shop.test.recover()
        let first = try await shop.follow("cap", trade, headers: headers)
        // Under its name a capture that was taken back has that answer for ever.
        let isOfOneTakenBack = fault == .dropBeforeBooking && key != nil
        #expect(isOfOneTakenBack ? first.detail.contains("taken back") : first.status == 0, "\(first)")
        for _ in 0..<2 { #expect(try await shop.follow("cap", trade).status == 0) }
        shop.test.clock.advance(seconds: 2 * 86_400)
        #expect(await shop.test.gateway.captureDue() == 0)
        #expect(try await shop.test.bookedCount(.capture) == 1)
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// Of each call that the bank does not answer: what to do until it has.
    @Test func whatToDoMeanwhileIsTheOperationsOwn() async throws {
        let shop = try await BackEndShop.open()
        for call in [SimulatorCall.authorize, .capture, .refund, .reverse] {
            shop.test.script.append(.init(call, .nth(call == .reverse ? 1 : 2), fault: .dropAfterBooking))
        }
        let trade = try await shop.paid(1000)
        let pay = try await shop.pay(1000)
        #expect(pay.status == 421 && pay.detail.contains("do not pay again"))
        await shop.test.recover()
        let capture = try await shop.follow("cap", pay.recTradeID)
        #expect(capture.status == 421 && capture.detail.contains("counts as made"))
        let first = try await shop.follow("refund", trade, ["amount": 1])
        let refund = try await shop.follow("refund", trade, ["amount": 400])
        #expect(refund.status == 421 && refund.detail.contains("do not refund again"))
        await shop.test.recover()
        let cancel = try await shop.follow("refund/cancel", trade, ["refund_id": .string(first["refund_id"])])
        #expect(cancel.status == 421 && cancel.detail.contains("taken back"))
        for answer in [capture, refund, cancel] { #expect(!answer.detail.contains("do not pay")) }
    }

    @Test func captureCancelTakesAPlanBack() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.pay().recTradeID
        let cancel = try await shop.follow("cap/cancel", trade)
        #expect(cancel.status == 0 && cancel["currency"] == "TWD" && cancel["rec_trade_id"] == trade)
        #expect(try await shop.follow("cap/cancel", trade).status == 935)
        shop.test.clock.advance(seconds: 86_400)
        #expect(await shop.test.gateway.captureDue() == 0)
        #expect(try await shop.follow("cap", trade).status == 0)
    }

    @Test func captureCancelTakesTheDaysCaptureBack() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.paid()
        #expect(try await shop.follow("cap/cancel", trade).status == 0)
        #expect(try await shop.record(trade)["record_status"]?.integer == 0)
        // It is not captured again by itself.
        shop.test.clock.advance(seconds: 86_400)
        #expect(await shop.test.gateway.captureDue() == 0)
        #expect(try await shop.follow("cap", trade).status == 0)
        // 12:00 UTC is 20:00 in Taipei: four hours are left of the day.
        shop.test.clock.advance(seconds: 4 * 3600 - 1)
        #expect(try await shop.follow("cap/cancel", trade).status == 0)
        #expect(try await shop.follow("cap", trade).status == 0)
        shop.test.clock.advance(seconds: 1)
        let late = try await shop.follow("cap/cancel", trade)
        #expect(late.status == 934 && late.detail.contains("own day"))
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// One that may be gone in a moment is not answered as made, nor one that is gone.
    @Test func captureThatIsTakenBackIsNotAnsweredAsMade() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.pay().recTradeID
        let key = [HTTPField.Name.idempotencyKey: "cap-1"]
        #expect(try await shop.follow("cap", trade, headers: key).status == 0)
        shop.test.script.append(.init(.reverse, .nth(1), fault: .dropAfterBooking))
        #expect(try await shop.follow("cap/cancel", trade).status == 421)
        #expect(try await shop.follow("cap", trade).status == 10001)
        await shop.test.recover()
        #expect(try await shop.record(trade)["record_status"]?.integer == 0)
        let again = try await shop.follow("cap", trade, headers: key)
        #expect(again.status != 0 && again.detail.contains("has been cancelled"))
        #expect(try await shop.follow("cap", trade).status == 0)
    }

    /// Whether anything is left to take back, nobody knows yet.
    @Test func captureCancelWaitsForARefundUnderWay() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.paid(1000)
        shop.test.script.append(.init(.refund, .nth(1), fault: .dropAfterBooking))
        #expect(try await shop.follow("refund", trade, ["amount": 100]).status == 421)
        #expect(try await shop.follow("cap/cancel", trade).status == 10001)
        await shop.test.recover()
        #expect(try await shop.follow("cap/cancel", trade).status == 934)
    }

    /// What the bank has taken is not given once more, and what is left is not said to be gone.
    @Test func tradeThatWasChargedBackKeepsItsCapture() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.paid()
        let payment = try #require(try await shop.test.payments().first)
        let capture = try #require(payment.operations.last { $0.kind == .capture }).id
        let taken = payment.amount.minorUnits / 2
        let event = AcquirerNotice.Event.chargedBack(
            Money(minorUnits: taken, currency: payment.amount.currency), fee: nil)
        #expect(try await shop.test.report(event, of: capture, reference: "chargeback") == .booked)
        let refused = try await shop.follow("cap/cancel", trade)
        #expect(refused.status == 934 && refused.detail.contains("Refund what is left"), "\(refused)")
        #expect(try await shop.test.bookedCount(.reversal) == 0)
        #expect(try await shop.follow("refund", trade).status == 0)
        #expect(try await shop.test.payments().first?.keptAmount.isZero == true)
    }

    /// The wire counts whole dollars: no more is moved than it can say.
    @Test func allThatIsLeftIsWholeDollars() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.paid(350)
        let payment = try #require(try await shop.test.payments().first)
        let capture = try #require(payment.operations.last { $0.kind == .capture }).id
        let half = Money(minorUnits: 50, currency: payment.amount.currency)
        #expect(try await shop.test.report(.chargedBack(half, fee: nil), of: capture, reference: "bank") == .booked)
        #expect(try await shop.follow("refund", trade).integer("refund_amount") == 349)
        let refund = try #require(try await shop.test.payments().first?.operations.last)
        #expect(refund.kind == .refund && refund.amount.minorUnits == 349_00)
        // Half a dollar is left, which nobody can ask for.
        #expect(try await shop.follow("refund", trade).status == 10051)
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// The bank has taken back what it had approved; nobody has refunded it.
    @Test func tradeThatCameToNothingIsNotCalledRefunded() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.pay(100).recTradeID
        let authorization = try #require(try await shop.test.payments().first?.authorization).id
        let late = AcquirerNotice.Event.failedLate(.doNotHonor, AcquirerAnswer())
        #expect(try await shop.test.report(late, of: authorization, reference: "late") == .booked)
        for path in ["cap", "refund"] {
            let refused = try await shop.follow(path, trade)
            #expect(refused.status == 4002 && refused.detail.contains("come to nothing"), "\(refused)")
        }
    }

    /// Nor is a refund called cancelled that came to nothing: it is made again under another name.
    @Test func refundThatCameToNothingIsNotCalledCancelled() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.paid(1000)
        let refundID = try await shop.follow("refund", trade, ["amount": 100, "bank_refund_id": "R1"])["refund_id"]
        let refund = try #require(try await shop.test.payments().first?.operations.last { $0.kind == .refund }).id
        let late = AcquirerNotice.Event.failedLate(.doNotHonor, AcquirerAnswer())
        #expect(try await shop.test.report(late, of: refund, reference: "late") == .booked)
        let cancel = try await shop.follow("refund/cancel", trade, ["refund_id": .string(refundID)])
        #expect(cancel.status == 670 && !cancel.detail.contains("cancelled"), "\(cancel)")
        let again = try await shop.follow("refund", trade, ["amount": 100, "bank_refund_id": "R1"])
        #expect(again.status != 0 && again.detail.contains("came to nothing"), "\(again)")
    }

    @Test func refundedTradeKeepsItsCapture() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.paid(1000)
        try await shop.follow("refund", trade, ["amount": 1])
        #expect(try await shop.follow("cap/cancel", trade).status == 934)
    }

    @Test func refundCancelTakesTheDaysRefundBack() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.paid(1000)
        let refund = try await shop.follow("refund", trade, ["amount": 400])
        let cancel = try await shop.follow("refund/cancel", trade, ["refund_id": .string(refund["refund_id"])])
        #expect(cancel.status == 0 && cancel["rec_trade_id"] == trade && cancel["currency"] == "TWD")
        let result = try #require(cancel.json["result"])
        #expect(result["success"] == true && result["refund_id"]?.string == refund["refund_id"])
        #expect(result["amount"]?.integer == 400 && result["bank_result_code"]?.string == "00")
        #expect(try await shop.record(trade)["refunded_amount"]?.integer == 0)
        #expect(
            try await shop.follow("refund/cancel", trade, ["refund_id": .string(refund["refund_id"])]).status == 670)
        #expect(try await shop.follow("refund/cancel", trade, ["refund_id": "RF0"]).status == 670)
        // Of several none is meant that is not named.
        let second = try await shop.follow("refund", trade, ["amount": 100])
        let unnamed = try await shop.follow("refund/cancel", trade)
        #expect(unnamed.status == 670 && unnamed.detail.contains("refund_id"))
        shop.test.clock.advance(seconds: 4 * 3600)
        let late = try await shop.follow("refund/cancel", trade, ["refund_id": .string(second["refund_id"])])
        #expect(late.status == 68)
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// The answer was lost, and the request is sent again: nothing else is taken back by it.
    @Test func refundCancelWithoutANameTakesTheOnlyRefundBackOnce() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.paid(1000)
        try await shop.follow("refund", trade, ["amount": 100])
        #expect(try await shop.follow("refund/cancel", trade).json["result"]?["amount"]?.integer == 100)
        let again = try await shop.follow("refund/cancel", trade)
        #expect(again.status == 670 && again.detail.contains("has been cancelled"))
        #expect(try await shop.record(trade)["refunded_amount"]?.integer == 0)
    }

    /// The one that nobody knows of may be what is meant.
    @Test func refundCancelWithoutANameTakesNoOlderOneThanIsUnderWay() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.paid(1000)
        try await shop.follow("refund", trade, ["amount": 100])
        shop.test.script.append(.init(.refund, .nth(2), fault: .dropAfterBooking))
        #expect(try await shop.follow("refund", trade, ["amount": 50]).status == 421)
        let unnamed = try await shop.follow("refund/cancel", trade)
        #expect(unnamed.status == 670 && unnamed.detail.contains("say with refund_id"))
        #expect(try await shop.test.bookedCount(.reversal) == 0)
    }

    @Test func refundUnderWayCannotBeCancelled() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.paid(1000)
        shop.test.script.append(.init(.refund, .nth(1), fault: .dropAfterBooking))
        let refund = try await shop.follow("refund", trade, ["amount": 400])
        #expect(refund.status == 421)
        #expect(
            try await shop.follow("refund/cancel", trade, ["refund_id": .string(refund["refund_id"])]).status == 10001)
    }

    /// A success would say that all is refunded, and a final refusal that nothing is left.
    @Test func refundOfAllWaitsForARefundUnderWay() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.paid(1000)
        shop.test.script.append(.init(.refund, .nth(1), fault: .dropBeforeBooking))
        #expect(try await shop.follow("refund", trade, ["amount": 400]).status == 421)
        #expect(try await shop.follow("refund", trade).status == 10001)
        #expect(try await shop.follow("refund", trade, ["amount": 600]).status == 0)
        #expect(try await shop.follow("refund", trade).status == 10001)
        #expect(try await shop.follow("refund", trade, ["amount": 1]).status == 10001)
        await shop.test.recover()
        #expect(try await shop.follow("refund", trade).integer("refund_amount") == 400)
        #expect(try await shop.record(trade)["refunded_amount"]?.integer == 1000)
    }

    @Test(arguments: ["refund", "refund/cancel", "cap", "cap/cancel", "trade-history"])
    func refusesTradesThatAreNone(_ path: String) async throws {
        let shop = try await BackEndShop.open()
        let other = try await shop.other()
        let foreign = try await other.pay(changing: ["merchant_id": "Other_CTBC"]).recTradeID
        // The vendor's sandbox has a number of its own for refunds.
        let code: Int64 = path == "refund" ? 11000 : 4002
        #expect(try await shop.follow(path, "D20260615none").status == code)
        #expect(try await shop.follow(path, foreign).status == code)
        #expect(try await shop.call("/tpc/transaction/" + path, [:]).status == 596)
        #expect(try await shop.follow(path, String(repeating: "D", count: 21)).status == 597)
    }

    @Test func declinedTradeIsNoneToFollow() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.pay(5757).recTradeID
        for path in ["refund", "cap"] { #expect(try await shop.follow(path, trade).status == 4002, "\(path)") }
        #expect(try await shop.follow("cap/cancel", trade).status == 935)
    }

    @Test func cancelledRefundIsNotAnsweredAsMade() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.paid(1000)
        let fields: [String: JSON?] = ["amount": 400, "bank_refund_id": "R1"]
        let refund = try await shop.follow("refund", trade, fields)
        #expect(refund.status == 0)
        #expect(try await shop.follow("refund", trade, fields)["refund_id"] == refund["refund_id"])
        #expect(try await shop.follow("refund/cancel", trade).status == 0)
        let again = try await shop.follow("refund", trade, fields)
        #expect(again.status == 10011 && again.detail.contains("cancelled"))
        #expect(try await shop.record(trade)["refunded_amount"]?.integer == 0)
        #expect(try await shop.follow("refund", trade, ["amount": "400", "bank_refund_id": "R2"]).status == 0)
    }

    /// Of many that take the same refund or capture back at once, one does; the others get the answer that it is gone.
    @Test(arguments: ["refund/cancel", "cap/cancel"]) func takingBackAtOnceHappensOnce(_ path: String) async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.paid(1000)
        if path == "refund/cancel" { #expect(try await shop.follow("refund", trade, ["amount": 400]).status == 0) }
        let statuses = try await withThrowingTaskGroup(of: Int64.self) { group in
            for _ in 0..<8 { group.addTask { try await shop.follow(path, trade).status } }
            return try await group.reduce(into: [Int64]()) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 0 } == 1)
        #expect(!statuses.contains(4014), "\(statuses)")
        let record = try await shop.record(trade)
        #expect(record["refunded_amount"]?.integer == 0 && record["is_captured"]?.bool == (path == "refund/cancel"))
    }
}
