//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

/// Names the kind of thing that an identifier is for, by its prefix.
public protocol IdentifierTag: Sendable {
    static var prefix: String { get }
}

/// An id of ours: a prefix and 128 bits, 48 of them the time in milliseconds and 80 random, in Crockford's base 32 as a
/// ULID writes them.
///
/// Ids made later sort later, as text and as rows; nothing about them can be guessed. "pay_01KAJ4T5C8RZ0G3V7M2W9XQY4B".
public struct Identifier<Tag: IdentifierTag>: Hashable, Sendable, Comparable, CustomStringConvertible {
    public let text: String

    /// - Parameter random: random bytes; ten are used, missing ones count as zero.
    public init(at time: Timestamp, random: [UInt8]) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        for shift in stride(from: 40, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: time.milliseconds >> Int64(shift)))
        }
        for index in 0..<10 { bytes.append(index < random.count ? random[index] : 0) }
        self.text = Tag.prefix + Self.base32(bytes)
    }

    /// An id that was made earlier: the right prefix and 26 characters of the alphabet.
    public init?(_ text: String) {
        guard text.hasPrefix(Tag.prefix) else { return nil }
        let rest = text.utf8.dropFirst(Tag.prefix.utf8.count)
        guard rest.count == 26 else { return nil }
        for byte in rest where !isCrockford(byte) { return nil }
        self.text = text
    }

    public var description: String { self.text }

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.text < rhs.text }

    /// 128 bits as 26 digits of five bits, the first of which holds three.
    private static func base32(_ bytes: [UInt8]) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(26)
        var accumulator: UInt32 = 0
        var bitsCount = 2
        for byte in bytes {
            accumulator = (accumulator << 8 | UInt32(byte)) & 0xFFFF
            bitsCount += 8
            while bitsCount >= 5 {
                bitsCount -= 5
                digits.append(crockford[Int(accumulator >> UInt32(bitsCount)) & 31])
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

private let crockford = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

/// Whether a byte is a digit of the alphabet, which is without I, L, O and U. Not a search: a store asks for every id of
/// every row that it reads.
private func isCrockford(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x48, 0x4A, 0x4B, 0x4D, 0x4E, 0x50...0x54, 0x56...0x5A: true
    default: false
    }
}

public enum PaymentTag: IdentifierTag { public static let prefix = "pay_" }
public enum OperationTag: IdentifierTag { public static let prefix = "op_" }
public enum OrderTag: IdentifierTag { public static let prefix = "ord_" }
public enum MerchantTag: IdentifierTag { public static let prefix = "mer_" }
public enum EventTag: IdentifierTag { public static let prefix = "evt_" }
public enum AcquirerAccountTag: IdentifierTag { public static let prefix = "acc_" }
public enum AcquirerBookTag: IdentifierTag { public static let prefix = "book_" }

public typealias PaymentID = Identifier<PaymentTag>
public typealias OperationID = Identifier<OperationTag>
public typealias OrderID = Identifier<OrderTag>
public typealias MerchantID = Identifier<MerchantTag>
public typealias EventID = Identifier<EventTag>
public typealias AcquirerAccountID = Identifier<AcquirerAccountTag>
/// Of one acquirer's book: what it has booked another does not know.
public typealias AcquirerBookID = Identifier<AcquirerBookTag>
