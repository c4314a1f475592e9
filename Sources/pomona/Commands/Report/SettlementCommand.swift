//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser

/// `pomona report settlement`.
struct SettlementCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settlement", abstract: "Compare acquirers' settlement files with the ledger.",
        subcommands: [
            SettlementImportCommand.self, SettlementListCommand.self, SettlementShowCommand.self,
            SettlementResolveCommand.self,
        ])
}
