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
            var directory = self.directory.directory
            if let store { directory = try await directory.beginning(try StoreLocation(text: store)) }
            guard let path = self.file else {
                return try await SetupDialogue(directory, console).run()
            }
            let text = try InputFile.text(of: path, what: "setup file", bytesMax: 1 << 20)
            let file = try SetupFile(text: text)
            try await Self.examine(file, in: directory)
            let outcome = try await Self.outcome(of: file, in: directory)
            if self.json { console.line(outcome.json.text()) } else { outcome.write(to: console) }
            guard let failure = outcome.failure else { return }
            if !self.json { CommandRunner.report(failure, json: false, to: console) }
            throw ExitCode.failure
        }
    }

    /// Looks a file through before anything is opened for writing: a file that makes no sense leaves not even a directory.
    ///
    /// - Throws: ``CommandFailure`` with all that is wrong with the file.
    private static func examine(_ file: SetupFile, in directory: DataDirectory) async throws {
        try directory.checkPermissions()
        // What an earlier run was stopped in the making of is made on, and has nothing to be compared with.
        guard try await directory.storeLocation().isBegun() else { return try await self.examine(file, directory, nil) }
        try await DirectoryAccess.withReadingAdministration(directory) { administration in
            try await self.examine(file, directory, administration)
        }
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

    /// Makes what the file names. A store that cannot be closed, for want of room, keeps no credential from being shown.
    private static func outcome(of file: SetupFile, in directory: DataDirectory) async throws -> SetupOutcome {
        var closing: (any Error)?
        let keep: (any Error) -> Void = { closing = $0 }
        var outcome = try await self.withGateway(directory, mode: file.mode, onCloseFailure: keep) {
            await Setup(administration: $0, directory: directory).run(file)
        }
        if outcome.failure == nil { outcome.failure = closing.map { CommandFailure($0) } }
        return outcome
    }

    /// A gateway on the directory, which is made where it is not there, with the test authority that a sandbox merchant's
    /// certificates come from.
    static func withGateway<Value>(
        _ directory: DataDirectory, mode: Mode, onCloseFailure: (any Error) -> Void = DirectoryAccess.noteCloseFailure,
        _ body: (Administration) async throws -> Value
    ) async throws -> Value {
        try directory.create()
        if mode == .sandbox { _ = try directory.loadOrCreateAuthority(now: Surroundings.system.clock()) }
        return try await DirectoryAccess.withOpenGateway(
            directory, makesStore: true, onCloseFailure: onCloseFailure
        ) { try await body($0.administration) }
    }
}
