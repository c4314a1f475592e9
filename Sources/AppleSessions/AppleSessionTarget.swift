//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
public import Gateway
import Hosts
public import Payments

/// A server that answers merchant validation.
public struct AppleSessionEndpoint: Hashable, Sendable {
    public var host: String
    public var port: Int
    /// The authorities of the server's certificate, PEM; `nil` takes the system's.
    public var authoritiesPEM: String?

    public init(host: String, port: Int = 443, authoritiesPEM: String? = nil) {
        self.host = host
        self.port = port
        self.authoritiesPEM = authoritiesPEM
    }

    /// Where Apple asks merchants to ask ("Requesting an Apple Pay payment session"), whatever address the page was
    /// given.
    public static let live = AppleSessionEndpoint(host: "apple-pay-gateway.apple.com")
    public static let sandbox = AppleSessionEndpoint(host: "apple-pay-gateway-cert.apple.com")

    /// For merchants in China mainland.
    public static let liveChina = AppleSessionEndpoint(host: "cn-apple-pay-gateway.apple.com")
    public static let sandboxChina = AppleSessionEndpoint(host: "cn-apple-pay-gateway-cert.apple.com")

    func url(_ path: String) -> String { "https://\(self.host):\(self.port)\(path)" }
}

/// Who is asked for merchant sessions, and how patiently.
public struct AppleSessionSettings: Sendable {
    public var live = AppleSessionEndpoint.live
    public var sandbox = AppleSessionEndpoint.sandbox
    public var liveChina = AppleSessionEndpoint.liveChina
    public var sandboxChina = AppleSessionEndpoint.sandboxChina
    /// The simulated Apple, which sandbox merchants ask then instead of Apple's sandbox; it gives `nil` while it does not
    /// listen.
    public var simulator: (@Sendable () -> AppleSessionEndpoint?)?
    /// For both attempts together, from the call to the last byte of the answer.
    public var timeoutMilliseconds: Int64 = 10_000
    /// How many merchants' connections are kept at a time.
    public var identitiesMax = 32

    public init() {}
}

/// Where a session is asked for, and in which shape.
public struct AppleSessionTarget: Hashable, Sendable {
    /// The two calls; the raw value is the last part of the path.
    public enum Call: String, CaseIterable, Hashable, Sendable {
        /// Today's.
        case paymentSession
        /// The earlier one, which Apple phases out.
        case startSession

        public var path: String { "/paymentservices/\(self.rawValue)" }
    }

    public let endpoint: AppleSessionEndpoint
    public let call: Call

    public var url: String { self.endpoint.url(self.call.path) }

    /// - Parameter validationURL: from the page, so from anybody. It only chooses among hosts that are known anyway.
    public init(validationURL: String?, mode: Mode, settings: AppleSessionSettings) throws(MerchantSessionFailure) {
        let simulator: AppleSessionEndpoint? =
            if mode == .sandbox, let simulator = settings.simulator { simulator() } else { nil }
        guard let validationURL else {
            self.call = .paymentSession
            switch mode {
            case .live: self.endpoint = settings.live
            case .sandbox where settings.simulator == nil: self.endpoint = settings.sandbox
            case .sandbox:
                guard let simulator else { throw MerchantSessionFailure.notConnected }
                self.endpoint = simulator
            }
            return
        }
        let url = try ValidationURL(validationURL)
        self.call = url.call
        if let simulator, url.host == simulator.host, url.port == simulator.port {
            self.endpoint = simulator
            return
        }
        // Apple's port is 443 alone.
        guard url.port == 443 else { throw MerchantSessionFailure.validationURLNotApple }
        guard AppleHosts.hosts(of: mode).contains(url.host) else {
            let isOfOtherMode = Mode.allCases.contains { $0 != mode && AppleHosts.hosts(of: $0).contains(url.host) }
            throw isOfOtherMode ? .validationURLOfOtherEnvironment : .validationURLNotApple
        }
        self.endpoint = AppleSessionEndpoint(host: url.host)
    }
}

/// `https://HOST[:PORT]/paymentservices/CALL` and nothing else: no user, no query, no fragment, no escapes. Read by hand,
/// because lenient readers of URLs disagree about where a host ends.
private struct ValidationURL {
    let host: String
    let port: Int
    let call: AppleSessionTarget.Call

    init(_ text: String) throws(MerchantSessionFailure) {
        let scheme = "https://"
        guard text.utf8.count <= 256, text.hasPrefix(scheme) else { throw Self.malformed }
        let rest = text.dropFirst(scheme.count)
        guard let slash = rest.firstIndex(of: "/"),
            let call = AppleSessionTarget.Call.allCases.first(where: { $0.path == rest[slash...] })
        else { throw Self.malformed }
        guard let place = HostAndPort(rest[..<slash]), !place.isIPv6, !place.host.utf8.contains(where: ASCII.isCapital)
        else { throw Self.malformed }
        self.host = place.host
        self.port = place.port ?? 443
        self.call = call
    }

    private static var malformed: MerchantSessionFailure { MerchantSessionFailure.validationURLMalformed }
}
