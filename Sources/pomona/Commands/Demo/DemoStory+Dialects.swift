//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import DialectKit
import Foundation
import Money
import NIOHTTP1
import StrictJSON
import SwiftASN1
import Time
import WalletSimulator
import X509

/// The same gateway, spoken to in the other dialects: each pays with a token of its own merchant, over HTTP, in the
/// requests that the original API's clients send.
extension DemoStory {
    func payInCommWeb() async throws {
        let card = try self.card("commweb")
        self.printer.step("CommWeb (Mastercard Gateway): authorize and capture, REST and JSON")
        let merchant = try card.value("merchantId")
        let credentials = "merchant.\(merchant):" + (try card.value("password"))
        let headers = [
            ("Content-Type", "application/json"),
            ("Authorization", "Basic " + Data(credentials.utf8).base64EncodedString()),
        ]
        let order = "/api/rest/version/71/merchant/\(merchant)/order/demo-\(Hex.encode(self.randomBytes(4)))"
        let token = try self.mint("42.50", for: card)
        let authorized = try await self.shop.wire.send(
            .PUT, order + "/transaction/1", headers: headers,
            body: Self.bytes([
                "apiOperation": "AUTHORIZE",
                "order": ["amount": "42.50", "currency": "USD", "walletProvider": "APPLE_PAY"],
                "sourceOfFunds": [
                    "type": "CARD",
                    "provided": ["card": ["devicePayment": ["paymentToken": .string(token.paymentData.text())]]],
                ],
                "transaction": ["source": "INTERNET"],
            ]))
        let authorization = try JSON.parse(authorized.body)
        let device = authorization["sourceOfFunds"]?["provided"]?["card"]?["deviceSpecificNumber"]?.string ?? "none"
        self.printer.fact("PUT …/transaction/1", "AUTHORIZE 42.50 USD: \(Self.commWebResult(authorization))")
        self.printer.fact("device account", device)
        try self.printer.check(
            "CommWeb answers SUCCESS, APPROVED, with the order AUTHORIZED",
            Self.commWebResult(authorization) == "SUCCESS APPROVED AUTHORIZED", authorized.text)
        let captured = try await self.shop.wire.send(
            .PUT, order + "/transaction/2", headers: headers,
            body: Self.bytes([
                "apiOperation": "CAPTURE", "transaction": ["amount": "42.50", "currency": "USD"],
            ]))
        let capture = try JSON.parse(captured.body)
        self.printer.fact("PUT …/transaction/2", "CAPTURE 42.50 USD: \(Self.commWebResult(capture))")
        try self.printer.check(
            "the order is CAPTURED", Self.commWebResult(capture) == "SUCCESS APPROVED CAPTURED", captured.text)
    }

    private static func bytes(_ body: JSON) -> [UInt8] { body.serialized() }

    private static func commWebResult(_ answer: JSON) -> String {
        [answer["result"], answer["response"]?["gatewayCode"], answer["order"]?["status"]]
            .map { $0?.string ?? "none" }.joined(separator: " ")
    }

    func payInPAYONE() async throws {
        let card = try self.card("payone")
        self.printer.step("PAYONE: preauthorization and capture, form fields in and key=value lines out")
        let account = [
            ("mid", try card.value("mid")), ("aid", try card.value("aid")), ("portalid", try card.value("portalid")),
            ("key", Self.sha384(try card.value("key"))), ("mode", "test"), ("encoding", "UTF-8"),
            ("api_version", "3.11"), ("currency", "EUR"),
        ]
        let token = try self.mint("10.00", for: card)
        let reserved = try await self.postForm(
            account + [
                ("request", "preauthorization"), ("amount", "1000"),
                ("reference", "demo" + Hex.encode(self.randomBytes(4))), ("clearingtype", "wlt"),
                ("wallettype", "APL"), ("cardtype", "V"), ("firstname", "Demo"), ("lastname", "Dude"),
                ("country", "DE"),
            ] + Self.payoneToken(token.paymentData))
        self.printer.fact(
            "preauthorization", "10.00 EUR: \(reserved["status"] ?? "none"), txid \(reserved["txid"] ?? "none")")
        try self.printer.check("PAYONE answers APPROVED", reserved["status"] == "APPROVED", "\(reserved)")
        let captured = try await self.postForm(
            account + [
                ("request", "capture"), ("txid", reserved["txid"] ?? ""), ("sequencenumber", "1"), ("amount", "1000"),
                ("capturemode", "completed"),
            ])
        self.printer.fact("capture", "10.00 EUR: \(captured["status"] ?? "none")")
        try self.printer.check("the capture is APPROVED", captured["status"] == "APPROVED", "\(captured)")
    }

    private func postForm(_ fields: [(String, String)]) async throws -> [String: String] {
        let answer = try await self.shop.wire.send(
            .POST, "/post-gateway/", headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: Array(
                fields.map { "\(PercentCoding.encoded($0.0))=\(PercentCoding.encoded($0.1))" }.joined(separator: "&")
                    .utf8))
        var values: [String: String] = [:]
        for line in answer.text.split(separator: "\n") {
            let pair = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { values[String(pair[0])] = String(pair[1]) }
        }
        return values
    }

    private static func payoneToken(_ token: JSON) -> [(String, String)] {
        [
            ("version", token["version"]), ("data", token["data"]), ("signature", token["signature"]),
            ("ephemeral_publickey", token["header"]?["ephemeralPublicKey"]),
            ("publickey_hash", token["header"]?["publicKeyHash"]),
            ("transaction_id", token["header"]?["transactionId"]),
        ].map { ("add_paydata[paymentdata_token_\($0)]", $1?.string ?? "") }
    }

