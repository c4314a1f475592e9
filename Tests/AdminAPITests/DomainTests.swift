//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import HTTPTypes
import Payments
import StrictJSON
import TestGateway
import Testing
import Time

@testable import AdminAPI

/// Merchants' domains over HTTP.
@Suite struct DomainTests {
    @Test func domainIsAddedCheckedAndRemoved() async throws {
        let desk = try await Desk.open()
        try await desk.makeShop()
        let path = "/merchants/shop/domains"
        let added = try await desk.expect(
            201, .post, path, ["host": "Shop.Example.com", "file": "7B22"], key: "a")
        #expect(added.json["host"] == "shop.example.com" && added.json["bytes"] == 4 && added.json["check"] == .null)
        #expect(added.headers[.location] == "/admin/v1/merchants/shop/domains/shop.example.com")
        try await desk.expect(201, .post, path, ["host": "b.example"], key: "b")
        let list = try await desk.expect(200, .get, path)
        #expect(list.json["data"]?.array?.compactMap { $0["host"]?.string } == ["b.example", "shop.example.com"])
        // Nothing was found where nobody looks.
        let checked = try await desk.expect(200, .post, "\(path)/shop.example.com/check")
        #expect(checked.json["check"] == .null)
        let read = try await desk.expect(200, .get, "\(path)/shop.example.com")
        try await desk.expect(412, .delete, "\(path)/shop.example.com", tag: "\"other\"")
        try await desk.expect(428, .delete, "\(path)/shop.example.com")
        try await desk.expect(200, .delete, "\(path)/shop.example.com", tag: read.tag)
        #expect(try await desk.expect(404, .get, "\(path)/shop.example.com").code == "domain_unknown")
        try await desk.expect(404, .get, "\(path)/..")
    }

    /// A sandbox merchant may name any host, also a live merchant's.
    @Test func aSandboxMerchantLearnsNothingOfALiveOnesDomain() async throws {
        let desk = try await Desk.open()
        try await desk.makeShop()
        try await desk.expect(
            201, .post, "/merchants", ["name": "live", "displayName": "L", "mode": "live", "countryCode": "DE"],
            key: "live")
        let theirs = try await desk.expect(
            201, .post, "/merchants/live/domains", ["host": "a.example", "file": "theirs"], key: "t")
        let path = "/merchants/shop/domains"
        let shop = try await desk.administration.merchant(named: "shop")
        let token = try await desk.token(Access(.owner, merchants: [shop.id]))
        desk.test.clock.advance(seconds: 60)
        let taken = try await desk.expect(
            409, .post, path, ["host": "a.example", "file": "ours"], token: token, key: "o")
        #expect(taken.code == "domain_taken" && !taken.json.text().contains("live"), "\(taken.json.text())")
        try await desk.expect(404, .get, "\(path)/a.example", token: token)
        let added = try await desk.expect(201, .post, path, ["host": "a.example"], token: token, key: "n")
        let read = try await desk.expect(200, .get, "\(path)/a.example", token: token)
        let listed = try await desk.expect(200, .get, path, token: token)
        for shown in [added.json, read.json, listed.json["data"]?.array?.first ?? .null] {
            #expect(shown["registeredAt"]?.string == desk.test.clock.now.description)
            #expect(shown["fileSHA256"] != theirs.json["fileSHA256"] && shown["bytes"] != theirs.json["bytes"])
            #expect(shown["merchants"] == ["shop"] && shown["check"] == .null)
        }
        let still = try await desk.expect(200, .get, "/merchants/live/domains/a.example")
        #expect(still.json["fileSHA256"] == theirs.json["fileSHA256"])
        #expect(still.json["registeredAt"] == theirs.json["registeredAt"])
        // With the same file they share it.
        let same = try await desk.expect(
            201, .post, path, ["host": "a.example", "file": "theirs"], token: token, key: "s")
        #expect(same.json["fileSHA256"] == theirs.json["fileSHA256"])
        #expect(same.json["registeredAt"] == added.json["registeredAt"])
    }

    @Test func refusesWhatIsNoDomainAndWhatIsAnothers() async throws {
        let desk = try await Desk.open()
        try await desk.makeShop()
        try await desk.expect(
            201, .post, "/merchants", ["name": "live", "displayName": "L", "mode": "live", "countryCode": "DE"],
            key: "live")
        try await desk.expect(
            201, .post, "/merchants", ["name": "other", "displayName": "O", "mode": "live", "countryCode": "DE"],
            key: "other")
        for host in ["https://a.example", "a.example:443", "../etc", "a_b"] {
            let reply = try await desk.expect(
                422, .post, "/merchants/shop/domains", ["host": .string(host)], key: "h")
            #expect(reply.json["errors"]?.array?.first?["pointer"] == "/host")
        }
        let bare = try await desk.expect(422, .post, "/merchants/live/domains", ["host": "a.example"], key: "l")
        #expect(bare.json["errors"]?.array?.first?["pointer"] == "/file")
        try await desk.expect(201, .post, "/merchants/other/domains", ["host": "a.example", "file": "x"], key: "x")
        let taken = try await desk.expect(
            409, .post, "/merchants/live/domains", ["host": "a.example", "file": "y"], key: "y")
        #expect(taken.code == "domain_taken")
        try await desk.expect(404, .get, "/merchants/live/domains/a.example")
    }
}
