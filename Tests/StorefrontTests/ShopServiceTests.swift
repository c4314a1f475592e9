//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import DialectKit
import HTTPTypes
import Money
import Payments
import Redaction
import StrictJSON
import TestGateway
import Testing
import Time

@testable import Storefront

struct ShopServiceTests {
    @Test func configSaysWhatThereIs() async throws {
        let shop = try await ShopFixture.open()
        let config = try JSON.parse(await shop.get("/shop/api/config").body)
        #expect(config["dialects"]?.array?.compactMap { $0["name"]?.string } == ShopFixture.names)
        #expect(config["dialects"]?.array?.first?["decimals"]?.integer == 0)
        #expect(config["dialects"]?.array?.first?["sdk"]?["appId"]?.integer == 12345)
        #expect(config["dialects"]?.array?.first?["sdk"]?["appKey"]?.string == ShopFixture.appKey)
        for item in (config["products"]?.array ?? []) + (config["shipping"]?.array ?? []) {
            #expect(item["priceMinor"]?.object?.names == ["CAD", "EUR", "TWD", "USD"])
        }
        #expect(config["products"]?.array?.isEmpty == false)
        let text = config.text()
        #expect(!text.contains(ShopFixture.partnerKey) && !text.contains(ShopFixture.password))
    }

    @Test(arguments: [
        ("tappay", "1840", 1840, "TWD"), ("alphapay", "82.00", 8200, "CAD"), ("payone", "56.50", 5650, "EUR"),
        ("commweb", "60.00", 6000, "USD"),
    ])
    func theServerMakesTheSum(_ name: String, _ text: String, _ units: Int, _ currency: String) async throws {
        let shop = try await ShopFixture.open(name)
        let order = try await shop.order(name, quantity: 2)
        #expect(order["amount"]?.string == text)
        #expect(order["amountMinor"]?.integer == Int64(units))
        #expect(order["currency"]?.string == currency)
        #expect((order["orderId"]?.string ?? "").utf8.count == 17)
    }

    /// Prices that a page sends along count for nothing.
    @Test func amountOfThePageIsIgnored() async throws {
        let shop = try await ShopFixture.open()
        let response = await shop.post(
            "/shop/api/orders",
            [
                "dialect": "commweb", "items": [["id": "teapot", "quantity": 1, "priceMinor": 1]],
                "shippingId": "pickup", "amountMinor": 1, "amount": "0.01",
            ])
        #expect(try JSON.parse(response.body)["amount"]?.string == "28.00")
    }

