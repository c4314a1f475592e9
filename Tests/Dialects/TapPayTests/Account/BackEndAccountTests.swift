//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import HTTPTypes
import Money
import Payments
import Redaction
import StrictJSON
import TestGateway
import Testing
import Time

@testable import TapPay

/// Who may call, and from where.
@Suite struct BackEndAccountTests {
    private func send(
        _ shop: BackEndShop, header: String?, body: String?, path: String = "/tpc/transaction/query"
    ) async throws -> BackEndShop.Answer {
        var fields = JSONObject()
        fields["partner_key"] = body.map(JSON.string)
        var request = shop.request(path, .object(fields))
        request.headers[.apiKey] = header
        return try await shop.send(request)
    }

    @Test func eitherPlaceOfThePartnerKeyIsEnough() async throws {
        let shop = try await BackEndShop.open()
        for (header, body) in [(shop.partnerKey, nil), (nil, shop.partnerKey), (shop.partnerKey, shop.partnerKey)] {
            #expect(try await self.send(shop, header: header, body: body).status == 2)
        }
    }

    @Test func messagesKeepTheVendorsSpelling() {
        #expect(TapPayCode.invalidKey.message == "Invaild x-api-key or app key")
        #expect(TapPayCode.partnerNotFound.message == "Partner not found")
    }

    @Test func keysThatNobodyHasAre401() async throws {
        let shop = try await BackEndShop.open()
        let other = BackEndShop.partnerKey(54321)
        let rows: [(header: String?, body: String?, code: Int64, word: String)] = [
            (nil, nil, 80, "x-api-key"), ("", nil, 80, "x-api-key"), ("", "", 506, "empty"),
            (shop.partnerKey, "", 506, "empty"), (shop.partnerKey, other, 80, "differ"),
            (other, other, 81, "sandbox key"), (other, nil, 81, "sandbox key"),
            (BackEndShop.appKey(12345), nil, 81, "app key"), (String(repeating: "k", count: 257), nil, 80, ""),
        ]
        for row in rows {
            let answer = try await self.send(shop, header: row.header, body: row.body)
            #expect(answer.response.status == .unauthorized)
            #expect(answer.status == row.code, "\(answer)")
            #expect(answer.message == TapPayCode(rawValue: Int(row.code))?.message)
            #expect(row.word.isEmpty || answer.detail.contains(row.word), "\(answer)")
            // The key is not shown.
            #expect(!answer.detail.contains(shop.partnerKey))
        }
    }

    @Test func aliasDoesNotShowTheKey() {
        let key = BackEndShop.partnerKey(12345)
        let alias = TapPay.alias(ofPartnerKey: Redacted(key))
        #expect(alias.hasPrefix("pk_") && alias.count == 35 && !alias.contains(key.suffix(8)))
    }

    @Test func merchantsOfOthersAndOfNobody() async throws {
        let shop = try await BackEndShop.open()
        _ = try await shop.other()
        let others = try await shop.pay(changing: ["merchant_id": "Other_CTBC"])
        #expect(others.status == 84 && others.message == "Partner unauthorized")
        #expect(try await shop.pay(changing: ["merchant_id": "Nobody_CTBC"]).status == 61)
        // The prime is not spent by it.
        #expect(try await shop.test.payments().isEmpty)
    }

