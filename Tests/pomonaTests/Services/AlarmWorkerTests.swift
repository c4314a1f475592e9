//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerLink
import Administration
import DialectKit
import Gateway
import Logging
import Payments
import Redaction
import Server
import StrictJSON
import Synchronization
import TestUpstream
import Testing
import Time
import Webhooks

@testable import pomona

/// Alarms from the first look to the operator's server, over real sockets.
struct AlarmWorkerTests {
    private static let secret = Redacted("a secret of the operator's")

    private static func application(
        _ folder: CliFolder, clock: @escaping @Sendable () -> Timestamp = { Timestamp.now() }
    ) async throws -> Application {
        var surroundings = Surroundings.system
        surroundings.clock = clock
        var configuration = ApplicationConfiguration.sandbox(DataDirectory(path: folder.file("data")))
        configuration.hasShop = false
        configuration.logLevel = .critical
        return try await Application.build(configuration, surroundings: surroundings)
    }

    private static func worker(
        _ application: Application, _ registry: PrometheusRegistry, url: String = "http://127.0.0.1:1/",
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) -> AlarmWorker {
        var surroundings = Surroundings.system
        surroundings.writeLogLine = log
        return AlarmWorker(
            gateway: application.gateway, registry: registry, directory: application.directory, node: "here",
            target: AlarmTarget(url: url, secret: Self.secret, allowsPrivateTargets: true),
            steadyNanoseconds: { 0 }, logger: surroundings.logger("test", level: .trace), sleep: { _ in })
    }

    @Test func showsWhatStandsLogsItAndEndsIt() async throws {
        let folder = try CliFolder()
        let application = try await Self.application(folder)
        let registry = PrometheusRegistry()
        let lines = Mutex<[String]>([])
        let link = Mutex(AcquirerLinkState.refused)
        var worker = Self.worker(application, registry) { line in lines.withLock { $0.append(line) } }
        worker.linkState = { link.withLock { $0 } }
        var watch = worker.clockWatch()
        await worker.pass(&watch)
        await worker.pass(&watch)
        let metric = "pomona_alarms{kind=\"acquirer_link\",severity=\"failure\"}"
        #expect(registry.exposition().contains("\(metric) 1\n"))
        #expect(registry.exposition().contains("pomona_alarms{kind=\"disk\",severity=\"warning\"} 0\n"))
        let begun = lines.withLock { $0.filter { $0.contains("alarm begun") } }
        #expect(begun.count == 1 && begun.first?.contains("code=acquirer_link_refused") == true, "\(begun)")
        link.withLock { $0 = .connected }
        await worker.pass(&watch)
        #expect(registry.exposition().contains("\(metric) 0\n"))
        #expect(lines.withLock { $0.count { $0.contains("alarm ended") } } == 1)
        await worker.books()
        await worker.acquirers()
        #expect(try await application.gateway.administration.read { try $0.standingAlarms() }.isEmpty)
        await application.close()
    }

    /// Not as severe as a link that is down: somebody has meant it.
    @Test func acquirerThatIsSignedOffIsAWarning() async throws {
        let folder = try CliFolder()
        let application = try await Self.application(folder)
        let registry = PrometheusRegistry()
        var worker = Self.worker(application, registry)
        worker.linkState = { .signedOff }
        var watch = worker.clockWatch()
        await worker.pass(&watch)
        #expect(registry.exposition().contains("pomona_alarms{kind=\"acquirer_link\",severity=\"warning\"} 1\n"))
        let standing = try await application.gateway.administration.read { try $0.standingAlarms() }
        #expect(standing.map(\.code) == ["acquirer_link_signed_off"])
        await application.close()
    }

    /// Signed as merchants' webhooks are, sent again until it is taken, and then no more.
    @Test func notifiesTheOperatorUntilItIsTaken() async throws {
        let folder = try CliFolder()
        let ahead = Mutex<Int64>(0)
        let application = try await Self.application(folder) {
            Timestamp.now().adding(seconds: ahead.withLock { $0 })
        }
        let server = try await StubUpstream { _, number in
            StubAnswer(status: number == 1 ? 503 : 204, body: "")
        }
        let url = "http://127.0.0.1:\(server.port)/alarms"
        let registry = PrometheusRegistry()
        var worker = Self.worker(application, registry, url: url)
        worker.linkState = { .unreachable }
        var watch = worker.clockWatch()
        await worker.pass(&watch)
        let notifier = OperatorNotifier(target: url, allowsPrivateTargets: true)
        await worker.notify(notifier, Self.secret)
        // It waits for its next try.
        await worker.notify(notifier, Self.secret)
        #expect(server.requests.count == 1)
        let alarm = try #require(
            try await application.gateway.administration.read { try $0.standingAlarms() }.first)
        ahead.withLock { $0 += 11 }
        await worker.notify(notifier, Self.secret)
        ahead.withLock { $0 += 86_400 }
        await worker.notify(notifier, Self.secret)
        #expect(server.requests.count == 2)
        await application.close()
        let request = try #require(server.requests.first)
        let header = { (name: String) in request.headers.first { $0.name.lowercased() == name.lowercased() }?.value }
        #expect(request.method == "POST" && request.path == "/alarms")
        #expect(header(WebhookSignature.idHeaderName) == "\(alarm.id)-begun")
        let verdict = WebhookSignature.verdict(
            header: header(WebhookSignature.headerName) ?? "", messageID: "\(alarm.id)-begun", body: request.body,
            secrets: [Self.secret], at: Timestamp.now())
        #expect(verdict == .valid)
        let body = try JSON.parse(request.body)
        #expect(body["event"]?.string == "alarm.begun" && body["code"]?.string == "acquirer_link_unreachable")
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
