//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

/// The parts of a `multipart/form-data` body, one after the other (RFC 7578; RFC 2046, section 5.1.1).
///
/// Lines end with CR LF. What stands before the first delimiter and after the last one is ignored.
struct MultipartReader {
    struct Part {
        let name: [UInt8]
        let content: [UInt8]
    }

    private static let lineEnd: [UInt8] = [0x0D, 0x0A]
    /// RFC 2046: no more than 70 characters.
    private static let boundaryBytesMax = 70

    private let body: [UInt8]
    /// "--" and the boundary.
    private let dashBoundary: [UInt8]
    private let limits: FormLimits
    /// Behind the delimiter line that was read last; `nil` before the first, and the body's end behind the last.
    private var position: Int?
    private var isAtEnd = false

    init(body: [UInt8], boundary: String, limits: FormLimits) {
        self.body = body
        self.dashBoundary = [0x2D, 0x2D] + Array(boundary.utf8)
        self.limits = limits
    }

    /// RFC 2046, section 5.1.1, `boundary`: 1–70 of these characters, the last one no blank.
    static func isBoundary(_ text: String) -> Bool {
        let others = Set("'()+_,-./:=? ".utf8)
        return (1...self.boundaryBytesMax).contains(text.utf8.count) && text.utf8.last != UInt8(ascii: " ")
            && text.utf8.allSatisfy { ASCII.isAlphanumeric($0) || others.contains($0) }
    }

    /// - Returns: `nil` behind the last part.
    mutating func next() throws(FormError) -> Part? {
        if self.position == nil { try self.skipPreamble() }
        guard !self.isAtEnd, let start = self.position else { return nil }
        let (name, contentStart) = try self.readHeaders(from: start)
        guard let end = self.delimiter(from: contentStart) else { throw .multipartMalformed }
        let content = Array(self.body[contentStart..<end])
        try self.passDelimiter(at: end + Self.lineEnd.count)
        return Part(name: name, content: content)
    }

    private mutating func skipPreamble() throws(FormError) {
        if self.body.starts(with: self.dashBoundary) {
            try self.passDelimiter(at: 0)
        } else if let start = self.delimiter(from: 0) {
            try self.passDelimiter(at: start + Self.lineEnd.count)
        } else {
            throw .multipartMalformed
        }
    }

    /// Where the next CR LF stands that the boundary follows.
    private func delimiter(from start: Int) -> Int? {
        var index = start
        while let lineEnd = self.lineEnd(from: index) {
            if self.body[(lineEnd + Self.lineEnd.count)...].starts(with: self.dashBoundary) { return lineEnd }
            index = lineEnd + 1
        }
        return nil
    }

    private func lineEnd(from start: Int) -> Int? {
        var index = start
        while index + 1 < self.body.count {
            if self.body[index] == 0x0D, self.body[index + 1] == 0x0A { return index }
            index += 1
        }
        return nil
    }

    /// Behind the boundary stand "--" after the last part, or blanks and the line's end.
    private mutating func passDelimiter(at start: Int) throws(FormError) {
        var index = start + self.dashBoundary.count
        if self.body[index...].starts(with: [0x2D, 0x2D]) {
            self.isAtEnd = true
            self.position = self.body.count
            return
        }
        while index < self.body.count, self.body[index] == 0x20 || self.body[index] == 0x09 { index += 1 }
        guard self.body[index...].starts(with: Self.lineEnd) else { throw .multipartMalformed }
        self.position = index + Self.lineEnd.count
    }
}

// MARK: - The headers of a part

extension MultipartReader {
    /// The part's name, and where its content begins.
    private func readHeaders(from start: Int) throws(FormError) -> (name: [UInt8], contentStart: Int) {
        var name: [UInt8]?
        var index = start
        while true {
            guard let end = self.lineEnd(from: index) else { throw .multipartMalformed }
            guard end - start <= self.limits.partHeaderBytesMax else {
                throw .partHeadersTooLong(bytesMax: self.limits.partHeaderBytesMax)
            }
            let line = self.body[index..<end]
            index = end + Self.lineEnd.count
            if line.isEmpty { break }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .partHeaderMalformed }
            let value = line[(colon + 1)...]
            switch Latin1.text(line[..<colon]).lowercased() {
            case "content-disposition":
                guard name == nil, let found = Self.fieldName(value) else { throw .partHeaderMalformed }
                name = found
            case "content-transfer-encoding":
                // RFC 7578, section 4.7: not to be used; these three change nothing.
                let encoding = Latin1.text(value).lowercased().filter { $0 != " " && $0 != "\t" }
                guard ["7bit", "8bit", "binary"].contains(encoding) else { throw .partHeaderMalformed }
            default: break
            }
        }
        guard let name else { throw .partHeaderMalformed }
        return (name, index)
    }

    /// The `name` of `form-data; name="…"` (RFC 7578, section 4.2).
    private static func fieldName(_ value: ArraySlice<UInt8>) -> [UInt8]? {
        // Read as Latin-1, every byte is a character of its own and comes back unchanged.
        guard let disposition = MediaType(disposition: Latin1.text(value)), disposition.essence == "form-data",
            let name = disposition.parameters["name"]
        else { return nil }
        // Browsers write these three as percent signs (WHATWG HTML Standard, section 4.10.21.8).
        let plain = [("%22", "\""), ("%0D", "\r"), ("%0A", "\n")].reduce(name) { text, pair in
            text.contains("%")
                ? text.split(separator: pair.0, omittingEmptySubsequences: false).joined(separator: pair.1) : text
        }
        return Latin1.bytes(of: plain)
    }
}
