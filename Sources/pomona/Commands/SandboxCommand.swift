//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AdminAPI
import ArgumentParser
import ConnectorKit
import DialectKit
import Hosts
import Redaction
import Server
import StrictJSON
import UnixSignals

/// `pomona sandbox`: a whole gateway on this machine, with a demo merchant for every dialect.
struct SandboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox",
        abstract: "Run a gateway with a demo merchant for every dialect.",
        discussion: """
            Everything is kept in the data directory: the store, the simulated acquirer's book, the merchants' keys, and the \
            certificate authority of the HTTPS server, for clients to trust. Tokens for the demo merchants come from: \
            pomona token mint. Stop it with Ctrl-C or SIGTERM; accepted requests are finished first.
            """)

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port for HTTP; 0 takes a free one.")
    var port = 8080

    @Option(name: .customLong("tls-port"), help: "The port for HTTPS; 0 takes a free one.")
    var tlsPort = 8443

    @Option(name: .customLong("apple-port"), help: "The port for the simulated Apple (HTTPS); 0 takes a free one.")
    var applePort = 0

    @Option(
        name: .customLong("admin-port"),
        help: "The port for the portal and the administration (docs/api.md); 0 takes a free one. None if left out.")
    var adminPort: Int?

    @Option(name: .customLong("data"), help: "The data directory; made if it is not there.")
    var data = DataDirectory.defaultPath

    @Option(
        help: ArgumentHelp(
            "Where payments are kept: sqlite:PATH or postgresql://user@host:port/database. The directory remembers it.",
            valueName: "store"))
    var store: String?

    @Option(
        help: ArgumentHelp(
            "An acquirer in another process (pomona acquirer); simulated in this one if left out.",
            valueName: "tcp://host:port"))
    var acquirer: String?

    @Option(
        name: .customLong("acquirer-secret"),
        help: ArgumentHelp(
            "The file of the secret of the link; acquirer.secret in the data directory if left out.", valueName: "file")
    )
    var acquirerSecret: String?

    @Option(
        help: ArgumentHelp(
            "Pay the merchants through a second sandbox that speaks this service: mpgs, payone, radial, tappay, alphapay.",
            valueName: "service"))
    var upstream: UpstreamService?

    @Option(
        name: .customLong("upstream-port"),
        help: ArgumentHelp(
            "With --upstream: the second sandbox's port for HTTP; 0 takes a free one.", valueName: "port"))
    var upstreamPort = 0

    @Option(
        name: .customLong("upstream-url"),
        help: ArgumentHelp(
            "With --upstream: where it is reached, if not directly: a proxy that delays or cuts.", valueName: "url"))
    var upstreamURL: String?

    @Option(
        name: .customLong("notify-url"),
        help: ArgumentHelp(
            "Where merchants get events whose dialect takes the address from the account (CommWeb, PAYONE, Radial).",
            valueName: "url"))
    var notifyURL: String?

    @Option(
        name: .customLong("bin-table"),
        help: ArgumentHelp(
            "A table of cards' first digits, CSV, in the place of the gateway's own (TapPay's card_info).",
            valueName: "file"))
    var binTable: String?

    @Option(
        name: .customLong("tls-name"),
        help: ArgumentHelp(
            "A further name or address for the TLS certificate: a vendor's host, a team's server. Repeatable.",
            valueName: "name"))
    var tlsNames: [String] = []

    @Option(
        help: ArgumentHelp(
            "JSON with the demo credentials to use (docs/configuration.md); made or kept if left out.",
            valueName: "file"))
    var credentials: String?

    @Flag(
        name: .customLong("no-shop"),
        help: "Serve no demo shop and no wallet. Merchants get events only where requests or --notify-url say.")
    var hasNoShop = false

    @Flag(help: "When ready, write one line of JSON to standard output, and nothing else.")
    var json = false

    func validate() throws {
        let ports = [
            ("--port", self.port), ("--tls-port", self.tlsPort), ("--apple-port", self.applePort),
            ("--upstream-port", self.upstreamPort), ("--admin-port", self.adminPort ?? 0),
        ]
        for (name, port) in ports where !(0...65_535).contains(port) {
            throw ValidationError("\(name) must be a whole number from 0 to 65535.")
        }
        if let notifyURL = self.notifyURL, NotificationTarget(notifyURL) == nil {
            throw ValidationError("--notify-url must be an absolute http or https URL.")
        }
        if let name = self.tlsNames.first(where: { !SandboxTLS.isName($0) }) {
            throw ValidationError("--tls-name \(name) is neither a host name nor an address.")
        }
        guard !self.host.isEmpty else { throw ValidationError("--host must not be empty.") }
        let taken = ports.map(\.1).filter { $0 != 0 }
        guard Set(taken).count == taken.count else {
            throw ValidationError("--port, --tls-port, --apple-port, --admin-port and --upstream-port must differ.")
        }
        guard self.upstream != nil || self.upstreamPort == 0 && self.upstreamURL == nil else {
            throw ValidationError("--upstream-port and --upstream-url go with --upstream.")
        }
        guard self.upstream == nil || self.acquirer == nil else {
            throw ValidationError("--upstream and --acquirer both say who pays the merchants. Give one of them.")
        }
        if let url = self.upstreamURL, UpstreamAddress(url)?.isLoopback != true {
            throw ValidationError("--upstream-url must be http://127.0.0.1:PORT.")
        }
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            ProcessHardening.apply()
            ThreadsAllocator.boundCaches()
            var configuration = ApplicationConfiguration.sandbox(DataDirectory(path: self.data))
            configuration.demoSettings = DemoSettings(notifyURL: self.notifyURL)
            configuration.hasShop = !self.hasNoShop
            configuration.tlsNames = self.tlsNames.map { $0.lowercased() }
            if let path = self.credentials {
                let text = try InputFile.text(of: path, what: "credentials file", bytesMax: 256 << 10)
                configuration.demoCredentials = try CredentialsFile(text).values
            }
            configuration.listeners = [
                ApplicationConfiguration.Listener(host: self.host, port: self.port),
                ApplicationConfiguration.Listener(host: self.host, port: self.tlsPort, tls: .sandboxAuthority),
            ]
            configuration.applePort = self.applePort
            configuration.adminListener = self.adminPort.map { port in
                // Of everybody who can reach it, whoever has no token can do nothing; what is sent can be read without TLS.
                ApplicationConfiguration.Listener(
                    host: self.host, port: port,
                    tls: LoopbackHost.isHost(self.host) ? nil : .sandboxAuthority)
            }
            configuration.store = try self.store.map { text throws(CommandFailure) in try StoreLocation(text: text) }
            if let acquirer = self.acquirer {
                let secretPath = self.acquirerSecret.map(FileSystem.absolutePath)
                configuration.acquirer = .link(try LinkAddress(text: acquirer, secretPath: secretPath))
            }
            configuration.binTablePath = self.binTable.map(FileSystem.absolutePath)
            let isJSON = self.json
            try await CommandFailure.ofServer { [configuration] in
                // Before anything is opened: each connection takes one.
                FileDescriptorLimit.raise()
                try await self.withUpstream(configuration) { configuration in
                    let application = try await Application.build(configuration)
                    try await application.run(signals: [.sigterm, .sigint]) { addresses in
                        let announcement = SandboxAnnouncement(
                            directory: application.directory, addresses: addresses, appleURL: application.apple?.url,
                            merchants: application.merchants, hasShop: configuration.hasShop,
                            chain: configuration.chain, admin: try await application.adminAnnouncement())
                        if isJSON {
                            console.line(announcement.json.text())
                        } else {
                            for line in announcement.lines { console.line(line) }
                        }
                    }
                }
            }
        }
    }

    /// Runs the second sandbox around the first, where there is to be one.
    private func withUpstream(
        _ configuration: ApplicationConfiguration,
        _ body: @escaping @Sendable (ApplicationConfiguration) async throws -> Void
    ) async throws {
        guard let upstream = self.upstream else { return try await body(configuration) }
        let listener = ApplicationConfiguration.Listener(host: "127.0.0.1", port: self.upstreamPort)
        let url = self.upstreamURL
        try await SandboxChain.withService(upstream, of: configuration.directory, at: listener, through: url) { chain in
            var configuration = configuration
            configuration.chain = chain
            try await body(configuration)
        }
    }
}

