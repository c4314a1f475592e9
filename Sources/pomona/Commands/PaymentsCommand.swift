//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser

/// `pomona payments`: what the store holds, read-only, also beside a running server.
struct PaymentsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "payments", abstract: "List payments, or show one with its operations and its journal.",
        subcommands: [PaymentsListCommand.self, PaymentsShowCommand.self])
}
