//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Money
import Payments
import StrictJSON
import TestUpstream
import Testing

@testable import TapPayUpstream

/// What is sent, word for word: Requests/*.json.
@Suite struct RequestTests {
    private static let golden = GoldenRequests(
        folder: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Requests"),
        masked: ["x-api-key"])

    private static let everything = ChargeDetails(
        orderReference: "ORDER-1234", description: "Six apples",
        customer: Customer(
            id: "customer-7", firstName: "Mei", lastName: "Lin", email: "mei@shop.example", phone: "+886912345678"),
        billing: PostalAddress(lines: ["1 Main St", "4F"], city: "Taipei", postalCode: "100", countryCode: "TW"))

    private static let names: Set = [
        "authorize", "authorize-defaults", "authorize-details", "authorize-notified", "authorize-usd", "cancel-capture",
        "cancel-refund", "capture", "query-capture", "query-payment", "query-refund", "refund", "refund-hkd", "sale",
        "void-authorization", "void-sale",
    ]

    @Test func everyFileIsATests() { #expect(Self.golden.names == Self.names) }

    /// What one operation sends, where nothing beyond the prime is answered.
    private static func compare(
        _ name: String, settings: [String: String?] = [:], _ body: (any Acquirer) async throws -> Void
    ) async throws {
        let requests = try await Bench.with(answers: [:], settings: settings) { acquirer, stub in
            try await body(acquirer)
            return stub.requests
        }
        try Self.golden.compare(requests, with: name)
    }

    private static func charge(
        _ name: String, _ charge: Charge = Bench.charge(), _ amount: Money? = nil, settings: [String: String?] = [:]
    ) async throws {
        let amount = try amount ?? Bench.money(35_000)
        try await self.compare(name, settings: settings) { acquirer in
            _ = await acquirer.perform(Bench.request(.authorize(charge), amount))
        }
    }

    @Test func authorize() async throws { try await Self.charge("authorize") }
    @Test func sale() async throws { try await Self.charge("sale", Bench.charge(captures: true)) }
    @Test func details() async throws {
        try await Self.charge("authorize-details", Bench.charge(details: Self.everything))
    }

    @Test func otherCurrenciesAreCountedInCents() async throws {
        try await Self.charge(
            "authorize-usd", Bench.charge(), try Bench.money(10_101, "USD"), settings: ["currencies": "TWD,USD"])
    }

    @Test func cardholderOfTheAccount() async throws {
        try await Self.charge(
            "authorize-defaults",
            settings: [
                "cardholderName": "The Shop", "cardholderEmail": "shop@shop.example",
                "cardholderPhone": "+886 2 1234 5678", "appName": "The App",
            ])
    }

    @Test func notified() async throws {
        try await Self.charge(
            "authorize-notified", settings: ["notificationUrl": "https://pay.example/acquirers/acc_1/notices"])
    }

    private static func followUp(
        _ name: String, _ amount: Money, settings: [String: String?] = [:], _ action: AcquirerRequest.Action
    ) async throws {
        try await self.compare(name, settings: settings) { acquirer in
            _ = await acquirer.perform(Bench.request(action, amount))
        }
    }

    @Test func capture() async throws {
        let amount = try Bench.money(35_000)
        try await Self.followUp("capture", amount, .capture(of: Bench.original(.authorization, amount), isFinal: true))
    }

    @Test func refund() async throws {
        let (amount, part) = (try Bench.money(35_000), try Bench.money(10_000))
        try await Self.followUp("refund", part, .refund(of: Bench.original(.authorization, amount), capture: nil))
        let dollars = try Bench.money(101, "HKD")
        try await Self.followUp(
            "refund-hkd", dollars, settings: ["currencies": "HKD"],
            .refund(of: Bench.original(.authorization, dollars), capture: nil))
    }

    @Test func voids() async throws {
        let amount = try Bench.money(35_000)
        try await Self.followUp("void-authorization", amount, .void(Bench.original(.authorization, amount)))
        try await Self.followUp("void-sale", amount, .void(Bench.original(.authorization, amount, isSale: true)))
        try await Self.followUp("cancel-capture", amount, .void(Bench.original(.capture, amount)))
        try await Self.followUp(
            "cancel-refund", amount, .void(Bench.original(.refund, amount, refund: Bench.refundTrade)))
    }

    @Test func queries() async throws {
        let amount = try Bench.money(35_000)
        let original = Bench.original(.authorization, amount)
        try await Self.compare("query-payment") { _ = await $0.query(Bench.query(original)) }
        for kind in [PaymentOperation.Kind.capture, .refund] {
            try await Self.compare("query-\(kind.rawValue)") { acquirer in
                _ = await acquirer.query(await Bench.query(kind, amount, about: original, with: acquirer))
            }
        }
    }

    // MARK: - What is not sent

    /// Every difference to ISO 4217: there TWD have two decimals, and here none. JPY stands in the vendor's list without
    /// what it counts in, and is not taken.
    @Test(
        arguments: [
            ("TWD", 35_000, 350), ("TWD", 100, 1), ("HKD", 101, 101), ("MYR", 101, 101), ("USD", 101, 101),
        ] as [(String, Int64, Int64)])
    func countsAsTheVendorDoes(_ code: String, _ minorUnits: Int64, _ units: Int64) async throws {
        let amount = try Bench.money(minorUnits, code)
        let requests = try await Bench.with(answers: [:], settings: ["currencies": "TWD,HKD,MYR,USD"]) {
            acquirer, stub in
            _ = await acquirer.perform(Bench.request(.authorize(Bench.charge()), amount))
            return stub.requests
        }
        let body = try JSON.parse(try #require(requests.last).body)
        #expect(body["amount"]?.integer == units && body["currency"]?.string == code)
    }

    /// The whole list: where TapPay counts otherwise than ISO 4217, and which currencies it names.
    @Test func countsAsISODoesButForDollarsOfTaiwan() throws {
        var differences: [String: Int] = [:]
        for one in TapPayCurrency.allCases {
            let (currency, terms) = try #require(one.terms)
            #expect(currency.code == one.rawValue && TapPayCurrency(currency) == one)
            if terms.exponent != currency.exponent { differences[currency.code] = terms.exponent }
        }
        #expect(differences == ["TWD": 0])
        #expect(Set(TapPayCurrency.allCases.map(\.rawValue)) == ["TWD", "HKD", "MYR", "USD"])
    }

    @Test(
        arguments: [
            ("TWD", 35_050, "amount_not_taken"), ("TWD", 2_000_000_100, "amount_not_taken"),
            ("TWD", 0, "amount_not_taken"),
            ("HKD", 25_250_001, "amount_not_taken"), ("MYR", 13_500_001, "amount_not_taken"),
            ("USD", 3_316_901, "amount_not_taken"), ("JPY", 350, "currency_not_taken"),
            ("EUR", 350, "currency_not_taken"),
        ] as [(String, Int64, String)])
    func refusesOtherAmountsBeforeAnythingIsSent(_ code: String, _ minorUnits: Int64, _ word: String) async throws {
        let amount = try Bench.money(minorUnits, code)
        let original = Bench.original(.authorization, amount, captured: amount)
        try await Bench.with(answers: [:], settings: ["currencies": "TWD,HKD,MYR,USD"]) { acquirer, stub in
            for action in [
                AcquirerRequest.Action.authorize(Bench.charge()), .refund(of: original, capture: nil),
            ] {
                #expect(
                    await acquirer.perform(Bench.request(action, amount))
                        == .notProcessed(NotProcessed(.requestRefused, word)))
            }
            #expect(stub.requests.isEmpty)
        }
    }

    @Test func refusesCurrenciesOutsideOfTheContract() async throws {
        let amount = try Bench.money(350, "USD")
        try await Bench.with(answers: [:]) { acquirer, stub in
            #expect(
                await acquirer.perform(Bench.request(.authorize(Bench.charge()), amount))
                    == .notProcessed(NotProcessed(.requestRefused, "currency_not_taken")))
            #expect(stub.requests.isEmpty)
            // What was paid under an earlier contract can still be refunded.
            let original = Bench.original(.authorization, amount, captured: amount)
            _ = await acquirer.perform(Bench.request(.refund(of: original, capture: nil), amount))
            #expect(stub.requests.map(\.path) == ["/tpc/transaction/refund"])
        }
    }

