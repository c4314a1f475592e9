//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import DialectKit
import Synchronization
import Testing

@testable import Server

/// What the bodies of unfinished requests may take of the memory.
@Suite struct BodyBudgetTests {
    private static let head = "POST /test/echo HTTP/1.1\r\nHost: a\r\n"

    private func value(_ name: String, _ server: ServerFixture) -> Int? {
        server.registry.exposition().split(separator: "\n").first { $0.hasPrefix(name + " ") }
            .flatMap { Int($0.dropFirst(name.count + 1)) }
    }

    /// Asks the server until it has counted that many bytes, or has been asked too often.
    private func untilCounted(_ bytesCount: Int, _ server: ServerFixture, _ url: String) async throws {
        for _ in 0..<10_000 {
            #expect(try await HTTPClient.shared.send("GET", url + "/healthz").status == 200)
            if self.value("pomona_http_unfinished_body_bytes", server) == bytesCount { return }
        }
        Issue.record("the server never counted \(bytesCount) bytes")
    }

    @Test func refusesBodyBeyondTheBudgetBeforeAnythingIsBegun() async throws {
        let limits = ServerLimits(bodyBytesMax: 1000, lingerMilliseconds: 1500, unfinishedBodyBytesMax: 1000)
        let server = ServerFixture(limits: limits)
        try await server.run { url in
            let slow = try await RawClient.connect(url)
            try await slow.send(Self.head + "Content-Length: 700\r\n\r\n" + String(repeating: "s", count: 600))
            try await self.untilCounted(600, server, url)

            let body = Array(repeating: UInt8(ascii: "b"), count: 401)
            let refused = try await HTTPClient.shared.send("POST", url + "/test/echo", body: body)
            #expect(refused.status == 503)
            #expect(refused.text == "overloaded")
            #expect(refused.headers["connection"] == "close")
            #expect(self.value("pomona_http_requests_shed_total{reason=\"bodies\"}", server) == 1)
            // What fits is served, and so is the one that came first.
            let fitting = try await HTTPClient.shared.send("POST", url + "/test/echo", body: Array(body.prefix(300)))
            #expect(fitting.status == 200)
            try await slow.send(String(repeating: "s", count: 100))
            try await slow.send("GET /test/address HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(try await slow.untilClosed().hasSuffix("127.0.0.1"))
            // Everything has been given back.
            let whole = Array(repeating: UInt8(ascii: "w"), count: 1000)
            #expect(try await HTTPClient.shared.send("POST", url + "/test/echo", body: whole).status == 200)
        }
    }

    @Test func givesBackWhatCutBodiesHadTaken() async throws {
        let limits = ServerLimits(
            bodyBytesMax: 1000, receiveTimeoutMilliseconds: 250, lingerMilliseconds: 1500, unfinishedBodyBytesMax: 1000)
        try await ServerFixture(limits: limits).run { url in
            for _ in 0..<3 {
                let slow = try await RawClient.connect(url)
                try await slow.send(Self.head + "Content-Length: 900\r\n\r\n" + String(repeating: "s", count: 800))
                // The server closes when it has lingered, whether or not a slow machine has sent the answer by then.
                #expect(try await slow.untilClosed().hasPrefix("HTTP/1.1 408"))
            }
            let whole = Array(repeating: UInt8(ascii: "w"), count: 1000)
            #expect(try await HTTPClient.shared.send("POST", url + "/test/echo", body: whole).status == 200)
        }
    }

    @Test func announcedBytesTakeNobodysRoom() async throws {
        let limits = ServerLimits(bodyBytesMax: 1000, unfinishedBodyBytesMax: 1000)
        try await ServerFixture(limits: limits).run { url in
            for _ in 0..<5 {
                let slow = try await RawClient.connect(url)
                try await slow.send(Self.head + "Content-Length: 1000\r\n\r\n")
            }
            let whole = Array(repeating: UInt8(ascii: "w"), count: 1000)
            #expect(try await HTTPClient.shared.send("POST", url + "/test/echo", body: whole).status == 200)
        }
    }

    @Test func oneAddressHasAPartAndProxiesHaveAll() throws {
        let proxies = try ClientNetworks(parsing: "192.0.2.8/30")
        let budget = BodyBudget(bytesMax: 1000, perNetworkMax: 250, exempt: proxies)
        let (one, same) = (budget.share(of: "192.0.2.1"), budget.share(of: "192.0.2.1"))
        #expect(one.take(200))
        #expect(!same.take(51))
        #expect(same.take(50))
        #expect(budget.share(of: "192.0.2.2").take(250))
        let proxy = budget.share(of: "192.0.2.9")
        #expect(proxy.take(500))
        #expect(!proxy.take(1))
        #expect(budget.bytesCount == 1000)
        one.giveBack()
        one.giveBack()
        #expect(budget.bytesCount == 800)
        #expect(same.take(200))
        #expect(!same.take(1))
    }

    /// Four addresses may have a quarter each, which is all.
    @Test func aFullBudgetGivesUpWhatIsOldestWhereThereIsMost() {
        let budget = BodyBudget(bytesMax: 1000, perNetworkMax: 300)
        let givenUp = Mutex<[String]>([])
        func share(_ name: String, _ address: String?) -> BodyBudget.Share {
            let share = budget.share(of: address)
            share.reads { givenUp.withLock { $0.append(name) } }
            return share
        }
        let shares = ["a1": "192.0.2.1", "a2": "192.0.2.1", "b": "192.0.2.2", "c": "192.0.2.3", "d": "192.0.2.4"]
            .sorted { $0.key < $1.key }.map(share)
        for (share, count) in zip(shares, [100, 200, 250, 250, 200]) { #expect(share.take(count)) }
        let fifth = share("fifth", "192.0.2.5")
        #expect(fifth.take(50))
        #expect(givenUp.withLock { $0 } == ["a1"] && shares[0].isGivenUp && budget.bytesCount == 950)
        // What was given up gives nothing back a second time, and takes nothing more.
        shares[0].giveBack()
        #expect(!shares[0].take(1) && budget.bytesCount == 950)
        // What has arrived in full is not given up: the next address is asked.
        shares[2].readingEnded()
        #expect(fifth.take(60))
        #expect(givenUp.withLock { $0 } == ["a1", "c"] && budget.bytesCount == 760)
        for share in shares { share.giveBack() }
        #expect(budget.bytesCount == 110)
        fifth.giveBack()
        #expect(budget.bytesCount == 0)
        // Nobody's own body is given up for itself.
        let whole = share("whole", nil)
        #expect(whole.take(1000) && !whole.take(1) && !whole.isGivenUp)
    }

    /// Thousands of addresses that have little each: the oldest of all gives way.
    @Test func amongManyAddressesTheOldestGivesWay() {
        let budget = BodyBudget(bytesMax: 1000, perNetworkMax: 250)
        let givenUp = Mutex<[Int]>([])
        let shares = (0..<100).map { number in
            let share = budget.share(of: "192.0.2.\(number)")
            share.reads { givenUp.withLock { $0.append(number) } }
            return share
        }
        for share in shares { #expect(share.take(10)) }
        let next = budget.share(of: "198.51.100.1")
        next.reads {}
        #expect(next.take(25) && givenUp.withLock { $0 } == [0, 1, 2])
        // A body that would not fit even then takes nobody along.
        for share in shares.dropFirst(3) { share.readingEnded() }
        #expect(!next.take(200) && givenUp.withLock { $0 } == [0, 1, 2] && budget.bytesCount == 995)
        for share in shares + [next] { share.giveBack() }
        #expect(budget.bytesCount == 0)
    }

    /// Also behind a proxy, where all come from one address.
    @Test func aBodyThatStandsStillGivesWay() async throws {
        let limits = ServerLimits(
            bodyBytesMax: 900, lingerMilliseconds: 1500, unfinishedBodyBytesMax: 1000,
            proxyAddresses: try ClientNetworks(parsing: "127.0.0.1"))
        let server = ServerFixture(limits: limits)
        try await server.run { url in
            let slow = try await RawClient.connect(url)
            try await slow.send(Self.head + "Content-Length: 900\r\n\r\n" + String(repeating: "s", count: 600))
            try await self.untilCounted(600, server, url)
            let body = Array(repeating: UInt8(ascii: "b"), count: 401)
            #expect(try await HTTPClient.shared.send("POST", url + "/test/echo", body: body).status == 200)
            #expect(try await slow.untilClosed().hasPrefix("HTTP/1.1 503"))
        }
    }

    @Test func oneAddressHasRoomForOneBodyAtLeast() {
        #expect(ServerLimits().unfinishedBodyBytesPerAddressMax == 16 << 20)
        let narrow = ServerLimits(bodyBytesMax: 900, unfinishedBodyBytesMax: 1000)
        #expect(narrow.unfinishedBodyBytesPerAddressMax == 900)
    }
}
