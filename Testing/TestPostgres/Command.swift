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

/// A program that runs to its end.
struct Command {
    let arguments: [String]

    /// Runs it on a thread of its own.
    /// - Returns: what it has written.
    /// - Throws: ``PostgresTrouble`` with what it has complained about.
    @discardableResult
    func run(input: String = "") async throws -> String {
        try await onThread { try self.runBlocking(input: input) }
    }

    @discardableResult
    func runBlocking(input: String = "") throws -> String {
        let process = try ChildProcess(self.arguments)
        process.write(input)
        let output = process.readToEnd()
        close(process.output)
        guard process.wait() else {
            throw PostgresTrouble("\(self.arguments.joined(separator: " ")) failed:\n\(output)")
        }
        return output
    }
}

/// Runs what blocks on a thread of its own, so that the cooperative pool's are left alone.
public func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let thread = Thread { continuation.resume(with: Result(catching: work)) }
        thread.start()
    }
}
