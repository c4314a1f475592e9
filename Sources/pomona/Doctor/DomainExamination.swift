//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import Time

/// Reads the file by which Apple verifies a domain, as Apple reads it: over https, from outside of this process,
/// following no redirect ("Configuring Your Environment", Apple Pay on the Web).
struct DomainExamination: Sendable {
    /// Where the domains are asked; 443 but in tests.
    var port = 443
    /// An authority that is trusted beside the system's, as PEM.
    var authorityPEM: String?
    /// Addresses of names that the machine's resolver does not know.
    var addresses: [String: String] = [:]
    var timeoutSeconds: Int64 = 10
    var clock: @Sendable () -> Timestamp = { Timestamp.now() }

    private static let reason =
        "Apple opens no payment sheet on a domain that it cannot verify, and looks again before its certificate ends."

    /// - Parameter entries: the domains that are to be read.
    func findings(_ entries: [RegisteredDomain]) async -> [Finding] {
        guard !entries.isEmpty else { return [] }
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .seconds(self.timeoutSeconds)
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.dnsOverride = self.addresses
        do {
            configuration.tlsConfiguration = try self.tls()
        } catch {
            return [
                Finding(
                    .domain, "trust_not_readable", .warning,
                    "The authority that is to be trusted is no certificate as PEM.",
                    because: Self.reason, advice: "Give a file of certificates as PEM.")
            ]
        }
        let probe = TLSProbe()
        probe.look(at: &configuration)
        // Else another protocol's connections would go unseen.
        configuration.httpVersion = .http1Only
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        var findings: [Finding] = []
        for entry in entries {
            probe.forget()
            findings.append(await self.finding(entry, client))
            if let validity = probe.validity { findings += self.findings(entry, validity) }
        }
        try? await client.shutdown()
        return findings
    }

    private func tls() throws -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        // Apple's own servers ask with no less.
        tls.minimumTLSVersion = .tlsv12
        if let authorityPEM {
            tls.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMBytes(Array(authorityPEM.utf8)))]
        }
        return tls
    }

    private func url(of host: WellKnownHost) -> String {
        "https://\(host.name)\(self.port == 443 ? "" : ":\(self.port)")\(WellKnownService.paths[0])"
    }

    private func finding(_ entry: RegisteredDomain, _ client: HTTPClient) async -> Finding {
        let url = self.url(of: entry.host)
        do {
            let response = try await client.execute(
                HTTPClientRequest(url: url), timeout: .seconds(self.timeoutSeconds))
            let body = try await response.body.collect(upTo: RegisteredDomain.fileBytesMax)
            return self.finding(entry, status: response.status.code, body: Array(body.readableBytesView), url)
        } catch is NIOTooManyBytesError {
            return self.finding(entry, status: 200, body: [], url)
        } catch {
            return self.finding(entry, error, url)
        }
    }

    private func finding(_ entry: RegisteredDomain, status: UInt, body: [UInt8], _ url: String) -> Finding {
        switch status {
        case 200 where body == Array(entry.file.utf8):
            return self.make(entry, "domain_served", .good, "\(url) is the file that Apple gave.")
        case 200:
            return self.make(
                entry, "domain_serves_another_file", .failure, "\(url) is another file than the one that Apple gave.",
                "Have the domain's web server pass the path on to this gateway, or put the file there.")
        case 300..<400:
            return self.make(
                entry, "domain_redirects", .failure,
                "\(url) is a redirect (HTTP \(status)), which Apple does not follow.",
                "Have the web server answer this path itself.")
        default:
            return self.make(
                entry, "domain_not_served", .failure, "\(url) is answered with HTTP \(status).",
                "Have the domain's web server pass the path on to this gateway, or put the file there.")
        }
    }

    private func finding(_ entry: RegisteredDomain, _ error: any Error, _ url: String) -> Finding {
        // BoringSSL gives its reasons in texts alone.
        let text = "\(error)"
        let isTLS = error is NIOSSLError || error is NIOSSLExtraError || text.contains("SSL") || text.contains("TLS")
        return isTLS
            ? self.make(
                entry, "domain_not_trusted", .failure,
                "\(url) cannot be read: its certificate is not trusted, has expired, or is for another name, or TLS 1.2 is not spoken.",
                "Renew the certificate of the domain, with all intermediates.")
            : self.make(
                entry, "domain_not_reached", .failure, "\(url) cannot be read: there is no connection.",
                "See that the name leads to a server that listens on port \(self.port), also from outside.")
    }

    /// How long the certificate of the domain's web server still runs.
    private func findings(_ entry: RegisteredDomain, _ validity: TLSProbe.Validity) -> [Finding] {
        let now = self.clock()
        guard let step = Finding.endStep(notBefore: validity.notBefore, notAfter: validity.notAfter, at: now) else {
            return []
        }
        let days = validity.notAfter.milliseconds(since: now) / 86_400_000
        return [
            self.make(
                entry, step.days == 0 ? "domain_certificate_ended" : "domain_certificate_ends", step.severity,
                step.days == 0
                    ? "The certificate of \(entry.host.name) has ended."
                    : "The certificate of \(entry.host.name) ends in \(days) days.",
                "Renew the certificate of the domain, with all intermediates.", step: step.days)
        ]
    }

    private func make(
        _ entry: RegisteredDomain, _ code: String, _ severity: Finding.Severity, _ text: String,
        _ advice: String? = nil, step: Int? = nil
    ) -> Finding {
        Finding(
            .domain, code, severity, merchant: entry.merchants.joined(separator: ", "), subject: entry.host.name, text,
            because: Self.reason, advice: advice, step: step)
    }
}
