//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import DialectKit
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import Testing

@testable import Server

@Suite struct HTTPServerTests {
    @Test func handsRequestAndAnswerThrough() async throws {
        try await ServerFixture().run { url in
            let answer = try await HTTPClient.shared.send("POST", url + "/test/echo?a=%20b", body: [0, 1, 255])
            #expect(answer.status == 200)
            #expect(answer.body == [0, 1, 255])
            #expect(answer.headers["location"] == "/test/echo?a=%20b")
            #expect(answer.headers["content-type"] == "application/octet-stream")
            #expect(answer.headers["content-length"] == "3")
            #expect(answer.headers["x-request-id"] == "abababababababab")
        }
    }

    @Test func namesTheCallerToTheDialect() async throws {
        try await ServerFixture().run { url in
            let answer = try await HTTPClient.shared.send("GET", url + "/test/address")
            #expect(answer.text == "127.0.0.1")
        }
    }

    @Test(arguments: [
        ("POST", "/test/echo/more", 404, "path_unknown"), ("GET", "/test/echo", 405, "method_not_allowed POST"),
        ("GET", "/test", 404, "path_unknown"),
    ])
    func letsTheDialectAnswerWhatIsUnderItsPrefix(
        method: String, path: String, status: Int, text: String
    ) async throws {
        try await ServerFixture().run { url in
            let answer = try await HTTPClient.shared.send(method, url + path)
            #expect(answer.status == status)
            #expect(answer.text == text)
        }
    }

    @Test(arguments: ["/", "/tester/echo", "/elsewhere", "/Test/echo"])
    func answersWhatNoDialectOwnsByItself(path: String) async throws {
        try await ServerFixture().run { url in
            let answer = try await HTTPClient.shared.send("GET", url + path)
            #expect(answer.status == 404)
            #expect(answer.headers["content-type"] == "application/json")
            #expect(answer.text.hasPrefix("{\"error\":{\"code\":\"not_found\","))
        }
    }

    @Test func refusesAnnouncedBodyBeyondTheRoutesBound() async throws {
        try await ServerFixture().run { url in
            let fitting = Array(repeating: UInt8(7), count: 1000)
            #expect(try await HTTPClient.shared.send("POST", url + "/test/echo", body: fitting).status == 200)
            let answer = try await HTTPClient.shared.send("POST", url + "/test/echo", body: fitting + [7])
            #expect(answer.status == 413)
            #expect(answer.text == "too_large 1000")
            #expect(answer.headers["connection"] == "close")
        }
    }

    @Test func refusesUnannouncedBodyBeyondTheServersBound() async throws {
        try await ServerFixture(limits: ServerLimits(bodyBytesMax: 500)).run { url in
            var request = HTTPClientRequest(url: url + "/test/echo")
            request.method = .POST
            let (stream, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
            for _ in 0..<6 { continuation.yield(ByteBuffer(repeating: 1, count: 100)) }
            continuation.finish()
            request.body = .stream(stream, length: .unknown)
            let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
            #expect(response.status.code == 413)
            #expect(String(buffer: try await response.body.collect(upTo: 1000)) == "too_large 500")
        }
    }

    @Test func givesUpBodyThatDoesNotArriveInTime() async throws {
        let limits = ServerLimits(receiveTimeoutMilliseconds: 250, lingerMilliseconds: 1500)
        try await ServerFixture(limits: limits).run { url in
            var request = HTTPClientRequest(url: url + "/test/echo")
            request.method = .POST
            let (stream, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
            continuation.yield(ByteBuffer(repeating: 1, count: 10))
            request.body = .stream(stream, length: .known(Int64(100)))
            let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
            #expect(response.status.code == 408)
            #expect(response.headers.first(name: "connection") == "close")
            continuation.finish()
        }
    }

    @Test func answersForRouteThatTakesTooLongAndLetsItEnd() async throws {
        let (release, ended) = (Signal(), Signal())
        let dialect = TestDialect(wait: {
            await release.wait()
            ended.send()
        })
        try await ServerFixture(dialect: dialect, limits: ServerLimits(answerTimeoutMilliseconds: 20)).run { url in
            let answer = try await HTTPClient.shared.send("GET", url + "/test/wait/1")
            #expect(answer.text == "timed_out")
            release.send()
            await ended.wait()
        }
    }

    @Test func refusesMoreRequestsAtATimeThanAllowed() async throws {
        let (begun, release) = (Signal(), Signal())
        let dialect = TestDialect(wait: {
            begun.send()
            await release.wait()
        })
        try await ServerFixture(dialect: dialect, limits: ServerLimits(requestsMax: 1)).run { url in
            async let first = HTTPClient.shared.send("GET", url + "/test/wait/1")
            await begun.wait()
            let second = try await HTTPClient.shared.send("GET", url + "/test/wait/2")
            #expect(second.status == 503)
            #expect(second.text == "overloaded")
            #expect(try await HTTPClient.shared.send("GET", url + "/healthz").status == 200)
            release.send()
            #expect(try await first.text == "1")
        }
    }

    @Test func refusesHeadThatIsTooLarge() async throws {
        try await ServerFixture(limits: ServerLimits(headerBytesMax: 1024)).run { url in
            let answer = try await HTTPClient.shared.send(
                "GET", url + "/healthz", headers: [("X-Long", String(repeating: "x", count: 2000))])
            #expect(answer.status == 400)
        }
    }

    @Test func saysWhenThePortIsTaken() async throws {
        try await ServerFixture().run { url in
            let port = try #require(url.split(separator: ":").last.flatMap { Int($0) })
            let second = HTTPServer(
                listeners: [ListenerConfiguration(host: "127.0.0.1", port: port)], services: [],
                readiness: Readiness { _ in },
                registry: PrometheusRegistry(), random: { Array(repeating: 0, count: $0) }, startTimeSeconds: 0,
                logger: .silent)
            let error = await #expect(throws: ListenerError.self) { try await second.run() }
            #expect(error?.code == .addressInUse)
            #expect(error?.message.contains("127.0.0.1:\(port)") == true)
            let thrown = await #expect(throws: ListenerError.self) { try await second.addresses() }
            #expect(thrown == error)
        }
    }

    @Test func refusesIdentityWhoseTextsAreNoPEM() {
        let error = #expect(throws: ListenerError.self) {
            try ServerIdentity(certificatePEM: "no certificate", privateKeyPEM: "no key")
        }
        #expect(error?.code == .tlsUnusable)
    }

    @Test(arguments: [
        (ListenerAddress(scheme: .http, host: "127.0.0.1", port: 80), "http://127.0.0.1:80"),
        (ListenerAddress(scheme: .https, host: "::1", port: 443), "https://[::1]:443"),
        (ListenerAddress(scheme: .http, host: "0.0.0.0", port: 1), "http://127.0.0.1:1"),
        (ListenerAddress(scheme: .http, host: "localhost", port: 1), "http://localhost:1"),
    ])
    func writesAddressAsURL(address: ListenerAddress, url: String) {
        #expect(address.url == url)
    }

    @Test(arguments: [
        ("/a/b?c=d?e", "/a/b", "c=d?e"), ("/", "/", nil), ("/a?", "/a", ""),
    ])
    func splitsTargets(text: String, path: String, query: String?) throws {
        let target = try #require(RequestTarget(text))
        #expect(target.path == path)
        #expect(target.query == query)
    }

    @Test(arguments: ["", "*", "http://host/a", "a"])
    func refusesTargetsThatAreNoPath(text: String) {
        #expect(RequestTarget(text) == nil)
    }
}
