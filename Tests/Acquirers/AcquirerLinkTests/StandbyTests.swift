//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Redaction
import SimulatorAcquirer
import Synchronization
import TestProcesses
import Testing

@testable import AcquirerLink

/// A client that is given the addresses of an acquirer's process and of its standbys, over real sockets.
@Suite(.timeLimit(.minutes(1))) struct StandbyTests {
    let bench: Bench
    let simulator: SimulatorAcquirer

    init() throws {
        self.bench = try Bench()
        self.simulator = SimulatorAcquirer(book: try .inMemory())
    }

    /// Somebody at whose address no connection comes about: it ends at once.
    private static func closed() async throws -> RawPeer { try await RawPeer { _, _ in } }

    @Test func addressesAreTriedInTurnAndTheOneThatAnswersIsKept() async throws {
        let (first, second) = (try await Self.closed(), try await Self.closed())
        let server = self.bench.server(self.simulator)
        let port = try await server.listen(host: "127.0.0.1", port: 0)
        let client = try self.bench.client(port: first.port, standbys: [port, second.port])
        for number in 1...3 {
            guard case .operation(.approved) = await client.make(Bench.authorization(number)) else {
                Issue.record("it was not approved")
                return
            }
        }
        #expect(first.connectionsCount == 1 && second.connectionsCount == 0)
        #expect(client.state == .connected)
        #expect(self.bench.log.all.contains { $0.contains("127.0.0.1:\(first.port)") })
        client.close()
        await server.stop()
        first.close()
        second.close()
    }

    /// One attempt is a round of all addresses; what follows it is left alone for as long as with one.
    @Test func callsFailAtOnceWhenNobodyAnswersAnywhere() async throws {
        let peers = [try await Self.closed(), try await Self.closed()]
        let client = try self.bench.client(port: peers[0].port, standbys: [peers[1].port])
        let request = Bench.authorization()
        for (attempt, pause) in [Int64(50), 100, 200].enumerated() {
            for _ in 1...3 { #expect(await client.make(request) == request.ended(.unreachable)) }
            #expect(peers.map(\.connectionsCount) == [attempt + 1, attempt + 1])
            self.bench.time.advance(milliseconds: pause)
        }
        #expect(client.state == .unreachable)
        client.close()
        for peer in peers { peer.close() }
    }

    /// Waiting does not mend that, and so it is what is reported of a round.
    @Test(arguments: [true, false])
    func oneThatRefusesIsReportedOverOneThatIsNotThere(_ refusesFirst: Bool) async throws {
        let away = try await Self.closed()
        let stranger = try await RawPeer { _, wire in
            try await wire.welcome(try AcquirerLinkSecret(.init(Array("another secret of good length".utf8))))
        }
        let ports = refusesFirst ? [stranger.port, away.port] : [away.port, stranger.port]
        let client = try self.bench.client(port: ports[0], standbys: [ports[1]])
        let request = Bench.authorization()
        #expect(await client.make(request) == request.ended(.refused))
        #expect(client.state == .refused)
        client.close()
        away.close()
        stranger.close()
    }

    /// One that takes the connection and says nothing costs the time of a handshake, and no payment.
    @Test func oneThatIsSilentIsPassedOver() async throws {
        let greeted = Signal()
        let silent = try await RawPeer { _, wire in
            _ = try await wire.body()
            greeted.happen()
            _ = await wire.isEnded()
        }
        let server = self.bench.server(self.simulator)
        let port = try await server.listen(host: "127.0.0.1", port: 0)
        let client = try self.bench.client(port: silent.port, standbys: [port])
        async let outcome = client.make(Bench.authorization())
        await greeted.wait()
        await self.bench.time.pass(5000)
        guard case .operation(.approved) = await outcome else {
            Issue.record("it was not approved")
            return
        }
        client.close()
        await server.stop()
        silent.close()
    }

    /// The active one books an operation and dies before it has answered: the operation is unknown, is sent to nobody again,
    /// and the one that has taken over knows of it under its id.
    @Test func whatWasUnderWayIsUnknownAndTheNextOneKnowsOfIt() async throws {
        let active = try await RawPeer { [bench, simulator] connection, wire in
            guard connection == 1 else { return }
            try await wire.welcome(bench.secret)
            let (_, request) = try await wire.request()
            _ = await request.answer(by: simulator)
        }
        let standby = self.bench.server(self.simulator)
        let port = try await standby.listen(host: "127.0.0.1", port: 0)
        let client = try self.bench.client(port: active.port, standbys: [port])
        let request = Bench.authorization(1)
        #expect(await client.make(request) == request.ended(.connectionLost))
        guard case .query(.approved(let approval)) = await client.make(Bench.query(1)) else {
            Issue.record("the standby does not know of it")
            return
        }
        #expect(approval.amount == Bench.money(10_00))
        // Asked where it was lost first, and then where it is.
        #expect(active.connectionsCount == 2)
        let entries = try await self.simulator.book.entries()
        #expect(entries.map(\.operationID) == [Bench.id(1)] && entries.map(\.arrivalsCount) == [1])
        client.close()
        await standby.stop()
        active.close()
    }

    /// There and back again, as often as it takes.
    @Test func followsWhoeverIsActive() async throws {
        var active = self.bench.server(self.simulator)
        let first = try FreePort.find()
        let ports = [first, try FreePort.find(except: [first])]
        #expect(try await active.listen(host: "127.0.0.1", port: first) == first)
        let client = try self.bench.client(port: ports[0], standbys: [ports[1]])
        for number in 1...4 {
            guard case .operation(.approved) = await client.make(Bench.authorization(number)) else {
                Issue.record("it was not approved")
                return
            }
            await active.stop()
            let lost = Bench.authorization(number + 100)
            #expect([lost.ended(.connectionLost), lost.ended(.unreachable)].contains(await client.make(lost)))
            active = self.bench.server(self.simulator)
            _ = try await active.listen(host: "127.0.0.1", port: ports[number % 2])
            self.bench.time.advance(milliseconds: 2000)
        }
        #expect(try await self.simulator.book.entries().count == 4)
        client.close()
        await active.stop()
    }

    // MARK: - One book

    /// What a client keeps, for the one that is started after it.
    private final class KeptBook: Sendable {
        let id = Mutex<AcquirerBookID?>(nil)
        let fails = Mutex(false)

        struct DiskFull: Error {}

        var record: AcquirerLinkBookRecord {
            AcquirerLinkBookRecord(known: self.id.withLock { $0 }) { book in
                if self.fails.withLock({ $0 }) { throw DiskFull() }
                self.id.withLock { $0 = book }
            }
        }
    }

    private static func isApproved(_ outcome: LinkOutcome) -> Bool {
        if case .operation(.approved) = outcome { true } else { false }
    }

    private func books(_ ids: AcquirerBookID?...) async throws -> [(AcquirerLinkServer, SimulatorBook, port: Int)] {
        var found: [(AcquirerLinkServer, SimulatorBook, port: Int)] = []
        for id in ids {
            let book = try SimulatorBook.inMemory(id: id)
            let server = self.bench.server(book)
            found.append((server, book, port: try await server.listen(host: "127.0.0.1", port: 0)))
        }
        return found
    }

    /// Another process with a copied secret has another book, or is an acquirer that keeps its books elsewhere.
    @Test(arguments: [Bench.bookID(2), nil])
    func anotherBookIsRefusedAlsoAfterARestart(_ other: AcquirerBookID?) async throws {
        let kept = KeptBook()
        let servers = try await self.books(Bench.bookID(1), other)
        let (ports, spare) = (servers.map { $0.port }, servers[1].1)
        let client = try self.bench.client(port: ports[0], standbys: [ports[1]], book: kept.record)
        #expect(Self.isApproved(await client.make(Bench.authorization(1))))
        #expect(kept.id.withLock { $0 } == Bench.bookID(1))
        await servers[0].0.stop()
        let reversal = Bench.reversal(2, of: 1)
        // The first call may meet the end of the connection.
        _ = await client.make(reversal)
        #expect(await client.make(reversal) == reversal.ended(.refused))
        #expect(await client.make(Bench.query(1)) == Bench.query(1).ended(.refused))
        #expect(client.state == .refused)
        #expect(self.bench.log.all.contains { $0.contains("not the book") && $0.contains("other_book") })
        client.close()

        let restarted = try self.bench.client(port: ports[1], book: kept.record)
        #expect(await restarted.make(Bench.query(1)) == Bench.query(1).ended(.refused))
        #expect(await restarted.make(reversal) == reversal.ended(.refused))
        restarted.close()
        #expect(try await spare.entries().isEmpty, "nothing has reached the other book")

        // Whoever has been made to forget it takes the other one.
        kept.id.withLock { $0 = nil }
        let accepting = try self.bench.client(port: ports[1], book: kept.record)
        #expect(Self.isApproved(await accepting.make(Bench.authorization(3))))
        #expect(kept.id.withLock { $0 } == other)
        accepting.close()
        await servers[1].0.stop()
    }

    @Test func sameBookIsTakenWhoeverServesIt() async throws {
        let kept = KeptBook()
        let book = try SimulatorBook.inMemory(id: Bench.bookID(1))
        for number in 1...2 {
            let server = self.bench.server(book)
            let client = try self.bench.client(
                port: try await server.listen(host: "127.0.0.1", port: 0), book: kept.record)
            #expect(Self.isApproved(await client.make(Bench.authorization(number))))
            client.close()
            await server.stop()
        }
        #expect(try await book.entries().count == 2)
    }

    /// What could not be kept is not relied on: nothing is sent, and the next attempt tries again.
    @Test func bookThatCannotBeKeptIsRefusedUntilItCan() async throws {
        let kept = KeptBook()
        kept.fails.withLock { $0 = true }
        let servers = try await self.books(Bench.bookID(1))
        let client = try self.bench.client(port: servers[0].port, book: kept.record)
        let request = Bench.authorization()
        #expect(await client.make(request) == request.ended(.refused))
        #expect(self.bench.log.all.contains { $0.contains("book_not_kept") })
        kept.fails.withLock { $0 = false }
        self.bench.time.advance(milliseconds: 2000)
        #expect(Self.isApproved(await client.make(request)))
        #expect(kept.id.withLock { $0 } == Bench.bookID(1))
        client.close()
        await servers[0].0.stop()
    }

    /// Over one without TLS a live account could be sent.
    @Test func linkIsProtectedWhereAllItsAddressesAre() throws {
        let authority = try TLSTests.Authority("authority")
        let (certificate, key) = try authority.issue("gateway.link.example")
        let tls = try AcquirerLinkTLS.client(
            authorityPEM: try authority.pem, certificatesPEM: certificate, privateKeyPEM: key, serverName: nil)
        func client(_ endpoints: [AcquirerLinkEndpoint]) throws -> AcquirerLinkClient {
            AcquirerLinkClient(
                try Bench.description(), at: endpoints, secret: self.bench.secret,
                surroundings: self.bench.surroundings, logger: self.bench.log.logger)
        }
        let (safe, open) = (
            AcquirerLinkEndpoint(host: "a", port: 1, tls: tls), AcquirerLinkEndpoint(host: "b", port: 1)
        )
        #expect(try client([safe, safe]).isProtected)
        #expect(try !client([safe, open]).isProtected && !client([open, safe]).isProtected)
    }
}
