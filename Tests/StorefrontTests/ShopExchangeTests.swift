//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import DialectKit
import HTTPTypes
import Redaction
import StrictJSON
import TestGateway
import Testing
import Time
import WalletSimulator

@testable import Storefront

/// What the exchange says of an order: its codes in plain sentences, its requests as commands, its parts under the
/// service's names.
struct ShopExchangeTests {
    /// Of the networks that every service takes.
    static let cards = WalletCard.all.filter { [.visa, .mastercard].contains($0.card.network) }

    @Test(arguments: ShopFixture.names, Self.cards)
    func explainsEveryCode(_ name: String, _ card: WalletCard) async throws {
        let shop = try await ShopFixture.open(name)
        let order = try await shop.order(name)
        let paid = try await shop.perform("pay", order, ["token": try shop.token(order, name, card: card.card)])
        let codes = paid["order"]?["last"]?["codes"]?.array ?? []
        #expect(!codes.isEmpty, "\(paid)")
        for code in codes {
            #expect(code["meaning"]?.string?.hasPrefix("No further") == false, "\(name) \(card.id): \(code)")
        }
    }

    @Test(arguments: ShopFixture.names)
    func explainsNotifications(_ name: String) async throws {
        let shop = try await ShopFixture.open(name)
        let order = try await shop.order(name)
        _ = try await shop.perform("pay", order, ["token": try shop.token(order, name)])
        if name != "alphapay" { _ = try await shop.perform("capture", order) }
        _ = try await shop.deliver()
        let entries = try await shop.exchange(order)["entries"]?.array ?? []
        let notifications = entries.filter { $0["kind"]?.string == "notification" }
        #expect(!notifications.isEmpty)
        for notification in notifications {
            let codes = notification["codes"]?.array ?? []
            #expect(!codes.isEmpty, "\(notification)")
            #expect(codes.allSatisfy { $0["meaning"]?.string?.hasPrefix("No further") == false }, "\(codes)")
        }
    }

    @Test func saysThatCodeIsUnknown() {
        let note = CodeNote("status", "4711", in: TapPayCodes.meanings)
        #expect(note?.meaning == "No further explanation here: see the service's list of codes.")
        #expect(CodeNote("status", nil, in: [:]) == nil)
        #expect(CodeNote("status", "", in: [:]) == nil)
    }

    /// The transport's status is not the outcome: a declined payment, too, is an HTTP 200.
    @Test(arguments: ShopFixture.names)
    func outcomeOfDeclinedPaymentIsNotOK(_ name: String) async throws {
        let shop = try await ShopFixture.open(name)
        let order = try await shop.order(name)
        let card = try #require(WalletCard.all.first { $0.outcome == .declines })
        _ = try await shop.perform("pay", order, ["token": try shop.token(order, name, card: card.card)])
        let entries = try await shop.exchange(order)["entries"]?.array ?? []
        let outcome = try #require(entries.first { $0["kind"]?.string == "outcome" })
        #expect(outcome["outcome"]?.string == "declined")
        #expect(outcome["ok"]?.bool == false)
        #expect(entries.allSatisfy { $0["kind"]?.string == "outcome" || $0["outcome"] == nil })
    }

    @Test(arguments: [
        ("tappay", ["order_number", "rec_trade_id", "amount", "currency"]),
        ("alphapay", ["paymentRequestId", "paymentId", "orderAmount.value", "orderAmount.currency"]),
        ("commweb", ["order.id", "transaction.id", "order.amount", "order.currency"]),
        ("payone", ["reference", "txid", "amount", "currency"]),
        ("radial", ["OrderId", "PaymentAccountUniqueId", "TenderType", "Amount", "currencyCode"]),
    ])
    func standingHasThePartsOfTheOrder(_ name: String, _ facts: [String]) async throws {
        let shop = try await ShopFixture.open(name)
        let order = try await shop.order(name)
        let id = order["orderId"]?.string ?? ""
        #expect(order.status == "open")
        #expect(order["last"] == nil)
        let paid = try await shop.perform("pay", order, ["token": try shop.token(order, name)])
        let response = await shop.get("/shop/api/orders/\(id)")
        let standing = try JSON.parse(response.body)
        #expect(paid["order"]?.status == standing.status)
        #expect(standing.status == (name == "alphapay" ? "captured" : "authorized"))
        #expect(standing["facts"]?.array?.compactMap { $0["name"]?.string } == facts)
        #expect(standing["facts"]?.array?.contains { $0["value"]?.string == id } == true)
        #expect(standing["last"]?["operation"]?.string == "pay")
        #expect(standing["isBusy"]?.bool == false)
    }