    @Test func noSumIsATestAmount() {
        let tests: Set<Int64> = [5656, 5757, 5858, 5959, 6161, 6262, 6363]
        for product in Catalog.demo.products {
            for (currency, price) in product.prices {
                // Cents that end in 0 or 5 never add up to one; whole Taiwan dollars end in 0.
                #expect(price.isMultiple(of: currency == "TWD" ? 10 : 5))
            }
        }
        for shipping in Catalog.demo.shipping {
            for (currency, price) in shipping.prices { #expect(price.isMultiple(of: currency == "TWD" ? 10 : 5)) }
        }
        #expect(tests.allSatisfy { !$0.isMultiple(of: 5) })
    }

    static let badOrders: [(JSON, String)] = [
        ([:], "dialect_unknown"), (["dialect": "none"], "dialect_unknown"), (["dialect": "commweb"], "cart_empty"),
        (["dialect": "commweb", "items": []], "cart_empty"),
        (
            ["dialect": "commweb", "items": .array(Array(repeating: ["id": "lamp", "quantity": 1], count: 21))],
            "cart_empty"
        ),
        (["dialect": "commweb", "items": [["id": "none", "quantity": 1]]], "item_unknown"),
        (["dialect": "commweb", "items": [["id": "lamp", "quantity": 0]]], "quantity_wrong"),
        (["dialect": "commweb", "items": [["id": "lamp", "quantity": 11]]], "quantity_wrong"),
        (["dialect": "commweb", "items": [["id": "lamp", "quantity": "1"]]], "quantity_wrong"),
        (["dialect": "commweb", "items": [["id": "lamp", "quantity": 1]]], "shipping_unknown"),
        (["dialect": "commweb", "items": [["id": "lamp", "quantity": 1]], "shippingId": "none"], "shipping_unknown"),
    ]

    @Test(arguments: Self.badOrders.indices)
    func refusesWrongOrders(_ index: Int) async throws {
        let (body, code) = Self.badOrders[index]
        let shop = try await ShopFixture.open()
        let response = await shop.post("/shop/api/orders", body)
        #expect(response.status == .badRequest)
        #expect(try JSON.parse(response.body).errorCode == code)
    }

    @Test func refusesWrongPayments() async throws {
        let shop = try await ShopFixture.open()
        let order = try await shop.order("commweb")
        for body in [[:], ["token": "x"], ["token": [:]], ["prime": ""], ["prime": 1]] as [JSON] {
            #expect(try await shop.perform("pay", order, body).errorCode == "request_malformed")
        }
        let token = try shop.token(order, "commweb")
        #expect(try await shop.perform("pay", order, ["token": token, "prime": "x"]).errorCode == "request_malformed")
        // Nothing has been begun by that.
        #expect(try await shop.perform("pay", order, ["token": token]).status == "approved")
    }

    @Test func operationsHaveTheirOrder() async throws {
        let shop = try await ShopFixture.open()
        let order = try await shop.order("commweb")
        for operation in ["capture", "refund", "void"] {
            #expect(try await shop.perform(operation, order).errorCode == "order_state")
        }
        let token = try shop.token(order, "commweb")
        #expect(try await shop.perform("pay", order, ["token": token]).status == "approved")
        #expect(try await shop.perform("pay", order, ["token": token]).errorCode == "order_state")
        #expect(try await shop.perform("refund", order).errorCode == "order_state")
        #expect(try await shop.perform("capture", order).status == "approved")
        #expect(try await shop.perform("void", order).errorCode == "order_state")
    }

    @Test(arguments: ["pay", "capture", "refund", "void", "exchange"])
    func unknownOrderIsNotFound(_ operation: String) async throws {
        let shop = try await ShopFixture.open()
        let response =
            operation == "exchange"
            ? await shop.get("/shop/api/orders/none/exchange")
            : await shop.post("/shop/api/orders/none/\(operation)", ["prime": "x"])
        #expect(response.status == .notFound)
        #expect(try JSON.parse(response.body).errorCode == "order_unknown")
    }

    @Test(arguments: ["after=x", "after=-1", "before=1"])
    func queryMustBeANumber(_ query: String) async throws {
        let shop = try await ShopFixture.open()
        let order = try await shop.order("commweb")
        let response = await shop.get("/shop/api/orders/\(order["orderId"]?.string ?? "")/exchange", query: query)
        #expect(response.status == .badRequest)
    }

    /// A form of another site can be posted with a browser's help; JSON cannot.
    @Test func takesJSONOnly() async throws {
        let shop = try await ShopFixture.open()
        for type in [
            nil, "text/plain", "application/x-www-form-urlencoded", "application/jsonx", "application/json-seq",
        ] {
            var request = WireRequest(method: .post, path: "/shop/api/orders", body: Array("{}".utf8))
            request.headers[.contentType] = type
            #expect(await shop.service.respond(to: request).status == .unsupportedMediaType)
        }
    }

    // MARK: - Merchant sessions

    @Test(arguments: ShopFixture.names)
    func everyServiceStartsAMerchantSession(_ name: String) async throws {
        let shop = try await ShopFixture.open(name, withIdentities: true)
        let response = await shop.post(
            "/shop/api/merchant-session",
            [
                "dialect": .string(name), "domain": "localhost",
                "validationURL": "https://apple-pay-gateway-cert.apple.com/paymentservices/startSession",
            ])
        #expect(response.status == .ok, "\(String(decoding: response.body, as: UTF8.self))")
        let info = try WalletParts.sessionCheck(
            authority: try TestAuthorities.authority(.sandbox), merchantIdentifiers: ["merchant.com.example.\(name)"])(
                try JSON.parse(response.body), "localhost", shop.test.clock.now)
        #expect(info.merchantIdentifier == "merchant.com.example.\(name)")
    }

    @Test(arguments: ShopFixture.names)
    func refusedMerchantSessionIsReported(_ name: String) async throws {
        let shop = try await ShopFixture.open(name, withIdentities: true)
        let body: JSON = [
            "dialect": .string(name), "domain": "elsewhere.example.com",
            "validationURL": "https://apple-pay-gateway-cert.apple.com/paymentservices/startSession",
        ]
        let response = await shop.post("/shop/api/merchant-session", body)
        #expect(response.status == .badGateway)
        #expect(try JSON.parse(response.body).errorCode == "merchant_session_failed")
        let missing = await shop.post("/shop/api/merchant-session", ["dialect": .string(name)])
        #expect(missing.status == .badRequest)
    }

    // MARK: - Notifications

    @Test(arguments: ShopFixture.names)
    func notificationsAreShownWithTheirOrder(_ name: String) async throws {
        let shop = try await ShopFixture.open(name)
        let order = try await shop.order(name)
        _ = try await shop.perform("pay", order, ["token": try shop.token(order, name)])
        if name != "alphapay" { _ = try await shop.perform("capture", order) }
        let statuses = try await shop.deliver()
        #expect(!statuses.isEmpty)
        #expect(statuses.allSatisfy { $0 == 200 })
        let titles = try await shop.exchange(order).titles("notification")
        #expect(titles.count == statuses.count)
        #expect(titles.first?.hasPrefix("\(name) reports: ") == true)
    }

    /// Radial's and, over http, CommWeb's carry no proof.
    @Test(arguments: ["tappay", "alphapay", "payone"])
    func notificationWithoutProofIsNotAcknowledged(_ name: String) async throws {
        let shop = try await ShopFixture.open(name)
        let order = try await shop.order(name)
        _ = try await shop.perform("pay", order, ["token": try shop.token(order, name)])
        let statuses = try await shop.deliver { request in
            request.headers[.known("Signature")] = nil
            request.headers[.known("X-Pomona-Signature")] = "t=1,v1=00"
            if name == "payone" {
                request.body = Array(
                    String(decoding: request.body, as: UTF8.self).replacing("key=", with: "key=0").utf8)
            }
        }
        #expect(!statuses.isEmpty && statuses.allSatisfy { $0 == 403 })
        let entries = try await shop.exchange(order)["entries"]?.array ?? []
        #expect(entries.filter { $0["kind"]?.string == "notification" }.allSatisfy { $0["ok"]?.bool == false })
    }

    @Test func wrongSecretOfCommWebIsNoProof() async throws {
        let shop = try await ShopFixture.open()
        for (secret, status) in [("wrong", 403), (ShopFixture.notificationSecret, 200)] {
            let response = await shop.service.respond(
                to: WireRequest(
                    method: .post, path: "/shop/notifications/commweb",
                    headers: [.known("X-Notification-Secret"): secret], body: Array("{}".utf8)))
            #expect(response.status.code == status)
        }
    }

    @Test func inboxKnowsItsServices() async throws {
        let shop = try await ShopFixture.open()
        let response = await shop.service.respond(to: WireRequest(method: .post, path: "/shop/notifications/none"))
        #expect(response.status == .notFound)
        for name in ShopFixture.names {
            // Whatever is posted there.
            let answer = await shop.service.respond(
                to: WireRequest(
                    method: .post, path: "/shop/notifications/\(name)", body: Array("<\u{0}&=={\"".utf8)))
            #expect([200, 403].contains(answer.status.code))
        }
    }
}

struct OrderBookTests {
    private func order(_ id: String, at time: Timestamp) throws -> ShopOrder {
        let account = ShopAccount(
            client: RadialClient(.init(storeID: "S", apiKey: .init("secret-key"))), title: "Radial",
            currency: try #require(.alphabetic("USD")), countryCode: "US", merchantIdentifier: "m")
        let cart = try Cart(
            ["items": [["id": "lamp", "quantity": 1]], "shippingId": "pickup"], in: .demo, currency: "USD")
        return ShopOrder(
            id: id, account: account, cart: cart,
            purchase: Purchase(
                reference: id, amount: try #require(account.money(ofUnits: cart.units)), summary: cart.summary,
                countryCode: "US"), createdAt: time)
    }

    @Test func ordersAreForgottenAfterAnHour() throws {
        var book = OrderBook()
        let start = Timestamp(seconds: 0)
        book.insert(try self.order("a", at: start), now: start)
        #expect(try book.order("a", now: start.adding(seconds: 3599)).id == "a")
        #expect(throws: APIError.orderUnknown) { try book.order("a", now: start.adding(seconds: 3600)) }
        book.insert(try self.order("b", at: start), now: start.adding(seconds: 3600))
        #expect(book.count == 1)
    }

    @Test func tooManyOrdersPushTheOldestOut() throws {
        var book = OrderBook()
        for index in 0...OrderBook.ordersMax {
            let time = Timestamp(milliseconds: Int64(index))
            book.insert(try self.order("\(index)", at: time), now: time)
            if index == 0 { _ = try book.begin(.pay, of: "0", now: time) }
        }
        #expect(book.count == OrderBook.ordersMax)
        // One that is being worked on stays.
        #expect(book["0"] != nil)
        #expect(book["1"] == nil)
        #expect(book["2"] != nil)
    }

    @Test func oneOperationAtATime() throws {
        var book = OrderBook()
        let now = Timestamp(seconds: 0)
        book.insert(try self.order("a", at: now), now: now)
        _ = try book.begin(.pay, of: "a", now: now)
        let error = #expect(throws: APIError.self) { try book.begin(.pay, of: "a", now: now) }
        #expect(error?.code == "order_busy")
        #expect(error?.status == .conflict)
    }

    /// Which operation each state takes, and no other.
    @Test func statesTakeTheirOperations() {
        for status in ShopOrderStatus.allCases {
            let possible = Set(ShopOperation.allCases.filter { $0.isPossible(in: status) })
            switch status {
            case .open, .declined: #expect(possible == [.pay])
            case .authorized: #expect(possible == [.capture, .void])
            case .captured: #expect(possible == [.refund])
            case .refunded, .voided, .unknown: #expect(possible.isEmpty)
            }
        }
    }
}
