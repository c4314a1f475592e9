//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import Money
import Payments
import StrictJSON
import TestGateway
import Testing
import Time
import WalletSimulator

@testable import TapPay

/// Which prime pays what.
@Suite struct BackEndPrimeTests {
    @Test func publishedPrimePaysAnyNumberOfTimes() async throws {
        let shop = try await BackEndShop.open()
        for _ in 0..<3 {
            let answer = try await shop.call(
                "/tpc/payment/pay-by-prime", shop.payment(PublishedPrime.directPay.rawValue, 100))
            #expect(answer.status == 0)
            #expect(answer.json["card_info"]?["bin_code"]?.string == "424242")
            #expect(try await shop.record(answer.recTradeID)["payment_method"]?.string == "direct_pay")
        }
        #expect(try await shop.test.payments().count == 3)
    }

    /// TapPay, "Test primes": Apple Pay's, with the amount 12.
    @Test func publishedPrimeOfApplePayPaysTwelve() async throws {
        let shop = try await BackEndShop.open()
        let prime = "ap_test_utigjeyfutj5867uyjhuty47rythfjru485768tigjfheufhtu5i6ojk"
        for _ in 0..<3 {
            let answer = try await shop.call("/tpc/payment/pay-by-prime", shop.payment(prime, 12))
            #expect(answer.status == 0, "\(answer)")
            #expect(answer.integer("amount") == 12 && answer["currency"] == "TWD")
            #expect(try await shop.record(answer.recTradeID)["payment_method"]?.string == "apple_pay")
        }
        let another = try await shop.call("/tpc/payment/pay-by-prime", shop.payment(prime, 13))
        #expect(another.status == 909 && another.detail.contains("12 TWD"))
        let foreign = shop.payment(prime, 12, changing: ["currency": "HKD"])
        #expect(try await shop.call("/tpc/payment/pay-by-prime", foreign).status == 910)
        #expect(try await shop.test.payments().count == 3)
    }

    @Test(arguments: PublishedPrime.allCases)
    func publishedPrimeIsNothingToALiveMerchant(_ prime: PublishedPrime) async throws {
        let shop = try await BackEndShop.open(mode: .live)
        let answer = try await shop.call("/tpc/payment/pay-by-prime", shop.payment(prime.rawValue, 12))
        #expect(answer.status == 121 && answer.message == "Invalid arguments : prime")
        #expect(answer.detail.contains("test prime") && answer.detail.contains("live"))
    }

    @Test(arguments: SimulatedCard.tapPayTestCards)
    func testCardsAnswerWithTheirCodes(_ card: SimulatedCard) async throws {
        let shop = try await BackEndShop.open()
        let answer = try await shop.pay(card: card)
        let expected = card.name == "tappay-approved" ? 0 : Int64(card.name.dropFirst("tappay-".count))
        #expect(answer.status == expected, "\(answer)")
        #expect(answer.message == TapPayCode(rawValue: Int(expected ?? -1))?.message)
        #expect(answer.recTradeID.isEmpty == false)
        #expect(SimulatedCard.named(card.name) == card)
    }

    @Test func primeIsOverAfterNinetySeconds() async throws {
        let shop = try await BackEndShop.open()
        let (inTime, late) = (try await shop.prime(100), try await shop.prime(200))
        shop.test.clock.advance(seconds: 89)
        #expect(try await shop.call("/tpc/payment/pay-by-prime", shop.payment(inTime, 100)).status == 0)
        shop.test.clock.advance(seconds: 1)
        #expect(try await shop.call("/tpc/payment/pay-by-prime", shop.payment(late, 200)).status == 91)
        // Also when the store has long forgotten it.
        shop.test.clock.advance(seconds: 86_400)
        try await shop.test.gateway.sweep()
        #expect(try await shop.call("/tpc/payment/pay-by-prime", shop.payment(late, 200)).status == 91)
    }

    @Test func primePaysOnceAndIsAnsweredAlike() async throws {
        let shop = try await BackEndShop.open()
        let fields = shop.payment(try await shop.prime(100), 100)
        let first = try await shop.call("/tpc/payment/pay-by-prime", fields)
        #expect(first.status == 0)
        #expect(try await shop.call("/tpc/payment/pay-by-prime", fields).response.body == first.response.body)
        let other = try await shop.call(
            "/tpc/payment/pay-by-prime", fields.merging(["details": "Seven apples"]) { $1 })
        #expect(other.status == 121 && other.detail.contains("other contents"))
        #expect(try await shop.test.payments().count == 1)
    }

    /// A retry that another serializer has written is the same request.
    @Test func orderOfMembersAndQuotedNumbersMakeNoDifference() async throws {
        let shop = try await BackEndShop.open()
        let prime = try await shop.prime(100)
        let first = try await shop.call("/tpc/payment/pay-by-prime", shop.payment(prime, 100))
        #expect(first.status == 0)
        let again = try await shop.call(
            "/tpc/payment/pay-by-prime",
            shop.payment(
                prime, 100,
                changing: [
                    "amount": "100",
                    "cardholder": ["email": "mei@example.com", "name": "Lin Mei", "phone_number": "+886912345678"],
                ]))
        #expect(again.response.body == first.response.body)
    }

