//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import AsyncHTTPClient
import Foundation
import Gateway
import Logging
import NIOCore
import NIOHTTP1
import Payments
import Server
import StrictJSON
import Testing

@testable import pomona

/// The sandbox's shop and wallet as a page uses them: over HTTP, from the merchant session to the ledger.
struct StorefrontTests {
    private static func run(
        notifyURL: String? = nil, _ body: @escaping @Sendable (Application, Page) async throws -> Void
    ) async throws {
        let folder = try CliFolder()
        var configuration = ApplicationConfiguration.sandbox(DataDirectory(path: folder.file("data")))
        configuration.listeners = [
            ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0),
            ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0, tls: .sandboxAuthority),
        ]
        configuration.applePort = 0
        configuration.logLevel = .critical
        configuration.demoSettings = DemoSettings(notifyURL: notifyURL)
        let application = try await Application.build(configuration)
        try await application.withRunning { addresses in
            try await body(application, Page(url: addresses[0].url))
        }
    }

    /// What a browser on the sandbox's page does.
    struct Page: Sendable {
        let url: String

        func send(
            _ method: HTTPMethod, _ path: String, _ body: JSON? = nil, headers: HTTPHeaders = [:]
        ) async throws -> (status: Int, headers: HTTPHeaders, body: [UInt8]) {
            var request = HTTPClientRequest(url: self.url + path)
            request.method = method
            request.headers = headers
            if let body {
                request.headers.replaceOrAdd(name: "Content-Type", value: "application/json")
                request.body = .bytes(ByteBuffer(bytes: body.serialized()))
            }
            let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
            let bytes = try await response.body.collect(upTo: 1 << 20)
            return (Int(response.status.code), response.headers, Array(bytes.readableBytesView))
        }

        func call(_ path: String, _ body: JSON? = nil) async throws -> JSON {
            let response = try await self.send(body == nil ? .GET : .POST, path, body)
            let json = try JSON.parse(response.body)
            #expect(response.status == 200, "\(path): \(json.text())")
            return json
        }

        /// The payment sheet: a merchant session, a card, a token for an order.
        func token(_ dialect: JSON, _ order: JSON, card: String = "visa") async throws -> JSON {
            let cards = try await self.call("/wallet/api/cards")
            let session = try await self.call(
                "/shop/api/merchant-session",
                [
                    "dialect": dialect["name"] ?? .null, "domain": "127.0.0.1",
                    "validationURL": cards["validationURL"] ?? .null,
                ])
            let info = try await self.call(
                "/wallet/api/sessions", ["merchantSession": session, "host": "127.0.0.1", "sheetId": "sheet"])
            #expect(info["merchantIdentifier"] == dialect["merchantIdentifier"])
            let answer = try await self.call(
                "/wallet/api/payments",
                [
                    "merchantSession": session, "host": "127.0.0.1", "sheetId": "sheet", "cardId": .string(card),
                    "request": [
                        "countryCode": dialect["countryCode"] ?? .null, "currencyCode": order["currency"] ?? .null,
                        "total": ["label": "Shop", "amount": order["amount"] ?? .null],
                        "supportedNetworks": ["visa", "masterCard"], "merchantCapabilities": ["supports3DS"],
                    ],
                ])
            return answer["token"] ?? .null
        }

        /// The answer to a browser on which a page of that host's name has found its way here.
        func status(host: String, _ path: String) async throws -> Int {
            try await self.send(.GET, path, headers: ["Host": host]).status
        }

        func order(_ dialect: JSON) async throws -> JSON {
            try await self.call(
                "/shop/api/orders",
                [
                    "dialect": dialect["name"] ?? .null, "items": [["id": "lamp", "quantity": 1]],
                    "shippingId": "standard",
                ])
        }

        func perform(_ operation: String, _ order: JSON, _ body: JSON = [:]) async throws -> JSON {
            try await self.call("/shop/api/orders/\(order["orderId"]?.string ?? "")/\(operation)", body)
        }

        /// The order's entries of a kind, as soon as there is one.
        func entries(_ kind: String, of order: JSON) async throws -> [JSON] {
            for _ in 0..<20_000 {
                let exchange = try await self.call("/shop/api/orders/\(order["orderId"]?.string ?? "")/exchange")
                let found = exchange["entries"]?.array?.filter { $0["kind"]?.string == kind } ?? []
                if !found.isEmpty { return found }
            }
            return []
        }
    }

    @Test func everyDialectIsPaidFromThePage() async throws {
        try await Self.run { application, page in
            let dialects = try await page.call("/shop/api/config")["dialects"]?.array ?? []
            #expect(Set(dialects.compactMap { $0["name"]?.string }) == Set(DialectModule.all.map(\.name)))
            for dialect in dialects {
                let name = dialect["name"]?.string ?? ""
                let order = try await page.order(dialect)
                let token = try await page.token(dialect, order)
                let contact: JSON = [
                    "givenName": "Ada", "familyName": "Lovelace", "emailAddress": "ada@example.com",
                    "addressLines": ["1 Main Street"], "locality": "Toronto", "administrativeArea": "ON",
                    "postalCode": "M5V 1A1", "countryCode": "ca",
                ]
                let paid = try await page.perform("pay", order, ["token": token, "contact": contact])
                #expect(paid["status"]?.string == "approved", "\(name): \(paid.text())")
                if name != "alphapay" {
                    let captured = try await page.perform("capture", order)
                    #expect(captured["status"]?.string == "approved", "\(name): \(captured.text())")
                }
                let received = try await page.entries("notification", of: order)
                #expect(!received.isEmpty, "\(name) sends nothing")
                #expect(received.allSatisfy { $0["ok"]?.bool == true })
                let refunded = try await page.perform("refund", order)
                #expect(refunded["status"]?.string == "approved", "\(name): \(refunded.text())")
            }
            let payments = try await application.gateway.administration.read { try $0.payments(PaymentQuery()) }
            #expect(payments.count == dialects.count)
            #expect(payments.allSatisfy { $0.state == .refunded })
        }
    }

    @Test func shopIsNotServedByAStrangersName() async throws {
        try await Self.run { _, page in
            for path in ["/", "/shop/api/config"] {
                let strange = try await page.status(host: "rebound.example", path)
                let known = try await page.status(host: "localhost:1234", path)
                #expect(strange == 421 && known == 200, "\(path)")
            }
        }
    }

    @Test func cardsDoWhatTheySay() async throws {
        try await Self.run { _, page in
            let dialects = try await page.call("/shop/api/config")["dialects"]?.array ?? []
            let dialect = try #require(dialects.first { $0["name"]?.string == "commweb" })
            for card in try await page.call("/wallet/api/cards")["cards"]?.array ?? [] {
                guard ["visa", "masterCard"].contains(card["network"]?.string ?? "") else { continue }
                let order = try await page.order(dialect)
                let token = try await page.token(dialect, order, card: card["id"]?.string ?? "")
                let outcome = try await page.perform("pay", order, ["token": token])["status"]?.string
                switch card["outcome"]?.string {
                case "approves": #expect(outcome == "approved")
                // CommWeb reports what the acquirer does not answer in time as a failure.
                case "declines", "times_out": #expect(outcome == "declined")
                default: Issue.record("no such outcome: \(outcome ?? "none")")
                }
            }
        }
    }

    @Test func pagesAndScriptsAreServed() async throws {
        try await Self.run { _, page in
            for path in [
                "/", "/shop/index.html", "/wallet/apple-pay-simulator.js", "/sdk/tpdirect/v5.19.2", "/tpdirect/v5.4.0",
            ] {
                let got = try await page.send(.GET, path)
                #expect(got.status == 200)
                let tag = try #require(got.headers.first(name: "ETag"))
                let head = try await page.send(.HEAD, path)
                #expect(head.status == 200)
                #expect(head.body.isEmpty)
                #expect(head.headers.first(name: "Content-Length") == String(got.body.count))
                let again = try await page.send(.GET, path, headers: ["If-None-Match": tag])
                #expect(again.status == 304)
                #expect(again.body.isEmpty)
            }
            #expect(try await page.send(.GET, "/nothing").status == 404)
            #expect(try await page.send(.POST, "/", [:]).status == 405)
            #expect(try await page.send(.GET, "/.well-known/none").status == 404)
        }
    }

    /// The gateway of real merchants has the SDK's script, and neither shop nor wallet.
    @Test func serveHasTheScriptAlone() async throws {
        let folder = try CliFolder()
        var configuration = ApplicationConfiguration(
            kind: .serve, directory: DataDirectory(path: folder.file("data")))
        configuration.listeners = [ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0)]
        configuration.logLevel = .critical
        try await Application.build(configuration).withRunning { addresses in
            let page = Page(url: addresses[0].url)
            let script = try await page.send(.GET, "/sdk/tpdirect/v5.19.2")
            #expect(script.status == 200)
            for path in [
                "/", "/shop/index.html", "/shop/api/config", "/wallet/apple-pay-simulator.js", "/wallet/api/cards",
            ] {
                let response = try await page.send(.GET, path)
                #expect(response.status == 404, "\(path)")
            }
        }
    }

    @Test func addressOfThePersonWhoStartsItIsKept() async throws {
        for notifyURL in [nil, "http://127.0.0.1:9/hooks"] {
            try await Self.run(notifyURL: notifyURL) { application, page in
                for (name, setting) in [
                    ("commweb", "notifyURL"), ("payone", "notificationURL"), ("radial", "webhookURL"),
                ] {
                    let account = try await application.gateway.administration.read { reader in
                        try reader.merchant(named: name).flatMap {
                            try reader.account(dialect: DialectName(name), merchant: $0.id)
                        }
                    }
                    #expect(account?.settings[setting] == notifyURL ?? "\(page.url)/shop/notifications/\(name)")
                }
            }
        }
    }
}
