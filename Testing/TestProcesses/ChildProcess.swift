//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A process of ours, started with posix_spawn(3) and waited for with waitpid(2), with pipes for its input and output.
///
/// Foundation's `Process` counts open files with select(2), which ends with 1,024 of them.
public struct ChildProcess: Sendable {
    public let pid: Int32
    /// Its standard input; whoever has the process closes it.
    private let input: CInt
    /// Its standard output, and its standard error if that goes nowhere else; whoever has the process closes it.
    private let output: CInt

    /// A connection of this process that a child holds too is not closed when this process closes it: so the child lets
    /// go of everything but its three streams. And a server's user need not be allowed to be where this process is.
    static let shedding = """
        for descriptor in /proc/self/fd/*; do
            descriptor=${descriptor##*/}
            if [ "$descriptor" -gt 2 ]; then eval "exec $descriptor>&-"; fi
        done
        cd "$1" && shift && exec "$@"
        """

    /// - Parameters:
    ///   - arguments: the program's path and what it is given.
    ///   - folder: where it runs.
    ///   - errorsPath: a file to which its standard error is added; `nil` for the pipe of its output.
    /// - Throws: ``ProcessTrouble``.
    public init(_ arguments: [String], in folder: String = "/", errorsPath: String? = nil) throws {
        let (input, output) = (try Self.makePipe(), try Self.makePipe())
        defer {
            close(input.reader)
            close(output.writer)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.reader, 0)
        posix_spawn_file_actions_adddup2(&actions, output.writer, 1)
        if let errorsPath {
            posix_spawn_file_actions_addopen(&actions, 2, errorsPath, O_WRONLY | O_APPEND | O_CREAT, 0o600)
        } else {
            posix_spawn_file_actions_adddup2(&actions, output.writer, 2)
        }
        let texts = (["/bin/bash", "-c", Self.shedding, "bash", folder] + arguments).map { strdup($0) }
        defer { for text in texts { free(text) } }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        Self.resetSignals(&attributes)
        var pid: pid_t = 0
        guard posix_spawn(&pid, "/bin/bash", &actions, &attributes, texts + [nil], environ) == 0 else {
            close(input.writer)
            close(output.reader)
            throw ProcessTrouble("\(arguments[0]) cannot be started.")
        }
        self.pid = pid
        self.input = input.writer
        self.output = output.reader
    }

    /// A thread of a pool blocks signals, and this program may ignore some; the child begins with neither.
    ///
    /// - Parameter more: further flags of posix_spawnattr_setflags(3).
    static func resetSignals(_ attributes: inout posix_spawnattr_t, more: Int32 = 0) {
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | more))
    }

    /// Gives it all of its input, and ends that.
    public func write(_ input: [UInt8]) {
        var bytes = input[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Self.write(self.input, $0) }
            guard count > 0 else { break }
            bytes = bytes.dropFirst(count)
        }
        close(self.input)
    }

    private static func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
        Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
        Musl.write(descriptor, bytes.baseAddress, bytes.count)
        #else
        Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }

    /// The next part of its output; empty at the end.
    public func readPart() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
            count = max(0, readSome(self.output, UnsafeMutableRawBufferPointer(buffer)))
        }
    }

    /// All of its output, to the end.
    @discardableResult
    public func readToEnd() -> [UInt8] {
        var bytes: [UInt8] = []
        while case let part = self.readPart(), !part.isEmpty { bytes += part }
        return bytes
    }

    /// Gives it no input.
    public func closeInput() { close(self.input) }

    /// Reads none of its output any more.
    public func closeOutput() { close(self.output) }

    /// The first line of its output.
    public func readLine() -> String {
        var text: [UInt8] = []
        var byte: UInt8 = 0
        while withUnsafeMutableBytes(of: &byte, { readSome(self.output, $0) }) == 1, byte != 0x0A { text.append(byte) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether nobody writes to its output any more.
    public var hasClosedOutput: Bool {
        var end = pollfd(fd: self.output, events: Int16(POLLIN), revents: 0)
        return poll(&end, 1, 0) == 1 && end.revents & Int16(POLLHUP) != 0
    }

    /// Waits until it has ended, and leaves its number to it, so that no other process gets it.
    public func waitForEnd() {
        var end = siginfo_t()
        while waitid(P_PID, id_t(self.pid), &end, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    }

    /// Waits for its end.
    /// - Returns: its exit status; negative for the signal that ended it.
    @discardableResult
    public func wait() -> Int32 {
        var status: CInt = 0
        while waitpid(self.pid, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : -signal
    }

    /// A pipe that children do not inherit.
    private static func makePipe() throws -> (reader: CInt, writer: CInt) {
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { throw ProcessTrouble("No more files can be opened.") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

private func readSome(_ descriptor: CInt, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        return count
    }
}

/// Why a program could not be run.
public struct ProcessTrouble: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
