//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import DialectKit
import Hosts
import Payments
import StrictJSON
import Time
import UnixSignals
import Webhooks

/// `pomona webhooks listen`: a receiver for whoever builds a shop.
struct WebhooksListenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen", abstract: "Receive webhooks on this machine, print them, and hand them on to a shop.",
        usage: "pomona webhooks listen [<options>]",
        discussion: """
            Give the gateway the receiver's address as a merchant's, for instance by pomona sandbox --notify-url. \
            What the shop answers goes back to the gateway; without --forward-to the receiver answers what the dialect's \
            sender wants to hear. Each webhook's signature is checked where the data directory is at hand. Where \
            --forward-to names no path, a webhook keeps its own. Stop it with Ctrl-C.
            """)

    @OptionGroup var directory: DataOptions

    @Option(help: "The port to listen on, on 127.0.0.1; 0 takes a free one.")
    var port = 4100

    @Option(
        name: .customLong("forward-to"),
        help: ArgumentHelp("The shop's address, on this machine: http://127.0.0.1:3000/hooks.", valueName: "url"))
    var forwardTo: String?

    @Option(
        help: ArgumentHelp(
            "Whose secret must have signed; that of the event's merchant if left out.", valueName: "name"))
    var merchant: String?

    @Flag(name: .customLong("allow-remote"), help: "Let --forward-to be on another machine.")
    var allowRemote = false

    @Flag(help: "Print headers and bodies, too; secrets in them are left out.")
    var verbose = false

    @Flag(help: "Write one line of JSON when ready and one for each webhook.")
    var json = false

    func validate() throws {
        guard (0...65_535).contains(self.port) else {
            throw ValidationError("--port must be a whole number from 0 to 65535.")
        }
        guard let forwardTo = self.forwardTo else {
            guard !self.allowRemote else { throw ValidationError("--allow-remote goes with --forward-to.") }
            return
        }
        guard let target = NotificationTarget(forwardTo) else {
            throw ValidationError("--forward-to must be an absolute http or https URL.")
        }
        if !self.allowRemote, let address = IPAddress(target.host), !address.isLoopback {
            throw ValidationError("\(target.host) is another machine. Say --allow-remote if that is what you want.")
        }
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let destination = self.forwardTo.flatMap { NotificationTarget($0) }
            if let name = self.merchant {
                let store = try await DirectoryAccess.readOnly(self.directory.directory)
                _ = try await store.read { try Administration.merchant(named: name, in: $0) }
                try await store.close()
            }
            let listener = WebhookListening(
                knowledge: WebhookKnowledge(directory: self.directory.directory, merchantName: self.merchant),
                destination: destination, forwarder: WebhookForwarder(allowsRemote: self.allowRemote),
                isVerbose: self.verbose
            ) { [isJSON = self.json] report in
                // One write, so that webhooks that come at once are not mixed.
                console.line(isJSON ? report.json.text() : report.lines(console).joined(separator: "\n"))
            }
            let receiver = WebhookReceiver(
                port: self.port, clock: Surroundings.system.clock, sleep: Surroundings.system.sleep,
                answer: { await listener.answer($0) })
            try await receiver.run(signals: [.sigterm, .sigint]) { port in
                self.announce("http://127.0.0.1:\(port)", destination, to: console)
            }
        }
    }

    private func announce(_ url: String, _ destination: NotificationTarget?, to console: Console) {
        if self.json {
            let line: JSON = [
                "ready": true, "url": .string(url),
                "forwardTo": destination.map { .string($0.shownText) } ?? .null,
            ]
            return console.line(line.text())
        }
        console.line("Listening for webhooks on \(url).")
        if let destination { console.line("  Handed on to   \(destination.shownText)") }
        console.line("  Signatures     \(Self.signatureWords(self.directory.directory))")
        console.line("  Have them sent pomona sandbox --notify-url \(url)/webhooks")
    }

    /// The store is looked for with each webhook: whoever starts this first and the sandbox then has them checked.
    static func signatureWords(_ directory: DataDirectory) -> String {
        let isAtHand = (try? directory.requireStore()) != nil
        return isAtHand
            ? "checked with the secrets in \(directory.path)" : "checked once there is a store in \(directory.path)"
    }
}

/// What becomes of a webhook that has come: it is looked up, handed on, reported and answered.
struct WebhookListening: Sendable {
    let knowledge: WebhookKnowledge
    let destination: NotificationTarget?
    let forwarder: WebhookForwarder
    let isVerbose: Bool
    let report: @Sendable (ListenReport) -> Void

    func answer(_ webhook: ReceivedWebhook) async -> WebhookReply {
        let facts = await self.knowledge.facts(of: webhook)
        let (forwarding, reply) = await self.forward(webhook, dialect: facts.dialect)
        self.report(
            ListenReport(
                webhook: webhook, facts: facts, forwarding: forwarding, destination: self.destination?.shownText,
                reply: reply, isVerbose: self.isVerbose))
        return reply
    }

    private func forward(
        _ webhook: ReceivedWebhook, dialect: String?
    ) async -> (ListenReport.Forwarding, WebhookReply) {
        guard let destination = self.destination else { return (.none, .acknowledging(dialect)) }
        let clock = ContinuousClock()
        let start = clock.now
        do throws(WebhookForwarder.Failure) {
            let answer = try await self.forwarder.forward(
                webhook.forwarded, to: destination.text(for: webhook.target))
            let reply = WebhookReply(status: answer.status, contentType: answer.contentType, body: answer.body)
            let milliseconds = start.duration(to: clock.now).wholeMilliseconds
            return (.answered(status: answer.status, milliseconds: milliseconds), reply)
        } catch {
            let reply = WebhookReply(status: error.isTimeout ? 504 : 502)
            return (.failed(word: error.word, milliseconds: start.duration(to: clock.now).wholeMilliseconds), reply)
        }
    }
}

extension NotificationTarget {
    private var origin: String {
        "\(self.isSecure ? "https" : "http")://\(HostAndPort.urlHost(self.host)):\(self.port)"
    }

    /// Without its query, which might hold a secret.
    var shownText: String { self.origin + self.path }

    /// Where a webhook goes that came to a path and query of the receiver's. An address without a path leaves a webhook
    /// its own, because dialects sign it; the query is the address's, or else the webhook's.
    func text(for webhookTarget: String) -> String {
        let parts = webhookTarget.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = self.path == "/" ? String(parts.first ?? "/") : self.path
        let query = self.query ?? (parts.count == 2 ? String(parts[1]) : nil)
        return self.origin + path + (query.map { "?" + $0 } ?? "")
    }
}
