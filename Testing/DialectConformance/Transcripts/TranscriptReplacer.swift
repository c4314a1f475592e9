//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import DialectKit

/// Puts placeholders where every run has other values: tokens, secrets, ids, what the driver names. The same value gets
/// the same placeholder throughout a transcript.
struct TranscriptReplacer {
    private struct Rule {
        let name: String
        let regex: Regex<AnyRegexOutput>
    }

    private let rules: [Rule]
    /// Texts that are known beforehand, longest first.
    private var known: [KnownText] = []
    private var placeholders: [String: String] = [:]
    private var counts: [String: Int] = [:]

    /// - Parameter known: texts and what stands in their place, in whatever encoding they come.
    init(_ placeholders: [TranscriptPlaceholder], known: [KnownText]) throws {
        // The gateway's own ids: a short word and 26 characters of Crockford's base 32.
        let own = TranscriptPlaceholder("id", "\\b[a-z]{1,8}_[0-9A-Za-z]{26}\\b")
        self.rules = try (placeholders + [own]).map { Rule(name: $0.name, regex: try Regex($0.pattern)) }
        for one in known {
            for form in [one.text, PercentCoding.encoded(one.text), one.text.replacing("/", with: "\\/")]
            where !self.known.contains(where: { $0.text == form }) {
                self.known.append(KnownText(text: form, placeholder: one.placeholder, isWord: one.isWord))
            }
        }
        self.known.sort { $0.text.utf8.count > $1.text.utf8.count }
    }

    mutating func replaced(_ text: String) -> String {
        var text = text
        for known in self.known where text.contains(known.text) {
            text = Self.replacing(known, in: text)
        }
        for rule in self.rules {
            var output = ""
            var position = text.startIndex
            for match in text.matches(of: rule.regex) {
                let group = match.output.count > 1 ? match.output[1].range ?? match.range : match.range
                // What has been replaced already stays so.
                guard group.lowerBound >= position, !text[group].hasPrefix("<") else { continue }
                output += text[position..<group.lowerBound] + self.placeholder(for: String(text[group]), rule.name)
                position = group.upperBound
            }
            text = output + text[position...]
        }
        return text
    }

    private static func replacing(_ known: KnownText, in text: String) -> String {
        var output = ""
        var position = text.startIndex
        while let range = text[position...].firstRange(of: known.text) {
            let isInside =
                self.isWordPart(text[..<range.lowerBound].last) || self.isWordPart(text[range.upperBound...].first)
            output += text[position..<range.lowerBound] + (known.isWord && isInside ? known.text : known.placeholder)
            position = range.upperBound
        }
        return output + text[position...]
    }

    private static func isWordPart(_ character: Character?) -> Bool {
        character.map { $0.isASCII && ($0.isLetter || $0.isNumber) } ?? false
    }

    private mutating func placeholder(for value: String, _ name: String) -> String {
        if let known = self.placeholders[value] { return known }
        let number = (self.counts[name] ?? 0) + 1
        self.counts[name] = number
        let placeholder = "<\(name)-\(number)>"
        self.placeholders[value] = placeholder
        return placeholder
    }
}
