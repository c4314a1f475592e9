//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Synchronization
import TestProcesses

/// A program that is started, killed, stopped, continued and started again.
final class ProgramProcess: Sendable {
    let name: String
    private let command: [String]
    private let logPath: String
    /// One life of it.
    private let life = Mutex<RunningProgram?>(nil)

    /// - Parameter environment: "NAME=VALUE".
    init(_ name: String, program: URL, logPath: String, environment: [String] = []) {
        self.name = name
        self.command = (environment.isEmpty ? [] : ["/usr/bin/env"] + environment) + [program.path]
        self.logPath = logPath
    }

    /// What it has logged in all of its lives.
    var log: String { (try? String(contentsOfFile: self.logPath, encoding: .utf8)) ?? "" }

    /// Whether it has ended, and nobody has asked it to.
    var hasEndedByItself: Bool { self.life.withLock { $0?.hasEnded ?? false } }

    /// - Returns: the first line that it writes, which it does when it is ready.
    func start(_ arguments: [String]) async throws -> String {
        let life = try RunningProgram(self.command + arguments, errorsPath: self.logPath)
        self.life.withLock { $0 = life }
        guard let line = await life.nextLine(), !line.isEmpty else {
            await self.end(SIGKILL)
            throw ChaosError("\(self.name) does not start:\n\(self.log.suffix(2000))")
        }
        return line
    }

    /// Runs it to its end.
    /// - Returns: whether it has ended with 0.
    func run(_ arguments: [String]) async throws -> Bool {
        let life = try RunningProgram(self.command + arguments, errorsPath: self.logPath)
        return await life.waitUntilEnd() == 0
    }

    /// Runs it to its end.
    /// - Returns: the most memory that it had, in kilobytes; `nil` if it has not ended with 0.
    func peakMemory(_ arguments: [String]) async throws -> Int64? {
        let life = try RunningProgram(self.command + arguments, errorsPath: self.logPath)
        var peak: Int64 = 0
        // The high-water mark goes with the process: what is read last before its end counts.
        while let now = life.memoryKilobytes("VmHWM") {
            peak = max(peak, now)
            await Timer.pause(milliseconds: 10)
        }
        return await life.waitUntilEnd() == 0 ? peak : nil
    }

    /// What it has in memory, in kilobytes; `nil` when it does not run.
    var memoryKilobytes: Int64? { self.life.withLock { $0 }?.memoryKilobytes("VmRSS") }

    /// Runs it to its end.
    /// - Returns: what it has written.
    func output(_ arguments: [String]) async throws -> String {
        let life = try RunningProgram(self.command + arguments, errorsPath: self.logPath)
        var lines: [String] = []
        while let line = await life.nextLine() { lines.append(line) }
        guard await life.waitUntilEnd() == 0 else { throw ChaosError("\(self.name) fails:\n\(self.log.suffix(2000))") }
        return lines.joined(separator: "\n")
    }

    func signal(_ number: Int32) { self.life.withLock { $0 }?.signal(number) }

    /// Sends a signal that ends it, and waits for the end.
    func end(_ number: Int32) async {
        guard let life = self.life.withLock({ $0 }) else { return }
        await life.end(number)
        self.life.withLock { $0 = nil }
    }
}
