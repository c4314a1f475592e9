//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Payments
import ServiceLifecycle
import Synchronization
import TestGateway
import Testing
import Webhooks

@Suite struct WorkerLoopTests {
    /// The loop sends what is there and what comes while it waits, and ends when it is asked to.
    @Test func worksUntilItIsStopped() async throws {
        let outbox = try await Outbox.open()
        let (arrivals, arrived) = AsyncStream<String>.makeStream()
        let (ticks, tick) = AsyncStream<Void>.makeStream()
        let ticker = Ticker(ticks)
        let shop = ShopServer { request in
            arrived.yield(request.uri)
            return .init()
        }
        try await shop.run { _, port in
            let first = try await outbox.put("http://127.0.0.1:\(port)/1")
            let worker = outbox.worker { _ in await ticker.next() }
            let group = ServiceGroup(services: [worker], logger: Outbox.logger)
            let running = Task { try await group.run() }
            var uris = arrivals.makeAsyncIterator()
            #expect(await uris.next() == "/1")
            let second = try await outbox.put("http://127.0.0.1:\(port)/2")
            tick.yield()
            #expect(await uris.next() == "/2")
            // What is under way is brought to its end; the wait is not.
            await group.triggerGracefulShutdown()
            try await running.value
            #expect(try await outbox.event(first[0]).state == .delivered)
            #expect(try await outbox.event(second[0]).state == .delivered)
        }
    }

    /// What a commit of this process makes due is sent without a wait for the next look.
    @Test func commitWakesTheWorker() async throws {
        let outbox = try await Outbox.open()
        let (arrivals, arrived) = AsyncStream<String>.makeStream()
        let shop = ShopServer { request in
            arrived.yield(request.uri)
            return .init()
        }
        try await shop.run { _, port in
            let event = try #require(try await outbox.put("http://127.0.0.1:\(port)/1").first)
            // Passes no time until the service ends.
            let worker = outbox.worker { _ in await Gate().wait() }
            let group = ServiceGroup(services: [worker], logger: Outbox.logger)
            let running = Task { try await group.run() }
            var uris = arrivals.makeAsyncIterator()
            for _ in 1...3 {
                #expect(await uris.next() == "/1")
                while try await outbox.event(event).state != .delivered { await Task.yield() }
                try await outbox.gateway.administration.resend(event)
            }
            #expect(await uris.next() == "/1")
            await group.triggerGracefulShutdown()
            try await running.value
        }
    }

    /// Waits for one tick at a time.
    private actor Ticker {
        private let ticks: AsyncStream<Void>

        init(_ ticks: AsyncStream<Void>) {
            self.ticks = ticks
        }

        func next() async {
            for await _ in self.ticks { return }
        }
    }
}
