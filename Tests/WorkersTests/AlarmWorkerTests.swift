//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import Logging
import Payments
import Redaction
import Server
import StrictJSON
import Synchronization
import TestGateway
import TestUpstream
import Testing
import Time
import Webhooks

@testable import Workers

/// Alarms from the first look to the operator's server, over real sockets.
struct AlarmWorkerTests {
    private static let secret = Redacted("a secret of the operator's")

    private static let broken = Finding(
        .acquirer, "acquirer_link_refused", .failure, subject: "link", "The link is refused.", because: "It is.")

    private static func worker(
        _ test: TestGateway, _ registry: PrometheusRegistry, url: String = "http://127.0.0.1:1/",
        link: @escaping @Sendable () -> [Finding] = { [] },
        domains: @escaping @Sendable ([RegisteredDomain]) async -> [Finding] = { _ in [] },
        certificates: [ServerCertificate] = [], node: String = "here",
        steadyNanoseconds: @escaping @Sendable () -> Int64 = { 0 }
    ) -> AlarmWorker {
        AlarmWorker(
            gateway: test.gateway, registry: registry, node: node,
            target: AlarmTarget(url: url, secret: Self.secret, allowsPrivateTargets: true),
            sights: AlarmSights(disk: { [] }, link: link, domains: domains, serverCertificates: certificates),
            asks: true, steadyNanoseconds: steadyNanoseconds, logger: test.log.logger, sleep: { _ in })
    }

    private static func standing(_ test: TestGateway) async throws -> [Alarm] {
        try await test.gateway.administration.read { try $0.standingAlarms() }
    }

    @Test func showsWhatStandsLogsItAndEndsIt() async throws {
        let test = try await TestGateway.open()
        let registry = PrometheusRegistry()
        let link = Mutex([Self.broken])
        let worker = Self.worker(test, registry, link: { link.withLock { $0 } })
        var watch = worker.clockWatch()
        await worker.pass(&watch)
        await worker.pass(&watch)
        let metric = "pomona_alarms{kind=\"acquirer_link\",severity=\"failure\"}"
        #expect(registry.exposition().contains("\(metric) 1\n"))
        #expect(registry.exposition().contains("pomona_alarms{kind=\"disk\",severity=\"warning\"} 0\n"))
        let begun = test.log.lines.filter { $0.contains("alarm begun") }
        #expect(begun.count == 1 && begun.first?.contains("acquirer_link_refused") == true, "\(begun)")
        link.withLock { $0 = [] }
        await worker.pass(&watch)
        #expect(registry.exposition().contains("\(metric) 0\n"))
        #expect(test.log.lines.count { $0.contains("alarm ended") } == 1)
        await worker.books()
        await worker.acquirers()
        #expect(try await Self.standing(test).isEmpty)
    }

    /// A node is scaled down while its link is down: another ends its alarm, in the log, the audit log and the metric.
    /// Nobody knows when it ends, and so nobody would be warned.
    @Test func warnsOfAListenersCertificateThatCannotBeRead() async throws {
        let test = try await TestGateway.open()
        let pem = "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n"
        let worker = Self.worker(
            test, PrometheusRegistry(), certificates: [ServerCertificate(pem: pem, setting: "tls.certificateFile")])
        var watch = worker.clockWatch()
        await worker.pass(&watch)
        let alarm = try #require(try await Self.standing(test).first { $0.kind == .serverCertificate })
        #expect(alarm.code == "server_certificate_unreadable" && alarm.severity == .warning)
        #expect(alarm.subject.contains("tls.certificateFile"))
        #expect(alarm.text.contains("tls.certificateFile") && alarm.advice.contains("2048 bits"))
    }

    @Test func endsWhatANodeHasLeftBehind() async throws {
        let test = try await TestGateway.open()
        let registry = PrometheusRegistry()
        let gone = Self.worker(test, PrometheusRegistry(), link: { [Self.broken] }, node: "gone")
        var watch = gone.clockWatch()
        await gone.pass(&watch)
        let clock = test.clock
        let start = clock.now
        let here = Self.worker(
            test, registry, steadyNanoseconds: { clock.now.milliseconds(since: start) * 1_000_000 })
        var (own, nodes) = (here.clockWatch(), NodeWatch())
        for _ in 0..<119 {
            test.clock.advance(seconds: 30)
            await here.nodes(&nodes)
            await here.pass(&own)
        }
        let metric = "pomona_alarms{kind=\"acquirer_link\",severity=\"failure\"}"
        #expect(registry.exposition().contains("\(metric) 1\n"))
        test.clock.advance(seconds: 30)
        await here.nodes(&nodes)
        await here.pass(&own)
        #expect(registry.exposition().contains("\(metric) 0\n"))
        #expect(try await Self.standing(test).isEmpty)
        #expect(test.log.lines.count { $0.contains("alarm ended: node gone") } == 1)
        let entry = try await test.gateway.administration.read { try $0.lastAuditEntry() }
        #expect(entry?.act == .alarmEnd && entry?.details["reason"] == "node gone")
    }

