//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Foundation

/// The data directory on the command line.
struct DataOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The gateway's data directory; POMONA_DATA_DIRECTORY sets it, too.", valueName: "dir"))
    var data: String = DataDirectory.defaultPath(in: ProcessInfo.processInfo.environment)

    var directory: DataDirectory { DataDirectory(path: self.data) }
}
