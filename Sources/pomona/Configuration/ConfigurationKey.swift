//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments
import SimulatorAcquirer

/// One key of `pomona serve`: what it is called, what it may hold, and what it means. docs/configuration.md lists the
/// same.
struct ConfigurationKey: Hashable, Sendable {
    /// What a value may be.
    enum Kind: Hashable, Sendable {
        case text
        case path
        case integer(ClosedRange<Int64>)
        case flag
        case choice([String])

        /// In the words of an error message.
        var allowed: String {
            switch self {
            case .text: "a text that is not empty"
            case .path: "the path of a file or directory"
            case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
            case .flag: "true or false"
            case .choice(let choices): "one of: " + choices.joined(separator: ", ")
            }
        }
    }

    /// As it stands in the file, levels separated by dots: "http.port".
    let name: String
    let kind: Kind
    /// As text; `nil` when it has to be given, or nothing stands for "not used".
    let standard: String?
    let meaning: String

    /// "POMONA_HTTP_PORT": a level begins with an underscore, and so does a capital letter within one.
    var environmentName: String {
        "POMONA_"
            + String(
                self.name.flatMap { character -> [Character] in
                    if character == "." { return ["_"] }
                    return character.isUppercase ? ["_", character] : Array(character.uppercased())
                })
    }

    /// Whether a value is not to be shown: a URL may have a password in it, a command anything.
    var mayHoldSecret: Bool { [.storeURL, .masterKeyCommand, .alarmsURL].contains(self) }

    init(_ name: String, _ kind: Kind, standard: String? = nil, _ meaning: String) {
        self.name = name
        self.kind = kind
        self.standard = standard
        self.meaning = meaning
    }
}

extension ConfigurationKey {
    private static let port = Kind.integer(0...65_535)
    private static let seconds = Kind.integer(1...86_400)
    /// Where the gateway has a number of its own for a key, that is the standard.
    private static let gateway = GatewaySettings()
    private static let daySeconds: Int64 = 86_400

