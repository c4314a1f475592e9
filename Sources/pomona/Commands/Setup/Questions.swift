//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Redaction
import Settings

/// Asks a person, one line at a time.
struct Questions {
    /// Nobody answers any more: the input has ended, or a signal has come.
    struct Ended: Error {
        /// `nil` at the end of input.
        var signal: Int32?
    }

    let console: Console
    /// A line without its break; `nil` at the end of input. A secret is not shown while it is typed.
    let readLine: (_ isSecret: Bool) throws -> String?

    /// On the terminal of this process.
    init(_ console: Console) {
        let input = TerminalInput()
        self.init(console) { try input.line(isSecret: $0) }
    }

    init(_ console: Console, readLine: @escaping (_ isSecret: Bool) throws -> String?) {
        self.console = console
        self.readLine = readLine
    }

    /// Asks until the answer is one that the rule takes.
    ///
    /// - Parameters:
    ///   - standard: what an empty line stands for.
    ///   - rule: what is wrong with an answer: "must be …".
    func ask(
        _ question: String, standard: String? = nil, isSecret: Bool = false, rule: (String) -> String?
    ) throws -> String {
        while true {
            self.console.line("\(question)\(standard.map { " [\($0)]" } ?? "")")
            guard let line = try self.readLine(isSecret) else { throw Ended() }
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

    func confirm(_ question: String) throws -> Bool {
        try self.choose(question, among: ["yes", "no"], standard: "yes") == "yes"
    }

    /// Asks for what may be left out by an empty line, or by the end of input.
    func askOptional(_ question: String, rule: (String) -> String?) throws -> String? {
        do {
            let answer = try self.ask("\(question) (an empty line for none)") { $0.isEmpty ? nil : rule($0) }
            return answer.isEmpty ? nil : answer
        } catch let ended as Ended where ended.signal == nil {
            return nil
        }
    }

    /// Asks for a text that people have in a file, by the file's path.
    ///
    /// - Parameter rule: of the text.
    func askDocument(_ question: String, rule: (String) -> String?) throws -> String {
        var text = ""
        _ = try self.ask("\(question) Its file:") { path in
            do throws(CommandFailure) {
                text = try InputFile.text(of: Self.path(path), what: "file")
                return rule(text)
            } catch {
                return "cannot be taken: \(error.message)"
            }
        }
        return text
    }

    /// A path as people type it, also as NAME=@FILE has it.
    static func path(_ typed: String) -> String {
        FileSystem.absolutePath(typed.hasPrefix("@") ? String(typed.dropFirst()) : typed)
    }
}
