//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import ArgumentParser

/// Says which word of a command line is no command, and which there are. The argument parser would take the word for an
/// argument too many, and say so of the last command that it knew.
enum CommandNames {
    /// What is wrong with the words before the first option; `nil` where they name a command.
    static func problem(in arguments: [String], of root: any ParsableCommand.Type = Pomona.self) -> String? {
        var command = root
        var path = [self.name(of: root)]
        // `pomona help certificate import` names a command too.
        for word in arguments.first == "help" ? arguments.dropFirst() : arguments[...] {
            let known = command.configuration.subcommands
            guard !known.isEmpty, !word.hasPrefix("-") else { return nil }
            guard let next = known.first(where: { self.name(of: $0) == word }) else {
                let names = known.filter { $0.configuration.shouldDisplay }.map(self.name).joined(separator: ", ")
                return "\(path.joined(separator: " ")) has no command \(self.quoted(word)). It has: \(names)."
            }
            command = next
            path.append(word)
        }
        return nil
    }

    private static func name(of command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? command._commandName
    }

    /// Whatever was typed, on one line and not for ever.
    private static func quoted(_ word: String) -> String { "\"\(ForeignText.line(word, scalarsMax: 40))\"" }
}
