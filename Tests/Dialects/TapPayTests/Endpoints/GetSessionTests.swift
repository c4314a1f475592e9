//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import HTTPTypes
import Payments
import Redaction
import StrictJSON
import Synchronization
import TestGateway
import Testing
import Time

@testable import TapPay

@Suite struct GetSessionTests {
    /// What Apple is asked, and what it says.
    private final class Apple: Sendable {
        let requests = Mutex<[MerchantSessionRequest]>([])
        let answer: Result<String, MerchantSessionFailure>

        init(_ answer: Result<String, MerchantSessionFailure>) {
            self.answer = answer
        }

        func send(_ request: MerchantSessionRequest) throws(MerchantSessionFailure) -> Redacted<[UInt8]> {
            self.requests.withLock { $0.append(request) }
            return Redacted(Array(try self.answer.get().utf8))
        }
    }

    private static let session = #"{"epochTimestamp":1.0,"nonce":"ab","x":[null,{}]}"#

    private static func open(
        _ apple: Apple, isCertified: Bool = true, settings: [String: String] = [:], mode: Mode = .sandbox,
        limits: CallerLimits = .none
    ) async throws -> FrontEndShop {
        let shop = try await FrontEndShop.open(settings: settings, mode: mode, limits: limits) { parts in
            parts.requestMerchantSession = { request throws(MerchantSessionFailure) in try apple.send(request) }
        }
        if isCertified { try await shop.test.certifyIdentity(of: shop.merchant) }
        try await Self.register("shop.example", for: shop)
        return shop
    }

    private static func register(_ name: String, for shop: FrontEndShop) async throws {
        let domain = MerchantDomain(
            merchantID: shop.merchant.merchant.id, name: name, file: "file", registeredAt: shop.test.clock.now)
        try await shop.test.store.write { try $0.upsert(domain) }
    }

    private static func body(_ changes: [String: JSON?] = [:]) -> JSON {
        var body = JSONObject()
        body["app_id"] = 12345
        body["app_key"] = .string(FrontEndShop.appKey)
        body["apple_merchant_id"] = "merchant.com.example.shop"
        body["merchant_domain"] = "shop.example"
        body["validation_url"] = "https://apple-pay-gateway-cert.apple.com/paymentservices/startSession"
        for (name, value) in changes { body[name] = value }
        return .object(body)
    }

    private static let path = "/tpc/applepay/getsession"

    @Test func handsOnWhatAppleSays() async throws {
        let apple = Apple(.success(Self.session))
        let shop = try await Self.open(apple)
        let answer = try await shop.call(Self.body(["display_name": "Fruit"]), path: Self.path)
        #expect(answer.status == 0 && answer.message == "Success")
        #expect(answer.json["merchant_session"] == (try JSON.parse(Self.session)))
        let asked = try #require(apple.requests.withLock { $0.first })
        #expect(asked.domainName == "shop.example" && asked.displayName == "Fruit")
        #expect(asked.merchantIdentifier == "merchant.com.example.shop")
        #expect(asked.validationURL == "https://apple-pay-gateway-cert.apple.com/paymentservices/startSession")
    }

    @Test func takesTheSpellingOfTheVendorsPage() async throws {
        let apple = Apple(.success(Self.session))
        let shop = try await Self.open(apple)
        let body: JSON = [
            "appId": "12345", "appKey": .string(FrontEndShop.appKey), "appName": "shop.example",
            "appleMerchantId": "merchant.com.example.shop", "merchant_domain": "shop.example",
            "validationURL": "https://apple-pay-gateway.apple.com/paymentservices/startSession",
            "tappay_endpoint": "sandbox",
        ]
        #expect(try await shop.call(body, path: Self.path).status == 0)
        let asked = try #require(apple.requests.withLock { $0.first })
        #expect(asked.displayName == "Fruit & More")
        #expect(asked.validationURL == "https://apple-pay-gateway.apple.com/paymentservices/startSession")
    }

    @Test func withoutAValidationURLTheGatewayKnowsWhere() async throws {
        let apple = Apple(.success(Self.session))
        let shop = try await Self.open(apple)
        #expect(try await shop.call(Self.body(["validation_url": nil]), path: Self.path).status == 0)
        #expect(apple.requests.withLock { $0.first?.validationURL } == .some(nil))
    }

