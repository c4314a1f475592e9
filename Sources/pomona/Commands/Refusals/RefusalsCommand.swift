//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser

/// `pomona refusals`: calls that were refused, and why.
struct RefusalsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refusals", abstract: "Look at calls that were refused, and what to do about them.",
        subcommands: [RefusalsListCommand.self])
}
