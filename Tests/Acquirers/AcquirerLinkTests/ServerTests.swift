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
        let outcome = await client.make(Bench.authorization(number))
        guard case .operation(.approved) = outcome else {
            Issue.record("a good client is not served")
            return
        }
        client.close()
    }

    // MARK: - Untrusted connections

    /// A good greeting, but for its version.
    private static func hello(version: Int64) -> [UInt8] {
        var object = LinkHandshake.hello([UInt8](repeating: 9, count: 32)).object ?? JSONObject()
        object["version"] = JSON(version)
        return Wire.frame(JSON.object(object).serialized())
    }

    @Test(arguments: [
        Array("GET / HTTP/1.1\r\n\r\n".utf8), [0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], Wire.frame("{}".utf8),
        Wire.frame("not JSON".utf8), Wire.frame(String(repeating: "[", count: 60_000).utf8),
        Wire.frame(LinkHandshake.ready(LinkSignOn(isSignedOff: false)).serialized()),
        ServerTests.hello(version: LinkHandshake.version - 1),
        ServerTests.hello(version: LinkHandshake.version + 1),
        Wire.frame(LinkHandshake.hello([1, 2, 3]).serialized()),
        Wire.frame(Bench.query(1).json(number: 1).serialized()),
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
        let request = Wire.frame(Bench.authorization().json(number: 1).serialized())
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

    /// The acquirer is asked for what the gateway asks for, by the same name.
    @Test func everyCallIsPassedOnAsItself() async throws {
        let requests = Bench.requests()
        #expect(Set(requests.map(\.call)) == Set(LinkCall.allCases))
        let counting = CountingAcquirer(self.simulator)
        try await self.withServer(counting) { port in
            let client = try self.bench.client(port: port)
            for request in requests { _ = await client.make(request) }
            client.close()
        }
        #expect(counting.calls.map(\.call) == requests.map(\.call))
        #expect(counting.calls.map { $0.json(number: 1) } == requests.map { $0.json(number: 1) })
    }

    /// Both take an authorization back, and mean two things by it.
    @Test func voidAndReversalAreTwoCalls() async throws {
        try await self.withServer { port in
            let client = try self.bench.client(port: port)
            for request in [
                Bench.authorization(1), Bench.authorization(2), Bench.void(3, of: 1), Bench.reversal(4, of: 2),
            ] {
                guard case .operation(.approved) = await client.make(request) else {
                    Issue.record("\(request.call) is not approved")
                    continue
                }
            }
            client.close()
        }
        let entries = try await self.simulator.book.entries()
        #expect(entries.first { $0.operationID == Bench.id(1) }?.state == .voided)
        #expect(entries.first { $0.operationID == Bench.id(2) }?.state == .reversed)
    }

    @Test func requestThatIsCutAtAnyByteIsNotPassedOn() async throws {
        let frame = Wire.frame(Bench.capture(2, of: 1).json(number: 1).serialized())
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
        let frame = Wire.frame(Bench.authorization().json(number: 1).serialized())
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
        let request = Bench.authorization()
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
                try await wire.send(Bench.authorization(1).json(number: 1))
                await arrived.wait()
                let second = Bench.authorization(2)
                try await wire.send(second.json(number: 2))
                let busy = try LinkAnswer(try await wire.body())
                #expect(busy.number == 2 && busy.outcome == second.ended(.busy))
                let query = Bench.query(1)
                try await wire.send(query.json(number: 3))
                #expect(try LinkAnswer(try await wire.body()).outcome == query.ended(.busy))
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

    func prepare(_ request: AcquirerRequest) async -> AcquirerPreparation {
        self.note(.prepare(request))
        return await self.base.prepare(request)
    }

    func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
        self.note(.perform(request))
        return await self.base.perform(request)
    }

    func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome {
        self.note(.query(query))
        return await self.base.query(query)
    }
}
