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
import Synchronization
import TestGateway
import Testing
import Time
import WalletSimulator

@testable import Storefront

/// A wallet whose merchant has a key, and a simulated Apple that gives sessions to whoever asks.
struct WalletFixture: Sendable {
    let service: WalletService
    let clock: TestClock
    let authority: TestAuthority

    static let merchant = "merchant.com.example.shop"

    static func open(
        recipient: ProcessingPublicKey? = nil, check: MerchantSessionCheck? = nil
    ) throws -> WalletFixture {
        let authority = try TestAuthorities.authority(.sandbox)
        let clock = TestClock(Timestamp(seconds: 1_781_524_800))
        return WalletFixture(
            service: WalletService(
                files: ShopFixture.files,
                parts: WalletParts(
                    device: SimulatedDevice(authority: authority),
                    recipient: { $0 == Self.merchant ? recipient : nil },
                    checkSession: check
                        ?? WalletParts.sessionCheck(authority: authority, merchantIdentifiers: [Self.merchant]),
                    apple: {
                        AppleAddresses(
                            validationURL: "https://localhost:1/paymentservices/startSession",
                            paymentSessionURL: "https://localhost:1/paymentservices/paymentSession")
                    }, clock: { clock.now })), clock: clock, authority: authority)
    }

    func post(_ path: String, _ body: JSON) async throws -> (status: Int, json: JSON) {
        let response = await self.service.respond(
            to: WireRequest(method: .post, path: "/wallet/api/\(path)", body: body.serialized()))
        #expect(response.headers[.accessControlAllowOrigin] == "*")
        return (response.status.code, try JSON.parse(response.body))
    }

    static let request: JSON = [
        "countryCode": "CA", "currencyCode": "CAD", "total": ["label": "Shop", "amount": "12.50"],
        "supportedNetworks": ["visa", "masterCard"], "merchantCapabilities": ["supports3DS"],
        "applicationData": "b3JkZXItMQ==",
    ]
}

