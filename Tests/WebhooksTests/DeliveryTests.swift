//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import MemoryStore
import Payments
import Synchronization
import Testing
import Webhooks

@Suite struct DeliveryTests {
    @Test func sendsAndRecords() async throws {
        let outbox = try await Outbox.open()
        try await ShopServer().run { server, port in
            let ids = try await outbox.put("http://127.0.0.1:\(port)/shop/notify?id=7")
            #expect(await outbox.worker().deliverDue() == WebhookReport(deliveredCount: 1))
            let request = try #require(server.received.first)
            #expect(request.method == "POST" && request.uri == "/shop/notify?id=7")
            #expect(request.headers["x-event"] == ids[0].text && request.headers["user-agent"] == "Pomona")
            #expect(request.headers["host"] == "127.0.0.1:\(port)")
            #expect(request.body == "authorizationSucceeded for SHOP")
            let event = try await outbox.event(ids[0])
            #expect(event.state == .delivered && event.attemptsCount == 1 && event.lastResult == "http_200")
            #expect(await outbox.worker().deliverDue() == WebhookReport())
            #expect(server.received.count == 1)
        }
    }

    @Test(arguments: [
        (503, "ok", "http_503"), (200, "thanks", "not_acknowledged"), (204, "", "http_204"), (404, "ok", "http_404"),
    ])
    func triesAgainAsTheScheduleSaysAndThenGivesUp(status: Int, body: String, word: String) async throws {
        let outbox = try await Outbox.open()
        let shop = ShopServer { _ in .init(status: status, body: body) }
        try await shop.run { server, port in
            let id = try #require(try await outbox.put("http://127.0.0.1:\(port)/").first)
            let worker = outbox.worker()
            for (wait, attempt) in [(Int64(5), 1), (10, 2)] {
                #expect(await worker.deliverDue() == WebhookReport(failedCount: 1))
                let event = try await outbox.event(id)
                #expect(event.state == .pending && event.attemptsCount == attempt && event.lastResult == word)
                outbox.clock.advance(seconds: wait - 1)
                #expect(await worker.deliverDue() == WebhookReport())
                outbox.clock.advance(seconds: 1)
            }
            #expect(await worker.deliverDue() == WebhookReport(failedCount: 1))
            let event = try await outbox.event(id)
            #expect(event.state == .dead && event.attemptsCount == 3)
            outbox.clock.advance(seconds: 86_400)
            #expect(await worker.deliverDue() == WebhookReport())
            #expect(server.received.count == 3)
        }
    }

    @Test func sendsToTheAddressThatTheDialectNamesNow() async throws {
        let outbox = try await Outbox.open()
        try await ShopServer().run { server, port in
            let id = try #require(try await outbox.put("http://127.0.0.1:1/old").first)
            var dialect = TestDialect()
            dialect.address = "http://127.0.0.1:\(port)/new"
            #expect(await outbox.worker(dialects: [dialect]).deliverDue() == WebhookReport(deliveredCount: 1))
            #expect(server.received.map(\.uri) == ["/new"])
            #expect(try await outbox.event(id).target == "http://127.0.0.1:\(port)/new")
        }
    }

    /// The address may be set again: it is tried as a server that is gone, and then waits for a person.
    @Test func sendsNothingWhereTheAccountNamesNoAddress() async throws {
        let outbox = try await Outbox.open()
        try await ShopServer().run { server, port in
            let target = "http://127.0.0.1:\(port)/old"
            let id = try #require(try await outbox.put(target).first)
            var dialect = TestDialect()
            dialect.address = .some(nil)
            let worker = outbox.worker(dialects: [dialect])
            for wait in [Int64(5), 10, 0] {
                #expect(await worker.deliverDue() == WebhookReport(failedCount: 1))
                outbox.clock.advance(seconds: wait)
            }
            let event = try await outbox.event(id)
            #expect(event.state == .dead && event.lastResult == "no_address" && event.target == target)
            #expect(server.received.isEmpty)
        }
    }

