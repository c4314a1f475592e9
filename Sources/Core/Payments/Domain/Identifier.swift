//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

/// Names the kind of thing that an identifier is for, by its prefix.
public protocol IdentifierTag: Sendable {
    /// ASCII.
    static var prefix: String { get }
}

/// An id of ours: a prefix and 128 bits, 48 of them the time in milliseconds and 80 random, in Crockford's base 32 as a
/// ULID writes them.
///
/// Ids made later sort later, as text and as rows; nothing about them can be guessed. "pay_01KAJ4T5C8RZ0G3V7M2W9XQY4B".
/// Kept as the bits, because a payment holds a dozen of them and is copied at every step of its way.
public struct Identifier<Tag: IdentifierTag>: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The time, and the first 16 random bits.
    @usableFromInline let high: UInt64
    @usableFromInline let low: UInt64

    /// - Parameter random: random bytes; ten are used, missing ones count as zero.
    public init(at time: Timestamp, random: [UInt8]) {
        var (high, low) = (UInt64(truncatingIfNeeded: time.milliseconds), UInt64(0))
        for index in 0..<10 {
            let byte = UInt64(index < random.count ? random[index] : 0)
            if index < 2 { high = high << 8 | byte } else { low = low << 8 | byte }
        }
        self.high = high
        self.low = low
    }

    /// An id that was made earlier: the right prefix and 26 digits of the alphabet, the first of them at most 7.
    @inlinable public init?(_ text: String) {
        guard let (high, low) = Base32ID.bits(of: text, behind: Tag.prefix) else { return nil }
        self.high = high
        self.low = low
    }

    @inlinable public var text: String { Base32ID.text(self.high, self.low, behind: Tag.prefix) }

    public var description: String { self.text }

    @inlinable public static func < (lhs: Self, rhs: Self) -> Bool { (lhs.high, lhs.low) < (rhs.high, rhs.low) }
}

/// 128 bits as 26 digits of five bits, the first of which holds three (github.com/ulid/spec).
@usableFromInline enum Base32ID {
    private static let digitsCount = 26

    /// - Returns: `nil` for what stands behind no such prefix or is no such number.
    @usableFromInline static func bits(of text: String, behind prefix: String) -> (high: UInt64, low: UInt64)? {
        var bytes = text.utf8.makeIterator()
        for expected in prefix.utf8 where bytes.next() != expected { return nil }
        var (high, low): (UInt64, UInt64) = (0, 0)
        for index in 0..<self.digitsCount {
            guard let digit = bytes.next().flatMap(self.value), index > 0 || digit < 8 else { return nil }
            high = high << 5 | low >> 59
            low = low << 5 | UInt64(digit)
        }
        return bytes.next() == nil ? (high, low) : nil
    }

    @usableFromInline static func text(_ high: UInt64, _ low: UInt64, behind prefix: String) -> String {
        let count = prefix.utf8.count + self.digitsCount
        let alphabet = self.alphabet.utf8Start
        return String(unsafeUninitializedCapacity: count) { text in
            var (high, low) = (high, low)
            var index = count
            while index > count - self.digitsCount {
                index -= 1
                text[index] = alphabet[Int(low & 31)]
                low = low >> 5 | high << 59
                high >>= 5
            }
            var bytes = prefix.utf8.makeIterator()
            index = 0
            while let byte = bytes.next() {
                text[index] = byte
                index += 1
            }
            return count
        }
    }

    /// Without I, L, O and U.
    private static let alphabet: StaticString = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

    static let shortNameCount = 16

    static func mayBeShortName(_ text: String) -> Bool {
        text.utf8.count == self.shortNameCount && text.utf8.allSatisfy { self.value(of: $0) != nil }
    }

    /// Not a search: a store asks for every id of every row.
    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x48: digit - 0x41 + 10
        case 0x4A, 0x4B: digit - 0x4A + 18
        case 0x4D, 0x4E: digit - 0x4D + 20
        case 0x50...0x54: digit - 0x50 + 22
        case 0x56...0x5A: digit - 0x56 + 27
        default: nil
        }
    }
}

public enum PaymentTag: IdentifierTag { public static var prefix: String { "pay_" } }
public enum OperationTag: IdentifierTag { public static var prefix: String { "op_" } }
public enum OrderTag: IdentifierTag { public static var prefix: String { "ord_" } }
public enum MerchantTag: IdentifierTag { public static var prefix: String { "mer_" } }
public enum EventTag: IdentifierTag { public static var prefix: String { "evt_" } }
public enum AcquirerAccountTag: IdentifierTag { public static var prefix: String { "acc_" } }
public enum AcquirerBookTag: IdentifierTag { public static var prefix: String { "book_" } }

public typealias PaymentID = Identifier<PaymentTag>
public typealias OperationID = Identifier<OperationTag>
public typealias OrderID = Identifier<OrderTag>
public typealias MerchantID = Identifier<MerchantTag>
public typealias EventID = Identifier<EventTag>
public typealias AcquirerAccountID = Identifier<AcquirerAccountTag>
/// Of one acquirer's book: what it has booked another does not know.
public typealias AcquirerBookID = Identifier<AcquirerBookTag>
