//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser

/// `pomona alarms`: what an operator has to know of.
struct AlarmsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alarms", abstract: "Look at alarms: what is wrong now, and what was.",
        subcommands: [AlarmsListCommand.self, AlarmsEndCommand.self])
}
