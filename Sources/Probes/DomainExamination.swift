//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Administration
import AsyncHTTPClient
import Deadlines
import DialectKit
import Hosts
import NIOCore
import NIOHTTP1
import NIOSSL
public import Time
public import Webhooks

/// Reads the file by which Apple verifies a domain, as Apple reads it: over https, from outside of this process,
/// following no redirect ("Configuring Your Environment", Apple Pay on the Web).
public struct DomainExamination: Sendable {
    /// Where the domains are asked; 443 but in tests.
    let port: Int
    /// An authority that is trusted beside the system's, as PEM.
    public var authorityPEM: String?
    let reach: Reach
    let timeoutSeconds = Self.timeoutSeconds
    private static let timeoutSeconds: Int64 = 10
    private let lookUps: Deadlines
    let clock: @Sendable () -> Timestamp

    /// Where domains may lead.
    public enum Reach: Sendable {
        /// To whatever address the operating system finds, but for names whose addresses are given.
        case anywhere([String: String] = [:])
        /// To none of this machine and of its own network: whoever may register a domain could look around there.
        case publicInternet(Resolver)
    }

    /// - Parameter sleep: bounds how long a name server may take.
    public init(
        port: Int = 443, authorityPEM: String? = nil, reach: Reach, clock: @escaping @Sendable () -> Timestamp,
        sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void = {
            try await Task.sleep(for: .milliseconds($0))
        }
    ) {
        self.port = port
        self.authorityPEM = authorityPEM
        self.reach = reach
        self.clock = clock
        self.lookUps = Deadlines(milliseconds: Self.timeoutSeconds * 1000, sleep: sleep)
    }

    /// How many domains are asked at once.
    private static let atOnceMax = 16

    private static let reason =
        "Apple opens no payment sheet on a domain that it cannot verify, and looks again before its certificate ends."

    /// - Parameter entries: the domains that are to be read.
    public func findings(_ entries: [RegisteredDomain]) async -> [Finding] {
        guard !entries.isEmpty else { return [] }
        let tls: TLSConfiguration
        do {
            tls = try self.tls()
        } catch {
            return [
                Finding(
                    .domain, "trust_not_readable", .warning,
                    "The authority that is to be trusted is no certificate as PEM.",
                    because: Self.reason, advice: "Give a file of certificates as PEM.")
            ]
        }
        return await withTaskGroup(of: (Int, [Finding]).self) { group in
            var found = [[Finding]](repeating: [], count: entries.count)
            for (index, entry) in entries.enumerated() {
                // One that does not answer keeps the others waiting for no longer than its own time.
                if index >= Self.atOnceMax, let (done, findings) = await group.next() { found[done] = findings }
                group.addTask { (index, await self.findings(entry, tls)) }
            }
            for await (done, findings) in group { found[done] = findings }
            return found.flatMap(\.self)
        }
    }

    private func findings(_ entry: RegisteredDomain, _ tls: TLSConfiguration) async -> [Finding] {
        let (finding, validity) = await self.finding(entry, tls)
        return [finding] + (validity.map { self.findings(entry, $0) } ?? [])
    }

    private func finding(
        _ entry: RegisteredDomain, _ tls: TLSConfiguration
    ) async -> (Finding, TLSProbe.Validity?) {
        let url = self.url(of: entry.host)
        // A name that has none and one that is inside are one answer, which says nothing of the network within.
        var found: (Finding, TLSProbe.Validity?) = (
            self.make(
                entry, "domain_not_public", .failure, "\(url) cannot be read: the name has no public address.",
                "See that the name leads to a public address, as Apple asks for it from outside. Where the gateway's own "
                    + "network answers for it, see domains.allowPrivateTargets."), nil
        )
        for addresses in await self.addresses(of: entry.host) {
            found = await self.finding(entry, tls, addresses, url)
            guard found.0.code == Self.notReached else { break }
        }
        return found
    }

    private static let notReached = "domain_not_reached"

    /// One GET, on a connection of its own.
    private func finding(
        _ entry: RegisteredDomain, _ tls: TLSConfiguration, _ addresses: [String: String], _ url: String
    ) async -> (Finding, TLSProbe.Validity?) {
        let probe = TLSProbe()
        do {
            let (response, body) = try await self.get(url, tls, addresses, probe)
            return (self.finding(entry, response, body: body, url), probe.seen?.validity)
        } catch is NIOTooManyBytesError {
            return (self.another(entry, url), probe.seen?.validity)
        } catch {
            // BoringSSL gives its reasons in texts alone.
            let text = "\(error)"
            guard error is NIOSSLError || error is NIOSSLExtraError || text.contains("SSL") || text.contains("TLS")
            else {
                let finding = self.make(
                    entry, Self.notReached, .failure, "\(url) cannot be read: there is no connection.",
                    "See that the name leads to a server that listens on port \(self.port), also from outside.")
                return (finding, probe.seen?.validity)
            }
            return (await self.finding(entry, refusedBy: error, tls, addresses, url), nil)
        }
    }

    /// The addresses to ask, by name, one after the other while there is no connection. Where they are not left to the
    /// operating system, what was looked at is what is asked.
    ///
    /// - Returns: none where it must not be asked.
    private func addresses(of host: WellKnownHost) async -> [[String: String]] {
        switch self.reach {
        case .anywhere(let addresses): return [addresses]
        case .publicInternet(let resolver):
            // The operating system waits for silent name servers longer than anybody here.
            let found = await self.lookUps.run([]) { await resolver.publicAddresses(of: host.name) }
            return found.map { [host.name: $0.description] }
        }
    }

