//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Redaction
import SimulatorAcquirer
import StrictJSON
import TestProcesses
import Testing

@testable import AcquirerLink

/// Connections that can't be made, are refused, and come back.
@Suite struct ConnectionTests {
    let bench: Bench

    init() throws {
        self.bench = try Bench()
    }

    // MARK: - Down

    @Test func nobodyThereIsUnreachableForEveryCall() async throws {
        // It is given to nobody; one that was given back may be another test's by now.
        let client = try self.bench.client(port: 1)
        for request in Bench.requests() {
            #expect(await client.make(request) == request.ended(.unreachable))
        }
        #expect(client.state == .unreachable)
        #expect(!self.bench.log.all.contains { $0.hasPrefix("warning") })
        client.close()
    }

    @Test func connectsBeforeTheFirstCallWhenAsked() async throws {
        let server = self.bench.server(SimulatorAcquirer(book: try .inMemory()))
        let port = try await server.listen(host: "127.0.0.1", port: 0)
        let client = try self.bench.client(port: port)
        #expect(client.state == .connecting)
        client.beginToConnect()
        client.beginToConnect()
        // A call goes over the connection that was begun.
        guard case .operation(.approved) = await client.make(Bench.authorization()) else {
            Issue.record("the call is approved")
            return
        }
        #expect(client.state == .connected)
        client.close()
        client.beginToConnect()
        #expect(client.state == .connecting)
        await server.stop()
    }

    @Test func serverThatStartsAgainIsFoundAgain() async throws {
        let simulator = SimulatorAcquirer(book: try .inMemory())
        var server = self.bench.server(simulator)
        let port = try await server.listen(host: "127.0.0.1", port: try FreePort.find())
        let client = try self.bench.client(port: port)
        for number in 1...3 {
            let request = Bench.authorization(number)
            guard case .operation(.approved(let approval)) = await client.make(request) else {
                Issue.record("not approved")
                return
            }
            #expect(approval.amount == Bench.money(10_00))
            await server.stop()
            // Whether the client knows yet that the connection is over, nothing is approved.
            let lost = Bench.authorization(number + 100)
            let outcome = await client.make(lost)
            #expect([lost.ended(.connectionLost), lost.ended(.unreachable)].contains(outcome))
            server = self.bench.server(simulator)
            #expect(try await server.listen(host: "127.0.0.1", port: port) == port)
            self.bench.time.advance(milliseconds: 2000)
        }
        #expect(try await simulator.book.entries().count == 3)
        client.close()
        await server.stop()
    }

