//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import HTTPTypes
import PAYONE
import Payments
import StrictJSON
import TestGateway
import Testing

@testable import AdminAPI

/// Every endpoint × every role: refused unless the role's scopes say otherwise. The table is made from the endpoints
/// themselves, so that none can be forgotten. What is another merchant's is `ForeignAccessTests`.
@Suite struct AccessTests {
    static let ofAll = [
        "/audit", "/audit/check", "/ledger/check", "/alarms", "/data-keys", "/exports/audit", "/exports/alarms",
    ]

    @Test(arguments: Role.allCases) func rolesMayDoWhatTheirScopesSay(_ role: Role) async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        let payment = try await till.pay(1000, "p")
        let token = try await desk.token(Access(role))
        for endpoint in desk.endpoints {
            guard let scope = endpoint.scope else { continue }
            let path = endpoint.path.filled(merchant: "till", payment: payment)
            let reply = try await desk.call(
                endpoint.method, path, endpoint.body == nil ? nil : [:], token: token, key: "k-\(endpoint.name)",
                tag: "\"never\"")
            let isAllowed = role.scopes.contains(scope)
            if isAllowed {
                #expect(reply.status != 403, "\(role) \(endpoint.name): \(reply.json.text())")
                #expect(reply.status != 401, "\(role) \(endpoint.name)")
                #expect(reply.status < 500, "\(role) \(endpoint.name): \(reply.json.text())")
            } else {
                #expect(reply.status == 403, "\(role) \(endpoint.name): \(reply.json.text())")
            }
        }
    }

    /// What is of all merchants together is for whoever has all.
    @Test(arguments: Self.ofAll)
    func whatIsOfAllIsForThoseWhoHaveAll(_ path: String) async throws {
        let desk = try await Desk.open()
        let own = try await Till.open(desk)
        let token = try await desk.token(Access(.owner, merchants: [own.merchant.id]))
        try await desk.expect(403, .get, path, token: token)
        try await desk.expect(200, .get, path)
    }

    @Test func developersChangeSandboxMerchantsAlone() async throws {
        let desk = try await Desk.open()
        let token = try await desk.token(Access(.developer))
        for mode in ["live", "sandbox"] {
            try await desk.expect(
                201, .post, "/merchants",
                ["name": .string(mode), "displayName": "Shop", "mode": .string(mode), "countryCode": "DE"], key: mode)
        }
        try await desk.expect(200, .get, "/merchants/live/accounts", token: token)
        try await desk.expect(
            403, .post, "/merchants/live/accounts", ["dialect": "payone"], token: token, key: "a")
        try await desk.expect(
            201, .post, "/merchants/sandbox/accounts", ["dialect": "payone"], token: token, key: "b")
    }

    /// Nobody gives away more than he has, by whatever way.
    @Test func tokensAreNotWiderThanTheirMakers() async throws {
        let desk = try await Desk.open()
        let own = try await Till.open(desk)
        let narrow = try await desk.token(Access(.owner, merchants: [own.merchant.id]))
        try await desk.expect(
            403, .post, "/tokens", ["name": "t", "role": "viewer"], token: narrow, key: "a")
        try await desk.expect(
            201, .post, "/tokens", ["name": "t", "role": "viewer", "merchants": ["till"]], token: narrow, key: "b")
        let people = try await desk.token(Access(scopes: [.peopleWrite, .paymentsRead]))
        try await desk.expect(
            403, .post, "/tokens", ["name": "t", "scopes": ["payments:refund"]], token: people, key: "c")
        try await desk.expect(
            201, .post, "/tokens", ["name": "t", "scopes": ["payments:read"]], token: people, key: "d")
        // Nor by members that are not his to set.
        for member in ["access", "madeBy", "digest"] {
            var body: JSONObject = JSONObject([(name: "name", value: "t"), (name: "role", value: "viewer")])
            body[member] = true
            try await desk.expect(422, .post, "/tokens", .object(body), key: "e-\(member)")
        }
    }

    /// Who makes tokens for some merchants sees and ends those, and learns of no others.
    @Test func tokensForSomeMerchantsAreSeenAndEndedByThoseWhoHaveThem() async throws {
        let desk = try await Desk.open()
        let (one, two) = (try await Till.open(desk, "one", "1"), try await Till.open(desk, "two", "2"))
        let narrow = try await desk.token(Access(.owner, merchants: [one.merchant.id]))
        let made = try await desk.expect(
            201, .post, "/tokens", ["name": "own", "role": "viewer", "merchants": ["one"]], token: narrow, key: "a")
        let own = try #require(made.json["token"]?["id"]?.string)
        var others: [String] = []
        for (key, access) in [
            ("all", Access(.viewer)), ("two", Access(.viewer, merchants: [two.merchant.id])),
            ("both", Access(.viewer, merchants: [one.merchant.id, two.merchant.id])),
            ("none", Access(.viewer, merchants: [])),
        ] {
            let token = try await desk.administration.makeAccessToken(
                AccessTokenDraft(name: "of-\(key)", access: access), by: Access(.owner), madeBy: "test"
            ).token
            others.append(token.id.text)
        }
        let list = try await desk.expect(200, .get, "/tokens", token: narrow)
        #expect(Set(list.json["data"]?.array?.compactMap { $0["name"]?.string } ?? []) == ["test", "own"])
        let file = try await desk.file("/exports/tokens", token: narrow).text
        #expect(file.contains(own) && !file.contains("of-"), "\(file)")
        for id in others {
            #expect(try await desk.expect(404, .delete, "/tokens/\(id)", token: narrow).code == "not_found")
        }
        try await desk.expect(404, .delete, "/tokens/tok_\(String(repeating: "0", count: 26))", token: narrow)
        let ended = try await desk.expect(200, .delete, "/tokens/\(own)", token: narrow)
        #expect(ended.json["id"]?.string == own)
        let tokens = try await desk.administration.accessTokens()
        #expect(tokens.filter { $0.revokedAt != nil }.map(\.id.text) == [own])
        // One that may do more is seen, and stays.
        let clerk = try await desk.token(Access(scopes: [.peopleRead, .peopleWrite], merchants: [one.merchant.id]))
        let wide = try #require(tokens.first { $0.access == Access(.owner, merchants: [one.merchant.id]) }).id.text
        let refused = try await desk.expect(403, .delete, "/tokens/\(wide)", token: clerk)
        #expect(refused.code == "access_not_allowed")
    }

    @Test func listsNeedAMerchantOfThoseWhoSeeSome() async throws {
        let desk = try await Desk.open()
        let (one, two) = (try await Till.open(desk, "one", "1"), try await Till.open(desk, "two", "2"))
        let token = try await desk.token(Access(.viewer, merchants: [one.merchant.id, two.merchant.id]))
        try await desk.expect(400, .get, "/payments", token: token)
        try await desk.expect(200, .get, "/payments", token: token, query: "merchant=one")
    }
}

