//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Administration
import DialectKit
public import Gateway
public import Logging
import Metrics
import Payments
public import Redaction
public import Server
public import ServiceLifecycle
import Time
import Webhooks

/// Where the operator is notified of alarms.
public struct AlarmTarget: Sendable {
    let url: String
    /// Signs the messages, as merchants' webhooks are signed.
    let secret: Redacted<String>
    let allowsPrivateTargets: Bool

    public init(url: String, secret: Redacted<String>, allowsPrivateTargets: Bool) {
        self.url = url
        self.secret = secret
        self.allowsPrivateTargets = allowsPrivateTargets
    }
}

/// What an ``AlarmWorker`` looks at that is the program's: its machine, and the net around it.
public struct AlarmSights: Sendable {
    /// The disk that the data directory lies on.
    let disk: @Sendable () -> [Finding]
    /// The link to an acquirer in another process.
    let link: @Sendable () -> [Finding]
    /// What merchants' domains serve, as Apple reads it.
    let domains: @Sendable ([RegisteredDomain]) async -> [Finding]
    /// The certificates of files that the program shows.
    let serverCertificates: [ServerCertificate]

    public init(
        disk: @escaping @Sendable () -> [Finding], link: @escaping @Sendable () -> [Finding],
        domains: @escaping @Sendable ([RegisteredDomain]) async -> [Finding], serverCertificates: [ServerCertificate]
    ) {
        self.disk = disk
        self.link = link
        self.domains = domains
        self.serverCertificates = serverCertificates
    }
}

/// Looks again and again, until the process stops, whether there is something that an operator has to know of; writes
/// what begins and ends into the store and the log, shows what stands as a metric, and notifies the operator.
public struct AlarmWorker: Service {
    static let pauseMilliseconds: Int64 = 30_000
    /// Between two rounds of questions to acquirers.
    static let acquirersMilliseconds: Int64 = 600_000
    /// Between two checks of the books, and two of the domains.
    static let booksMilliseconds: Int64 = 3_600_000
    /// Before the first of these: a gateway that is started again and again looks, too.
    static let firstMilliseconds: Int64 = 60_000
    /// Between two reads of the books.
    static let pageMilliseconds: Int64 = 50
    static let messagesMilliseconds: Int64 = 5000

    let gateway: Gateway
    let registry: PrometheusRegistry
    /// What the node is called in the subjects of its own alarms.
    let node: String
    let target: AlarmTarget?
    let sights: AlarmSights
    /// Whether acquirers and domains are asked. Not of a sandbox, whose are its own.
    let asks: Bool
    let steadyNanoseconds: @Sendable () -> Int64
    let logger: Logger
    let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void

    public init(
        gateway: Gateway, registry: PrometheusRegistry, node: String, target: AlarmTarget?, sights: AlarmSights,
        asks: Bool, steadyNanoseconds: @escaping @Sendable () -> Int64, logger: Logger,
        sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void
    ) {
        self.gateway = gateway
        self.registry = registry
        self.node = node
        self.target = target
        self.sights = sights
        self.asks = asks
        self.steadyNanoseconds = steadyNanoseconds
        self.logger = logger
        self.sleep = sleep
    }

    public func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var (watch, nodes) = (self.clockWatch(), NodeWatch())
                await self.again(Self.pauseMilliseconds, first: 0) {
                    await self.nodes(&nodes)
                    await self.pass(&watch)
                }
            }
            group.addTask { await self.again(Self.booksMilliseconds) { await self.books() } }
            if self.asks {
                group.addTask { await self.again(Self.acquirersMilliseconds) { await self.acquirers() } }
                group.addTask { await self.again(Self.booksMilliseconds) { await self.domainNames() } }
            }
            if let target = self.target {
                let notifier = OperatorNotifier(
                    target: target.url, allowsPrivateTargets: target.allowsPrivateTargets)
                group.addTask {
                    await self.again(Self.messagesMilliseconds, first: Self.messagesMilliseconds) {
                        await self.notify(notifier, target.secret)
                    }
                }
            }
        }
    }

    private func again(
        _ milliseconds: Int64, first: Int64 = Self.firstMilliseconds, _ body: () async -> Void
    ) async {
        var pause = first
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            let (sleep, now) = (self.sleep, pause)
            if now > 0 { try? await cancelWhenGracefulShutdown { try await sleep(now) } }
            pause = milliseconds
            guard !Task.isCancelled, !Task.isShuttingDownGracefully else { return }
            await body()
        }
    }

    func clockWatch() -> ClockWatch {
        ClockWatch(now: self.gateway.now(), steadyMilliseconds: self.steadyNanoseconds() / 1_000_000)
    }
}

// MARK: - Looking

extension AlarmWorker {
    /// One look at what costs little.
    func pass(_ watch: inout ClockWatch) async {
        let jump = watch.look(
            now: self.gateway.now(), steadyMilliseconds: self.steadyNanoseconds() / 1_000_000)
        let isFirst = watch.looksCount == 1
        await self.update("alarms") {
            var look = try await self.gateway.administration.lookForAlarms(isFirst: isFirst)
            look.add(.clock, jump.map { [$0] } ?? [], node: self.node)
            look.add(.clock, try await self.gateway.administration.examineStoreClock(), node: self.node)
            look.add(.disk, self.sights.disk(), node: self.node)
            look.add(
                .serverCertificate,
                Finding.ofServerCertificates(self.sights.serverCertificates, at: self.gateway.now()), node: self.node)
            look.add(.acquirerLink, self.sights.link(), node: self.node)
            return look
        }
    }

