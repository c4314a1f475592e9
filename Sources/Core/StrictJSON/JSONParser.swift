//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

extension JSON {
    /// Reads exactly one JSON value, strictly.
    ///
    /// - Throws: ``JSONError``, for the first rule that the text breaks.
    public static func parse(_ bytes: some Collection<UInt8>, limits: JSONLimits = JSONLimits()) throws(JSONError)
        -> JSON
    {
        guard bytes.count <= limits.bytesMax else { throw JSONError(code: .tooLarge, offset: limits.bytesMax) }
        let result = bytes.withContiguousStorageIfAvailable { parseBuffer($0, limits: limits) }
        if let result { return try result.get() }
        return try Array(bytes).withUnsafeBufferPointer { parseBuffer($0, limits: limits) }.get()
    }

    /// Reads exactly one JSON value from a text.
    public static func parse(_ text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) -> JSON {
        try self.parse(text.utf8, limits: limits)
    }

    private static func parseBuffer(_ bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) -> Result<JSON, JSONError>
    {
        var parser = JSONParser(bytes: bytes, limits: limits)
        do throws(JSONError) {
            return .success(try parser.document())
        } catch {
            return .failure(error)
        }
    }
}

/// A recursive-descent parser over a buffer; its depth is bounded by the limits, and so is its stack.
private struct JSONParser {
    let bytes: UnsafeBufferPointer<UInt8>
    let limits: JSONLimits
    var position = 0
    var valuesCount = 0

    init(bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func document() throws(JSONError) -> JSON {
        // RFC 8259, section 8.1: it must not be sent, and may be ignored. It is refused by its name, here as in a token: two
        // readers of one signed text must not differ in what they take.
        if self.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw self.error(.byteOrderMark) }
        self.skipWhitespace()
        let value = try self.value(depth: 0)
        self.skipWhitespace()
        guard self.position == self.bytes.count else { throw self.error(.trailingBytes) }
        return value
    }

    private func error(_ code: JSONError.Code) -> JSONError {
        JSONError(code: code, offset: self.position)
    }

    private func peek() throws(JSONError) -> UInt8 {
        guard self.position < self.bytes.count else { throw self.error(.endsEarly) }
        return self.bytes[self.position]
    }

    private mutating func skipWhitespace() {
        while self.position < self.bytes.count {
            switch self.bytes[self.position] {
            case 0x20, 0x09, 0x0A, 0x0D: self.position += 1
            default: return
            }
        }
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSON {
        self.valuesCount += 1
        guard self.valuesCount <= self.limits.valuesMax else { throw self.error(.tooManyValues) }
        switch try self.peek() {
        case UInt8(ascii: "{"): return try self.object(depth: depth + 1)
        case UInt8(ascii: "["): return try self.array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try self.string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try self.number())
        case UInt8(ascii: "t"): return try self.word("true", as: .bool(true))
        case UInt8(ascii: "f"): return try self.word("false", as: .bool(false))
        case UInt8(ascii: "n"): return try self.word("null", as: .null)
        default: throw self.error(.unexpectedByte)
        }
    }

