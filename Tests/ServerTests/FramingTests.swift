//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import NIOCore
import NIOSSL
import Testing

@testable import Server

/// Heads that two programs could read in two ways, and what every answer says of itself.
@Suite struct FramingTests {
    private func answer(to request: String) async throws -> String {
        try await ServerFixture(limits: ServerLimits(lingerMilliseconds: 1500)).run { url in
            let client = try await RawClient.connect(url)
            try await client.send(request)
            return try await client.untilClosed()
        }
    }

    @Test(arguments: [
        "GET /healthz HTTP/1.1\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: a, b\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n",
        "GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n",
        "POST /test/echo HTTP/1.1\r\nContent-Length: 1\r\n\r\n1",
    ])
    func refusesAnyNumberOfHostsButOne(request: String) async throws {
        let text = try await self.answer(to: request)
        #expect(text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"), "\(text)")
        #expect(text.contains("\"code\":\"bad_host\""))
        #expect(text.lowercased().contains("connection: close"))
    }

    @Test(arguments: [
        "GET /healthz HTTP/1.0\r\nConnection: close\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: [::1]:8080\r\nConnection: close\r\n\r\n",
        "POST /test/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\nConnection: close\r\n\r\n1\r\na\r\n0\r\n\r\n",
    ])
    func takesWhatCanBeReadInOneWay(request: String) async throws {
        let text = try await self.answer(to: request)
        #expect(text.contains(" 200 OK\r\n"), "\(text)")
    }

    private static let expecting =
        "POST /test/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n"

    /// Clients that ask whether a body is welcome wait up to a second for the word.
    @Test func asksForTheBodyThatAClientHoldsBack() async throws {
        let text = try await ServerFixture(limits: ServerLimits(lingerMilliseconds: 1500)).run { url in
            let client = try await RawClient.connect(url)
            try await client.send(Self.expecting + "Connection: close\r\n\r\n")
            let word = await client.until("\r\n\r\n")
            #expect(word == "HTTP/1.1 100 Continue\r\n\r\n")
            try await client.send("hello")
            return try await client.untilClosed()
        }
        #expect(text.contains("\r\n\r\nHTTP/1.1 200 OK\r\n") && text.hasSuffix("hello"), "\(text)")
    }

    /// Behind another request the word would stand where an answer is expected, and 1.0 knows none.
    @Test(arguments: [
        "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n" + Self.expecting + "Connection: close\r\n\r\nhello",
        "POST /test/echo HTTP/1.0\r\nContent-Length: 5\r\nExpect: 100-continue\r\nConnection: close\r\n\r\nhello",
        "POST /test/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: more\r\nConnection: close\r\n\r\nhello",
    ])
    func saysNothingOfABodyOtherwise(request: String) async throws {
        let text = try await self.answer(to: request)
        #expect(text.hasPrefix("HTTP/1.") && text.hasSuffix("hello") && !text.contains("100 Continue"), "\(text)")
    }

    @Test(arguments: ["gzip, chunked", "gzip", "identity", "chunked;q=1", "x, y, chunked"])
    func unknownTransferCodingsAreNotImplemented(coding: String) async throws {
        let text = try await self.answer(
            to: "POST /test/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \(coding)\r\n\r\n1\r\na\r\n0\r\n\r\n")
        #expect(text.hasPrefix("HTTP/1.1 501 Not Implemented\r\n"), "\(text)")
        #expect(text.contains("\"code\":\"transfer_coding_unknown\""))
    }

    @Test func refusesBodyThatIsChunkedTwice() async throws {
        let text = try await self.answer(
            to: "POST /test/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n\r\n1\r\na\r\n0\r\n\r\n")
        #expect(text.hasPrefix("HTTP/1.1 400 "), "\(text)")
    }