    @Test func sendsThePaymentsEventsInOrder() async throws {
        let outbox = try await Outbox.open()
        let fails = Mutex(true)
        let shop = ShopServer { _ in fails.withLock { $0 } ? .init(status: 500) : .init() }
        try await shop.run { server, port in
            let ids = try await outbox.put("http://127.0.0.1:\(port)/1", "http://127.0.0.1:\(port)/2")
            let worker = outbox.worker()
            #expect(await worker.deliverDue() == WebhookReport(failedCount: 1))
            fails.withLock { $0 = false }
            // The second waits for the first.
            #expect(await worker.deliverDue() == WebhookReport())
            outbox.clock.advance(seconds: 5)
            #expect(await worker.deliverDue() == WebhookReport(deliveredCount: 1))
            #expect(await worker.deliverDue() == WebhookReport(deliveredCount: 1))
            #expect(server.received.map(\.uri) == ["/1", "/1", "/2"])
            #expect(try await outbox.event(ids[1]).state == .delivered)
        }
    }

    // MARK: - Events of no message and of several

    @Test func eventOfNoMessageIsDoneWithoutAWord() async throws {
        let outbox = try await Outbox.open()
        try await ShopServer().run { server, port in
            let ids = try await outbox.put("http://127.0.0.1:\(port)/1", "http://127.0.0.1:\(port)/2")
            let worker = outbox.worker(dialects: [TestDialect(messagesCount: 0)])
            #expect(await worker.deliverDue() == WebhookReport(deliveredCount: 1))
            #expect(await worker.deliverDue() == WebhookReport(deliveredCount: 1))
            #expect(await worker.deliverDue() == WebhookReport())
            for id in ids {
                let event = try await outbox.event(id)
                #expect(event.state == .delivered && event.lastResult == "not_told")
            }
            #expect(server.received.isEmpty)
        }
    }