    /// A server that takes connections and closes them: it is left alone for a while, and calls are answered at once.
    @Test func failedAttemptsAreFewAndFartherApart() async throws {
        let peer = try await RawPeer { _, _ in }
        let client = try self.bench.client(port: peer.port)
        let request = Bench.authorization()
        // 50, 100, 200 … 2000 ms after the attempts.
        for (attempt, pause) in [Int64(50), 100, 200, 400, 800, 1600, 2000, 2000].enumerated() {
            for _ in 1...3 { #expect(await client.make(request) == request.ended(.unreachable)) }
            #expect(peer.connectionsCount == attempt + 1)
            self.bench.time.advance(milliseconds: pause - 1)
            #expect(await client.make(request) == request.ended(.unreachable))
            #expect(peer.connectionsCount == attempt + 1)
            self.bench.time.advance(milliseconds: 1)
        }
        client.close()
        peer.close()
    }

    @Test func callsThatComeTogetherShareOneConnection() async throws {
        let peer = try await RawPeer { [bench] _, wire in
            try await wire.welcome(bench.secret)
            try await wire.approveAll()
        }
        let client = try self.bench.client(port: peer.port)
        let requests = (1...50).map { Bench.authorization($0) }
        await withTaskGroup(of: Bool.self) { group in
            for request in requests {
                group.addTask { if case .operation(.approved) = await client.make(request) { true } else { false } }
            }
            for await isApproved in group { #expect(isApproved) }
        }
        #expect(peer.connectionsCount == 1)
        client.close()
        peer.close()
    }

    // MARK: - The handshake

    @Test func handshakeCutAtAnyByteIsUnreachable() async throws {
        let nonces = LinkHandshake.Nonces(
            client: [UInt8](repeating: 0, count: 32), server: [UInt8](repeating: 7, count: 32))
        let challenge = try #require(
            LinkFrame.encode(LinkHandshake.challenge(nonces, try Bench.offer(), self.bench.secret)))
        let ready = try #require(LinkFrame.encode(LinkHandshake.ready(LinkSignOn(isSignedOff: false))))
        let length = challenge.count + ready.count
        let peer = try await RawPeer { [bench] connection, wire in
            guard connection <= length else {
                try await wire.welcome(bench.secret)
                return try await wire.approveAll()
            }
            let count = connection - 1
            let nonces = LinkHandshake.Nonces(
                client: try LinkHandshake.readHello(try await wire.body()), server: nonces.server)
            let challenge = Wire.frame(LinkHandshake.challenge(nonces, try Bench.offer(), bench.secret).serialized())
            try await wire.send(Array(challenge.prefix(count)))
            guard count > challenge.count else { return }
            _ = try await wire.body()
            try await wire.send(Array(ready.prefix(count - challenge.count)))
        }
        let client = try self.bench.client(port: peer.port)
        let request = Bench.authorization()
        for count in 0..<length {
            #expect(await client.make(request) == request.ended(.unreachable), "after \(count) bytes")
            self.bench.time.advance(milliseconds: 2000)
        }
        #expect(await client.make(request) == request.approved())
        #expect(peer.connectionsCount == length + 1)
        client.close()
        peer.close()
    }

    @Test func silentHandshakeIsGivenUpAndCallsReportIt() async throws {
        let greeted = Signal()
        let peer = try await RawPeer { [bench] connection, wire in
            guard connection == 1 else {
                try await wire.welcome(bench.secret)
                return try await wire.approveAll()
            }
            _ = try await wire.body()
            greeted.happen()
            _ = await wire.isEnded()
        }
        let client = try self.bench.client(port: peer.port)
        let request = Bench.authorization()
        async let outcome = client.make(request)
        await greeted.wait()
        await self.bench.time.pass(5000)
        #expect(await outcome == request.ended(.unreachable))
        self.bench.time.advance(milliseconds: 50)
        #expect(await client.make(request) == request.approved())
        client.close()
        peer.close()
    }

    @Test func callWhoseTimeIsOverBeforeThereIsAConnectionWasNotSent() async throws {
        let greeted = Signal()
        let peer = try await RawPeer { _, wire in
            _ = try await wire.body()
            greeted.happen()
            #expect(await wire.isEnded(), "nothing follows the greeting")
        }
        let client = try self.bench.client(port: peer.port)
        let request = Bench.authorization()
        async let outcome = client.make(request)
        await greeted.wait()
        await self.bench.time.pass(30_000)
        #expect(await outcome == request.ended(.unreachable))
        client.close()
        peer.close()
    }

    @Test func serverWithAnotherSecretGetsNothing() async throws {
        let peer = try await RawPeer { _, wire in
            try await wire.welcome(try AcquirerLinkSecret(.init(Array("another secret of good length".utf8))))
        }
        let client = try self.bench.client(port: peer.port)
        #expect(client.state == .connecting)
        let request = Bench.authorization()
        #expect(await client.make(request) == request.ended(.refused))
        #expect(client.state == .refused)
        #expect(
            self.bench.log.all.contains { $0.hasPrefix("warning acquirer link refused") })
        client.close()
        peer.close()
    }

