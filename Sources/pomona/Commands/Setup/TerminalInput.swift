//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// The writing end of a pipe, into which a signal that asks the program to end is written. A signal's handler may do next to
/// nothing (POSIX, "Signal Concepts"), and what it does must not need anything of this type's.
private nonisolated(unsafe) var wakingDescriptor: Int32 = -1

/// Lines of standard input, until it ends, or SIGINT or SIGTERM ask the program to end.
///
/// A signal is acted on where a question waits for its answer, so that no act is cut short between a password that was made
/// and the line that shows it. The second one ends the program at once. The terminal is always left as it was.
final class TerminalInput {
    private let reader: Int32
    private let writer: Int32
    private var bytes: [UInt8] = []
    private var hasEnded = false

    init() {
        var descriptors: [Int32] = [-1, -1]
        _ = pipe(&descriptors)
        (self.reader, self.writer) = (descriptors[0], descriptors[1])
        wakingDescriptor = self.writer
        for number in [SIGINT, SIGTERM] {
            signal(number) { number in
                let error = errno
                signal(number, SIG_DFL)
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(wakingDescriptor, &byte, 1)
                errno = error
            }
        }
    }

    deinit {
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
        wakingDescriptor = -1
        close(self.reader)
        close(self.writer)
    }

    /// A line without its break; `nil` at the end of input.
    ///
    /// - Parameter isSecret: whether a terminal does not show what is typed.
    /// - Throws: ``Questions/Ended`` when a signal has come.
    func line(isSecret: Bool) throws(Questions.Ended) -> String? {
        guard isSecret, isatty(STDIN_FILENO) == 1 else { return try self.line() }
        var attributes = termios()
        guard tcgetattr(STDIN_FILENO, &attributes) == 0 else { return try self.line() }
        var silent = attributes
        silent.c_lflag &= ~tcflag_t(ECHO)
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else { return try self.line() }
        defer { _ = tcsetattr(STDIN_FILENO, TCSAFLUSH, &attributes) }
        return try self.line()
    }

    private func line() throws(Questions.Ended) -> String? {
        while true {
            if let end = self.bytes.firstIndex(of: UInt8(ascii: "\n")) {
                let line = self.bytes[..<end]
                self.bytes.removeSubrange(...end)
                return String(decoding: line, as: UTF8.self)
            }
            guard !self.hasEnded else {
                defer { self.bytes = [] }
                return self.bytes.isEmpty ? nil : String(decoding: self.bytes, as: UTF8.self)
            }
            try self.read()
        }
    }

    /// Waits for more, or for a signal.
    private func read() throws(Questions.Ended) {
        let events = Int16(POLLIN)
        var waiting = [
            pollfd(fd: self.reader, events: events, revents: 0),
            pollfd(fd: STDIN_FILENO, events: events, revents: 0),
        ]
        guard poll(&waiting, nfds_t(waiting.count), -1) > 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 4096)
        if waiting[0].revents != 0 {
            _ = Foundation.read(self.reader, &buffer, 1)
            throw Questions.Ended(signal: Int32(buffer[0]))
        }
        let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
        if count > 0 { self.bytes += buffer[..<count] }
        if count == 0 || count < 0 && errno != EINTR && errno != EAGAIN { self.hasEnded = true }
    }
}
