//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Gateway
import Payments
import Redaction
import StrictJSON
import Time

/// `pomona webhooks secret`: what a merchant's server verifies our signature with.
struct WebhooksSecretCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret", abstract: "Show or change the secret that signs a merchant's webhooks.",
        usage: "pomona webhooks secret <merchant> [--dialect <dialect>] [--rotate] [<options>]",
        discussion: """
            Every webhook carries Pomona-Signature, beside the dialect's own scheme; docs/webhooks.md says how it is \
            verified. After --rotate the old secret signs beside the new one for 24 hours: give the new one to the \
            merchant's server within that time. A server that runs on the data directory signs with it within \
            \(MerchantAccounts.heededWithinSeconds) seconds.
            """)

    @OptionGroup var directory: DataOptions

    @Argument(help: ArgumentHelp("The merchant's name in the store.", valueName: "merchant"))
    var merchant: String

    @Option(help: "The account's dialect; may be left out when the merchant has one account.")
    var dialect: String?

    @Flag(help: "Make a new secret.")
    var rotate = false

    @OptionGroup var overriding: OverrideOption

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let (name, dialect, isRotated) = (self.merchant, self.dialect, self.rotate)
            let directory = self.directory.directory
            let (account, secrets) = try await DirectoryAccess.withAdministration(directory) { administration in
                let account = try await administration.read {
                    try MerchantAccounts.account(of: name, dialect: dialect, in: $0)
                }
                let secrets =
                    isRotated
                    ? try await self.overriding.applied(to: administration)
                        .rotateWebhookSecret(of: account.merchantID, dialect: account.dialect)
                    : try await administration.webhookSecrets(of: account.merchantID, dialect: account.dialect)
                return (account, secrets)
            }
            try Self.writeCard(of: name, account, secrets, in: directory)
            self.write(account, secrets, to: console)
        }
    }

    /// A demo merchant's card says what its own server knows.
    private static func writeCard(
        of name: String, _ account: MerchantAccount, _ secrets: WebhookSecrets, in directory: DataDirectory
    ) throws(CommandFailure) {
        let folder = directory.merchant(name)
        guard folder.hasCard, account.dialect.text == name else { return }
        _ = try folder.write(secrets, on: try folder.loadCard())
    }

    private func write(_ account: MerchantAccount, _ secrets: WebhookSecrets, to console: Console) {
        // One whose time is over signs no more, and is of no interest.
        let oldSignsUntil = secrets.previous.map(\.signsUntil).flatMap { $0 > .now() ? $0 : nil }
        if self.json {
            var report = JSONObject()
            report["merchant"] = .string(self.merchant)
            report["dialect"] = .string(account.dialect.text)
            report["account"] = .string(account.key)
            report["secret"] = .string(secrets.current.reveal())
            report["previousSignsUntil"] = oldSignsUntil.map { .string($0.description) } ?? .null
            console.line(JSON.object(report).text(pretty: true))
            return
        }
        console.line(console.styled("\(self.merchant): account \(account.key) in \(account.dialect.text)", .title))
        var fields = Fields()
        fields.add("secret", secrets.current.reveal())
        fields.add("the one before", oldSignsUntil.map { "signs beside it until \($0.rfc3339Seconds)" })
        for line in fields.lines() { console.line(line) }
    }
}
