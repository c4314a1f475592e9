//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Text from elsewhere made harmless for whoever reads it: on a terminal, in a log, on a page.
public enum ForeignText {
    /// Whether it is something that what shows a text obeys: a control character, with which a terminal's sequences begin
    /// (ISO/IEC 6429), the end of a line, or what is not seen and changes how others are (Unicode's category Cf: above all
    /// what turns the direction of a text, UAX #9).
    public static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return ASCII.isControl(scalar) }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    /// The text as one line that nothing obeys, without blanks at its ends: what ends lines, and control characters, become
    /// blanks; what is not seen at all is left out. Cut where it is too long.
    ///
    /// - Parameters:
    ///   - scalarsMax: code points, since a character may have any number of them.
    ///   - bytesMax: of UTF-8.
    public static func line(_ text: String, scalarsMax: Int = .max, bytesMax: Int = .max) -> String {
        // Most texts: no need of each letter's category.
        let isPlain =
            text.utf8.count <= min(scalarsMax, bytesMax) && text.utf8.first != 0x20 && text.utf8.last != 0x20
            && ASCII.isWholly(text) { ASCII.isVisible($0) || $0 == 0x20 }
        if isPlain { return text }
        var line = String.UnicodeScalarView()
        var (scalarsCount, bytesCount) = (0, 0)
        for scalar in text.unicodeScalars {
            let isObeyed = self.isObeyed(scalar)
            if isObeyed, scalar.properties.generalCategory == .format { continue }
            let shown = isObeyed ? " " : scalar
            if shown == " ", scalarsCount == 0 { continue }
            scalarsCount += 1
            bytesCount += UTF8.width(shown)
            guard scalarsCount <= scalarsMax, bytesCount <= bytesMax else { break }
            line.append(shown)
        }
        while line.last == " " { line.removeLast() }
        return String(line)
    }
}
