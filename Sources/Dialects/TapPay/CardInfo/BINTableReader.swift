//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

/// Why a text is no BIN table: the first line that does not fit, and what it must be.
public struct BINTableError: Error, Hashable, Sendable, CustomStringConvertible {
    /// From 1.
    public let line: Int
    public let problem: String

    init(_ line: Int, _ problem: String) {
        self.line = line
        self.problem = problem
    }

    public var description: String { "line \(self.line): \(self.problem)" }
}

extension BINTable {
    static let columns = [
        "first", "last", "network", "funding", "issuer", "issuer_zh_tw", "bank_id", "level", "country", "country_code",
    ]

    /// Reads a table: CSV in UTF-8 (RFC 4180; no line breaks within a field), the first line the columns' names. A line
    /// that begins with "#" is a comment.
    ///
    /// - Throws: the first line that is wrong. Nothing is guessed and no row skipped: a customer would see it.
    public init(csv bytes: some Sequence<UInt8>) throws(BINTableError) {
        guard let text = String(validating: Array(bytes), as: UTF8.self) else {
            throw BINTableError(1, "the table must be text in UTF-8")
        }
        var rows: [(line: Int, row: Row)] = []
        var hasHeading = false
        // By bytes: as a character, CR LF is one of its own.
        let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            Substring(line.last == 0x0D ? line.dropLast() : line)
        }
        for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
            let fields = try Self.fields(of: line, index + 1)
            if hasHeading {
                rows.append((index + 1, try Self.row(of: fields, index + 1)))
            } else {
                guard fields == Self.columns else {
                    throw BINTableError(
                        index + 1, "the first line must name the columns: \(Self.columns.joined(separator: ","))")
                }
                hasHeading = true
            }
        }
        guard hasHeading else {
            throw BINTableError(
                1, "the first line must name the columns: \(Self.columns.joined(separator: ","))")
        }
        try Self.checkDisjoint(rows)
        self.init(disjoint: rows.map(\.row))
    }

    /// Two rows of one length that claim the same number would make the card depend on their order.
    private static func checkDisjoint(_ rows: [(line: Int, row: Row)]) throws(BINTableError) {
        let sorted = rows.sorted { ($0.row.digitsCount, $0.row.first) < ($1.row.digitsCount, $1.row.first) }
        for (earlier, later) in zip(sorted, sorted.dropFirst())
        where earlier.row.digitsCount == later.row.digitsCount && later.row.first <= earlier.row.last {
            let (first, second) = (min(earlier.line, later.line), max(earlier.line, later.line))
            throw BINTableError(second, "the range overlaps that of line \(first), which has as many digits")
        }
    }

    private static func row(of fields: [String], _ line: Int) throws(BINTableError) -> Row {
        guard fields.count == self.columns.count else {
            throw BINTableError(line, "it has \(fields.count) fields and must have \(self.columns.count)")
        }
        guard let first = self.digits(fields[0]), let last = self.digits(fields[1]),
            fields[0].utf8.count == fields[1].utf8.count, first <= last
        else {
            throw BINTableError(
                line,
                "first and last must be 1 to \(self.digitsMax) digits, as many as each other, last not below first")
        }
        guard let network = Network(rawValue: fields[2]) else {
            throw BINTableError(
                line, "network must be one of: " + Network.allCases.map(\.rawValue).joined(separator: ", "))
        }
        guard let funding = Funding(rawValue: fields[3]) else {
            throw BINTableError(
                line, "funding must be one of: " + Funding.allCases.map(\.rawValue).joined(separator: ", "))
        }
        guard fields[6].utf8.count <= 10, fields[6].utf8.allSatisfy(ASCII.isAlphanumeric) else {
            throw BINTableError(line, "bank_id must have at most 10 letters and digits")
        }
        let code = fields[9].utf8
        guard code.isEmpty || code.count == 2 && code.allSatisfy(ASCII.isCapital) else {
            throw BINTableError(line, "country_code must be two capital letters (ISO 3166-1 alpha-2), or empty")
        }
        return Row(
            first: first, last: last, digitsCount: fields[0].utf8.count, network: network, funding: funding,
            issuer: fields[4], issuerZhTw: fields[5], bankID: fields[6], level: fields[7], country: fields[8],
            countryCode: fields[9])
    }

    private static func digits(_ text: String) -> UInt32? {
        guard (1...self.digitsMax).contains(text.utf8.count),
            text.utf8.allSatisfy(ASCII.isDigit)
        else { return nil }
        return UInt32(text)
    }

    private static let fieldCharactersMax = 100

    private static func fields(of line: Substring, _ number: Int) throws(BINTableError) -> [String] {
        var fields: [String] = []
        var rest = line[...]
        while true {
            let (field, after) = try self.field(rest, number)
            guard field.unicodeScalars.count <= self.fieldCharactersMax else {
                throw BINTableError(number, "a field has more than \(self.fieldCharactersMax) characters")
            }
            guard field.unicodeScalars.allSatisfy({ !ASCII.isControl($0) }) else {
                throw BINTableError(number, "a field holds a control character")
            }
            fields.append(field)
            guard let after else { return fields }
            rest = after
        }
    }

    /// A field and what follows its comma; `nil` at the end of the line.
    private static func field(
        _ text: Substring, _ number: Int
    ) throws(BINTableError) -> (field: String, after: Substring?) {
        guard text.hasPrefix("\"") else {
            let field = text.prefix { $0 != "," }
            guard !field.contains("\"") else {
                throw BINTableError(number, "a quotation mark within a field: quote all of it, and double the mark")
            }
            return (String(field), field.endIndex == text.endIndex ? nil : text[text.index(after: field.endIndex)...])
        }
        var field = ""
        var rest = text.dropFirst()
        while true {
            let piece = rest.prefix { $0 != "\"" }
            field += piece
            rest = rest[piece.endIndex...]
            guard rest.hasPrefix("\"") else {
                throw BINTableError(number, "a quoted field has no end")
            }
            rest = rest.dropFirst()
            if rest.hasPrefix("\"") {
                field += "\""
                rest = rest.dropFirst()
            } else if rest.isEmpty {
                return (field, nil)
            } else if rest.hasPrefix(",") {
                return (field, rest.dropFirst())
            } else {
                throw BINTableError(number, "a quoted field is followed by more than a comma")
            }
        }
    }
}
