//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Payments

/// `pomona acquirer do`: what an operator has a connector do with its connections.
struct AcquirerDoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "do", abstract: "Have an acquirer's connector sign on, sign off or echo.",
        usage: "pomona acquirer do --merchant <name> --name <name> <command> [<options>]",
        discussion: """
            No money moves. `pomona acquirer connectors` lists the commands of each connector; most keep no connection and \
            have none. The acquirer of sandbox merchants has them where it is a process of its own: say where, with --acquirer. \
            Exits with 1 when it could not be done.
            """)

    @OptionGroup var options: AcquirerOptions

    @OptionGroup var link: AcquirerLinkOptions

    @Argument(help: "One of the connector's commands: echo, sign-off, sign-on.")
    var command: String

    func run() async throws {
        try await CommandRunner.run(json: self.options.json) { console in
            let name = self.command
            let finding = try await self.link.withConnectors(self.options.directory.directory) { connectors in
                try await self.options.withAccount(connectors: connectors) { administration, account in
                    guard let finding = try await administration.perform(name, for: account) else {
                        throw CommandFailure(
                            .connectorCommandUnknown, stage: .acquirer,
                            "The connector \(account.connector) has no command \(name). `pomona acquirer connectors` lists them."
                        )
                    }
                    return finding
                }
            }
            try self.options.write([finding], to: console)
        }
    }
}
