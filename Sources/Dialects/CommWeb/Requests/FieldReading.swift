//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import DialectKit
import Money
import StrictJSON

// Reading one field, strictly. A form has texts only, and JSON clients write numbers and booleans either way, so both
// are taken wherever one is.

extension RequestFields {
    /// A text that may be left out, of at most that many characters (Unicode scalars).
    ///
    /// - Parameter form: a line, for what something is called or found by. Of what people write "data can consist of
    ///   any characters" (Mastercard Gateway, API reference): a description or an address comes with the line breaks of
    ///   the form in which it was typed, and is no reason to refuse a payment.
    func text(
        _ path: String, max charactersMax: Int, as form: TextForm = .line
    ) throws(CommWebError) -> String? {
        guard let value = self[path] else { return nil }
        guard let text = value.string ?? value.numberText else {
            throw .invalid(path, "must be a string, and is \(value.kind)")
        }
        if let problem = form.problem(of: text, charactersMax: charactersMax) { throw .invalid(path, problem) }
        return text
    }

    func requiredText(_ path: String, max charactersMax: Int) throws(CommWebError) -> String {
        guard let text = try self.text(path, max: charactersMax) else { throw .missing(path) }
        return text
    }

    /// Digits only.
    func digits(_ path: String, in lengths: ClosedRange<Int>) throws(CommWebError) -> String? {
        guard let value = self[path] else { return nil }
        guard let text = value.string ?? value.numberText, ASCII.isDigits(text, lengths)
        else {
            let length =
                lengths.count == 1 ? "\(lengths.lowerBound)" : "\(lengths.lowerBound) to \(lengths.upperBound)"
            throw .invalid(path, "must be \(length) digits")
        }
        return text
    }

    func flag(_ path: String) throws(CommWebError) -> Bool? {
        guard let value = self[path] else { return nil }
        switch (value.bool, value.string?.lowercased()) {
        case (true, _), (_, "true"): return true
        case (false, _), (_, "false"): return false
        default: throw .invalid(path, "must be true or false")
        }
    }

    func integer(_ path: String, in bounds: ClosedRange<Int>) throws(CommWebError) -> Int? {
        guard let value = self[path] else { return nil }
        guard let text = value.string ?? value.numberText, let integer = Int(text), bounds.contains(integer) else {
            throw .invalid(path, "must be an integer from \(bounds.lowerBound) to \(bounds.upperBound)")
        }
        return integer
    }

    /// A member of a list.
    func choice<Choice: PermittedValue>(_ path: String, of type: Choice.Type) throws(CommWebError) -> Choice? {
        guard let value = self[path] else { return nil }
        if let text = value.string, let choice = Choice(exactly: text) {
            guard choice.isSupported else {
                throw .unsupported(path, "does not support the value '\(text)' here; it may be \(Choice.supportedList)")
            }
            return choice
        }
        throw .invalid(path, "must be \(Choice.supportedList)")
    }
}

/// A list of values that a field may have.
protocol PermittedValue: RawRepresentable, CaseIterable, Sendable where RawValue == String {
    /// Whether this gateway does what the value asks for.
    var isSupported: Bool { get }
}

extension PermittedValue {
    var isSupported: Bool { true }

    /// "A, B or C".
    static var supportedList: String {
        let names = Self.allCases.filter(\.isSupported).map(\.rawValue)
        guard let last = names.last, names.count > 1 else { return names.first ?? "left out" }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }
}

// MARK: - Amounts

extension RequestFields {
    /// An upper-case alphabetic code of ISO 4217.
    func currency(_ path: String) throws(CommWebError) -> Currency? {
        guard let value = self[path] else { return nil }
        guard let currency = value.string.flatMap(Currency.alphabetic) else {
            throw .invalid(path, "must be an upper-case currency code of ISO 4217")
        }
        return currency
    }

    /// A decimal amount in the currency's major unit, as a text or a number: "61.00", 61, "0.5". Never a binary
    /// fraction.
    ///
    /// Zeros beyond the currency's decimals are taken, because clients write 1000.00 for JPY too.
    func amount(_ path: String, in currency: Currency) throws(CommWebError) -> Money? {
        guard let value = self[path] else { return nil }
        guard let text = value.string ?? value.numberText else {
            throw .invalid(path, "must be a number, or a string with one, like \"61.00\", and is \(value.kind)")
        }
        guard text.utf8.count <= Self.amountCharactersMax else {
            throw .invalid(path, "must be an amount of at most \(Self.amountCharactersMax) characters, like 61.00")
        }
        do throws(AmountTextError) {
            return try Money(decimalText: Self.trimmed(text, decimals: currency.exponent), currency: currency)
        } catch {
            switch error {
            case .malformed: throw .invalid(path, "must be an amount of digits with a decimal point, like 61.00")
            case .tooManyDecimals: throw .invalid(path, "must have at most \(currency.exponent) decimals")
            case .tooLarge: throw .invalid(path, "is too large")
            }
        }
    }

    /// The vendor's bound for order.amount and transaction.amount.
    static let amountCharactersMax = 14

    private static func trimmed(_ text: String, decimals: Int) -> String {
        guard let point = text.firstIndex(of: "."), !text[text.index(after: point)...].isEmpty else { return text }
        var fraction = text[text.index(after: point)...]
        while fraction.count > decimals, fraction.last == "0" { fraction.removeLast() }
        return fraction.isEmpty ? String(text[..<point]) : String(text[...point] + fraction)
    }
}