    /// RFC 9112, section 6.1: other readers of these versions go by the length, and would take the rest for a request.
    @Test(arguments: [
        "HTTP/1.0\r\nTransfer-Encoding: chunked", "HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked",
        "HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked",
        "HTTP/1.0\r\nHost: a\r\ntransfer-encoding: gzip, chunked",
    ])
    func refusesTransferCodingsOfOtherVersions(head: String) async throws {
        let text = try await self.answer(
            to: "POST /test/echo \(head)\r\n\r\n1\r\na\r\n0\r\n\r\nGET /test/address HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"), "\(text)")
        #expect(text.contains("\"code\":\"transfer_coding_misplaced\""))
        #expect(text.lowercased().contains("connection: close") && !text.contains("127.0.0.1"), "\(text)")
    }

    // MARK: Whole URLs

    /// RFC 9112, section 3.2.2: the target's host counts, whatever Host says.
    @Test(arguments: [
        ("http://shop.example/test/host HTTP/1.1\r\nHost: other.example", "shop.example"),
        ("http://shop.example:8080/test/host?a=b HTTP/1.1\r\nHost: other.example", "shop.example:8080"),
        ("HTTPS://[::1]:8443/test/host HTTP/1.1\r\nHost:", "[::1]:8443"),
        ("http://shop.example/test/host HTTP/1.1\r\nHost: shop.example", "shop.example"),
        ("http://shop.example/test/host HTTP/1.0", "shop.example"),
        ("/test/host HTTP/1.1\r\nHost: other.example", "other.example"),
        ("/test/host?to=http://shop.example/ HTTP/1.1\r\nHost: other.example", "other.example"),
    ])
    func theHostOfTheTargetIsTheOneThatIsAsked(request: String, host: String) async throws {
        let text = try await self.answer(to: "GET \(request)\r\nConnection: close\r\n\r\n")
        #expect(text.contains(" 200 OK\r\n") && text.hasSuffix("\r\n\r\n\(host)"), "\(text)")
    }

    @Test func aWholeURLWithoutAPathIsTheRoots() async throws {
        for target in ["http://shop.example", "http://shop.example?a=b"] {
            let text = try await self.answer(
                to: "GET \(target) HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n")
            #expect(text.hasPrefix("HTTP/1.1 404 ") && text.contains("\"code\":\"not_found\""), "\(text)")
        }
    }

    /// Section 3.2 of the same: what is wrong with Host stays wrong, and RFC 9110, sections 4.2.1 and 4.2.4.
    @Test(arguments: [
        ("http://shop.example/healthz HTTP/1.1", "bad_host"),
        ("http://shop.example/healthz HTTP/1.1\r\nHost: a\r\nHost: b", "bad_host"),
        ("http://shop.example/healthz HTTP/1.1\r\nHost: a/b", "bad_host"),
        ("http://user@shop.example/healthz HTTP/1.1\r\nHost: shop.example", "bad_target"),
        ("http://:80/healthz HTTP/1.1\r\nHost: shop.example", "bad_target"),
        ("http:///healthz HTTP/1.1\r\nHost: shop.example", "bad_target"),
        ("ftp://shop.example/healthz HTTP/1.1\r\nHost: shop.example", "bad_target"),
    ])
    func refusesWholeURLsThatNameNoHost(request: String, code: String) async throws {
        let text = try await self.answer(to: "GET \(request)\r\nConnection: close\r\n\r\n")
        #expect(text.hasPrefix("HTTP/1.1 400 ") && text.contains("\"code\":\"\(code)\""), "\(text)")
    }

    // MARK: Bodies

    /// RFC 9112, section 7.1. To send such a body again would not help.
    @Test(arguments: [
        "-5\r\nhello\r\n0\r\n\r\n", "0x5\r\nhello\r\n0\r\n\r\n", "\r\nhello\r\n0\r\n\r\n", "g\r\nhello\r\n0\r\n\r\n",
        "fffffffffffffffff\r\nhello\r\n0\r\n\r\n", "5\nhello\n0\n\n", "5\r\nhelloX0\r\n\r\n",
        "5\r\nhello\r\n0\r\nbad trailer\r\n\r\n",
    ])
    func refusesMalformedChunks(body: String) async throws {
        let text = try await self.answer(
            to: "POST /test/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(body)"
                + "GET /test/address HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"), "\(text)")
        #expect(text.contains("\"code\":\"body_malformed\""))
        #expect(text.lowercased().contains("connection: close") && !text.contains("127.0.0.1"))
    }

    /// Chunks that are right so far, and do not go on.
    @Test(arguments: ["", "5\r\nhel", "5\r\nhello\r\n", "5\r\nhello\r\n0\r\n"])
    func chunksThatDoNotComeAreAnIncompleteBody(body: String) async throws {
        let limits = ServerLimits(receiveTimeoutMilliseconds: 250, lingerMilliseconds: 1500)
        try await ServerFixture(limits: limits).run { url in
            let client = try await RawClient.connect(url)
            try await client.send(
                "POST /test/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(body)")
            #expect(try await client.untilClosed().hasPrefix("HTTP/1.1 408 "))
        }
    }

    @Test func worksOnNothingAfterTheLastAnswer() async throws {
        let text = try await self.answer(
            to: "POST /test/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"
                + "GET /test/address HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(text.hasPrefix("HTTP/1.1 501 "))
        #expect(!text.contains("127.0.0.1"), "\(text)")
    }

    // MARK: What answers say

    @Test func everyAnswerSaysThatItsTypeIsItsType() async throws {
        try await ServerFixture(strictTransportSeconds: 60).run { url in
            for path in ["/healthz", "/test/address", "/test/none", "/none"] {
                let answer = try await HTTPClient.shared.send("GET", url + path)
                #expect(answer.headers["x-content-type-options"] == "nosniff", "\(path)")
                // RFC 6797, section 7.2: not without TLS.
                #expect(answer.headers["strict-transport-security"] == nil)
            }
        }
    }

    @Test(arguments: [nil, 31_536_000 as Int64?])
    func listenersWithTLSAskForNothingElse(seconds: Int64?) async throws {
        let identity = try TestIdentity.make()
        try await ServerFixture(tls: identity.server, strictTransportSeconds: seconds).run { url in
            var trust = TLSConfiguration.makeClientConfiguration()
            trust.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(identity.certificatePEM.utf8)))
            let client = HTTPClient(configuration: HTTPClient.Configuration(tlsConfiguration: trust))
            let name = url.replacing("127.0.0.1", with: "localhost")
            let answer = try await client.send("GET", name + "/test/address")
            try await client.shutdown()
            #expect(answer.headers["strict-transport-security"] == seconds.map { "max-age=\($0)" })
        }
    }

    // MARK: Metrics apart

    @Test func metricsHaveAListenerOfTheirOwn() async throws {
        let expected = [
            ListenerOffer.everything: [200, 200, 200], .services: [404, 200, 200], .metrics: [200, 200, 404],
        ]
        for (offer, statuses) in expected {
            try await ServerFixture(offer: offer).run { url in
                for (path, status) in zip(["/metrics", "/readyz", "/test/address"], statuses) {
                    let answer = try await HTTPClient.shared.send("GET", url + path)
                    #expect(answer.status == status, "\(path) at \(offer)")
                }
            }
        }
    }
}