extension String {
    /// The path with something in each of its places; without a payment, of nobody's.
    func filled(merchant: String, payment: Payment?) -> String {
        let nobodys = String(repeating: "0", count: 26)
        let places = [
            "{merchant}": merchant, "{payment}": payment?.id.text ?? "pay_" + nobodys,
            "{operation}": payment?.operations[0].id.text ?? "op_" + nobodys,
            "{event}": "evt_" + nobodys, "{dialect}": "payone", "{credential}": "key", "{acquirer}": "simulator",
            "{command}": "echo",
            "{certificate}": "0123456789abcdef", "{day}": "2026-01-02",
            "{token}": "tok_" + nobodys,
            "{refusal}": "rfs_" + nobodys, "{alarm}": "alm_" + nobodys,
            "{file}": "set_" + nobodys, "{number}": "1",
            "{approval}": "apr_" + nobodys, "{policy}": payment == nil ? merchant : "house",
            "{domain}": "shop.example.com",
            "{person}": "per_" + nobodys,
            "{session}": "ses_" + nobodys,
        ]
        return places.reduce(self) { $0.replacing($1.key, with: $1.value) }
    }
}

extension Endpoint {
    func isFor(_ role: Role) -> Bool { self.scope.map(role.scopes.contains) ?? false }

    /// A body that is as it should be.
    var sample: JSON? {
        switch self.name {
        case "createAccount": ["dialect": "payone"]
        case "changeAccountSettings": ["settings": [:]]
        case "addAcquirer": ["name": "bank", "connector": "simulator"]
        case "setRoutes": ["data": []]
        case "testRoutes": ["dialect": "payone", "amount": "1.00", "currency": "EUR"]
        case "createSigningRequest":
            ["purpose": "payment-processing", "merchantIdentifier": "merchant.com.example.shop"]
        case "importCertificate": ["certificate": "-----BEGIN CERTIFICATE-----"]
        case "resolveOperation": ["outcome": "failed", "reason": "seen in the portal"]
        case "addDomain": ["host": "shop.example.com"]
        case "registerAtApple": ["merchantName": "M", "domainNames": ["a.example"], "encryptTo": "merchant.a"]
        case "unregisterAtApple": ["domainNames": ["a.example"], "reason": "It has moved."]
        case "createMerchant": Desk.merchantBody
        case "reject": ["reason": "no"]
        case "importSettlement": ["acquirer": "bank", "name": "a.csv", "mapping": "mpgs", "text": "a"]
        case "resolveDifference": ["decision": "ours", "reason": "seen in the portal"]
        default: self.body == nil ? nil : [:]
        }
    }
}
