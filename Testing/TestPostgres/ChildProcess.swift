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
struct ChildProcess: Sendable {
    let pid: pid_t
    /// Its standard input; whoever has the process closes it.
    let input: CInt
    /// Its standard output and standard error; whoever has the process closes it.
    let output: CInt

    /// A connection of this process that a child holds too is not closed when this process closes it: so the child lets
    /// go of everything but its three streams. And the server's user need not be allowed to be where this process is.
    private static let shedding = """
        for descriptor in /proc/self/fd/*; do
            descriptor=${descriptor##*/}
            if [ "$descriptor" -gt 2 ]; then eval "exec $descriptor>&-"; fi
        done
        cd / && exec "$@"
        """

    /// - Parameter arguments: the program's path and what it is given.
    init(_ arguments: [String]) throws {
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
        posix_spawn_file_actions_adddup2(&actions, output.writer, 2)
        let texts = (["/bin/bash", "-c", Self.shedding, "bash"] + arguments).map { strdup($0) }
        defer { for text in texts { free(text) } }
        var pid: pid_t = 0
        guard posix_spawn(&pid, "/bin/bash", &actions, nil, texts + [nil], environ) == 0 else {
            close(input.writer)
            close(output.reader)
            throw PostgresTrouble("\(arguments[0]) cannot be started.")
        }
        self.pid = pid
        self.input = input.writer
        self.output = output.reader
    }

    /// Gives it all of its input, and ends that.
    func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
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

    /// All of its output, to the end; whoever has the process closes that.
    @discardableResult
    func readToEnd() -> String {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = readSome(self.output, &buffer), count > 0 { text += buffer[..<count] }
        return String(decoding: text, as: UTF8.self)
    }

    /// The first line of its output.
    func readLine() -> String {
        var text: [UInt8] = []
        var byte: [UInt8] = [0]
        while readSome(self.output, &byte) == 1, byte[0] != 0x0A { text.append(byte[0]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether nobody writes to its output any more.
    var hasClosedOutput: Bool {
        var end = pollfd(fd: self.output, events: Int16(POLLIN), revents: 0)
        return poll(&end, 1, 0) == 1 && end.revents & Int16(POLLHUP) != 0
    }

    /// Waits for its end.
    /// - Returns: whether it has ended well.
    @discardableResult
    func wait() -> Bool {
        var status: CInt = 0
        while waitpid(self.pid, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }

    /// A pipe that children do not inherit.
    private static func makePipe() throws -> (reader: CInt, writer: CInt) {
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { throw PostgresTrouble("No more files can be opened.") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

private func readSome(_ descriptor: CInt, _ buffer: inout [UInt8]) -> Int {
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        return count
    }
}
