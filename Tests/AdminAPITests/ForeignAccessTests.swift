//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import HTTPTypes
import Payments
import StrictJSON
import TestGateway
import Testing

@testable import AdminAPI

/// A caller who is for some merchants learns nothing of others: every endpoint × every role × real things of somebody else,
/// in paths, after the own merchant, in queries and in bodies. Each thing is there, so that "there is none" is said of it.
@Suite struct ForeignAccessTests {
    /// Places of things that are somebody's.
    private static let owned = [
        "{merchant}", "{payment}", "{refusal}", "{file}", "{event}", "{approval}", "{person}", "{policy}", "{token}",
        "{alarm}",
    ]
    /// What is found within a merchant or a payment.
    private static let within = ["{certificate}", "{acquirer}", "{domain}", "{dialect}", "{operation}"]
    /// What takes all merchants, whosever thing it is about.
    private static let ofAll = ["setApprovalPolicy", "endAlarm"]

    private static func has(_ path: String, _ places: [String]) -> Bool { places.contains { path.contains($0) } }

    @Test(arguments: Role.allCases) func othersThingsAreNotThere(_ role: Role) async throws {
        let shops = try await TwoShops.open()
        let (desk, token) = (shops.desk, try await shops.token(role))
        var count = 0
        for endpoint in desk.endpoints where endpoint.isFor(role) && Self.has(endpoint.path, Self.owned) {
            let path = shops.foreign(endpoint.path)
            let there = try await desk.call(
                endpoint.method, path, endpoint.sample, token: token, key: "k-\(endpoint.name)", tag: "*")
            let isOfAll = Self.ofAll.contains(endpoint.name)
            #expect(there.status == (isOfAll ? 403 : 404), "\(role) \(endpoint.name): \(there.json.text())")
            #expect(shops.leaks(there.json.text(), to: path) == [], "\(role) \(endpoint.name): \(there.json.text())")
            // It is the answer to what nobody has.
            let nobody = try await desk.call(
                endpoint.method, endpoint.path.filled(merchant: "nobody", payment: nil), endpoint.sample, token: token,
                key: "n-\(endpoint.name)", tag: "*")
            #expect(there.code == nobody.code && there.status == nobody.status, "\(role) \(endpoint.name)")
            count += 1
        }
        #expect(count >= 15)
        #expect(try await desk.test.store.read { try $0.payment(shops.payment.id) } == shops.payment)
        #expect(try await desk.test.store.read { try $0.merchant(shops.other.id) } == shops.other)
    }

    /// Else the table above would say nothing.
    @Test func theThingsAreThere() async throws {
        let shops = try await TwoShops.open()
        // No simulated Apple is asked here; the day is before the merchant's first, and the certificate is imported.
        let without = ["getAppleRegistration", "getSigningRequest", "getEventMessage"]
        for endpoint in shops.desk.endpoints where endpoint.method == .get && endpoint.scope != nil {
            guard endpoint.path.contains("{"), !without.contains(endpoint.name) else { continue }
            try await shops.desk.expect(200, .get, shops.foreign(endpoint.path))
        }
    }

    @Test(arguments: Role.allCases) func whatIsAnothersIsNotFoundBehindOnesOwn(_ role: Role) async throws {
        let shops = try await TwoShops.open()
        let (desk, token) = (shops.desk, try await shops.token(role))
        var count = 0
        for endpoint in desk.endpoints where endpoint.isFor(role) && Self.has(endpoint.path, Self.within) {
            let path = shops.mixed(endpoint.path)
            let there = try await desk.call(
                endpoint.method, path, endpoint.sample, token: token, key: "k-\(endpoint.name)", tag: "*")
            #expect(there.status == 404, "\(role) \(endpoint.name): \(there.json.text())")
            #expect(shops.leaks(there.json.text(), to: path) == [], "\(role) \(endpoint.name): \(there.json.text())")
            count += 1
        }
        #expect(count >= 3 || role == .support)
    }

