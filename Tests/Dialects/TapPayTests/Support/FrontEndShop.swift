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

/// An app and a page of one merchant, before a real gateway.
struct FrontEndShop: Sendable {
    static let appID = "12345"
    static let appKey = "app_Yw7kQ2mZr5TxLp9vNc3HbD8f"
    static let partnerKey = "partner_Jq4Xn8VbT2mKz6RwLc9Hs5Pd"

    let test: TestGateway
    let tapPay: TapPay
    let merchant: TestMerchant

    /// What an answer says.
    struct Answer: Sendable {
        let response: WireResponse
        let json: JSON

        var status: Int64 { self.json["status"]?.integer ?? -999 }
        var message: String { self.json["msg"]?.string ?? "" }
        var detail: String { self.json["detail"]?.string ?? "" }
        var prime: String { self.json["prime"]?.string ?? "" }
    }

    static func open(
        settings: [String: String] = [:], mode: Mode = .sandbox, hasAppKey: Bool = true, certified: Bool = true,
        acquirer: String? = "simulator", cards: BINTable = .standard, limits: CallerLimits = .none,
        configure: (inout GatewayParts) throws -> Void = { _ in }
    ) async throws -> FrontEndShop {
        let test = try await TestGateway.open(configure: configure)
        var secrets = [AccountSettings.partnerKey: Redacted(Self.partnerKey)]
        if hasAppKey { secrets[AccountSettings.appKey] = Redacted(Self.appKey) }
        let merchant = try await test.addMerchant(
            dialect: TapPay.dialectName, key: Self.appID, settings: settings, secrets: secrets, mode: mode,
            certified: certified, acquirer: acquirer, countryCode: "TW", displayName: "Fruit & More")
        return FrontEndShop(
            test: test, tapPay: TapPay(gateway: test.gateway, cards: cards, limits: limits), merchant: merchant)
    }

    /// What the sheet shows.
    static func amount() throws -> Money {
        Money(minorUnits: 100, currency: try #require(Currency.alphabetic("TWD")))
    }

    func token(
        _ card: SimulatedCard = .visa, options: MintOptions = MintOptions(), signedAt: Timestamp? = nil,
        mode: Mode? = nil
    ) throws -> MintedToken {
        try self.test.mint(
            try Self.amount(), for: self.merchant, card: card, options: options, signedAt: signedAt, mode: mode)
    }

    /// As a page sends it; `nil` leaves a field out.
    func body(_ token: JSON, changing changes: [String: JSON?] = [:]) -> JSON {
        var body = JSONObject()
        body["app_id"] = 12345
        body["app_key"] = .string(Self.appKey)
        body["app_name"] = "shop.example"
        body["platform_type"] = "2"
        body["pay_token_data"] = token
        body["apple_merchant_id"] = .string(self.merchant.merchantIdentifier)
        body["fraud_id"] = "f-1"
        body["is_amount_pending"] = false
        for (name, value) in changes { body[name] = value }
        return .object(body)
    }

    func getPrime(_ token: MintedToken, changing changes: [String: JSON?] = [:]) async throws -> Answer {
        try await self.call(self.body(token.paymentData, changing: changes))
    }

    func call(
        _ body: JSON, path: String = "/tpc/applepay/getprime", headers: [HTTPField.Name: String] = [:],
        from address: String = "192.0.2.7"
    ) async throws -> Answer {
        try await self.call(bytes: body.serialized(), path: path, headers: headers, from: address)
    }

    func call(
        bytes: [UInt8], path: String = "/tpc/applepay/getprime", headers: [HTTPField.Name: String] = [:],
        from address: String = "192.0.2.7"
    ) async throws -> Answer {
        var fields = HTTPFields()
        fields[.contentType] = "application/json"
        for (name, value) in headers { fields[name] = value }
        let response = await self.tapPay.respond(
            to: WireRequest(
                method: .post, path: path, headers: fields, body: bytes, remoteAddress: address))
        return Answer(response: response, json: try JSON.parse(response.body))
    }

    func context() async throws -> MerchantContext {
        try #require(try await self.test.gateway.account(dialect: TapPay.dialectName, key: Self.appID))
    }

    /// Whether anything is kept under any prime.
    func keepsAnything() async throws -> Bool {
        try await self.test.everythingStored().contains { String(decoding: $0, as: UTF8.self) == PrimeText.kind }
    }

    /// Whether something is kept under a prime.
    func keeps(_ prime: String) async throws -> Bool {
        try await self.test.gateway.kept(
            kind: PrimeText.kind, id: PrimeText.storedName(of: prime), merchant: try await self.context()) != nil
    }
}
