//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Foundation
public import TestGateway

/// Finds secrets in whatever form they are written: as they are, in hexadecimal, in base64.
public struct SecretScanner: Sendable {
    /// Patterns by their first eight bytes, so that a text is looked through once for all of them.
    private let patterns: [UInt64: [(name: String, bytes: [UInt8])]]

    /// A secret is too short to be searched for without finding it by chance.
    public struct SecretTooShort: Error, CustomStringConvertible {
        public let name: String
        public var description: String { "\(self.name) has fewer than 8 characters: choose a longer one for the test" }
    }

    public init(_ secrets: [Secret]) throws {
        var patterns: [UInt64: [(name: String, bytes: [UInt8])]] = [:]
        for secret in secrets {
            guard secret.bytes.count >= 8 else { throw SecretTooShort(name: secret.name) }
            for (form, bytes) in Self.forms(of: secret.bytes) where bytes.count >= 8 {
                patterns[Self.head(bytes[...]), default: []].append(("\(secret.name) (\(form))", bytes))
            }
        }
        self.patterns = patterns
    }

    /// What is found, by name and form; never the secret.
    public func leaks(in bytes: [UInt8]) -> [String] {
        guard bytes.count >= 8 else { return [] }
        var found: Set<String> = []
        var head = Self.head(bytes[0..<8]) >> 8
        for index in 7..<bytes.count {
            head = head << 8 | UInt64(bytes[index])
            guard let candidates = self.patterns[head] else { continue }
            let start = index - 7
            for candidate in candidates where bytes[start...].starts(with: candidate.bytes) {
                found.insert(candidate.name)
            }
        }
        return found.sorted()
    }

    private static func head(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A secret that is itself base64 (a PEM's line, a cryptogram) is searched for decoded, too.
    static func forms(of bytes: [UInt8]) -> [(String, [UInt8])] {
        var forms = self.written(bytes)
        if bytes.count % 4 == 0, let decoded = Data(base64Encoded: Data(bytes)), decoded.count >= 8 {
            forms += self.written(Array(decoded)).map { ("decoded, \($0.0)", $0.1) }
        }
        return forms
    }

    private static func written(_ bytes: [UInt8]) -> [(String, [UInt8])] {
        let hex = self.hex(bytes)
        var forms = [("as it is", bytes), ("hex", hex), ("HEX", hex.map { (97...102).contains($0) ? $0 - 32 : $0 })]
        // Inside a longer text, base64 depends on where the secret begins, modulo three bytes. What is left when the
        // characters that it shares with its neighbors are cut off is the same whatever stands around it.
        for offset in 0..<3 {
            let text = Array(Data(Array(repeating: 0, count: offset) + bytes).base64EncodedData())
            let own = offset == 0 ? 0 : offset + 1
            let whole = (offset + bytes.count) / 3 * 4
            let core = Array(text[min(own, whole)..<whole])
            forms.append(("base64", core))
            forms.append(("base64url", core.map { $0 == 0x2B ? 0x2D : $0 == 0x2F ? 0x5F : $0 }))
        }
        return forms
    }

    private static func hex(_ bytes: [UInt8]) -> [UInt8] {
        Array(Hex.encode(bytes).utf8)
    }
}