    @Test(arguments: Role.allCases) func othersAreNotFoundByQueries(_ role: Role) async throws {
        let shops = try await TwoShops.open()
        let (desk, token) = (shops.desk, try await shops.token(role))
        let values = [
            "merchant": TwoShops.foreign, "payment": shops.payment.id.text, "file": shops.things["{file}"] ?? "",
            "acquirer": "foreign-bank", "order": "order%20of%20foreign-shop", "key": shops.certificate,
            "reference": "reference%20of%20foreign-shop", "request": "request-0",
        ]
        for endpoint in desk.endpoints where endpoint.method == .get && endpoint.isFor(role) {
            for parameter in endpoint.query {
                guard let value = values[parameter.name], !AccessTests.ofAll.contains(endpoint.path) else { continue }
                // Of the own payments and files, where the path names any.
                let path = shops.mixed(
                    endpoint.path.replacing("{file}", with: "set_" + String(repeating: "0", count: 26)))
                let query = "\(parameter.name)=\(value)"
                let isFile =
                    !endpoint.streamTypes.isEmpty && !["merchant", "file", "acquirer"].contains(parameter.name)
                let (status, text): (Int, String)
                if isFile {
                    (status, text) = (200, try await desk.file(path, token: token, query: query).text)
                } else {
                    let reply = try await desk.call(.get, path, token: token, query: query)
                    (status, text) = (reply.status, reply.json.text())
                }
                let isRefused = [400, 404, 422].contains(status)
                switch parameter.name {
                case "merchant", "file": #expect(status == 404, "\(role) \(path)?\(query): \(text)")
                default: #expect(isRefused || status == 200, "\(role) \(path)?\(query): \(text)")
                }
                #expect(shops.leaks(text, to: query) == [], "\(role) \(path)?\(query): \(text)")
            }
        }
    }

    @Test(arguments: Role.allCases) func othersAreInNoList(_ role: Role) async throws {
        let shops = try await TwoShops.open()
        let (desk, token) = (shops.desk, try await shops.token(role))
        for endpoint in desk.endpoints where endpoint.method == .get && !endpoint.path.contains("{") {
            guard endpoint.isFor(role), !AccessTests.ofAll.contains(endpoint.path) else { continue }
            // A file of all settlement files is none.
            guard endpoint.path != "/exports/settlement" else { continue }
            let list = endpoint.path
            let text: String
            if endpoint.streamTypes.isEmpty {
                text = try await desk.expect(200, .get, list, token: token).json.text()
            } else if list == "/stream" {
                text = try await desk.parts(list, token: token, count: 1).joined()
            } else {
                let file = try await desk.file(list, token: token)
                text = file.name + file.text
            }
            #expect(shops.leaks(text) == [], "\(role) \(list): \(text)")
        }
        // Nor does a search find anything, by whatever name.
        for thing in shops.marks + [shops.certificate, "order of foreign-shop", "reference of foreign-shop"] {
            let query = "q=\(thing.replacing(" ", with: "%20"))"
            let hits = try await desk.expect(200, .get, "/search", token: token, query: query)
            #expect(hits.json["data"] == [], "\(role) \(query): \(hits.json.text())")
        }
    }

    @Test func whatIsAnothersIsNoPartOfOnesOwn() async throws {
        let shops = try await TwoShops.open()
        let (desk, token) = (shops.desk, try await shops.token(.owner))
        let refund = "/payments/\(shops.ownPayment.id)/refund"
        let capture: JSON = ["capture": .string(shops.things["{operation}"] ?? "")]
        let routes: JSON = ["data": [["number": 1, "acquirer": "foreign-bank"]]]
        let calls: [(HTTPRequest.Method, String, JSON, Int)] = [
            (.post, refund, capture, 404), (.put, "/merchants/own/routes", routes, 422),
            (.post, "/merchants/own/settlements", TwoShops.settlement(of: "foreign-bank"), 404),
            (.post, "/tokens", ["name": "t", "role": "viewer", "merchants": ["foreign-shop"]], 422),
            (
                .post, "/people",
                ["userName": "x", "displayName": "X", "role": "viewer", "merchants": ["foreign-shop"]], 422
            ),
        ]
        for (index, (method, path, body, status)) in calls.enumerated() {
            let reply = try await desk.expect(status, method, path, body, token: token, key: "k\(index)", tag: "*")
            let text = reply.json.text()
            #expect(shops.leaks(text, to: body.text()) == [], "\(path): \(text)")
        }
    }

