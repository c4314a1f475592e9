//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Synchronization
import Threads

/// Runs the operator's command that prints the master key: by it a key management service is reached.
///
/// The text is the operator's own, from his configuration, and goes to `/bin/sh -c` as it is; nothing is put into it. What
/// it prints is bounded, and so is its time. Its standard error goes nowhere, since the key might be in it.
struct MasterKeyCommand: Sendable {
    static let bytesMax = 4096

    private let text: String
    private let timeoutMilliseconds: Int64

    init(_ text: String, timeoutMilliseconds: Int64 = 30_000) {
        self.text = text
        self.timeoutMilliseconds = timeoutMilliseconds
    }

    /// - Throws: ``CommandFailure`` `master_key_command_failed`.
    func run() async throws -> [UInt8] {
        try await onOwnThread { try self.runBlocking() }
    }

    private func runBlocking() throws(CommandFailure) -> [UInt8] {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Self.failure("could not be started") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let child: pid_t
        do throws(CommandFailure) {
            defer { close(ends[1]) }
            child = try self.spawn(output: ends[1])
        } catch {
            close(ends[0])
            throw error
        }
        defer { close(ends[0]) }
        let deadline = Self.uptimeMilliseconds() + self.timeoutMilliseconds
        let output = Self.read(ends[0], until: deadline)
        guard let output, let status = Self.wait(for: child, until: deadline) else {
            // It and all that it has started.
            kill(-child, SIGKILL)
            _ = waitpid(child, nil, 0)
            throw Self.failure(
                output?.count ?? 0 > Self.bytesMax
                    ? "prints more than \(Self.bytesMax) bytes"
                    : "has not ended after \(self.timeoutMilliseconds / 1000) seconds")
        }
        // wait(2): the lowest seven bits are the signal that has ended it.
        guard status & 0x7F == 0 else { throw Self.failure("was ended by signal \(status & 0x7F)") }
        guard status == 0 else { throw Self.failure("has ended with exit code \(status >> 8 & 0xFF)") }
        return output
    }

    /// Starts the shell in a process group of its own.
    private func spawn(output: Int32) throws(CommandFailure) -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        let arguments: [UnsafeMutablePointer<CChar>?] = ["/bin/sh", "-c", self.text].map { (word: String) in
            strdup(word)
        }
        defer { for argument in arguments { free(argument) } }
        var child: pid_t = 0
        guard posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments + [nil], environ) == 0 else {
            throw Self.failure("could not be started")
        }
        return child
    }

    /// - Returns: what was printed, at most one byte more than may be; `nil` when the time is over.
    private static func read(_ file: Int32, until deadline: Int64) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(self.bytesMax + 1)
        var buffer = [UInt8](repeating: 0, count: self.bytesMax + 1)
        defer { for index in buffer.indices { buffer[index] = 0 } }
        while output.count <= self.bytesMax {
            var poll = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            let rest = deadline - self.uptimeMilliseconds()
            guard rest > 0, Foundation.poll(&poll, 1, Int32(clamping: rest)) != 0 else { return nil }
            let count = Foundation.read(file, &buffer, self.bytesMax + 1 - output.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return output }
            output += buffer[..<count]
        }
        return output
    }

    /// - Returns: how it has ended (wait(2)); `nil` when the time is over or it has printed too much.
    private static func wait(for child: pid_t, until deadline: Int64) -> Int32? {
        var status: Int32 = 0
        while true {
            let ended = waitpid(child, &status, WNOHANG)
            if ended == child { return status }
            guard ended == 0 || errno == EINTR, self.uptimeMilliseconds() < deadline else { return nil }
            // It has closed its output and is about to end.
            usleep(1000)
        }
    }

    private static func uptimeMilliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static func failure(_ what: String) -> CommandFailure {
        CommandFailure(
            .masterKeyCommandFailed, stage: .configuration,
            "The command in data.masterKeyCommand \(what). Run it by hand to see why: its messages are not shown here.")
    }
}