    static let dataDirectory = ConfigurationKey(
        "data.directory", .path, "Where the gateway keeps its store. Made when it is not there.")
    static let masterKeyFile = ConfigurationKey(
        "data.masterKeyFile", .path,
        "The file with the master key: 64 hexadecimal digits, readable by its owner alone. "
            + "Without it: master.key in the data directory."
    )
    static let masterKeyCommand = ConfigurationKey(
        "data.masterKeyCommand", .text,
        "A shell command that prints the master key, 64 hexadecimal digits, in the place of a file: "
            + "how a key management service is asked.")
    static let storeURL = ConfigurationKey(
        "store.url", .text,
        "Where payments are kept: sqlite:PATH or postgresql://user@host:port/database. "
            + "Without it: what the data directory remembers, or pomona.sqlite in it.")
    static let httpHost = ConfigurationKey(
        "http.host", .text, standard: "127.0.0.1", "The address to listen on without TLS.")
    static let httpPort = ConfigurationKey(
        "http.port", port, standard: "8080", "The port to listen on without TLS; 0 takes a free one.")
    static let httpEnabled = ConfigurationKey(
        "http.enabled", .flag, standard: "true", "Whether to listen without TLS at all.")
    static let httpsHost = ConfigurationKey(
        "https.host", .text, standard: "127.0.0.1", "The address to listen on with TLS.")
    static let httpsPort = ConfigurationKey(
        "https.port", port, "The port to listen on with TLS; 0 takes a free one. Without it there is no TLS.")
    static let httpsStrictTransportSeconds = ConfigurationKey(
        "https.strictTransportSeconds", .integer(0...63_072_000), standard: "31536000",
        "For how long browsers that have come with TLS may come with nothing else, to whatever port of the host "
            + "(Strict-Transport-Security). 0: as they like.")
    static let metricsHost = ConfigurationKey(
        "metrics.host", .text, standard: "127.0.0.1", "The address to listen on for /metrics alone.")
    static let metricsPort = ConfigurationKey(
        "metrics.port", port,
        "The port to listen on for /metrics alone, without TLS; 0 takes a free one. With it /metrics is nowhere else.")
    static let adminHost = ConfigurationKey(
        "admin.host", .text, standard: "127.0.0.1", "The address to listen on for the administration (docs/api.md).")
    static let adminPort = ConfigurationKey(
        "admin.port", port,
        "The port to listen on for the administration; 0 takes a free one. Without it there is none over HTTP. Anywhere but on a "
            + "loopback address it takes admin.certificateFile and admin.privateKeyFile.")
    static let adminCertificateFile = ConfigurationKey(
        "admin.certificateFile", .path,
        "The certificate of the administration's listener, PEM, with those that issued it.")
    static let adminPrivateKeyFile = ConfigurationKey(
        "admin.privateKeyFile", .path, "Its private key, PEM, readable by the owner alone.")
    static let adminURL = ConfigurationKey(
        "admin.url", .text,
        "What browsers call the administration where a proxy stands before it: https://admin.example. Without it: the name "
            + "that they ask for.")
    static let adminIdleSeconds = ConfigurationKey(
        "admin.idleSeconds", .integer(60...86_400), standard: "1800",
        "After how long without a request a person is signed out.")
    static let adminSessionSeconds = ConfigurationKey(
        "admin.sessionSeconds", .integer(300...604_800), standard: "43200",
        "After how long a person is signed out in any case.")
    static let adminSecondFactorRoles = ConfigurationKey(
        "admin.secondFactorRoles", .text, standard: Role.allCases.map(\.rawValue).joined(separator: ","),
        "Who must have a second factor: roles, separated by commas, or none.")
    static let adminIssuer = ConfigurationKey(
        "admin.issuer", .text, standard: "Pomona", "What an app that shows codes calls this Pomona.")
    static let tlsCertificateFile = ConfigurationKey(
        "tls.certificateFile", .path,
        "The server's certificate, PEM, followed by those that issued it. Needed with https.port. It and its key are read at the "
            + "start: new files take a restart.")
    static let tlsPrivateKeyFile = ConfigurationKey(
        "tls.privateKeyFile", .path,
        "The certificate's private key, PEM, readable by its owner alone. Needed with https.port.")
    static let tlsClientAuthoritiesFile = ConfigurationKey(
        "tls.clientAuthoritiesFile", .path,
        "The authorities, PEM, whose certificates clients may show instead of a password. Without it none are asked for."
    )
    static let logLevel = ConfigurationKey(
        "log.level", .choice(["trace", "debug", "info", "notice", "warning", "error", "critical"]), standard: "info",
        "The least severe messages that are logged. Each request is one line at info.")
    static let bodyBytes = ConfigurationKey(
        "limits.bodyBytes", .integer(1024...(64 << 20)), standard: "1048576",
        "The largest request body. Routes may allow less.")
    static let headerBytes = ConfigurationKey(
        "limits.headerBytes", .integer(1024...(1 << 20)), standard: "32768", "The largest request head.")
    static let receiveTimeoutSeconds = ConfigurationKey(
        "limits.receiveTimeoutSeconds", seconds, standard: "15",
        "How long a TLS handshake may take, a request's head from its first byte, and its body from there.")
    static let answerTimeoutSeconds = ConfigurationKey(
        "limits.answerTimeoutSeconds", seconds, standard: "45",
        "How long an answer may take. Must be more than acquirer.deadlineSeconds.")
    static let idleTimeoutSeconds = ConfigurationKey(
        "limits.idleTimeoutSeconds", seconds, standard: "60", "How long a connection may be idle.")
    static let connections = ConfigurationKey(
        "limits.connections", .integer(1...1_000_000), standard: "16384",
        "Connections at a time, as far as there are file descriptors. For one more, the one that has waited longest is closed."
    )
    static let connectionsPerAddress = ConfigurationKey(
        "limits.connectionsPerAddress", .integer(1...1_000_000), standard: "512",
        "Connections from one IPv4 address or IPv6 /64 at a time; more are closed as they come.")
    static let unfinishedBodyBytes = ConfigurationKey(
        "limits.unfinishedBodyBytes", .integer(1024...(16 << 30)), standard: "67108864",
        "What the bodies of requests may take of the memory until they are answered, a quarter of it from one address; "
            + "more are refused. No less than limits.bodyBytes.")
    static let proxyAddresses = ConfigurationKey(
        "limits.proxyAddresses", .text,
        "Addresses of your own proxies and load balancers, or ranges of them (10.244.0.0/16), separated by commas: "
            + "there neither connections nor wrong credentials are counted.")
    static let sendTimeoutSeconds = ConfigurationKey(
        "limits.sendTimeoutSeconds", seconds, standard: "30",
        "How long a client may take to read 32 KiB of an answer of which 64 KiB wait for it.")
    static let storeWaitSeconds = ConfigurationKey(
        "limits.storeWaitSeconds", .integer(1...3600),
        "How long the store may take over a change before requests are refused rather than begun. "
            + "Must be less than limits.answerTimeoutSeconds; without it, 5, or half of that if it is less.")
    static let credentialFailures = ConfigurationKey(
        "limits.credentialFailures", .integer(0...1000), standard: "10",
        "How often one address may show wrong credentials at one account before it waits; at all accounts together, "
            + "ten times as often. 0: it never waits.")
    static let merchantRequestsPerSecond = ConfigurationKey(
        "limits.merchantRequestsPerSecond", .integer(0...1_000_000), standard: "0",
        "How many requests a second one merchant may make, unless its account says otherwise. 0: any number.")
    static let merchantBurst = ConfigurationKey(
        "limits.merchantBurst", .integer(1...1_000_000),
        "How many requests one merchant may make at once; without it, as many as in two seconds.")
    static let deviceCallsPerSecond = ConfigurationKey(
        "limits.deviceCallsPerSecond", .integer(0...1_000_000), standard: "100",
        "How many calls a second customers' devices may make from one address with TapPay's app key. 0: any number.")
    static let requests = ConfigurationKey(
        "limits.requests", .integer(1...1_000_000), standard: "2048", "Requests worked on at a time; more are refused.")
    static let drainSeconds = ConfigurationKey(
        "shutdown.drainSeconds", .integer(0...3600), standard: "0",
        "How long /readyz says 503 before the listeners close, so that load balancers can look elsewhere.")
    static let shutdownTimeoutSeconds = ConfigurationKey(
        "shutdown.timeoutSeconds", seconds, standard: "60",
        "How long accepted requests may take to end, drain included. "
            + "Should be more than limits.answerTimeoutSeconds: what is cut off ends by recovery.")
    static let acquirerName = ConfigurationKey(
        "acquirer.name", .choice([SimulatorConnector.name.text]), standard: SimulatorConnector.name.text,
        "The acquirer. The simulator takes sandbox merchants only.")
    static let acquirerAddress = ConfigurationKey(
        "acquirer.address", .text,
        "Where the acquirer is, if it is a process of its own (pomona acquirer): tcp://HOST:PORT, an IPv6 address "
            + "in brackets; with standbys, several with commas between them. Without it it runs within this process.")
    static let acquirerSecretFile = ConfigurationKey(
        "acquirer.secretFile", .path,
        "The secret of the link to acquirer.address: 64 hexadecimal digits, readable by its owner alone. "
            + "Without it: acquirer.secret in the data directory.")
    static let acquirerAuthorityFile = ConfigurationKey(
        "acquirer.authorityFile", .path,
        "TLS for the link: who has signed the acquirer's certificate, PEM. Needed where the link leaves the machine.")
    static let acquirerCertificateFile = ConfigurationKey(
        "acquirer.certificateFile", .path, "TLS for the link: this gateway's certificate, PEM.")
    static let acquirerPrivateKeyFile = ConfigurationKey(
        "acquirer.privateKeyFile", .path,
        "TLS for the link: the certificate's private key, PEM, readable by its owner alone.")
    static let acquirerDeadlineSeconds = ConfigurationKey(
        "acquirer.deadlineSeconds", .integer(1...300), standard: "\(gateway.acquirerDeadlineSeconds)",
        "After how long an acquirer's answer counts as unknown and is recovered. "
            + "Should be more than any acquirer account's chargeSeconds (docs/connectors/README.md).")
    static let recoveryGraceSeconds = ConfigurationKey(
        "recovery.graceSeconds", .integer(2...3600),
        "How long after it was begun an operation is left to the request that began it. "
            + "Must be more than acquirer.deadlineSeconds; without it, 10 seconds more.")
    static let acquirerAllowPrivateTargets = ConfigurationKey(
        "acquirer.allowPrivateTargets", .flag, standard: "false",
        "Whether names of acquirers' hosts may lead to this machine or its own network, as they do where an acquirer is reached "
            + "over a line of its own, and whether those who administer some merchants alone may set such hosts. Whoever sets "
            + "hosts can find out then what listens there. A host that is written as an address, or localhost, needs no leave, "
            + "where somebody who sees all merchants has set it.")
    static let recoveryLeaseSeconds = ConfigurationKey(
        "recovery.leaseSeconds", .integer(2...3600),
        "How long what one node has taken to recover or to capture is left to it: when it dies, another waits for that. "
            + "Must be more than acquirer.deadlineSeconds; without it, 10 seconds more, and no less than 30.")
    static let tokensLiveAgeSeconds = ConfigurationKey(
        "tokens.liveAgeSeconds", seconds, standard: "\(gateway.liveTokenAgeSecondsMax)", "How old a live token may be.")
    static let tokensSandboxAgeSeconds = ConfigurationKey(
        "tokens.sandboxAgeSeconds", seconds, standard: "\(gateway.sandboxTokenAgeSecondsMax)",
        "How old a sandbox token may be.")
    static let domainsAllowPrivateTargets = ConfigurationKey(
        "domains.allowPrivateTargets", .flag, standard: "false",
        "Whether merchants' domains are looked at where their names lead to this machine or its own network, as they do where "
            + "an inner name server answers for them. Whoever registers domains can find out then what is served there on 443."
    )
    static let webhooksAllowPrivateTargets = ConfigurationKey(
        "webhooks.allowPrivateTargets", .flag, standard: "false",
        "Whether notifications of sandbox merchants may go to loopback, private and local addresses. "
            + "Those of live merchants never may."
    )
    static let webhooksTimeoutSeconds = ConfigurationKey(
        "webhooks.timeoutSeconds", .integer(1...300), standard: "10",
        "How long one attempt to send a notification may take.")
    static let webhooksLeaseSeconds = ConfigurationKey(
        "webhooks.leaseSeconds", .integer(2...3600), standard: "\(gateway.deliveryLeaseSeconds)",
        "How long a notification that one node has taken is left to it: when it dies, another waits for that. "
            + "Must be more than webhooks.timeoutSeconds.")
    static let webhooksPayoneDelaySeconds = ConfigurationKey(
        "webhooks.payoneDelaySeconds", .integer(0...300), standard: "10",
        "How long after a payment's change PAYONE's TransactionStatus is sent. PAYONE itself takes some ten seconds, and shops rely "
            + "on it: what comes before they have saved an order they acknowledge, and lose."
    )
    static let webhooksKeptDays = ConfigurationKey(
        "webhooks.keptDays", .integer(1...3650), standard: "\(gateway.eventsKeptSeconds / daySeconds)",
        "For how many days notifications that were delivered are kept (pomona webhooks list). Others are kept for ever."
    )
    static let alarmsURL = ConfigurationKey(
        "alarms.url", .text,
        "Where the operator is notified of alarms: an http or https address. Without it alarms stand in the log, the metrics "
            + "and pomona alarms list alone.")
    static let alarmsSecretFile = ConfigurationKey(
        "alarms.secretFile", .path,
        "The secret that signs messages to alarms.url, as merchants' webhooks are signed: 16 characters or more, readable by "
            + "its owner alone. Needed with alarms.url.")
    static let alarmsAllowPrivateTargets = ConfigurationKey(
        "alarms.allowPrivateTargets", .flag, standard: "false",
        "Whether alarms.url may lead to this machine or its own network.")
    static let refusalsKeptDays = ConfigurationKey(
        "refusals.keptDays", .integer(1...3650), standard: "\(gateway.refusalsKeptSeconds / daySeconds)",
        "For how many days refused calls are kept (pomona refusals list).")
    static let refusalsKept = ConfigurationKey(
        "refusals.kept", .integer(0...10_000_000), standard: "\(gateway.refusalsKeptMax)",
        "How many refused calls are kept at most; the newest are.")
    static let idempotencyKeptDays = ConfigurationKey(
        "idempotency.keptDays", .integer(90...36_500),
        "For how many days repeats of a call are known. Without it for ever. Tokens that were paid with are known for ever in any "
            + "case (docs/operations.md, \"What is kept, and how long\").")
    static let applePlatformMerchant = ConfigurationKey(
        "apple.platformMerchant", .text,
        "The merchant that has a platform integrator's identity, with which others are registered at Apple "
            + "(docs/merchant-validation.md). Without it nobody is.")
    static let approvalsSeconds = ConfigurationKey(
        "approvals.seconds", .integer(300...2_592_000), standard: "\(gateway.approvalSeconds)",
        "How long what needs a second person waits for one.")
    static let tappayBINTableFile = ConfigurationKey(
        "tappay.binTableFile", .path,
        "A table of cards' first digits, CSV, in the place of the gateway's own: what card_info says of a card.")
    /// All but those of which there may be several.
    static let plain: [ConfigurationKey] = [
        dataDirectory, masterKeyFile, masterKeyCommand, storeURL, httpEnabled, httpHost, httpPort, httpsHost, httpsPort,
        httpsStrictTransportSeconds, metricsHost, metricsPort, adminHost, adminPort,
        adminCertificateFile, adminPrivateKeyFile, adminURL, adminIdleSeconds, adminSessionSeconds,
        adminSecondFactorRoles, adminIssuer, tlsCertificateFile, tlsPrivateKeyFile,
        tlsClientAuthoritiesFile, logLevel, bodyBytes, headerBytes, receiveTimeoutSeconds,
        answerTimeoutSeconds, sendTimeoutSeconds, idleTimeoutSeconds, connections, connectionsPerAddress,
        unfinishedBodyBytes, proxyAddresses, requests, storeWaitSeconds, credentialFailures, merchantRequestsPerSecond,
        merchantBurst, deviceCallsPerSecond, drainSeconds,
        shutdownTimeoutSeconds,
        acquirerName, acquirerAddress, acquirerSecretFile, acquirerAuthorityFile, acquirerCertificateFile,
        acquirerPrivateKeyFile, acquirerDeadlineSeconds, acquirerAllowPrivateTargets, recoveryGraceSeconds,
        recoveryLeaseSeconds,
        tokensLiveAgeSeconds, tokensSandboxAgeSeconds, webhooksTimeoutSeconds, webhooksLeaseSeconds,
        webhooksPayoneDelaySeconds, webhooksKeptDays, domainsAllowPrivateTargets, webhooksAllowPrivateTargets,
        alarmsURL, alarmsSecretFile,
        alarmsAllowPrivateTargets,
        refusalsKeptDays, refusalsKept, idempotencyKeptDays, applePlatformMerchant, approvalsSeconds,
        tappayBINTableFile,
    ]

    /// All, as docs/configuration.md lists them.
    static let all = plain + OpenIDKeys(of: OpenIDKeys.placeholder).all
}
