//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Redaction
import Testing

@testable import AcquirerLink

/// What a failing link means for the calls: which were never sent and so not processed, and which may have been booked.
@Suite struct FailureTests {
    let bench: Bench

    init() throws {
        self.bench = try Bench()
    }

    /// A server that shakes hands, takes one request and answers nothing.
    private func silentPeer(_ asked: Signal) async throws -> RawPeer {
        let secret = self.bench.secret
        return try await RawPeer { _, wire in
            try await wire.welcome(secret)
            _ = try await wire.request()
            asked.happen()
            _ = await wire.isEnded()
        }
    }

    @Test(arguments: LinkFailure.allCases) func everyFailureHasItsOutcome(_ failure: LinkFailure) {
        for request in Bench.requests() {
            let found: LinkOutcome =
                switch request.call {
                case .query: .query(failure.queryOutcome)
                case .prepare: .preparation(failure.preparation)
                default: .operation(failure.outcome)
                }
            #expect(found == request.ended(failure))
        }
    }

    // MARK: - The client is closed

    /// What was sent may have been booked, whoever closed the connection.
    @Test func callThatWasSentIsUnknownWhenTheClientIsClosed() async throws {
        for request in Bench.requests() {
            let asked = Signal()
            let peer = try await self.silentPeer(asked)
            let client = try self.bench.client(port: peer.port)
            async let outcome = client.make(request)
            await asked.wait()
            client.close()
            #expect(await outcome == request.ended(.connectionLost))
            #expect(peer.connectionsCount == 1)
            peer.close()
        }
    }

    @Test func callThatWasNotSentYetIsNotProcessedWhenTheClientIsClosed() async throws {
        for request in Bench.requests() {
            let greeted = Signal()
            let peer = try await RawPeer { _, wire in
                _ = try await wire.body()
                greeted.happen()
                #expect(await wire.isEnded(), "nothing follows the greeting")
            }
            let client = try self.bench.client(port: peer.port)
            async let outcome = client.make(request)
            await greeted.wait()
            client.close()
            #expect(await outcome == request.ended(.closed))
            peer.close()
        }
    }

    @Test func closedClientAnswersAtOnce() async throws {
        let asked = Signal()
        let peer = try await self.silentPeer(asked)
        let client = try self.bench.client(port: peer.port)
        let request = Bench.authorization(1)
        async let outcome = client.make(request)
        await asked.wait()
        client.close()
        #expect(await outcome == request.ended(.connectionLost))
        for request in Bench.requests() { #expect(await client.make(request) == request.ended(.closed)) }
        #expect(peer.connectionsCount == 1)
        peer.close()
    }

    // MARK: - The client does not send it

    @Test func tooManyCallsAreRefusedUnsent() async throws {
        var settings = Bench.settings
        settings.callsMax = 1
        let asked = Signal()
        let peer = try await self.silentPeer(asked)
        let client = try self.bench.client(port: peer.port, settings: settings)
        let request = Bench.authorization(1)
        async let outcome = client.make(request)
        await asked.wait()
        for request in Bench.requests() { #expect(await client.make(request) == request.ended(.busy)) }
        client.close()
        #expect(await outcome == request.ended(.connectionLost))
        peer.close()
    }

    @Test func requestThatFitsNoFrameIsNotSent() async throws {
        let peer = try await self.silentPeer(Signal())
        let client = try self.bench.client(port: peer.port)
        let sealed = PaymentInstrument.sealedApplePayToken(
            SealedApplePayToken(paymentData: .init([UInt8](repeating: 0x20, count: LinkFrame.bytesMax))))
        let request = Bench.authorization(1, 10_00, with: sealed)
        #expect(await client.make(request) == request.ended(.requestTooLarge))
        #expect(peer.connectionsCount == 0)
        client.close()
        peer.close()
    }
}
