//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Foundation

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

    var directory: DataDirectory {
        DataDirectory(path: self.data ?? DataDirectory.defaultPath(in: ProcessInfo.processInfo.environment))
    }
}