    @Test func keyMixUpsSayWhichOfBothIsWrong() async throws {
        let sandbox = try await BackEndShop.open()
        let live = try await BackEndShop.open(mode: .live)
        let livePrime = try await live.prime(100)
        let crossed = try await sandbox.call("/tpc/payment/pay-by-prime", sandbox.payment(livePrime, 100))
        #expect(crossed.status == 121 && crossed.detail.contains("This is a live prime"))
        let sandboxPrime = try await sandbox.prime(100)
        let other = try await live.call("/tpc/payment/pay-by-prime", live.payment(sandboxPrime, 100))
        #expect(other.status == 121 && other.detail.contains("This is a sandbox prime"))
        let unknown = try await sandbox.call(
            "/tpc/payment/pay-by-prime", sandbox.payment("test_" + String(repeating: "f", count: 56), 100))
        #expect(unknown.status == 121 && unknown.detail.contains("no such prime"))
    }

    @Test func anotherMerchantsPrimeIsNone() async throws {
        let shop = try await BackEndShop.open()
        let other = try await shop.other()
        let prime = try await other.prime(100)
        #expect(try await shop.call("/tpc/payment/pay-by-prime", shop.payment(prime, 100)).status == 121)
    }

    @Test func deferredPrimeTakesTheServersAmountForThirtyDays() async throws {
        let shop = try await BackEndShop.open()
        let dollar = Money(minorUnits: 100, currency: try BackEndShop.currency("TWD"))
        let first = try await shop.getPrime(dollar, isAmountPending: true)
        let second = try await shop.getPrime(dollar, isAmountPending: true)
        #expect(
            first.integer("prime_expiry_millis") == shop.test.clock.now.milliseconds + 30 * 86_400_000)
        shop.test.clock.advance(seconds: 30 * 86_400 - 1)
        let answer = try await shop.call("/tpc/payment/pay-by-prime", shop.payment(first["prime"], 730))
        #expect(answer.status == 0 && answer.integer("amount") == 730)
        let euros = try await shop.call(
            "/tpc/payment/pay-by-prime", shop.payment(second["prime"], 730, changing: ["currency": "USD"]))
        #expect(euros.status == 910)
        shop.test.clock.advance(seconds: 1)
        #expect(try await shop.call("/tpc/payment/pay-by-prime", shop.payment(second["prime"], 730)).status == 91)
    }

    @Test func repeatedTokenPaysOnce() async throws {
        let shop = try await BackEndShop.open()
        let token = try shop.test.mint(
            Money(minorUnits: 10_000, currency: try BackEndShop.currency("TWD")), for: shop.merchant)
        var answers: [BackEndShop.Answer] = []
        for _ in 0..<2 {
            let answer = try await shop.call(
                "/tpc/applepay/getprime",
                [
                    "partner_key": nil, "app_id": 12345, "app_key": .string(BackEndShop.appKey(12345)),
                    "app_name": "shop.example", "platform_type": "2", "pay_token_data": token.paymentData,
                    "apple_merchant_id": .string(shop.merchant.merchantIdentifier), "fraud_id": "",
                ], headers: [.apiKey: BackEndShop.appKey(12345)])
            answers.append(answer)
        }
        #expect(answers.map(\.status) == [0, 917])
        #expect(try await shop.call("/tpc/payment/pay-by-prime", shop.payment(answers[0]["prime"], 100)).status == 0)
    }

    /// The page's word alone leaves no amount open: the contract counts when the prime is made and when it is paid.
    @Test func deferredPrimeIsBoundOnceTheContractHasEnded() async throws {
        let shop = try await BackEndShop.open()
        let dollar = Money(minorUnits: 100, currency: try BackEndShop.currency("TWD"))
        let prime = try await shop.getPrime(dollar, isAmountPending: true)["prime"]
        try await shop.test.gateway.administration.changeSettings(of: shop.merchant.id, dialect: TapPay.dialectName) {
            $0[AccountSettings.amountPendingName] = nil
        }
        #expect(try await shop.getPrime(dollar, isAmountPending: true).status == 141)
        let more = try await shop.call("/tpc/payment/pay-by-prime", shop.payment(prime, 730))
        #expect(more.status == 909 && more.message == "Inconsistent amount")
        #expect(try await shop.call("/tpc/payment/pay-by-prime", shop.payment(prime, 1)).status == 0)
    }

    @Test func bankTransactionIDIsUsedOnce() async throws {
        let shop = try await BackEndShop.open()
        #expect(try await shop.pay(changing: ["bank_transaction_id": "TP1"]).status == 0)
        let again = try await shop.pay(changing: ["bank_transaction_id": "TP1"])
        #expect(again.status == 6001 && again.message == "Duplicate bank_transaction_id")
    }

    @Test(
        arguments: [
            "", "test_", "prod_" + String(repeating: "0", count: 55), "tset_" + String(repeating: "0", count: 56),
            "test_" + String(repeating: "g", count: 56), "test_3a2fb2b7" + String(repeating: "é", count: 24),
        ])
    func whatIsNoPrimeIsNotRead(_ text: String) {
        #expect(PrimeText(text) == nil)
    }
}
