//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// A program that runs to its end.
public struct Command: Sendable {
    /// What a run gave.
    public struct Outcome: Sendable {
        /// Negative for the signal that ended it.
        public let status: Int32
        public let output: [UInt8]
        public let errors: [UInt8]

        public var outputText: String { String(decoding: self.output, as: UTF8.self) }
        public var errorsText: String { String(decoding: self.errors, as: UTF8.self) }
    }

    /// The program's path and what it is given.
    public let arguments: [String]
    /// Where it runs.
    public let folder: String

    public init(_ arguments: [String], in folder: String = "/") {
        self.arguments = arguments
        self.folder = folder
    }

    /// Runs it, on a thread of its own.
    public func run(input: [UInt8] = []) async throws -> Outcome {
        try await onThread { try self.runBlocking(input: input) }
    }

    /// Runs it on this thread.
    public func runBlocking(input: [UInt8] = []) throws -> Outcome {
        let errors = FileManager.default.temporaryDirectory.appendingPathComponent("errors-\(UUID())")
        try Data().write(to: errors)
        defer { try? FileManager.default.removeItem(at: errors) }
        let process = try ChildProcess(self.arguments, in: self.folder, errorsPath: errors.path)
        if input.isEmpty {
            process.closeInput()
        } else {
            // Beside the reading: neither pipe may fill up because the other is not served.
            Thread.detachNewThread { process.write(input) }
        }
        let output = process.readToEnd()
        process.closeOutput()
        return Outcome(status: process.wait(), output: output, errors: Array(try Data(contentsOf: errors)))
    }

    /// Runs it, on a thread of its own.
    /// - Returns: what it has written.
    /// - Throws: ``ProcessTrouble`` with what it has complained about, unless its status is 0.
    @discardableResult
    public func runWell(input: String = "") async throws -> String {
        let outcome = try await self.run(input: Array(input.utf8))
        guard outcome.status == 0 else {
            throw ProcessTrouble(
                "\(self.arguments.joined(separator: " ")) failed:\n\(outcome.outputText)\(outcome.errorsText)")
        }
        return outcome.outputText
    }
}

/// Runs what blocks on a thread of its own, so that the cooperative pool's are left alone.
public func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let thread = Thread { continuation.resume(with: Result(catching: work)) }
        thread.start()
    }
}