/// What a sandbox prints when it is ready.
struct SandboxAnnouncement {
    let directory: DataDirectory
    let addresses: [ListenerAddress]
    /// Where the simulated Apple listens.
    let appleURL: String?
    let merchants: [MerchantCard]
    var hasShop = true
    var chain: SandboxChain?
    var admin: AdminAnnouncement?

    private func url(_ scheme: ListenerAddress.Scheme) -> String? {
        self.addresses.first { $0.scheme == scheme }?.url
    }

    /// For programs: one object.
    var json: JSON {
        var merchants = JSONObject()
        for card in self.merchants {
            var merchant = JSONObject()
            for entry in card.values + card.files { merchant[entry.name] = .string(entry.value) }
            merchant["merchantIdentifier"] = .string(card.merchantIdentifier)
            merchants[card.name] = .object(merchant)
        }
        var object = JSONObject()
        object["ready"] = true
        object["http"] = Self.text(self.url(.http))
        object["https"] = Self.text(self.url(.https))
        object["shop"] = Self.text(self.hasShop ? self.url(.http).map { $0 + "/" } : nil)
        object["apple"] = ["url": Self.text(self.appleURL)]
        object["ca"] = .string(self.directory.caCertificatePath)
        object["trustRoot"] = .string(self.directory.trustRootPath)
        object["merchants"] = .object(merchants)
        if let admin = self.admin {
            object["admin"] = admin.json
        }
        if let chain = self.chain {
            object["upstream"] = [
                "connector": .string(chain.service.rawValue), "http": .string(chain.listensAt),
                "data": .string(chain.directory.path),
            ]
        }
        return .object(object)
    }

