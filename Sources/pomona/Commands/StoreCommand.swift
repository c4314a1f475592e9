//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Gateway
import Payments
import StrictJSON

/// `pomona store`.
struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Look after the store of payments.",
        subcommands: [StoreMigrateCommand.self, StoreCopyCommand.self])
}

/// `pomona store migrate`: brings a store's tables up to date, before the gateways of a new version start.
struct StoreMigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Make the tables of a store, or bring older ones up to date.",
        discussion: """
            A gateway does the same when it starts. With several nodes, run it once with the new version: the nodes of the \
            version before go on beside it, and are then replaced one after the other.
            """)

    @OptionGroup var directory: DataOptions

    @Option(
        help: ArgumentHelp(
            "The store: sqlite:PATH or postgresql://…; the data directory's if left out.", valueName: "store"))
    var store: String?

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let location =
                if let store { try StoreLocation(text: store) } else { try self.directory.directory.storeLocation() }
            let opened = try await location.open()
            let isLogged: Bool
            do {
                isLogged = try await StoreLog.note(
                    AuditDraft(.storeMigrate, ""), on: opened, of: self.directory.directory)
                try await opened.close()
            } catch {
                try? await opened.close()
                throw error
            }
            if self.json {
                let answer: JSON = ["migrated": true, "logged": .bool(isLogged)]
                console.line(answer.text())
            } else {
                console.line("The tables of \(location.summary) are up to date.")
                if !isLogged { console.line("Not in the audit log: its key is not here.") }
            }
        }
    }
}
