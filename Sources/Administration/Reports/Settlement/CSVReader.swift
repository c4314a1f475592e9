//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Reads CSV (RFC 4180) strictly, a record at a time.
///
/// A quotation mark stands only around a whole field, and twice within one. Lines end with CRLF or LF; the last one may
/// lack its end. Every record has as many fields as the first.
struct CSVReader {
    static let recordBytesMax = 64 << 10
    static let fieldsMax = 256

    /// What is wrong, and where.
    struct Failure: Error, Hashable {
        /// From 1; of a record that spans several lines, the one on which it begins.
        let line: Int
        /// The field's number, from 1.
        let field: Int
        /// The end of a sentence: "…".
        let problem: String
    }

    enum Encoding: String, Hashable, Sendable, CaseIterable {
        case utf8 = "utf-8"
        case latin1 = "iso-8859-1"
    }

    private let bytes: [UInt8]
    private let separator: UInt8
    private let encoding: Encoding
    private var position = 0
    private var nextLine = 1
    private var fieldsCount: Int?
    /// On which line the last record began.
    private(set) var line = 0

    init(_ bytes: [UInt8], separator: UInt8, encoding: Encoding) {
        self.bytes = bytes
        self.separator = separator
        self.encoding = encoding
        // A byte order mark is no part of the first field.
        if encoding == .utf8, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { self.position = 3 }
    }

    /// The next record; `nil` at the end.
    mutating func next() throws(Failure) -> [String]? {
        guard self.position < self.bytes.count else { return nil }
        self.line = self.nextLine
        let start = self.position
        var fields: [String] = []
        while true {
            let (field, isLast) = try self.field(number: fields.count + 1, of: start)
            fields.append(field)
            if isLast { break }
            guard fields.count < Self.fieldsMax else {
                throw self.failure(fields.count, "the record has more than \(Self.fieldsMax) fields")
            }
        }
        if let wanted = self.fieldsCount, wanted != fields.count {
            throw self.failure(fields.count, "the record has \(fields.count) fields, and the first has \(wanted)")
        }
        self.fieldsCount = fields.count
        return fields
    }

    private mutating func field(number: Int, of start: Int) throws(Failure) -> (text: String, isLast: Bool) {
        var content: [UInt8] = []
        var isQuoted = false
        if self.position < self.bytes.count, self.bytes[self.position] == 0x22 {
            isQuoted = true
            self.position += 1
        }
        var isOpen = isQuoted
        while self.position < self.bytes.count {
            let byte = self.bytes[self.position]
            guard self.position - start < Self.recordBytesMax else {
                throw self.failure(number, "the record has more than \(Self.recordBytesMax) bytes")
            }
            if isOpen {
                self.position += 1
                if byte == 0x0A { self.nextLine += 1 }
                guard byte == 0x22 else {
                    content.append(byte)
                    continue
                }
                // Two are one; one is the end.
                if self.position < self.bytes.count, self.bytes[self.position] == 0x22 {
                    content.append(byte)
                    self.position += 1
                } else {
                    isOpen = false
                }
                continue
            }
            switch byte {
            case self.separator:
                self.position += 1
                return (try self.text(content, number), false)
            case 0x0A, 0x0D:
                try self.endLine(number)
                return (try self.text(content, number), true)
            case 0x22: throw self.failure(number, "a quotation mark stands within a field")
            default:
                if isQuoted { throw self.failure(number, "something stands after the closing quotation mark") }
                content.append(byte)
                self.position += 1
            }
        }
        if isOpen { throw self.failure(number, "the closing quotation mark is missing") }
        return (try self.text(content, number), true)
    }

    private mutating func endLine(_ number: Int) throws(Failure) {
        if self.bytes[self.position] == 0x0D {
            self.position += 1
            guard self.position < self.bytes.count, self.bytes[self.position] == 0x0A else {
                throw self.failure(number, "a carriage return stands without its line feed")
            }
        }
        self.position += 1
        self.nextLine += 1
    }

    private func text(_ content: [UInt8], _ number: Int) throws(Failure) -> String {
        switch self.encoding {
        case .utf8:
            guard let text = String(validating: content, as: UTF8.self) else {
                throw self.failure(number, "the field is not UTF-8")
            }
            return text
        case .latin1:
            // ISO 8859-1 is the first 256 code points of Unicode.
            var text = ""
            text.unicodeScalars.append(contentsOf: content.map { Unicode.Scalar($0) })
            return text
        }
    }

    private func failure(_ field: Int, _ problem: String) -> Failure {
        Failure(line: self.line, field: field, problem: problem)
    }
}
