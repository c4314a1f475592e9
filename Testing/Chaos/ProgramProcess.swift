//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Synchronization

/// A program that is started, killed, stopped, continued and started again.
final class ProgramProcess: Sendable {
    /// One life of it.
    ///
    /// Sendable unchecked: `Process` is set up before the value is shared, and what is called afterwards (its
    /// identifier, the handler of its end) may be called from any thread.
    private final class Life: @unchecked Sendable {
        let process = Process()
        let output = Pipe()
        private let ended: Task<Void, Never>

        init(_ program: URL, _ arguments: [String], logPath: String) throws {
            self.process.executableURL = program
            self.process.arguments = arguments
            self.process.standardInput = FileHandle.nullDevice
            self.process.standardOutput = self.output
            let log = try FileHandle(forWritingTo: URL(fileURLWithPath: logPath))
            try log.seekToEnd()
            self.process.standardError = log
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            self.process.terminationHandler = { _ in end.finish() }
            self.ended = Task { for await _ in ends {} }
            try self.process.run()
            ProgramProcess.living.withLock { [pid = self.process.processIdentifier] in _ = $0.insert(pid) }
            try log.close()
        }

        func signal(_ number: Int32) { kill(self.process.processIdentifier, number) }

        func waitUntilEnd() async {
            await self.ended.value
            ProgramProcess.living.withLock { [pid = self.process.processIdentifier] in _ = $0.remove(pid) }
        }

        /// Once it has ended.
        var isInOrder: Bool { self.process.terminationReason == .exit && self.process.terminationStatus == 0 }

        /// Reads to the first line feed, or the end.
        func firstLine() async -> String {
            let handle = self.output.fileHandleForReading
            return await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    var bytes: [UInt8] = []
                    while let part = try? handle.read(upToCount: 1), !part.isEmpty, part[part.startIndex] != 0x0A {
                        bytes += part
                    }
                    continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
                }
            }
        }
    }

    /// The identifiers of all that have been started and not waited for.
    private static let living = Mutex<Set<Int32>>([])

    /// Ends all, for a program that ends before its time.
    static func killAll() {
        for pid in self.living.withLock({ $0 }) { kill(pid, SIGKILL) }
    }

    let name: String
    private let program: URL
    private let logPath: String
    private let life = Mutex<Life?>(nil)

    init(_ name: String, program: URL, logPath: String) throws {
        self.name = name
        self.program = program
        self.logPath = logPath
        if !FileManager.default.fileExists(atPath: logPath) { try Data().write(to: URL(fileURLWithPath: logPath)) }
    }

    deinit {
        self.life.withLock { $0 }?.signal(SIGKILL)
    }

    /// What it has logged in all of its lives.
    var log: String { (try? String(contentsOfFile: self.logPath, encoding: .utf8)) ?? "" }

    /// - Returns: the first line that it writes, which it does when it is ready.
    func start(_ arguments: [String]) async throws -> String {
        let life = try Life(self.program, arguments, logPath: self.logPath)
        self.life.withLock { $0 = life }
        let line = await life.firstLine()
        guard !line.isEmpty else {
            await self.end(SIGKILL)
            throw ChaosError("\(self.name) does not start:\n\(self.log.suffix(2000))")
        }
        return line
    }

    /// Runs it to its end, which must not wait for its output to be read.
    /// - Returns: whether it has ended with 0.
    func run(_ arguments: [String]) async throws -> Bool {
        let life = try Life(self.program, arguments, logPath: self.logPath)
        await life.waitUntilEnd()
        return life.isInOrder
    }

    func signal(_ number: Int32) { self.life.withLock { $0 }?.signal(number) }

    /// Sends a signal that ends it, and waits for the end.
    func end(_ number: Int32) async {
        guard let life = self.life.withLock({ $0 }) else { return }
        life.signal(number)
        await life.waitUntilEnd()
        self.life.withLock { $0 = nil }
    }
}
