//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding

/// A lazy reader of BER (X.690, section 8) over one array of bytes, with definite and indefinite lengths.
///
/// Apple's CMS is BER: five of its elements have an indefinite length. SwiftASN1 reads that too, but always the whole
/// tree, and nine tenths of the tree are the two certificates, which a warm issuer cache need not look into. This
/// reader steps over them, which keeps reading the CMS in the order of a microsecond. There is no recursion: the caller
/// knows the structure and enters what it expects.
///
/// It is stricter than BER where BER is loose for no reason: lengths are minimal, tags fit one byte, strings are
/// primitive.
struct BERReader {
    let bytes: [UInt8]
    private(set) var position: Int
    /// The end of the innermost element of definite length.
    private var limit: Int
    private let code: TokenError.Code
    private let stage: TokenError.Stage

    /// An element that was entered and must be left.
    struct Frame {
        /// The end of the content; nil when it ends with end-of-contents octets.
        fileprivate let end: Int?
        fileprivate let outerLimit: Int
    }

    /// - Parameters:
    ///   - range: The part of the bytes to read; all of them by default.
    ///   - code: The error of whatever is not well-formed.
    init(
        _ bytes: [UInt8], in range: Range<Int>? = nil, code: TokenError.Code, stage: TokenError.Stage
    ) {
        self.bytes = bytes
        self.position = range?.lowerBound ?? 0
        self.limit = range?.upperBound ?? bytes.count
        self.code = code
        self.stage = stage
    }

    var isAtLimit: Bool { self.position == self.limit }

    /// The tag of the next element, or nil at the end of the innermost definite element. Zero is the start of
    /// end-of-contents.
    var nextTag: UInt8? { self.position < self.limit ? self.bytes[self.position] : nil }

    func malformed(_ what: String) -> TokenError {
        TokenError(self.code, self.stage, "The ASN.1 structure is not well-formed at byte \(self.position): \(what).")
    }

    // MARK: Constructed elements

    /// Steps into the next element, which must have that tag.
    mutating func enter(_ tag: UInt8) throws(TokenError) -> Frame {
        try self.expect(tag)
        let length = try self.length()
        let outerLimit = self.limit
        guard let length else { return Frame(end: nil, outerLimit: outerLimit) }
        self.limit = self.position + length
        return Frame(end: self.limit, outerLimit: outerLimit)
    }

    /// Whether the element that was entered has nothing more inside.
    func isAtEnd(_ frame: Frame) -> Bool {
        if let end = frame.end { return self.position == end }
        return self.position + 1 < self.limit && self.bytes[self.position] == 0 && self.bytes[self.position + 1] == 0
    }

    /// Steps out of an element, which must have been read to its end.
    mutating func leave(_ frame: Frame) throws(TokenError) {
        guard self.isAtEnd(frame) else { throw self.malformed("an element holds more than expected, or ends early") }
        if frame.end == nil { self.position += 2 }
        self.limit = frame.outerLimit
    }

    // MARK: Whole elements

    /// Steps over an element of definite length; gives the range of the whole element.
    mutating func element(_ tag: UInt8) throws(TokenError) -> Range<Int> {
        let start = self.position
        let content = try self.content(tag)
        return start..<content.upperBound
    }

    /// Steps over an element of definite length; gives the range of its content.
    mutating func content(_ tag: UInt8) throws(TokenError) -> Range<Int> {
        try self.expect(tag)
        guard let length = try self.length() else {
            throw self.malformed("an indefinite length where a definite one is required")
        }
        let start = self.position
        self.position += length
        return start..<self.position
    }

    /// Whether the bytes in that range are these.
    func matches(_ range: Range<Int>, _ expected: [UInt8]) -> Bool {
        guard range.count == expected.count else { return false }
        for index in expected.indices where self.bytes[range.lowerBound + index] != expected[index] { return false }
        return true
    }

    // MARK: Tag and length

    private mutating func expect(_ tag: UInt8) throws(TokenError) {
        guard let next = self.nextTag else { throw self.malformed("the data ends early") }
        guard next == tag else {
            throw self.malformed("tag \(Hex.encode([next])) where \(Hex.encode([tag])) is expected")
        }
        self.position += 1
    }

    /// X.690, 8.1.3. Nil for an indefinite length.
    private mutating func length() throws(TokenError) -> Int? {
        guard let first = self.nextTag else { throw self.malformed("the data ends early") }
        self.position += 1
        var length = Int(first)
        if first == 0x80 { return nil }
        if first > 0x80 {
            let count = Int(first & 0x7F)
            guard count <= 3, self.position + count <= self.limit else {
                throw self.malformed("a length out of bounds")
            }
            length = 0
            for _ in 0..<count {
                length = length << 8 | Int(self.bytes[self.position])
                self.position += 1
            }
            let lengthMin = count == 1 ? 0x80 : 1 << (8 * (count - 1))
            guard length >= lengthMin else { throw self.malformed("a length that is not minimal") }
        }
        guard length <= self.limit - self.position else { throw self.malformed("a length out of bounds") }
        return length
    }
}
