//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Gateway
import Payments
import StrictJSON

/// `pomona setup`: makes a merchant ready, step by step or from a file.
struct SetupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Make a merchant ready to take payments.",
        usage: """
            pomona setup --data <dir>
            pomona setup --data <dir> --file <file> [--json]
            """,
        discussion: """
            Without a file it asks, one question after the other, makes at once what was answered, and can be left at any time: the next \
            run goes on where this one ended. With a file it asks nothing; the same file twice changes nothing. It ends with what is \
            still missing, and the command for it. docs/setup.md shows a file.
            """)

    @OptionGroup var directory: DataOptions

    @Option(
        help: ArgumentHelp("The store, of a new directory: sqlite:PATH or a URL of PostgreSQL.", valueName: "store"))
    var store: String?

    @Option(help: ArgumentHelp("What is to be made, JSON; - is standard input.", valueName: "file"))
    var file: String?

    @Flag(help: "Write one line of JSON, also for failures.")
    var json = false

    func validate() throws {
        guard self.file != nil || !self.json else {
            throw ValidationError("--json needs --file: questions are for people.")
        }
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            ProcessHardening.apply()
            let directory = self.directory.directory
            if let text = self.store {
                let location = try StoreLocation(text: text)
                try directory.create()
                try directory.remember(location)
            }
            guard let path = self.file else { return try await SetupDialogue(directory, console).run() }
            let text = try InputFile.text(of: path, what: "setup file", bytesMax: 1 << 20)
            let file = try SetupFile(text: text)
            let report = try await Self.withGateway(directory, mode: file.mode) { administration in
                try await Setup(administration: administration, directory: directory).apply(file)
            }
            if self.json { return console.line(report.json.text()) }
            report.report.write(to: console, json: false)
            for (dialect, credentials) in report.accounts.members.map({ ($0.name, $0.value) }) {
                console.line(console.styled("Credentials in \(dialect), shown this once", .strong))
                var fields = Fields()
                for entry in credentials.object?.members ?? [] { fields.add(entry.name, entry.value.string) }
                for line in fields.lines() { console.line(line) }
            }
        }
    }

    /// A gateway on the directory, which is made where it is not there, with the test authority that a sandbox merchant's
    /// certificates come from.
    static func withGateway<Value>(
        _ directory: DataDirectory, mode: Mode, _ body: (Administration) async throws -> Value
    ) async throws -> Value {
        try directory.create()
        if mode == .sandbox { _ = try directory.loadOrCreateAuthority(now: Surroundings.system.clock()) }
        return try await StoreAccess.withAdministration(directory, makesStore: true, body)
    }
}
