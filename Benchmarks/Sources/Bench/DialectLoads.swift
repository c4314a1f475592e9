//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import Foundation
import NIOCore
import NIOHTTP1
import StrictJSON
import WalletSimulator
import X509

/// Authorization requests of each dialect for the merchants of a running sandbox, made before anything is measured.
struct DialectLoads {
    enum Dialect: String, CaseIterable {
        case commWeb = "CommWeb"
        case payone = "PAYONE"
        case radial = "Radial"

        var merchant: String { self.rawValue.lowercased() }
        var currency: (name: String, number: String) { self == .payone ? ("EUR", "978") : ("USD", "840") }
    }

    struct Request {
        let method: HTTPMethod
        let url: String
        let headers: [(String, String)]
        let body: ByteBuffer
        /// Stands in every answer that approves.
        let approval: String
    }

    private let base: String
    private let merchants: JSON
    private let device: SimulatedDevice
    private let dataDirectory: URL

    init(_ announcement: JSON) throws {
        guard let base = announcement["http"]?.string, let merchants = announcement["merchants"],
            let rootPath = announcement["trustRoot"]?.string
        else { throw BenchError("the sandbox announces no merchants") }
        self.base = base
        self.merchants = merchants
        let authority = URL(filePath: rootPath).deletingLastPathComponent()
        self.dataDirectory = authority.deletingLastPathComponent()
        var texts: [TestAuthority.Archive.Name: String] = [:]
        for name in TestAuthority.Archive.Name.allCases {
            texts[name] = try? String(contentsOf: authority.appending(path: name.rawValue), encoding: .utf8)
        }
        self.device = SimulatedDevice(authority: try TestAuthority(archive: TestAuthority.Archive(texts: texts)))
    }

    func make(_ dialect: Dialect, count: Int) throws -> [Request] {
        let merchant = Merchant(json: self.merchants[dialect.merchant] ?? .null)
        let certificatePath = self.dataDirectory.appending(
            path: "merchants/\(dialect.merchant)/applepay-processing.pem")
        let recipient = try ProcessingPublicKey(
            certificate: Certificate(pemEncoded: String(contentsOf: certificatePath, encoding: .utf8)))
        let payment = PaymentRequest(
            merchantIdentifier: try merchant.value("merchantIdentifier"), amountMinorUnits: 1099,
            currencyCode: dialect.currency.number)
        return try (0..<count).map { _ in
            let token = try self.device.mint(payment, card: .visa, recipient: recipient, signingTime: Date())
            let id = UUID().uuidString.filter { $0 != "-" }.prefix(20)
            switch dialect {
            case .commWeb: return try self.commWeb(merchant, token.paymentData, String(id))
            case .payone: return try self.payone(merchant, token.paymentData, String(id))
            case .radial: return try self.radial(merchant, token.paymentData, String(id))
            }
        }
    }

    private struct Merchant {
        let json: JSON

        func value(_ name: String) throws -> String {
            guard let value = self.json[name]?.string else { throw BenchError("the sandbox announces no \(name)") }
            return value
        }
    }

    private func commWeb(_ merchant: Merchant, _ token: JSON, _ id: String) throws -> Request {
        let name = try merchant.value("merchantId")
        let credentials = "merchant.\(name):\(try merchant.value("password"))"
        let body: JSON = [
            "apiOperation": "AUTHORIZE",
            "order": ["amount": "10.99", "currency": "USD", "walletProvider": "APPLE_PAY"],
            "sourceOfFunds": [
                "type": "CARD", "provided": ["card": ["devicePayment": ["paymentToken": .string(token.text())]]],
            ],
            "transaction": ["source": "INTERNET"],
        ]
        return Request(
            method: .PUT, url: "\(self.base)/api/rest/version/71/merchant/\(name)/order/\(id)/transaction/1",
            headers: [
                ("Content-Type", "application/json"),
                ("Authorization", "Basic " + Data(credentials.utf8).base64EncodedString()),
            ], body: ByteBuffer(bytes: body.serialized()), approval: "\"gatewayCode\":\"APPROVED\"")
    }

    private func payone(_ merchant: Merchant, _ token: JSON, _ id: String) throws -> Request {
        let key = Insecure.MD5.hash(data: Data(try merchant.value("key").utf8))
            .map { String(format: "%02x", $0) }.joined()
        let parts = [
            ("version", token["version"]), ("data", token["data"]), ("signature", token["signature"]),
            ("ephemeral_publickey", token["header"]?["ephemeralPublicKey"]),
            ("publickey_hash", token["header"]?["publicKeyHash"]),
            ("transaction_id", token["header"]?["transactionId"]),
        ]
        let fields =
            [
                ("request", "preauthorization"), ("mid", try merchant.value("mid")), ("aid", try merchant.value("aid")),
                ("portalid", try merchant.value("portalid")), ("key", key), ("mode", "test"), ("amount", "1099"),
                ("currency", "EUR"), ("reference", id), ("clearingtype", "wlt"), ("wallettype", "APL"),
                ("cardtype", "V"), ("lastname", "Dude"), ("country", "DE"), ("encoding", "UTF-8"),
            ] + parts.map { ("add_paydata[paymentdata_token_\($0)]", $1?.string ?? "") }
        let encode = { (text: String) in text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
        let body = fields.map { encode($0) + "=" + encode($1) }.joined(separator: "&")
        return Request(
            method: .POST, url: self.base + "/post-gateway/",
            headers: [("Content-Type", "application/x-www-form-urlencoded")], body: ByteBuffer(string: body),
            approval: "status=APPROVED")
    }

    private func radial(_ merchant: Merchant, _ token: JSON, _ id: String) throws -> Request {
        let text = { (json: JSON?) in json?.string ?? "" }
        let address = "<Line1>123 Main St</Line1><City>Philadelphia</City><CountryCode>US</CountryCode>"
        let body = """
            <CreditCardAuthRequest xmlns="http://api.gsicommerce.com/schema/checkout/1.0" requestId="\(id)">\
            <WalletPaymentInformation>\
            <ApplePayTransactionId>\(text(token["header"]?["transactionId"]))</ApplePayTransactionId>\
            <EphemeralPublicKey>\(text(token["header"]?["ephemeralPublicKey"]))</EphemeralPublicKey>\
            <PublicKeyHash>\(text(token["header"]?["publicKeyHash"]))</PublicKeyHash>\
            <Version>\(text(token["version"]))</Version><Data>\(text(token["data"]))</Data>\
            <Signature>\(text(token["signature"]))</Signature></WalletPaymentInformation>\
            <OrderId>\(id)</OrderId><BillingFirstName>John</BillingFirstName>\
            <BillingLastName>Smith</BillingLastName><BillingPhoneNo>6101234567</BillingPhoneNo>\
            <BillingAddress>\(address)</BillingAddress><CustomerEmail>customer@sample.com</CustomerEmail>\
            <CustomerIPAddress>208.247.73.130</CustomerIPAddress><ShipToFirstName>John</ShipToFirstName>\
            <ShipToLastName>Smith</ShipToLastName><ShippingAddress>\(address)</ShippingAddress>\
            <SchemaVersion>1.2</SchemaVersion></CreditCardAuthRequest>
            """
        return Request(
            method: .POST,
            url: "\(self.base)/v1.0/stores/\(try merchant.value("storeId"))/payments/creditcard/auth/DW.xml",
            headers: [("Content-Type", "text/xml"), ("apikey", try merchant.value("apikey"))],
            body: ByteBuffer(string: body), approval: "<ResponseCode>APPROVED</ResponseCode>")
    }
}
