//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON
import Testing

/// `pomona sandbox --json`, or another command that announces itself so, as a real process, with free ports.
///
/// Sendable unchecked: `Process` is set up before the value is shared, and what is called afterwards (its identifier,
/// the handler of its end) may be called from any thread.
final class SandboxProcess: @unchecked Sendable {
    private let process = Process()
    private let folder: CliFolder
    private let ended: Task<Int32, Never>
    /// The one line of standard output.
    let ready: JSON

    var http: String { self.ready["http"]?.string ?? "" }
    var https: String { self.ready["https"]?.string ?? "" }
    /// What has been logged so far.
    var log: String { (try? String(contentsOfFile: self.folder.file("stderr"), encoding: .utf8)) ?? "" }

    init(
        _ command: String = "sandbox", data: String, arguments: [String] = ["--port", "0", "--tls-port", "0"],
        filesMax: Int? = nil
    ) async throws {
        self.folder = try CliFolder()
        let output = Pipe()
        self.process.executableURL = CliTool.pomona
        self.process.arguments = [command, "--json", "--data", data] + arguments
        if let filesMax {
            self.process.executableURL = URL(fileURLWithPath: "/bin/sh")
            self.process.arguments =
                [
                    "-c", "ulimit -n \(filesMax) && exec \"$0\" \"$@\"", CliTool.pomona.path, command, "--json",
                    "--data", data,
                ]
                + arguments
        }
        self.process.standardInput = FileHandle.nullDevice
        self.process.standardOutput = output
        self.process.standardError = try FileHandle(
            forWritingTo: URL(fileURLWithPath: try self.folder.write("stderr", "")))
        let (ends, end) = AsyncStream.makeStream(of: Int32.self)
        self.process.terminationHandler = { process in
            end.yield(process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus)
            end.finish()
        }
        self.ended = Task {
            for await status in ends { return status }
            return Int32.min
        }
        try self.process.run()
        let line = await Self.firstLine(of: output.fileHandleForReading)
        let log = (try? String(contentsOfFile: self.folder.file("stderr"), encoding: .utf8)) ?? ""
        self.ready = try #require(try? JSON.parse(line), "no line of JSON on standard output: \(line)\n\(log)")
    }

    /// Reads to the first line feed, or the end.
    private static func firstLine(of handle: FileHandle) async -> String {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var bytes: [UInt8] = []
                while let part = try? handle.read(upToCount: 1), !part.isEmpty, part[part.startIndex] != 0x0A {
                    bytes += part
                }
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    /// Asks the process to stop.
    /// - Returns: its exit status; negative for the signal that ended it.
    func stop(_ signal: Int32 = SIGTERM) async -> Int32 {
        kill(self.process.processIdentifier, signal)
        return await self.ended.value
    }

    deinit {
        if self.process.isRunning { kill(self.process.processIdentifier, SIGKILL) }
    }
}
