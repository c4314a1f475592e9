//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON
import Testing

@testable import TPDirect

/// The answer to a getprime is read strictly.
@Suite struct PrimeTests {
    static let good: JSONObject = {
        var members = JSONObject()
        members["status"] = 0
        members["msg"] = "Success"
        members["prime"] = "test_prime"
        members["prime_expiry_millis"] = 1_800_000_000_000
        members["client_ip"] = "192.0.2.1"
        members["card_info"] = [
            "bincode": "424242", "lastfour": "4242", "issuer": "Test Bank", "issuer_zh_tw": "測試銀行",
            "bank_id": "812", "funding": 1, "type": 1, "level": "CLASSIC", "country": "TAIWAN", "countrycode": "TW",
        ]
        members["merchant_reference_info"] = ["affiliate_codes": ["GOLD1", "GOLD2"]]
        return members
    }()

    static func with(_ name: String, _ value: JSON?) -> Data {
        var members = self.good
        members[name] = value
        return Data(JSON.object(members).serialized())
    }

    @Test @MainActor func readsEveryField() throws {
        let prime = try Prime(answer: Self.with("x", nil), httpStatus: 200)
        #expect(prime.prime == "test_prime")
        #expect(prime.expiryMillis == 1_800_000_000_000)
        #expect(prime.clientIP == "192.0.2.1")
        #expect(prime.affiliateCodes == ["GOLD1", "GOLD2"])
        let card = TPDCardInfo(prime.card)
        #expect(card.bincode == "424242")
        #expect(card.lastFour == "4242")
        #expect(card.issuer == "Test Bank")
        #expect(card.issuerZhTw == "測試銀行")
        #expect(card.bankId == "812")
        #expect(card.funding == 1)
        #expect(card.cardType == 1)
        #expect(card.level == "CLASSIC")
        #expect(card.country == "TAIWAN")
        #expect(card.countryCode == "TW")
    }

    @Test func whatMayBeLeftOutMay() throws {
        #expect(try Prime(answer: Self.with("client_ip", nil), httpStatus: 200).clientIP == "")
        #expect(try Prime(answer: Self.with("merchant_reference_info", nil), httpStatus: 200).affiliateCodes == [])
        #expect(try Prime(answer: Self.with("merchant_reference_info", .null), httpStatus: 200).affiliateCodes == [])
        #expect(
            try Prime(answer: Self.with("merchant_reference_info", [:]), httpStatus: 200).affiliateCodes == [])
        let card = try Prime(answer: Self.with("card_info", ["issuer": nil]), httpStatus: 200).card
        #expect(card == Prime.Card())
        #expect(card.funding == -1)
        #expect(card.cardType == -1)
    }

    @Test(
        arguments: [
            ("prime", nil), ("prime", ""), ("prime", 5), ("prime_expiry_millis", nil),
            ("prime_expiry_millis", "1800000000000"), ("prime_expiry_millis", 0), ("prime_expiry_millis", -1),
            ("prime_expiry_millis", .number("1.8e12")), ("client_ip", 7), ("card_info", nil), ("card_info", "x"),
            ("card_info", ["bincode": 424242]), ("card_info", ["funding": "0"]), ("card_info", ["type": "1"]),
            ("merchant_reference_info", "x"), ("merchant_reference_info", ["affiliate_codes": "x"]),
            ("merchant_reference_info", ["affiliate_codes": [1]]), ("status", "0"), ("status", nil),
        ] as [(String, JSON?)])
    func refusesWhatIsNoAnswer(_ name: String, _ value: JSON?) {
        #expect(throws: TPDFailure(.wrongJSONFormat)) {
            _ = try Prime(answer: Self.with(name, value), httpStatus: 200)
        }
    }

    @Test(arguments: ["", "[]", "{", "<html></html>", "{\"status\":0,\"status\":0}"])
    func refusesWhatIsNoJSON(_ text: String) {
        #expect(throws: TPDFailure(.wrongJSONFormat)) { _ = try Prime(answer: Data(text.utf8), httpStatus: 200) }
    }

    @Test func refusesAnAnswerThatIsTooLong() {
        let answer = Self.with("msg", .string(String(repeating: "a", count: Prime.answerBytesMax)))
        #expect(throws: TPDFailure(.wrongJSONFormat)) { _ = try Prime(answer: answer, httpStatus: 200) }
    }

    @Test(arguments: [
        (11, "App ID not found", 200), (80, "Invaild x-api-key or app key", 401),
        (31, "iOS SDK version is too old", 200),
        (33, "SDK version is not sent", 200), (422, "Authorization Timeout", 200), (2013, "Expired Card", 200),
        (13002, "This apple pay merchant identifier is disabled", 200),
    ])
    func passesTheGatewaysCodesThrough(_ status: Int, _ message: String, _ httpStatus: Int) {
        let answer = Data(#"{"status":\#(status),"msg":"\#(message)"}"#.utf8)
        #expect(throws: TPDFailure(status: status, message: message)) {
            _ = try Prime(answer: answer, httpStatus: httpStatus)
        }
    }

    @Test(arguments: [
        (408, 421), (502, 421), (503, 421), (504, 421), (495, 1001), (496, 1001), (525, 1001), (526, 1001), (500, 915),
        (301, 915), (404, 915), (200, 5),
    ])
    func readsHTTPStatusesWithoutAnAnswer(_ httpStatus: Int, _ status: Int) {
        do {
            _ = try Prime(answer: Data("<html>".utf8), httpStatus: httpStatus)
            Issue.record("no error")
        } catch {
            #expect(error.status == status)
            if status == 1001 { #expect(error.message.hasSuffix("(http status code: \(httpStatus))")) }
        }
    }

    @Test func aGoodAnswerUnderAnotherHTTPStatusIsNone() {
        #expect(throws: TPDFailure(.wrongJSONFormat)) {
            _ = try Prime(answer: Self.with("x", nil), httpStatus: 201)
        }
    }
}
