//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Payments
import TestGateway
import Testing
import Webhooks

/// A merchant's server that hangs, and what it costs the others.
@Suite struct SilentServerTests {
    private static let settings = WebhookSettings(concurrencyMax: 2, timeoutSeconds: 10, allowsPrivateTargets: true)

    @Test func hasOnePlaceUntilItAnswers() async throws {
        let outbox = try await Outbox.open()
        let (attemptIsOver, answers) = (Gate(), Gate())
        let worker = outbox.worker(Self.settings, passAttempt: { _ in await attemptIsOver.wait() })
        let hanging = ShopServer { _ in
            await answers.wait()
            return .init()
        }
        try await hanging.run { _, hangingPort in
            try await ShopServer().run { _, port in
                let first = try await outbox.put("http://127.0.0.1:\(hangingPort)/0")[0]
                attemptIsOver.open()
                #expect(await worker.deliverDue() == WebhookReport(failedCount: 1))
                #expect(try await outbox.event(first).lastResult == "timed_out")
                attemptIsOver.close()

                // More of the same than there are places, and then somebody else's.
                outbox.clock.advance(seconds: 5)
                var waiting: [EventID] = []
                for number in 1...3 {
                    waiting += try await outbox.put("http://127.0.0.1:\(hangingPort)/\(number)")
                    outbox.clock.advance(seconds: 1)
                }
                let other = try await outbox.put("http://127.0.0.1:\(port)/")[0]
                let pass = Task { await worker.deliverDue() }
                while try await outbox.event(other).state != .delivered { await Task.yield() }
                attemptIsOver.open()
                #expect(await pass.value == WebhookReport(deliveredCount: 1, failedCount: 1))
                attemptIsOver.close()
                for id in waiting {
                    let event = try await outbox.event(id)
                    #expect(event.state == .pending && event.attemptsCount == 0)
                }
                #expect(await worker.deliverDue() == WebhookReport())

                outbox.clock.advance(seconds: 9)
                #expect(await worker.deliverDue() == WebhookReport())
                outbox.clock.advance(seconds: 1)
                answers.open()
                #expect(await worker.deliverDue() == WebhookReport(deliveredCount: 1))
                // It was silent twice, and so they were held twice as long. Now it has all places again.
                outbox.clock.advance(seconds: 19)
                #expect(await worker.deliverDue() == WebhookReport())
                outbox.clock.advance(seconds: 1)
                #expect(await worker.deliverDue() == WebhookReport(deliveredCount: 2))
                #expect(await worker.deliverDue() == WebhookReport(deliveredCount: 1))
                for id in waiting + [first] { #expect(try await outbox.event(id).state == .delivered) }
            }
        }
    }

    /// Somebody who asks for an event while it is held is not kept waiting.
    @Test func whatIsResentWhileItIsHeldIsDueAtOnce() async throws {
        let outbox = try await Outbox.open()
        let id = try await outbox.put("http://127.0.0.1:1/")[0]
        let taken = try await outbox.gateway.leaseDeliveries(limit: 1)
        try await outbox.gateway.administration.resend(id)
        try await outbox.gateway.postpone(taken.map { ($0, 60) })
        #expect(try await outbox.gateway.leaseDeliveries(limit: 1).map(\.event.id) == [id])
        try await outbox.gateway.postpone(taken.map { ($0, 60) })
        outbox.clock.advance(seconds: 59)
        #expect(try await outbox.gateway.leaseDeliveries(limit: 1).isEmpty)
        outbox.clock.advance(seconds: 1)
        #expect(try await outbox.gateway.leaseDeliveries(limit: 1).map(\.event.id) == [id])
    }
}
