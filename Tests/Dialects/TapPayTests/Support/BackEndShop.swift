//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Foundation
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

/// A merchant's server and app, before a real gateway.
struct BackEndShop: Sendable {
    static let merchantID = "GlobalTesting_CTBC"
    static let notifyURL = "https://shop.example/notify"
    static let redirectURL = "https://shop.example/result"

    let test: TestGateway
    let tapPay: TapPay
    let merchant: TestMerchant

    /// The keys of an app; made of its id, so that every shop of a test has its own.
    static func appKey(_ appID: Int) -> String { "app_Yw7kQ2mZr5TxLp9vNc3HbD8f\(appID)" }
    static func partnerKey(_ appID: Int) -> String { "partner_Jq4Xn8VbT2mKz6RwLc9Hs5Pd\(appID)" }

    static func open(
        mode: Mode = .sandbox, settings: [String: String] = [:], notificationKey: String? = nil
    ) async throws -> BackEndShop {
        let test = try await TestGateway.open(mode: mode)
        let merchant = try await self.addMerchant(to: test, settings: settings, notificationKey: notificationKey)
        return BackEndShop(test: test, tapPay: TapPay(gateway: test.gateway), merchant: merchant)
    }

    static func addMerchant(
        to test: TestGateway, appID: Int = 12345, merchantID: String = Self.merchantID,
        merchantIdentifier: String = "merchant.com.example.shop", settings: [String: String] = [:],
        notificationKey: String? = nil
    ) async throws -> TestMerchant {
        let draft = TapPay.accountDraft(
            appID: appID, appKey: Redacted(self.appKey(appID)), partnerKey: Redacted(self.partnerKey(appID)),
            merchantIDs: [merchantID], appName: "shop.example", isDeferredPaymentActivated: true,
            notificationKey: notificationKey.map { Redacted($0) })
        return try await test.addMerchant(
            dialect: TapPay.dialectName, key: draft.key, aliases: draft.aliases,
            settings: draft.settings.merging(settings) { $1 }, secrets: draft.secrets,
            merchantIdentifier: merchantIdentifier, countryCode: "TW", displayName: "Fruit & More")
    }

    /// The same gateway's other merchant.
    func other() async throws -> BackEndShop {
        let merchant = try await Self.addMerchant(
            to: self.test, appID: 54321, merchantID: "Other_CTBC", merchantIdentifier: "merchant.com.example.other")
        return BackEndShop(test: self.test, tapPay: self.tapPay, merchant: merchant)
    }

    var appID: Int { Int(self.merchant.key) ?? 0 }
    var partnerKey: String { Self.partnerKey(self.appID) }

    static func currency(_ code: String) throws -> Currency { try #require(Currency.alphabetic(code)) }

    // MARK: - Calls

    /// What an answer says.
    struct Answer: Sendable, CustomStringConvertible {
        let response: WireResponse
        let json: JSON

        var status: Int64 { self.json["status"]?.integer ?? -999 }
        var message: String { self.json["msg"]?.string ?? "" }
        var detail: String { self.json["detail"]?.string ?? "" }
        var recTradeID: String { self["rec_trade_id"] }
        var description: String { self.json.text(pretty: true) }

        subscript(name: String) -> String { self.json[name]?.string ?? "" }
        func integer(_ name: String) -> Int64? { self.json[name]?.integer }
    }

    func request(_ path: String, _ body: JSON) -> WireRequest {
        WireRequest(
            method: .post, path: path,
            headers: [.contentType: "application/json", .apiKey: self.partnerKey], body: body.serialized(),
            remoteAddress: "192.0.2.7")
    }

    func send(_ request: WireRequest) async throws -> Answer {
        let response = await self.tapPay.respond(to: request)
        return Answer(response: response, json: try JSON.parse(response.body))
    }

    func call(
        _ path: String, _ fields: [String: JSON?], headers: [HTTPField.Name: String] = [:]
    ) async throws -> Answer {
        var body = JSONObject()
        body["partner_key"] = .string(self.partnerKey)
        for (name, value) in fields { body[name] = value }
        var request = self.request(path, .object(body))
        for (name, value) in headers { request.headers[name] = value }
        return try await self.send(request)
    }

    /// What the app gets for a token of the amount.
    func getPrime(
        _ amount: Money, card: SimulatedCard = .visa, isAmountPending: Bool = false
    ) async throws -> Answer {
        let token = try self.test.mint(amount, for: self.merchant, card: card)
        let body: JSON = [
            "app_id": JSON(self.appID), "app_key": .string(Self.appKey(self.appID)), "app_name": "shop.example",
            "platform_type": "2", "pay_token_data": token.paymentData,
            "apple_merchant_id": .string(self.merchant.merchantIdentifier), "fraud_id": "",
            "is_amount_pending": .bool(isAmountPending),
        ]
        return try await self.send(
            WireRequest(
                method: .post, path: "/tpc/applepay/getprime", headers: [.contentType: "application/json"],
                body: body.serialized()))
    }

    func prime(_ units: Int64, _ currency: String = "TWD", card: SimulatedCard = .visa) async throws -> String {
        let wire = try #require(WireCurrency(rawValue: currency))
        let answer = try await self.getPrime(try #require(wire.money(units)), card: card)
        return try #require(answer.json["prime"]?.string, "\(answer)")
    }

    /// The fields of a payment; `nil` leaves one out.
    func payment(_ prime: String, _ units: Int64, changing changes: [String: JSON?] = [:]) -> [String: JSON?] {
        let fields: [String: JSON?] = [
            "prime": .string(prime), "merchant_id": .string(Self.merchantID), "amount": JSON(units),
            "details": "Six apples",
            "cardholder": ["phone_number": "+886912345678", "name": "Lin Mei", "email": "mei@example.com"],
        ]
        return fields.merging(changes) { $1 }
    }

    /// A payment with a new prime of the amount.
    @discardableResult
    func pay(
        _ units: Int64 = 100, _ currency: String = "TWD", card: SimulatedCard = .visa,
        changing changes: [String: JSON?] = [:]
    ) async throws -> Answer {
        let prime = try await self.prime(units, currency, card: card)
        let fields = self.payment(prime, units, changing: ["currency": .string(currency)].merging(changes) { $1 })
        return try await self.call("/tpc/payment/pay-by-prime", fields)
    }

    /// A trade that is captured.
    @discardableResult
    func paid(_ units: Int64 = 100, _ currency: String = "TWD") async throws -> String {
        let recTradeID = try await self.pay(units, currency).recTradeID
        #expect(try await self.follow("cap", recTradeID).status == 0)
        return recTradeID
    }

    @discardableResult
    func follow(
        _ path: String, _ recTradeID: String, _ fields: [String: JSON?] = [:], headers: [HTTPField.Name: String] = [:]
    ) async throws -> Answer {
        try await self.call(
            "/tpc/transaction/" + path, fields.merging(["rec_trade_id": .string(recTradeID)]) { $1 }, headers: headers)
    }

    func query(_ fields: [String: JSON?] = [:]) async throws -> Answer {
        try await self.call("/tpc/transaction/query", fields)
    }

    /// The record of a trade.
    func record(_ recTradeID: String) async throws -> JSON {
        let answer = try await self.query(["filters": ["rec_trade_id": .string(recTradeID)]])
        #expect(answer.status == 2)
        return try #require(answer.json["trade_records"]?.array?.first, "\(answer)")
    }
}
