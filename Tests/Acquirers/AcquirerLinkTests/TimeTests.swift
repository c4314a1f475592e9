//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import SimulatorAcquirer
import StrictJSON
import Synchronization
import Testing

@testable import AcquirerLink

/// How long a call may take goes over the link, and what an older end does not know is not said to it.
@Suite(.timeLimit(.minutes(1))) struct TimeTests {
    /// Notes what each call may take, and takes no token.
    private final class Noting: Acquirer {
        let name: AcquirerName
        let capabilities: AcquirerCapabilities
        private let given = Mutex<[Int64?]>([])

        var milliseconds: [Int64?] { self.given.withLock { $0 } }

        init() throws {
            let description = try Bench.description()
            (self.name, self.capabilities) = (description.name, description.capabilities)
        }

        private func note() { self.given.withLock { $0.append(AcquirerCallTime.milliseconds) } }

        func prepare(_ request: AcquirerRequest) async -> AcquirerPreparation {
            self.note()
            return .notProcessed(NotProcessed(.tokenRefused, "error_2702"))
        }

        func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
            self.note()
            return .notProcessed(NotProcessed(.tokenRefused, "error_2702"))
        }

        func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome {
            self.note()
            return .notFound
        }
    }

    let bench: Bench
    private let acquirer: Noting

    init() throws {
        self.bench = try Bench()
        self.acquirer = try Noting()
    }

    private func withServer(_ body: (Int) async throws -> Void) async throws {
        let server = self.bench.server(self.acquirer)
        let port = try await server.listen(host: "127.0.0.1", port: 0)
        try await body(port)
        await server.stop()
    }

    private static func refused(_ request: LinkRequest, _ reason: NotProcessedReason, _ word: String) -> LinkOutcome {
        let not = NotProcessed(reason, word)
        return request.call == .prepare ? .preparation(.notProcessed(not)) : .operation(.notProcessed(not))
    }

    // MARK: - Both ends know it

    @Test func connectorAtTheFarEndKnowsHowLongItMayTake() async throws {
        try await self.withServer { port in
            let client = try self.bench.client(port: port)
            for request in [Bench.authorization(), Bench.preparation(2)] {
                let outcome = await AcquirerCallTime.limited(to: 12_000) { await client.make(request) }
                #expect(outcome == Self.refused(request, .tokenRefused, "error_2702"))
            }
            _ = await client.make(Bench.authorization(3))
            client.close()
        }
        #expect(self.acquirer.milliseconds == [12_000, 12_000, nil])
    }

    /// What a call waits until there is a connection is its own time.
    @Test func whatIsLeftIsWhatIsLeftWhenItIsSent() async throws {
        let (greeted, goesOn) = (Signal(), Signal())
        let said = Mutex<[LinkTime]>([])
        let peer = try await RawPeer { [bench] connection, wire in
            if connection == 1 {
                greeted.happen()
                await goesOn.wait()
            }
            try await wire.welcome(bench.secret, revision: 1)
            for _ in 1...2 {
                var reader = try LinkFrame.decode(try await wire.body())
                #expect(try reader.text("type") == "time")
                let time = try LinkTime(after: reader)
                said.withLock { $0.append(time) }
                let (number, request) = try await wire.request()
                #expect(number == time.number)
                try await wire.answer(number, request, request.approved())
            }
            _ = await wire.isEnded()
        }
        let client = try self.bench.client(port: peer.port)
        let (first, second) = (Bench.authorization(1), Bench.authorization(2))
        async let outcome = AcquirerCallTime.limited(to: 12_000) { await client.make(first) }
        await greeted.wait()
        self.bench.time.advance(milliseconds: 3000)
        goesOn.happen()
        #expect(await outcome == first.approved())
        #expect(await AcquirerCallTime.limited(to: 5000) { await client.make(second) } == second.approved())
        #expect(said.withLock { $0.map(\.milliseconds) } == [9000, 5000])
        client.close()
        peer.close()
    }

    @Test func nothingIsPassedOnWhenNothingIsLeft() async throws {
        try await self.withServer { port in
            try await connect(port: port) { wire in
                try await wire.greet(self.bench.secret, revision: 1)
                for (index, request) in [Bench.authorization(), Bench.preparation(2), Bench.query(3)].enumerated() {
                    let number = UInt64(index + 1)
                    try await wire.send(LinkTime(number: number, milliseconds: 0).json)
                    try await wire.send(request.json(number: number))
                    let answer = try LinkAnswer(try await wire.body())
                    let expected: LinkOutcome =
                        request.call == .query
                        ? .query(.unknown(.timedOut("no_time_left")))
                        : Self.refused(request, .notSent, "no_time_left")
                    #expect(answer.number == number && answer.outcome == expected)
                }
            }
        }
        #expect(self.acquirer.milliseconds.isEmpty)
    }

    static let broken: [[JSON]] = [
        [LinkTime(number: 2, milliseconds: 1000).json, Bench.authorization().json(number: 1)],
        [LinkTime(number: 1, milliseconds: 1000).json, LinkTime(number: 1, milliseconds: 1000).json],
        [["type": "time", "number": 1, "milliseconds": -1]],
        [["type": "time", "number": 1, "milliseconds": 86_400_001]],
        [["type": "time", "number": 1]],
        [["type": "time", "number": 1, "milliseconds": 1, "seconds": 1]],
    ]

    @Test(arguments: broken.indices) func whatIsNoTimeEndsTheConnection(_ index: Int) async throws {
        try await self.withServer { port in
            try await connect(port: port) { wire in
                try await wire.greet(self.bench.secret, revision: 1)
                for message in Self.broken[index] { try await wire.send(message) }
                #expect(await wire.isEnded())
            }
        }
        #expect(self.acquirer.milliseconds.isEmpty)
    }

    // MARK: - One end is older

    @Test func olderServerIsSentTheRequestAlone() async throws {
        let peer = try await RawPeer { [bench] _, wire in
            try await wire.welcome(bench.secret)
            try await wire.approveAll()
        }
        let client = try self.bench.client(port: peer.port)
        let request = Bench.authorization()
        #expect(await AcquirerCallTime.limited(to: 12_000) { await client.make(request) } == request.approved())
        #expect(peer.connectionsCount == 1)
        client.close()
        peer.close()
    }

    /// It would take a reason that it does not know for garbage, and end all of its calls.
    @Test(arguments: [(UInt8(0), NotProcessedReason.requestRefused), (1, .tokenRefused), (9, .tokenRefused)])
    func olderClientHearsAReasonThatItKnows(_ revision: UInt8, _ reason: NotProcessedReason) async throws {
        try await self.withServer { port in
            try await connect(port: port) { wire in
                try await wire.greet(self.bench.secret, revision: revision)
                for (number, request) in [Bench.authorization(), Bench.preparation(2)].enumerated() {
                    try await wire.send(request.json(number: UInt64(number + 1)))
                    let answer = try LinkAnswer(try await wire.body())
                    #expect(answer.outcome == Self.refused(request, reason, "error_2702"))
                }
            }
        }
    }

    @Test func revisionIsTheOneThatBothSpeak() {
        let random: (Int) -> [UInt8] = { [UInt8](repeating: 5, count: $0) }
        let own = LinkHandshake.nonce(random)
        #expect(own.count == LinkHandshake.nonceBytesCount && own.prefix(24) == random(24)[...])
        #expect(LinkHandshake.revision(with: own) == LinkHandshake.revision)
        #expect(LinkHandshake.revision(with: LinkHandshake.nonce(random, revision: 200)) == LinkHandshake.revision)
        #expect(LinkHandshake.revision(with: random(32)) == 0 && LinkHandshake.revision(with: []) == 0)
        var other = own
        other[24] ^= 1
        #expect(LinkHandshake.revision(with: other) == 0)
    }

    /// Somebody on the way could have both ends believe that the other is older; the proofs are over both nonces.
    @Test func revisionThatIsTakenOutOnTheWayIsRefused() throws {
        let random: (Int) -> [UInt8] = { [UInt8](repeating: 5, count: $0) }
        let nonces = LinkHandshake.Nonces(client: LinkHandshake.nonce(random), server: LinkHandshake.nonce(random))
        let challenge = LinkHandshake.challenge(nonces, try Bench.offer(), self.bench.secret)
        var object = try #require(challenge.object)
        object["nonce"] = .string(String(repeating: "05", count: 32))
        #expect(throws: LinkViolation("wrong_proof")) {
            try LinkHandshake.answer(JSON.object(object).serialized(), nonce: nonces.client, self.bench.secret)
        }
        let read = try LinkHandshake.answer(challenge.serialized(), nonce: nonces.client, self.bench.secret)
        #expect(read.revision == LinkHandshake.revision)
    }
}
