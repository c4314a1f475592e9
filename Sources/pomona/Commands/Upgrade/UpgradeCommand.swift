//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import StrictJSON

/// `pomona upgrade`.
struct UpgradeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade", abstract: "Prepare the upgrade to this version.",
        subcommands: [UpgradeCheckCommand.self])
}

/// `pomona upgrade check`: what this version would change, before anything is.
struct UpgradeCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say what this version would change in a store, and whether it takes the configuration.",
        usage: "pomona upgrade check [--data <dir>] [--store <store>] [--config <config>] [--json]",
        discussion: """
            Run it with the new version while the old one serves: it reads and changes nothing. Exits with 0 when there is \
            nothing to do, with 2 when the store would be brought up to date, with 3 when the configuration is refused, and with 1 \
            when it could not look, or a later version has written the store.
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
            let directory = self.directory.directory
            let configuration = try self.directory.config.map { try Self.check($0) }
            let location =
                if let store { try StoreLocation(text: store) } else { try Self.store(of: directory, configuration) }
            if case .sqlite(let path) = location, !FileSystem.exists(path) { try directory.requireStore() }
            let steps = try await location.missingSteps()
            let report = UpgradeReport(location: location, steps: steps, configuration: configuration)
            report.write(to: console, json: self.json)
            if configuration?.refusal != nil { throw ExitCode(3) }
            if !steps.isEmpty { throw ExitCode(2) }
        }
    }

    /// Where `pomona serve` would have it. Of a configuration that is refused, so that it serves nothing, perhaps not even what
    /// it names as the store can be read: then it is the one that the directory has.
    private static func store(
        of directory: DataDirectory, _ configuration: UpgradeReport.Configuration?
    ) throws(CommandFailure) -> StoreLocation {
        do throws(CommandFailure) {
            return try directory.storeLocation()
        } catch {
            let own = try directory.withoutConfiguration.storeLocation()
            guard configuration?.refusal != nil, error.isOfConfiguration else { throw error }
            if case .sqlite(let path) = own, !FileSystem.exists(path) { throw error }
            return own
        }
    }

    private static func check(_ path: String) throws -> UpgradeReport.Configuration {
        var found = UpgradeReport.Configuration()
        do {
            let values = try ConfigurationValues.ofProcess(file: path)
            found.warnings = values.warnings.map { "\($0)" }
            _ = try ServeConfiguration.make(values)
        } catch let failure as CommandFailure where failure.isOfConfiguration {
            found.refusal = failure.message
        }
        return found
    }
}

extension CommandFailure {
    /// Whether it is about what the configuration says, not about a file that cannot be read.
    fileprivate var isOfConfiguration: Bool { self.code.hasPrefix("configuration_") }
}

struct UpgradeReport: Sendable {
    struct Configuration: Sendable {
        var warnings: [String] = []
        /// Why a start would be refused.
        var refusal: String?
    }

    let location: StoreLocation
    /// What the store lacks, in order.
    let steps: [String]
    /// `nil` if it was not asked for.
    let configuration: Configuration?

    func write(to console: Console, json: Bool) {
        if json { return console.line(self.json.text(pretty: true)) }
        console.line("This is pomona \(Version.text).")
        if self.steps.isEmpty {
            console.line(console.styled("The tables of \(self.location.summary) are this version's.", .good))
        } else {
            console.line("The tables of \(self.location.summary) lack \(Text.count(self.steps.count, "step")):")
            for step in self.steps { console.line("  \(step)") }
            console.line("Back it up. A gateway of this version takes them when it starts, or pomona store migrate.")
            if self.location.isShared {
                console.line("Nodes of the version before go on beside it; none of it can be started afterwards.")
            }
        }
        guard let configuration else { return }
        for warning in configuration.warnings { console.line("The configuration: \(warning)") }
        if let refusal = configuration.refusal {
            console.line(console.styled("The configuration is refused: \(refusal)", .bad))
        } else {
            console.line("The configuration is taken.")
        }
    }

    /// `{"version","steps":[…],"configuration":{"taken","warnings":[…],"refusal"?}?}`.
    private var json: JSON {
        var object = JSONObject()
        object["version"] = .string(Version.text)
        object["steps"] = .array(self.steps.map(JSON.string))
        if let configuration {
            var found = JSONObject()
            found["taken"] = .bool(configuration.refusal == nil)
            found["warnings"] = .array(configuration.warnings.map(JSON.string))
            found["refusal"] = configuration.refusal.map(JSON.string)
            object["configuration"] = .object(found)
        }
        return .object(object)
    }
}
