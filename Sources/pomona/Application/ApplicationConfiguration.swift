//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import AppleSessions
import Gateway
import Logging
import PAYONE
import Redaction
import Server
import Storefront
import Time
import Workers

/// All that a gateway is configured with. The commands make it from their options; tests and the demonstration make it
/// by hand.
struct ApplicationConfiguration: Sendable {
    /// What is played and what is real.
    enum Kind: Hashable, Sendable {
        /// Every dialect gets a demo merchant, and the wallet simulator's tokens are taken for it.
        case sandbox
        /// Merchants are those of the store.
        case serve
    }

    var kind: Kind
    var directory: DataDirectory
    /// `nil` takes the data directory's.
    var masterKeyPath: String?
    /// The operator's command that prints the master key, in the place of a file.
    var masterKeyCommand: String?
    /// `nil` takes the one that the data directory remembers.
    var store: StoreLocation?
    var acquirer = AcquirerChoice.simulator
    var listeners: [Listener] = []
    /// Where metrics are, and nothing else but health; `nil` for every listener.
    var metricsListener: Listener?
    /// Where the administration is, and nothing else; `nil` for nowhere.
    var adminListener: Listener?
    /// What browsers call the administration where a proxy stands before it: "https://admin.example".
    var adminURL: String?
    /// How people sign in there.
    var people = PeopleSettings()
    /// Where else they may sign in.
    var openID: [OpenIDConfiguration] = []
    var limits = ServerLimits()
    var callers = CallerSettings()
    var settings = GatewaySettings()
    /// Of a sandbox: where merchants are notified whose dialect has no address in its requests.
    var demoSettings = DemoSettings()
    /// Of a sandbox: what was chosen of the demo merchants' credentials, by the dialect's name.
    var demoCredentials: [String: [String: String]] = [:]
    /// Of a sandbox: another one that its merchants are paid through.
    var chain: SandboxChain?
    /// Of a sandbox: further names and addresses for its TLS certificate.
    var tlsNames: [String] = []
    /// Of a sandbox: whether it serves the demo shop and the wallet, and notifies the shop of its merchants' events.
    var hasShop = true
    /// Who is asked for merchant sessions. A sandbox asks its own simulated Apple.
    var appleSessions = AppleSessionSettings()
    /// Of a sandbox: the port of the simulated Apple, at the host of the other listeners; `nil` for none.
    var applePort: Int?
    /// A table of cards' first digits; `nil` takes the gateway's own.
    var binTablePath: String?
    /// Whether sandbox merchants may be notified at loopback, private and local addresses.
    var allowsPrivateWebhookTargets = false
    /// Whether domains are looked at where they lead to this machine or its own network.
    var allowsPrivateDomains = false
    /// How long one attempt to notify a merchant may take.
    var webhookTimeoutSeconds: Int64 = 10
    /// How long /readyz says 503 before the listeners close.
    var drainDelayMilliseconds: Int64 = 0
    /// How long accepted requests may take to end, after which they are given up.
    var shutdownTimeoutSeconds: Int64 = 60
    var logLevel = Logger.Level.info

    /// Where the operator is notified of alarms; `nil` for nowhere.
    var alarms: Alarms?

    /// An operator's address for alarms.
    struct Alarms: Hashable, Sendable {
        var url: String
        /// The file of the secret that signs.
        var secretPath: String
        var allowsPrivateTargets = false

        /// With the secret.
        func target() throws(CommandFailure) -> AlarmTarget {
            let secret = try FileSystem.readPrivateText(self.secretPath).filter { !$0.isNewline }
            guard secret.utf8.count >= 16 else {
                throw CommandFailure(
                    .fileMalformed, stage: .configuration,
                    "\(self.secretPath) must hold a secret of 16 characters or more.")
            }
            return AlarmTarget(
                url: self.url, secret: Redacted(secret), allowsPrivateTargets: self.allowsPrivateTargets)
        }
    }

    /// An address to listen on.
    struct Listener: Hashable, Sendable {
        var host: String
        var port: Int
        var tls: TLSSource?
        /// What browsers are to remember about TLS. Not of a sandbox's own certificate: it would turn the demo shop at another port
        /// of the same host into a page that cannot be opened.
        var strictTransportSeconds: Int64 = 0
    }

