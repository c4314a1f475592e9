//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// Where a message is garbled. It is cut at every byte.
enum FaultPlaces {
    /// Of how many of the places that a subject asks for one is tried: each takes a connection, and all of them, for every
    /// service, a fifth of the time that all tests take. `POMONA_FAULT_SPARSENESS=1` tries them all; releases do.
    static let sparseness = max(1, Int(ProcessInfo.processInfo.environment["POMONA_FAULT_SPARSENESS"] ?? "") ?? 4)
    /// With which place a run begins that does not try them all: the same in each run, so that what fails here fails again.
    /// `POMONA_FAULT_ROTATION` sets another, and several runs try every place.
    private static let rotation = Int(ProcessInfo.processInfo.environment["POMONA_FAULT_ROTATION"] ?? "") ?? 0

    /// - Parameter stride: of how many places one is tried when all are that a subject asks for.
    static func isTried(_ place: Int, stride: Int) -> Bool {
        (place + self.rotation).isMultiple(of: stride * self.sparseness)
    }

    /// Within a value every so many bytes are enough: each is like the next.
    private static let stride = 23

    static func every(in message: [UInt8]) -> [Int] { Array(message.indices) }

    /// Every byte that is structure, and the borders of every value (a word, a number, a token, a signature), with few in
    /// between.
    static func all(in message: [UInt8]) -> [Int] {
        var places: [Int] = []
        var start = 0
        for (index, byte) in message.enumerated() {
            if self.isOfAValue(byte) { continue }
            places += self.places(ofValue: start..<index)
            places.append(index)
            start = index + 1
        }
        return places + self.places(ofValue: start..<message.count)
    }

    private static func places(ofValue value: Range<Int>) -> [Int] {
        value.filter {
            $0 == value.upperBound - 1 || ($0 - value.lowerBound).isMultiple(of: self.stride)
        }
    }

    /// Also of Base64 in either alphabet, percent-encoded or not.
    private static func isOfAValue(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "%"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
