//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Server
import StrictJSON

/// `pomona health`: for the health checks of containers, which have neither a shell nor curl.
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health", abstract: "Ask the gateway on this machine whether it is ready.",
        usage: "pomona health [--config <config>] [--url <url>]",
        discussion: """
            It reads /readyz where serve listens without TLS, by the same file and environment, and waits five seconds for \
            the answer. Exit code 0 when the gateway is ready, else 1.
            """)

    /// What an answer may take: the gateway's own takes two at the most.
    private static let timeoutSeconds: Int64 = 5

    @Option(help: "The configuration file that serve is given.")
    var config: String?

    @Option(help: "Where the gateway listens, if not where the configuration says: https://pay.example.com.")
    var url: String?

    func run() async throws {
        try await CommandRunner.run(json: false) { console in
            let url = try self.url ?? Self.address(ConfigurationValues.ofProcess(flags: [:], file: self.config))
            try await Self.check(url)
            console.line("The gateway at \(url) is ready.")
        }
    }

    /// The listener without TLS: a certificate is seldom for an address of this machine.
    ///
    /// - Throws: ``CommandFailure`` `configuration_value_invalid` where there is none with a fixed port.
    private static func address(_ values: ConfigurationValues) throws(CommandFailure) -> String {
        var host = ConfigurationKey.httpHost
        var port: Int64?
        if try values.flag(.httpEnabled) {
            port = try values.requiredInteger(.httpPort)
        } else if let metrics = try values.integer(.metricsPort) {
            (host, port) = (.metricsHost, metrics)
        }
        guard let port, port > 0 else {
            throw ConfigurationValues.failure(
                .configurationValueInvalid,
                "No listener without TLS has a port that is known: say with --url where the gateway listens.")
        }
        return ListenerAddress(scheme: .http, host: try values.required(host), port: Int(port)).url
    }

    /// - Throws: ``CommandFailure`` `gateway_unreachable`, `gateway_not_ready`.
    private static func check(_ url: String) async throws {
        let page = url.hasSuffix("/") ? "\(url)readyz" : "\(url)/readyz"
        let status: UInt
        let body: ByteBuffer
        do {
            let response = try await HTTPClient.shared.execute(
                HTTPClientRequest(url: page), timeout: .seconds(Self.timeoutSeconds))
            status = response.status.code
            body = try await response.body.collect(upTo: 16 << 10)
        } catch {
            throw CommandFailure(.gatewayUnreachable, stage: .listen, "Nothing answers at \(page): \(error).")
        }
        guard status != 200 else { return }
        let failures = (try? JSON.parse(Array(body.readableBytesView)))?["failures"]?.array?.compactMap(\.string) ?? []
        let reason = failures.isEmpty ? "it answers with status \(status)" : failures.joined(separator: ", ")
        throw CommandFailure(.gatewayNotReady, stage: .listen, "The gateway at \(url) is not ready: \(reason).")
    }
}
