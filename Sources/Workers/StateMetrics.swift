//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Administration
import ApplePayToken
import Foundation
public import Gateway
import Payments
public import Server
public import ServiceLifecycle
public import Time

/// How the link to an acquirer in another process stands.
public struct LinkMeasurement: Hashable, Sendable {
    /// What metrics call it.
    public let state: String
    /// All that there are.
    public let states: [String]
    /// Whether a first answer is awaited.
    public let isConnecting: Bool

    public init(state: String, states: [String], isConnecting: Bool) {
        self.state = state
        self.states = states
        self.isConnecting = isConnecting
    }
}

/// A counter with one label, of which all values are known before anything is counted.
public struct KnownSeries: Hashable, Sendable {
    public let metric: String
    public let label: String
    public let values: [String]

    public init(_ metric: String, _ label: String, _ values: [String]) {
        self.metric = metric
        self.label = label
        self.values = values
    }
}

/// Measures what changes without a request, again and again, until the process stops: what is open in the store, the
/// link to the acquirer, and how long certificates still run. What cannot be read has no value, rather than an old
/// one.
public struct StateMetrics: Service {
    static let pauseMilliseconds: Int64 = 15_000
    /// While a first answer is awaited.
    static let pauseMillisecondsConnecting: Int64 = 500
    /// Of the certificates only those that end first: a gateway may have any number of merchants.
    static let certificatesMax = 100

    let gateway: Gateway
    let registry: PrometheusRegistry
    /// `nil` where the acquirer runs within this process.
    let link: (@Sendable () -> LinkMeasurement)?
    /// The certificates of files that the program shows.
    let serverCertificates: [ServerCertificate]
    /// What begins at nothing beside the counters without labels.
    let known: [KnownSeries]
    let clock: @Sendable () -> Timestamp
    let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void

    public init(
        gateway: Gateway, registry: PrometheusRegistry, link: (@Sendable () -> LinkMeasurement)?,
        serverCertificates: [ServerCertificate], known: [KnownSeries] = [], clock: @escaping @Sendable () -> Timestamp,
        sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void
    ) {
        self.gateway = gateway
        self.registry = registry
        self.link = link
        self.serverCertificates = serverCertificates
        self.known = known
        self.clock = clock
        self.sleep = sleep
    }

    public func run() async throws {
        self.expose()
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            let sleep = self.sleep
            let link = await self.measure()
            let pause = link?.isConnecting == true ? Self.pauseMillisecondsConnecting : Self.pauseMilliseconds
            try? await cancelWhenGracefulShutdown { try await sleep(pause) }
        }
    }

    /// Begins the counters at nothing: of one that began with its first event, `increase` would not see that.
    func expose() {
        for metric in MetricDescription.all
        where metric.kind == .counter && metric.labels.isEmpty && metric.area != .process {
            _ = self.registry.makeCounter(label: metric.name, dimensions: [])
        }
        for series in self.known {
            for value in series.values {
                _ = self.registry.makeCounter(label: series.metric, dimensions: [(series.label, value)])
            }
        }
    }

    /// One pass.
    /// - Returns: how the link stands.
    @discardableResult
    func measure() async -> LinkMeasurement? {
        let open = try? await self.gateway.openWork()
        self.set("pomona_webhooks_pending", open?.pendingEventsCount)
        self.set("pomona_webhooks_dead", open?.deadEventsCount)
        self.set("pomona_operations_unknown", open?.unknownOperationsCount)
        self.set("pomona_recoveries_waiting", try? await self.gateway.lateReportsCount())
        await self.measureCertificates()
        guard let current = self.link?() else { return nil }
        self.registry.setGauges(
            "pomona_acquirer_link_state",
            current.states.map { ([("state", $0)], $0 == current.state ? 1 : 0) })
        return current
    }

    private func set(_ label: String, _ count: Int?) {
        self.registry.setGauges(label, count.map { [([], Int64($0))] } ?? [])
    }

    private func measureCertificates() async {
        let now = self.clock()
        let running = (try? await self.gateway.runningCertificates()) ?? []
        let ofMerchants = running.map { MeasuredCertificate($0, at: now) }
        let ofServer = self.serverCertificates.compactMap { MeasuredCertificate($0, at: now) }
        let soonest = (ofServer + ofMerchants).sorted { $0.notAfter < $1.notAfter }.prefix(Self.certificatesMax)
        self.registry.setGauges(
            "pomona_certificate_days_left",
            soonest.map { certificate in
                let milliseconds = certificate.notAfter.milliseconds(since: now)
                let days = milliseconds >= 0 ? milliseconds / 86_400_000 : (milliseconds + 1) / 86_400_000 - 1
                return (certificate.dimensions, days)
            })
        self.registry.setGauges(
            "pomona_certificate_ending", soonest.map { ($0.dimensions, Int64($0.severity.rank)) })
    }
}

/// A certificate as metrics show it.
private struct MeasuredCertificate {
    let notAfter: Timestamp
    let dimensions: [(String, String)]
    /// By the steps of doctor and alarms.
    let severity: Finding.Severity

    init(_ running: RunningCertificate, at now: Timestamp) {
        self.notAfter = running.notAfter
        self.dimensions = [
            ("merchant", running.merchantName), ("purpose", running.purpose.rawValue),
            ("certificate", running.keyPrefix),
        ]
        self.severity = EndStep(secondsLeft: running.notAfter.milliseconds(since: now) / 1000)?.severity ?? .good
    }

    /// - Returns: `nil` where there is no certificate in the file.
    init?(_ shown: ServerCertificate, at now: Timestamp) {
        guard let certificate = try? AppleCertificate(Array(shown.pem.utf8)) else { return nil }
        let notBefore = Timestamp(seconds: Int64(certificate.notBefore.timeIntervalSince1970))
        self.notAfter = Timestamp(seconds: Int64(certificate.notAfter.timeIntervalSince1970))
        self.dimensions = [
            ("merchant", ""), ("purpose", "server"), ("certificate", String(certificate.serialNumber.prefix(16))),
        ]
        let step = Finding.endStep(notBefore: notBefore, notAfter: self.notAfter, at: now)
        self.severity = step?.severity ?? .good
    }
}
