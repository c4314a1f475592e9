//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A program that serves for as long as this process lives: it hangs on a pipe of this process, so that it is ended when
/// the process ends, however that ends. It may be ended and started again.
public final class Daemon: Sendable {
    private struct Life {
        /// The shell above the program, which lives as long as its input is open.
        let supervisor: ChildProcess
        let pid: Int32
    }

    /// What it writes is added to this file.
    private let logPath: String
    /// The signal that ends it in order.
    private let lastSignal: String
    /// What is removed when this process ends.
    private let directory: String
    private let life = Mutex<Life?>(nil)

    /// - Parameters:
    ///   - lastSignal: by its name, "TERM".
    ///   - directory: of its own; removed when this process ends.
    public init(logPath: String, lastSignal: String, removing directory: String) {
        self.logPath = logPath
        self.lastSignal = lastSignal
        self.directory = directory
    }

    deinit {
        guard let supervisor = self.life.withLock({ $0?.supervisor }) else {
            try? FileManager.default.removeItem(atPath: self.directory)
            return
        }
        // The shell reads the end of the pipe, ends the program and removes the directory.
        supervisor.closeInput()
        supervisor.closeOutput()
    }

    /// Starts the program below a shell that ends it when the pipe from this process is closed. The program and those
    /// of its processes that inherit files have the other pipe open, which so shows when the last of them has ended.
    public func start(_ arguments: [String]) throws {
        self.dismissSupervisor()
        let script = """
            exec 3>&1 >>"$1" 2>&1
            directory=$2 signal=$3; shift 3
            "$@" </dev/null & program=$!
            echo $program >&3
            exec 3>&-
            cat >/dev/null
            kill -s "$signal" $program 2>/dev/null
            wait $program
            rm -rf "$directory"
            """
        let supervisor = try ChildProcess(
            ["/bin/sh", "-c", script, "sh", self.logPath, self.directory, self.lastSignal] + arguments)
        let pid = Int32(supervisor.readLine())
        guard let pid else { throw ProcessTrouble("\(arguments[0]) does not start.") }
        self.life.withLock { $0 = Life(supervisor: supervisor, pid: pid) }
    }

    /// The program's number, until it has been ended.
    public var pid: Int32? { self.life.withLock { $0?.pid } }

    /// Whether it was started and has not ended, by itself or otherwise.
    public var isRunning: Bool { self.life.withLock { $0.map { !$0.supervisor.hasClosedOutput } ?? false } }

    public var log: String { (try? String(contentsOfFile: self.logPath, encoding: .utf8)) ?? "" }

    /// Sends a signal, and waits until the program and its processes have ended. SIGKILL goes to its children too.
    public func end(with signal: CInt) async throws {
        guard let life = self.life.withLock({ $0 }) else { return }
        if signal == SIGKILL {
            ProcessTree(of: life.pid).kill()
        } else {
            _ = kill(life.pid, signal)
        }
        _ = try await onThread { life.supervisor.readToEnd() }
        self.dismissSupervisor()
    }

    /// Ends the shell above a program that has ended, so that it leaves the directory alone.
    private func dismissSupervisor() {
        let life = self.life.withLock { life in
            defer { life = nil }
            return life
        }
        guard let supervisor = life?.supervisor else { return }
        _ = kill(supervisor.pid, SIGKILL)
        supervisor.wait()
        supervisor.closeInput()
        supervisor.closeOutput()
    }
}

/// A process and its children, as proc(5) has them.
public struct ProcessTree: Sendable {
    public let pid: Int32

    public init(of pid: Int32) {
        self.pid = pid
    }

    public func signal(_ number: CInt) {
        for process in [self.pid] + self.children { _ = Self.send(number, to: process) }
    }

    /// To the process alone.
    public func signalRoot(_ number: CInt) { _ = Self.send(number, to: self.pid) }

    /// Whether it is there, and not only its exit status.
    public var isRunning: Bool { Self.status(of: self.pid).map { $0.state != "Z" } ?? false }

    /// The process is stopped first: what it forked between the look at its children and its own end would live on.
    public func kill() {
        _ = Self.send(SIGSTOP, to: self.pid)
        self.signal(SIGKILL)
    }

    private var children: [Int32] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap { Int32($0) }.filter { Self.status(of: $0)?.parent == self.pid }
    }

    private static func send(_ number: CInt, to pid: Int32) -> CInt {
        #if canImport(Glibc)
        Glibc.kill(pid, number)
        #elseif canImport(Musl)
        Musl.kill(pid, number)
        #else
        Darwin.kill(pid, number)
        #endif
    }

    /// /proc/pid/stat: pid, (command), state, parent.
    private static func status(of pid: Int32) -> (state: Substring, parent: Int32)? {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 1, let parent = Int32(fields[1]) else { return nil }
        return (fields[0], parent)
    }
}
