//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

extension Timestamp: CustomStringConvertible {
    /// The moment in UTC as RFC 3339 writes it: "2026-11-21T08:15:30Z", with three decimals where there are
    /// milliseconds.
    public var description: String {
        self.millisecondOfSecond == 0 ? self.rfc3339Seconds : self.rfc3339Milliseconds
    }

    /// The moment in UTC with three decimals, always: "2026-11-21T08:15:30.000Z".
    public var rfc3339Milliseconds: String {
        var text = self.dateTimeText(CivilTime(self))
        text.append(UInt8(ascii: "."))
        Timestamp.append(Int(self.millisecondOfSecond), digitsCount: 3, to: &text)
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    /// The moment in UTC to the second: "2026-11-21T08:15:30Z".
    public var rfc3339Seconds: String { String(decoding: self.dateTimeText(CivilTime(self)), as: UTF8.self) + "Z" }

    /// The moment's calendar date in UTC: "20261121".
    public var compactDate: String {
        let civil = CivilTime(self)
        var text: [UInt8] = []
        Timestamp.append(civil.year, digitsCount: 4, to: &text)
        Timestamp.append(civil.month, digitsCount: 2, to: &text)
        Timestamp.append(civil.day, digitsCount: 2, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Every line of the log has one, so it is written into one buffer.
    private func dateTimeText(_ civil: CivilTime) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(24)
        Timestamp.append(civil.year, digitsCount: 4, to: &text)
        for (separator, value) in [
            ("-", civil.month), ("-", civil.day), ("T", civil.hour), (":", civil.minute), (":", civil.second),
        ] as [(Unicode.Scalar, Int)] {
            text.append(UInt8(ascii: separator))
            Timestamp.append(value, digitsCount: 2, to: &text)
        }
        return text
    }

    /// At least so many digits.
    private static func append(_ value: Int, digitsCount: Int, to text: inout [UInt8]) {
        var power = 1
        var count = 1
        while count < digitsCount || value / power >= 10 {
            power *= 10
            count += 1
        }
        while power > 0 {
            text.append(UInt8(ascii: "0") + UInt8(value / power % 10))
            power /= 10
        }
    }

    /// Reads an RFC 3339 date-time with any offset: "2019-04-04T12:08:56.253+05:30".
    ///
    /// The offset may lack its colon ("+0530"), as ISO 8601's basic form and several payment clients write it. Decimals
    /// beyond the third are dropped.
    public init?(rfc3339 text: String) {
        var scanner = DigitScanner(Array(text.utf8))
        guard let year = scanner.digits(4), scanner.skip("-"), let month = scanner.digits(2), scanner.skip("-"),
            let day = scanner.digits(2), scanner.skip("T") || scanner.skip("t"), let hour = scanner.digits(2),
            scanner.skip(":"),
            let minute = scanner.digits(2), scanner.skip(":"), let second = scanner.digits(2)
        else { return nil }
        var millisecond = 0
        if scanner.skip(".") {
            guard let fraction = scanner.fraction() else { return nil }
            millisecond = fraction
        }
        guard let offsetSeconds = scanner.offset(), scanner.isAtEnd,
            let civil = CivilTime(
                year: year, month: month, day: day, hour: hour, minute: minute, second: second, millisecond: millisecond
            )
        else { return nil }
        self = civil.timestamp(offsetSeconds: offsetSeconds)
    }
}

/// Reads fixed-width digits and separators from the front of a text.
private struct DigitScanner {
    let bytes: [UInt8]
    var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { self.position == self.bytes.count }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard !self.isAtEnd, self.bytes[self.position] == UInt8(ascii: character) else { return false }
        self.position += 1
        return true
    }

    mutating func digits(_ count: Int) -> Int? {
        guard self.position + count <= self.bytes.count else { return nil }
        var value = 0
        for byte in self.bytes[self.position..<self.position + count] {
            guard ASCII.isDigit(byte) else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        self.position += count
        return value
    }

    mutating func fraction() -> Int? {
        var value = 0
        var count = 0
        while let digit = self.digits(1) {
            if count < 3 { value = value * 10 + digit }
            count += 1
        }
        guard (1...9).contains(count) else { return nil }
        return value * (count == 1 ? 100 : count == 2 ? 10 : 1)
    }

    mutating func offset() -> Int64? {
        if self.skip("Z") || self.skip("z") { return 0 }
        let sign: Int64
        if self.skip("+") {
            sign = 1
        } else if self.skip("-") {
            sign = -1
        } else {
            return nil
        }
        guard let hours = self.digits(2) else { return nil }
        _ = self.skip(":")
        guard let minutes = self.digits(2), hours <= 23, minutes <= 59 else { return nil }
        return sign * Int64(hours * 3600 + minutes * 60)
    }
}
