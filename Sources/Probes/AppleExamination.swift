//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Administration
public import AppleSessions
import AsyncHTTPClient
public import Gateway
import NIOCore
import NIOHTTP1
import NIOSSL
import Payments
public import Time

/// Sees whether Apple's host of merchant sessions is reached and takes a merchant's identity: a TLS handshake with
/// its certificate, and a HEAD that asks for nothing. No session is asked for.
///
/// The handshake is TLS 1.2, in which it ends only once the server has looked at the client's certificate (RFC 5246,
/// section 7.4.8; in TLS 1.3 the client hears of that later), and which Apple's hosts speak ("Setting Up Your
/// Server", Apple Pay on the Web).
public struct AppleExamination: Sendable {
    var settings: AppleSessionSettings
    let timeoutSeconds: Int64 = 10
    let clock: @Sendable () -> Timestamp

    public init(settings: AppleSessionSettings, clock: @escaping @Sendable () -> Timestamp) {
        self.settings = settings
        self.clock = clock
    }

    private static let reason = "Apple opens no payment sheet on the merchant's pages without a session from there."

    /// - Parameter inChina: whether the hosts of China mainland are asked, too.
    public func findings(
        _ identities: [MerchantSessionRequest], of merchant: String, inChina: Bool = false
    ) async -> [Finding] {
        var findings: [Finding] = []
        for identity in identities {
            for endpoint in self.endpoints(identity.mode, inChina: inChina) {
                findings += await self.findings(identity, merchant, endpoint)
            }
        }
        return findings
    }

    /// Those of the mode; `nil` for a simulated Apple that does not listen. It stands for all of Apple's.
    private func endpoints(_ mode: Mode, inChina: Bool) -> [AppleSessionEndpoint?] {
        let endpoint = try? AppleSessionTarget(validationURL: nil, mode: mode, settings: self.settings).endpoint
        guard inChina, mode == .live || self.settings.simulator == nil else { return [endpoint] }
        return [endpoint, mode == .live ? self.settings.liveChina : self.settings.sandboxChina]
    }

    private func findings(
        _ identity: MerchantSessionRequest, _ merchant: String, _ endpoint: AppleSessionEndpoint?
    ) async -> [Finding] {
        guard let endpoint else {
            return [self.make(identity, merchant, "apple", MerchantSessionFailure.notConnected.explanation)]
        }
        guard let configuration = self.configuration(of: identity, endpoint) else {
            return [self.make(identity, merchant, endpoint.host, MerchantSessionFailure.identityUnusable.explanation)]
        }
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let findings = await self.findings(identity, merchant, endpoint, client)
        try? await client.shutdown()
        return findings
    }

    private func findings(
        _ identity: MerchantSessionRequest, _ merchant: String, _ endpoint: AppleSessionEndpoint, _ client: HTTPClient
    ) async -> [Finding] {
        var request = HTTPClientRequest(url: "https://\(endpoint.host):\(endpoint.port)/")
        request.method = .HEAD
        let before = self.clock()
        do {
            let response = try await client.execute(request, timeout: .seconds(self.timeoutSeconds))
            let use = identity.isPlatforms ? ", and with it registrations of merchants" : ""
            let good = Finding(
                .apple, "apple_takes_identity", .good, merchant: merchant, subject: identity.merchantIdentifier,
                "\(endpoint.host) takes the identity of \(identity.merchantIdentifier)\(use).", because: Self.reason)
            guard let said = response.headers.first(name: "Date").flatMap(HTTPDate.moment) else { return [good] }
            let comparison = ClockComparison(
                name: endpoint.host, said: said, precision: 1000, before: before, after: self.clock())
            return [good, comparison.finding]
        } catch {
            let failure = AppleSessionClient.reason(of: error)
            return [self.make(identity, merchant, endpoint.host, failure.explanation)]
        }
    }

    private func make(
        _ identity: MerchantSessionRequest, _ merchant: String, _ host: String, _ explanation: String
    ) -> Finding {
        Finding(
            .apple, "apple_fails", .failure, merchant: merchant, subject: identity.merchantIdentifier,
            identity.isPlatforms
                ? "\(host) registers no merchants for \(identity.merchantIdentifier), and gives them no sessions."
                : "\(host) gives no session for \(identity.merchantIdentifier).",
            because: Self.reason, advice: explanation)
    }

    private func configuration(
        of identity: MerchantSessionRequest, _ endpoint: AppleSessionEndpoint
    ) -> HTTPClient.Configuration? {
        guard let tls = try? AppleSessionClient.tls(of: identity.identity, trusting: endpoint.authoritiesPEM) else {
            return nil
        }
        var limited = tls
        limited.maximumTLSVersion = .tlsv12
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: limited, redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(self.timeoutSeconds)))
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }
}

extension MerchantSessionRequest {
    /// Whether it is a platform integrator's, who registers merchants with it: at the hosts that give sessions ("Apple Pay
    /// Web Merchant Registration API").
    fileprivate var isPlatforms: Bool { self.merchantIdentifier.hasPrefix("platformintegrator.") }
}

/// The form of a Date header (RFC 9110, section 5.6.7): "Sun, 06 Nov 1994 08:49:37 GMT".
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    static func moment(_ text: String) -> Timestamp? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[0].hasSuffix(","), parts[5] == "GMT", let day = Int(parts[1]),
            let month = self.months.firstIndex(of: String(parts[2])), let year = Int(parts[3])
        else { return nil }
        let time = parts[4].split(separator: ":").map { Int($0) }
        guard time.count == 3, let hour = time[0], let minute = time[1], let second = time[2] else { return nil }
        return CivilTime(
            year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second
        ).map { $0.timestamp() }
    }
}