    /// Says that this node is there, and ends what those have begun that are not any more.
    func nodes(_ watch: inout NodeWatch) async {
        let endsOthers = watch.look(steadyMilliseconds: self.steadyNanoseconds() / 1_000_000)
        do {
            let ended = try await self.gateway.administration.lookAfterNodes(as: self.node, endsOthers: endsOthers)
            for alarm in ended { self.logger.notice("alarm ended: node gone", metadata: Self.metadata(of: alarm)) }
        } catch is CancellationError {
            return
        } catch {
            watch.fail()
            self.logger.warning("alarms of other nodes could not be looked at", metadata: ["reason": "\(error)"])
        }
    }

    /// One round of questions to the acquirers.
    func acquirers() async {
        await self.update("acquirers") {
            try await self.gateway.administration.lookForFailingAcquirers(node: self.node)
        }
    }

    /// One look at the domains.
    func domainNames() async {
        await self.update("domains") {
            let administration = self.gateway.administration
            let domains = try await administration.domains()
            let findings = await self.sights.domains(domains)
            for domain in domains { try await administration.noteCheck(of: domain.host, findings) }
            var look = AlarmLook()
            // Each node is at a place of its own, from which a domain may look otherwise.
            look.add(.domain, findings, node: self.node)
            return look
        }
    }

    /// One check of the books and the audit log.
    func books() async {
        await self.update("books") {
            try await self.gateway.administration.lookAtBooks { [sleep] in try await sleep(Self.pageMilliseconds) }
        }
    }

    /// What fails is logged, and looked at again at the next pass: what could not be looked at neither begins nor
    /// ends.
    private func update(_ what: String, _ look: () async throws -> AlarmLook) async {
        do {
            let found = try await look()
            let changes = try await self.gateway.administration.updateAlarms(
                found.findings, in: found.scopes, reports: self.target != nil)
            self.log(changes)
            self.show(changes.standing)
        } catch is CancellationError {
            return
        } catch {
            self.logger.warning("\(what) could not be looked at", metadata: ["reason": "\(error)"])
        }
    }

    private func log(_ changes: AlarmChanges) {
        for alarm in changes.begun {
            self.logger.log(
                level: alarm.severity == .failure ? .error : .warning, "alarm begun", metadata: Self.metadata(of: alarm)
            )
        }
        for alarm in changes.ended { self.logger.notice("alarm ended", metadata: Self.metadata(of: alarm)) }
    }

    private static func metadata(of alarm: Alarm) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "alarm": "\(alarm.id)", "kind": "\(alarm.kind.rawValue)", "subject": "\(alarm.subject)",
            "severity": "\(alarm.severity.rawValue)", "code": "\(alarm.code)", "reason": "\(alarm.text)",
        ]
        if let merchant = alarm.merchant { metadata["merchant"] = "\(merchant)" }
        return metadata
    }

    /// All kinds and severities, so that none is missing while nothing is wrong.
    private func show(_ standing: [Alarm]) {
        let gauges = Alarm.Kind.allCases.flatMap { kind in
            Alarm.Severity.allCases.map { severity in
                (
                    dimensions: [("kind", kind.rawValue), ("severity", severity.rawValue)],
                    value: Int64(standing.count { $0.kind == kind && $0.severity == severity })
                )
            }
        }
        self.registry.setGauges("pomona_alarms", gauges)
    }
}

// MARK: - Notifying

extension AlarmWorker {
    /// Sends what is due, one message after the other.
    func notify(_ notifier: OperatorNotifier, _ secret: Redacted<String>) async {
        do {
            for message in try await self.gateway.administration.dueAlarmMessages() {
                let body = message.body
                let signature = WebhookSignature(
                    messageID: message.id, body: body, secrets: [secret], at: self.gateway.now())
                let result = await notifier.send(
                    OutgoingNotification(
                        method: "POST",
                        headers: [
                            .init("Content-Type", "application/json"), .init(WebhookSignature.idHeaderName, message.id),
                            .init(WebhookSignature.attemptHeaderName, String(message.attempt)),
                            .init(WebhookSignature.headerName, signature.text),
                        ], body: body))
                Counter(
                    label: "pomona_alarm_messages", dimensions: [("result", result.isTaken ? "taken" : "failed")],
                    factory: self.registry
                ).increment()
                if !result.isTaken {
                    self.logger.warning(
                        "operator not notified",
                        metadata: [
                            "message": "\(message.id)", "attempt": "\(message.attempt)", "result": "\(result.word)",
                        ])
                }
                try await self.gateway.administration.record(message, isTaken: result.isTaken)
            }
        } catch {
            self.logger.warning("the operator could not be notified", metadata: ["reason": "\(error)"])
        }
    }
}
