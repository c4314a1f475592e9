//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser

/// `pomona config`: the configuration of `pomona serve`.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Begin, explain and check the configuration of pomona serve.",
        subcommands: [ConfigInitCommand.self, ConfigExplainCommand.self, ConfigCheckCommand.self])
}

/// `pomona config check`.
struct ConfigCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a configuration and the files that it names, as a start would.",
        usage: "pomona config check [--config <config>]",
        discussion: """
            The environment counts, as at a start. What is wrong is named, with what it may be; exit code 1. A start would take a \
            certificate that has ended, or is about to; that is exit code 3.
            """)

    @Option(help: "The configuration file: JSON. What it does not say, the environment must.")
    var config: String?

    func run() async throws {
        try await CommandRunner.run(json: false) { console in
            let values = try ConfigurationValues.ofProcess(file: self.config)
            for warning in values.warnings { console.errorLine(warning) }
            let configuration = try ServeConfiguration.make(values)
            let worst = try await CommandFailure.ofServer {
                try await ServeConfiguration.check(configuration, to: console)
            }
            try ServeConfiguration.exit(after: worst)
        }
    }
}

extension ServeConfiguration {
    /// What a check ends with: a failure with `pomona doctor`'s code, since a script reads nothing else. What a start would
    /// refuse is thrown before, and is 1.
    static func exit(after worst: Finding.Severity) throws(ExitCode) {
        if worst == .failure { throw ExitCode(3) }
    }
}
