//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import DialectKit
import NIOCore
import Testing

@testable import Server

/// Clients that keep connections and give nothing for them.
@Suite struct SlowClientTests {
    private func metric(_ name: String, _ reason: String, _ server: ServerFixture) -> Int {
        let prefix = "\(name){reason=\"\(reason)\"} "
        let line = server.registry.exposition().split(separator: "\n").first { $0.hasPrefix(prefix) }
        return line.flatMap { Int($0.dropFirst(prefix.count)) } ?? -1
    }

    private func cuts(_ reason: String, _ server: ServerFixture) -> Int {
        self.metric("pomona_http_connections_cut_total", reason, server)
    }

    @Test func cutsHeadThatTricklesIn() async throws {
        let server = ServerFixture(limits: ServerLimits(receiveTimeoutMilliseconds: 400))
        try await server.run { url in
            let slow = try await RawClient.connect(url)
            try await slow.send("GET /healthz HTTP/1.1\r\nX-Slow: ")
            slow.trickle(0x61)
            #expect(try await HTTPClient.shared.send("GET", url + "/healthz").status == 200)
            #expect(try await slow.untilClosed() == "")
            #expect(self.cuts("head", server) == 1)
        }
    }

    @Test func cutsSecondHeadThatTricklesIn() async throws {
        let server = ServerFixture(limits: ServerLimits(receiveTimeoutMilliseconds: 400))
        try await server.run { url in
            let slow = try await RawClient.connect(url)
            try await slow.send("GET /test/address HTTP/1.1\r\nHost: a\r\n\r\n")
            try await slow.send("GET /test/address HTTP/1.1\r\nX-Slow: ")
            slow.trickle(0x61)
            #expect(try await slow.untilClosed().hasSuffix("127.0.0.1"))
            #expect(self.cuts("head", server) == 1)
        }
    }

    @Test func cutsConnectionThatSaysNothing() async throws {
        try await ServerFixture(limits: ServerLimits(idleTimeoutMilliseconds: 400)).run { url in
            let slow = try await RawClient.connect(url)
            #expect(try await slow.untilClosed() == "")
        }
    }

    @Test func cutsHalfAHandshake() async throws {
        let server = ServerFixture(
            limits: ServerLimits(receiveTimeoutMilliseconds: 400), tls: try TestIdentity.make().server)
        try await server.run { url in
            let (silent, slow) = (try await RawClient.connect(url), try await RawClient.connect(url))
            // A TLS record that announces a ClientHello of 512 bytes (RFC 8446, section 5.1). On a slow machine the server
            // may have had enough by now.
            try? await slow.channel.writeAndFlush(ByteBuffer(bytes: [22, 3, 1, 2, 0, 1, 0, 1, 252]))
            slow.trickle(3)
            _ = try await slow.untilClosed()
            _ = try await silent.untilClosed()
            #expect(self.cuts("handshake", server) == 2)
        }
    }

    @Test func cutsClientThatDoesNotReadItsAnswer() async throws {
        let begun = Signal()
        let server = ServerFixture(
            dialect: TestDialect(wait: { begun.send() }), limits: ServerLimits(sendTimeoutMilliseconds: 100))
        try await server.run { url in
            let slow = try await RawClient.connect(url, reads: false)
            try await slow.send("GET /test/large HTTP/1.1\r\nHost: a\r\n\r\n")
            await begun.wait()
            // What is sent to a closed connection comes back as a reset, which is heard without reading.
            slow.trickle(0x47)
            _ = try await slow.untilClosed()
            #expect(self.cuts("answer", server) == 1)
        }
    }

