//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Foundation
import Redaction

/// The data directory on the command line, or else in the environment.
///
/// The option itself has no standard, so that what is made of its help, manual pages and the site's, is the same whatever
/// the environment.
struct DataOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The gateway's data directory. If left out, that of POMONA_DATA_DIRECTORY, else .pomona.", valueName: "dir")
    )
    var data: String?

    @Option(
        help: ArgumentHelp(
            "The configuration of pomona serve: where the store is and the master key comes from, and the data directory if --data is left out.",
            valueName: "file"))
    var config: String?

    var directory: DataDirectory {
        let configurationPath = self.config.map(FileSystem.absolutePath)
        return DataDirectory(
            path: self.data ?? Self.directoryPath(configurationPath)
                ?? DataDirectory.defaultPath(in: ProcessInfo.processInfo.environment),
            configurationPath: configurationPath, environmentStore: Self.environmentStore)
    }

    /// Of the gateway that runs in the same environment, as its data directory.
    private static var environmentStore: Redacted<String>? {
        let named = ProcessInfo.processInfo.environment[ConfigurationKey.storeURL.environmentName] ?? ""
        return named.isEmpty ? nil : Redacted(named)
    }

    /// What keeps the configuration from being read is said by whoever needs the store or the key.
    private static func directoryPath(_ configurationPath: String?) -> String? {
        guard let configurationPath else { return nil }
        let values = try? ConfigurationValues.ofProcess(file: configurationPath)
        return try? values?.text(.dataDirectory)
    }
}
