//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON
import TestProcesses
import Testing

/// `pomona sandbox --json`, or another command that announces itself so, as a real process, with free ports.
final class SandboxProcess: Sendable {
    private let program: RunningProgram
    private let folder: CliFolder
    /// The one line of standard output.
    let ready: JSON

    var http: String { self.ready["http"]?.string ?? "" }
    var https: String { self.ready["https"]?.string ?? "" }
    /// What has been logged so far.
    var log: String { (try? String(contentsOfFile: self.folder.file("stderr"), encoding: .utf8)) ?? "" }

    /// - Parameter filesMax: how many files it may have open.
    init(
        _ command: String = "sandbox", data: String, arguments: [String] = ["--port", "0", "--tls-port", "0"],
        filesMax: Int? = nil
    ) async throws {
        self.folder = try CliFolder()
        let limiting = filesMax.map { ["/bin/sh", "-c", "ulimit -n \($0) && exec \"$0\" \"$@\""] } ?? []
        self.program = try RunningProgram(
            limiting + [CliTool.pomona.path, command, "--json", "--data", data] + arguments,
            errorsPath: self.folder.file("stderr"))
        let line = await self.program.nextLine() ?? ""
        let log = (try? String(contentsOfFile: self.folder.file("stderr"), encoding: .utf8)) ?? ""
        self.ready = try #require(try? JSON.parse(line), "no line of JSON on standard output: \(line)\n\(log)")
    }

    /// The next line of standard output: of a process that announces itself more than once.
    func nextLine() async throws -> JSON {
        let line = await self.program.nextLine() ?? ""
        return try #require(try? JSON.parse(line), "no line of JSON on standard output: \(line)\n\(self.log)")
    }

    /// Asks the process to stop.
    /// - Returns: its exit status; negative for the signal that ended it.
    func stop(_ signal: Int32 = SIGTERM) async -> Int32 { await self.program.end(signal) }
}
