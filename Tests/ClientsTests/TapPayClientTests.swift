//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Clients
import Crypto
import Foundation
import HTTPTypes
import Money
import Redaction
import StrictJSON
import Testing

struct TapPayClientTests {
    private let client = TapPayClient(
        TapPayClient.Credentials(
            appID: 12345, appKey: Redacted("app-key"), partnerKey: Redacted("partner-key"), merchantID: "M_CTBC",
            merchantIdentifier: "merchant.com.example.shop"))

    @Test func makesAPrimeFirst() throws {
        var charge = try Samples.charge()
        let preparation = try #require(try self.client.preparation(of: charge))
        #expect(preparation.path == "/tpc/applepay/getprime")
        #expect(preparation.header("x-api-key") == "app-key")
        #expect(try preparation.json["pay_token_data"] == Samples.paymentData)
        #expect(throws: ClientError.self) { try self.client.charge(charge) }
        let reading = self.client.reading(#"{"status":0,"msg":"Success","prime":"test_1"}"#)
        #expect(reading.outcome == .approved)
        // A prime is as good as money, and is kept nowhere.
        #expect(reading.handle.isEmpty)
        #expect(!"\(reading.instrument as Any)".contains("test_1"))
        charge.take(reading)
        #expect(try self.client.preparation(of: charge) == nil)
        let request = try self.client.charge(charge)
        #expect(try request.json["prime"] == "test_1")
        #expect(try request.json["amount"] == 1099)
        #expect(try request.json["delay_capture_in_days"] == -1)
        #expect(try request.json["bank_transaction_id"] == "order-1-1")
        #expect(try request.json["cardholder"]?["name"] == "Mei Lin")
        #expect(try request.json["partner_key"] == "partner-key")
        #expect(request.header("Idempotency-Key") == "order-1-1")
    }

    @Test func countsTaiwansDollarsWhole() throws {
        #expect(try TapPayClient.units(try Samples.money("350.00", "TWD")) == 350)
        #expect(try TapPayClient.units(try Samples.money("3.50", "USD")) == 350)
        let cents = try Samples.money("3.50", "TWD")
        #expect(throws: ClientError.self) { try TapPayClient.units(cents) }
        let reading = self.client.reading(#"{"status":0,"amount":350,"currency":"TWD","rec_trade_id":"D1"}"#)
        #expect(reading.amount?.decimalText == "350.00")
        let absurd = self.client.reading(#"{"status":0,"amount":9223372036854775807,"currency":"TWD"}"#)
        #expect(absurd.amount == nil)
    }

    @Test func followsUp() throws {
        var followUp = try Samples.followUp(["rec_trade_id": "D1"])
        let capture = try self.client.capture(followUp)
        #expect(capture.path == "/tpc/transaction/cap")
        #expect(try capture.json["amount"] == nil)
        #expect(try self.client.refund(followUp).json["amount"] == 1099)
        followUp.isWhole = true
        #expect(try self.client.refund(followUp).json["amount"] == nil)
        #expect(try self.client.void(followUp).json["bank_refund_id"] == "order-1-2")
        #expect(try self.client.query(followUp).json["filters"] == ["rec_trade_id": "D1"])
        var lost = try Samples.followUp([:])
        #expect(throws: ClientError.self) { try self.client.query(lost) }
        lost.target = "order-1-1"
        #expect(try self.client.query(lost).json["filters"] == ["bank_transaction_id": "order-1-1"])
        #expect(throws: ClientError.self) { try self.client.capture(lost) }
    }

    @Test func asksForTradesByEitherName() throws {
        #expect(try self.client.query(trade: "D1").json["filters"] == ["rec_trade_id": "D1"])
        #expect(try self.client.query(named: "order-1-1").json["filters"] == ["bank_transaction_id": "order-1-1"])
        #expect(
            try self.client.query(named: "x", of: "M_CTBC").json["filters"]
                == ["bank_transaction_id": "x", "merchant_id": ["M_CTBC"]])
        let history = self.client.tradeHistory("D1")
        #expect(history.path == "/tpc/transaction/trade-history")
        #expect(try history.json["rec_trade_id"] == "D1")
    }

    @Test func takesBackByTradeAndByRefund() throws {
        var followUp = try Samples.followUp(["rec_trade_id": "D1"])
        let capture = try self.client.cancelCapture(followUp)
        #expect(capture.path == "/tpc/transaction/cap/cancel")
        #expect(try capture.json["rec_trade_id"] == "D1")
        followUp.target = "RF1"
        let refund = try self.client.cancelRefund(followUp)
        #expect(refund.path == "/tpc/transaction/refund/cancel")
        #expect(try refund.json["refund_id"] == "RF1")
        let unknown = try Samples.followUp([:])
        #expect(throws: ClientError.self) { try self.client.cancelCapture(unknown) }
    }

    @Test func countsBack() throws {
        let dollars = try Samples.money("350.00", "TWD")
        #expect(TapPayClient.money(350, dollars.currency) == dollars)
        #expect(TapPayClient.money(Int64.max, dollars.currency) == nil)
        #expect(TapPayClient.money(nil, dollars.currency) == nil && TapPayClient.money(1, nil) == nil)
    }

    @Test(arguments: [
        (0, Reading.Outcome.approved, true), (421, .pending, false), (10_001, .pending, false),
        // The bank knows the id: it has to be asked, and is no decline.
        (10_006, .pending, false), (10_003, .declined, true), (2013, .declined, true), (91, .refused, true),
        (915, .refused, false), (10_010, .refused, false), (10_024, .refused, true),
    ])
    func readsAnswers(_ code: Int, _ outcome: Reading.Outcome, _ isDefinite: Bool) {
        let reading = self.client.reading(#"{"status":\#(code),"msg":"m","rec_trade_id":"D1"}"#)
        #expect(reading.outcome == outcome)
        #expect(reading.isDefinite == isDefinite)
        #expect(reading.text == "\(code): m")
        #expect(reading.handle == ["rec_trade_id": "D1"])
    }

    @Test(arguments: [
        (#"[{"record_status":1,"rec_trade_id":"D1","is_captured":true}]"#, Reading.Outcome.approved),
        (#"[{"record_status":4,"rec_trade_id":"D1"}]"#, .pending), (#"[{"record_status":-1}]"#, .declined),
        (#"[{"record_status":5}]"#, .declined), ("[]", .unknown),
        (#"[{"record_status":1},{"record_status":1}]"#, .unknown),
    ])
    func readsQueriesOfOneTrade(_ records: String, _ outcome: Reading.Outcome) {
        let reading = self.client.reading(#"{"status":2,"msg":"End of list","trade_records":\#(records)}"#)
        #expect(reading.outcome == outcome)
    }

    @Test func anotherPageIsUnknown() {
        for body in ["<html>", "{}", #"{"status":"0"}"#] { #expect(self.client.reading(body).outcome == .unknown) }
    }

    @Test func asksForMerchantSessions() throws {
        let request = try #require(
            try self.client.merchantSession(domain: "shop.example", validationURL: "https://apple.example"))
        #expect(try request.json["merchant_domain"] == "shop.example")
        let reading = self.client.reading(#"{"status":0,"merchant_session":{"a":1}}"#)
        #expect(self.client.merchantSession(in: reading) == ["a": 1])
    }

    @Test func notificationsProveThemselvesByTheirSignature() throws {
        let body = #"{"status":0,"msg":"Success","rec_trade_id":"D1","order_number":"order-1"}"#
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("1700000000.\(body)".utf8), using: SymmetricKey(data: Data("partner-key".utf8)))
        var headers = HTTPFields()
        let name = try #require(HTTPField.Name("X-Pomona-Signature"))
        headers[name] = "t=1700000000,v1=\(Hex.encode(code))"
        let notice = self.client.notice(body, headers: headers)
        #expect(notice.isGenuine == true)
        #expect(notice.outcome == .approved)
        #expect(notice.order == "order-1")
        for wrong in ["", "t=1,v1=00", "v1=\(Hex.encode(code)),t=1700000000", "t=1700000001,v1=\(Hex.encode(code))"] {
            headers[name] = wrong
            #expect(self.client.notice(body, headers: headers).isGenuine == false, "\(wrong)")
        }
        #expect(notice.subject == .payment)
        #expect(self.client.notice("nothing").subject == .other)
        #expect(self.client.notice(body).isGenuine == false)
    }
}