    private mutating func word(_ word: StaticString, as value: JSON) throws(JSONError) -> JSON {
        for index in 0..<word.utf8CodeUnitCount {
            guard try self.peek() == word.utf8Start[index] else { throw self.error(.unexpectedByte) }
            self.position += 1
        }
        return value
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSON {
        guard depth <= self.limits.depthMax else { throw self.error(.tooDeep) }
        self.position += 1
        var members: [(name: String, value: JSON)] = []
        var names: Set<ExactText> = []
        self.skipWhitespace()
        if try self.peek() == UInt8(ascii: "}") {
            self.position += 1
            return .object(JSONObject())
        }
        while true {
            self.skipWhitespace()
            guard try self.peek() == UInt8(ascii: "\"") else { throw self.error(.unexpectedByte) }
            let nameOffset = self.position
            let name = try self.string()
            // A set only where a scan would be slow: most objects are small.
            let isRepeated: Bool
            if members.count < 8 {
                isRepeated = members.contains { $0.name.isExactly(name) }
            } else {
                if names.isEmpty { names = Set(members.map { ExactText($0.name) }) }
                isRepeated = !names.insert(ExactText(name)).inserted
            }
            guard !isRepeated else { throw JSONError(code: .duplicateName, offset: nameOffset) }
            self.skipWhitespace()
            guard try self.peek() == UInt8(ascii: ":") else { throw self.error(.unexpectedByte) }
            self.position += 1
            self.skipWhitespace()
            members.append((name, try self.value(depth: depth)))
            self.skipWhitespace()
            let separator = try self.peek()
            guard separator == UInt8(ascii: ",") || separator == UInt8(ascii: "}") else {
                throw self.error(.unexpectedByte)
            }
            self.position += 1
            if separator == UInt8(ascii: "}") { return .object(JSONObject(uniqueMembers: members)) }
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSON {
        guard depth <= self.limits.depthMax else { throw self.error(.tooDeep) }
        self.position += 1
        var elements: [JSON] = []
        self.skipWhitespace()
        if try self.peek() == UInt8(ascii: "]") {
            self.position += 1
            return .array([])
        }
        while true {
            self.skipWhitespace()
            elements.append(try self.value(depth: depth))
            self.skipWhitespace()
            let separator = try self.peek()
            guard separator == UInt8(ascii: ",") || separator == UInt8(ascii: "]") else {
                throw self.error(.unexpectedByte)
            }
            self.position += 1
            if separator == UInt8(ascii: "]") { return .array(elements) }
        }
    }

    /// RFC 8259, section 6: no leading zero, no leading plus, digits on both sides of the point.
    private mutating func number() throws(JSONError) -> String {
        let start = self.position
        if self.bytes[self.position] == UInt8(ascii: "-") { self.position += 1 }
        let integerStart = self.position
        let integerDigits = self.skipDigits()
        guard integerDigits > 0, integerDigits == 1 || self.bytes[integerStart] != UInt8(ascii: "0") else {
            throw self.error(.malformedNumber)
        }
        if self.position < self.bytes.count, self.bytes[self.position] == UInt8(ascii: ".") {
            self.position += 1
            guard self.skipDigits() > 0 else { throw self.error(.malformedNumber) }
        }
        if self.position < self.bytes.count, self.bytes[self.position] | 0x20 == UInt8(ascii: "e") {
            self.position += 1
            if self.position < self.bytes.count,
                [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(self.bytes[self.position])
            {
                self.position += 1
            }
            guard self.skipDigits() > 0 else { throw self.error(.malformedNumber) }
        }
        return String(decoding: self.bytes[start..<self.position], as: UTF8.self)
    }

    private mutating func skipDigits() -> Int {
        let start = self.position
        while self.position < self.bytes.count, (0x30...0x39).contains(self.bytes[self.position]) { self.position += 1 }
        return self.position - start
    }

    /// The usual string has no escape: its end is looked for eight bytes at a time, for a token is little else than
    /// long strings.
    private mutating func string() throws(JSONError) -> String {
        self.position += 1
        let start = self.position
        var end = self.skipPlainWords(from: start)
        while end < self.bytes.count, !self.endsPlainText(self.bytes[end]) { end += 1 }
        self.position = end
        switch try self.peek() {
        case UInt8(ascii: "\""):
            let text = try self.validated(self.bytes[start..<end], from: start)
            self.position += 1
            return text
        case UInt8(ascii: "\\"): return try self.escapedString(from: start)
        default: throw self.error(.malformedString)
        }
    }

    private func endsPlainText(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20
    }

    /// The first of eight bytes, counted from `start` on, among which something ends or escapes a string.
    ///
    /// A byte of `x ^ pattern` is zero where `x` has the pattern's byte; `(x - 1) & ~x` has the highest bit of a byte
    /// set where the byte is zero, and may have it set above one that is, which only ends the scan too early.
    private func skipPlainWords(from start: Int) -> Int {
        guard let base = UnsafeRawPointer(self.bytes.baseAddress) else { return start }
        let ones: UInt64 = 0x0101_0101_0101_0101
        var position = start
        while position + 8 <= self.bytes.count {
            let word = base.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            let quote = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5C)
            let special =
                ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | ((word &- ones &* 0x20) & ~word)
            guard special & (ones &* 0x80) == 0 else { break }
            position += 8
        }
        return position
    }

    /// The slow path, from the first escape on.
    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var unescaped = Array(self.bytes[start..<self.position])
        while true {
            let byte = try self.peek()
            switch byte {
            case UInt8(ascii: "\""):
                let text = try unescaped.withUnsafeBufferPointer { buffer throws(JSONError) in
                    try self.validated(buffer[...], from: start)
                }
                self.position += 1
                return text
            case UInt8(ascii: "\\"):
                self.position += 1
                try self.appendEscape(to: &unescaped)
            case 0x00...0x1F: throw self.error(.malformedString)
            default:
                // Up to the next escape in one piece: a token within a string has few.
                let run = self.position
                var end = self.skipPlainWords(from: run)
                while end < self.bytes.count, !self.endsPlainText(self.bytes[end]) { end += 1 }
                unescaped.append(contentsOf: self.bytes[run..<end])
                self.position = end
            }
        }
    }

    private mutating func appendEscape(to output: inout [UInt8]) throws(JSONError) {
        let escape = try self.peek()
        self.position += 1
        switch escape {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): output.append(escape)
        case UInt8(ascii: "b"): output.append(0x08)
        case UInt8(ascii: "f"): output.append(0x0C)
        case UInt8(ascii: "n"): output.append(0x0A)
        case UInt8(ascii: "r"): output.append(0x0D)
        case UInt8(ascii: "t"): output.append(0x09)
        case UInt8(ascii: "u"):
            var scalar = try self.fourHexDigits()
            if (0xD800..<0xDC00).contains(scalar) {
                guard try self.peek() == UInt8(ascii: "\\") else { throw self.error(.malformedString) }
                self.position += 1
                guard try self.peek() == UInt8(ascii: "u") else { throw self.error(.malformedString) }
                self.position += 1
                let low = try self.fourHexDigits()
                guard (0xDC00..<0xE000).contains(low) else { throw self.error(.malformedString) }
                scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let unicode = Unicode.Scalar(scalar) else { throw self.error(.malformedString) }
            guard scalar != 0 || self.limits.allowsNUL else { throw self.error(.nulCharacter) }
            output.append(contentsOf: UTF8.encode(unicode).map(Array.init) ?? [])
        default: throw self.error(.malformedString)
        }
    }

    private mutating func fourHexDigits() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = ASCII.hexValue(try self.peek()) else { throw self.error(.malformedString) }
            value = value << 4 | UInt32(digit)
            self.position += 1
        }
        return value
    }

    private func validated(_ slice: Slice<UnsafeBufferPointer<UInt8>>, from start: Int) throws(JSONError) -> String {
        // ASCII, as nearly all text is, cannot be wrong; and this way is the quicker one. Without an early end, so that
        // many bytes are looked at in a step.
        let bytes = UnsafeBufferPointer(rebasing: slice)
        if bytes.reduce(0, |) < 0x80 {
            return String(unsafeUninitializedCapacity: bytes.count) { $0.initialize(fromContentsOf: bytes) }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw JSONError(code: .invalidUTF8, offset: start)
        }
        guard text.isStreamSafe else { throw JSONError(code: .tooManyMarks, offset: start) }
        return text
    }
}