    @Test func everyMessageOfAnEventIsSentBeforeTheNextEvent() async throws {
        let outbox = try await Outbox.open()
        try await ShopServer().run { server, port in
            let ids = try await outbox.put("http://127.0.0.1:\(port)/1", "http://127.0.0.1:\(port)/2")
            let worker = outbox.worker(dialects: [TestDialect(messagesCount: 2)])
            for _ in 0..<4 { #expect(await worker.deliverDue() == WebhookReport(deliveredCount: 1)) }
            #expect(await worker.deliverDue() == WebhookReport())
            #expect(server.received.map(\.uri) == ["/1", "/1", "/2", "/2"])
            #expect(server.received.map { $0.headers["x-message"] } == ["0", "1", "0", "1"])
            for id in ids { #expect(try await outbox.event(id).state == .delivered) }
        }
    }

    /// What has arrived is not sent again; the schedule of the second message begins anew.
    @Test func failureBetweenMessagesRepeatsTheSecondAlone() async throws {
        let outbox = try await Outbox.open()
        let shop = ShopServer { request in
            let isFirstTry = request.headers["x-attempt"] == "0"
            return isFirstTry ? .init(status: 500) : .init()
        }
        try await shop.run { server, port in
            let ids = try await outbox.put("http://127.0.0.1:\(port)/")
            let worker = outbox.worker(dialects: [TestDialect(messagesCount: 2)])
            for message in 0..<2 {
                #expect(await worker.deliverDue() == WebhookReport(failedCount: 1))
                let event = try await outbox.event(ids[0])
                #expect(event.messageIndex == message && event.attemptsCount == 1 && event.state == .pending)
                outbox.clock.advance(seconds: 4)
                #expect(await worker.deliverDue() == WebhookReport())
                outbox.clock.advance(seconds: 1)
                #expect(await worker.deliverDue() == WebhookReport(deliveredCount: 1))
            }
            #expect(server.received.map { $0.headers["x-message"] } == ["0", "0", "1", "1"])
            #expect(server.received.map { $0.headers["x-attempt"] } == ["0", "1", "0", "1"])
            #expect(try await outbox.event(ids[0]).state == .delivered)
            #expect(await worker.deliverDue() == WebhookReport())
        }
    }

    @Test func followsNoRedirect() async throws {
        let outbox = try await Outbox.open()
        let shop = ShopServer { request in
            request.uri == "/" ? .init(status: 307, headers: [("Location", "/other")]) : .init()
        }
        try await shop.run { server, port in
            let ids = try await outbox.put("http://127.0.0.1:\(port)/")
            #expect(await outbox.worker().deliverDue() == WebhookReport(failedCount: 1))
            #expect(try await outbox.event(ids[0]).lastResult == "http_307")
            #expect(server.received.count == 1)
        }
    }

    @Test func keepsNoCookies() async throws {
        let outbox = try await Outbox.open()
        let shop = ShopServer { _ in .init(headers: [("Set-Cookie", "a=b")]) }
        try await shop.run { server, port in
            try await outbox.put("http://127.0.0.1:\(port)/1", "http://127.0.0.1:\(port)/2")
            await outbox.worker().deliverDue()
            await outbox.worker().deliverDue()
            #expect(server.received.count == 2)
            #expect(server.received.allSatisfy { $0.headers["cookie"] == nil })
        }
    }

    @Test func takesAtMostAsManyAtOnceAsItMay() async throws {
        let outbox = try await Outbox.open()
        try await ShopServer().run { server, port in
            for _ in 0..<5 { try await outbox.put("http://127.0.0.1:\(port)/") }
            let worker = outbox.worker(WebhookSettings(concurrencyMax: 2, allowsPrivateTargets: true))
            for expected in [2, 2, 1, 0] {
                #expect(await worker.deliverDue() == WebhookReport(deliveredCount: expected))
            }
            #expect(server.received.count == 5)
        }
    }

    @Test func refusesAnAnswerThatIsTooLarge() async throws {
        let outbox = try await Outbox.open()
        let long = String(repeating: "x", count: 64 * 1024 + 1)
        let shop = ShopServer { _ in .init(body: long) }
        try await shop.run { _, port in
            let ids = try await outbox.put("http://127.0.0.1:\(port)/")
            #expect(await outbox.worker().deliverDue() == WebhookReport(failedCount: 1))
            #expect(try await outbox.event(ids[0]).lastResult == "answer_too_large")
        }
    }

    @Test func recordsHowLongAnAttemptTook() async throws {
        let outbox = try await Outbox.open()
        let shop = ShopServer { [clock = outbox.clock] _ in
            clock.advance(seconds: 3)
            return .init(status: 200, body: "ok")
        }
        try await shop.run { _, port in
            let ids = try await outbox.put("http://127.0.0.1:\(port)/")
            #expect(await outbox.worker().deliverDue() == WebhookReport(deliveredCount: 1))
            let merchant = outbox.merchant.id
            let seen = try await outbox.store.read {
                try $0.observations(.delivery, of: merchant, subject: ids[0].text, limit: 10)
            }
            #expect(seen.map { $0.facts["milliseconds"] } == ["3000"])
        }
    }

    @Test func recordsAServerThatIsNotThere() async throws {
        let outbox = try await Outbox.open()
        // Port 1 is given to nobody; one that was given back may be another test's by now.
        let ids = try await outbox.put("http://127.0.0.1:1/")
        #expect(await outbox.worker().deliverDue() == WebhookReport(failedCount: 1))
        #expect(try await outbox.event(ids[0]).lastResult == "connection_failed")
    }

    @Test func recordsAServerThatIsNoTLSServer() async throws {
        let outbox = try await Outbox.open()
        try await ShopServer().run { server, port in
            let ids = try await outbox.put("https://127.0.0.1:\(port)/")
            #expect(await outbox.worker().deliverDue() == WebhookReport(failedCount: 1))
            #expect(try await outbox.event(ids[0]).lastResult == "tls_failed")
            #expect(server.received.isEmpty)
        }
    }

    @Test func recordsATargetThatIsNoAddress() async throws {
        let outbox = try await Outbox.open()
        let ids = try await outbox.put("not an address")
        #expect(await outbox.worker().deliverDue() == WebhookReport(failedCount: 1))
        #expect(try await outbox.event(ids[0]).lastResult == "target_malformed")
    }

    @Test func recordsWhyAnEventCannotBeWritten() async throws {
        let outbox = try await Outbox.open()
        let ids = try await outbox.put("https://shop.example/")
        let worker = outbox.worker(dialects: [TestDialect(isWritable: false)])
        #expect(await worker.deliverDue() == WebhookReport(failedCount: 1))
        #expect(try await outbox.event(ids[0]).lastResult == "not_writable")

        let stranger = try await Outbox.open(hasAccount: false)
        let others = try await stranger.put("https://shop.example/")
        #expect(await stranger.worker().deliverDue() == WebhookReport(failedCount: 1))
        #expect(try await stranger.event(others[0]).lastResult == "account_not_found")
    }

    @Test func leavesADialectThatIsNotLoadedForLater() async throws {
        let outbox = try await Outbox.open()
        let ids = try await outbox.put("https://shop.example/")
        #expect(await outbox.worker(dialects: []).deliverDue() == WebhookReport(failedCount: 1))
        let event = try await outbox.event(ids[0])
        #expect(event.state == .pending && event.lastResult == "dialect_not_loaded")
    }
}