    @Test(
        arguments: [
            ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.8", false), ("192.0.2.0/24", "192.0.2.255", true),
            ("192.0.2.0/25", "192.0.2.128", false), ("10.0.0.0/8, 192.0.2.7", "10.200.3.4", true),
            ("2001:db8::/32", "2001:db8:1::7", true), ("2001:db8::/33", "2001:db8:8000::1", false),
            ("192.0.2.7", "::ffff:192.0.2.7", true), ("::1", "0:0:0:0:0:0:0:1", true),
            ("0.0.0.0/0", "198.51.100.1", true),
            ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "198.51.100.1", true), ("nonsense", "192.0.2.7", false),
            ("192.0.2.0/33", "192.0.2.7", false), ("192.0.2", "192.0.2.7", false),
            ("2001:db8:::1", "2001:db8::1", false),
            ("1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8", false), ("fe80::1", "fe80::1", true),
            ("fe80::g", "fe80::1", false), ("192.0.02.7", "192.0.2.7", false), ("192.0.2.9/24", "192.0.2.7", true),
        ])
    func addressesOutsideTheListAreRefused(_ allowed: String, _ address: String, _ isAllowed: Bool) async throws {
        let shop = try await BackEndShop.open(settings: ["allowedAddresses": allowed])
        var request = shop.request("/tpc/transaction/query", [:])
        request.remoteAddress = address
        let answer = try await shop.send(request)
        #expect(answer.status == (isAllowed ? 2 : 4))
        if !isAllowed { #expect(answer.message == "IP mismatch" && answer.response.status == .ok) }
    }

    @Test func aListRefusesACallerWithoutAddress() async throws {
        let shop = try await BackEndShop.open(settings: ["allowedAddresses": "0.0.0.0/0"])
        var request = shop.request("/tpc/transaction/query", [:])
        request.remoteAddress = nil
        #expect(try await shop.send(request).status == 4)
    }

    @Test(arguments: ["", "[]", "null", "{", "{\"a\":1,\"a\":2}", "{\"partner_key\":[]}"])
    func refusesBodiesThatAreNone(_ text: String) async throws {
        let shop = try await BackEndShop.open()
        var request = shop.request("/tpc/payment/pay-by-prime", [:])
        request.body = Array(text.utf8)
        let answer = try await shop.send(request)
        #expect(answer.status == 5 && answer.message == "Wrong JSON format" && answer.response.status == .ok)
    }

    @Test func saysThatCompressedBodiesAreNotTaken() async throws {
        let shop = try await BackEndShop.open()
        let answer = try await shop.call("/tpc/transaction/query", [:], headers: [.contentEncoding: "gzip"])
        #expect(answer.status == 5 && answer.detail.contains("Content-Encoding"))
    }

    // MARK: - Paths

    @Test(arguments: ["/tpc/payment/pay-by-token", "/tpc/card/bind", "/tpc/card/remove", "/tpc/card/metadata"])
    func cardsAreNotKept(_ path: String) async throws {
        let shop = try await BackEndShop.open()
        let answer = try await shop.call(path, [:])
        #expect(answer.status == 67 && answer.detail.contains("pay-by-prime"))
    }

    @Test func pathsOf2017TakeTodaysBody() async throws {
        let shop = try await BackEndShop.open()
        let prime = try await shop.prime(100)
        let paid = try await shop.call("/tpc/partner/directpay/paybyprime", shop.payment(prime, 100))
        #expect(paid.status == 0)
        #expect(try await shop.call("/tpc/partner/getrecordsplus", [:]).status == 2)
        let refund = try await shop.call(
            "/tpc/partner/fastrefund", ["rec_trade_id": .string(paid.recTradeID)])
        #expect(refund.status == 0)
        #expect(try await shop.call("/tpc/partner/directpay/paybytoken", [:]).status == 67)
    }

    @Test func captodayOf2017CapturesToday() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.pay().recTradeID
        let captured = try await shop.call("/tpc/partner/captoday", ["rec_trade_id": .string(trade)])
        #expect(captured.status == 0 && captured.integer("cap_millis") == shop.test.clock.now.milliseconds)
    }

    @Test(arguments: [("/tpc/partner/fastrefund", "partnerkey"), ("/tpc/applepay/paymenttoken/pay", "partnerKey")])
    func fieldsOf2017AreNamedAsSuch(_ path: String, _ field: String) async throws {
        let shop = try await BackEndShop.open()
        var body = JSONObject()
        body[field] = "k"
        var request = shop.request(path, .object(body))
        request.headers[.apiKey] = nil
        let answer = try await shop.send(request)
        #expect(answer.response.status == .unauthorized && answer.status == 80 && answer.detail.contains("2017"))
    }

    /// With the key in the header they come as far as their fields: read as today's, a list would be everybody's.
    @Test(
        arguments: [
            ("/tpc/partner/fastrefund", ["partnerkey": "k", "rectradeid": "D1"], "rectradeid is rec_trade_id"),
            ("/tpc/partner/getrecordsplus", ["partnerkey": "k", "rowsperpage": 10], "rowsperpage is records_per_page"),
            ("/tpc/partner/captoday", ["rectradeid": "D1"], "rectradeid is rec_trade_id"),
            ("/tpc/partner/directpay/paybyprime", ["prime": "p", "merchantid": "M"], "merchantid is merchant_id"),
        ] as [(String, JSON, String)])
    func fieldsOf2017AreNamedWithTheKeyInTheHeader(_ path: String, _ body: JSON, _ words: String) async throws {
        let shop = try await BackEndShop.open()
        let answer = try await shop.send(shop.request(path, body))
        #expect(answer.response.status == .ok && answer.status == 5, "\(answer)")
        #expect(answer.detail.contains("2017") && answer.detail.contains(words), "\(answer)")
    }

    @Test func fieldsOf2017BesideTodaysAreIgnored() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.pay().recTradeID
        let answer = try await shop.call(
            "/tpc/partner/captoday", ["rec_trade_id": .string(trade), "rectradeid": "D1", "partnerkey": "k"])
        #expect(answer.status == 0, "\(answer)")
    }

    @Test func payingWithTheTokenItselfIsSaidToBeNoMore() async throws {
        let shop = try await BackEndShop.open()
        let answer = try await shop.call(
            "/tpc/applepay/paymenttoken/pay",
            ["appId": JSON(shop.appID), "partnerKey": .string(shop.partnerKey), "payTokenData": ["version": "EC_v1"]])
        #expect(answer.response.status == .ok && answer.status == 67)
        #expect(answer.message == "This merchant does not support this payment method")
        #expect(answer.detail.contains("/tpc/applepay/getprime") && answer.detail.contains("/tpc/payment/pay-by-prime"))
    }

    // MARK: - Refusals of the gateway

    @Test func aStoreThatCannotBeReadIsReported() {
        #expect(TapPayFailure(backEnd: .storeUnavailable).code == .systemError)
        #expect(TapPayFailure(backEnd: .acquirerNotConnected).code == .paymentMethodNotSupported)
        #expect(TapPayFailure(backEnd: .keptTokenExpired).code == .expiredPrime)
    }

    @Test(
        arguments: [
            (.amountNotPositive, 510), (.currencyDiffers, 652), (.tooManyOperations, 10011),
            (.authorizationUnknown, 10001), (.authorizationFailed, 4002), (.alreadyVoided, 4014),
            (.capturePending, 10010),
            (.refundExceedsCaptured, 10051), (.notVoidable, 670), (.alreadyCaptured, 934),
            (.operationAlreadyResolved, 10011),
        ] as [(PaymentRefusal, Int)])
    func rulesOfThePaymentHaveNumbers(_ refusal: PaymentRefusal, _ code: Int) {
        let failure = TapPayFailure(backEnd: .payment(refusal))
        #expect(failure.code.rawValue == code && failure.detail?.isEmpty == false)
    }

    @Test(
        arguments: [
            (.doNotHonor, nil, 10003), (.exceedsLimit, nil, 10009), (.systemError, nil, 10005), (.timedOut, nil, 422),
            (.unspecified, nil, 10023), (.unspecified, "94", 10006), (.unspecified, "03", 10008),
            (.unspecified, "13", 10009), (.unspecified, "26", 10013),
        ] as [(DeclineReason, String?, Int)])
    func declinesHaveNumbers(_ reason: DeclineReason, _ responseCode: String?, _ code: Int) {
        #expect(TapPayCode(.declined(reason), AcquirerAnswer(responseCode: responseCode)).rawValue == code)
    }

    @Test func whatWasTakenBackIsABankError() {
        #expect(TapPayCode(.reversed, AcquirerAnswer()) == .bankSystemError)
    }

    @Test func wireFailuresHaveTheirHTTPStatus() async throws {
        let shop = try await BackEndShop.open()
        let request = shop.request("/tpc/transaction/query", [:])
        let rows: [(WireFailure, HTTPResponse.Status, Int64)] = [
            (.pathUnknown, .notFound, 5), (.methodNotAllowed(allowed: [.post]), .methodNotAllowed, 5),
            (.bodyTooLarge(bytesMax: 7), .contentTooLarge, 5), (.bodyIncomplete, .requestTimeout, 5),
            (.timedOut, .ok, 421), (.overloaded, .serviceUnavailable, 915),
        ]
        for (failure, status, code) in rows {
            let response = await shop.tapPay.answer(to: failure, request: request)
            let json = try JSON.parse(response.body)
            #expect(response.status == status && json["status"]?.integer == code)
            #expect(json["detail"]?.string?.isEmpty == false)
        }
    }
}

