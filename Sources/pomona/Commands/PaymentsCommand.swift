//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser

/// `pomona payments`: what the store holds, also beside a running server, and what a person has to decide.
struct PaymentsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "payments",
        abstract: "List payments, show one with its operations and its journal, or decide how one ended.",
        subcommands: [PaymentsListCommand.self, PaymentsShowCommand.self, PaymentsResolveCommand.self])
}
