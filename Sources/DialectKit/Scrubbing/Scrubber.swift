//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import BaseEncoding
import Crypto
import Foundation
public import Redaction
import StrictJSON

/// Takes out of a text what nobody may see: the shop's passwords and keys, tokens, cryptograms and card numbers.
///
/// It works twice over. Members, fields, elements and headers that are known to hold a secret lose their value,
/// whatever it is (``BodyText``); and every text then loses each secret value that is known, in all the ways in which
/// the wire languages write one, and whatever looks like a card number or like sealed bytes.
public struct Scrubber: Sendable {
    /// What stands in the place of what was taken out.
    public static let mark = "…"

    private let values: [String]

    /// - Parameter secrets: passwords, keys, parts of the token. What is shorter than six characters is not looked for.
    public init(_ secrets: [Redacted<String>]) {
        var values: Set<String> = []
        for secret in secrets.map({ $0.reveal() }) where secret.utf8.count >= 6 {
            for form in Self.forms(of: secret) { values.insert(form) }
        }
        // The longest first: one may be a part of another.
        self.values = values.sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
    }

    /// How a secret may stand in a message: plainly, escaped in JSON and in forms, as the digests that PAYONE takes,
    /// and without the padding of base64.
    private static func forms(of secret: String) -> [String] {
        let bytes = Data(secret.utf8)
        let json = JSON.string(secret).text()
        let stripped = String(secret.prefix { $0 != "=" })
        return [
            secret, String(json.dropFirst().dropLast()), secret.replacingOccurrences(of: "/", with: "\\/"),
            PercentCoding.encoded(secret), PercentCoding.encoded(secret).lowercased(),
            secret.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? secret,
            Base64.encode(Array(bytes)), Hex.encode(SHA384.hash(data: bytes)),
            Hex.encode(Insecure.MD5.hash(data: bytes)), secret.replacingOccurrences(of: "&", with: "&amp;"),
            stripped.utf8.count >= 16 ? stripped : secret,
        ]
    }

    public func scrub(_ text: String) -> String {
        var text = text
        for value in self.values where text.contains(value) {
            text = text.replacingOccurrences(of: value, with: Self.mark)
        }
        return Self.withoutSealedBytes(Self.withoutCardNumbers(text))
    }

    // MARK: - What looks like a secret

    /// Digits that a card number may be: 12 to 19 of them, of a network's range, that pass the Luhn check (ISO/IEC
    /// 7812-1). Also in groups, the first of four, with a blank or a hyphen between.
    static func withoutCardNumbers(_ text: String) -> String {
        Self.replacingPieces(of: text) { bytes, start in
            if let end = Self.endOfCardNumber(in: bytes, from: start) { return (end, isSecret: true) }
            // The rest of a run is no number of its own.
            return (Self.endOfRun(in: bytes, from: start, where: ASCII.isDigit), isSecret: false)
        }
    }

    /// Where the longest card number ends that begins there; `nil` where none does. In groups, as cards have them, it
    /// is of 13 digits at the least, a first group of four and others of six at the most: UUIDs and times are not.
    private static func endOfCardNumber(in bytes: [UInt8], from start: Int) -> Int? {
        guard (0x32...0x36).contains(bytes[start]) else { return nil }
        var digits: [UInt8] = []
        var (end, found): (Int, Int?) = (start, nil)
        while digits.count <= 19 {
            let isFirst = digits.isEmpty
            // One digit more than may be. However long the run is, no more of it is looked at for each group before it.
            let group = bytes[end...].prefix(isFirst ? 20 : 7).prefix { ASCII.isDigit($0) }
            guard isFirst || group.count <= 6 else { return found }
            digits += group
            end += group.count
            if ((isFirst ? 12 : 13)...19).contains(digits.count), Luhn.passes(digits) { found = end }
            guard !isFirst || group.count == 4, end + 1 < bytes.count, " -".utf8.contains(bytes[end]),
                ASCII.isDigit(bytes[end + 1])
            else { return found }
            end += 1
        }
        return found
    }

    /// 48 and more characters of base64 or hexadecimal in one run: a key, a signature, sealed data. Paths have more
    /// solidi than base64, in which every 64th character is one.
    static func withoutSealedBytes(_ text: String) -> String {
        Self.replacingPieces(of: text) { bytes, start in
            let end = Self.endOfRun(in: bytes, from: start) { ASCII.isAlphanumeric($0) || "+/=".utf8.contains($0) }
            let isSecret =
                end - start >= 48
                && bytes[start..<end].count { $0 == UInt8(ascii: "/") } * 16 <= end - start
            return (end, isSecret)
        }
    }

    /// Where the bytes of a kind end that begin there: right there if there are none.
    private static func endOfRun(
        in bytes: [UInt8], from start: Int, where belongs: (UInt8) -> Bool
    ) -> Int {
        bytes[start...].firstIndex { !belongs($0) } ?? bytes.count
    }

    /// Goes over a text from piece to piece, and replaces each that is secret by its first four bytes and a mark.
    /// Each byte is in one piece, so that it takes as long as the text is, whatever stands in it.
    ///
    /// - Parameter piece: where the piece ends that begins at a byte, and whether it is secret. One that ends where it
    ///   begins is that byte.
    private static func replacingPieces(
        of text: String, _ piece: (_ bytes: [UInt8], _ start: Int) -> (end: Int, isSecret: Bool)
    ) -> String {
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        var (start, written) = (0, 0)
        while start < bytes.count {
            let (end, isSecret) = piece(bytes, start)
            if isSecret {
                output += bytes[written..<start] + bytes[start..<end].prefix(4) + Array(Self.mark.utf8)
                written = end
            }
            start = max(end, start + 1)
        }
        guard written > 0 else { return text }
        output += bytes[written...]
        return String(decoding: output, as: UTF8.self)
    }
}
