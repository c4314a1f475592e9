//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
public import StrictJSON

/// How a report is written.
public enum ReportFormat: String, Hashable, Sendable, CaseIterable {
    /// A header and a line for each row (RFC 4180).
    case csv
    /// A JSON object for each row, one a line.
    case json
}

/// One row of a report.
public protocol ReportRow: Sendable {
    /// The names of the columns, in their order.
    static var columns: [String] { get }
    /// The value of each column, in the same order: a text or a number.
    var cells: [JSON] { get }
}

extension ReportRow {
    /// The row as an object.
    public var json: JSON {
        .object(JSONObject(zip(Self.columns, self.cells).map { (name: $0, value: $1) }))
    }

    /// The row as a line of its own, with the line break.
    public func line(_ format: ReportFormat) -> String {
        switch format {
        case .csv: CSVLine.text(self.cells.map(CSVLine.cell))
        case .json: self.json.text() + "\n"
        }
    }

    /// What stands before the first row; nothing for JSON.
    public static func header(_ format: ReportFormat) -> String {
        format == .csv ? CSVLine.text(Self.columns) : ""
    }
}

/// Lines of CSV (RFC 4180): cells with commas between them, CRLF at the end.
public enum CSVLine {
    /// - Parameter cells: as they are to be read back; what needs quotation marks is given them.
    public static func text(_ cells: [String]) -> String {
        cells.map(self.quoted).joined(separator: ",") + "\r\n"
    }

    /// What a value is shown as. A text that a spreadsheet would take for a formula is shown with an apostrophe before it
    /// (OWASP, "CSV Injection"); a number is none.
    public static func cell(_ value: JSON) -> String {
        switch value {
        case .string(let text): self.harmless(text)
        case .number(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case .null, .array, .object: ""
        }
    }

    static func harmless(_ text: String) -> String {
        guard !self.isNumber(text) else { return text }
        var harmless = String.UnicodeScalarView()
        // Spreadsheets of many countries take a semicolon for the end of a cell, in quotes or not.
        var begins = true
        for scalar in text.unicodeScalars {
            if begins, self.formulaBeginnings.contains(scalar) { harmless.append("'") }
            harmless.append(scalar)
            begins = scalar == ";"
        }
        return String(harmless)
    }

    private static let formulaBeginnings = Set("=+-@\t\r\n".unicodeScalars)

    /// "-10.50".
    private static func isNumber(_ text: String) -> Bool {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        return (1...2).contains(parts.count)
            && parts.allSatisfy { ASCII.isDigits($0) }
    }

    private static func quoted(_ cell: String) -> String {
        guard cell.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return cell }
        var quoted = "\""
        for scalar in cell.unicodeScalars {
            if scalar == "\"" { quoted.unicodeScalars.append("\"") }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