    /// Where a listener's key and certificate come from.
    enum TLSSource: Hashable, Sendable {
        /// Made in the data directory, by an authority made there.
        case sandboxAuthority
        case files(certificatePath: String, privateKeyPath: String, clientAuthoritiesPath: String?)
    }

    /// By whose names a sandbox's shop is served: where it listens, what the machine is called, and the names of its certificate.
    var knownHosts: KnownHosts { KnownHosts(self.listeners.map(\.host) + Operator.hostNames + self.tlsNames) }

    /// Every listener with what it serves; that of metrics is the last.
    var offers: [(listener: Listener, offer: ListenerOffer)] {
        guard let metricsListener = self.metricsListener else { return self.listeners.map { ($0, .everything) } }
        return self.listeners.map { ($0, .services) } + [(metricsListener, .metrics)]
    }

    /// The merchant of a sandbox that may have a platform integrator's identity.
    static let sandboxPlatformMerchant = "platform"

    /// A sandbox whose merchants' servers run on the same machine.
    static func sandbox(_ directory: DataDirectory) -> ApplicationConfiguration {
        var configuration = ApplicationConfiguration(
            kind: .sandbox, directory: directory, allowsPrivateWebhookTargets: true, allowsPrivateDomains: true)
        // Whoever tries it out has no app at hand; it may be enrolled.
        configuration.people.secondFactorRoles = []
        configuration.settings.platformMerchant = Self.sandboxPlatformMerchant
        configuration.settings.allowsPrivateAcquirers = true
        // Long enough for a shop to save its order, and short enough to wait for.
        configuration.settings.notificationDelaysSeconds = [PAYONE.dialectName: 2]
        return configuration
    }
}

/// What a program takes from the machine that it runs on: made once in the composition root, passed everywhere else.
struct Surroundings: Sendable {
    var clock: @Sendable () -> Timestamp
    /// That many bytes of a cryptographically secure source.
    var random: @Sendable (Int) -> [UInt8]
    var sleep: @Sendable (_ milliseconds: Int64) async throws -> Void
    /// Nanoseconds of a clock that nobody sets.
    var steadyNanoseconds: @Sendable () -> Int64 = Surroundings.machineNanoseconds
    /// Takes a whole line of the log.
    var writeLogLine: @Sendable (String) -> Void
    /// The master key, if the environment has it.
    var masterKeyVariable: MasterKeyVariable?
    /// Who runs the program.
    var operatorName = Operator.name
    /// Whose tokens and certificates live merchants take. Nothing that an operator can set changes it.
    var apple = AppleTrust.genuine
    /// Addresses of acquirers' hosts whose names are not to be looked up.
    var upstreamAddresses: [String: String] = [:]

    /// The machine's clock, its random source, its timers and standard error.
    static let system = Surroundings(
        clock: { Timestamp.now() },
        random: { SystemRandom.bytes($0) },
        sleep: { try await Task.sleep(for: .milliseconds($0)) },
        writeLogLine: { writeToStandardError($0) }, masterKeyVariable: MasterKeyVariable.taken)

    private static let steadyStart = ContinuousClock.now

    @Sendable private static func machineNanoseconds() -> Int64 {
        let (seconds, attoseconds) = self.steadyStart.duration(to: .now).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    func logger(_ label: String, level: Logger.Level) -> Logger {
        Logger(label: label) { label in
            LogfmtHandler(
                label: label, level: level, time: { [clock = self.clock] in clock().description },
                write: self.writeLogLine)
        }
    }
}

/// Who Apple is.
struct AppleTrust: Sendable {
    /// Under which tokens are signed.
    var tokenRoots: [TrustAnchor]
    /// By whom merchants' certificates are issued.
    var certificateIssuers: [MerchantCertificateIssuer]

    /// Apple itself.
    static let genuine = AppleTrust(tokenRoots: [.appleRootCAG3], certificateIssuers: MerchantCertificateIssuer.apple)
}
