//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Countries
public import Redaction

/// What a merchant wrote, as far as a field of an acquirer takes it. A payment never fails for a field that could have
/// been left out: what is too long is cut, what can't be valid is dropped.
public enum FieldText {
    /// Control characters become spaces, the ends lose theirs, and what is longer is cut; `nil` where nothing is left.
    public static func plain(_ text: String?, max: Int) -> String? {
        guard let text else { return nil }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            scalars.append(ASCII.isControl(scalar) ? " " : scalar)
        }
        let trimmed = self.trimmed(scalars[...])
        let cut = self.trimmed(trimmed.prefix(max))
        return cut.isEmpty ? nil : String(String.UnicodeScalarView(cut))
    }

    /// The lines of an address, each as ``plain(_:max:)`` has it. Of more than there are fields for, the last is all that is
    /// left of them, with commas between.
    ///
    /// - Parameter count: of the fields, at least one.
    public static func lines(_ lines: [String], _ count: Int, max: Int) -> [String] {
        let filled = lines.compactMap { self.plain($0, max: .max) }
        let rest = filled.dropFirst(count - 1).joined(separator: ", ")
        return (filled.prefix(count - 1) + [rest]).compactMap { self.plain($0, max: max) }
    }

    /// The text, if all of it is of these characters and it is not too long: for what has no meaning when it is cut.
    public static func whole(
        _ text: String?, _ lengths: ClosedRange<Int>, where isAllowed: (UInt8) -> Bool
    ) -> String? {
        guard let text, lengths.contains(text.utf8.count), text.utf8.allSatisfy(isAllowed) else { return nil }
        return text
    }

    /// What a vendor says for people: one line of at most 100 characters. `nil` where something stands in it that was sent
    /// in confidence, or as many digits in a row as a card number has.
    public static func sentence(_ text: String?, without secrets: [Redacted<String>] = []) -> String? {
        guard let text else { return nil }
        let line = ForeignText.line(text, scalarsMax: 100)
        guard !line.isEmpty else { return nil }
        let isSecret = secrets.map { ForeignText.line($0.reveal()) }.contains { !$0.isEmpty && line.contains($0) }
        let hasNumber = line.utf8.split(whereSeparator: { !ASCII.isDigit($0) }).contains { $0.count >= 12 }
        return isSecret || hasNumber ? nil : line
    }

    /// An address that a mail system would take: one "@" with something on both sides, visible ASCII only (RFC 5321,
    /// section 4.5.3.1 for the length).
    public static func email(_ text: String?) -> String? {
        guard let text = self.whole(text, 4...254, where: ASCII.isVisible) else { return nil }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].split(separator: ".").count >= 2,
            parts[1].utf8.allSatisfy({ ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
            ),
            !parts[1].hasPrefix("."), !parts[1].hasSuffix("."), !text.contains("..")
        else { return nil }
        return text
    }

    /// A country in three letters (ISO 3166-1 alpha-3), given in two or in three.
    public static func countryAlpha3(_ text: String?) -> String? {
        guard let text else { return nil }
        return Country.alpha2(ofAlpha3: text) == nil ? Country.alpha3(ofAlpha2: text) : text
    }

    private static func trimmed(_ text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
        var text = text
        while text.first == " " { text = text.dropFirst() }
        while text.last == " " { text = text.dropLast() }
        return text
    }
}
