//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Synchronization

/// A program that runs beside this process, until it ends or is ended, or nobody has this value any more.
public final class RunningProgram: Sendable {
    private final class End: Sendable {
        let hasCome = Mutex(false)
    }

    /// The identifiers of all that have been started and have not ended.
    private static let living = Mutex<Set<Int32>>([])

    /// Ends all, for a program that ends before its time.
    public static func killAll() {
        for pid in self.living.withLock({ $0 }) { kill(pid, SIGKILL) }
    }

    /// What it writes, line by line, without their line feeds. For one reader at a time.
    public let lines: AsyncStream<String>
    private let child: ChildProcess
    private let end: End
    private let status: Task<Int32, Never>

    /// - Parameters:
    ///   - arguments: the program's path and what it is given.
    ///   - errorsPath: a file to which its standard error is added.
    public init(_ arguments: [String], errorsPath: String) throws {
        let child = try ChildProcess(arguments, errorsPath: errorsPath)
        child.closeInput()
        let end = End()
        let (lines, line) = AsyncStream.makeStream(of: String.self)
        (self.child, self.end, self.lines) = (child, end, lines)
        Self.living.withLock { _ = $0.insert(child.pid) }
        Thread.detachNewThread { Self.read(child, line) }
        self.status = Task {
            let status = try? await onThread {
                child.waitForEnd()
                // From here on its number may be another process's.
                return end.hasCome.withLock { hasCome in
                    hasCome = true
                    Self.living.withLock { _ = $0.remove(child.pid) }
                    return child.wait()
                }
            }
            return status ?? Int32.min
        }
    }

    deinit { self.signal(SIGKILL) }

    private static func read(_ child: ChildProcess, _ line: AsyncStream<String>.Continuation) {
        var rest: [UInt8] = []
        while case let part = child.readPart(), !part.isEmpty {
            rest += part
            while let end = rest.firstIndex(of: 0x0A) {
                line.yield(String(decoding: rest[..<end], as: UTF8.self))
                rest.removeSubrange(...end)
            }
        }
        child.closeOutput()
        line.finish()
    }

    /// The next line that it writes; `nil` when it has written its last.
    public func nextLine() async -> String? {
        for await line in self.lines { return line }
        return nil
    }

    public var hasEnded: Bool { self.end.hasCome.withLock { $0 } }

    /// What the system says of its memory in kilobytes, by the names of proc(5): "VmRSS", what it has; "VmHWM", the most
    /// that it had. `nil` once it has ended.
    public func memoryKilobytes(_ name: String) -> Int64? {
        self.end.hasCome.withLock { hasCome in
            guard !hasCome,
                let status = try? String(contentsOfFile: "/proc/\(self.child.pid)/status", encoding: .utf8),
                let line = status.split(separator: "\n").first(where: { $0.hasPrefix("\(name):") })
            else { return nil }
            return Int64(line.filter(\.isNumber))
        }
    }

    public func signal(_ number: Int32) {
        self.end.hasCome.withLock { hasCome in
            if !hasCome { kill(self.child.pid, number) }
        }
    }

    /// - Returns: its exit status; negative for the signal that ended it.
    @discardableResult
    public func waitUntilEnd() async -> Int32 { await self.status.value }

    /// Sends a signal that ends it, and waits for the end.
    /// - Returns: its exit status; negative for the signal that ended it.
    @discardableResult
    public func end(_ number: Int32) async -> Int32 {
        self.signal(number)
        return await self.waitUntilEnd()
    }
}