    /// What a server has proven once proves nothing in another handshake.
    @Test func proofOfAnotherHandshakeIsRefused() async throws {
        let old = LinkHandshake.Nonces(
            client: [UInt8](repeating: 1, count: 32), server: [UInt8](repeating: 7, count: 32))
        let peer = try await RawPeer { [bench] _, wire in
            _ = try await wire.body()
            try await wire.send(LinkHandshake.challenge(old, try Bench.offer(), bench.secret))
            #expect(await wire.isEnded())
        }
        let client = try self.bench.client(port: peer.port)
        let request = Bench.authorization()
        #expect(await client.make(request) == request.ended(.refused))
        client.close()
        peer.close()
    }

    @Test(arguments: ["version", "nonce", "proof", "acquirer", "book", "type"])
    func spoiledChallengeIsRefused(_ member: String) async throws {
        let peer = try await RawPeer { [bench] _, wire in
            let nonces = LinkHandshake.Nonces(
                client: try LinkHandshake.readHello(try await wire.body()), server: [UInt8](repeating: 7, count: 32))
            let challenge = LinkHandshake.challenge(nonces, try Bench.offer(), bench.secret)
            var object = try #require(challenge.object)
            object[member] = member == "version" ? 1 : "00"
            try await wire.send(.object(object))
            #expect(await wire.isEnded())
        }
        let client = try self.bench.client(port: peer.port)
        let request = Bench.authorization()
        #expect(await client.make(request) == request.ended(.refused))
        client.close()
        peer.close()
    }

