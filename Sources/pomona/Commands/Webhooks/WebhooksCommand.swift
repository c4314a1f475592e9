//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser

/// `pomona webhooks`: what merchants were and are to be sent, also beside a running server.
struct WebhooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhooks",
        abstract: "List notifications to merchants, send them again, receive them, or show what signs them.",
        subcommands: [
            WebhooksListCommand.self, WebhooksResendCommand.self, WebhooksListenCommand.self,
            WebhooksSecretCommand.self,
        ])
}