    private static func text(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }

    /// For people.
    var lines: [String] {
        var lines = ["Pomona sandbox is ready.", ""]
        func add(_ name: String, _ value: String?) {
            guard let value else { return }
            lines.append("  " + name + String(repeating: " ", count: max(1, 22 - name.count)) + value)
        }
        add("Demo shop", self.hasShop ? self.url(.http).map { $0 + "/" } : nil)
        add("HTTP", self.url(.http))
        add("HTTPS", self.url(.https))
        add("Simulated Apple", self.appleURL)
        add("Portal", self.admin.map { $0.url + "/portal/" })
        add("Its owner", self.admin?.owner?.userName)
        add("Its password", self.admin?.owner?.password.reveal())
        add("Administration", self.admin.map { $0.url + AdminService.root })
        add("Its token", self.admin?.token.reveal())
        add("CA of the HTTPS", self.directory.caCertificatePath)
        add("Data directory", self.directory.path)
        add("Token trust root", self.directory.trustRootPath)
        if let chain = self.chain {
            add("Paid through", "\(chain.service.rawValue) at \(chain.listensAt)")
            add("Its data directory", chain.directory.path)
        }
        for card in self.merchants {
            lines += ["", "Merchant \(card.name)"]
            for entry in card.values + card.files { add(entry.name, entry.value) }
            add("merchantIdentifier", card.merchantIdentifier)
        }
        if let first = self.merchants.first {
            lines += [
                "", "Mint a token:",
                "  pomona token mint --data \(self.directory.path.shellQuoted) --merchant \(first.name) --amount 10.99 --currency \(first.currency)",
            ]
        }
        return lines + ["", "Logs are on standard error. Stop with Ctrl-C."]
    }
}

extension UpstreamService: ExpressibleByArgument {}