    /// A domain is taken by somebody; by whom is for those who may know of him.
    @Test func whoHasADomainIsNamedToThoseWhoSeeHim() async throws {
        let shops = try await TwoShops.open()
        let (desk, path) = (shops.desk, "/merchants/own/domains")
        let body: JSON = ["host": "foreign.example", "file": "ours"]
        let narrow = try await desk.expect(409, .post, path, body, token: try await shops.token(.owner), key: "a")
        #expect(narrow.code == "domain_taken")
        #expect(shops.leaks(narrow.json.text(), to: body.text()) == [], "\(narrow.json.text())")
        let both = try await desk.token(Access(.owner, merchants: [shops.own.id, shops.other.id]))
        for token in [both, desk.owner] {
            let wide = try await desk.expect(409, .post, path, body, token: token, key: "b")
            #expect(wide.json["detail"]?.string?.contains(TwoShops.foreign) == true)
        }
        // Who shares it, with the same file, is shown to nobody else either.
        try await desk.expect(
            201, .post, path, ["host": "foreign.example", "file": "theirs"], token: try await shops.token(.owner),
            key: "c")
        let shared = try await desk.expect(
            200, .get, "\(path)/foreign.example", token: try await shops.token(.viewer))
        #expect(shared.json["merchants"] == ["own"])
    }

    /// A token that was sealed for another's key says so; whose it is is for those who may know of him.
    @Test func whoseKeyItWasIsNamedToThoseWhoSeeHim() async throws {
        let shops = try await TwoShops.open()
        let desk = shops.desk
        let at = desk.test.clock.now
        let call = RefusedCall(
            id: RefusedCallID(at: at, random: desk.test.gateway.randomBytes(10)), at: at, merchantID: shops.own.id,
            dialect: DialectName("commweb"), operation: "pay", wireCode: "X", stage: .keySelection,
            code: "key_unknown", text: "", requestID: "1", publicKeyHash: shops.certificate)
        try await desk.test.store.write { try $0.insert(call) }
        func finding(_ token: String) async throws -> String {
            let reply = try await desk.expect(200, .get, "/findings", token: token, query: "merchant=own")
            let found = reply.json["data"]?.array?.first { $0["code"] == "wrong_key_of_other_merchant" }
            return try #require(found).text()
        }
        let narrow = try await finding(try await shops.token(.viewer))
        #expect(shops.leaks(narrow) == [] && narrow.contains("another merchant's"), "\(narrow)")
        let both = try await desk.token(Access(.viewer, merchants: [shops.own.id, shops.other.id]))
        for token in [both, desk.owner] {
            let wide = try await finding(token)
            #expect(wide.contains(TwoShops.foreign) && wide.contains(TwoShops.foreignIdentifier), "\(wide)")
        }
    }

    /// One ends one's own sessions.
    @Test func othersSessionsAreNotEnded() async throws {
        let shops = try await TwoShops.open()
        var browser = try await shops.desk.browser(of: "somebody", .owner, merchants: [shops.own.id])
        let session = try #require(shops.things["{session}"])
        try await browser.expect(404, .delete, "/me/sessions/\(session)")
        let person = try #require(shops.things["{person}"])
        let kept = try await shops.desk.expect(200, .get, "/people/\(person)/sessions")
        #expect(kept.json["data"]?.array?.contains { $0["id"]?.string == session } == true)
    }
}