    /// Somebody on the way could name another book; both ends' proofs are over the one that was named.
    @Test func bookThatIsChangedOnTheWayIsRefusedByBothEnds() throws {
        let nonces = LinkHandshake.Nonces(
            client: [UInt8](repeating: 1, count: 32), server: [UInt8](repeating: 7, count: 32))
        let secret = self.bench.secret
        let (first, second) = (try Bench.offer(Bench.bookID(1)), try Bench.offer(Bench.bookID(2)))
        for offer in [first, second, try Bench.offer()] {
            let challenge = LinkHandshake.challenge(nonces, offer, secret)
            let (read, proof, _) = try LinkHandshake.answer(challenge.serialized(), nonce: nonces.client, secret)
            #expect(read == offer)
            try LinkHandshake.checkProof(proof.serialized(), nonces, offer, secret)
        }
        var challenge = try #require(LinkHandshake.challenge(nonces, first, secret).object)
        let (_, proof, _) = try LinkHandshake.answer(
            JSON.object(challenge).serialized(), nonce: nonces.client, secret)
        for other in [Bench.bookID(2).text, nil] {
            challenge["book"] = other.map { .string($0) }
            #expect(throws: LinkViolation("wrong_proof")) {
                try LinkHandshake.answer(JSON.object(challenge).serialized(), nonce: nonces.client, secret)
            }
        }
        #expect(throws: LinkViolation("wrong_proof")) {
            try LinkHandshake.checkProof(proof.serialized(), nonces, second, secret)
        }
    }

    @Test func acquirerOfAnotherNameOrWithOtherCapabilitiesIsRefused() async throws {
        let server = self.bench.server(SimulatorAcquirer(book: try .inMemory()))
        let port = try await server.listen(host: "127.0.0.1", port: 0)
        let right = try Bench.description()
        var others = [AcquirerLinkDescription(name: AcquirerName("other"), capabilities: right.capabilities)]
        let changes: [(member: String, change: (inout AcquirerCapabilities) -> Void)] = [
            ("forms", { $0.forms = [.sealedApplePayToken] }), ("proofs", { $0.proofs.remove(.emv) }),
            ("authorizes", { $0.authorizes = false }), ("decidesLater", { $0.decidesLater = true }),
            ("memos", { $0.memos = .prepared }), ("notifiesByShortName", { $0.notifiesByShortName = true }),
            ("networks", { $0.networks = [.visa] }), ("sells", { $0.sells = false }),
            ("capturesInParts", { $0.capturesInParts = false }), ("refundsInParts", { $0.refundsInParts = false }),
            ("adjustments", { $0.adjustments = [.up] }), ("voids", { $0.voids.remove(.refund) }),
            ("verifiesCards", { $0.verifiesCards = false }), ("recovery", { $0.recovery = .reversal }),
            ("recovery", { $0.recovery = .query(quietSeconds: 60) }),
            ("queriesAccepted", { $0.queriesAccepted = [.authorization] }), ("currencies", { $0.currencies = [:] }),
            ("takesMerchantInitiated", { $0.takesMerchantInitiated = false }), ("capturesMax", { $0.capturesMax = 1 }),
            ("finalCaptures", { $0.finalCaptures = .lapses }), ("refundsOneCapture", { $0.refundsOneCapture = true }),
            ("cardData", { $0.cardData = AcquirerCapabilities.CardDataRetention(neededBy: [.refund], keptSeconds: 1) }),
            ("keyLifeSeconds", { $0.keyLifeSeconds = 60 }), ("requestsPerSecond", { $0.requestsPerSecond = 1 }),
            (
                "deadlines",
                {
                    $0.deadlines = AcquirerCapabilities.Deadlines(
                        chargeMilliseconds: 1, otherMilliseconds: 2, connectMilliseconds: 3)
                }
            ),
        ]
        let members = Mirror(reflecting: right.capabilities).children.compactMap(\.label)
        #expect(Set(changes.map(\.member)) == Set(members), "every member is compared")
        for (member, change) in changes {
            var capabilities = right.capabilities
            change(&capabilities)
            #expect(capabilities != right.capabilities, "\(member)")
            others.append(AcquirerLinkDescription(name: right.name, capabilities: capabilities))
        }
        for other in others {
            let client = try self.bench.client(port: port, expecting: other)
            #expect(client.name == other.name && client.capabilities == other.capabilities)
            let request = Bench.authorization()
            #expect(await client.make(request) == request.ended(.refused))
            client.close()
        }
        await server.stop()
    }

    // MARK: - Asking who is there

    @Test func describeNamesWhoIsThere() async throws {
        let server = self.bench.server(SimulatorAcquirer(book: try .inMemory()))
        // Nobody else is given it once the server has stopped.
        let port = try await server.listen(host: "127.0.0.1", port: try FreePort.find())
        let found = try await AcquirerLinkClient.describe(
            at: [AcquirerLinkEndpoint(host: "127.0.0.1", port: port)], secret: self.bench.secret,
            surroundings: self.bench.surroundings,
            logger: self.bench.log.logger)
        #expect(found == (try Bench.description()))
        let wrong = try AcquirerLinkSecret(.init([UInt8](repeating: 1, count: 16)))
        await #expect {
            _ = try await AcquirerLinkClient.describe(
                at: [AcquirerLinkEndpoint(host: "127.0.0.1", port: port)], secret: wrong,
                surroundings: self.bench.surroundings,
                logger: self.bench.log.logger)
        } throws: {
            ($0 as? AcquirerLinkError)?.code == .refused
        }
        await server.stop()
        await #expect {
            _ = try await AcquirerLinkClient.describe(
                at: [AcquirerLinkEndpoint(host: "127.0.0.1", port: port)], secret: self.bench.secret,
                surroundings: self.bench.surroundings,
                logger: self.bench.log.logger)
        } throws: {
            ($0 as? AcquirerLinkError)?.code == .unreachable
        }
    }

    @Test func portThatIsTakenIsSaid() async throws {
        let server = self.bench.server(SimulatorAcquirer(book: try .inMemory()))
        let port = try await server.listen(host: "127.0.0.1", port: 0)
        let other = self.bench.server(SimulatorAcquirer(book: try .inMemory()))
        await #expect {
            _ = try await other.listen(host: "127.0.0.1", port: port)
        } throws: {
            ($0 as? AcquirerLinkError)?.code == .cannotListen
        }
        await server.stop()
    }

    @Test(arguments: [0, 1, 15]) func shortSecretIsRefused(_ count: Int) {
        #expect {
            _ = try AcquirerLinkSecret(.init([UInt8](repeating: 1, count: count)))
        } throws: {
            ($0 as? AcquirerLinkError)?.code == .secretTooShort
        }
    }
}
