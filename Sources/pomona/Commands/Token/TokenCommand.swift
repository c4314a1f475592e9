//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser

/// `pomona token`: what an engineer does with a payment token at hand.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Verify, open, explain and mint Apple Pay payment tokens.",
        subcommands: [TokenVerifyCommand.self, TokenOpenCommand.self, TokenInspectCommand.self, TokenMintCommand.self])
}
