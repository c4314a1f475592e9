//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Redaction

/// NAME=VALUE, as commands are given settings.
enum NamedValues {
    /// NAME=VALUE, or NAME=@FILE for what stands in a file.
    ///
    /// - Throws: ``CommandFailure`` `argument_malformed`, or why the file cannot be read.
    static func settings(_ words: [String]) throws(CommandFailure) -> [String: String] {
        var values: [String: String] = [:]
        for word in words {
            let (name, text) = try self.parts(word)
            guard values[name] == nil else { throw self.twice(name) }
            values[name] = text.hasPrefix("@") ? try self.contents(text, of: name) : text
        }
        return values
    }

    /// NAME=@FILE alone: what stands on a command line can be read by everybody on the machine.
    ///
    /// - Throws: ``CommandFailure`` `argument_malformed`, or why the file cannot be read.
    static func secrets(_ words: [String]) throws(CommandFailure) -> [String: Redacted<String>] {
        var values: [String: Redacted<String>] = [:]
        for word in words {
            let (name, text) = try self.parts(word)
            guard values[name] == nil else { throw self.twice(name) }
            guard text.hasPrefix("@") else {
                throw CommandFailure(
                    .argumentMalformed, stage: .input,
                    "The secret \(name) must be given as \(name)=@FILE (@- for standard input): a command line can be "
                        + "read by everybody on this machine.")
            }
            values[name] = Redacted(try self.contents(text, of: name))
        }
        return values
    }

    /// Values of which some are secrets: those alone must be NAME=@FILE.
    ///
    /// - Throws: ``CommandFailure`` `argument_malformed`, or why a file cannot be read.
    static func values(_ words: [String], isSecret: (String) -> Bool) throws(CommandFailure) -> [String: String] {
        var secretWords: [String] = []
        var settingWords: [String] = []
        for word in words {
            if isSecret(try self.parts(word).name) { secretWords.append(word) } else { settingWords.append(word) }
        }
        let secrets = try self.secrets(secretWords).mapValues { $0.reveal() }
        return try self.settings(settingWords).merging(secrets) { $1 }
    }

    private static func parts(_ word: String) throws(CommandFailure) -> (name: String, text: String) {
        guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
            throw CommandFailure(.argumentMalformed, stage: .input, "Settings and secrets are written NAME=VALUE.")
        }
        return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }

    /// A line break at the end is the editor's.
    private static func contents(_ text: String, of name: String) throws(CommandFailure) -> String {
        let contents = try InputFile.text(of: String(text.dropFirst()), what: "file of \(name)")
        guard contents.last?.isNewline == true, !contents.hasPrefix("-----BEGIN") else { return contents }
        return String(contents.dropLast())
    }

    private static func twice(_ name: String) -> CommandFailure {
        CommandFailure(.argumentMalformed, stage: .input, "\(name) is given twice.")
    }
}
