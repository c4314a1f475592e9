//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Hosts
import NIOSSL
import Synchronization
import TestGateway
import Testing

@testable import Webhooks

/// Servers that mean harm, or know no better.
@Suite struct HostileServerTests {
    private static let notification = OutgoingNotification(
        headers: [.init("Content-Type", "text/plain")], body: Array("paid".utf8))

    private static func sender(
        _ resolver: Resolver = .system, tls: TLSConfiguration = NotificationSender.defaultTLS,
        sleep: @escaping @Sendable (Int64) async throws -> Void = { _ in await Gate().wait() }
    ) -> NotificationSender {
        NotificationSender(check: TargetCheck(resolver: resolver), timeoutSeconds: 60, tls: tls, sleep: sleep)
    }

    private static func failure(
        of sender: NotificationSender, to target: String, within reach: TargetCheck.Reach = .anywhere
    ) async -> SendFailure? {
        do throws(SendFailure) {
            _ = try await sender.send(self.notification, to: target, within: reach)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        // A body without end, in pieces and by its length.
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            "400\r\n" + String(repeating: "x", count: 1024) + "\r\n"
        ),
        ("HTTP/1.1 200 OK\r\n\r\n", String(repeating: "x", count: 1024)),
        ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", String(repeating: "x", count: 1024)),
    ])
    func givesUpOnABodyWithoutEnd(opening: String, refrain: String) async throws {
        try await RawServer.run(.init(opening: opening, refrain: refrain)) { server in
            #expect(await Self.failure(of: Self.sender(), to: "http://127.0.0.1:\(server.port)/") == .answerTooLarge)
            for await _ in server.closed {}
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nA: ", String(repeating: "x", count: 1024), SendFailure.noAnswer),
        ("HTTP/1.1 200 OK\r\n", "A: b\r\n", .noAnswer),
        ("HTTP/1.1 200 OK\r\n", "A: " + String(repeating: "x", count: 4096) + "\r\n", .answerTooLarge),
        ("HTTP/1.1 200 ", String(repeating: "x", count: 1024), .answerTooLarge),
        ("", "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n", .answerTooLarge),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", "x", .answerTooLarge),
        ("not HTTP at all\r\n", "", .noAnswer),
    ])
    func givesUpOnAHeadWithoutEnd(opening: String, refrain: String, failure: SendFailure) async throws {
        try await RawServer.run(.init(opening: opening, refrain: refrain)) { server in
            #expect(await Self.failure(of: Self.sender(), to: "http://127.0.0.1:\(server.port)/") == failure)
            for await _ in server.closed {}
        }
    }

    /// The time is over when the beginning has been written; nothing more comes. The connection is not left behind.
    @Test(arguments: [
        "", "HTTP/1.1 200 O", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
        "HTTP/1.1 100 Continue\r\n\r\n",
    ])
    func givesUpOnAnAnswerThatDoesNotEnd(opening: String) async throws {
        try await RawServer.run(.init(opening: opening)) { server in
            let sender = Self.sender(sleep: { [opened = server.opened] _ in for await _ in opened {} })
            #expect(await Self.failure(of: sender, to: "http://127.0.0.1:\(server.port)/") == .timedOut)
            for await _ in server.closed {}
        }
    }

    /// It may have received all of it: that is another matter than a server that is not there.
    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"])
    func anAnswerThatBreaksOffIsNone(opening: String) async throws {
        try await RawServer.run(.init(opening: opening, hangsUp: true)) { server in
            #expect(await Self.failure(of: Self.sender(), to: "http://127.0.0.1:\(server.port)/") == .noAnswer)
            for await _ in server.closed {}
        }
    }

    // MARK: - Addresses

    @Test(arguments: [
        ["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["127.0.0.1", "8.8.8.8"], ["8.8.8.8", "::1"], ["8.8.8.8", "fe80::1"],
        ["2606:4700::1111", "fd00::1"], ["::ffff:10.0.0.1"], ["::ffff:8.8.8.8", "::ffff:192.168.0.1"],
        ["64:ff9b::10.0.0.1"], ["2002:7f00:1::"], ["2001:0:4136:e378:8000:63bf:3fff:fdd2"], ["0.0.0.0"],
        ["100.64.0.1"], ["169.254.169.254"], ["224.0.0.1"], ["255.255.255.255"], ["fec0::1"], ["fc00::1"],
        ["2001:db8::1"], ["198.51.100.1"], ["ff02::1"],
    ])
    func refusesANameWithAnyAddressThatIsNotPublic(addresses: [String]) async throws {
        let found = try addresses.map { try #require(IPAddress($0)) }
        let sender = Self.sender(Resolver { _ in found })
        #expect(await Self.failure(of: sender, to: "http://shop.invalid/", within: .publicInternet) == .targetNotPublic)
    }

    @Test(arguments: [
        ["8.8.8.8"], ["127.0.0.1", "10.0.0.1"], ["::1", "fe80::1"], ["::ffff:10.0.0.1"], ["0.0.0.0"], ["::"],
    ])
    func refusesOtherMachinesWhereOnlyThisOneMayBeAsked(addresses: [String]) async throws {
        let found = try addresses.map { try #require(IPAddress($0)) }
        let sender = Self.sender(Resolver { _ in found })
        #expect(await Self.failure(of: sender, to: "http://shop.invalid/", within: .loopback) == .targetNotLoopback)
        let literal = addresses[addresses.count - 1]
        let host = literal.contains(":") ? "[\(literal)]" : literal
        #expect(await Self.failure(of: Self.sender(), to: "http://\(host)/", within: .loopback) == .targetNotLoopback)
    }

    /// The name server says something else the second time: nobody asks it a second time, and the connection goes where
    /// the first answer said.
    @Test func aNameThatIsReboundIsNotFollowed() async throws {
        let lookUps = Mutex(0)
        try await ShopServer().run { server, port in
            let resolver = Resolver { _ in
                let count = lookUps.withLock { count in
                    count += 1
                    return count
                }
                return [IPAddress(bytes: count == 1 ? [127, 0, 0, 1] : [10, 0, 0, 1])].compactMap { $0 }
            }
            #expect(await Self.failure(of: Self.sender(resolver), to: "http://shop.invalid:\(port)/") == nil)
            #expect(lookUps.withLock { $0 } == 1 && server.received.count == 1)
        }
    }

    /// What is not an address by the strict rules is a name, and is looked up and checked like one.
    @Test(arguments: ["127.1", "0x7f.0.0.1", "2130706433", "0177.0.0.1", "localhost.", "127.0.0.1."])
    func otherSpellingsOfThisMachineAreCheckedToo(host: String) async throws {
        let failure = await Self.failure(of: Self.sender(), to: "http://\(host)/", within: .publicInternet)
        #expect(failure == .targetNotPublic || failure == .hostNotFound)
    }

    @Test(arguments: [
        "http://127.0.0.1@shop.example/", "http://shop.example@127.0.0.1/", "http://shop.example#@127.0.0.1/",
        "http://[::1%25lo]/", "http://shop.example\\@127.0.0.1/", "file:///etc/passwd", "gopher://127.0.0.1/",
        "http://shop.example:0/", "http:///", "http://\u{2460}27.0.0.1/", "http://127.0.0.1\r\nHost: a/",
    ])
    func refusesAddressesThatServersReadDifferently(target: String) async {
        #expect(await Self.failure(of: Self.sender(), to: target) == .targetMalformed)
    }

    // MARK: - TLS

    @Test func aServerProvesItsName() async throws {
        let authority = try TestServerAuthority()
        let resolver = Resolver { _ in [IPAddress(bytes: [127, 0, 0, 1])].compactMap { $0 } }
        var tls = NotificationSender.defaultTLS
        tls.trustRoots = try authority.trust
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        try await RawServer.run(.init(opening: answer), tls: try authority.server(named: "shop.invalid")) { server in
            let sender = Self.sender(resolver, tls: tls)
            #expect(await Self.failure(of: sender, to: "https://shop.invalid:\(server.port)/") == nil)
            // Another's certificate, an address without one, and an authority that nobody has heard of.
            #expect(await Self.failure(of: sender, to: "https://other.invalid:\(server.port)/") == .tlsFailed)
            #expect(await Self.failure(of: sender, to: "https://127.0.0.1:\(server.port)/") == .tlsFailed)
            let stranger = Self.sender(resolver)
            #expect(await Self.failure(of: stranger, to: "https://shop.invalid:\(server.port)/") == .tlsFailed)
        }
    }

    /// Over TLS, too: the handshake was done.
    @Test func anAnswerThatBreaksOffIsNoFailureOfTLS() async throws {
        let authority = try TestServerAuthority()
        let resolver = Resolver { _ in [IPAddress(bytes: [127, 0, 0, 1])].compactMap { $0 } }
        var tls = NotificationSender.defaultTLS
        tls.trustRoots = try authority.trust
        let script = RawServer.Script(opening: "HTTP/1.1 200 OK\r\n", hangsUp: true)
        try await RawServer.run(script, tls: try authority.server(named: "shop.invalid")) { server in
            let sender = Self.sender(resolver, tls: tls)
            #expect(await Self.failure(of: sender, to: "https://shop.invalid:\(server.port)/") == .noAnswer)
        }
    }

    @Test(arguments: [TLSVersion.tlsv1, .tlsv11])
    func refusesTLSThatIsTooOld(version: TLSVersion) async throws {
        let authority = try TestServerAuthority()
        let resolver = Resolver { _ in [IPAddress(bytes: [127, 0, 0, 1])].compactMap { $0 } }
        var tls = NotificationSender.defaultTLS
        tls.trustRoots = try authority.trust
        var server = try authority.server(named: "shop.invalid")
        server.minimumTLSVersion = .tlsv1
        server.maximumTLSVersion = version
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        try await RawServer.run(.init(opening: answer), tls: server) { server in
            let sender = Self.sender(resolver, tls: tls)
            #expect(await Self.failure(of: sender, to: "https://shop.invalid:\(server.port)/") == .tlsFailed)
        }
    }
}
