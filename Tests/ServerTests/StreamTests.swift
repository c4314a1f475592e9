//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import DialectKit
import Dispatch
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Server

/// Answers that are made while they are sent, over real sockets.
@Suite(.serialized) struct StreamTests {
    /// What became of a stream.
    private final class Witness: Sendable {
        let drawn = Atomic<Int>(0)
        let ended = Signal()
        let stopped = Signal()
    }

    private static func dialect(_ stream: @escaping @Sendable () -> WireStream) -> TestDialect {
        var dialect = TestDialect()
        dialect.stream = stream
        return dialect
    }

    @Test func partsComeOneAfterTheOtherAndEnd() async throws {
        let witness = Witness()
        let dialect = Self.dialect {
            WireStream(
                next: {
                    let number = witness.drawn.wrappingAdd(1, ordering: .relaxed).newValue
                    return number <= 3 ? Array("part \(number);".utf8) : nil
                }, end: { witness.ended.send() })
        }
        try await ServerFixture(dialect: dialect).run { url in
            let answer = try await HTTPClient.shared.send("GET", "\(url)/test/stream")
            #expect(answer.text == "part 1;part 2;part 3;")
            #expect(answer.headers["transfer-encoding"] == "chunked")
            #expect(answer.headers["content-length"] == nil)
            await witness.ended.wait()
        }
    }

    /// A file of any length costs a part at a time: what a client does not take is not made.
    @Test func clientThatDoesNotReadHoldsTheStreamBack() async throws {
        let witness = Witness()
        let dialect = Self.dialect {
            WireStream(
                next: {
                    witness.drawn.wrappingAdd(1, ordering: .relaxed)
                    return Array(repeating: 0x61, count: 64 * 1024)
                }, end: { witness.ended.send() })
        }
        var limits = ServerLimits()
        limits.sendTimeoutMilliseconds = 500
        try await ServerFixture(dialect: dialect, limits: limits).run { url in
            let client = try await RawClient.connect(url, reads: false)
            try await client.send("GET /test/stream HTTP/1.1\r\nHost: a\r\n\r\n")
            // Until the server has had enough of a client that takes nothing.
            await witness.ended.wait()
            // What the sockets' buffers hold, and no more: the stream itself has no end.
            #expect(witness.drawn.load(ordering: .relaxed) < 1000)
            try? await client.close()
        }
    }

    /// Hands parts on to an event loop, as a connection's writer does, and does not wait for it.
    private struct Writer: ResponseBodyWriter {
        let written: Signal

        func write(_ buffer: ByteBuffer) async throws { self.written.send() }
        func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    /// As long as the event loop is busy it says of no client that it takes nothing.
    @Test func streamWaitsForABusyEventLoop() async throws {
        let (witness, written, release) = (Witness(), Signal(), DispatchSemaphore(value: 0))
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        group.next().execute { release.wait() }
        let stream = WireStream(
            next: {
                let number = witness.drawn.wrappingAdd(1, ordering: .relaxed).newValue
                return number <= 3 ? Array("part \(number);".utf8) : nil
            }, end: { witness.ended.send() })
        let body = ResponseBody(stream: stream, on: group.next())
        let writing = Task { try await body.write(Writer(written: written)) }
        await written.wait()
        for _ in 0..<1000 { await Task.yield() }
        #expect(witness.drawn.load(ordering: .relaxed) == 1)
        release.signal()
        try await writing.value
        await witness.ended.wait()
        #expect(witness.drawn.load(ordering: .relaxed) == 4)
        try await group.shutdownGracefully()
    }

    @Test func clientThatLeavesEndsTheStream() async throws {
        let witness = Witness()
        let dialect = Self.dialect {
            WireStream(
                next: {
                    witness.drawn.wrappingAdd(1, ordering: .relaxed)
                    return Array("data\n\n".utf8)
                }, end: { witness.ended.send() })
        }
        try await ServerFixture(dialect: dialect).run { url in
            let client = try await RawClient.connect(url)
            try await client.send("GET /test/stream HTTP/1.1\r\nHost: a\r\n\r\n")
            try await client.close()
            await witness.ended.wait()
        }
    }

    /// Whoever waits for events is stopped, so that the server can.
    @Test func drainStopsStreamsThatWait() async throws {
        let witness = Witness()
        let dialect = Self.dialect {
            WireStream(
                next: {
                    guard witness.drawn.wrappingAdd(1, ordering: .relaxed).newValue > 1 else {
                        return Array("first".utf8)
                    }
                    await witness.stopped.wait()
                    return nil
                }, stop: { witness.stopped.send() }, end: { witness.ended.send() })
        }
        let fixture = ServerFixture(dialect: dialect)
        let reading = try await fixture.run { url in
            let client = try await RawClient.connect(url)
            try await client.send("GET /test/stream HTTP/1.1\r\nHost: a\r\n\r\n")
            while witness.drawn.load(ordering: .relaxed) < 2 { await Task.yield() }
            return Task { try await client.untilClosed() }
        }
        await witness.ended.wait()
        #expect(try await reading.value.hasSuffix("0\r\n\r\n"))
    }

    /// Without the last chunk a client knows that something is missing (RFC 9112, section 7.1).
    @Test func streamThatFailsEndsWithoutItsEnd() async throws {
        struct Gone: Error {}
        let witness = Witness()
        let dialect = Self.dialect {
            WireStream(
                next: {
                    guard witness.drawn.wrappingAdd(1, ordering: .relaxed).newValue == 1 else { throw Gone() }
                    return Array("first".utf8)
                }, end: { witness.ended.send() })
        }
        try await ServerFixture(dialect: dialect).run { url in
            let client = try await RawClient.connect(url)
            try await client.send("GET /test/stream HTTP/1.1\r\nHost: a\r\n\r\n")
            let text = try await client.untilClosed()
            #expect(text.contains("first"))
            #expect(!text.hasSuffix("0\r\n\r\n"))
            await witness.ended.wait()
        }
    }
}
