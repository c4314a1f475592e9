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
import WalletSimulator

@testable import TapPay

@Suite struct BackEndPayTests {
    @Test func answersWithEveryFieldOfThePage() async throws {
        let shop = try await BackEndShop.open(settings: ["affiliateCodes": "489537=APPLE1,APPLE2"])
        let answer = try await shop.pay(
            100,
            changing: [
                "order_number": "A-1", "bank_transaction_id": "TP-1", "event_code": "SPRING",
                "result_url": [
                    "frontend_redirect_url": "https://shop.example/result?lang=zh",
                    "backend_notify_url": .string(BackEndShop.notifyURL),
                ],
            ])
        #expect(answer.response.status == .ok)
        #expect(answer.status == 0 && answer.message == "Success")
        #expect(answer.json["detail"] == nil)
        #expect(answer.recTradeID.hasPrefix("D20260615") && answer.recTradeID.count == 19)
        #expect(answer["bank_transaction_id"] == "TP-1")
        #expect(answer["order_number"] == "A-1")
        #expect(answer["event_code"] == "SPRING")
        #expect(answer["acquirer"] == "simulator")
        #expect(answer["auth_code"].count == 6 && answer["bank_order_number"].count == 12)
        #expect(answer["bank_result_code"] == "00")
        #expect(answer.integer("amount") == 100 && answer["currency"] == "TWD")
        #expect(answer.integer("transaction_time_millis") == shop.test.clock.now.milliseconds)
        let times = try #require(answer.json["bank_transaction_time"])
        #expect(times["start_time_millis"]?.string == String(shop.test.clock.now.milliseconds))
        #expect(times["end_time_millis"]?.string == String(shop.test.clock.now.milliseconds))
        let card = try #require(answer.json["card_info"])
        #expect(card["bin_code"]?.string == "489537" && card["last_four"]?.string == "5671")
        #expect(card["type"]?.integer == 1 && card["expiry_date"]?.string == "203112")
        for name in ["issuer", "issuer_zh_tw", "bank_id", "level", "country", "country_code"] {
            #expect(card[name]?.string != nil, "\(name)")
        }
        #expect(answer["card_identifier"].count == 32)
        #expect(answer.json["merchant_reference_info"]?["affiliate_codes"] == ["APPLE1", "APPLE2"])
        #expect(answer.json["is_rba_verified"] == false)
        #expect(answer["merchant_id"] == BackEndShop.merchantID)
        for name in ["transaction_method_details", "payment_url", "card_secret", "instalment_info", "redeem_info"] {
            #expect(answer.json[name] == nil, "\(name)")
        }
    }

    @Test func makesABankTransactionIDWhereTheMerchantGaveNone() async throws {
        let shop = try await BackEndShop.open()
        let answer = try await shop.pay()
        #expect(answer["bank_transaction_id"] == "TP" + answer.recTradeID.dropFirst())
        #expect(answer.json["merchant_reference_info"] == nil)
    }

    @Test func sameCardHasSameIdentifier() async throws {
        let shop = try await BackEndShop.open()
        let first = try await shop.pay()
        #expect(try await shop.pay()["card_identifier"] == first["card_identifier"])
        #expect(try await shop.pay(card: .mastercard)["card_identifier"] != first["card_identifier"])
    }

    @Test(arguments: PaymentFaults.all.indices)
    func refusesAFieldThatIsMissingOrWrong(_ index: Int) async throws {
        let expected: [Int64] = [
            503, 121, 502, 61, 510, 510, 510, 10050, 909, 504, 652, 910, 505, 515, 501, 507, 508, 509, 512, 514, 569,
            568, 624, 71, 632, 636, 70, 631, 629, 630, 627, 628,
        ]
        #expect(expected.count == PaymentFaults.all.count)
        let shop = try await BackEndShop.open()
        let prime = try await shop.prime(1000, "USD")
        var body = JSONObject()
        let changes: [String: JSON?] = [
            "currency": "USD",
            "result_url": [
                "frontend_redirect_url": .string(BackEndShop.redirectURL),
                "backend_notify_url": .string(BackEndShop.notifyURL),
            ],
        ]
        for (name, value) in shop.payment(prime, 1000, changing: changes) { body[name] = value }
        let fault = PaymentFaults.all[index]
        PaymentFaults.set(fault.value, fault.name, in: &body)
        let answer = try await shop.call(
            "/tpc/payment/pay-by-prime", Dictionary(uniqueKeysWithValues: body.members.map { ($0.name, $0.value) }))
        #expect(answer.status == expected[index], "\(fault.name): \(answer)")
        #expect(answer.message == TapPayCode(rawValue: Int(expected[index]))?.message)
        #expect(try await shop.test.payments().isEmpty)
    }

