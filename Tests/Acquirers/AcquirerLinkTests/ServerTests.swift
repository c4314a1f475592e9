//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Redaction
import SimulatorAcquirer
import StrictJSON
import Synchronization
import Testing

@testable import AcquirerLink

/// What a server makes of clients that say the wrong thing, and that it goes on for the others.
@Suite struct ServerTests {
    let bench: Bench
    let simulator: SimulatorAcquirer

    init() throws {
        self.bench = try Bench()
        self.simulator = SimulatorAcquirer(book: try .inMemory())
    }

    private func withServer(
        _ acquirer: (any Acquirer)? = nil, settings: AcquirerLinkSettings = Bench.settings,
        _ body: (Int) async throws -> Void
    ) async throws {
        let server = self.bench.server(acquirer ?? self.simulator, settings: settings)
        let port = try await server.listen(host: "127.0.0.1", port: 0)
        try await body(port)
        await server.stop()
    }

    private func expectServes(_ port: Int, _ number: Int = 99) async throws {
        let client = try self.bench.client(port: port)
        let outcome = await client.make(.authorize(try Bench.authorization(number)))
        guard case .operation(.approved) = outcome else {
            Issue.record("a good client is not served")
            return
        }
        client.close()
    }

    // MARK: - Untrusted connections

    @Test(arguments: [
        Array("GET / HTTP/1.1\r\n\r\n".utf8), [0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], Wire.frame("{}".utf8),
        Wire.frame("not JSON".utf8), Wire.frame(String(repeating: "[", count: 60_000).utf8),
        Wire.frame(LinkHandshake.ready.serialized()),
        Wire.frame("{\"type\":\"hello\",\"version\":2,\"nonce\":\"00\"}".utf8),
        Wire.frame(LinkHandshake.hello([1, 2, 3]).serialized()),
        Wire.frame(LinkRequest.query(Bench.query(1)).json(number: 1).serialized()),
    ])
    func strangerGetsNothing(_ bytes: [UInt8]) async throws {
        try await self.withServer { port in
            try await connect(port: port) { wire in
                try await wire.send(bytes)
                #expect(await wire.isEnded())
            }
            try await self.expectServes(port)
        }
    }

    @Test func clientWithoutTheSecretIsNotServed() async throws {
        let request = Wire.frame(LinkRequest.authorize(try Bench.authorization()).json(number: 1).serialized())
        try await self.withServer { port in
            for proof in [[UInt8](repeating: 0, count: 32), []] {
                try await connect(port: port) { wire in
                    try await wire.send(LinkHandshake.hello([UInt8](repeating: 9, count: 32)))
                    _ = try await wire.body()
                    let hex = proof.map { $0 == 0 ? "00" : "" }.joined()
                    try await wire.send(["type": "proof", "proof": .string(hex)])
                    // It may have been cut off by now.
                    try? await wire.send(request)
                    #expect(await wire.isEnded())
                }
            }
            try await self.expectServes(port)
        }
        #expect(try await self.simulator.book.entries().map(\.operationID) == [Bench.id(99)])
    }

    /// The server's own proof, sent back to it.
    @Test func proofThatIsPlayedBackIsRefused() async throws {
        try await self.withServer { port in
            try await connect(port: port) { wire in
                try await wire.send(LinkHandshake.hello([UInt8](repeating: 9, count: 32)))
                let challenge = try JSON.parse(try await wire.body())
                let proof = try #require(challenge["proof"]?.string)
                try await wire.send(["type": "proof", "proof": .string(proof)])
                #expect(await wire.isEnded())
            }
        }
    }

    @Test func silentStrangerIsCutOff() async throws {
        try await self.withServer { port in
            try await connect(port: port) { wire in
                await self.bench.time.pass(5000)
                #expect(await wire.isEnded())
            }
            try await self.expectServes(port)
        }
    }