    private static func sha384(_ text: String) -> String {
        Hex.encode(SHA384.hash(data: Data(text.utf8)))
    }

    func payInRadial() async throws {
        let card = try self.card("radial")
        self.printer.step("Radial: authorization and settlement, XML both ways")
        let store = "/v1.0/stores/\(try card.value("storeId"))/payments/"
        let headers = [("Content-Type", "text/xml"), ("apikey", try card.value("apikey"))]
        let order = "demo" + Hex.encode(self.randomBytes(4))
        let token = try self.mint("14.99", for: card)
        let authorized = try await self.shop.wire.send(
            .POST, store + "creditcard/auth/DW.xml", headers: headers,
            body: Array(Self.radialAuthorization(token.paymentData, order: order).utf8))
        let account = Self.element("PaymentAccountUniqueId", of: authorized.text)
        self.printer.fact(
            "creditcard/auth/DW",
            "14.99 USD: \(Self.element("ResponseCode", of: authorized.text)), tender "
                + Self.element("TenderType", of: authorized.text))
        self.printer.fact("account token", account)
        try self.printer.check(
            "Radial answers APPROVED, with a token in place of the card number",
            Self.element("ResponseCode", of: authorized.text) == "APPROVED" && !account.isEmpty, authorized.text)
        let settled = try await self.shop.wire.send(
            .POST, store + "settlement/create/VC.xml", headers: headers,
            body: Array(Self.radialSettlement(of: account, order: order).utf8))
        self.printer.fact("settlement/create/VC", "Debit 14.99 USD: HTTP \(settled.status)")
        try self.printer.check("the settlement is acknowledged", settled.status / 100 == 2, settled.text)
    }

    private static func radialAuthorization(_ token: JSON, order: String) -> String {
        func text(_ json: JSON?) -> String { json?.string ?? "" }
        let address =
            "<Line1>123 Main St</Line1><City>Philadelphia</City><MainDivision>PA</MainDivision>"
            + "<CountryCode>US</CountryCode><PostalCode>19019</PostalCode>"
        return """
            <CreditCardAuthRequest xmlns="http://api.gsicommerce.com/schema/checkout/1.0" requestId="auth-\(order)">\
            <WalletPaymentInformation>\
            <ApplePayTransactionId>\(text(token["header"]?["transactionId"]))</ApplePayTransactionId>\
            <EphemeralPublicKey>\(text(token["header"]?["ephemeralPublicKey"]))</EphemeralPublicKey>\
            <PublicKeyHash>\(text(token["header"]?["publicKeyHash"]))</PublicKeyHash>\
            <Version>\(text(token["version"]))</Version><Data>\(text(token["data"]))</Data>\
            <Signature>\(text(token["signature"]))</Signature></WalletPaymentInformation>\
            <OrderId>\(order)</OrderId><BillingFirstName>John</BillingFirstName>\
            <BillingLastName>Smith</BillingLastName><BillingPhoneNo>6101234567</BillingPhoneNo>\
            <BillingAddress>\(address)</BillingAddress><CustomerEmail>customer@sample.com</CustomerEmail>\
            <CustomerIPAddress>208.247.73.130</CustomerIPAddress><ShipToFirstName>John</ShipToFirstName>\
            <ShipToLastName>Smith</ShipToLastName><ShippingAddress>\(address)</ShippingAddress>\
            <SchemaVersion>1.2</SchemaVersion></CreditCardAuthRequest>
            """
    }

    private static func radialSettlement(of account: String, order: String) -> String {
        """
        <PaymentSettlementRequest xmlns="http://api.gsicommerce.com/schema/checkout/1.0" requestId="settle-\(order)">\
        <PaymentContext><OrderId>\(order)</OrderId>\
        <PaymentAccountUniqueId isToken="true">\(account)</PaymentAccountUniqueId></PaymentContext>\
        <Amount currencyCode="USD">14.99</Amount><TaxAmount currencyCode="USD">0.00</TaxAmount>\
        <SettlementType>Debit</SettlementType><FinalDebit>1</FinalDebit></PaymentSettlementRequest>
        """
    }

    /// The text of the first element of a name.
    private static func element(_ name: String, of xml: String) -> String {
        guard let start = xml.range(of: "<\(name)"),
            let open = xml.range(of: ">", range: start.upperBound..<xml.endIndex),
            let close = xml.range(of: "</\(name)>", range: open.upperBound..<xml.endIndex)
        else { return "" }
        return String(xml[open.upperBound..<close.lowerBound])
    }
}

extension DemoStory {
    private func card(_ name: String) throws -> MerchantCard {
        guard let card = self.application.merchants.first(where: { $0.name == name }) else {
            throw CommandFailure("merchant_unknown", stage: "demo", "The sandbox has no merchant named \(name).")
        }
        return card
    }

    private func randomBytes(_ count: Int) -> [UInt8] { Surroundings.system.random(count) }

    /// A token for a merchant, as its payment sheet would get it.
    private func mint(_ amount: String, for card: MerchantCard) throws -> MintedToken {
        guard let currency = Currency.alphabetic(card.currency) else {
            throw CommandFailure("currency_unknown", stage: "demo", "\(card.currency) is no currency of ISO 4217.")
        }
        let money = try Money(decimalText: amount, currency: currency)
        let certificate = try Certificate(pemEncoded: try FileSystem.readText(card.processingCertificatePath))
        return try self.phone.mint(
            PaymentRequest(
                merchantIdentifier: card.merchantIdentifier, amountMinorUnits: money.minorUnits,
                currencyCode: currency.numericText),
            card: .visa, recipient: try ProcessingPublicKey(certificate: certificate),
            signingTime: Timestamp.now().date)
    }
}
