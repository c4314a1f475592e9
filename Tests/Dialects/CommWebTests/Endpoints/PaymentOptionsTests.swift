//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import Payments
import StrictJSON
import TestGateway
import Testing

@Suite struct PaymentOptionsTests {
    private static func ask(
        _ shop: CommWebShop, _ method: HTTPRequest.Method = .post, query: String? = nil, _ body: JSON? = nil
    ) async throws -> Reply {
        try await shop.send(
            method, shop.merchantPath("paymentOptionsInquiry"), query: query, body?.serialized() ?? [])
    }

    private static func values(_ list: JSON?, _ name: String) -> [String]? {
        list?.array?.compactMap { element in
            element.object?.members.count == 1 ? element[name]?.string : nil
        }
    }

    /// With nothing asked, everything: the vendor's mobile sample and its module for WooCommerce send an empty POST.
    @Test func reportsWhatTheAccountTakes() async throws {
        let shop = try await CommWebShop.open()
        let reply = try await Self.ask(shop)
        #expect(reply.status == 201 && reply["result"] == "SUCCESS" && reply["merchant"] == CommWebShop.merchantID)
        let card = try #require(reply.json?["paymentTypes"]?["card"])
        #expect(Self.values(card["walletProviders"], "walletProvider") == ["APPLE_PAY"])
        let types = try #require(Self.values(card["cardTypes"], "cardType"))
        #expect(types == ["AMEX", "CHINA_UNIONPAY", "DISCOVER", "JCB", "MASTERCARD", "VISA"])
        let currencies = try #require(Self.values(card["currencies"], "currency"))
        #expect(currencies.count > 100 && currencies.contains("AUD") && currencies.contains("KWD"))
        let sources = try #require(Self.values(card["transactionSources"], "transactionSource"))
        #expect(sources.contains("INTERNET") && !sources.contains("CARD_PRESENT"))
        #expect(
            Self.values(reply.json?["supportedPaymentOperations"], "supportedPaymentOperation")
                == ["AUTHORIZE", "PURCHASE"])
        #expect(reply["transactionMode"] == nil)
    }

    @Test(arguments: [(51, "AUTHORIZE_CAPTURE"), (52, nil)] as [(Int, String?)])
    func answersOldVersionsAsTheyAsk(version: Int, mode: String?) async throws {
        var shop = try await CommWebShop.open()
        shop.version = version
        let reply = try await Self.ask(shop, .get, query: "correlationId=c")
        #expect(reply.status == 200 && reply["result"] == "SUCCESS" && reply["transactionMode"] == mode)
        #expect(reply["correlationId"] == "c" && reply["paymentTypes.card.walletProviders[0].walletProvider"] != nil)
        let form = try await shop.nvp(["apiOperation": "PAYMENT_OPTIONS_INQUIRY"])
        #expect(form["result"] == "SUCCESS" && form["paymentTypes.card.cardTypes[0].cardType"] == "AMEX")
    }

    @Test func reportsWhatCanBePaidInACurrency() async throws {
        let shop = try await CommWebShop.open(settings: ["currencies": "USD, AUD"])
        let all = try await Self.ask(shop)
        #expect(Self.values(all.json?["paymentTypes"]?["card"]?["currencies"], "currency") == ["USD", "AUD"])
        let one = try await Self.ask(
            shop, .post, ["apiOperation": "PAYMENT_OPTIONS_INQUIRY", "order": ["currency": "AUD"]])
        #expect(Self.values(one.json?["paymentTypes"]?["card"]?["currencies"], "currency") == ["AUD"])
        let none = try await Self.ask(shop, .post, ["order": ["currency": "EUR"]])
        #expect(none["result"] == "SUCCESS" && none.json?["paymentTypes"]?.object?.isEmpty == true)
        let wrong = try await Self.ask(shop, .post, ["order": ["currency": "dollars"]])
        #expect(wrong.summary == "INVALID_REQUEST FIELD_INVALID order.currency INVALID" && wrong.status == 400)
        // What is not reported is not taken.
        let paid = try await shop.pay("PAY", "o1", currency: "EUR")
        #expect(paid.summary == "INVALID_REQUEST FIELD_NOT_SUPPORTED order.currency UNSUPPORTED")
        #expect(try await shop.pay("PAY", "o1", currency: "AUD").summary == "SUCCESS APPROVED")
    }

    @Test func reportsWhatTheProfilePermits() async throws {
        let shop = try await CommWebShop.open(allowedOperations: ["PAY", "PAYMENT_OPTIONS_INQUIRY"])
        let reply = try await Self.ask(shop, .get)
        #expect(
            Self.values(reply.json?["supportedPaymentOperations"], "supportedPaymentOperation") == ["PURCHASE"])
        let other = try await CommWebShop.open(allowedOperations: ["PAY"])
        #expect(
            try await Self.ask(other).summary == "REQUEST_REJECTED OPERATION_NOT_PERMITTED apiOperation UNSUPPORTED")
    }

    @Test func reportsNobodyElse() async throws {
        let shop = try await CommWebShop.open()
        var stranger = shop
        stranger.authorization = nil
        #expect(try await Self.ask(stranger).status == 401)
        let id = try await SessionTests.id(shop)
        let device = try await Self.ask(SessionTests.device(shop, id))
        #expect(device.summary == "REQUEST_REJECTED SESSION_NOT_PERMITTED apiOperation UNSUPPORTED")
        let misplaced = try await Self.ask(shop, .post, ["apiOperation": "PAY"])
        #expect(misplaced.summary == "INVALID_REQUEST OPERATION_INVALID apiOperation INVALID")
    }
}
