//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Synchronization

/// Prints the steps of the demonstration and checks them as it goes.
final class DemoPrinter: Sendable {
    static let width = 100
    private static let column = 25

    private let console: Console
    private let step = Mutex(0)
    private let checks = Mutex(0)

    init(_ console: Console) {
        self.console = console
    }

    var checksCount: Int { self.checks.withLock { $0 } }

    func title(_ text: String, _ subtitle: String) {
        self.console.line()
        self.console.line(self.console.styled(text, .title))
        for line in Text.wrapped(subtitle, width: Self.width) { self.console.line(self.console.styled(line, .faint)) }
    }

    func step(_ title: String) {
        let number = self.step.withLock { step in
            step += 1
            return step
        }
        self.console.line()
        self.console.line(
            self.console.styled(Text.padded("\(number)", to: 4), .title) + self.console.styled(title, .strong))
    }

    func fact(_ name: String, _ value: String) {
        let lines = Text.wrapped(value, width: Self.width - 4 - Self.column)
        for (index, line) in lines.enumerated() {
            let label = Text.padded(index == 0 ? name : "", to: Self.column)
            self.console.line("    " + self.console.styled(label, .faint) + line)
        }
    }

    func lines(_ lines: [String]) {
        for (index, line) in lines.enumerated() {
            self.console.line(index == 0 ? self.console.styled("  " + line, .faint) : "  " + line)
        }
    }

    func blank() {
        self.console.line()
    }

    /// Prints what is true, or ends the demonstration.
    func check(_ statement: String, _ isTrue: Bool, _ found: @autoclosure () -> String = "") throws(CommandFailure) {
        guard isTrue else {
            let detail = found()
            let number = self.step.withLock { $0 }
            self.console.line("    " + self.console.styled("✗ \(statement)", .bad))
            throw CommandFailure(
                .demoExpectationFailed, stage: .demo,
                "Step \(number) of the demonstration: this should be true and is not: \(statement)."
                    + (detail.isEmpty ? "" : " Found: \(detail)."))
        }
        self.checks.withLock { $0 += 1 }
        let lines = Text.wrapped(statement, width: Self.width - 6)
        for (index, line) in lines.enumerated() {
            self.console.line("    " + self.console.styled(index == 0 ? "✓ " : "  ", .good) + line)
        }
    }

    func end(_ text: String) {
        self.console.line()
        for line in Text.wrapped(text, width: Self.width) { self.console.line(self.console.styled(line, .good)) }
    }

    func note(_ text: String) {
        for line in Text.wrapped(text, width: Self.width) { self.console.line(line) }
    }
}
