//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerLink
import Administration
import ApplePayToken
import Foundation
import Gateway
import Logging
import Payments
import Server
import Testing
import Time

@testable import pomona

/// What `/metrics` says without a request: the store's open work, the link, the certificates' last days.
@Suite struct StateMetricsTests {
    private func metrics(
        _ application: Application, _ registry: PrometheusRegistry, link: AcquirerLinkState? = nil,
        certificates: [String] = [], at now: Timestamp = .now()
    ) -> StateMetrics {
        var linkState: (@Sendable () -> AcquirerLinkState)?
        if let link { linkState = { link } }
        return StateMetrics(
            gateway: application.gateway, registry: registry, linkState: linkState, serverCertificates: certificates,
            clock: { now }, sleep: { _ in })
    }

    private func application(_ folder: CliFolder) async throws -> Application {
        var configuration = ApplicationConfiguration.sandbox(DataDirectory(path: folder.file("data")))
        configuration.listeners = [ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0)]
        configuration.hasShop = false
        configuration.logLevel = .critical
        return try await Application.build(configuration)
    }

    private func lines(_ registry: PrometheusRegistry, _ name: String) -> [String] {
        registry.exposition().split(separator: "\n").filter { $0.hasPrefix(name) }.map(String.init)
    }

    @Test func measuresOpenWorkAndTheDaysOfEveryCertificate() async throws {
        let folder = try CliFolder()
        let application = try await self.application(folder)
        let registry = PrometheusRegistry()
        let now = Timestamp.now()
        await self.metrics(application, registry, at: now).measure()
        #expect(self.lines(registry, "pomona_webhooks") == ["pomona_webhooks_dead 0", "pomona_webhooks_pending 0"])
        #expect(self.lines(registry, "pomona_operations_unknown") == ["pomona_operations_unknown 0"])
        let certificates = self.lines(registry, "pomona_certificate_days_left{")
        #expect(certificates.count == 2 * DialectModule.all.count)
        let credential = try #require(try await application.gateway.administration.credentials(of: nil).first)
        let days = try #require(credential.notAfter).milliseconds(since: now) / 86_400_000
        #expect(
            certificates.contains {
                $0.contains("certificate=\"\(credential.id.prefix(16))\"") && $0.contains("merchant=\"alphapay\"")
                    && $0.contains("purpose=\"\(credential.purpose.rawValue)\"") && $0.hasSuffix(" \(days)")
            })
        #expect(self.lines(registry, "pomona_acquirer_link_state").isEmpty)
        // After its end the days are negative.
        let late = try #require(credential.notAfter).adding(seconds: 1)
        await self.metrics(application, registry, at: late).measure()
        #expect(self.lines(registry, "pomona_certificate_days_left{").contains { $0.hasSuffix(" -1") })
        await application.close()
    }

    @Test func measuresTheLinkAndTheServersOwnCertificate() async throws {
        let folder = try CliFolder()
        let application = try await self.application(folder)
        _ = try SandboxTLS(directory: application.directory, host: "localhost", now: .now()).identity()
        let pem = try FileSystem.readText(application.directory.serverCertificatePath)
        let registry = PrometheusRegistry()
        let now = Timestamp.now()
        let metrics = self.metrics(application, registry, link: .refused, certificates: [pem], at: now)
        #expect(await metrics.measure() == .refused)
        #expect(
            self.lines(registry, "pomona_acquirer_link_state") == [
                "pomona_acquirer_link_state{state=\"connected\"} 0",
                "pomona_acquirer_link_state{state=\"connecting\"} 0",
                "pomona_acquirer_link_state{state=\"refused\"} 1",
                "pomona_acquirer_link_state{state=\"signed_off\"} 0",
                "pomona_acquirer_link_state{state=\"unreachable\"} 0",
            ])
        let server = self.lines(registry, "pomona_certificate_days_left{").filter { $0.contains("purpose=\"server\"") }
        let certificate = try AppleCertificate(Array(pem.utf8))
        let days = Timestamp(certificate.notAfter).milliseconds(since: now) / 86_400_000
        #expect(days > 700)
        #expect(server.count == 1 && server[0].hasSuffix(" \(days)"), "\(server)")
        await application.close()
    }

    /// What cannot be read has no value, rather than an old one.
    @Test func storeThatCannotBeReadHasNoValues() async throws {
        let folder = try CliFolder()
        let application = try await self.application(folder)
        let registry = PrometheusRegistry()
        let metrics = self.metrics(application, registry)
        await metrics.measure()
        await application.close()
        await metrics.measure()
        #expect(registry.exposition().isEmpty)
    }
}
