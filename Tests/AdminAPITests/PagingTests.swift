//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import HTTPTypes
import Payments
import StrictJSON
import TestGateway
import Testing

@testable import AdminAPI

/// Lists of the house come in pages, by key: each element once, in the order of the whole, whatever the page's size.
@Suite struct PagingTests {
    /// All elements, page by page.
    private static func all(_ desk: Desk, _ path: String, _ limit: Int, query: String = "") async throws -> [JSON] {
        var found: [JSON] = []
        var after = ""
        while true {
            let page = try await desk.expect(200, .get, path, query: "limit=\(limit)\(query)\(after)").json
            let data = page["data"]?.array ?? []
            #expect(data.count <= limit)
            found += data
            guard let next = page["next"]?.string else { return found }
            after = "&after=\(next)"
        }
    }

    private static func expectPages(
        _ desk: Desk, _ path: String, _ count: Int, query: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let whole = try await Self.all(desk, path, 200, query: query)
        #expect(whole.count == count, "\(path)", sourceLocation: sourceLocation)
        for limit in [1, 2] {
            #expect(
                try await Self.all(desk, path, limit, query: query) == whole, "\(path) by \(limit)",
                sourceLocation: sourceLocation)
        }
        try await desk.expect(400, .get, path, query: "limit=0", sourceLocation: sourceLocation)
    }

    @Test func listsOfTheHouseComeInPages() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        _ = try await till.pay(10_00, "a", purpose: .sale)
        _ = try await till.pay(20_00, "b")
        for index in 0..<3 {
            // Two at one moment, too.
            if index != 1 { desk.test.clock.advance(seconds: 1) }
            try await desk.addPerson("p\(index)", .viewer)
            _ = try await desk.token(Access(.viewer))
            var body = try #require(Desk.merchantBody.object)
            body["name"] = .string("shop\(index)")
            try await desk.expect(201, .post, "/merchants", .object(body), key: "m\(index)")
            try await desk.expect(
                201, .post, "/merchants/till/domains", ["host": .string("\(3 - index).example")], key: "d\(index)")
            try await desk.expect(
                201, .post, "/merchants/till/certificates/requests",
                ["purpose": "payment-processing", "merchantIdentifier": "merchant.com.example.shop"], key: "c\(index)")
        }
        try await Self.expectPages(desk, "/people", 3)
        try await Self.expectPages(desk, "/tokens", 4)
        try await Self.expectPages(desk, "/merchants", 4)
        try await Self.expectPages(desk, "/merchants/till/domains", 3)
        try await Self.expectPages(desk, "/merchants/till/certificates/requests", 3)
        let certificates = try await Self.all(desk, "/merchants/till/certificates", 200).count
        #expect(certificates > 3)
        try await Self.expectPages(desk, "/merchants/till/certificates", certificates)
        try await desk.expect(422, .get, "/balances", query: "after=nothing")
        let balances = try await Self.all(desk, "/balances", 200).count
        #expect(balances > 2)
        try await Self.expectPages(desk, "/balances", balances)
        try await Self.expectPages(desk, "/merchants/till/fees", 0)
        let domains = try await Self.all(desk, "/merchants/till/domains", 2)
        #expect(domains.compactMap { $0["host"]?.string } == ["1.example", "2.example", "3.example"])
    }

    /// Who is gone between two pages neither repeats nor skips anybody.
    @Test func whatIsRemovedMeanwhileSkipsNothing() async throws {
        let desk = try await Desk.open()
        for index in 0..<4 {
            desk.test.clock.advance(seconds: 1)
            try await desk.addPerson("p\(index)", .viewer)
        }
        let first = try await desk.expect(200, .get, "/people", query: "limit=2").json
        let next = try #require(first["next"]?.string)
        try await desk.expect(200, .delete, "/people/p1", tag: "*")
        let rest = try await desk.expect(200, .get, "/people", query: "limit=2&after=\(next)").json
        #expect(rest["data"]?.array?.map { $0["userName"] } == ["p2", "p3"] && rest["next"] == .null)
    }

    @Test func listsAreNarrowedDownByNameAndState() async throws {
        let desk = try await Desk.open()
        _ = try await Till.open(desk)
        try await desk.expect(201, .post, "/merchants", Desk.merchantBody, key: "m")
        try await desk.addPerson("bob", .viewer)
        try await desk.addPerson("alicia", .viewer)
        try await desk.expect(200, .post, "/people/bob/suspend", key: "s")
        let made = try await desk.expect(201, .post, "/tokens", ["name": "Deploy", "role": "viewer"], key: "t")
        let id = try #require(made.json["token"]?["id"]?.string)
        func names(_ path: String, _ member: String, _ query: String) async throws -> [String] {
            try await desk.expect(200, .get, path, query: query).json["data"]?.array?.compactMap { $0[member]?.string }
                ?? []
        }
        #expect(try await names("/people", "userName", "name=LIC") == ["alicia"])
        #expect(try await names("/people", "userName", "state=suspended") == ["bob"])
        #expect(try await names("/merchants", "name", "name=The%20s") == ["shop"])
        #expect(try await names("/merchants", "name", "mode=live") == [])
        #expect(try await names("/merchants", "name", "state=active&name=til") == ["till"])
        #expect(try await names("/tokens", "name", "name=deploy") == ["Deploy"])
        // What opens nothing any more is seen by whoever asks for it.
        try await desk.expect(200, .delete, "/tokens/\(id)")
        #expect(try await names("/tokens", "name", "name=deploy") == [])
        #expect(try await names("/tokens", "name", "name=deploy&state=all") == ["Deploy"])
    }

    @Test(arguments: [
        "/people?after=x", "/tokens?after=-1.a", "/merchants?after=5", "/merchants/till/certificates?after=",
        "/balances?limit=201", "/merchants/till/fees?after=r.0.x", "/merchants/till/fees?after=q.0",
        "/merchants/till/fees?after=s.-1", "/merchants/till/fees?after=s.0.set_1/2",
        "/merchants/till/fees?after=c.0.5.set_1/2", "/people?state=gone",
        "/tokens?state=revoked", "/merchants?mode=none",
    ]) func refusesPlacesAndStatesThatAreNone(_ address: String) async throws {
        let desk = try await Desk.open()
        _ = try await Till.open(desk)
        let parts = address.split(separator: "?").map(String.init)
        try await desk.expect(400, .get, parts[0], query: parts[1])
    }
}
