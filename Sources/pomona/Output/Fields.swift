//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Names and values in two columns, as commands show a thing to people.
struct Fields: Sendable {
    private var rows: [(name: String, value: String)] = []

    init() {}

    /// Adds a row; one without a value is left out.
    mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        self.rows.append((name, value))
    }

    /// The rows with their values aligned, wrapped at blanks to the width.
    func lines(indentation: Int = 2, width: Int = 100) -> [String] {
        let column = (self.rows.map(\.name.count).max() ?? 0) + 2
        let margin = String(repeating: " ", count: indentation)
        return self.rows.flatMap { row in
            let wrapped = Text.wrapped(row.value, width: max(20, width - indentation - column))
            return wrapped.enumerated().map { index, line in
                margin + Text.padded(index == 0 ? row.name : "", to: column) + line
            }
        }
    }
}

/// Rows and columns with a heading, each column as wide as its widest cell.
struct Table: Sendable {
    enum Alignment: Sendable {
        case left
        case right
    }

    private let alignments: [Alignment]
    private var rows: [[String]]

    init(_ columns: [(heading: String, alignment: Alignment)]) {
        self.alignments = columns.map(\.alignment)
        self.rows = [columns.map(\.heading)]
    }

    mutating func add(_ cells: [String]) {
        self.rows.append(cells)
    }

    func lines(indentation: Int = 2) -> [String] {
        let widths = self.alignments.indices.map { column in
            self.rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return self.rows.map { row in
            let cells = self.alignments.indices.map { column in
                let cell = column < row.count ? row[column] : ""
                let blanks = String(repeating: " ", count: max(0, widths[column] - cell.count))
                return self.alignments[column] == .left ? cell + blanks : blanks + cell
            }
            let line = String(repeating: " ", count: indentation) + cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}

/// Small things about texts for people.
enum Text {
    static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// Lines of at most `width` characters, broken at blanks; a word that is longer stands alone.
    static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if line.isEmpty {
                line = String(word)
            } else if line.count + 1 + word.count <= width {
                line += " " + word
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return lines + [line]
    }

    /// "1 payment", "2 payments".
    static func count(_ count: Int, _ noun: String, plural: String? = nil) -> String {
        "\(count) " + (count == 1 ? noun : plural ?? noun + "s")
    }

    /// The first digits of a long hexadecimal or base64 text, for people who compare it with another by eye.
    static func abbreviated(_ text: String, to length: Int = 16) -> String {
        text.count > length + 1 ? text.prefix(length) + "…" : text
    }
}

/// The merchants that somebody is kept to: "all", "none", or their names.
func merchantWords(_ names: [String]?) -> String {
    guard let names else { return "all" }
    return names.isEmpty ? "none" : names.joined(separator: ", ")
}
