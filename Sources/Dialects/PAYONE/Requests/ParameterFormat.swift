//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Countries
import Hosts
import Money

/// The formats of the vendor's tables.
enum ParameterFormat: Hashable, Sendable {
    /// "Fixed Value".
    case fixed(String)
    /// "Format LIST".
    case list([String])
    /// "NUMERIC(9..12)": that many digits.
    case numeric(ClosedRange<Int>)
    /// "NUMERIC(1..3), permitted values 0..127".
    case number(digits: ClosedRange<Int>, values: ClosedRange<Int64>)
    /// "NUMERIC(1..10), permitted values max. +/- 19 999 999 99", in the smallest unit.
    case amount
    /// "CHAR(1..50)": that many characters, without control characters. Those of ISO-8859-1 are accepted, because UTF-8
    /// that was read as ISO-8859-1 has them.
    case characters(ClosedRange<Int>)
    /// The same for what is kept and shown again: no control characters whatever.
    case line(ClosedRange<Int>)
    /// The same, of several lines.
    case lines(ClosedRange<Int>)
    /// The same with "Permitted Symbols" besides digits and the letters A to Z.
    case symbols(ClosedRange<Int>, String)
    /// "DATE(8), YYYYMMDD".
    case date
    /// "ISO 3166 2-letter-codes".
    case country
    /// "ISO 3166-2": a state, with or without its country before it.
    case state
    /// ISO 4217.
    case currency
    /// "RFC 5322", with the vendor's lengths.
    case email
    /// The portal's key as MD5 or SHA-384, in hexadecimal.
    case keyDigest
    /// The first letter of a card type or of the network's name, or "?" for one that the shop does not know.
    case cardType
    /// A part of an Apple Pay token: what is in it is looked at when it is opened.
    case tokenPart
    /// A DNS name (RFC 1123, section 2.1).
    case domainName

    /// 19 999 999,99 in the major unit.
    static let amountMax: Int64 = 1_999_999_999

    /// What a value must be, if it is not.
    func problem(with value: String) -> String? {
        self.fits(value) ? nil : self.requirement
    }

    private func fits(_ value: String) -> Bool {
        switch self {
        case .fixed(let fixed): value == fixed
        case .list(let values): values.contains(value)
        case .numeric(let counts): ASCII.isDigits(value, counts)
        case .number(let digits, let values):
            ASCII.isDigits(value, digits)
                && Int64(value).map { values.contains($0) } ?? false
        case .amount: Self.isAmount(value)
        case .characters(let counts), .line(let counts), .lines(let counts):
            counts.contains(value.unicodeScalars.count) && !self.refusesCharacters(of: value)
        case .symbols(let counts, let symbols):
            counts.contains(value.unicodeScalars.count)
                && value.utf8.allSatisfy { ASCII.isAlphanumeric($0) || symbols.utf8.contains($0) }
        case .date: Self.isDate(value)
        case .country: Country.alpha2Codes.contains(value)
        case .state: Self.isState(value)
        case .currency: Currency.alphabetic(value) != nil
        case .email: EmailAddress.isValid(value)
        case .keyDigest: [32, 96].contains(value.utf8.count) && value.utf8.allSatisfy(ASCII.isHexDigit)
        case .cardType:
            value.utf8.count == 1 && value.utf8.allSatisfy { ASCII.isCapital($0) || $0 == UInt8(ascii: "?") }
        case .tokenPart: true
        case .domainName: Self.isDomainName(value)
        }
    }

    /// Whether there are control characters where the format takes none. The vendor has a number for that, whatever the
    /// parameter.
    func refusesCharacters(of value: String) -> Bool {
        // What is in a token is looked at when it is opened.
        if case .tokenPart = self { return false }
        return value.unicodeScalars.contains { scalar in
            switch (self, scalar.value) {
            case (.characters, 0x80...0x9F), (.lines, 0x0A), (.lines, 0x0D): false
            default: ASCII.isControl(scalar)
            }
        }
    }

    private var requirement: String {
        switch self {
        case .fixed(let value): "must be \(value)"
        case .list(let values): "must be one of \(values.joined(separator: ", "))"
        case .numeric(let counts): "must have \(Self.text(counts)) digits and nothing else"
        case .number(_, let values): "must be a number from \(values.lowerBound) to \(values.upperBound)"
        case .amount:
            "must be a whole number of the smallest unit with up to 10 digits, at most 1999999999 either way"
        case .characters(let counts), .line(let counts), .lines(let counts):
            "must have \(Self.text(counts)) characters, without control characters"
        case .symbols(let counts, let symbols):
            "must have \(Self.text(counts)) characters of 0-9, A-Z, a-z and \"\(symbols)\""
        case .date: "must be a date as YYYYMMDD"
        case .country: "must be a country code of two capital letters (ISO 3166)"
        case .state: "must be the state's code, one to three capital letters or digits (ISO 3166-2), for this country"
        case .currency: "must be a currency code of three capital letters (ISO 4217)"
        case .email: "must be an e-mail address (RFC 5322) of 5 to 254 characters, each part within its length"
        case .keyDigest: "must be the portal's key as MD5 (32 hexadecimal digits) or SHA-384 (96)"
        case .cardType: "must be one capital letter or \"?\""
        case .tokenPart: "must not be empty"
        case .domainName: "must be a domain name"
        }
    }

    private static func text(_ counts: ClosedRange<Int>) -> String {
        counts.lowerBound == counts.upperBound ? "\(counts.lowerBound)" : "\(counts.lowerBound) to \(counts.upperBound)"
    }
}

// MARK: - Single values

extension ParameterFormat {
    private static func isState(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let code = parts.last, (1...3).contains(code.utf8.count),
            code.utf8.allSatisfy({ ASCII.isDigit($0) || ASCII.isCapital($0) })
        else { return false }
        return parts.count == 1 || parts.count == 2 && Country.alpha2Codes.contains(String(parts[0]))
    }

    /// A sign is not counted as a digit.
    private static func isAmount(_ text: String) -> Bool {
        let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
        guard ASCII.isDigits(digits, 1...10), let amount = Int64(digits) else {
            return false
        }
        return amount <= self.amountMax
    }

    private static func isDate(_ text: String) -> Bool {
        guard ASCII.isDigits(text, 8...8), let number = Int(text) else { return false }
        let (year, month, day) = (number / 10_000, number / 100 % 100, number % 100)
        guard year >= 1, (1...12).contains(month), day >= 1 else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return day <= days[month - 1]
    }

    private static func isDomainName(_ text: String) -> Bool {
        // Shops in development have no other name. "No significance is attached to the case" (RFC 1035, section 2.3.1).
        text.lowercased() == "localhost" || text.contains(".") && HostName.isName(text)
    }
}
