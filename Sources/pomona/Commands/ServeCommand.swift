//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Foundation
import Gateway
import Logging
import Payments
import Server
import UnixSignals

/// `pomona serve`: a gateway as its configuration says.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run a gateway as a configuration file says.",
        usage: "pomona serve [--config <config>] [<options>]",
        discussion: """
            A value is taken from the flags below, else from the environment (POMONA_HTTP_PORT for http.port), else from the \
            file. docs/configuration.md lists every key. A key of the file that is not known or a value that is not allowed refuses \
            the start. With --check the exit code is 1 for what would be refused, and 3 where a certificate has ended or is about to.
            """)

    @Option(help: "The configuration file: JSON. What it does not say, flags and the environment must.")
    var config: String?

    @Option(name: .customLong("data"), help: "data.directory")
    var data: String?

    @Option(help: "store.url")
    var store: String?

    @Option(help: "http.host and https.host")
    var host: String?

    @Option(help: "http.port")
    var port: String?

    @Option(name: .customLong("tls-port"), help: "https.port")
    var tlsPort: String?

    @Option(name: .customLong("log-level"), help: "log.level")
    var logLevel: String?

    @Flag(help: "Check the configuration and the files that it names, and do not start.")
    var check = false

    func run() async throws {
        try await CommandRunner.run(json: false) { console in
            ProcessHardening.apply()
            ThreadsAllocator.boundCaches()
            let values = try ConfigurationValues.ofProcess(flags: self.flags, file: self.config)
            let configuration = try ServeConfiguration.make(values)
            let logger = Surroundings.system.logger("pomona", level: configuration.logLevel)
            for warning in values.warnings { logger.warning("configuration", metadata: ["reason": "\(warning)"]) }
            if self.check {
                let worst = try await CommandFailure.ofServer {
                    try await ServeConfiguration.check(configuration, to: console)
                }
                return try ServeConfiguration.exit(after: worst)
            }
            try await CommandFailure.ofServer {
                // Before anything is opened: each connection takes one.
                FileDescriptorLimit.raise()
                let application = try await Application.build(configuration)
                try await application.run(signals: [.sigterm, .sigint]) { addresses in
                    for (address, served) in zip(addresses, configuration.offers) {
                        let suffix = served.offer == .metrics ? " (metrics)" : ""
                        console.line("Listening on \(address.url)\(suffix)")
                    }
                    if let url = try? await application.adminURL() {
                        console.line("Listening on \(url) (administration)")
                    }
                    ServiceManager()?.notify(.ready)
                    let administration = application.gateway.administration
                    guard let merchants = try? await administration.read({ try $0.merchants() }) else { return }
                    await Self.writeMissing(of: merchants, application, to: console)
                    if configuration.acquirer == .simulator {
                        Self.writeLonelyBook(of: merchants, application.directory, to: console)
                    }
                }
            }
        }
    }

    /// What merchants lack to take payments, with the commands that provide it.
    private static func writeMissing(of merchants: [Merchant], _ application: Application, to console: Console) async {
        let (directory, administration) = (application.directory, application.gateway.administration)
        if merchants.isEmpty {
            console.line("There is no merchant yet. Make one: pomona setup --data \(directory.path.shellQuoted)")
        }
        for merchant in merchants where merchant.state == .active {
            guard let missing = try? await administration.missingParts(of: merchant), !missing.isEmpty else {
                continue
            }
            console.line("\(merchant.name) cannot take payments yet:")
            for part in missing {
                let report = MissingReport(part, merchant: merchant, directory)
                console.line("  \(report.text)")
                console.line("    \(report.command)")
            }
        }
    }

    /// The simulator of a node of several approves what the others then look for in their own books. Nobody sees from one
    /// node whether there are more.
    private static func writeLonelyBook(of merchants: [Merchant], _ directory: DataDirectory, to console: Console) {
        guard merchants.contains(where: { $0.mode == .sandbox && $0.state == .active }),
            let store = try? directory.storeLocation(), store.isShared
        else { return }
        console.line("The simulated acquirer keeps its book in \(directory.acquirerStorePath), for this process alone.")
        console.line("  If others serve the same database, run it once and give all of them its address:")
        console.line("    pomona acquirer serve (operations.md, Several nodes; acquirer.address)")
    }

    private var flags: [ConfigurationKey: String] {
        var flags: [ConfigurationKey: String] = [:]
        flags[.dataDirectory] = self.data
        flags[.storeURL] = self.store
        flags[.httpHost] = self.host
        flags[.httpsHost] = self.host
        flags[.httpPort] = self.port
        flags[.httpsPort] = self.tlsPort
        flags[.logLevel] = self.logLevel
        return flags
    }
}
