//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import NIOSSL
import Payments
import Redaction
import Synchronization
import Testing

@testable import ConnectorKit

/// What may be concluded from how an exchange ended, over real sockets.
@Suite struct SendingTests {
    static let body = Array("{\"apiOperation\":\"PAY\"}".utf8)
    static let answer = "HTTP/1.1 201 Created\r\nContent-Length: 15\r\nX-Test: yes\r\n\r\n{\"result\":\"OK\"}"

    /// A deadline that does not pass.
    private static func never() async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        for await _ in stream {}
        continuation.finish()
    }

    private static func client(
        connectMilliseconds: Int64 = 60_000, answerBytesMax: Int = 4096,
        sleep: @escaping @Sendable (Int64) async throws -> Void = { _ in await Self.never() }
    ) -> UpstreamClient {
        UpstreamClient(
            limits: UpstreamLimits(connectMilliseconds: connectMilliseconds, answerBytesMax: answerBytesMax),
            sleep: sleep)
    }

    private static func request(
        _ url: String, allowsPlainHTTP: Bool = true, method: String = "PUT"
    ) -> UpstreamRequest {
        UpstreamRequest(
            method: method, url: url, headers: [(name: "X-Secret", value: Redacted("s3cret"))],
            body: Redacted(Self.body), allowsPlainHTTP: allowsPlainHTTP, deadlineMilliseconds: 1000)
    }

    private static func exchange(
        _ request: UpstreamRequest, connectMilliseconds: Int64 = 60_000, answerBytesMax: Int = 4096
    ) async -> UpstreamEnding {
        let client = Self.client(connectMilliseconds: connectMilliseconds, answerBytesMax: answerBytesMax)
        let ending = await client.exchange(request)
        await client.shutdown()
        return ending
    }

    /// A server that answers a whole request.
    private static func answering(_ text: String = Self.answer) async throws -> RawServer {
        try await RawServer { connection, event in
            guard case .received(let bytes) = event, isWholeRequest(bytes, bodyCount: Self.body.count) else { return }
            connection.send(text)
        }
    }

    @Test func readsWholeAnswer() async throws {
        let server = try await Self.answering()
        let ending = await Self.exchange(Self.request("http://127.0.0.1:\(server.port)/a"))
        guard case .answered(let answer) = ending else {
            Issue.record("\(ending)")
            return
        }
        #expect(answer.status == 201)
        #expect(answer.header("x-test") == "yes")
        #expect(answer.body.reveal() == Array("{\"result\":\"OK\"}".utf8))
        #expect(server.receivedText.contains("PUT /a HTTP/1.1\r\n"))
        #expect(server.receivedText.hasSuffix(String(decoding: Self.body, as: UTF8.self)))
    }

    @Test func permitDoesNotLeave() async throws {
        let server = try await Self.answering()
        _ = await Self.exchange(Self.request("http://127.0.0.1:\(server.port)/a"))
        #expect(!server.receivedText.lowercased().contains(SendPermits.headerName.lowercased()))
        #expect(server.receivedText.contains("X-Secret: s3cret"))
    }

    // MARK: - Before the first byte

    @Test func refusedConnectionIsNotSent() async throws {
        // A port that was just given back may be another test's by now; this one is nobody's.
        for host in ["127.0.0.1", "localhost"] {
            let ending = await Self.exchange(Self.request("http://\(host):1/a"))
            #expect(ending.notSentWord == "connection_refused", "\(ending)")
        }
    }

    @Test func unknownHostIsNotSent() async {
        let ending = await Self.exchange(Self.request("https://gateway.invalid/a"), connectMilliseconds: 3000)
        #expect(["host_not_found", "connect_timeout"].contains(ending.notSentWord), "\(ending)")
    }

    /// 192.0.2.0/24 is for documentation (RFC 5737): nothing is there.
    @Test func unreachableHostIsNotSent() async {
        let ending = await Self.exchange(Self.request("https://192.0.2.1/a"), connectMilliseconds: 300)
        #expect(ending.notSentWord != nil, "\(ending)")
    }

    @Test func plainHTTPIsNotSentUnlessAllowed() async throws {
        let server = try await Self.answering()
        let url = "http://127.0.0.1:\(server.port)/a"
        let ending = await Self.exchange(Self.request(url, allowsPlainHTTP: false))
        #expect(ending.notSentWord == "url_not_allowed")
        #expect(server.received.isEmpty)
    }

    @Test(arguments: ["closesAtOnce", "closesAfterHello", "answersGarbage", "answersHTTP"])
    func failedHandshakeIsNotSent(_ script: String) async throws {
        let server = try await RawServer { connection, event in
            switch (script, event) {
            case ("closesAtOnce", .opened): connection.close()
            case ("closesAfterHello", .received): connection.close()
            case ("answersGarbage", .received): connection.send([UInt8](repeating: 0x55, count: 64))
            case ("answersHTTP", .received): connection.send(Self.answer)
            default: break
            }
        }
        let ending = await Self.exchange(Self.request("https://127.0.0.1:\(server.port)/a"))
        #expect(ending.notSentWord != nil, "\(ending)")
        #expect(!server.receivedText.contains("apiOperation"))
    }

    @Test func handshakeThatDoesNotEndIsNotSent() async throws {
        let server = try await RawServer { _, _ in }
        let ending = await Self.exchange(
            Self.request("https://127.0.0.1:\(server.port)/a"), connectMilliseconds: 300)
        #expect(["tls_timeout", "connect_timeout"].contains(ending.notSentWord), "\(ending)")
    }

    @Test func nothingIsSentAfterShutdown() async throws {
        let server = try await Self.answering()
        let client = Self.client()
        await client.shutdown()
        let ending = await client.exchange(Self.request("http://127.0.0.1:\(server.port)/a"))
        #expect(ending.notSentWord == "shut_down", "\(ending)")
        #expect(server.received.isEmpty)
    }

    /// The deadline passes at any moment of the exchange. "Not sent" is said of nothing that arrives, then or later.
    @Test func notSentIsNeverSaidOfWhatArrived() async throws {
        let server = try await Self.answering()
        var notSent: [Int] = []
        for round in 0..<300 {
            let client = Self.client(sleep: { _ in
                for _ in 0..<round { await Task.yield() }
            })
            let ending = await client.exchange(Self.request("http://127.0.0.1:\(server.port)/round-\(round)-"))
            await client.shutdown()
            if ending.notSentWord != nil { notSent.append(round) }
        }
        // Whatever was still on its way has overtaken nothing.
        _ = await Self.exchange(Self.request("http://127.0.0.1:\(server.port)/last"))
        let text = server.receivedText
        #expect(text.contains("/last"))
        #expect(!notSent.isEmpty)
        for round in notSent { #expect(!text.contains("/round-\(round)-")) }
    }

    @Test func withdrawnPermitIsNotUsed() {
        let permit = SendPermit()
        #expect(permit.withdraw())
        #expect(!permit.use())
        let used = SendPermit()
        #expect(used.use())
        #expect(!used.use())
        #expect(!used.withdraw())
    }

    // MARK: - After it

    @Test func requestCutAtAnyByteIsUnknown() async throws {
        let whole = try await Self.answering()
        _ = await Self.exchange(Self.request("http://127.0.0.1:\(whole.port)/a"))
        let count = try #require(whole.received.first?.count)
        for limit in 1...count {
            let server = try await RawServer { connection, event in
                if case .received(let bytes) = event, bytes.count >= limit { connection.close() }
            }
            let ending = await Self.exchange(Self.request("http://127.0.0.1:\(server.port)/a"))
            #expect(ending.unknownOutcome?.reason == .unclear, "\(limit): \(ending)")
            #expect(server.received.count == 1, "sent again")
            await server.close()
        }
    }

    @Test func answerCutAtAnyByteIsUnknown() async throws {
        let bytes = Array(Self.answer.utf8)
        for limit in 0..<bytes.count {
            let server = try await RawServer { connection, event in
                guard case .received(let request) = event, isWholeRequest(request, bodyCount: Self.body.count) else {
                    return
                }
                connection.send(Array(bytes.prefix(limit)))
                connection.close()
            }
            let ending = await Self.exchange(Self.request("http://127.0.0.1:\(server.port)/a"))
            #expect(ending.unknownOutcome != nil, "\(limit): \(ending)")
            #expect(server.received.count == 1, "sent again")
            await server.close()
        }
    }

    enum Flood: String, CaseIterable {
        case body
        case chunks
        case interimAnswers
        case statusLine

        var text: String {
            let head = "HTTP/1.1 201 Created\r\n"
            let xs = { (count: Int) in String(repeating: "x", count: count) }
            switch self {
            case .body: return head + "Content-Length: 100000\r\n\r\n" + xs(100_000)
            case .chunks:
                return head + "Transfer-Encoding: chunked\r\n\r\n"
                    + String(repeating: "1000\r\n" + xs(4096) + "\r\n", count: 64)
            case .interimAnswers: return String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 40_000)
            case .statusLine: return "HTTP/1.1 201 " + xs(400_000)
            }
        }
    }

    @Test(arguments: Flood.allCases) func answerWithoutBoundIsUnknown(_ flood: Flood) async throws {
        let server = try await Self.answering(flood.text)
        let ending = await Self.exchange(Self.request("http://127.0.0.1:\(server.port)/a"))
        #expect(ending.unknownOutcome != nil, "\(ending)")
    }

    @Test(arguments: ["SSH-2.0-OpenSSH\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "\u{0}\u{1}\u{2}\u{3}\r\n\r\n"])
    func answerThatIsNoHTTPIsUnknown(_ text: String) async throws {
        let server = try await Self.answering(text)
        let ending = await Self.exchange(Self.request("http://127.0.0.1:\(server.port)/a"))
        #expect(ending.unknownOutcome != nil, "\(ending)")
    }

    @Test func silenceAfterRequestIsTimedOut() async throws {
        let (arrived, arrival) = AsyncStream<Void>.makeStream()
        let server = try await RawServer { _, event in
            guard case .received(let bytes) = event, isWholeRequest(bytes, bodyCount: Self.body.count) else { return }
            arrival.finish()
        }
        let client = Self.client(sleep: { _ in for await _ in arrived {} })
        let ending = await client.exchange(Self.request("http://127.0.0.1:\(server.port)/a"))
        await client.shutdown()
        #expect(ending.unknownOutcome == .timedOut("no_answer_in_time"), "\(ending)")
    }

    @Test func redirectIsNotFollowed() async throws {
        let other = try await Self.answering()
        let server = try await Self.answering(
            "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:\(other.port)/b\r\nContent-Length: 0\r\n\r\n"
        )
        let ending = await Self.exchange(Self.request("http://127.0.0.1:\(server.port)/a"))
        guard case .answered(let answer) = ending else {
            Issue.record("\(ending)")
            return
        }
        #expect(answer.status == 307)
        #expect(other.received.isEmpty)
    }

    /// What is written to a connection that the other end has just closed may have been read: it is not sent again.
    @Test func requestOnClosedConnectionIsNotSentTwice() async throws {
        let requests = Mutex(0)
        let server = try await RawServer { connection, event in
            guard case .received(let bytes) = event, isWholeRequest(bytes, bodyCount: Self.body.count) else { return }
            requests.withLock { $0 += 1 }
            connection.send(Self.answer)
            connection.close()
        }
        let client = Self.client()
        for round in 1...50 {
            let ending = await client.exchange(Self.request("http://127.0.0.1:\(server.port)/a"))
            let isAnswered = if case .answered = ending { true } else { false }
            #expect(isAnswered || ending.unknownOutcome != nil || ending.notSentWord != nil)
            #expect(requests.withLock { $0 } <= round)
        }
        await client.shutdown()
    }

    @Test func endingsShowNothingOfTheExchange() async throws {
        let server = try await Self.answering()
        let request = Self.request("http://127.0.0.1:\(server.port)/a")
        let ending = await Self.exchange(request)
        #expect(!"\(ending)".contains("result"))
        var dumped = ""
        dump(request, to: &dumped)
        dump(ending, to: &dumped)
        #expect(!dumped.contains("s3cret") && !dumped.contains("apiOperation") && !dumped.contains("result"))
        // Its connections change while somebody looks.
        #expect(Mirror(reflecting: UpstreamClient()).children.isEmpty)
    }
}

extension UpstreamEnding {
    var notSentWord: String? {
        if case .notSent(let word) = self { word } else { nil }
    }

    var unknownOutcome: UnknownOutcome? {
        if case .unknown(let outcome) = self { outcome } else { nil }
    }
}
