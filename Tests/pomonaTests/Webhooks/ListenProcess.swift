//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON
import Testing

/// `pomona webhooks listen --json` as a real process, and the lines that it writes.
///
/// Sendable unchecked: `Process` is set up before the value is shared, and what is called afterwards (its identifier,
/// the handler of its end) may be called from any thread.
final class ListenProcess: @unchecked Sendable {
    private let process = Process()
    private let folder: CliFolder
    private let ended: Task<Int32, Never>
    /// Everything after the first line.
    let lines: AsyncStream<JSON>
    let url: String

    init(_ arguments: [String]) async throws {
        self.folder = try CliFolder()
        let output = Pipe()
        self.process.executableURL = CliTool.pomona
        self.process.arguments = ["webhooks", "listen", "--json", "--port", "0"] + arguments
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
        let (firsts, first) = AsyncStream.makeStream(of: JSON.self)
        let (lines, line) = AsyncStream.makeStream(of: JSON.self)
        self.lines = lines
        Self.read(output.fileHandleForReading, first, line)
        var ready: JSON?
        for await json in firsts { ready = json }
        let log = (try? String(contentsOfFile: self.folder.file("stderr"), encoding: .utf8)) ?? ""
        try #require(ready?["ready"]?.bool == true, "not ready: \(ready?.text() ?? "") \(log)")
        self.url = try #require(ready?["url"]?.string)
    }

    private static func read(
        _ handle: FileHandle, _ first: AsyncStream<JSON>.Continuation, _ line: AsyncStream<JSON>.Continuation
    ) {
        Thread.detachNewThread {
            var (bytes, isFirst) = ([UInt8](), true)
            while let part = try? handle.read(upToCount: 1), let byte = part.first {
                guard byte == 0x0A else {
                    bytes.append(byte)
                    continue
                }
                if let json = try? JSON.parse(bytes) { (isFirst ? first : line).yield(json) }
                if isFirst { first.finish() }
                (bytes, isFirst) = ([], false)
            }
            first.finish()
            line.finish()
        }
    }

    /// Asks the process to stop.
    /// - Returns: its exit status; negative for the signal that ended it.
    func stop(_ signal: Int32 = SIGINT) async -> Int32 {
        kill(self.process.processIdentifier, signal)
        return await self.ended.value
    }

    deinit {
        if self.process.isRunning { kill(self.process.processIdentifier, SIGKILL) }
    }
}
