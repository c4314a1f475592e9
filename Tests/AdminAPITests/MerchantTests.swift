//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import Payments
import StrictJSON
import TestGateway
import Testing

@testable import AdminAPI

/// From nothing to a merchant who only lacks a certificate, and the changes on the way.
@Suite struct MerchantTests {
    @Test func merchantIsMadeReadyOverTheAPI() async throws {
        let desk = try await Desk.open()
        try await desk.makeShop()
        let missing = try await desk.expect(200, .get, "/merchants/shop/missing")
        #expect(missing.json["data"]?.array?.compactMap { $0["part"]?.string }.contains("processingKey") == true)
        let request = try await desk.expect(
            201, .post, "/merchants/shop/certificates/requests",
            ["purpose": "payment-processing", "merchantIdentifier": "merchant.com.example.shop"], key: "csr")
        #expect(request.json["signingRequest"]?.string?.hasPrefix("-----BEGIN CERTIFICATE REQUEST-----") == true)
        let listed = try await desk.expect(200, .get, "/merchants/shop/certificates")
        #expect(listed.json["data"]?.array?.first?["state"] == "requested")
        let decision = try await desk.expect(
            200, .post, "/merchants/shop/routes/test", ["dialect": "payone", "amount": "10.00", "currency": "EUR"])
        #expect(decision.json["acquirer"] == "bank")
        // Who has done it, and from where, stands in the log.
        let audit = try await desk.expect(200, .get, "/audit", query: "limit=1000")
        let actors = Set(audit.json["data"]?.array?.compactMap { $0["actor"]?.string } ?? [])
        #expect(actors.contains("token test from 192.0.2.7"))
        #expect(try await desk.expect(200, .get, "/audit/check").json["sound"] == true)
        #expect(try await desk.expect(200, .get, "/ledger/check").json["sound"] == true)
    }

    @Test func merchantIsChangedSuspendedResumedAndClosed() async throws {
        let desk = try await Desk.open()
        try await desk.makeShop()
        let read = try await desk.expect(200, .get, "/merchants/shop")
        let changed = try await desk.expect(
            200, .patch, "/merchants/shop", ["displayName": "Another"], tag: read.tag)
        #expect(changed.json["displayName"] == "Another")
        #expect(changed.tag != read.tag)
        for (index, (verb, state)) in [("suspend", "suspended"), ("resume", "active"), ("close", "closed")].enumerated()
        {
            let reply = try await desk.expect(200, .post, "/merchants/shop/\(verb)", key: "s\(index)")
            #expect(reply.json["state"]?.string == state)
        }
        #expect(try await desk.expect(409, .post, "/merchants/shop/resume", key: "again").code == "merchant_closed")
    }

    @Test func refusesWhatIsWrongWithTheBodyMemberByMember() async throws {
        let desk = try await Desk.open()
        let reply = try await desk.expect(
            422, .post, "/merchants",
            ["name": "Shop A", "displayName": "", "mode": "test", "id": "mer_1"], key: "a")
        #expect(reply.code == "body_invalid")
        let pointers = reply.json["errors"]?.array?.compactMap { $0["pointer"]?.string }
        #expect(pointers.map(Set.init) == ["/name", "/displayName", "/mode", "/countryCode", "/id"])
        #expect(try await desk.expect(200, .get, "/merchants").json["data"] == [])
    }

    /// A name is no option of a command.
    @Test(arguments: ["-", "--json", "-shop"])
    func namesThatBeginWithAHyphenAreNotGivenAnyMore(_ name: String) async throws {
        let desk = try await Desk.open()
        var body = try #require(Desk.merchantBody.object)
        body["name"] = .string(name)
        let refused = try await desk.expect(422, .post, "/merchants", .object(body), key: "m")
        #expect(refused.code == "body_invalid")
        #expect(refused.json["errors"]?.array?.compactMap { $0["pointer"]?.string } == ["/name"])
        let test = desk.test
        let earlier = Merchant(
            id: MerchantID(at: test.clock.now, random: [7]), name: name, displayName: "Of an earlier version",
            mode: .sandbox, countryCode: "DE", createdAt: test.clock.now)
        try await test.store.write { try $0.insert(earlier) }
        let path = "/merchants/\(name)"
        let tag = try await desk.expect(200, .get, path).tag
        try await desk.expect(200, .patch, path, ["displayName": "The shop"], tag: tag)
        #expect(try await desk.expect(200, .get, "/payments", query: "merchant=\(name)").json["data"] == [])
        try await desk.expect(
            422, .post, "\(path)/acquirers", ["name": .string(name), "connector": "simulator"], key: "a")
        try await desk.expect(201, .post, "\(path)/acquirers", ["name": "bank", "connector": "simulator"], key: "a")
    }

