//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import Gateway
import HTTPTypes
import PAYONE
import Payments
import StrictJSON
import TestGateway
import Testing
import Time

@testable import AdminAPI

/// What an operator and an auditor look up.
@Suite struct WatchTests {
    @Test func auditIsNewestFirstAndNarrowedDown() async throws {
        let desk = try await Desk.open()
        _ = try await Till.open(desk)
        try await desk.makeShop()
        func numbers(_ query: String) async throws -> [Int64] {
            let reply = try await desk.expect(200, .get, "/audit", query: query)
            return (reply.json["data"]?.array ?? []).compactMap { $0["number"]?.integer }
        }
        let all = try await numbers("limit=1000")
        #expect(all == all.sorted(by: >) && all.last == 1)
        #expect(try await numbers("order=oldest&limit=1000") == all.reversed())
        #expect(try await numbers("limit=2") == Array(all.prefix(2)))
        var (paged, after): ([Int64], String?) = ([], nil)
        repeat {
            let reply = try await desk.expect(
                200, .get, "/audit", query: "limit=3" + (after.map { "&after=\($0)" } ?? ""))
            paged += (reply.json["data"]?.array ?? []).compactMap { $0["number"]?.integer }
            after = reply.json["next"]?.string
        } while after != nil
        #expect(paged == all)
        #expect(try await numbers("act=merchant.create&subject=shop").count == 1)
        #expect(try await numbers("act=merchant").count >= 1)
        #expect(try await numbers("act=merch").isEmpty)
        #expect(try await numbers("actor=192.0.2.7&limit=1000").count < all.count)
        #expect(try await numbers("to=2000-01-01T00:00:00Z").isEmpty)
        #expect(try await numbers("subject=%25").isEmpty)
    }

    @Test func dataKeysAreListedWithoutTheirKeys() async throws {
        let desk = try await Desk.open()
        _ = try await Till.open(desk)
        let first = try await desk.expect(200, .get, "/data-keys")
        #expect(first.json["data"]?.array?.count == 1)
        #expect(first.json["waiting"] == 0)
        try await desk.administration.rotateDataKey()
        let rotated = try await desk.expect(200, .get, "/data-keys")
        #expect(rotated.json["data"]?.array?.count == 2)
        #expect((rotated.json["waiting"]?.integer ?? 0) > 0)
        #expect(rotated.json["data"]?.array?.allSatisfy { $0.object?.names.count == 4 } == true)
    }

    @Test func setupSaysWhatWaitsForWhom() async throws {
        let desk = try await Desk.open()
        try await desk.expect(201, .post, "/merchants", Desk.merchantBody, key: "m")
        func steps() async throws -> [String: JSON] {
            let reply = try await desk.expect(200, .get, "/merchants/shop/setup")
            let list = reply.json["steps"]?.array ?? []
            return Dictionary(list.map { ($0["step"]?.string ?? "", $0) }, uniquingKeysWith: { first, _ in first })
        }
        #expect(try await steps()["account"]?["waitsFor"] == "operator")
        #expect(try await steps()["merchant"]?["done"] == true)
        try await desk.expect(
            201, .post, "/merchants/shop/certificates/requests",
            ["purpose": "payment-processing", "merchantIdentifier": "merchant.com.example.shop"], key: "csr")
        #expect(try await steps()["processingCertificate"]?["waitsFor"] == "apple")
        _ = try await Till.open(desk)
        let ready = try await desk.expect(200, .get, "/merchants/till/setup")
        #expect(ready.json["ready"] == true)
        #expect(ready.json["readyForWeb"] == false)
    }

    @Test func certificatesSayWhatIsNext() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        func first() async throws -> JSON? {
            try await desk.expect(200, .get, "/merchants/till/certificates").json["data"]?.array?.first
        }
        #expect(try await first()?["next"] == "observe")
        #expect(try await first()?["lastUsedAt"] == .null)
        #expect(try await first()?["mayRetire"] == false)
        _ = try await till.pay(10_00, "a")
        let seen = try await first()
        #expect(seen?["next"] == "none")
        #expect(seen?["firstUsedAt"]?.string == desk.test.clock.now.description)
        let id = try #require(seen?["id"]?.string)
        // At most once a minute.
        desk.test.clock.advance(seconds: 30)
        _ = try await till.pay(10_00, "b")
        #expect(try await first()?["lastUsedAt"] == seen?["lastUsedAt"])
        desk.test.clock.advance(seconds: 31)
        _ = try await till.pay(10_00, "c")
        #expect(try await first()?["lastUsedAt"]?.string == desk.test.clock.now.description)
        #expect(try await first()?["firstUsedAt"] == seen?["firstUsedAt"])
        let one = try await desk.expect(200, .get, "/merchants/till/certificates/\(id)")
        #expect(one.json == (try await first()))
        try await desk.expect(404, .get, "/merchants/till/certificates/nothing")
    }

    @Test func paymentShowsItsProofAndItsTimeline() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        let payment = try await till.pay(10_00, "a", purpose: .sale)
        let view = try await desk.expect(200, .get, "/payments/\(payment.id.text)").json
        let proof = view["proof"]
        #expect(proof?["version"] == "EC_v1")
        #expect(
            proof?["checks"]?.array?.compactMap(\.string) == [
                "token_format", "cms_structure", "certificate_set", "leaf_certificate", "intermediate_certificate",
                "leaf_issuer", "trust_anchor", "signer_identifier", "signature_algorithm", "message_digest",
                "signature", "certificate_validity", "signing_time_window", "key_selection", "decryption",
            ])
        #expect(proof?["verifiedAt"]?.string == desk.test.clock.now.description)
        #expect(proof?["merchantIdentifier"]?.string?.hasPrefix("merchant.") == true)
        let certificate = try await desk.expect(200, .get, "/merchants/till/certificates").json["data"]?.array?.first
        #expect(proof?["publicKeyHash"] == certificate?["id"])
        let timeline = view["timeline"]?.array ?? []
        #expect(timeline.first?["type"] == "token")
        #expect(timeline.contains { $0["type"] == "operation" && $0["kind"] == "capture" })
        #expect(timeline.allSatisfy { $0["milliseconds"] == .null || $0["milliseconds"]?.integer ?? -1 >= 0 })
        #expect(view["account"] == "simulator")
        // Nothing of the card but what may be shown.
        #expect(!view.text().contains("cryptogram"))
    }

    @Test func catalogHasWhatFormsNeed() async throws {
        let desk = try await Desk.open()
        let catalog = try await desk.expect(200, .get, "/catalog").json
        #expect(catalog["dialects"]?.array?.count == Desk.plans.count)
        #expect(catalog["connectors"]?.array?.contains { $0["connector"] == "simulator" } == true)
        #expect(catalog["countries"]?.array?.contains("DE") == true)
        #expect(catalog["currencies"]?.array?.contains(["code": "JPY", "digits": 0]) == true)
        #expect(catalog["timeZones"]?.array?.contains("Europe/Berlin") == true)
        #expect(catalog["roles"]?.array?.count == Role.allCases.count)
        #expect(catalog["declineReasons"]?.array?.isEmpty == false)
    }

    @Test func eventsAreNarrowedDown() async throws {
        let desk = try await Desk.open()
        _ = try await Till.open(desk).pay(10_00, "a")
        for query in ["dialect=payone", "kind=captureSucceeded", "state=dead", "to=2000-01-01T00:00:00Z"] {
            #expect(try await desk.expect(200, .get, "/events", query: query).json["next"] == .null)
        }
        try await desk.expect(400, .get, "/events", query: "kind=nothing")
    }
}