    @Test(
        arguments: [
            ("cardholder>phone_number", 31, 519), ("cardholder>name", 101, 520), ("cardholder>email", 257, 521),
            ("cardholder>address", 301, 522), ("cardholder>zip_code", 21, 523), ("cardholder>national_id", 31, 524),
            ("merchant_id", 101, 593), ("bank_transaction_id", 41, 569), ("additional_data", 5001, 643),
            ("currency", 4, 516), ("partner_key", 257, 587), ("instalment", 3, 513),
        ] as [(String, Int, Int64)])
    func refusesTextThatIsTooLong(_ name: String, _ count: Int, _ code: Int64) async throws {
        let shop = try await BackEndShop.open()
        var body = JSONObject()
        for (name, value) in shop.payment(PublishedPrime.directPay.rawValue, 100) { body[name] = value }
        body["partner_key"] = .string(shop.partnerKey)
        PaymentFaults.set(.string(String(repeating: "9", count: count)), name, in: &body)
        let answer = try await shop.send(shop.request("/tpc/payment/pay-by-prime", .object(body)))
        #expect(answer.status == code, "\(answer)")
    }

    @Test(
        arguments: [
            ("instalment", "x", 511), ("remember", "perhaps", 624), ("three_domain_secure", "perhaps", 5),
            ("redeem", 7, 5), ("cardholder", "Lin Mei", 501), ("details", ["a": 1], 5), ("amount", [1], 510),
            ("additional_data", true, 5), ("kyc_verification_merchant_id", "k", 70), ("prime", 7, 121),
            ("event_code", "a\u{0}b", 5), ("order_number", "a\u{85}b", 568),
            ("order_number", "a\nb", 568), ("order_number", "a\tb", 568), ("order_number", "a\rb", 568),
        ] as [(String, JSON, Int64)])
    func refusesNumbersAndFlagsThatAreNone(_ name: String, _ value: JSON, _ code: Int64) async throws {
        let shop = try await BackEndShop.open()
        let fields = shop.payment(PublishedPrime.directPay.rawValue, 100, changing: [name: value])
        let answer = try await shop.call("/tpc/payment/pay-by-prime", fields)
        #expect(answer.status == code, "\(answer)")
    }

    /// Clients send the fields that they have, whatever they pay with.
    @Test func takesWhatAppleHasNotWhereItIsSwitchedOff() async throws {
        let shop = try await BackEndShop.open()
        let answer = try await shop.pay(
            changing: [
                "remember": false, "instalment": "0", "three_domain_secure": "false", "redeem": 0,
                "cardholder_verify": ["phone_number": false], "kyc_verification_merchant_id": "",
                "product_image_url": "", "go_back_url": nil,
                "additional_data": "x", "result_url": nil,
            ])
        #expect(answer.status == 0, "\(answer)")
    }

    /// The vendor's own Apple Pay examples ask for it, although the page says that Apple Pay has it not.
    @Test(arguments: [true, 1, "true", false, ""] as [JSON])
    func remembersNothingWhateverItIsAsked(_ remember: JSON) async throws {
        let shop = try await BackEndShop.open()
        let answer = try await shop.pay(changing: ["remember": remember])
        #expect(answer.status == 0, "\(answer)")
        #expect(answer.json["card_secret"] == nil)
    }

    @Test func takesEmptyTextsOfTheCardholder() async throws {
        let shop = try await BackEndShop.open()
        let answer = try await shop.pay(changing: ["cardholder": ["phone_number": "", "name": "", "email": ""]])
        #expect(answer.status == 0)
    }

    @Test func takesAmountsAsDigits() async throws {
        let shop = try await BackEndShop.open()
        #expect(try await shop.pay(changing: ["amount": "100", "delay_capture_in_days": "-1"]).status == 0)
    }

    @Test func takesAFloatWithoutAFraction() async throws {
        let shop = try await BackEndShop.open()
        let prime = try await shop.prime(100)
        let fields = shop.payment(
            prime, 100, changing: ["amount": .number("100.0"), "delay_capture_in_days": .number("-1.00")])
        let first = try await shop.call("/tpc/payment/pay-by-prime", fields)
        #expect(first.status == 0 && first.integer("amount") == 100, "\(first)")
        // Written as an integer it is the same request.
        let again = shop.payment(prime, 100, changing: ["amount": 100, "delay_capture_in_days": -1])
        #expect(try await shop.call("/tpc/payment/pay-by-prime", again).response.body == first.response.body)
        for text in ["100.5", "100.01", "1e2", "100.0e0", "100.0000000000000000001"] {
            let answer = try await shop.pay(changing: ["amount": .number(text)])
            #expect(answer.status == 510, "\(text): \(answer)")
        }
        // A text is digits and nothing else: "1.00" could be a dollar or a cent.
        #expect(try await shop.pay(changing: ["amount": "100.0"]).status == 510)
    }

    /// TapPay, "Reference", 3. Amount.
    @Test(
        arguments: [
            ("TWD", 1, 100, 20_000_000), ("HKD", 1, 1, 25_250_000), ("MYR", 1, 1, 13_500_000), ("USD", 1, 1, 3_316_900),
            ("JPY", 1, 1, 20_000_000),
        ] as [(String, Int64, Int64, Int64)])
    func countsInTheUnitOfTheCurrency(
        _ code: String, _ least: Int64, _ minorUnits: Int64, _ most: Int64
    ) async throws {
        let shop = try await BackEndShop.open()
        #expect(try await shop.pay(least, code).status == 0)
        let payment = try #require(try await shop.test.payments().first)
        #expect(payment.amount == Money(minorUnits: minorUnits, currency: try BackEndShop.currency(code)))
        #expect(try await shop.pay(most, code).status == 0)
        #expect(try await shop.pay(most, code, changing: ["amount": JSON(most + 1)]).status == 10050)
    }

