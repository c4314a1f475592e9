//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Redaction
import Settings

/// Asks a person, one line at a time.
struct Questions {
    /// Nobody is there to answer any more: end of input.
    struct Ended: Error {}

    let console: Console
    /// A line without its break; `nil` at the end of input. A secret is not shown while it is typed.
    let readLine: (_ isSecret: Bool) -> String?

    /// On the terminal of this process.
    init(_ console: Console) {
        self.init(console, readLine: Self.terminalLine)
    }

    init(_ console: Console, readLine: @escaping (_ isSecret: Bool) -> String?) {
        self.console = console
        self.readLine = readLine
    }

    /// Asks until the answer is one that the rule takes.
    ///
    /// - Parameters:
    ///   - standard: what an empty line stands for.
    ///   - rule: what is wrong with an answer: "must be …".
    func ask(
        _ question: String, standard: String? = nil, isSecret: Bool = false, rule: SettingDescription.Rule
    ) throws -> String {
        while true {
            self.console.line("\(question)\(standard.map { " [\($0)]" } ?? "")")
            guard let line = self.readLine(isSecret) else { throw Ended() }
            let typed = line.trimmingCharacters(in: .whitespaces)
            let answer = typed.isEmpty ? standard ?? "" : typed
            guard let problem = rule(answer) else { return answer }
            self.console.line("  It \(problem).")
        }
    }

    /// Asks for one of a few words.
    func choose(_ question: String, among choices: [String], standard: String? = nil) throws -> String {
        try self.ask("\(question) (\(choices.joined(separator: ", ")))", standard: standard) {
            SettingRules.choice(choices)($0)
        }
    }

    /// Asks for what may be left out by an empty line.
    func askOptional(_ question: String, rule: @escaping SettingDescription.Rule) throws -> String? {
        let answer = try self.ask("\(question) (an empty line for none)") { $0.isEmpty ? nil : rule($0) }
        return answer.isEmpty ? nil : answer
    }

    private static func terminalLine(_ isSecret: Bool) -> String? {
        guard isSecret, isatty(STDIN_FILENO) == 1 else { return Swift.readLine() }
        var attributes = termios()
        guard tcgetattr(STDIN_FILENO, &attributes) == 0 else { return Swift.readLine() }
        var silent = attributes
        silent.c_lflag &= ~tcflag_t(ECHO)
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else { return Swift.readLine() }
        defer { _ = tcsetattr(STDIN_FILENO, TCSAFLUSH, &attributes) }
        return Swift.readLine()
    }
}