/// The clock of Taipei.
@Suite struct TaipeiTimeTests {
    private func time(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

    @Test(
        arguments: [
            ("2026-06-15T10:00:00+08:00", 0, 1380, "2026-06-15T23:00:00+08:00"),
            ("2026-06-15T22:59:59+08:00", 0, 1380, "2026-06-15T23:00:00+08:00"),
            ("2026-06-15T23:00:00+08:00", 0, 1380, "2026-06-16T23:00:00+08:00"),
            ("2026-06-15T23:59:59+08:00", 1, 1380, "2026-06-16T23:00:00+08:00"),
            ("2026-12-31T00:00:00+08:00", 30, 0, "2027-01-30T00:00:00+08:00"),
            ("1969-12-31T12:00:00+08:00", 0, 780, "1969-12-31T13:00:00+08:00"),
        ] as [(String, Int64, Int, String)])
    func capturesAtTheAccountsTime(_ now: String, _ days: Int64, _ minute: Int, _ due: String) throws {
        #expect(
            TaipeiTime.captureDueAt(authorizedAt: try self.time(now), days: days, minute: minute)
                == (try self.time(due)))
    }

    @Test func minusOneIsNever() throws {
        let now = try self.time("2026-06-15T10:00:00+08:00")
        #expect(TaipeiTime.captureDueAt(authorizedAt: now, days: -1, minute: 0) == nil)
    }

    @Test func dayEndsAtMidnightInTaipei() throws {
        let evening = try self.time("2026-06-15T23:59:59+08:00")
        #expect(TaipeiTime.endOfDay(evening) == (try self.time("2026-06-16T00:00:00+08:00")))
        #expect(TaipeiTime.compactDate(evening) == "20260615")
        #expect(!TaipeiTime.isSameDay(evening, evening.adding(seconds: 1)))
    }

    @Test(arguments: [("23:00", 1380), ("00:00", 0), ("24:00", nil), ("1:00", nil), ("", nil), ("11:60", nil)])
    func readsTimesOfDay(_ text: String, _ minute: Int?) {
        #expect(AccountSettings.minute(of: text) == minute)
    }
}
