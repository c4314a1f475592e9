//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments

/// A server that answers merchant validation.
struct AppleSessionEndpoint: Hashable, Sendable {
    var host: String
    var port = 443
    /// The authorities of the server's certificate, PEM; `nil` takes the system's.
    var authoritiesPEM: String?

    /// Where Apple asks merchants to ask ("Requesting an Apple Pay payment session"), whatever address the page was
    /// given.
    static let live = AppleSessionEndpoint(host: "apple-pay-gateway.apple.com")
    static let sandbox = AppleSessionEndpoint(host: "apple-pay-gateway-cert.apple.com")
}

/// Who is asked for merchant sessions, and how patiently.
struct AppleSessionSettings: Sendable {
    var live = AppleSessionEndpoint.live
    var sandbox = AppleSessionEndpoint.sandbox
    /// The simulated Apple, which sandbox merchants ask then instead of Apple's sandbox; it gives `nil` while it does not
    /// listen.
    var simulator: (@Sendable () -> AppleSessionEndpoint?)?
    /// For both attempts together, from the call to the last byte of the answer.
    var timeoutMilliseconds: Int64 = 10_000
    /// How many merchants' connections are kept at a time.
    var identitiesMax = 32
}

/// Where a session is asked for, and in which shape.
struct AppleSessionTarget: Hashable, Sendable {
    /// The two calls; the raw value is the last part of the path.
    enum Call: String, CaseIterable, Hashable, Sendable {
        /// Today's.
        case paymentSession
        /// The earlier one, which Apple phases out.
        case startSession

        var path: String { "/paymentservices/\(self.rawValue)" }
    }

    let endpoint: AppleSessionEndpoint
    let call: Call

    var url: String { "https://\(self.endpoint.host):\(self.endpoint.port)\(self.call.path)" }

    /// - Parameter validationURL: from the page, so from anybody. It only chooses among hosts that are known anyway.
    init(validationURL: String?, mode: Mode, settings: AppleSessionSettings) throws(MerchantSessionFailure) {
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
        let authority = rest[..<slash].split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(authority.count), !authority[0].isEmpty, authority[0].utf8.allSatisfy(Self.isOfHost)
        else { throw Self.malformed }
        if authority.count == 2 {
            let digits = authority[1]
            guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let port = Int(digits), (1...65_535).contains(port)
            else { throw Self.malformed }
            self.port = port
        } else {
            self.port = 443
        }
        self.host = String(authority[0])
        self.call = call
    }

    private static var malformed: MerchantSessionFailure { MerchantSessionFailure.validationURLMalformed }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }
}
