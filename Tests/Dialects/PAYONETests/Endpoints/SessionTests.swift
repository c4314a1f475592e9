//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import DialectKit
import Gateway
import HTTPTypes
import PAYONE
import Payments
import Redaction
import StrictJSON
import Synchronization
import TestGateway
import Testing

@Suite struct SessionTests {
    private static let session = Array("{\"merchantSessionIdentifier\":\"SSH1\",\"nonce\":\"a/b+c\"}".utf8)
    private static let sessionBase64 = "eyJtZXJjaGFudFNlc3Npb25JZGVudGlmaWVyIjoiU1NIMSIsIm5vbmNlIjoiYS9iK2MifQ=="

    /// What went to Apple.
    private final class Sent: Sendable {
        let requests = Mutex<[MerchantSessionRequest]>([])
    }

    private static func open(
        _ sent: Sent, mode: Mode = .sandbox, failing failure: MerchantSessionFailure? = nil,
        limits: CallerLimits = .none
    ) async throws -> TestShop {
        let shop = try await TestShop.open(mode: mode, limits: limits) { parts in
            parts.settings.sandboxPageHosts = ["localhost"]
            parts.requestMerchantSession = { request throws(MerchantSessionFailure) in
                sent.requests.withLock { $0.append(request) }
                if let failure { throw failure }
                return Redacted(Self.session)
            }
        }
        try await shop.test.certifyIdentity(of: shop.merchant)
        return shop
    }

    @Test(arguments: [Mode.sandbox, .live])
    func handsOutApplesSession(mode: Mode) async throws {
        let sent = Sent()
        let shop = try await Self.open(sent, mode: mode)
        let form = ShopForm.session().with("mode", mode == .live ? "live" : "test")
        let reply = try await shop.send(form)
        #expect(reply.status == "OK" && reply["add_paydata[applepay_payment_session]"] == Self.sessionBase64)
        let request = try #require(sent.requests.withLock { $0.first })
        #expect(request.domainName == "shop.example" && request.displayName == "Apples & Pears")
        #expect(request.merchantIdentifier == shop.merchant.merchantIdentifier && request.mode == mode)
    }

    @Test func nestsTheSessionInJSON() async throws {
        let shop = try await Self.open(Sent())
        let response = await shop.payone.respond(to: ShopForm.session(name: nil).urlEncoded(accept: "application/json"))
        let json = try JSON.parse(response.body)
        #expect(json["Status"] == "OK")
        #expect(json["AddPayData"]?["applepay_payment_session"]?.string == Self.sessionBase64)
    }

    @Test func saysThatTheIdentityCertificateIsMissing() async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.send(ShopForm.session())
        #expect(reply.errorCode == 900405 && reply.message.contains("Merchant Identity Certificate"))
    }

    @Test func saysThatAppleGaveNone() async throws {
        let shop = try await Self.open(Sent(), failing: .domainNotRegistered)
        let reply = try await shop.send(ShopForm.session())
        #expect(reply.errorCode == 900406 && reply.message.contains("domain_not_registered"))
        #expect(reply.message.contains(MerchantSessionFailure.domainNotRegistered.explanation))
    }

    /// Plugins hand on what a page has named: with it Apple can be asked for nobody else's domain.
    @Test(arguments: [Mode.sandbox, .live])
    func appleIsAskedForTheMerchantsOwnDomainsAlone(mode: Mode) async throws {
        let sent = Sent()
        let shop = try await Self.open(sent, mode: mode)
        func ask(_ domain: String) async throws -> Reply {
            try await shop.send(ShopForm.session(domain: domain).with("mode", mode == .live ? "live" : "test"))
        }
        let other = try await shop.test.addMerchant("other", dialect: PAYONE.dialectName, key: "2030499")
        try await shop.test.register("other.example", for: other)
        for name in ["other.example", "unknown.example", "sub.shop.example"] + (mode == .live ? ["localhost"] : []) {
            let reply = try await ask(name)
            #expect(reply.status == "ERROR" && reply.errorCode == 900406, "\(name)")
            #expect(reply.message.contains("domain_not_registered") && reply.message.contains("pomona domain add"))
        }
        #expect(sent.requests.withLock { $0.isEmpty })
        #expect(try await ask("Shop.Example").status == "OK")
        guard mode == .sandbox else { return }
        for name in ["localhost", "LOCALHOST", "Localhost"] { #expect(try await ask(name).status == "OK") }
    }

    /// The address is the shop's server for all buyers, and has no part in it; what Apple is not asked for counts for nothing.
    @Test func allPagesOfAMerchantHaveAppleAskedSoOften() async throws {
        let sent = Sent()
        let now = Mutex<Int64>(0)
        let rates = SessionRates(now: { now.withLock { $0 } })
        let shop = try await Self.open(sent, limits: CallerLimits(throttle: nil, rates: nil, sessions: rates))
        let unknown = ShopForm.session(domain: "unknown.example")
        for _ in 0..<20 { #expect(try await shop.send(unknown).errorCode == 900406) }
        let burst = Int(SessionRates.ofMerchantBurst)
        for _ in 0..<burst { #expect(try await shop.send(ShopForm.session()).status == "OK") }
        let response = await shop.payone.respond(to: ShopForm.session().urlEncoded())
        #expect(response.headers[.retryAfter] == "1")
        let refused = try Reply(response)
        #expect(refused.status == "ERROR" && refused.errorCode == 900009)
        #expect(sent.requests.withLock { $0.count } == burst)
        now.withLock { $0 = 1_000_000_000 }
        #expect(try await shop.send(ShopForm.session()).status == "OK")
    }

    @Test(
        arguments: [
            (["add_paydata[action]": "setexpresscheckout"], 1700), (["add_paydata[action]": nil], 1700),
            (["add_paydata[domain_name]": nil], 1007), (["add_paydata[domain_name]": "https://shop.example"], 1007),
            (["clearingtype": "cc"], 1001), (["wallettype": "PPE"], 1095), (["currency": "x"], 1005),
        ] as [([String: String?], Int)])
    func refuses(changes: [String: String?], code: Int) async throws {
        let sent = Sent()
        let shop = try await Self.open(sent)
        let reply = try await shop.send(ShopForm.session().merging(changes))
        let name = try #require(changes.keys.first)
        #expect(reply.errorCode == code && reply.message.contains("{\(name)}"))
        #expect(sent.requests.withLock { $0.isEmpty })
    }
}
