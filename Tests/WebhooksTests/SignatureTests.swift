//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Payments
import Redaction
import Synchronization
import Testing
import Time
import Webhooks

/// Our own signature beside whatever a dialect has.
@Suite struct SignatureTests {
    private static let dialect = DialectName("test")

    private static func verdict(
        _ request: ShopServer.Received, _ secrets: [Redacted<String>], _ outbox: Outbox
    ) -> WebhookSignature.Verdict {
        WebhookSignature.verdict(
            header: request.headers["pomona-signature"] ?? "", messageID: request.headers["pomona-event-id"] ?? "",
            body: Array(request.body.utf8), secrets: secrets, at: outbox.clock.now)
    }

    @Test func everyWebhookIsSignedAndOtherwiseAsTheDialectHasIt() async throws {
        let outbox = try await Outbox.open()
        try await ShopServer().run { server, port in
            let ids = try await outbox.put("http://127.0.0.1:\(port)/")
            #expect(await outbox.worker().deliverDue() == WebhookReport(deliveredCount: 1))
            let request = try #require(server.received.first)
            let secrets = try #require(
                try await outbox.gateway.administration.knownWebhookSecrets(
                    of: outbox.merchant.id, dialect: Self.dialect))
            #expect(Self.verdict(request, [secrets.current], outbox) == .valid)
            #expect(Self.verdict(request, [Redacted("another")], outbox) == .forged)
            #expect(request.headers["pomona-event-id"] == ids[0].text && request.headers["pomona-attempt"] == "1")
            #expect(request.headers["pomona-signature"]?.split(separator: ",").count == 2)
            #expect(request.body == "authorizationSucceeded for SHOP")
            #expect(request.headers["content-type"] == "text/plain" && request.headers["x-event"] == ids[0].text)
        }
    }

    @Test func everyAttemptIsSignedAtItsTime() async throws {
        let outbox = try await Outbox.open()
        let shop = ShopServer { _ in .init(status: 503) }
        try await shop.run { server, port in
            try await outbox.put("http://127.0.0.1:\(port)/")
            let worker = outbox.worker()
            #expect(await worker.deliverDue() == WebhookReport(failedCount: 1))
            let first = outbox.clock.now.seconds
            outbox.clock.advance(seconds: 5)
            #expect(await worker.deliverDue() == WebhookReport(failedCount: 1))
            let signatures = server.received.compactMap { $0.headers["pomona-signature"] }
            #expect(signatures.count == 2 && Set(signatures).count == 2)
            #expect(signatures[0].hasPrefix("t=\(first),") && signatures[1].hasPrefix("t=\(first + 5),"))
            #expect(server.received.map { $0.headers["pomona-attempt"] } == ["1", "2"])
            #expect(Set(server.received.map { $0.headers["pomona-event-id"] }).count == 1)
        }
    }

    /// Who throws repeated messages away by their id must not throw the second one of an event away.
    @Test func messagesOfAnEventHaveIDsOfTheirOwn() async throws {
        let outbox = try await Outbox.open()
        try await ShopServer().run { server, port in
            let ids = try await outbox.put("http://127.0.0.1:\(port)/")
            let worker = outbox.worker(dialects: [TestDialect(messagesCount: 3)])
            for _ in 0..<3 { #expect(await worker.deliverDue() == WebhookReport(deliveredCount: 1)) }
            #expect(
                server.received.map { $0.headers["pomona-event-id"] }
                    == [ids[0].text, ids[0].text + "-2", ids[0].text + "-3"])
            let secrets = try await outbox.gateway.administration.webhookSecrets(
                of: outbox.merchant.id, dialect: Self.dialect)
            #expect(server.received.allSatisfy { Self.verdict($0, [secrets.current], outbox) == .valid })
        }
    }

    @Test func bothSecretsSignWhileOneIsBeingChanged() async throws {
        let outbox = try await Outbox.open()
        let id = outbox.merchant.id
        let old = try await outbox.gateway.administration.webhookSecrets(of: id, dialect: Self.dialect)
        let new = try await outbox.gateway.administration.rotateWebhookSecret(of: id, dialect: Self.dialect)
        try await ShopServer().run { server, port in
            try await outbox.put("http://127.0.0.1:\(port)/")
            await outbox.worker().deliverDue()
            outbox.clock.advance(seconds: WebhookSecrets.overlapSeconds)
            try await outbox.put("http://127.0.0.1:\(port)/")
            let verdicts = { () -> [WebhookSignature.Verdict] in
                server.received.last.map { last in
                    [old, new].map { Self.verdict(last, [$0.current], outbox) }
                } ?? []
            }
            #expect(server.received.count == 1)
            await outbox.worker().deliverDue()
            #expect(server.received.count == 2)
            #expect(verdicts() == [.forged, .valid])
            #expect(server.received[0].headers["pomona-signature"]?.split(separator: ",").count == 3)
        }
    }

    /// Two accounts of one merchant, or two merchants, have nothing in common.
    @Test func accountsHaveSecretsOfTheirOwn() async throws {
        let outbox = try await Outbox.open()
        let other = try await Outbox.open()
        let secrets = try await outbox.gateway.administration.webhookSecrets(
            of: outbox.merchant.id, dialect: Self.dialect)
        let others = try await other.gateway.administration.webhookSecrets(of: other.merchant.id, dialect: Self.dialect)
        #expect(secrets.current != others.current)
    }
}
