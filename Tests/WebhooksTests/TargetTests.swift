//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Hosts
import Payments
import Synchronization
import Testing

@testable import Webhooks

@Suite struct TargetTests {
    private static let loopback = IPAddress(bytes: [127, 0, 0, 1])
    private static let documentation = IPAddress(bytes: [8, 8, 8, 8])

    @Test(arguments: ["127.0.0.1", "localhost", "2130706433", "127.1"])
    func refusesTargetsOnThisMachine(host: String) async throws {
        let outbox = try await Outbox.open()
        try await ShopServer().run { server, port in
            let ids = try await outbox.put("http://\(host):\(port)/")
            let worker = outbox.worker(WebhookSettings())
            #expect(await worker.deliverDue() == WebhookReport(failedCount: 1))
            #expect(try await outbox.event(ids[0]).lastResult == "target_not_public")
            #expect(server.received.isEmpty)
        }
    }

    @Test(arguments: ["[::1]", "[::ffff:127.0.0.1]", "169.254.169.254", "10.0.0.1", "[fd00::1]"])
    func refusesLiteralTargetsThatAreNotPublic(host: String) async throws {
        let outbox = try await Outbox.open()
        let ids = try await outbox.put("https://\(host)/")
        #expect(await outbox.worker(WebhookSettings()).deliverDue() == WebhookReport(failedCount: 1))
        #expect(try await outbox.event(ids[0]).lastResult == "target_not_public")
    }

    @Test func aLiveMerchantIsNeverNotifiedAtAPrivateAddress() async throws {
        let outbox = try await Outbox.open(mode: .live)
        try await ShopServer().run { server, port in
            let ids = try await outbox.put("http://127.0.0.1:\(port)/")
            #expect(await outbox.worker().deliverDue() == WebhookReport(failedCount: 1))
            #expect(try await outbox.event(ids[0]).lastResult == "target_not_public")
            #expect(server.received.isEmpty)
        }
    }

    /// The name is looked up once, and the connection goes where that look-up said.
    @Test func connectsToTheAddressThatWasChecked() async throws {
        let outbox = try await Outbox.open()
        let lookups = Mutex<[String]>([])
        let resolver = Resolver { host in
            lookups.withLock { $0.append(host) }
            return [Self.loopback].compactMap { $0 }
        }
        try await ShopServer().run { server, port in
            try await outbox.put("http://Shop.Invalid:\(port)/notify")
            #expect(await outbox.worker(resolver: resolver).deliverDue() == WebhookReport(deliveredCount: 1))
            #expect(server.received.first?.headers["host"] == "shop.invalid:\(port)")
            #expect(lookups.withLock { $0 } == ["shop.invalid"])
        }
    }

    /// The server listens on one of the host's addresses only.
    @Test func triesTheNextAddressWhereNobodyListens() async throws {
        let outbox = try await Outbox.open()
        let addresses = [[127, 0, 0, 2], [127, 0, 0, 1]].compactMap { IPAddress(bytes: $0) }
        try await ShopServer().run { server, port in
            try await outbox.put("http://shop.invalid:\(port)/")
            let worker = outbox.worker(resolver: Resolver { _ in addresses })
            #expect(await worker.deliverDue() == WebhookReport(deliveredCount: 1))
            #expect(server.received.count == 1)
        }
    }

    @Test func givesUpWhereNoAddressTakesAConnection() async throws {
        let outbox = try await Outbox.open()
        let addresses = [[127, 0, 0, 2], [127, 0, 0, 3]].compactMap { IPAddress(bytes: $0) }
        try await ShopServer().run { _, port in
            let ids = try await outbox.put("http://shop.invalid:\(port)/")
            let worker = outbox.worker(resolver: Resolver { _ in addresses })
            #expect(await worker.deliverDue() == WebhookReport(failedCount: 1))
            #expect(try await outbox.event(ids[0]).lastResult == "connection_failed")
        }
    }

    /// What a server has received is not sent to its next address, however it was answered.
    @Test func sendsToOneAddressOnly() async throws {
        let outbox = try await Outbox.open()
        let addresses = [Self.loopback, Self.loopback].compactMap { $0 }
        let shop = ShopServer { _ in .init(body: String(repeating: "x", count: NotificationSender.answerBytesMax + 1)) }
        try await shop.run { server, port in
            let ids = try await outbox.put("http://shop.invalid:\(port)/")
            let worker = outbox.worker(resolver: Resolver { _ in addresses })
            #expect(await worker.deliverDue() == WebhookReport(failedCount: 1))
            #expect(try await outbox.event(ids[0]).lastResult == "answer_too_large")
            #expect(server.received.count == 1)
        }
    }

    @Test func refusesANameWithOnePrivateAddressAmongPublicOnes() async throws {
        let outbox = try await Outbox.open()
        let resolver = Resolver { _ in [Self.documentation, Self.loopback].compactMap { $0 } }
        let ids = try await outbox.put("https://shop.invalid/")
        let worker = outbox.worker(WebhookSettings(), resolver: resolver)
        #expect(await worker.deliverDue() == WebhookReport(failedCount: 1))
        #expect(try await outbox.event(ids[0]).lastResult == "target_not_public")
    }

    @Test func recordsANameThatHasNoAddress() async throws {
        struct Failure: Error {}
        let outbox = try await Outbox.open()
        for resolver in [Resolver { _ in [] }, Resolver { _ in throw Failure() }] {
            let ids = try await outbox.put("https://shop.invalid/")
            #expect(await outbox.worker(resolver: resolver).deliverDue() == WebhookReport(failedCount: 1))
            #expect(try await outbox.event(ids[0]).lastResult == "host_not_found")
        }
    }

    @Test func theSystemsResolverKnowsThisMachine() async throws {
        let addresses = try await Resolver.system.lookUp("localhost")
        #expect(!addresses.isEmpty && addresses.allSatisfy { !$0.isPublic })
    }

    /// A name server that does not answer holds nobody up.
    @Test func stopsWaitingForALookUpWhenCancelled() async throws {
        let lookUp = Task { () async throws -> [IPAddress] in
            try await Resolver.abandonable { _ in }
        }
        lookUp.cancel()
        await #expect(throws: CancellationError.self) { try await lookUp.value }
    }

    /// The time is over as soon as the request has arrived; the answer never comes.
    @Test func givesUpWhenTheTimeIsOver() async throws {
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let (releases, release) = AsyncStream<Void>.makeStream()
        let shop = ShopServer { _ in
            arrived.finish()
            for await _ in releases {}
            return .init()
        }
        try await shop.run { _, port in
            let sender = NotificationSender(
                check: TargetCheck(resolver: .system), timeoutSeconds: 10, sleep: { _ in for await _ in arrivals {} })
            let failure = await #expect(throws: SendFailure.self) {
                _ = try await sender.send(
                    OutgoingNotification(headers: [], body: []), to: "http://127.0.0.1:\(port)/", within: .anywhere)
            }
            #expect(failure == .timedOut)
            release.finish()
        }
    }
}