    private func get(
        _ url: String, _ tls: TLSConfiguration, _ addresses: [String: String], _ probe: TLSProbe
    ) async throws -> (HTTPClientResponse, [UInt8]) {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .seconds(self.timeoutSeconds)
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.dnsOverride = addresses
        configuration.tlsConfiguration = tls
        probe.look(at: &configuration)
        // Else another protocol's connections would go unseen.
        configuration.httpVersion = .http1Only
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let response = try await client.execute(
                HTTPClientRequest(url: url), timeout: .seconds(self.timeoutSeconds))
            let body = try await response.body.collect(upTo: RegisteredDomain.fileBytesMax)
            try? await client.shutdown()
            return (response, Array(body.readableBytesView))
        } catch {
            try? await client.shutdown()
            throw error
        }
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
        "https://\(host.name)\(self.port == 443 ? "" : ":\(self.port)")\(RegisteredDomain.filePath)"
    }

    private func finding(
        _ entry: RegisteredDomain, _ response: HTTPClientResponse, body: [UInt8], _ url: String
    ) -> Finding {
        switch response.status.code {
        case 200 where body == Array(entry.file.utf8):
            return self.served(entry, response, url)
        case 200:
            return self.another(entry, url)
        case 300..<400:
            return self.make(
                entry, "domain_redirects", .failure,
                "\(url) is a redirect (HTTP \(response.status.code)), which Apple does not follow.",
                "Have the web server answer this path itself.")
        default:
            return self.make(
                entry, "domain_not_served", .failure, "\(url) is answered with HTTP \(response.status.code).",
                "Have the domain's web server pass the path on to this gateway, or put the file there.")
        }
    }

    /// What is said to be a page is at the mercy of whatever changes pages on their way: caches that shorten them, guards that
    /// put scripts into them.
    private func served(_ entry: RegisteredDomain, _ response: HTTPClientResponse, _ url: String) -> Finding {
        let text = response.headers.first(name: "Content-Type")
        // One that cannot be read is shown as it came.
        let type = text.flatMap { MediaType($0)?.essence } ?? text
        guard let type, type == "text/html" else {
            return self.make(
                entry, "domain_served", .good,
                "\(url) is the file that Apple gave\(type.map { ", as \($0)" } ?? "").")
        }
        return self.make(
            entry, "domain_content_type", .warning, "\(url) is the file that Apple gave, but is said to be \(type).",
            "Have the web server say text/plain: what stands between may change a page.")
    }

    private func another(_ entry: RegisteredDomain, _ url: String) -> Finding {
        self.make(
            entry, "domain_serves_another_file", .failure, "\(url) is another file than the one that Apple gave.",
            "Have the domain's web server pass the path on to this gateway, or put the file there.")
    }

    /// Why TLS came to nothing: seen by a handshake that takes whatever it is shown. What is read over it counts for
    /// nothing.
    private func finding(
        _ entry: RegisteredDomain, refusedBy error: any Error, _ tls: TLSConfiguration, _ addresses: [String: String],
        _ url: String
    ) async -> Finding {
        var lenient = tls
        lenient.certificateVerification = .none
        lenient.minimumTLSVersion = .tlsv1
        let probe = TLSProbe()
        _ = try? await self.get(url, lenient, addresses, probe)
        let renewal = "Renew the certificate of the domain, with all intermediates."
        guard let seen = probe.seen else {
            return self.make(
                entry, "domain_tls_fails", .failure, "\(url) cannot be read: no TLS connection comes about.",
                "See that the server speaks TLS 1.2 or later on port \(self.port), and has a certificate for this name."
            )
        }
        if seen.isOldVersion {
            return self.make(
                entry, "domain_tls_too_old", .failure,
                "\(url) cannot be read: the server speaks no TLS 1.2, and Apple nothing older.",
                "Let the web server speak TLS 1.2 or later.")
        }
        if let ended = seen.validity?.notAfter, ended <= self.clock() {
            return self.make(
                entry, "domain_certificate_ended", .failure,
                "\(url) cannot be read: its certificate ended on \(ended.rfc3339Seconds).", renewal, step: 0)
        }
        if error as? NIOSSLExtraError == .failedToValidateHostname || "\(error)".contains("ValidateHostname") {
            return self.make(
                entry, "domain_certificate_name", .failure,
                "\(url) cannot be read: its certificate is for another name.",
                "Have a certificate issued that names \(entry.host.name).")
        }
        return self.make(
            entry, "domain_not_trusted", .failure,
            "\(url) cannot be read: its certificate does not lead to an authority that is trusted.",
            "Have the web server send its certificate with all intermediates, from a public authority.")
    }

    /// How long the certificate of the domain's web server still runs.
    private func findings(_ entry: RegisteredDomain, _ validity: TLSProbe.Validity) -> [Finding] {
        let now = self.clock()
        guard let step = Finding.endStep(notBefore: validity.notBefore, notAfter: validity.notAfter, at: now) else {
            return []
        }
        let left = Finding.timeLeft(until: validity.notAfter, at: now)
        return [
            self.make(
                entry, step.days == 0 ? "domain_certificate_ended" : "domain_certificate_ends", step.severity,
                step.days == 0
                    ? "The certificate of \(entry.host.name) has ended."
                    : "The certificate of \(entry.host.name) ends in \(left).",
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