    @Test func standingOfNoOrderIsRefused() async throws {
        let shop = try await ShopFixture.open("commweb")
        let response = await shop.get("/shop/api/orders/S00")
        #expect(response.status == .notFound)
        #expect(try JSON.parse(response.body).errorCode == "order_unknown")
    }

    @Test func standingOfOldOrderIsRefused() async throws {
        let shop = try await ShopFixture.open("commweb")
        let order = try await shop.order("commweb")
        shop.test.clock.advance(seconds: OrderBook.lifetimeSeconds)
        let response = await shop.get("/shop/api/orders/\(order["orderId"]?.string ?? "")")
        #expect(response.status == .notFound)
    }

    @Test func primeShowsTheStagesOnceThereIsPayment() async throws {
        let entries = TokenStages.behindPrime("Visa 489537…5671")
        #expect(entries.map(\.title) == TokenStages.all)
        #expect(entries.allSatisfy { $0.checks.map(\.result) == [.passed] })
        let shop = try await ShopFixture.open("tappay")
        let order = try await shop.order("tappay")
        // Nobody gave this prime out, so nothing is known of a token.
        let paid = try await shop.perform("pay", order, ["prime": "test_0123456789abcdef"])
        #expect(paid.status == "error")
        #expect(try await shop.exchange(order).titles("token").isEmpty)
    }