    @Test func takesNoInstrumentButATokenAsItCame() async throws {
        let amount = try Bench.money(35_000)
        try await Bench.with(answers: [:]) { acquirer, stub in
            for data in ["", "[]", "not json"] {
                #expect(
                    await acquirer.perform(Bench.request(.authorize(Bench.charge(paymentData: data)), amount))
                        == .notProcessed(NotProcessed(.requestRefused, "instrument_not_taken")))
            }
            #expect(stub.requests.isEmpty)
        }
    }

    /// What the trade's state forbids for certain is not sent either.
    @Test func sendsNothingThatCanNotBe() async throws {
        let (amount, part) = (try Bench.money(35_000), try Bench.money(10_000))
        let original = Bench.original(.authorization, amount)
        let captured = Bench.original(.authorization, amount, captured: amount)
        let unknown = Bench.original(.authorization, amount, trade: nil)
        let actions: [(AcquirerRequest.Action, Money)] = [
            (.capture(of: original, isFinal: true), part), (.capture(of: captured, isFinal: true), amount),
            (.capture(of: Bench.original(.authorization, amount, isSale: true), isFinal: true), amount),
            (.capture(of: unknown, isFinal: true), amount), (.refund(of: unknown, capture: nil), amount),
            (.void(unknown), amount), (.void(captured), amount), (.void(Bench.original(.refund, amount)), amount),
            (.reverse(Bench.original(.capture, amount, trade: nil)), amount),
            (.reverse(Bench.original(.refund, amount, trade: nil)), amount),
        ]
        try await Bench.with(answers: [:]) { acquirer, stub in
            for (action, amount) in actions {
                #expect(await acquirer.perform(Bench.request(action, amount)) == .wrongState)
            }
            for action in [
                AcquirerRequest.Action.verify(Bench.charge()), .adjust(original),
                .void(Bench.original(.void, amount)), .reverse(Bench.original(.verification, amount)),
            ] {
                #expect(
                    await acquirer.perform(Bench.request(action, amount))
                        == .notProcessed(NotProcessed(.requestRefused, "not_offered")))
            }
            #expect(stub.requests.isEmpty)
        }
    }

    @Test func textsThatAreTooLongAreCutOrLeftOut() async throws {
        let amount = try Bench.money(35_000)
        let long = String(repeating: "a", count: 200)
        let details = ChargeDetails(
            orderReference: long, description: long,
            customer: Customer(id: long, firstName: long, lastName: long, email: long, phone: "call me"))
        let requests = try await Bench.with(answers: [:]) { acquirer, stub in
            _ = await acquirer.perform(Bench.request(.authorize(Bench.charge(details: details)), amount))
            return stub.requests
        }
        let body = try JSON.parse(try #require(requests.last).body)
        #expect(body["details"]?.string?.count == 100 && body["order_number"]?.string?.count == 50)
        #expect(body[path: "cardholder.name"]?.string?.count == 100)
        #expect(body[path: "cardholder.email"]?.string == "" && body[path: "cardholder.phone_number"]?.string == "")
        #expect(body[path: "cardholder.member_id"] == nil)
    }
}
