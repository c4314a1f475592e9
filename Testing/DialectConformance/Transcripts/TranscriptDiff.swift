//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A transcript is not what was recorded.
public struct TranscriptDiffers: Error, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    /// The lines that differ, each with its number, as `diff -u` shows them without context.
    init(file: String, recorded: String, found: String) {
        let (old, new) = (Self.lines(recorded), Self.lines(found))
        var lines: [(number: Int, text: String)] = []
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, let element, _): lines.append((offset + 1, "-\(offset + 1): \(element)"))
            case .insert(let offset, let element, _): lines.append((offset + 1, "+\(offset + 1): \(element)"))
            }
        }
        lines.sort { ($0.number, $0.text.hasPrefix("+") ? 1 : 0) < ($1.number, $1.text.hasPrefix("+") ? 1 : 0) }
        let shown = lines.prefix(40).map(\.text).joined(separator: "\n")
        let more = lines.count > 40 ? "\n… and \(lines.count - 40) more" : ""
        self.description =
            "\(file) is not what was recorded (-), but this (+). If it is meant, record it anew with POMONA_RECORD_TRANSCRIPTS=1.\n"
            + shown + more
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }
}
