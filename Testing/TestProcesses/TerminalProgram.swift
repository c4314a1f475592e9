//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// A program on a terminal of its own, as a person would run it: what is typed goes through the line discipline, so that
/// Ctrl-C is a signal (POSIX, General Terminal Interface).
///
/// Sendable unchecked: a test hands it to whoever waits for it, and one user at a time uses it.
public final class TerminalProgram: @unchecked Sendable {
    private let terminal: CInt
    private let pid: pid_t
    private var shown: [UInt8] = []
    private var status: Int32?

    /// POSIX_SPAWN_SETSID, which is not imported (IEEE Std 1003.1-2024, spawn.h).
    #if canImport(Darwin)
    private static let newSession: Int32 = 0x0400
    #else
    private static let newSession: Int32 = 0x80
    #endif

    /// - Parameter arguments: the program's path and what it is given.
    /// - Throws: ``ProcessTrouble``.
    public init(_ arguments: [String]) throws {
        var (terminal, other): (CInt, CInt) = (-1, -1)
        var name = [CChar](repeating: 0, count: 256)
        guard openpty(&terminal, &other, &name, nil, nil) == 0 else {
            throw ProcessTrouble("There is no terminal to be had.")
        }
        for descriptor in [terminal, other] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        // Else its end would never be seen here.
        defer { close(other) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The leader of a session gets the first terminal that it opens.
        posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        ChildProcess.resetSignals(&attributes, more: Self.newSession)
        let texts = (["/bin/bash", "-c", ChildProcess.shedding, "bash", "/"] + arguments).map { strdup($0) }
        defer { for text in texts { free(text) } }
        var pid: pid_t = 0
        guard posix_spawn(&pid, "/bin/bash", &actions, &attributes, texts + [nil], environ) == 0 else {
            close(terminal)
            throw ProcessTrouble("\(arguments[0]) cannot be started.")
        }
        (self.terminal, self.pid) = (terminal, pid)
    }

    deinit {
        if self.status == nil {
            kill(self.pid, SIGKILL)
            _ = self.wait()
        }
        close(self.terminal)
    }

    /// Types; "\u{3}" is Ctrl-C.
    public func type(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(self.terminal, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Waits until the program has shown the text, after what an earlier call has found.
    ///
    /// - Throws: ``ProcessTrouble`` when it has not within half a minute, or has ended without.
    public func wait(for text: String) throws {
        while true {
            if let found = Self.range(of: Array(text.utf8), in: self.shown) {
                self.shown.removeSubrange(..<found.upperBound)
                return
            }
            guard let part = self.readPart() else {
                throw ProcessTrouble("It has not shown “\(text)”, but: \(String(decoding: self.shown, as: UTF8.self))")
            }
            self.shown += part
        }
    }

    /// Whether what is typed is shown.
    public var echoes: Bool {
        var attributes = termios()
        return tcgetattr(self.terminal, &attributes) == 0 && attributes.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Waits until what is typed is shown, or not.
    ///
    /// - Returns: `false` when it has not become so within half a minute.
    public func waitUntil(echoes: Bool) -> Bool {
        let end = ContinuousClock.now + .seconds(30)
        while self.echoes != echoes {
            guard ContinuousClock.now < end else { return false }
            sched_yield()
        }
        return true
    }

    public func signal(_ number: Int32) { kill(self.pid, number) }

    /// Waits for its end.
    /// - Returns: its exit status; negative for the signal that ended it.
    public func wait() -> Int32 {
        if let status { return status }
        var status: Int32 = 0
        while waitpid(self.pid, &status, 0) < 0, errno == EINTR {}
        let end = status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
        self.status = end
        return end
    }

    /// `nil` at the end, or when nothing comes.
    private func readPart() -> [UInt8]? {
        var waiting = pollfd(fd: self.terminal, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 30_000) > 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 4096)
        // When the last one has let go of the terminal, reading it is an error.
        let count = read(self.terminal, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    private static func range(of text: [UInt8], in bytes: [UInt8]) -> Range<Int>? {
        guard bytes.count >= text.count else { return nil }
        for start in 0...(bytes.count - text.count) where bytes[start..<start + text.count].elementsEqual(text) {
            return start..<start + text.count
        }
        return nil
    }
}
