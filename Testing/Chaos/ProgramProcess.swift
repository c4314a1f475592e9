//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Synchronization
import TestPostgres

/// A program that is started, killed, stopped, continued and started again.
final class ProgramProcess: Sendable {
    /// One life of it.
    private final class Life: Sendable {
        private let child: ChildProcess
        private let hasEndedFlag: Shared
        private let ended: Task<Bool, Never>

        private final class Shared: Sendable {
            let value = Mutex(false)
        }

        init(_ arguments: [String], logPath: String) throws {
            let child = try ChildProcess(arguments, errorsPath: logPath)
            child.closeInput()
            let flag = Shared()
            self.child = child
            self.hasEndedFlag = flag
            ProgramProcess.living.withLock { _ = $0.insert(child.pid) }
            self.ended = Task {
                await
                    (try? onThread {
                        child.waitForEnd()
                        // From here on its number may be another process's.
                        return flag.value.withLock { hasEnded in
                            hasEnded = true
                            ProgramProcess.living.withLock { _ = $0.remove(child.pid) }
                            return child.wait()
                        }
                    }) ?? false
            }
        }

        deinit { self.child.closeOutput() }

        var hasEnded: Bool { self.hasEndedFlag.value.withLock { $0 } }

        func signal(_ number: Int32) {
            self.hasEndedFlag.value.withLock { hasEnded in
                if !hasEnded { kill(self.child.pid, number) }
            }
        }

        /// - Returns: whether it has ended with 0.
        @discardableResult
        func waitUntilEnd() async -> Bool { await self.ended.value }

        /// Reads to the first line feed, or the end.
        func firstLine() async -> String { await (try? onThread { self.child.readLine() }) ?? "" }
    }

    /// The identifiers of all that have been started and have not ended.
    private static let living = Mutex<Set<Int32>>([])

    /// Ends all, for a program that ends before its time.
    static func killAll() {
        for pid in self.living.withLock({ $0 }) { kill(pid, SIGKILL) }
    }

    let name: String
    private let command: [String]
    private let logPath: String
    private let life = Mutex<Life?>(nil)

    /// - Parameter environment: "NAME=VALUE".
    init(_ name: String, program: URL, logPath: String, environment: [String] = []) {
        self.name = name
        self.command = (environment.isEmpty ? [] : ["/usr/bin/env"] + environment) + [program.path]
        self.logPath = logPath
    }

    deinit {
        self.life.withLock { $0 }?.signal(SIGKILL)
    }

    /// What it has logged in all of its lives.
    var log: String { (try? String(contentsOfFile: self.logPath, encoding: .utf8)) ?? "" }

    /// Whether it has ended, and nobody has asked it to.
    var hasEndedByItself: Bool { self.life.withLock { $0?.hasEnded ?? false } }

    /// - Returns: the first line that it writes, which it does when it is ready.
    func start(_ arguments: [String]) async throws -> String {
        let life = try Life(self.command + arguments, logPath: self.logPath)
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
        try await Life(self.command + arguments, logPath: self.logPath).waitUntilEnd()
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
