//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON
import TestProcesses
import Testing

/// `pomona serve` with a configuration file, as a real process.
final class GatewayProcess: Sendable {
    private let program: RunningProgram
    private let logPath: String
    let url: String

    /// What has been logged so far.
    var log: String { (try? String(contentsOfFile: self.logPath, encoding: .utf8)) ?? "" }

    /// - Parameters:
    ///   - name: of its files in the folder.
    ///   - port: 0 takes a free one.
    ///   - settings: what the configuration says besides.
    ///   - environment: "NAME=VALUE".
    init(
        _ name: String, data: String, port: Int = 0, settings: [String: JSON] = [:], in folder: CliFolder,
        environment: [String] = []
    ) async throws {
        var configuration = JSONObject()
        configuration["data"] = ["directory": .string(data)]
        configuration["http"] = ["port": JSON(Int64(port))]
        for (key, value) in settings.sorted(by: { $0.key < $1.key }) { configuration[key] = value }
        let path = try folder.write("\(name).json", JSON.object(configuration).text())
        self.logPath = folder.file("\(name).log")
        self.program = try RunningProgram(
            ["/usr/bin/env"] + environment + [CliTool.pomona.path, "serve", "--config", path], errorsPath: self.logPath)
        let line = await self.program.nextLine() ?? ""
        let log = (try? String(contentsOfFile: self.logPath, encoding: .utf8)) ?? ""
        self.url = try #require(
            line.split(separator: " ").last.map(String.init), "no address on standard output: \(line)\n\(log)")
    }

    /// Asks the process to stop.
    /// - Returns: its exit status; negative for the signal that ended it.
    func stop() async -> Int32 { await self.program.end(SIGTERM) }
}
