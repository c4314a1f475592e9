//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The outline of a BER encoding: a line for each element, as Vectors/WalletSimulator/SOURCE.md describes it.
struct Outline {
    struct Malformed: Error {}

    private(set) var lines: [String] = []
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        let end = try self.walk(from: 0, to: bytes.count, depth: 0)
        guard end == bytes.count else { throw Malformed() }
    }

    /// Walks the elements up to `end`, or to the end-of-contents octets if there is no `end`; returns where it stopped.
    private mutating func walk(from start: Int, to end: Int?, depth: Int) throws -> Int {
        var position = start
        while end.map({ position < $0 }) ?? true {
            guard position + 1 < self.bytes.count else { throw Malformed() }
            let tag = self.bytes[position]
            if end == nil, tag == 0, self.bytes[position + 1] == 0 { return position + 2 }
            let indentation = String(repeating: " ", count: depth)
            let name = (tag < 16 ? "0" : "") + String(tag, radix: 16, uppercase: true)
            var length = Int(self.bytes[position + 1])
            position += 2
            if length == 0x80 {
                self.lines.append("\(indentation)\(name) ~")
                position = try self.walk(from: position, to: nil, depth: depth + 1)
                continue
            }
            if length > 0x80 {
                let octets = length & 0x7F
                guard octets <= 4, position + octets <= self.bytes.count else { throw Malformed() }
                length = self.bytes[position..<position + octets].reduce(0) { $0 << 8 | Int($1) }
                position += octets
            }
            guard position + length <= self.bytes.count else { throw Malformed() }
            let identifier = tag == 0x06 ? " " + Outline.dotted(self.bytes[position..<position + length]) : ""
            self.lines.append("\(indentation)\(name)\(identifier)")
            if tag & 0x20 != 0 { _ = try self.walk(from: position, to: position + length, depth: depth + 1) }
            position += length
        }
        return position
    }

    private static func dotted(_ octets: ArraySlice<UInt8>) -> String {
        var components: [Int] = []
        var value = 0
        for octet in octets {
            value = value << 7 | Int(octet & 0x7F)
            if octet < 0x80 {
                components.append(value)
                value = 0
            }
        }
        let first = components.removeFirst()
        let root = min(first / 40, 2)
        return ([root, first - 40 * root] + components).map(String.init).joined(separator: ".")
    }
}