    @Test func noMoreConnectionsAreKeptThanAllowed() async throws {
        var settings = Bench.settings
        settings.connectionsMax = 1
        try await self.withServer(settings: settings) { port in
            try await connect(port: port) { wire in
                try await wire.greet(self.bench.secret)
                try await connect(port: port) { #expect(await $0.isEnded()) }
            }
        }
    }

    // MARK: - Clients

    @Test func requestThatIsCutAtAnyByteIsNotPassedOn() async throws {
        let frame = Wire.frame(LinkRequest.capture(try Bench.followUp(2, of: 1, 10_00)).json(number: 1).serialized())
        let counting = CountingAcquirer(self.simulator)
        try await self.withServer(counting) { port in
            for count in 0..<frame.count {
                try await connect(port: port) { wire in
                    try await wire.greet(self.bench.secret)
                    try await wire.send(Array(frame.prefix(count)))
                }
            }
            #expect(counting.callsCount == 0)
            try await self.expectServes(port)
        }
        #expect(counting.callsCount == 1)
    }

    @Test func requestThatArrivesTwiceIsBookedOnceAndAnsweredAlike() async throws {
        let frame = Wire.frame(LinkRequest.authorize(try Bench.authorization()).json(number: 1).serialized())
        try await self.withServer { port in
            try await connect(port: port) { wire in
                try await wire.greet(self.bench.secret)
                try await wire.send(frame + frame)
                let first = try LinkAnswer(try await wire.body())
                let second = try LinkAnswer(try await wire.body())
                #expect(first == second)
            }
        }
        let entries = try await self.simulator.book.entries()
        #expect(entries.map(\.arrivalsCount) == [2])
    }

    @Test func answerIsLostWithTheConnectionButTheCallIsCarriedOn() async throws {
        let arrived = Signal()
        let goOn = Signal()
        let booked = Signal()
        let script = SimulatorScript([
            .init(
                .authorize,
                beforeBooking: {
                    arrived.happen()
                    await goOn.wait()
                }, beforeAnswer: { booked.happen() })
        ])
        let simulator = SimulatorAcquirer(book: try .inMemory(), script: script)
        let request = LinkRequest.authorize(try Bench.authorization())
        try await self.withServer(simulator) { port in
            try await connect(port: port) { wire in
                try await wire.greet(self.bench.secret)
                try await wire.send(request.json(number: 1))
                await arrived.wait()
            }
            goOn.happen()
            await booked.wait()
        }
        #expect(try await simulator.book.entries().map(\.state) == [.approved])
    }

    @Test(arguments: [
        "{}", "[]", "{\"type\":\"request\"}", "{\"type\":\"request\",\"number\":1,\"call\":\"steal\",\"request\":{}}",
        "{\"type\":\"request\",\"number\":1,\"call\":\"query\",\"request\":{}}",
        "{\"type\":\"request\",\"number\":1,\"number\":1}", "{\"type\":\"ready\"}",
    ])
    func clientThatSpeaksAnotherLanguageIsCutOff(_ text: String) async throws {
        try await self.withServer { port in
            try await connect(port: port) { wire in
                try await wire.greet(self.bench.secret)
                try await wire.send(Wire.frame(text.utf8))
                #expect(await wire.isEnded())
            }
            try await self.expectServes(port)
        }
    }

    @Test func moreCallsThanAllowedAreAnsweredBusyAndNotPassedOn() async throws {
        var settings = Bench.settings
        settings.callsMax = 1
        let arrived = Signal()
        let goOn = Signal()
        let script = SimulatorScript([
            .init(
                .authorize, .nth(1),
                beforeBooking: {
                    arrived.happen()
                    await goOn.wait()
                })
        ])
        let simulator = SimulatorAcquirer(book: try .inMemory(), script: script)
        try await self.withServer(simulator, settings: settings) { port in
            try await connect(port: port) { wire in
                try await wire.greet(self.bench.secret)
                try await wire.send(LinkRequest.authorize(try Bench.authorization(1)).json(number: 1))
                await arrived.wait()
                try await wire.send(LinkRequest.authorize(try Bench.authorization(2)).json(number: 2))
                let busy = try LinkAnswer(try await wire.body())
                #expect(busy.number == 2 && busy.outcome == .operation(.unknown("acquirer_busy")))
                try await wire.send(LinkRequest.query(Bench.query(1)).json(number: 3))
                #expect(try LinkAnswer(try await wire.body()).outcome == .query(.unknown("acquirer_busy")))
                goOn.happen()
                #expect(try LinkAnswer(try await wire.body()).number == 1)
            }
        }
        #expect(try await simulator.book.entries().count == 1)
    }

    @Test func stoppedServerEndsItsConnections() async throws {
        let server = self.bench.server(self.simulator)
        let port = try await server.listen(host: "127.0.0.1", port: 0)
        try await connect(port: port) { wire in
            try await wire.greet(self.bench.secret)
            await server.stop()
            #expect(await wire.isEnded())
        }
    }
}

/// Counts what is passed on.
final class CountingAcquirer: Acquirer {
    private let base: any Acquirer
    private let made = Mutex<[LinkRequest]>([])

    init(_ base: any Acquirer) {
        self.base = base
    }

    var name: AcquirerName { self.base.name }
    var capabilities: AcquirerCapabilities { self.base.capabilities }
    var calls: [LinkRequest] { self.made.withLock { $0 } }
    var callsCount: Int { self.calls.count }

    private func note(_ request: LinkRequest) { self.made.withLock { $0.append(request) } }

    func authorize(_ request: AcquirerAuthorization) async -> AcquirerOutcome {
        self.note(.authorize(request))
        return await self.base.authorize(request)
    }

    func verify(_ request: AcquirerAuthorization) async -> AcquirerOutcome {
        self.note(.verify(request))
        return await self.base.verify(request)
    }

    func capture(_ request: AcquirerFollowUp) async -> AcquirerOutcome {
        self.note(.capture(request))
        return await self.base.capture(request)
    }

    func refund(_ request: AcquirerFollowUp) async -> AcquirerOutcome {
        self.note(.refund(request))
        return await self.base.refund(request)
    }

    func adjust(_ request: AcquirerFollowUp) async -> AcquirerOutcome {
        self.note(.adjust(request))
        return await self.base.adjust(request)
    }

    func reverse(_ request: AcquirerReversal) async -> AcquirerOutcome {
        self.note(.reverse(request))
        return await self.base.reverse(request)
    }

    func query(_ request: AcquirerQuery) async -> AcquirerQueryOutcome {
        self.note(.query(request))
        return await self.base.query(request)
    }
}
