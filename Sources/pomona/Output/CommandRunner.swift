//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import StrictJSON

/// Runs a command's body and reports how it ended: exit 0, or 1 with the reason.
enum CommandRunner {
    /// - Parameter json: Whether the reason is written to standard output as `{"error":{"code","stage","message"}}`;
    ///   else it is a readable sentence on standard error.
    /// - Throws: An `ExitCode`, or the argument parser's own errors (exit code 64).
    static func run(
        json: Bool, console: Console = .standard, _ body: (Console) async throws -> Void
    ) async throws {
        do {
            try await body(console)
        } catch let error as ExitCode {
            throw error
        } catch let error as ValidationError {
            throw error
        } catch {
            console.progress("")
            self.report(CommandFailure(error), json: json, to: console)
            throw ExitCode.failure
        }
    }

    static func report(_ failure: CommandFailure, json: Bool, to console: Console) {
        if json {
            console.line(failure.json.text())
        } else {
            // A problem has its own line, else the whole message would be looked through for it.
            let texts = failure.problems.isEmpty ? [failure.message] : failure.problems.map(\.message)
            for text in texts {
                for (index, line) in Text.wrapped(text, width: 92).enumerated() {
                    console.errorLine((index == 0 ? "error: " : "       ") + line)
                }
            }
            if let command = failure.command { console.errorLine("         \(command)") }
            console.errorLine("       (\(failure.code), stage \(failure.stage))")
        }
    }
}
