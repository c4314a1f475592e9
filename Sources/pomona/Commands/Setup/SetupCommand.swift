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
            pomona setup [--data <dir>] [--store <store>]
            pomona setup [--data <dir>] [--store <store>] --file <file> [--json]
            """,
        discussion: """
            Without a file it asks, one question after the other, makes at once what was answered, and can be left at any time, also \
            with Ctrl-C: the next run goes on where this one ended. With a file it asks nothing, looks all of it through before it \
            makes anything, and names all that is wrong; the same file twice changes nothing. It ends with what is still missing, and \
            the command for it. docs/setup.md shows both.
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
            let location = try self.store.map { text throws(CommandFailure) in try StoreLocation(text: text) }
            guard let path = self.file else {
                if let location { try Self.remember(location, directory) }
                return try await SetupDialogue(directory, console).run()
            }
            let text = try InputFile.text(of: path, what: "setup file", bytesMax: 1 << 20)
            let file = try SetupFile(text: text)
            let isExamined = try await Self.examine(file, in: directory, location)
            if let location { try Self.remember(location, directory) }
            let outcome = try await Self.withGateway(directory, mode: file.mode) { administration in
                if !isExamined { try await Self.examine(file, directory, administration) }
                return await Setup(administration: administration, directory: directory).run(file)
            }
            if self.json { console.line(outcome.json.text()) } else { outcome.write(to: console) }
            guard let failure = outcome.failure else { return }
            if !self.json { CommandRunner.report(failure, json: false, to: console) }
            throw ExitCode.failure
        }
    }

    private static func remember(_ location: StoreLocation, _ directory: DataDirectory) throws {
        try directory.create()
        try directory.remember(location)
    }

    /// Looks a file through before anything is opened for writing: a file that makes no sense leaves not even a directory.
    ///
    /// - Parameter location: a store that the directory is to have from now on.
    /// - Returns: `false` for a database that may have no tables yet, and so cannot be read.
    /// - Throws: ``CommandFailure`` with all that is wrong with the file.
    private static func examine(
        _ file: SetupFile, in directory: DataDirectory, _ location: StoreLocation?
    ) async throws -> Bool {
        let known = try directory.storeLocation()
        guard case .sqlite(let path) = location ?? known else { return false }
        guard FileSystem.exists(path), location ?? known == known else {
            try await self.examine(file, directory, nil)
            return !FileSystem.exists(path)
        }
        try await DirectoryAccess.withReadingAdministration(directory) { administration in
            try await self.examine(file, directory, administration)
        }
        return true
    }

    /// - Throws: ``CommandFailure`` with all that is wrong with the file.
    private static func examine(
        _ file: SetupFile, _ directory: DataDirectory, _ administration: Administration?
    ) async throws {
        let examination = SetupExamination(
            directory: directory, connectors: try administration?.connectors ?? Connectors.forCommands(),
            administration: administration)
        let problems = try await examination.problems(of: file)
        guard problems.isEmpty else { throw SetupProblem.failure(problems) }
    }

    /// A gateway on the directory, which is made where it is not there, with the test authority that a sandbox merchant's
    /// certificates come from.
    static func withGateway<Value>(
        _ directory: DataDirectory, mode: Mode, _ body: (Administration) async throws -> Value
    ) async throws -> Value {
        try directory.create()
        if mode == .sandbox { _ = try directory.loadOrCreateAuthority(now: Surroundings.system.clock()) }
        return try await DirectoryAccess.withAdministration(directory, makesStore: true, body)
    }
}
