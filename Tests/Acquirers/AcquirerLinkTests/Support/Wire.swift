//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import NIOCore
import NIOPosix
import Payments
import StrictJSON

@testable import AcquirerLink

/// One end of a connection in a test's own hands: bytes, and the link's messages where the test wants them right.
struct Wire {
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var bytes: [UInt8] = []

    init(
        _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
        self.inbound = inbound.makeAsyncIterator()
        self.outbound = outbound
    }

    /// The other end has closed before so much had come.
    struct Ended: Error {}

    mutating func read(_ count: Int) async throws -> [UInt8] {
        while self.bytes.count < count {
            guard let more = try await self.inbound.next() else { throw Ended() }
            self.bytes += Array(more.readableBytesView)
        }
        defer { self.bytes.removeFirst(count) }
        return Array(self.bytes.prefix(count))
    }

    /// Reads until the other end closes.
    /// - Returns: whether nothing came before it did.
    mutating func isEnded() async -> Bool {
        let isEmpty = self.bytes.isEmpty
        var hasMore = false
        while let more = try? await self.inbound.next() { if more.readableBytes > 0 { hasMore = true } }
        return isEmpty && !hasMore
    }

    func send(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        try await self.outbound.write(ByteBuffer(bytes: bytes))
    }

    // MARK: - Messages

    static func frame(_ body: some Sequence<UInt8>) -> [UInt8] {
        let body = Array(body)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: UInt32(body.count) >> $0) } + body
    }

    mutating func body() async throws -> [UInt8] {
        let length = try await self.read(4).reduce(0) { $0 << 8 | Int($1) }
        return try await self.read(length)
    }

    func send(_ message: JSON) async throws { try await self.send(Self.frame(message.serialized())) }

    /// As a server: everything up to `ready`.
    mutating func welcome(
        _ secret: AcquirerLinkSecret, book: AcquirerBookID? = nil, isSignedOff: Bool = false, revision: UInt8 = 0
    ) async throws {
        let client = try LinkHandshake.readHello(try await self.body())
        let nonces = LinkHandshake.Nonces(client: client, server: Self.nonce(7, revision))
        let offer = try Bench.offer(book)
        try await self.send(LinkHandshake.challenge(nonces, offer, secret))
        try LinkHandshake.checkProof(try await self.body(), nonces, offer, secret)
        try await self.send(LinkHandshake.ready(LinkSignOn(isSignedOff: isSignedOff)))
    }

    /// Of an end that knows so much of the language; one without a revision has random bytes alone.
    private static func nonce(_ byte: UInt8, _ revision: UInt8) -> [UInt8] {
        revision == 0
            ? [UInt8](repeating: byte, count: LinkHandshake.nonceBytesCount)
            : LinkHandshake.nonce({ [UInt8](repeating: byte, count: $0) }, revision: revision)
    }

    /// As a client: everything up to `ready`.
    @discardableResult
    mutating func greet(_ secret: AcquirerLinkSecret, revision: UInt8 = 0) async throws -> LinkSignOn {
        let nonce = Self.nonce(9, revision)
        try await self.send(LinkHandshake.hello(nonce))
        let (_, proof, _) = try LinkHandshake.answer(try await self.body(), nonce: nonce, secret)
        try await self.send(proof)
        return try LinkHandshake.readReady(try await self.body())
    }

    mutating func request() async throws -> (number: UInt64, request: LinkRequest) {
        try LinkRequest.read(try await self.body())
    }

    func answer(_ number: UInt64, _ request: LinkRequest, _ outcome: LinkOutcome) async throws {
        try await self.send(
            LinkAnswer(number: number, call: request.call, operationID: request.operationID, outcome: outcome).json)
    }

    /// As a server: approves whatever comes, until the other end closes.
    mutating func approveAll() async throws {
        while true {
            let (number, request) = try await self.request()
            try await self.answer(number, request, request.approved())
        }
    }
}
