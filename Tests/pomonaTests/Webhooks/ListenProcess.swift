//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON
import TestProcesses
import Testing

/// `pomona webhooks listen --json` as a real process, and the lines that it writes.
final class ListenProcess: Sendable {
    private let program: RunningProgram
    private let folder: CliFolder
    let url: String

    /// Everything after the first line that is JSON.
    var lines: some AsyncSequence<JSON, Never> & Sendable { self.program.lines.compactMap { try? JSON.parse($0) } }

    init(_ arguments: [String]) async throws {
        self.folder = try CliFolder()
        self.program = try RunningProgram(
            [CliTool.pomona.path, "webhooks", "listen", "--json", "--port", "0"] + arguments,
            errorsPath: self.folder.file("stderr"))
        let line = await self.program.nextLine() ?? ""
        let ready = try? JSON.parse(line)
        let log = (try? String(contentsOfFile: self.folder.file("stderr"), encoding: .utf8)) ?? ""
        try #require(ready?["ready"]?.bool == true, "not ready: \(line) \(log)")
        self.url = try #require(ready?["url"]?.string)
    }

    /// Asks the process to stop.
    /// - Returns: its exit status; negative for the signal that ended it.
    func stop(_ signal: Int32 = SIGINT) async -> Int32 { await self.program.end(signal) }
}