    @Test func slowBodiesTakeNobodysPlace() async throws {
        let server = ServerFixture(limits: ServerLimits(receiveTimeoutMilliseconds: 60_000, requestsMax: 1))
        try await server.run { url in
            let slow = try await RawClient.connect(url)
            try await slow.send("POST /test/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n1234")
            for _ in 0..<3 { #expect(try await HTTPClient.shared.send("GET", url + "/test/address").status == 200) }
            try await slow.send("567890")
            try await slow.send("GET /test/address HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let text = try await slow.untilClosed()
            #expect(text.contains("1234567890") && text.hasSuffix("127.0.0.1"))
        }
    }

    @Test func refusesMoreConnectionsFromOneAddressThanAllowed() async throws {
        let server = ServerFixture(limits: ServerLimits(connectionsPerAddressMax: 2))
        try await server.run { url in
            let (first, second) = (try await RawClient.connect(url), try await RawClient.connect(url))
            let third = try await RawClient.connect(url)
            #expect(try await third.untilClosed() == "")
            #expect(self.metric("pomona_http_connections_refused_total", "address", server) == 1)
            try await first.send("GET /test/address HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(try await first.untilClosed().hasSuffix("127.0.0.1"))
            try await second.send("GET /test/address HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(try await second.untilClosed().hasSuffix("127.0.0.1"))
        }
        #expect(server.log.all.allSatisfy { !$0.contains("refused") })
    }

    @Test func proxiesMayHaveAnyNumberOfConnections() async throws {
        let proxies = try ClientNetworks(parsing: "127.0.0.0/8")
        let limits = ServerLimits(connectionsPerAddressMax: 1, proxyAddresses: proxies)
        try await ServerFixture(limits: limits).run { url in
            let clients = [try await RawClient.connect(url), try await RawClient.connect(url)]
            for client in clients {
                try await client.send("GET /test/address HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                #expect(try await client.untilClosed().hasSuffix("127.0.0.1"))
            }
        }
    }

    @Test func closesWhatHasWaitedLongestForOneMore() async throws {
        let server = ServerFixture(limits: ServerLimits(connectionsMax: 3))
        try await server.run { url in
            var waiting: [RawClient] = []
            for _ in 0..<3 { waiting.append(try await RawClient.connect(url)) }
            // The first has been served, and so has waited less than the others.
            try await waiting[0].send("GET /test/address HTTP/1.1\r\nHost: a\r\n\r\n")
            let good = try await RawClient.connect(url)
            try await good.send("GET /test/address HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(try await good.untilClosed().hasSuffix("127.0.0.1"))
            #expect(self.cuts("room", server) == 1)
        }
    }

    @Test func servesWhileAThousandKeepConnections() async throws {
        let files = FileDescriptorLimit.raise() ?? 1024
        let count = min(1000, (files - 400) / 2)
        let server = ServerFixture(
            limits: ServerLimits(
                receiveTimeoutMilliseconds: 1000, idleTimeoutMilliseconds: 1000, connectionsPerAddressMax: 4096),
            tls: nil)
        try await server.run { url in
            var slow: [RawClient] = []
            for index in 0..<count {
                let client = try await RawClient.connect(url)
                slow.append(client)
                // On a slow machine the server may have closed it by now.
                if index % 3 == 1 { try? await client.send("GET /healthz HT") }
                if index % 50 == 2 { client.trickle(0x47) }
            }
            // A connection for each: one that is kept may be closed while the machine is busy.
            let headers = [("Connection", "close")]
            for _ in 0..<20 {
                #expect(try await HTTPClient.shared.send("GET", url + "/healthz", headers: headers).status == 200)
            }
            for client in slow { _ = try await client.untilClosed() }
        }
    }

    // MARK: Overload

    @Test func shedsWhileTheStoreIsBackedUpAndKeepsTheConnection() async throws {
        let server = ServerFixture(storeWaitMilliseconds: { 5001 })
        try await server.run { url in
            let client = try await RawClient.connect(url)
            let request = "POST /test/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n"
            try await client.send(request + "\r\n1234" + request + "Connection: close\r\n\r\n1234")
            let text = try await client.untilClosed()
            #expect(text.split(separator: "503 Service Unavailable").count == 3)
            #expect(try await HTTPClient.shared.send("GET", url + "/healthz").status == 200)
            #expect(try await HTTPClient.shared.send("GET", url + "/readyz").status == 200)
            #expect(try await HTTPClient.shared.send("GET", url + "/metrics").status == 200)
            #expect(self.metric("pomona_http_requests_shed_total", "store", server) == 2)
        }
    }
}