    @Test func takesOnlyTheAccountsCurrencies() async throws {
        let shop = try await BackEndShop.open(settings: ["currencies": "TWD,USD"])
        #expect(try await shop.pay(100, "USD").status == 0)
        let fields = shop.payment(PublishedPrime.directPay.rawValue, 100, changing: ["currency": "JPY"])
        let refused = try await shop.call("/tpc/payment/pay-by-prime", fields)
        #expect(refused.status == 89 && refused.detail.contains("The account's setting currencies has not JPY"))
    }

    /// The acquirer approves a part, which nobody has asked for: it is given back, and nothing has been charged.
    @Test func partialApprovalIsNoPayment() async throws {
        let shop = try await BackEndShop.open()
        let answer = try await shop.pay(6161, "HKD")
        #expect(answer.status == 10005 && answer.message == "Bank System Error")
        #expect(answer.detail.contains("less than the amount") && answer.detail.contains("Nothing has been charged"))
        #expect(answer["bank_result_msg"] == "Taken back")
        #expect(try await shop.record(answer.recTradeID)["record_status"]?.integer == 5)
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    @Test func merchantGroupsNameTheirFirstMerchant() async throws {
        let shop = try await BackEndShop.open(settings: ["merchantGroupIds": "GROUP1"])
        let answer = try await shop.pay(changing: ["merchant_id": nil, "merchant_group_id": "GROUP1"])
        #expect(answer.status == 0)
        #expect(try await shop.record(answer.recTradeID)["merchant_id"]?.string == BackEndShop.merchantID)
        #expect(try await shop.pay(changing: ["merchant_id": nil, "merchant_group_id": "GROUP2"]).status == 130)
        let empty = try await BackEndShop.open(settings: ["merchantGroupIds": "GROUP1", "merchantIds": ""])
        #expect(try await empty.pay(changing: ["merchant_id": nil, "merchant_group_id": "GROUP1"]).status == 131)
    }

    /// The port rule is for the address that the gateway itself calls.
    @Test func onlyTheNotifyURLMustBeAtPort443() async throws {
        let shop = try await BackEndShop.open()
        let rows: [(redirect: String, notify: String, code: Int64)] = [
            ("https://shop.example:8443/result", "https://shop.example/notify", 0),
            ("https://shop.example/result", "https://shop.example:8443/notify", 627),
            ("http://shop.example/result", "https://shop.example/notify", 628),
            ("https://shop.example/result", "http://shop.example:443/notify", 627),
        ]
        for (redirect, notify, code) in rows {
            let urls: JSON = [
                "frontend_redirect_url": .string(redirect), "backend_notify_url": .string(notify),
            ]
            #expect(try await shop.pay(changing: ["result_url": urls]).status == code, "\(redirect) \(notify)")
        }
    }

    @Test func resultURLsMayBeInsecureWhereTheSandboxAccountSaysSo() async throws {
        let shop = try await BackEndShop.open(settings: ["allowInsecureNotify": "true"])
        let urls: JSON = [
            "frontend_redirect_url": "http://localhost:8080/r", "backend_notify_url": "http://localhost:8080/n",
        ]
        #expect(try await shop.pay(changing: ["result_url": urls]).status == 0)
        let live = try await BackEndShop.open(mode: .live, settings: ["allowInsecureNotify": "true"])
        #expect(try await live.pay(changing: ["result_url": urls]).status == 627)
    }

    /// 121 is what a prime is answered with whose token is not taken here.
    @Test(arguments: [
        (NotProcessedReason.tokenRefused, Int64(121), "pay again"), (.requestRefused, 10_008, "operates the gateway"),
        (.busy, 10_005, "try again"),
    ])
    func saysWhatTheBankDidNothingWith(reason: NotProcessedReason, status: Int64, advice: String) async throws {
        let shop = try await BackEndShop.open()
        shop.test.script.append(.init(.authorize, .nth(1), fault: .refuse(reason)))
        let answer = try await shop.pay()
        #expect(answer.status == status && answer.detail.contains(advice), "\(answer)")
        #expect(try await shop.record(answer.recTradeID)["record_status"]?.integer == -1)
        #expect(try await shop.pay().status == 0)
    }

    /// .NET's writers put one before the text (RFC 8259, section 8.1: none may be added, and readers may refuse it).
    @Test func byteOrderMarkIsNamed() async throws {
        let shop = try await BackEndShop.open()
        var request = shop.request("/tpc/transaction/query", ["partner_key": .string(shop.partnerKey)])
        request.body = [0xEF, 0xBB, 0xBF] + request.body
        let answer = try await shop.send(request)
        #expect(answer.status == 5 && answer.detail.contains("byte order mark"), "\(answer)")
    }
}