struct WalletTests {
    /// A session by the real simulated Apple, asked for by a merchant of a test gateway.
    private func session(_ test: TestGateway, _ merchant: TestMerchant) async throws -> JSON {
        let context = try #require(
            try await test.gateway.account(dialect: merchant.dialect, key: merchant.key))
        let session = try await test.gateway.merchantSession(
            MerchantSessionCommand(merchant: context, domainName: "localhost"))
        return try JSON.parse(session.reveal())
    }

    @Test func mintsTokenThatTheGatewayOpens() async throws {
        let shop = try await ShopFixture.open("commweb", withIdentities: true)
        let merchant = try #require(shop.merchants["commweb"])
        let session = try await self.session(shop.test, merchant)
        let authority = try TestAuthorities.authority(.sandbox)
        let now = shop.test.clock
        let service = WalletService(
            files: ShopFixture.files,
            parts: WalletParts(
                device: SimulatedDevice(authority: authority),
                recipient: { name in
                    shop.merchants.values.first { $0.merchantIdentifier == name }?.recipient
                },
                checkSession: WalletParts.sessionCheck(
                    authority: authority, merchantIdentifiers: shop.merchants.values.map(\.merchantIdentifier)),
                apple: { AppleAddresses(validationURL: "", paymentSessionURL: "") }, clock: { now.now }))
        func post(_ path: String, _ body: JSON) async throws -> JSON {
            try JSON.parse(
                await service.respond(
                    to: WireRequest(method: .post, path: "/wallet/api/\(path)", body: body.serialized())
                ).body)
        }
        func opening(_ session: JSON, host: String = "localhost") async throws -> JSON {
            try await post("sessions", ["merchantSession": session, "host": .string(host), "sheetId": "sheet"])
        }
        let info = try await opening(session)
        #expect(info["merchantIdentifier"]?.string == merchant.merchantIdentifier)
        #expect(info["displayName"]?.string == "Demo Merchant")
        #expect(info["domainName"]?.string == "localhost")
        let body: JSON = [
            "merchantSession": session, "host": "localhost", "sheetId": "sheet", "cardId": "mastercard",
            "request": [
                "countryCode": "US", "currencyCode": "USD", "total": ["label": "Shop", "amount": "32"],
                "supportedNetworks": ["visa", "mastercard"], "merchantCapabilities": ["supports3DS", "supportsCredit"],
            ],
        ]
        let token = try #require(try await post("payments", body)["token"])
        #expect(token["paymentMethod"]?["network"]?.string == "MasterCard")
        #expect(token["transactionIdentifier"]?.string?.isEmpty == false)
        let context = try #require(try await shop.test.gateway.account(dialect: merchant.dialect, key: merchant.key))
        let opened = try await shop.test.gateway.openToken(.applePay(json: token), merchant: context)
        #expect("\(opened.amount)" == "32.00 USD")
        // Another card may be tried in the same sheet, a few times, each with a token of its own; opening the sheet
        // again is no payment.
        var identifiers = [token["transactionIdentifier"]?.string]
        for _ in 1..<SessionMemory.tokensPerSessionMax {
            identifiers.append(try await post("payments", body)["token"]?["transactionIdentifier"]?.string)
        }
        #expect(Set(identifiers.compactMap { $0 }).count == SessionMemory.tokensPerSessionMax)
        #expect(try await post("payments", body).errorCode == "session_used")
        // The session is this sheet's; another one can do nothing with it.
        var other = try #require(body.object)
        other["sheetId"] = "another sheet"
        for path in ["sessions", "payments"] {
            #expect(try await post(path, .object(other)).errorCode == "session_used")
        }
        #expect(try await opening(session)["domainName"] != nil)
        // Of another page, changed, and too late.
        #expect(try await opening(session, host: "shop.example.com").errorCode == "domain_differs")
        var changed = try #require(session.object)
        changed["displayName"] = "Somebody else"
        #expect(try await opening(.object(changed)).errorCode == "session_forged")
        shop.test.clock.advance(seconds: 301)
        #expect(try await opening(session).errorCode == "session_expired")
    }

    @Test func cardsAreListedWithWhatTheyBringAbout() async throws {
        let wallet = try WalletFixture.open()
        let response = await wallet.service.respond(to: WireRequest(method: .get, path: "/wallet/api/cards"))
        let json = try JSON.parse(response.body)
        let cards = try #require(json["cards"]?.array)
        #expect(Set(cards.compactMap { $0["outcome"]?.string }) == ["approves", "declines", "times_out"])
        #expect(cards.count == Set(cards.compactMap { $0["id"]?.string }).count)
        #expect(cards.first?["network"]?.string == "visa")
        #expect(cards.first?["displayName"]?.string == "Visa 1234")
        #expect(json["validationURL"]?.string == "https://localhost:1/paymentservices/startSession")
        #expect(json["paymentSessionURL"]?.string == "https://localhost:1/paymentservices/paymentSession")
        #expect(response.headers[.accessControlAllowOrigin] == "*")
        for card in WalletCard.all { #expect(!String(decoding: response.body, as: UTF8.self).contains(card.card.dpan)) }
    }

    @Test(arguments: [("cards", "GET"), ("sessions", "POST"), ("payments", "POST")])
    func scriptsOfOtherOriginsMayAsk(_ path: String, _ method: String) async throws {
        let wallet = try WalletFixture.open()
        let response = await wallet.service.respond(to: WireRequest(method: .options, path: "/wallet/api/\(path)"))
        #expect(response.status == .noContent)
        #expect(response.headers[.accessControlAllowOrigin] == "*")
        #expect(response.headers[.known("Access-Control-Allow-Methods")] == method)
        #expect(response.headers[.known("Access-Control-Allow-Headers")] == "content-type")
        #expect(response.headers[.known("Access-Control-Allow-Credentials")] == nil)
    }

    @Test func scriptIsForPagesOfAnyOrigin() async throws {
        let wallet = try WalletFixture.open()
        let response = await wallet.service.respond(
            to: WireRequest(method: .get, path: "/wallet/apple-pay-simulator.js"))
        #expect(response.status == .ok)
        #expect(response.headers[.accessControlAllowOrigin] == "*")
        #expect(response.headers[.known("Cross-Origin-Resource-Policy")] == "cross-origin")
    }

    /// What is changed in a good request, and the code of the refusal.
    static let refusals: [(String, JSON, String)] = [
        ("merchantSession", "text", "request_malformed"), ("host", "", "request_malformed"),
        ("host", nil, "request_malformed"), ("cardId", "none", "card_unknown"), ("cardId", 1, "request_malformed"),
        ("sheetId", nil, "request_malformed"), ("sheetId", "", "request_malformed"),
        ("sheetId", 1, "request_malformed"),
        ("cardId", "amex", "network_not_supported"), ("request", nil, "request_malformed"),
        ("network", "masterCard", "network_not_supported"), ("network", 1, "request_malformed"),
        ("network", "", "request_malformed"), ("cardId", "girocard", "network_not_supported"),
        ("request.currencyCode", "XYZ", "request_malformed"), ("request.currencyCode", "cad", "request_malformed"),
        ("request.total", "12.50", "request_malformed"), ("request.total", ["amount": "12.505"], "request_malformed"),
        ("request.total", ["amount": "-1.00"], "request_malformed"),
        ("request.total", ["amount": 12], "request_malformed"),
        ("request.total", ["amount": "99999999999999999999"], "request_malformed"),
        ("request.supportedNetworks", [], "request_malformed"), ("request.supportedNetworks", [1], "request_malformed"),
        ("request.merchantCapabilities", ["supportsCredit"], "capability_missing"),
        ("request.merchantCapabilities", ["supports3DS", "supportsDebit"], "card_type_not_supported"),
        ("request.applicationData", "not base64!", "request_malformed"),
        ("request.applicationData", 5, "request_malformed"),
    ]

    @Test(arguments: Self.refusals.indices)
    func refusesWhatItCannotPay(_ index: Int) async throws {
        let (path, value, code) = Self.refusals[index]
        let info = MerchantSessionInfo(
            identifier: "1", merchantIdentifier: WalletFixture.merchant, displayName: "Shop", domainName: "localhost",
            expiresAt: Timestamp(seconds: 1_781_525_000))
        let wallet = try WalletFixture.open(check: { _, _, _ throws(MerchantSessionFault) in info })
        var body = try #require(
            ([
                "merchantSession": [:], "host": "localhost", "sheetId": "sheet", "cardId": "visa",
                "request": WalletFixture.request,
            ] as JSON).object)
        let names = path.split(separator: ".").map(String.init)
        if names.count == 1 {
            body[names[0]] = value
        } else {
            var request = try #require(body["request"]?.object)
            request[names[1]] = value
            body["request"] = .object(request)
        }
        let answer = try await wallet.post("payments", .object(body))
        #expect(answer.status == 400)
        #expect(answer.json.errorCode == code)
        #expect(answer.json["error"]?["message"]?.string?.isEmpty == false)
    }

    /// The order of supportedNetworks says by which network a co-badged card pays, unless the customer has chosen.
    @Test(
        arguments: [
            (["girocard", "masterCard", "visa"], nil, "girocard 3012"),
            (["masterCard", "girocard", "visa"], nil, "MasterCard 3012"),
            (["visa", "masterCard"], nil, "MasterCard 3012"),
            (["girocard", "masterCard"], "masterCard", "MasterCard 3012"),
            (["masterCard", "girocard"], "girocard", "girocard 3012"),
            (["masterCard", "visa"], "girocard", nil), (["masterCard", "visa"], "visa", nil), (["visa"], nil, nil),
        ] as [([String], String?, String?)])
    func coBadgedCardsFollowTheOrderOfNetworks(networks: [String], chosen: String?, name: String?) async throws {
        let shop = try await ShopFixture.open("commweb")
        let merchant = try #require(shop.merchants["commweb"])
        let info = MerchantSessionInfo(
            identifier: "1", merchantIdentifier: WalletFixture.merchant, displayName: "Shop", domainName: "localhost",
            expiresAt: Timestamp(seconds: 1_781_525_000))
        let wallet = try WalletFixture.open(
            recipient: merchant.recipient, check: { _, _, _ throws(MerchantSessionFault) in info })
        var request = try #require(WalletFixture.request.object)
        request["supportedNetworks"] = .array(networks.map(JSON.string))
        var body = try #require(
            ([
                "merchantSession": [:], "host": "localhost", "sheetId": "sheet", "cardId": "girocard-mastercard",
            ] as JSON).object)
        body["request"] = .object(request)
        body["network"] = chosen.map(JSON.string)
        let answer = try await wallet.post("payments", .object(body))
        #expect(answer.json["token"]?["paymentMethod"]?["displayName"]?.string == name)
        #expect(answer.json.errorCode == (name == nil ? "network_not_supported" : "none"))
    }

    @Test func listsTheNetworksOfACoBadgedCard() async throws {
        let wallet = try WalletFixture.open()
        let response = await wallet.service.respond(to: WireRequest(method: .get, path: "/wallet/api/cards"))
        let cards = try #require(try JSON.parse(response.body)["cards"]?.array)
        let card = try #require(cards.first { $0["id"]?.string == "girocard-visa" })
        #expect(
            card["networks"] == [
                ["network": "girocard", "displayName": "girocard 3013"],
                ["network": "visa", "displayName": "Visa 3013"],
            ])
        #expect(cards.first?["networks"] == [["network": "visa", "displayName": "Visa 1234"]])
        for card in SimulatedCard.coBadgedCards.flatMap(\.coBadges) {
            #expect(!String(decoding: response.body, as: UTF8.self).contains(card.dpan))
        }
    }

    @Test func merchantWithoutKeyIsNotPaid() async throws {
        let info = MerchantSessionInfo(
            identifier: "1", merchantIdentifier: "merchant.com.example.none", displayName: "Shop",
            domainName: "localhost", expiresAt: Timestamp(seconds: 1_781_525_000))
        let wallet = try WalletFixture.open(check: { _, _, _ throws(MerchantSessionFault) in info })
        let answer = try await wallet.post(
            "payments",
            [
                "merchantSession": [:], "host": "localhost", "sheetId": "sheet", "cardId": "visa",
                "request": WalletFixture.request,
            ])
        #expect(answer.json.errorCode == "merchant_unknown")
    }

    @Test(arguments: ["", "[]", "{", "null"])
    func bodyMustBeAnObject(_ text: String) async throws {
        let wallet = try WalletFixture.open()
        let response = await wallet.service.respond(
            to: WireRequest(method: .post, path: "/wallet/api/sessions", body: Array(text.utf8)))
        #expect(response.status == .badRequest)
        #expect(try JSON.parse(response.body).errorCode == "request_malformed")
    }

    @Test func memoryOfSessionsIsBoundedAndForgetsTheExpired() {
        var memory = SessionMemory()
        let now = Timestamp(seconds: 1000)
        func session(_ index: Int) -> MerchantSessionInfo {
            MerchantSessionInfo(
                identifier: "\(index)", merchantIdentifier: "m", displayName: "d", domainName: "localhost",
                expiresAt: now.adding(seconds: 300))
        }
        for index in 0..<SessionMemory.sessionsMax {
            #expect(memory.open(session(index), sheetID: "a", now: now) == .fresh)
        }
        for _ in 0..<SessionMemory.tokensPerSessionMax {
            #expect(memory.take(session(0), sheetID: "a", now: now) == .fresh)
        }
        #expect(memory.take(session(0), sheetID: "a", now: now) == .usedUp)
        #expect(memory.open(session(-1), sheetID: "a", now: now) == .full)
        #expect(memory.take(session(-1), sheetID: "a", now: now) == .full)
        #expect(memory.take(session(-1), sheetID: "a", now: now.adding(seconds: 300)) == .fresh)
    }

    @Test func sessionIsItsFirstSheets() {
        var memory = SessionMemory()
        let now = Timestamp(seconds: 1000)
        let session = MerchantSessionInfo(
            identifier: "1", merchantIdentifier: "m", displayName: "d", domainName: "localhost",
            expiresAt: now.adding(seconds: 300))
        #expect(memory.open(session, sheetID: "a", now: now) == .fresh)
        #expect(memory.open(session, sheetID: "b", now: now) == .otherSheet)
        #expect(memory.take(session, sheetID: "b", now: now) == .otherSheet)
        #expect(memory.open(session, sheetID: "a", now: now) == .fresh)
        #expect(memory.take(session, sheetID: "a", now: now) == .fresh)
    }

    /// The amount of a token is whole in the currency's smallest unit, however the page writes it.
    @Test(
        arguments: [
            ("JPY", "100", 100), ("JPY", "100.00", 100), ("CAD", "12.500", 1250), ("CAD", "12.5", 1250),
            ("BHD", "1.2500", 1250),
        ] as [(String, String, Int64)])
    func zerosAfterTheLastDecimalSayNothing(currency: String, text: String, minorUnits: Int64) throws {
        var request = try #require(WalletFixture.request.object)
        let total: JSON = ["label": "Shop", "amount": .string(text)]
        request["currencyCode"] = .string(currency)
        request["total"] = total
        #expect(try SheetRequest(.object(request)).amount.minorUnits == minorUnits)
    }

    /// Apple has more than 32 networks, and a shop may take them all.
    @Test func takesAllNetworksAndSaysHowManyNamesAreTooMany() throws {
        var request = try #require(WalletFixture.request.object)
        request["supportedNetworks"] = .array(Array(repeating: "visa", count: 64))
        #expect(try SheetRequest(.object(request)).networks.count == 64)
        request["supportedNetworks"] = .array(Array(repeating: "visa", count: 65))
        #expect(throws: APIError.malformed("supportedNetworks must have at most 64 names.")) {
            try SheetRequest(.object(request))
        }
    }

    @Test(arguments: MerchantSessionFault.allCases)
    func everyFaultOfASessionHasItsCode(_ fault: MerchantSessionFault) async throws {
        let wallet = try WalletFixture.open(check: { _, _, _ throws(MerchantSessionFault) in throw fault })
        let answer = try await wallet.post(
            "sessions", ["merchantSession": [:], "host": "localhost", "sheetId": "sheet"])
        let code =
            switch fault {
            case .forged: "session_forged"
            case .expired: "session_expired"
            case .domainDiffers: "domain_differs"
            }
        #expect(answer.status == 400)
        #expect(answer.json.errorCode == code)
    }
}
