//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import DialectConformance
import DialectKit
import Gateway
import HTTPTypes
import Money
import PAYONE
import Payments
import Redaction
import TestGateway

/// Makes the conformance suite's calls in PAYONE's language.
struct PAYONEDriver: DialectDriver {
    let lacks: [DialectCapability: String] = [
        .query: "the Server API of the Apple Pay page has no request that asks how a payment stands",
        .queryTotals: "there is no query",
    ]

    var currency: Currency { TestShop.euros(0).currency }
    var foreignCurrency: Currency { TestShop.money(0, "CHF").currency }

    func makeDialect(_ gateway: Gateway, limits: CallerLimits) -> any Dialect {
        PAYONE(gateway: gateway, limits: limits)
    }

    func addMerchant(to test: TestGateway, name: String) async throws -> TestMerchant {
        let draft = PAYONE.accountDraft(
            mid: ShopForm.Account.mid, aids: [ShopForm.Account.aid], key: Redacted(ShopForm.Account.key),
            notificationURL: "https://\(name).example/payone/status")
        let merchant = try await test.addMerchant(
            name, dialect: PAYONE.dialectName, key: Self.portalID(of: name), settings: draft.settings,
            secrets: draft.secrets, merchantIdentifier: "merchant.com.example.\(name)", countryCode: "DE")
        try await test.register(ShopForm.domain, for: merchant)
        return merchant
    }

    private static func portalID(of name: String) -> String { name == "shop" ? ShopForm.Account.portalID : "2030406" }

    // MARK: - Calls

    func client(in shop: DialectShop) -> PAYONEClient {
        var credentials = PAYONEClient.Credentials(
            mid: ShopForm.Account.mid, aid: ShopForm.Account.aid, portalID: shop.merchant.key,
            key: Redacted(ShopForm.Account.key))
        credentials.digest = .md5
        credentials.mode = shop.merchant.merchant.mode == .live ? "live" : "test"
        return PAYONEClient(credentials)
    }

    func complete(_ charge: inout ChargeFields) {
        charge.customer.givenName = "Demo"
        charge.customer.familyName = "Dude"
        charge.billing = AddressFields()
        charge.billing?.countryCode = "DE"
    }

    func read(
        _ response: WireResponse, to request: WireRequest, of call: DialectCall?, in shop: DialectShop
    ) throws -> DialectAnswer {
        _ = try Reply(response)
        var answer = try DialectAnswer(shop.read(response, to: request), of: call)
        // Numbers of the card table that the gateway gives without having asked the bank.
        if ["31", "80"].contains(answer.code) { answer.verdict = .refused }
        return answer
    }

    // MARK: - Wrong requests

    private static func changed(_ request: WireRequest, _ name: String, _ value: String?) throws -> WireRequest {
        let fields = try FormFields(body: request.body, contentType: request.headers[.contentType])
        let form = ShopForm(try fields.names.map { ($0, try fields.text($0, as: .utf8) ?? "") })
        return form.with(name, value).urlEncoded()
    }

    func withWrongCredentials(_ request: WireRequest, in shop: DialectShop) throws -> [NamedRequest] {
        let changes: [(String, String, String?)] = [
            ("another portal", "portalid", "2999999"), ("no portal", "portalid", nil), ("another mid", "mid", "10002"),
            ("another aid", "aid", "29999"), ("no key", "key", nil),
            ("another key", "key", String(ShopForm.Account.keyMD5.reversed())),
            ("another SHA-384 key", "key", String(ShopForm.Account.keySHA384.reversed())),
            ("the key itself", "key", ShopForm.Account.key),
        ]
        return try changes.map { NamedRequest($0.0, try Self.changed(request, $0.1, $0.2)) }
    }

    func conflicting(
        with request: WireRequest, of call: DialectCall, in shop: DialectShop
    ) async throws -> [NamedRequest] {
        try await self.withLessAmount(call, in: shop)
            + [NamedRequest("another text", try Self.changed(request, "narrative_text", "Apples"))]
    }

    func crossed(_ request: WireRequest, in shop: DialectShop) throws -> [NamedRequest] {
        let other = shop.merchant.merchant.mode == .live ? "test" : "live"
        return [NamedRequest("mode=\(other)", try Self.changed(request, "mode", other))]
    }

    let unknownPaths = ["/post-gateway/capture/more", "/post-gateway/capture/"]
    let unknownMethods: [HTTPRequest.Method] = [.get, .put, .delete]

    // MARK: - Notifications

    let acknowledgement = (status: 200, body: "TSOK")
    let unacknowledged = ["", "OK", "tsok", "<html>TSOK</html>", "TSOK TSOK", " TSOK"]

    // MARK: - Transcripts

    let placeholders = [
        TranscriptPlaceholder("txid", "\\btxid=([0-9]{9})\\b"),
        TranscriptPlaceholder("txid", "\"TxId\": ?\"([0-9]{9})\""),
        TranscriptPlaceholder("userid", "\\buserid=([0-9]{9})\\b"),
        TranscriptPlaceholder("userid", "\"UserId\": ?\"([0-9]{9})\""),
        TranscriptPlaceholder("md5-key", "\\bkey=([0-9a-f]{32})\\b"),
        TranscriptPlaceholder("sha384-key", "\\bkey=([0-9a-f]{96})\\b"),
    ]

    /// A good authorization, to be spoiled.
    private func authorization(in shop: DialectShop) throws -> ShopForm {
        let amount = shop.money(1099)
        return ShopForm.authorization(amount, reference: "p1", token: try shop.token(amount))
    }

    var scenes: [TranscriptScene] {
        [
            TranscriptScene("json", "The same in JSON, for who accepts it: a payment, and an error.") { shop in
                let form = try self.authorization(in: shop)
                await shop.send(form.urlEncoded(accept: "application/json"))
                await shop.send(form.with("amount", "1100").urlEncoded(accept: "application/json"))
            },
            TranscriptScene("multipart", "A form in parts and in ISO-8859-1, with SHA-384, at a path with a name.") {
                shop in
                let form = try self.authorization(in: shop)
                    .with("encoding", "ISO-8859-1").with("lastname", "Müller").with("param", "Äpfel")
                    .with("key", ShopForm.Account.keySHA384)
                await shop.send(form.multipart(as: .latin1, path: "/post-gateway/Preauthorization"))
                try await shop.deliverAll()
            },
            TranscriptScene("faulty-parameters", "Parameters that are missing or faulty, in the customer's language.") {
                shop in
                let form = try self.authorization(in: shop)
                await shop.send(form.with("country", "XX").urlEncoded())
                await shop.send(form.with("request", "creditcardcheck").with("language", "de").urlEncoded())
                await shop.send(form.with("add_paydata[paymentdata_token_signature]", "").urlEncoded())
            },
            TranscriptScene("session", "A merchant session, where there is no identity certificate.") { shop in
                await shop.send(ShopForm.session().urlEncoded())
            },
        ]
    }
}
