//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Testing

@testable import pomona

/// What the program says of itself, and of command lines that name no command.
@Suite struct CliHelpTests {
    private static let columns = 100

    /// Every command that is shown, with the words that call it.
    static let commands: [(words: [String], type: any ParsableCommand.Type)] = Self.commands(below: Pomona.self, [])

    private static func commands(
        below command: any ParsableCommand.Type, _ words: [String]
    ) -> [(words: [String], type: any ParsableCommand.Type)] {
        [(words, command)]
            + command.configuration.subcommands.filter { $0.configuration.shouldDisplay }.flatMap { sub in
                Self.commands(below: sub, words + [sub.configuration.commandName ?? ""])
            }
    }

    static let names = Self.commands.map { $0.words.joined(separator: " ") }

    @Test func everyCommandIsLookedAt() {
        #expect(Self.names.count > 30)
        #expect(Self.names.contains("certificate activate"))
        #expect(!Self.names.contains("certificate unpack-pkcs12"))
    }

    /// As ``Payment/capture(refunding:by:)`` chooses.
    @Test func saysOfWhichCaptureARefundIsTaken() throws {
        let help = Pomona.helpMessage(for: PaymentsRefundCommand.self, includeHidden: false, columns: Self.columns)
        let text = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            text.contains("without it, the one of which just that much is left, else the smallest that has enough."),
            "\(help)")
    }

    /// Who reads that an option is there uses it: one that does nothing there would leave no reason in the audit log.
    @Test func overrideIsOfferedWhereItMayBeNeededAlone() {
        let offering = Set(
            Self.commands.filter { command in
                Pomona.helpMessage(for: command.type, includeHidden: false, columns: Self.columns)
                    .contains("--override <reason>")
            }.map { $0.words.joined(separator: " ") })
        for name in ["route set", "route remove", "acquirer add", "acquirer settings", "acquirer resume"] {
            #expect(offering.contains(name), "\(name)")
        }
        for name in ["route list", "route test", "acquirer check", "acquirer do", "acquirer suspend"] {
            #expect(!offering.contains(name) && Self.names.contains(name), "\(name)")
        }
    }

    /// Such as a line that was broken by hand in the source and joined again leaves.
    @Test func textsHaveNoHoles() {
        for (words, type) in Self.commands {
            let configuration = type.configuration
            for line in (configuration.abstract + "\n" + configuration.discussion).split(separator: "\n") {
                let text = line.drop { $0 == " " }
                #expect(!text.contains("  "), "\(words.joined(separator: " ")): \(text)")
            }
        }
    }

    /// No line is too long, and none ends where the next word would still have fitted: such a line was broken by hand.
    @Test(arguments: names)
    func helpHasNoBrokenLines(_ name: String) throws {
        let command = try #require(Self.commands.first { $0.words.joined(separator: " ") == name })
        let help = Pomona.helpMessage(for: command.type, includeHidden: false, columns: Self.columns)
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var section = ""
        for (line, next) in zip(lines, lines.dropFirst() + [""]) {
            #expect(line.count <= Self.columns, "\(name): \(line)")
            if let heading = line.split(separator: ":").first, heading.allSatisfy({ $0.isUppercase || $0 == " " }) {
                section = String(heading)
            }
            guard !line.isEmpty, !next.isEmpty, section != "USAGE", Self.continues(line, next) else { continue }
            let word = next.split(separator: " ").first ?? ""
            // The last column is left free.
            #expect(line.count + 1 + word.count >= Self.columns, "\(name), broken by hand: \(line) | \(next)")
        }
    }

    /// Whether a line goes on in the next: both of running text, or of the same option's column.
    private static func continues(_ line: String, _ next: String) -> Bool {
        let (indent, nextIndent) = (line.prefix { $0 == " " }.count, next.prefix { $0 == " " }.count)
        guard nextIndent > 20 else { return indent == 0 && nextIndent == 0 }
        // The option's own name may reach into the column, and then stands alone on its line.
        let columnStart = Array(line).dropFirst(nextIndent - 2).prefix(3)
        return columnStart.count == 3 && columnStart.prefix(2).allSatisfy { $0 == " " } && columnStart.last != " "
    }

    @Test(arguments: [
        (["foo"], "pomona has no command \"foo\"", "payments"),
        (["merchant", "foo"], "pomona merchant has no command \"foo\"", "settings"),
        (["certificate", "imprt", "--data", "d"], "pomona certificate has no command \"imprt\"", "activate"),
        (["help", "foo"], "pomona has no command \"foo\"", "sandbox"),
        (["help", "token", "foo"], "pomona token has no command \"foo\"", "mint"),
    ])
    func wrongCommandsAreNamedBesideThoseThatThereAre(
        _ arguments: [String], _ problem: String, _ known: String
    ) async throws {
        let result = try await CliTool.pomona(arguments)
        #expect(result.exitCode == 64)
        #expect(result.stdout.isEmpty)
        #expect(result.stderr.contains(problem), "\(result.stderr)")
        #expect(result.stderr.contains(known))
        #expect(!result.stderr.contains("unpack-pkcs12"))
    }

    @Test(arguments: [
        [], ["--help"], ["help"], ["merchant", "--help"], ["help", "certificate", "import"], ["--version"],
    ])
    func rightCommandLinesAreLeftAlone(_ arguments: [String]) async throws {
        #expect(CommandNames.problem(in: arguments) == nil)
        let result = try await CliTool.pomona(arguments)
        #expect(result.exitCode == 0, "\(result.stderr)")
        #expect(!result.stdout.isEmpty)
    }

    /// The one command under two names.
    @Test(arguments: ["merchant", "account"]) func wrongOptionLeadsToTheHelpThatThereIs(_ group: String) throws {
        let error = #expect(throws: (any Error).self) {
            try Pomona.parseAsRoot([group, "settings", "--merchant", "fruit", "--nothing"])
        }
        let message = Pomona.fullMessage(for: try #require(error))
        #expect(message.contains("--nothing"), "\(message)")
        #expect(message.contains("See 'pomona \(group) settings --help'"), "\(message)")
    }

    @Test func argumentsOfACommandAreNoCommands() {
        #expect(CommandNames.problem(in: ["payments", "show", "foo"]) == nil)
        #expect(CommandNames.problem(in: ["merchant", "settings", "foo"]) == nil)
    }

    /// What was typed, or pasted, is shown as one line that no terminal obeys.
    @Test func wordsThatAreNoCommandsAreShownHarmless() throws {
        let problem = try #require(CommandNames.problem(in: ["merchant", "a\u{1B}[31m\nb\u{9B}2J\u{202E}c"]))
        #expect(problem.contains("\"a [31m b 2Jc\""), "\(problem)")
        let obeyed: [Unicode.Scalar] = ["\n", "\u{1B}", "\u{9B}", "\u{202E}"]
        #expect(!problem.unicodeScalars.contains(where: obeyed.contains))
    }
}
