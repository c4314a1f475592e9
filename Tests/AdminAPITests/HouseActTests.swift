//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import CommWeb
import DialectKit
import Gateway
import HTTPTypes
import PAYONE
import Payments
import Redaction
import StrictJSON
import TestGateway
import Testing
import Time

@testable import AdminAPI

/// What an operator does to the house itself, and to an account that somebody has changed past him.
@Suite struct HouseActTests {
    private static let houseActs = [
        "/alarms/alm_\(String(repeating: "0", count: 26))/end", "/data-keys", "/data-keys/sweep",
    ]

    /// Live merchants' things are in it.
    @Test(arguments: Self.houseActs)
    func houseIsForThoseWhoHaveAllOfIt(_ path: String) async throws {
        let desk = try await Desk.open()
        let own = try await Till.open(desk)
        var sandboxOnly = Access(.owner)
        sandboxOnly.changesSandboxOnly = true
        for access in [Access(.owner, merchants: [own.merchant.id]), sandboxOnly, Access(.viewer)] {
            try await desk.expect(403, .post, path, token: try await desk.token(access), key: "a")
        }
    }

    /// What needs a second person counts for live merchants: nothing that changes sandbox merchants alone sets it, or approves
    /// its change.
    @Test func policiesAreForThoseWhoChangeLiveMerchants() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(routes: true))
        let desk = bench.desk
        var sandboxOnly = Access(.owner)
        sandboxOnly.changesSandboxOnly = true
        let token = try await ApprovalBench.token("carol", sandboxOnly, desk)
        let body: JSON = ["refundsAbove": [:], "aboveOwnLimit": false, "liveCredentials": false, "routes": false]
        let tag = try await desk.expect(200, .get, "/approval-policies/house").tag
        let refused = try await desk.call(.put, "/approval-policies/house", body, token: token, tag: tag)
        #expect(refused.status == 403 && refused.code == "scope_missing", "\(refused.json.text())")
        let asked = try await desk.call(.put, "/approval-policies/house", body, token: bench.alice, tag: tag)
        let id = try bench.asked(asked)
        #expect(try await bench.approve(id, 403, token: token).code == "scope_missing")
        #expect(try await bench.approve(id).json["state"] == "approved")
    }

    @Test func alarmIsEndedOnce() async throws {
        let desk = try await Desk.open()
        let now = desk.test.clock.now
        let alarm = Alarm(
            id: AlarmID(at: now, random: [1]), kind: .disk, subject: "/", merchant: nil, severity: .warning,
            code: "disk_full", text: "The disk is full.", begunAt: now)
        try await desk.test.store.write { try $0.insert(alarm) }
        let ended = try await desk.expect(200, .post, "/alarms/\(alarm.id)/end", key: "a")
        #expect(ended.json["endedAt"]?.string == now.description)
        let again = try await desk.expect(200, .post, "/alarms/\(alarm.id)/end", key: "a")
        #expect(again.headers[.idempotentReplayed] == "true")
        #expect(try await desk.expect(404, .post, "/alarms/\(alarm.id)/end", key: "b").code == "alarm_unknown")
        #expect(try await desk.expect(404, .post, "/alarms/first/end", key: "c").code == "alarm_unknown")
        let standing = try await desk.expect(200, .get, "/alarms", query: "standing=true")
        #expect(standing.json["data"] == [])
        let entries = try await desk.expect(200, .get, "/audit", query: "act=alarm.end").json["data"]?.array
        #expect(entries?.count == 1 && entries?.first?["actor"] == "token test from 192.0.2.7")
    }

    /// What cannot be written into the log is not done.
    @Test func nothingIsDoneWhileTheLogsKeyDoesNotOpen() async throws {
        let desk = try await Desk.open()
        let now = desk.test.clock.now
        let alarm = Alarm(
            id: AlarmID(at: now, random: [1]), kind: .disk, subject: "/", merchant: nil, severity: .warning,
            code: "disk_full", text: "The disk is full.", begunAt: now)
        try await desk.test.store.write { transaction in
            try transaction.insert(alarm)
            let sealed = try #require(try transaction.storeSecret("audit"))
            try transaction.reseal(
                SealedValue(place: .storeSecret(name: "audit"), bytes: sealed),
                as: SealedBytes(keyID: sealed.keyID, box: [1, 2, 3]))
        }
        let refused = try await desk.expect(503, .post, "/alarms/\(alarm.id)/end", key: "a")
        #expect(refused.code == "vault_unavailable")
        #expect(try await desk.test.store.read { try $0.alarm(alarm.id)?.endedAt } == nil)
    }

    @Test func dataKeyIsRotatedToItsEnd() async throws {
        let desk = try await Desk.open()
        try await desk.makeShop()
        let old = try #require(
            try await desk.expect(200, .get, "/data-keys").json["data"]?.array?.first?["id"]?.string)
        let made = try await desk.expect(201, .post, "/data-keys", key: "make")
        #expect(try await desk.expect(201, .post, "/data-keys", key: "make").json == made.json)
        let first = try await desk.expect(200, .post, "/data-keys/sweep", key: "s1").json
        #expect((first["resealed"]?.integer ?? 0) > 0 && first["damaged"] == 0)
        // A gateway that has not heard of the new key may seal under the old one still.
        #expect(first["finished"] == false && first["retired"] == [] && first["waitsUntil"] != .null)
        desk.test.clock.advance(seconds: DataKeyRetirement.graceSeconds + 1)
        let last = try await desk.expect(200, .post, "/data-keys/sweep", key: "s2").json
        #expect(last["finished"] == true && last["retired"] == [.string(old)] && last["waitsUntil"] == .null)
        let keys = try await desk.expect(200, .get, "/data-keys").json
        #expect(keys["data"]?.array?.map { $0["id"] } == [made.json["id"]] && keys["waiting"] == 0)
    }

    @Test func changedAccountIsServedAgainOnceItIsSealed() async throws {
        let desk = try await Desk.open()
        try await desk.makeShop()
        let path = "/merchants/shop/accounts/payone"
        let before = try await desk.expect(200, .get, path)
        let key = try #require(before.json["account"]?.string)
        func isServed() async throws -> Bool {
            // What a gateway has read before, it reads again after a while.
            desk.test.clock.advance(seconds: 60)
            return try await desk.test.gateway.account(dialect: PAYONE.dialectName, key: key) != nil
        }
        #expect(try await isServed())
        try await desk.test.store.write { transaction in
            guard let account = try transaction.account(dialect: PAYONE.dialectName, key: key) else { return }
            try transaction.upsert(
                MerchantAccount(
                    merchantID: account.merchantID, dialect: account.dialect, key: account.key,
                    aliases: account.aliases, settings: ["captureModeDefault": "completed"], secrets: account.secrets))
        }
        #expect(try await isServed() == false)
        // What is sealed is what was looked at.
        #expect(try await desk.expect(412, .put, "\(path)/seal", tag: before.tag).code == "changed_meanwhile")
        try await desk.expect(428, .put, "\(path)/seal")
        let seen = try await desk.expect(200, .get, path)
        let sealed = try await desk.expect(200, .put, "\(path)/seal", tag: seen.tag)
        #expect(sealed.json["settings"]?["captureModeDefault"] == "completed" && sealed.tag == seen.tag)
        #expect(try await isServed())
        try await desk.expect(404, .put, "/merchants/shop/accounts/commweb/seal", tag: "*")
        let entries = try await desk.expect(200, .get, "/audit", query: "act=account.bind&subject=shop").json["data"]
        #expect(entries?.array?.count == 1)
    }

    @Test func tokenMayBeForSandboxMerchantsAlone() async throws {
        let desk = try await Desk.open()
        let made = try await desk.expect(
            201, .post, "/tokens", ["name": "t", "role": "owner", "sandboxOnly": true], key: "a")
        #expect(made.json["token"]?["sandboxOnly"] == true)
        let secret = try #require(made.json["secret"]?.string)
        var live = try #require(Desk.merchantBody.object)
        live["mode"] = "live"
        try await desk.expect(403, .post, "/merchants", .object(live), token: secret, key: "b")
        try await desk.expect(201, .post, "/merchants", Desk.merchantBody, token: secret, key: "c")
        // Whoever is held to sandbox merchants makes no token that is not.
        try await desk.expect(403, .post, "/tokens", ["name": "u", "role": "owner"], token: secret, key: "d")
        try await desk.expect(
            403, .post, "/tokens", ["name": "u", "role": "owner", "sandboxOnly": false], token: secret, key: "e")
        try await desk.expect(
            201, .post, "/tokens", ["name": "u", "role": "owner", "sandboxOnly": true], token: secret, key: "f")
        // A role that is held to them stays so.
        let developer = try await desk.expect(
            201, .post, "/tokens", ["name": "v", "role": "developer", "sandboxOnly": false], key: "g")
        #expect(developer.json["token"]?["sandboxOnly"] == true)
    }

    @Test func credentialMayBeChosen() async throws {
        let desk = try await Desk.open()
        try await desk.makeShop()
        let path = "/merchants/shop/accounts/payone/credentials/key"
        let chosen = try await desk.expect(
            200, .post, "\(path)/rotate", ["value": "a-key-of-the-shops-own"], key: "a")
        #expect(chosen.json["credentials"]?["key"] == "a-key-of-the-shops-own")
        try await desk.expect(200, .post, "\(path)/revoke", key: "b")
        // With nothing said it is made here, with or without a body.
        let made = try await desk.expect(200, .post, "\(path)/rotate", [:], key: "c")
        #expect(made.json["credentials"]?["key"]?.string?.isEmpty == false)
        #expect(made.json["credentials"]?["key"] != "a-key-of-the-shops-own")
        #expect(try await desk.expect(422, .post, "\(path)/rotate", ["value": ""], key: "d").code == "body_invalid")
        #expect(
            try await desk.expect(422, .post, "\(path)/rotate", ["valeu": "x"], key: "e").code == "body_invalid")
    }

    /// One that an account need not have is given by choosing it, and by nothing else.
    @Test func optionalCredentialIsGivenLater() async throws {
        let desk = try await Desk.open()
        try await desk.expect(201, .post, "/merchants", Desk.merchantBody, key: "m")
        try await desk.expect(201, .post, "/merchants/shop/accounts", ["dialect": "commweb"], key: "a")
        let path = "/merchants/shop/accounts/commweb/credentials/clientCertificate/rotate"
        #expect(try await desk.expect(422, .post, path, key: "b").code == "credential_invalid")
        #expect(try await desk.expect(422, .post, path, ["value": "no PEM"], key: "c").code == "credential_invalid")
        let given = try await desk.expect(200, .post, path, ["value": .string(Desk.certificate)], key: "d")
        #expect(given.json["credentials"]?["clientCertificate"]?.string == Desk.certificate)
        let account = try await desk.expect(200, .get, "/merchants/shop/accounts/commweb").json
        #expect(account["settings"]?.object?.members.contains { $0.value.string == Desk.certificateDigest } == true)
    }
}
