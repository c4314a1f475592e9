//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

extension String {
    /// As one word of a shell's command line (POSIX, Shell Command Language, 2.2.2): as it is where it needs no quotes.
    var shellQuoted: String {
        let isPlain = self.utf8.allSatisfy { byte in
            ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-_./:@%+=,".utf8.contains(byte)
        }
        guard !isPlain || self.isEmpty else { return self }
        return "'" + self.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