    @Test func eachLayerNamesWhatItLookedAt() async throws {
        let shop = try await ShopFixture.open("commweb")
        let order = try await shop.order("commweb")
        _ = try await shop.perform("pay", order, ["token": try shop.token(order, "commweb")])
        let entries = try await shop.exchange(order)["entries"]?.array ?? []
        var facts: [String: [String]] = [:]
        for entry in entries where entry["kind"]?.string == "token" {
            facts[entry["title"]?.string ?? ""] = entry["checks"]?.array?.compactMap { $0["fact"]?.string }
        }
        #expect(facts[TokenStages.signature]?.first == "EC_v1")
        #expect(facts[TokenStages.chain]?.count == 3)
        // Apple's markers of the leaf and of the intermediate.
        #expect(facts[TokenStages.markers] == ["2", "1.2.840.113635.100.6.29", "1.2.840.113635.100.6.2.14"])
        #expect(facts[TokenStages.time]?.allSatisfy { $0.hasSuffix("Z") } == true)
        #expect(facts[TokenStages.key]?.first?.hasSuffix("…") == true)
        #expect(
            facts[TokenStages.amount]?.first == "\(order["amount"]?.string ?? "") \(order["currency"]?.string ?? "")")
    }

    @Test func amountThatCannotBeReadIsNotTheKeysFault() {
        let entries = TokenStages.unreadable("It is no amount.", keyHash: "0123456789abcdef")
        #expect(entries.map(\.title) == [TokenStages.key, TokenStages.amount])
        #expect(entries.map(\.isOK) == [true, false])
        #expect(entries[0].checks.map(\.fact) == ["01234567…"])
        #expect(entries[1].checks.map(\.sentence) == ["It is no amount."])
    }

    @Test func secondGatewayIsNamedToThePage() async throws {
        func config(_ upstream: GatewayView.Upstream?) -> JSON {
            let view = GatewayView(
                upstream: upstream, tokenStages: { _, _ in [] }, payment: { _, _, _ in nil },
                merchantSession: { _, _, _ throws(ShopWireError) in throw ShopWireError("none") })
            let parts = ShopParts(
                accounts: [], wire: ShopWire { _ throws(ShopWireError) in throw ShopWireError("none") },
                view: view, shopURL: { nil }, clock: { Timestamp(seconds: 0) }, random: { _ in [] })
            return Shop(parts).config()
        }
        #expect(config(nil)["upstream"] == nil)
        let shown = config(.init(title: "PAYONE", opensTokens: true))["upstream"]
        #expect(shown == ["title": "PAYONE", "opensTokens": true])
    }

    // MARK: - Commands

    private static func command(_ request: ClientRequest, _ secrets: [String] = []) -> String {
        CommandLine(baseURL: "http://127.0.0.1:8080", scrubber: Scrubber(secrets.map { Redacted($0) })).text(request)
    }

    @Test func commandIsPasteable() {
        let json = Self.command(
            ClientRequest(
                .put, "/api/rest/x",
                headers: [
                    ("Content-Type", "application/json"), ("Authorization", "Basic bWVyY2hhbnQuQTpzZWNyZXQ="),
                ], body: Array("{\"note\":\"it's\",\"password\":\"hunter22\"}".utf8)))
        #expect(
            json == """
                curl -X PUT 'http://127.0.0.1:8080/api/rest/x' \\
                  -H 'Content-Type: application/json' \\
                  -u 'merchant.A:{{password}}' \\
                  --data-binary '{
                  "note": "it'\\''s",
                  "password": "{{password}}"
                }'
                """)
        let form = Self.command(
            ClientRequest(
                .post, "/post-gateway/", headers: [("Content-Type", "application/x-www-form-urlencoded")],
                body: Array("request=capture&key=hunter22&text=a%26b+c".utf8)))
        #expect(
            form == """
                curl -X POST 'http://127.0.0.1:8080/post-gateway/' \\
                  -H 'Content-Type: application/x-www-form-urlencoded' \\
                  --data-urlencode 'request=capture' \\
                  --data-urlencode 'key={{key}}' \\
                  --data-urlencode 'text=a&b c'
                """)
        let xml = Self.command(
            ClientRequest(
                .post, "/v1.0/x", headers: [("Content-Type", "text/xml"), ("apikey", "hunter22")],
                body: Array("<a><Data>QUJD</Data></a>".utf8)))
        #expect(xml.contains("-H 'apikey: {{apikey}}'"))
        #expect(xml.contains("<Data>{{Data}}</Data>"))
        #expect(Self.command(ClientRequest(.get, "/x", headers: [])) == "curl -X GET 'http://127.0.0.1:8080/x'")
    }

    @Test func commandHoldsNoSecret() {
        let command = Self.command(
            ClientRequest(
                .post, "/x/planted-secret",
                headers: [
                    ("x-api-key", "planted-secret"), ("Authorization", "Bearer planted-secret"), ("Nonce", "1234"),
                    ("Signature", "algorithm=RS256, keyVersion=1, signature=c2lnbmF0dXJl"),
                ], body: Array("{\"echo\":\"planted-secret\",\"key\":\"other\"}".utf8)), ["planted-secret"])
        for secret in ["planted-secret", "c2lnbmF0dXJl", "other", "1234"] { #expect(!command.contains(secret)) }
        #expect(command.contains("signature={{signature}}"))
        #expect(command.contains("Authorization: {{Authorization}}"))
    }

    @Test func bodiesHaveTheirFormat() {
        #expect(Transcript.format(of: Array("{\"a\":1}".utf8)) == .json)
        #expect(Transcript.format(of: Array("<a/>".utf8)) == .xml)
        #expect(Transcript.format(of: Array("a=b".utf8)) == .fields)
        #expect(Transcript.format(of: []) == .plain)
    }
}
