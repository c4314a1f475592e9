//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import Foundation
import Gateway
import MemoryStore
import Metrics
import Payments
import Server
import Synchronization
import TestGateway
import TestUpstream
import Testing
import Time

@testable import Workers

/// What `/metrics` says without a request: the store's open work, the link, the certificates' last days.
@Suite struct StateMetricsTests {
    private func metrics(
        _ test: TestGateway, _ registry: PrometheusRegistry, link: LinkMeasurement? = nil,
        certificates: [String] = [], at now: Timestamp
    ) -> StateMetrics {
        var current: (@Sendable () -> LinkMeasurement)?
        if let link { current = { link } }
        return StateMetrics(
            gateway: test.gateway, registry: registry, link: current,
            serverCertificates: certificates.map { ServerCertificate(pem: $0, setting: "tls.certificateFile") },
            known: [KnownSeries("pomona_sign_ins_total", "result", ["lockedOut", "refused"])], clock: { now },
            sleep: { _ in })
    }

    private func lines(_ registry: PrometheusRegistry, _ name: String) -> [String] {
        registry.exposition().split(separator: "\n").filter { $0.hasPrefix(name) }.map(String.init)
    }

    @Test func measuresOpenWorkAndTheDaysOfEveryCertificate() async throws {
        let test = try await TestGateway.open()
        let merchant = try await test.addMerchant("shop", dialect: DialectName("test"), key: "TEST")
        try await test.certifyIdentity(of: merchant)
        let registry = PrometheusRegistry()
        let now = test.clock.now
        await self.metrics(test, registry, at: now).measure()
        #expect(self.lines(registry, "pomona_webhooks") == ["pomona_webhooks_dead 0", "pomona_webhooks_pending 0"])
        #expect(self.lines(registry, "pomona_operations_unknown") == ["pomona_operations_unknown 0"])
        #expect(self.lines(registry, "pomona_recoveries_waiting") == ["pomona_recoveries_waiting 0"])
        #expect(self.lines(registry, "pomona_certificate_ending{").allSatisfy { $0.hasSuffix(" 0") })
        let certificates = self.lines(registry, "pomona_certificate_days_left{")
        #expect(certificates.count == 2)
        let credential = try #require(try await test.gateway.administration.credentials(of: nil).first)
        let days = try #require(credential.notAfter).milliseconds(since: now) / 86_400_000
        #expect(
            certificates.contains {
                $0.contains("certificate=\"\(credential.id.prefix(16))\"") && $0.contains("merchant=\"shop\"")
                    && $0.contains("purpose=\"\(credential.purpose.rawValue)\"") && $0.hasSuffix(" \(days)")
            })
        #expect(self.lines(registry, "pomona_acquirer_link_state").isEmpty)
        // After its end the days are negative.
        let late = try #require(credential.notAfter).adding(seconds: 1)
        await self.metrics(test, registry, at: late).measure()
        #expect(self.lines(registry, "pomona_certificate_days_left{").contains { $0.hasSuffix(" -1") })
    }

    /// What an alert asks for the growth of is there before the first event.
    @Test func countersBeginAtNothing() async throws {
        let test = try await TestGateway.open()
        let registry = PrometheusRegistry()
        self.metrics(test, registry, at: test.clock.now).expose()
        for name in ["pomona_notices_not_booked_total", "pomona_planned_captures_given_up_total"] {
            #expect(self.lines(registry, name) == ["\(name) 0"])
        }
        #expect(
            self.lines(registry, "pomona_sign_ins_total") == [
                "pomona_sign_ins_total{result=\"lockedOut\"} 0", "pomona_sign_ins_total{result=\"refused\"} 0",
            ])
        let lockedOut = Counter(
            label: "pomona_sign_ins", dimensions: [("result", "lockedOut")], factory: registry)
        lockedOut.increment()
        #expect(self.lines(registry, "pomona_sign_ins_total{result=\"lockedOut\"}").first?.hasSuffix(" 1") == true)
        Counter(label: "pomona_notices_not_booked_total", factory: registry).increment()
        #expect(self.lines(registry, "pomona_notices_not_booked") == ["pomona_notices_not_booked_total 1"])
        #expect(self.lines(registry, "process_cpu_seconds_total").isEmpty)
    }

    @Test func measuresTheLinkAndTheServersOwnCertificate() async throws {
        let test = try await TestGateway.open()
        let pem = try TestUpstream.TestAuthority("The web's").certify(host: "localhost").certificatePEM
        let certificate = try AppleCertificate(Array(pem.utf8))
        let registry = PrometheusRegistry()
        let link = LinkMeasurement(state: "refused", states: ["connected", "refused"], isConnecting: false)
        let now = Timestamp(seconds: Int64(certificate.notAfter.timeIntervalSince1970)).adding(
            seconds: -(800 * 86_400 + 1))
        let metrics = self.metrics(test, registry, link: link, certificates: [pem], at: now)
        #expect(await metrics.measure() == link)
        #expect(
            self.lines(registry, "pomona_acquirer_link_state") == [
                "pomona_acquirer_link_state{state=\"connected\"} 0", "pomona_acquirer_link_state{state=\"refused\"} 1",
            ])
        let server = self.lines(registry, "pomona_certificate_days_left{").filter { $0.contains("purpose=\"server\"") }
        #expect(server.count == 1 && server[0].hasSuffix(" 800"), "\(server)")
        // Of its two hours a quarter is half an hour.
        for (minutesLeft, severity) in [(31, 0), (29, 2), (13, 3), (-1, 3)] as [(Int64, Int)] {
            let end = Timestamp(seconds: Int64(certificate.notAfter.timeIntervalSince1970))
            let moment = end.adding(seconds: -minutesLeft * 60)
            await self.metrics(test, registry, certificates: [pem], at: moment).measure()
            let ending = self.lines(registry, "pomona_certificate_ending{")
            #expect(ending.count == 1 && ending[0].hasSuffix(" \(severity)"), "\(ending)")
            #expect(ending[0].contains("purpose=\"server\""))
        }
    }

    /// What cannot be read has no value, rather than an old one.
    @Test func storeThatCannotBeReadHasNoValues() async throws {
        let store = StoreThatEnds()
        let test = try await TestGateway.open(store: store)
        let registry = PrometheusRegistry()
        let metrics = self.metrics(test, registry, at: test.clock.now)
        await metrics.measure()
        #expect(!registry.exposition().isEmpty)
        store.end()
        await metrics.measure()
        #expect(registry.exposition().isEmpty)
    }
}

/// A store that can be read until it ends.
private final class StoreThatEnds: PaymentStore {
    private struct Ended: Error {}

    private let store = MemoryStore()
    private let hasEnded = Mutex(false)

    func end() { self.hasEnded.withLock { $0 = true } }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws -> Value {
        try await self.store.write(body)
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any StoreReader) throws -> Value) async throws -> Value {
        if self.hasEnded.withLock({ $0 }) { throw Ended() }
        return try await self.store.read(body)
    }
}
