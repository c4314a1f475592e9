//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Hosts
import Payments
import Redaction
import Synchronization
import Testing

@testable import ConnectorKit

/// A name of an acquirer's host does not lead into the gateway's own network, over real sockets.
@Suite struct ReachTests {
    /// To a resolver this is 127.0.0.1 (POSIX, inet_addr), and it is not written as an address.
    private static let nameOfThisMachine = "127.1"

    private static func client(_ addresses: [String: String] = [:], found: [String]) -> UpstreamClient {
        UpstreamClient(addresses: addresses, reach: .publicInternet { _ in found.compactMap { IPAddress($0) } })
    }

    private static func ending(_ client: UpstreamClient, _ host: String, _ server: RawServer) async -> UpstreamEnding {
        let ending = await client.exchange(
            UpstreamRequest(
                method: "PUT", url: "http://\(host):\(server.port)/a", body: Redacted(SendingTests.body),
                allowsPlainHTTP: true, deadlineMilliseconds: 10_000))
        await client.shutdown()
        return ending
    }

    private static func answering() async throws -> RawServer {
        try await RawServer { connection, event in
            guard case .received = event else { return }
            connection.send(SendingTests.answer)
        }
    }

    @Test(arguments: [["127.0.0.1"], ["10.0.0.1"], ["93.184.216.34", "169.254.169.254"], ["::1"], ["fd00::1"]])
    func nameThatLeadsInsideIsNotConnectedTo(_ found: [String]) async throws {
        let opened = Atomic<Bool>(false)
        let server = try await RawServer { _, event in
            if case .opened = event { opened.store(true, ordering: .relaxed) }
        }
        let ending = await Self.ending(Self.client(found: found), Self.nameOfThisMachine, server)
        #expect(ending.notSentWord == "host_not_public", "\(ending)")
        let isOpened = opened.load(ordering: .relaxed)
        #expect(!isOpened)
    }

    /// A name server as it is asked, and a clock.
    private final class Surroundings: Sendable {
        let seconds = Mutex(0)
        let found = Mutex(["93.184.216.34"])
        let lookUpsCount = Mutex(0)

        func check() -> ReachCheck {
            let begin = ContinuousClock().now
            return ReachCheck(
                .publicInternet { _ in
                    self.lookUpsCount.withLock { $0 += 1 }
                    return self.found.withLock { $0 }.compactMap { IPAddress($0) }
                }, given: []
            ) { begin + .seconds(self.seconds.withLock { $0 }) }
        }
    }

    @Test func nameIsLookedUpOnceAMinute() async throws {
        let surroundings = Surroundings()
        let check = surroundings.check()
        for (at, count) in [(0, 1), (59, 1), (60, 2), (61, 2), (120, 3)] {
            surroundings.seconds.withLock { $0 = at }
            await (try check.check("bank.example"))?.value
            let counted = surroundings.lookUpsCount.withLock { $0 }
            #expect(counted == count, "after \(at) seconds")
        }
    }

    /// Its connections may be open, and a call that needs a new one fails for itself.
    @Test func nameServerThatFindsNothingAnyMoreKeepsNoCallFromAKnownHost() async throws {
        let surroundings = Surroundings()
        let check = surroundings.check()
        try await check.check("bank.example")
        surroundings.found.withLock { $0 = [] }
        for at in [60, 120, 180] {
            surroundings.seconds.withLock { $0 = at }
            await (try check.check("bank.example"))?.value
        }
        let counted = surroundings.lookUpsCount.withLock { $0 }
        #expect(counted == 4)
    }

    @Test func nameThatComesToLeadInsideIsRefusedAfterTheNextLook() async throws {
        let surroundings = Surroundings()
        let check = surroundings.check()
        try await check.check("bank.example")
        surroundings.found.withLock { $0 = ["10.0.0.1"] }
        surroundings.seconds.withLock { $0 = 60 }
        await (try check.check("bank.example"))?.value
        await #expect { try await check.check("bank.example") } throws: { error in
            (error as? ExchangeFailure)?.beforeWriting == "host_not_public"
        }
    }

    @Test func nameWithoutAddressIsNotConnectedTo() async throws {
        let server = try await Self.answering()
        let ending = await Self.ending(Self.client(found: []), Self.nameOfThisMachine, server)
        #expect(ending.notSentWord == "host_not_found", "\(ending)")
        #expect(server.received.isEmpty)
    }

    /// The name server says something else to whoever connects than to whoever looks first.
    @Test func nothingIsWrittenWhereASecondLookLeadsInside() async throws {
        let server = try await Self.answering()
        let ending = await Self.ending(Self.client(found: ["93.184.216.34"]), Self.nameOfThisMachine, server)
        #expect(ending.notSentWord != nil, "\(ending)")
        #expect(!server.receivedText.contains("PUT"))
    }

    @Test func whatIsWrittenAsAnAddressIsMeantSo() async throws {
        let server = try await Self.answering()
        for host in ["127.0.0.1", "localhost", "bank.example"] {
            let addresses = ["bank.example": "127.0.0.1"]
            let ending = await Self.ending(Self.client(addresses, found: []), host, server)
            guard case .answered = ending else {
                Issue.record("\(host): \(ending)")
                continue
            }
        }
    }

    @Test(arguments: [
        ("bank.example", true), ("https://bank.example:8443", true), ("93.184.216.34", true),
        ("https://[2606:2800:220:1:248:1893:25c8:1946]", true), ("127.0.0.1", false), ("http://127.0.0.1:8080", false),
        ("localhost", false), ("bank.localhost", false), ("store", false), ("10.1.2.3", false), ("127.1", false),
        ("bank.0x7f", false), ("2130706433", false), ("https://[::1]:1", false), ("https://[fd00::1]", false),
        ("https://[::ffff:10.0.0.1]", false), ("169.254.169.254", false),
    ])
    func publicHostsAreKnownByHowTheyAreWritten(_ host: String, _ isPublic: Bool) {
        #expect((ConnectorRules.publicAddress(host) == nil) == isPublic, "\(host)")
    }
}
