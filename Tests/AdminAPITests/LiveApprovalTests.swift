//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Foundation
import Gateway
import HTTPTypes
import Payments
import Redaction
import Settings
import SimulatorAcquirer
import StrictJSON
import SwiftASN1
import TestGateway
import Testing
import Time
import WalletSimulator
import X509

@testable import AdminAPI

/// A live merchant's certificates, secrets of webhooks and acquirer accounts, where a policy wants two people.
@Suite struct LiveApprovalTests {
    /// Asked for by alice; nothing is done before bob approves.
    private func twice(
        _ bench: ApprovalBench, _ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil, key: String,
        unchanged: () async throws -> JSON
    ) async throws -> String {
        let before = try await unchanged()
        let id = try bench.asked(try await bench.desk.call(method, path, body, token: bench.alice, key: key))
        #expect(try await unchanged() == before, "\(path)")
        #expect(try await bench.approve(id, 403, token: bench.alice, key: "own").code == "approval_of_own_act")
        let done = try await bench.approve(id)
        #expect(done.json["outcome"]?["code"] == "done", "\(path): \(done.json.text())")
        return id
    }

    @Test func certificatesAreImportedActivatedAndRetiredByTwo() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(liveCredentials: true))
        let desk = bench.desk
        let root = "/merchants/live/certificates"
        let identifier = "merchant.com.example.live"
        func certificates() async throws -> JSON { try await desk.expect(200, .get, root).json }
        // A signing request brings nothing into use.
        let request = try await desk.expect(
            201, .post, "\(root)/requests",
            ["purpose": "payment-processing", "merchantIdentifier": .string(identifier)], token: bench.alice, key: "csr"
        )
        let certificate = try TestAuthorities.authority(.live).issue(
            .paymentProcessing, merchantIdentifier: identifier,
            signingRequestPEM: request.json["signingRequest"]?.string ?? "",
            now: Date(timeIntervalSince1970: TimeInterval(desk.test.clock.now.seconds)))
        let pem = JSON.string(try certificate.serializeAsPEM().pemString)
        // What is wrong is refused, and asked of nobody.
        try await desk.expect(422, .post, root, ["certificate": "none"], token: bench.alice, key: "wrong")
        let imported = try await self.twice(
            bench, .post, root, ["certificate": pem], key: "import", unchanged: certificates)
        let summary = try await desk.expect(200, .get, "/approvals/\(imported)").json["summary"]?.string
        #expect(summary?.contains(identifier) == true && summary?.contains("from now on") == false, "\(summary ?? "")")
        let id = try #require(try await certificates()["data"]?.array?.first?["id"]?.string)
        func state() async throws -> JSON? { try await desk.expect(200, .get, "\(root)/\(id)").json["state"] }
        #expect(try await state() == "imported")
        _ = try await self.twice(bench, .post, "\(root)/\(id)/activate", key: "activate", unchanged: certificates)
        #expect(try await state() == "active")
        // What changes nothing needs nobody.
        try await desk.expect(200, .post, "\(root)/\(id)/activate", token: bench.alice, key: "once-more")
        _ = try await self.twice(bench, .post, "\(root)/\(id)/retire", key: "retire", unchanged: certificates)
        #expect(try await state() == "retired")
        let overridden = desk.administration.by(Authority(.override(reason: "Apple's portal is down")))
        let merchant = try await desk.administration.merchant(named: "live")
        _ = try await overridden.activateCredential(id, of: merchant.id)
        let last = try await desk.test.store.read { try $0.lastAuditEntry() }
        #expect(last?.act == .certificateActivate && last?.details["override"] == "Apple's portal is down")
    }

    @Test func aCertificateWithItsKeyIsImportedByTwo() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(liveCredentials: true))
        let desk = bench.desk
        let merchant = try await desk.administration.merchant(named: "live")
        let body: JSON = ["certificate": "-----BEGIN CERTIFICATE-----", "privateKey": "none", "activate": true]
        let refused = try await desk.call(.post, "/merchants/live/certificates", body, token: bench.alice, key: "i")
        #expect(refused.status == 422)
        #expect(try await desk.administration.credentials(of: merchant.id).isEmpty)
        #expect(try await desk.expect(200, .get, "/approvals").json["data"] == [])
    }

    /// By which a merchant is recognized: a setting of its account, or a secret of it.
    @Test func credentialsThatAreSettingsAreChangedByTwo() async throws {
        let bench = try await ApprovalBench.open()
        let desk = bench.desk
        try await desk.expect(201, .post, "/merchants/live/accounts", ["dialect": "commweb"], key: "account")
        try await desk.administration.setApprovalPolicy(ApprovalPolicy(liveCredentials: true))
        let account = "/merchants/live/accounts/commweb"
        let digest = JSON.string(String(repeating: "ab", count: 32))
        func settings() async throws -> JSON? { try await desk.expect(200, .get, account).json["settings"] }
        func asked(_ method: HTTPRequest.Method, _ path: String, _ body: JSON?) async throws -> String {
            let tag = try await desk.expect(200, .get, account).tag
            let before = try await settings()
            let id = try bench.asked(
                try await desk.call(method, account + path, body, token: bench.alice, tag: tag))
            #expect(try await settings() == before)
            #expect(try await bench.approve(id, 403, token: bench.alice, key: "own").code == "approval_of_own_act")
            let summary = try await desk.expect(200, .get, "/approvals/\(id)").json["summary"]?.string
            #expect(try await bench.approve(id).json["outcome"]?["code"] == "done")
            return summary ?? ""
        }
        let summary = try await asked(.patch, "/settings", ["settings": ["clientCertificateSHA256": digest]])
        #expect(summary.contains("clientCertificateSHA256 to \"abab"), "\(summary)")
        #expect(try await settings()?["clientCertificateSHA256"] == digest)
        #expect(try await asked(.put, "/seal", nil).contains("Seal live's account in commweb"))
        // What is no credential, and what changes none, one person changes.
        for value in ["NVP", "JSON"] as [JSON] {
            let tag = try await desk.expect(200, .get, account).tag
            let body: JSON = ["settings": ["notificationFormat": value, "clientCertificateSHA256": digest]]
            try await desk.expect(200, .patch, account + "/settings", body, token: bench.alice, tag: tag)
        }
    }

    /// Where what carries a secret goes, and what a caller may do: whoever changes that alone has the secret, or needs none.
    @Test(arguments: [
        ("payone", "notificationURL", "https://shop.example/n"), ("commweb", "notifyURL", "https://shop.example/n"),
        ("commweb", "allowedOperations", "PAY"),
    ])
    func settingsThatGuardSecretsAreChangedByTwo(_ dialect: String, _ name: String, _ value: String) async throws {
        let bench = try await ApprovalBench.open()
        let desk = bench.desk
        let account = "/merchants/live/accounts/\(dialect)"
        try await desk.expect(201, .post, "/merchants/live/accounts", ["dialect": .string(dialect)], key: "account")
        try await desk.administration.setApprovalPolicy(ApprovalPolicy(liveCredentials: true))
        func setting() async throws -> JSON? { try await desk.expect(200, .get, account).json["settings"]?[name] }
        // To take it away opens it, too.
        for wanted in [JSON.string(value), .null] {
            let before = try await setting()
            let body: JSON = ["settings": .object(JSONObject([(name: name, value: wanted)]))]
            let tag = try await desk.expect(200, .get, account).tag
            let id = try bench.asked(
                try await desk.call(.patch, account + "/settings", body, token: bench.alice, tag: tag))
            #expect(try await setting() == before)
            #expect(try await bench.approve(id, 403, token: bench.alice, key: "own").code == "approval_of_own_act")
            #expect(try await bench.approve(id).json["outcome"]?["code"] == "done")
            #expect(try await setting() ?? .null == wanted)
        }
    }

    /// Hosts get the account's credentials, and everything else says who is paid: every setting of it takes two.
    @Test func everySettingOfAnAcquirerAccountIsChangedByTwo() async throws {
        let bench = try await ApprovalBench.open(connector: Upstream())
        let desk = bench.desk
        let path = "/merchants/live/acquirers/there"
        try await desk.expect(
            201, .post, "/merchants/live/acquirers",
            ["name": "there", "connector": "upstream", "settings": ["host": "a.example"]], key: "there")
        try await desk.administration.setApprovalPolicy(ApprovalPolicy(liveCredentials: true))
        for body in [["settings": ["host": "b.example"]], ["acceptor": ["city": "Bonn"]]] as [JSON] {
            let shown = try await desk.expect(200, .get, path)
            let id = try bench.asked(
                try await desk.call(.patch, path, body, token: bench.alice, tag: shown.tag))
            #expect(try await desk.expect(200, .get, path).json == shown.json)
            #expect(try await bench.approve(id).json["outcome"]?["code"] == "done")
            #expect(try await desk.expect(200, .get, path).json != shown.json)
        }
    }

    /// A connector whose accounts have a setting.
    private struct Upstream: Connector {
        let name = AcquirerName("upstream")
        let settings = [SettingDescription("host", SettingRules.text(64), "Where it is.")]
        let secrets: [SecretDescription] = []

        func open(_ account: OpenedAcquirerAccount) throws(ConnectorError) -> any Acquirer {
            do { return SimulatorAcquirer(book: try .inMemory()) } catch { throw .sandboxOnly }
        }

        func check(_ account: OpenedAcquirerAccount) async -> [ConnectorFinding] { [] }
    }

    @Test func aWebhooksSecretIsReplacedByTwoAndCollectedOnce() async throws {
        let bench = try await ApprovalBench.open()
        let desk = bench.desk
        try await desk.expect(201, .post, "/merchants/live/accounts", ["dialect": "payone"], key: "account")
        try await desk.administration.setApprovalPolicy(ApprovalPolicy(liveCredentials: true))
        let merchant = try await desk.administration.merchant(named: "live")
        let dialect = DialectName("payone")
        let before = try await desk.administration.webhookSecrets(of: merchant.id, dialect: dialect).current.reveal()
        func secret() async throws -> String? {
            try await desk.administration.knownWebhookSecrets(of: merchant.id, dialect: dialect)?.current.reveal()
        }
        let path = "/merchants/live/accounts/payone/webhook-secret/rotate"
        let id = try await self.twice(bench, .post, path, key: "r") { .string(try await secret() ?? "") }
        let after = try #require(try await secret())
        #expect(after != before)
        let shown = try await desk.expect(200, .get, "/approvals/\(id)")
        #expect(shown.json["hasResult"] == true && !shown.json.text().contains(after))
        #expect(shown.json["collectable"] == false)
        let another = try await ApprovalBench.token("alice", Access(.owner), desk)
        for (token, isMine, isCollectable) in [
            (bench.alice, true, true), (another, true, false), (bench.bob, false, false),
        ] {
            let seen = try await desk.expect(200, .get, "/approvals/\(id)", token: token)
            #expect(seen.json["mine"] == .bool(isMine) && seen.json["collectable"] == .bool(isCollectable))
        }
        try await desk.expect(403, .post, "/approvals/\(id)/collect", token: bench.bob, key: "c")
        let collected = try await desk.expect(200, .post, "/approvals/\(id)/collect", token: bench.alice, key: "c")
        #expect(collected.json["credentials"] == ["webhookSecret": .string(after)])
        #expect(collected.json["merchant"] == "live" && collected.json["dialect"] == "payone")
        try await desk.expect(409, .post, "/approvals/\(id)/collect", token: bench.alice, key: "d")
    }

    /// One person stops an account; two have payments take it again.
    @Test func anAcquirerAccountIsSuspendedByOneAndResumedByTwo() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(routes: true))
        let desk = bench.desk
        let path = "/merchants/live/acquirers/bank"
        func shown() async throws -> JSON {
            let reply = try await desk.call(.get, path)
            return reply.json
        }
        // It is not suspended.
        try await desk.expect(200, .post, "\(path)/resume", token: bench.alice, key: "nothing")
        let suspended = try await desk.expect(200, .post, "\(path)/suspend", token: bench.alice, key: "s")
        #expect(suspended.json["state"] == "suspended")
        _ = try await self.twice(bench, .post, "\(path)/resume", key: "r", unchanged: shown)
        #expect(try await shown()["state"] == "active")
        let entries = try await desk.test.store.read { try $0.auditEntries(after: 0, limit: 100) }
        let entry = try #require(entries.last { $0.act == .acquirerState })
        #expect(entry.actor.contains("bob") && entry.details["askedBy"]?.contains("alice") == true)
    }

    /// Of a sandbox merchant none of it needs anybody.
    @Test func sandboxMerchantsNeedNobody() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(liveCredentials: true, routes: true))
        let desk = bench.desk
        let till = try await Till.open(desk)
        let id = try #require(try await desk.administration.credentials(of: till.merchant.id).first?.id)
        for (index, path) in [
            "certificates/\(id)/retire", "certificates/\(id)/activate", "acquirers/simulator/suspend",
            "acquirers/simulator/resume", "accounts/payone/webhook-secret/rotate",
        ].enumerated() {
            try await desk.expect(200, .post, "/merchants/till/\(path)", token: bench.alice, key: "k\(index)")
        }
    }
}
