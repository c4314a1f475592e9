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
import WalletSimulator

@testable import TapPay

@Suite struct GetPrimeTests {
    @Test func makesAPrimeOfATokenOnce() async throws {
        let shop = try await FrontEndShop.open()
        let answer = try await shop.getPrime(try shop.token())
        #expect(answer.response.status == .ok && answer.status == 0 && answer.message == "Success")
        #expect(answer.prime.utf8.count == 61 && answer.prime.hasPrefix("test_"))
        let end = shop.test.clock.now.adding(seconds: 90)
        #expect(PrimeText(answer.prime)?.expiresAt.seconds == end.seconds)
        #expect(answer.json["prime_expiry_millis"]?.integer == end.milliseconds)
        #expect(answer.json["client_ip"] == "192.0.2.7")
        #expect(answer.json["card"] == ["lastfour": "5671", "funding": 0, "type": 1])
        #expect(answer.json["card_info"]?["bincode"] == "489537")
        #expect(answer.json["card_info"]?["issuer_zh_tw"] == "測試銀行")
        #expect(answer.json["merchant_reference_info"] == nil)
        #expect(try await shop.keeps(answer.prime))
        let another = try await shop.getPrime(try shop.token())
        #expect(another.prime != answer.prime)
    }

    @Test func theFieldsAreThoseOfTheVendorsSDKs() async throws {
        let shop = try await FrontEndShop.open(settings: ["affiliateCodes": "489537=APPLE"])
        let answer = try await shop.getPrime(try shop.token())
        #expect(
            answer.json.object?.names == [
                "status", "msg", "prime", "prime_expiry_millis", "client_ip", "card_info", "card",
                "merchant_reference_info",
            ])
        #expect(
            answer.json["card_info"]?.object?.names == [
                "bincode", "lastfour", "issuer", "issuer_zh_tw", "bank_id", "funding", "type", "level", "country",
                "countrycode",
            ])
        #expect(answer.json["merchant_reference_info"] == ["affiliate_codes": ["APPLE"]])
    }

    @Test func aLiveMerchantsPrimesSaySo() async throws {
        let shop = try await FrontEndShop.open(mode: .live)
        let answer = try await shop.getPrime(try shop.token())
        #expect(answer.prime.hasPrefix("prod_") && PrimeText(answer.prime)?.mode == .live)
    }

    @Test func thePrimePaysOnce() async throws {
        let shop = try await FrontEndShop.open()
        let answer = try await shop.getPrime(try shop.token())
        let context = try await shop.context()
        func pay() async throws(GatewayRefusal) -> OperationOutcome {
            try await shop.test.gateway.authorize(
                AuthorizeCommand(
                    context: CallContext(merchant: context, idempotency: nil),
                    instrument: .kept(kind: PrimeText.kind, id: PrimeText.storedName(of: answer.prime)), amount: nil,
                    purpose: .authorization))
        }
        let paid = try await pay()
        #expect(paid.payment.authorizedAmount == (try FrontEndShop.amount()))
        await #expect(throws: GatewayRefusal.keptTokenUnknown) { try await pay() }
        #expect(try await shop.keeps(answer.prime) == false)
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// One approval of the customer's is one prime, whether or not that is paid with, and none once the token has paid.
    @Test(arguments: [0, 89, 91, 3000] as [Int64])
    func aTokenIsKeptOnce(_ seconds: Int64) async throws {
        let shop = try await FrontEndShop.open()
        let token = try shop.token()
        let first = try await shop.getPrime(token)
        shop.test.clock.advance(seconds: seconds)
        try await shop.test.gateway.sweep()
        let again = try await shop.getPrime(token)
        #expect(again.status == 917 && again.prime.isEmpty && again.detail.contains("used before"))
        #expect(try await shop.keeps(first.prime) == (seconds < 90))
    }

    /// When the mark is swept away the token is too old for anything.
    @Test func aTokenWhoseMarkIsGoneIsTooOld() async throws {
        let shop = try await FrontEndShop.open()
        let token = try shop.token(signedAt: shop.test.clock.now.adding(seconds: 60))
        #expect(try await shop.getPrime(token).status == 0)
        for seconds in [3600, 60, 1] as [Int64] {
            shop.test.clock.advance(seconds: seconds)
            try await shop.test.gateway.sweep()
            #expect(try await shop.getPrime(token).status == 917)
        }
        #expect(try await shop.getPrime(token).json["token_error"] == "signing_time_too_old")
    }

    @Test func concurrentCallsGetOnePrime() async throws {
        let shop = try await FrontEndShop.open()
        let token = try shop.token()
        let primes = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<16 { group.addTask { try await shop.getPrime(token).prime } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(primes.count { !$0.isEmpty } == 1)
    }

    @Test func aTokenThatHasPaidGetsNoPrime() async throws {
        let shop = try await FrontEndShop.open()
        let token = try shop.token()
        _ = try await shop.test.gateway.authorize(
            AuthorizeCommand(
                context: CallContext(merchant: try await shop.context(), idempotency: nil),
                instrument: try .applePay(json: token.paymentToken), amount: nil, purpose: .authorization))
        let answer = try await shop.getPrime(token)
        #expect(answer.status == 917 && answer.detail.contains("used before"))
        #expect(try await !shop.keepsAnything())
    }

    @Test func aPrimeOfADeferredPaymentLivesThirtyDays() async throws {
        let shop = try await FrontEndShop.open(settings: [AccountSettings.amountPendingName: "true"])
        let answer = try await shop.getPrime(try shop.token(), changing: ["is_amount_pending": true])
        #expect(answer.status == 0)
        let end = shop.test.clock.now.adding(seconds: 30 * 86_400)
        #expect(answer.json["prime_expiry_millis"]?.integer == end.milliseconds)
        shop.test.clock.advance(seconds: 30 * 86_400 - 1)
        #expect(try await shop.keeps(answer.prime))
        shop.test.clock.advance(seconds: 1)
        #expect(try await shop.keeps(answer.prime) == false)
    }

    private static let unpayable: [(minorUnits: Int64, currency: String, code: Int64, deferred: Int64)] = [
        (1099, "EUR", 652, 652), (1000, "KWD", 652, 652), (1099, "CAD", 652, 652), (100, "MYR", 89, 89),
        // Cents of TWD, and nothing at all.
        (1099, "TWD", 510, 0), (0, "TWD", 510, 0), (0, "JPY", 510, 0),
        (20_000_001_00, "TWD", 10050, 0), (20_000_000_00, "TWD", 0, 0), (3_316_901, "USD", 10050, 0),
        (1, "JPY", 0, 0), (1, "HKD", 0, 0),
    ]

    /// What pay-by-prime could not pay with gets no prime; the amount of a deferred payment is not the token's.
    @Test(arguments: unpayable.indices) func makesNoPrimeThatCannotPay(_ index: Int) async throws {
        let row = Self.unpayable[index]
        let shop = try await FrontEndShop.open(
            settings: [
                AccountSettings.amountPendingName: "true", AccountSettings.currenciesName: "TWD,HKD,USD,JPY",
            ])
        let amount = Money(minorUnits: row.minorUnits, currency: try #require(Currency.alphabetic(row.currency)))
        for (isPending, code) in [(false, row.code), (true, row.deferred)] {
            let token = try shop.test.mint(amount, for: shop.merchant)
            let answer = try await shop.getPrime(token, changing: ["is_amount_pending": .bool(isPending)])
            #expect(answer.status == code, "\(answer.json.text()) \(isPending)")
            #expect(answer.prime.isEmpty == (code != 0))
            #expect(answer.message == TapPayCode(rawValue: Int(code))?.message)
            // The acquirer has not been asked: who can change it is the operator.
            if code == 89 { #expect(answer.detail.contains("The account's setting currencies has not MYR")) }
        }
        #expect(try await shop.keepsAnything() == (row.code == 0 || row.deferred == 0))
    }

    @Test func deferredPaymentIsForMerchantsWhoHaveIt() async throws {
        let shop = try await FrontEndShop.open()
        let answer = try await shop.getPrime(try shop.token(), changing: ["is_amount_pending": true])
        #expect(answer.status == 141 && answer.message == "This partner does not support amount pending")
        #expect(answer.prime.isEmpty)
    }

    @Test func takesTheTokenInEveryShapeInWhichAppsSendIt() async throws {
        let shop = try await FrontEndShop.open()
        let inPaymentToken = try shop.token()
        let asText = try shop.token()
        let blobInToken = try shop.token()
        var token = try #require(blobInToken.paymentToken.object)
        token["paymentData"] = .string(blobInToken.paymentDataText)
        for data in [inPaymentToken.paymentToken, .string(asText.paymentDataText), .object(token)] {
            #expect(try await shop.call(shop.body(data)).status == 0)
        }
    }

    @Test(arguments: ["/tpc/applepay/getprime", "/tpc/applepay/pay"])
    func answersUnderBothPaths(_ path: String) async throws {
        let shop = try await FrontEndShop.open()
        #expect(try await shop.call(shop.body(try shop.token().paymentData), path: path).status == 0)
    }

    @Test func takesAnAppOfIOS() async throws {
        let shop = try await FrontEndShop.open()
        let changes: [String: JSON?] = [
            "platform_type": 1, "tappay_sdk_version": "2.17.0", "app_id": "12345", "devicetype": 1,
            "deviceInfo": ["deviceIdentifier": "d", "deviceModel": "iPhone17,1", "deviceOsVersion": "18.1"],
            "geoloc": "25.03,121.56",
        ]
        let body = shop.body(try shop.token().paymentToken, changing: changes)
        #expect(try await shop.call(body, headers: [.known("x-api-key"): FrontEndShop.appKey]).status == 0)
    }

    @Test func theTokenIsNowhereInTheClear() async throws {
        let shop = try await FrontEndShop.open()
        let answer = try await shop.getPrime(try shop.token())
        let stored = try await shop.test.everythingStored().map { String(decoding: $0, as: UTF8.self) }
        for text in stored + [shop.test.log.text, String(decoding: answer.response.body, as: UTF8.self)] {
            #expect(!text.contains(SimulatedCard.visa.dpan))
        }
    }

    @Test func anAnswerIsNeverKeptByCaches() async throws {
        let shop = try await FrontEndShop.open()
        #expect(try await shop.getPrime(try shop.token()).response.headers[.cacheControl] == "no-store")
    }

    @Test(arguments: [
        ("2606", "2026-06-15T12:00:00Z", false), ("2605", "2026-06-15T12:00:00Z", true),
        ("2605", "2026-06-01T11:59:59Z", false), ("2605", "2026-06-01T12:00:00Z", true),
        ("", "2026-06-15T12:00:00Z", false),
    ])
    func aCardIsGoodToTheEndOfItsMonth(expiry: String, moment: String, hasExpired: Bool) throws {
        let instrument = InstrumentSummary(
            maskedPAN: .init(prefix: "489537", suffix: "5671", length: 16), network: .visa, expiryYearMonth: expiry,
            eci: nil, displayName: nil)
        #expect(TapPay.hasExpired(instrument, at: try #require(Timestamp(rfc3339: moment))) == hasExpired)
    }
}