    private static let refusals: [(field: String, value: JSON?, code: Int64)] = [
        ("app_id", nil, 530), ("app_id", 7, 11), ("app_key", nil, 531), ("app_key", "wrong", 16),
        ("app_name", .string(String(repeating: "x", count: 129)), 571), ("apple_merchant_id", nil, 592),
        ("apple_merchant_id", .string(String(repeating: "x", count: 129)), 594),
        ("apple_merchant_id", "merchant.of.another", 13002), ("merchant_domain", nil, 403),
        ("merchant_domain", "", 403), ("merchant_domain", 7, 403),
        ("merchant_domain", .string(String(repeating: "x", count: 254)), 403),
        ("merchant_domain", "https://shop.example/", 403), ("merchant_domain", "sub.shop.example", 403),
        ("display_name", .string(String(repeating: "x", count: 65)), 403),
        ("validation_url", .string(String(repeating: "x", count: 2049)), 403),
    ]

    @Test(arguments: refusals)
    func refusesAWrongField(field: String, value: JSON?, code: Int64) async throws {
        let apple = Apple(.success(Self.session))
        let shop = try await Self.open(apple)
        let answer = try await shop.call(Self.body([field: value]), path: Self.path)
        #expect(answer.status == code && answer.json["merchant_session"] == nil)
        if code == 403 { #expect(answer.message.hasPrefix("[Apple Pay] Get Session error: ")) }
        #expect(apple.requests.withLock { $0.isEmpty })
    }

    @Test func whyThereIsNoSessionStandsInTheMessage() async throws {
        let shop = try await Self.open(Apple(.failure(MerchantSessionFailure.domainNotRegistered)))
        let answer = try await shop.call(Self.body(), path: Self.path)
        #expect(answer.status == 403 && answer.json["reason"] == "domain_not_registered")
        #expect(answer.message.hasPrefix("[Apple Pay] Get Session error: "))
        #expect(answer.message.contains("not registered with Apple"))
    }

    /// An app key is in every page: with it Apple can be asked for nobody else's domain.
    @Test func appleIsAskedForTheMerchantsOwnDomainsAlone() async throws {
        let apple = Apple(.success(Self.session))
        let shop = try await Self.open(apple)
        let other = try await shop.test.addMerchant("other", dialect: TapPay.dialectName, key: "999")
        let domain = MerchantDomain(
            merchantID: other.merchant.id, name: "other.example", file: "file", registeredAt: shop.test.clock.now)
        try await shop.test.store.write { try $0.upsert(domain) }
        for name in ["other.example", "unknown.example", "localhost"] {
            let answer = try await shop.call(Self.body(["merchant_domain": .string(name)]), path: Self.path)
            #expect(answer.status == 403 && answer.json["reason"] == "domain_not_registered")
            #expect(answer.message.contains("pomona domain add"))
        }
        #expect(apple.requests.withLock { $0.isEmpty })
        #expect(try await shop.call(Self.body(["merchant_domain": "Shop.Example"]), path: Self.path).status == 0)
    }

    @Test(arguments: [Mode.sandbox, .live])
    func aSandboxsOwnHostsNeedNoRegistration(mode: Mode) async throws {
        let apple = Apple(.success(Self.session))
        let shop = try await FrontEndShop.open(mode: mode) { parts in
            parts.settings.sandboxPageHosts = ["localhost"]
            parts.requestMerchantSession = { request throws(MerchantSessionFailure) in try apple.send(request) }
        }
        try await shop.test.certifyIdentity(of: shop.merchant)
        let answer = try await shop.call(Self.body(["merchant_domain": "localhost"]), path: Self.path)
        #expect(answer.status == (mode == .sandbox ? 0 : 403))
        #expect(apple.requests.withLock { $0.count } == (mode == .sandbox ? 1 : 0))
    }

    @Test func anAddressHasAppleAskedSoOften() async throws {
        let apple = Apple(.success(Self.session))
        let rates = SessionRates(now: { 0 })
        let shop = try await Self.open(apple, limits: CallerLimits(throttle: nil, rates: nil, sessions: rates))
        let burst = Int(SessionRates.ofAddressBurst)
        for _ in 0..<burst { #expect(try await shop.call(Self.body(), path: Self.path).status == 0) }
        let refused = try await shop.call(Self.body(), path: Self.path)
        #expect(refused.status == 915 && refused.response.status == .tooManyRequests)
        #expect(refused.response.headers[.retryAfter] == "1")
        #expect(apple.requests.withLock { $0.count } == burst)
        #expect(try await shop.call(Self.body(), path: Self.path, from: "192.0.2.8").status == 0)
    }

    /// From however many addresses; what Apple is not asked for counts for nothing.
    @Test func allPagesOfAMerchantHaveAppleAskedSoOften() async throws {
        let apple = Apple(.success(Self.session))
        let events = Mutex<[CallerEvent]>([])
        let rates = SessionRates(now: { 0 }, report: { event in events.withLock { $0.append(event) } })
        let shop = try await Self.open(apple, limits: CallerLimits(throttle: nil, rates: nil, sessions: rates))
        let burst = Int(SessionRates.ofMerchantBurst)
        func ask(_ number: Int, _ domain: JSON = "shop.example") async throws -> FrontEndShop.Answer {
            try await shop.call(
                Self.body(["merchant_domain": domain]), path: Self.path, from: "198.51.100.\(number / 25)")
        }
        for _ in 0..<20 { #expect(try await ask(5000, "unknown.example").status == 403) }
        for number in 0..<burst { #expect(try await ask(number).status == 0) }
        let refused = try await ask(burst)
        #expect(refused.status == 915 && refused.response.headers[.retryAfter] == "1")
        #expect(apple.requests.withLock { $0.count } == burst)
        let merchant = "\(shop.merchant.merchant.id)"
        #expect(events.withLock { $0 } == [.rateExceeded(dialect: "tappay", merchant: merchant)])
    }

    @Test func aMerchantWithoutAnIdentityIsReported() async throws {
        let shop = try await Self.open(Apple(.success(Self.session)), isCertified: false)
        let answer = try await shop.call(Self.body(), path: Self.path)
        #expect(answer.status == 403 && answer.message.contains("identity certificate"))
    }

    @Test(arguments: ["no JSON", "[]"])
    func anAnswerThatIsNoObjectIsNotHandedOn(_ text: String) async throws {
        let shop = try await Self.open(Apple(.success(text)))
        let answer = try await shop.call(Self.body(), path: Self.path)
        #expect(answer.status == 403 && answer.json["merchant_session"] == nil)
    }

    @Test func aMerchantIdentifierThatIsSwitchedOffBeginsNoSession() async throws {
        let apple = Apple(.success(Self.session))
        let shop = try await Self.open(
            apple, settings: ["disabledMerchantIdentifiers": "merchant.com.example.shop"])
        #expect(try await shop.call(Self.body(), path: Self.path).status == 13002)
        #expect(apple.requests.withLock { $0.isEmpty })
    }

    /// Apple knows a merchant whom a platform integrator has registered by his id here.
    @Test func aMerchantOfAPlatformIsNamedByItsID() async throws {
        let apple = Apple(.success(Self.session))
        let shop = try await FrontEndShop.open { parts in
            parts.settings.platformMerchant = "platform"
            parts.requestMerchantSession = { request throws(MerchantSessionFailure) in try apple.send(request) }
        }
        try await Self.register("shop.example", for: shop)
        let name = shop.merchant.merchant.id.text
        let alone = try await shop.call(Self.body(["apple_merchant_id": .string(name)]), path: Self.path)
        #expect(alone.status == 13002)
        let platform = try await shop.test.addMerchant(
            "platform", dialect: TapPay.dialectName, key: "999", certified: false)
        try await shop.test.certifyIdentity(of: platform)
        let answer = try await shop.call(Self.body(["apple_merchant_id": .string(name)]), path: Self.path)
        #expect(answer.status == 0)
        #expect(apple.requests.withLock { $0.map(\.merchantIdentifier) } == [name])
        let others = try await shop.call(
            Self.body(["apple_merchant_id": .string(platform.merchant.id.text)]), path: Self.path)
        #expect(others.status == 13002)
        // Its tokens name it so, too.
        #expect(try await shop.getPrime(try shop.token(), changing: ["apple_merchant_id": .string(name)]).status == 0)
    }

    @Test func refusesWhatIsNoJSON() async throws {
        let shop = try await Self.open(Apple(.success(Self.session)))
        #expect(try await shop.call(bytes: Array("x".utf8), path: Self.path).status == 5)
    }
}
