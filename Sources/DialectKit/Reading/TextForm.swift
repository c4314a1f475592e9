//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

/// What may stand in a text.
public enum TextForm: Hashable, Sendable {
    /// Anything but control characters: ids, codes, addresses.
    case line
    /// Line breaks and tabs too: what people write.
    case text

    /// What is wrong with a text, in the words of an error message; `nil` if nothing is.
    ///
    /// - Parameter charactersMax: counted in Unicode scalars, so that no combining marks hide behind one character.
    public func problem(of text: String, charactersMax: Int) -> String? {
        if text.utf8.count <= charactersMax, ASCII.isWholly(text, { $0 >= 0x20 && $0 < 0x7F }) { return nil }
        guard text.unicodeScalars.count <= charactersMax else { return "must have at most \(charactersMax) characters" }
        return text.unicodeScalars.allSatisfy(self.allows) ? nil : "must not hold control characters"
    }

    private func allows(_ scalar: Unicode.Scalar) -> Bool {
        switch (scalar, self) {
        case ("\t", .text), ("\n", .text), ("\r", .text): true
        default: !ASCII.isControl(scalar)
        }
    }
}
