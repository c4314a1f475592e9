//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension String {
    /// Whether no more than 30 marks follow one letter (Unicode Standard Annex #15, section 13, Stream-Safe Text Format), which
    /// no language comes near.
    ///
    /// Swift sorts the marks behind a letter whenever it compares or hashes a text: with tens of thousands of them that takes a
    /// core half a second, each time. Whoever reads text from outside refuses what is not so.
    public var isStreamSafe: Bool {
        var marksCount = 0
        for scalar in self.unicodeScalars {
            switch scalar.value {
            // Most of what is written needs no look at the tables: Latin letters and Han.
            case ..<0x300, 0x3400...0x9FFF: marksCount = 0
            // Three signs of Tibetan are no marks themselves, and are taken apart into two.
            case 0xF73, 0xF75, 0xF81: marksCount += 2
            default: marksCount = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : marksCount + 1
            }
            if marksCount > 30 { return false }
        }
        return true
    }
}