    /// What is found of a domain is also kept as its latest check.
    @Test func asksForTheDomainsThatAreRegistered() async throws {
        let test = try await TestGateway.open()
        let merchant = try await test.addMerchant(dialect: DialectName("test"), key: "TEST")
        let host = try #require(WellKnownHost("shop.example.com"))
        try await test.gateway.administration.addDomain(host, to: merchant.id, file: Array("7B22".utf8))
        let worker = Self.worker(
            test, PrometheusRegistry(),
            domains: { entries in
                entries.map {
                    Finding(
                        .domain, "domain_not_reached", .failure, merchant: "test", subject: $0.host.name, "It is away.",
                        because: "It is.")
                }
            })
        await worker.domainNames()
        #expect(try await Self.standing(test).map(\.code) == ["domain_not_reached"])
        let domain = try #require(try await test.gateway.administration.domain(host))
        #expect(domain.check != nil)
    }

    /// Signed as merchants' webhooks are, sent again until it is taken, and then no more.
    @Test func notifiesTheOperatorUntilItIsTaken() async throws {
        let test = try await TestGateway.open()
        let server = try await StubUpstream { _, number in
            StubAnswer(status: number == 1 ? 503 : 204, body: "")
        }
        let url = "http://127.0.0.1:\(server.port)/alarms"
        let registry = PrometheusRegistry()
        let worker = Self.worker(test, registry, url: url, link: { [Self.broken] })
        var watch = worker.clockWatch()
        await worker.pass(&watch)
        let notifier = OperatorNotifier(target: url, allowsPrivateTargets: true)
        await worker.notify(notifier, Self.secret)
        // It waits for its next try.
        await worker.notify(notifier, Self.secret)
        #expect(server.requests.count == 1)
        let alarm = try #require(try await Self.standing(test).first)
        test.clock.advance(seconds: 11)
        await worker.notify(notifier, Self.secret)
        let sentAt = test.clock.now
        test.clock.advance(seconds: 86_400)
        await worker.notify(notifier, Self.secret)
        #expect(server.requests.count == 2)
        let request = try #require(server.requests.first)
        let header = { (name: String) in request.headers.first { $0.name.lowercased() == name.lowercased() }?.value }
        #expect(request.method == "POST" && request.path == "/alarms")
        #expect(header(WebhookSignature.idHeaderName) == "\(alarm.id)-begun")
        let verdict = WebhookSignature.verdict(
            header: header(WebhookSignature.headerName) ?? "", messageID: "\(alarm.id)-begun", body: request.body,
            secrets: [Self.secret], at: sentAt)
        #expect(verdict == .valid)
        let body = try JSON.parse(request.body)
        #expect(body["event"]?.string == "alarm.begun" && body["code"]?.string == "acquirer_link_refused")
        let second = try #require(server.requests.last)
        #expect(second.body == request.body)
        #expect(second.headers.contains { $0.name.lowercased() == "pomona-attempt" && $0.value == "2" })
        for result in ["failed", "taken"] {
            #expect(registry.exposition().contains("pomona_alarm_messages_total{result=\"\(result)\"} 1"))
        }
        await server.close()
    }

    @Test func goesToNoPrivateAddressUnlessItMay() async throws {
        let server = try await StubUpstream { _, _ in StubAnswer(status: 200, body: "") }
        let url = "http://127.0.0.1:\(server.port)/"
        let message = OutgoingNotification(headers: [], body: [])
        let refused = await OperatorNotifier(target: url, allowsPrivateTargets: false).send(message)
        #expect(refused.word == "target_not_public" && !refused.isTaken && server.requests.isEmpty)
        let sent = await OperatorNotifier(target: url, allowsPrivateTargets: true).send(message)
        #expect(sent.word == "http_200" && sent.isTaken)
        await server.close()
    }
}