    @Test(arguments: [
        ("{", 400, "json_malformed"), ("[]", 422, "body_invalid"),
        (#"{"name": "a", "name": "b"}"#, 400, "json_malformed"),
        ("", 400, "json_malformed"),
    ]) func refusesBodiesThatAreNoObjects(_ text: String, _ status: Int, _ code: String) async throws {
        let response = await self.posted(Array(text.utf8), to: try await Desk.open())
        #expect(response.status.code == status)
        #expect(try JSON.parse(response.body)["code"]?.string == code)
    }

    /// A merchant as these bytes say, whatever they are.
    private func posted(_ body: [UInt8], to desk: Desk, _ more: HTTPFields = [:]) async -> WireResponse {
        var headers: HTTPFields = [
            .authorization: "Bearer \(desk.owner)", .contentType: "application/json", .idempotencyKey: "a",
        ]
        headers.append(contentsOf: more)
        return await desk.service.respond(
            to: .init(method: .post, path: "/admin/v1/merchants", headers: headers, body: body))
    }

    @Test func refusesAnotherMediaType() async throws {
        let desk = try await Desk.open()
        let reply = try await desk.call(.post, "/merchants", Desk.merchantBody, key: "a", type: "text/plain")
        #expect(reply.status == 415)
    }

    /// RFC 9110, sections 8.4 and 15.5.16.
    @Test func saysThatCompressedBodiesAreNotTaken() async throws {
        let desk = try await Desk.open()
        let response = await self.posted([0x1F, 0x8B, 8, 0], to: desk, [.contentEncoding: "gzip"])
        #expect(response.status.code == 415 && response.headers[.acceptEncoding] == "identity")
        let problem = try JSON.parse(response.body)
        #expect(problem["code"]?.string == "media_type_wrong")
        #expect(problem["detail"]?.string?.contains("Content-Encoding") == true)
        let reply = try await desk.call(.post, "/merchants", Desk.merchantBody, key: "a", type: "text/plain")
        #expect(reply.status == 415 && reply.headers[.acceptEncoding] == nil)
    }

    @Test func credentialsAreShownOnceAndRotated() async throws {
        let desk = try await Desk.open()
        try await desk.expect(201, .post, "/merchants", Desk.merchantBody, key: "shop")
        let made = try await desk.expect(
            201, .post, "/merchants/shop/accounts", ["dialect": "payone", "chosen": ["mid": "12345"]], key: "account")
        let key = try #require(made.json["credentials"]?["key"]?.string)
        #expect(made.headers[.location] == "/admin/v1/merchants/shop/accounts/payone")
        let account = try await desk.expect(200, .get, "/merchants/shop/accounts/payone")
        #expect(!account.json.text().contains(key))
        let rotated = try await desk.expect(
            200, .post, "/merchants/shop/accounts/payone/credentials/key/rotate", key: "rotate")
        #expect(rotated.json["credentials"]?["key"]?.string != key)
        #expect(
            try await desk.expect(200, .get, "/merchants/shop/accounts/payone").json["overlapping"] == ["key"])
        try await desk.expect(200, .post, "/merchants/shop/accounts/payone/credentials/key/revoke", key: "revoke")
        #expect(
            try await desk.expect(409, .post, "/merchants/shop/accounts/payone/credentials/key/revoke", key: "r2").code
                == "credential_not_replaced")
        try await desk.expect(404, .post, "/merchants/shop/accounts/payone/credentials/other/rotate", key: "r3")
        // A secret is no setting.
        let settings = try await desk.expect(
            422, .patch, "/merchants/shop/accounts/payone/settings", ["settings": ["key": "another"]],
            tag: account.tag)
        #expect(["setting_is_secret", "setting_unknown"].contains(settings.code))
    }

    @Test func acquirersAreAddedChangedAndChecked() async throws {
        let desk = try await Desk.open()
        try await desk.makeShop()
        let bank = try await desk.expect(200, .get, "/merchants/shop/acquirers/bank")
        #expect(
            try await desk.expect(
                422, .patch, "/merchants/shop/acquirers/bank", ["settings": ["colour": "green"]], tag: bank.tag
            ).code == "setting_unknown")
        let changed = try await desk.expect(
            200, .patch, "/merchants/shop/acquirers/bank", ["acceptor": ["categoryCode": "5732"]], tag: bank.tag)
        #expect(changed.json["acceptor"]?["categoryCode"] == "5732")
        #expect(
            try await desk.expect(200, .post, "/merchants/shop/acquirers/bank/check").json["data"]?.array?.isEmpty
                == false)
        try await desk.expect(200, .post, "/merchants/shop/acquirers/bank/suspend", key: "s")
        let decision = try await desk.expect(
            200, .post, "/merchants/shop/routes/test", ["dialect": "payone", "amount": "10.00", "currency": "EUR"])
        #expect(decision.json["acquirer"] == .null)
        try await desk.expect(200, .post, "/merchants/shop/acquirers/bank/resume", key: "r")
        try await desk.expect(404, .get, "/merchants/shop/acquirers/other")
        #expect(
            try await desk.expect(
                422, .put, "/merchants/shop/routes", ["data": [["number": 1, "acquirer": "other"]]], tag: "*"
            ).json["errors"]?.array?.first?["pointer"] == "/data/0/acquirer")
    }
}
