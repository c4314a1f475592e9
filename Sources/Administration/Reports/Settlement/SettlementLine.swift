//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Money
import Payments
import StrictJSON

/// A line of a settlement file, read.
struct SettlementLine: Hashable, Sendable {
    typealias Kind = SettlementItem.Kind

    /// Where it begins in the file, from 1.
    let line: Int
    let kind: Kind
    let date: CalendarDay
    let amount: Money
    /// In minor units of the amount's currency; negative for what was given back.
    let feeMinorUnits: Int64
    /// The acquirer's names for the operation, the best first.
    let references: [ExactText]
    /// Names that the gateway or the merchant gave it.
    let ownReferences: [ExactText]
}

/// Reads the lines of a settlement file by a mapping.
struct SettlementLines {
    /// As many as one commit may write.
    static let linesMax = 100_000
    /// As ISO 8583 (field 4) has room for.
    static let minorUnitsMax: Int64 = 999_999_999_999

    private let mapping: SettlementMapping
    private var reader: CSVReader
    private var headings: [String: Int] = [:]
    private(set) var lines: [SettlementLine] = []
    /// Lines that settle nothing.
    private(set) var ignoredCount = 0

    /// - Throws: ``AdministrationError`` `settlement_malformed` with line and column.
    init(_ bytes: [UInt8], _ mapping: SettlementMapping) throws(AdministrationError) {
        self.mapping = mapping
        self.reader = CSVReader(bytes, separator: mapping.separator, encoding: mapping.encoding)
        guard let headings = try self.next() else {
            throw AdministrationError(.settlementMalformed, "The settlement file is empty.")
        }
        for (index, heading) in headings.enumerated() {
            guard self.headings.updateValue(index, forKey: heading) == nil else {
                throw Self.error(1, "\(index + 1)", "the heading stands twice")
            }
        }
        for heading in mapping.headings where self.headings[heading] == nil {
            throw Self.error(1, "“\(heading)”", "the mapping \(mapping.name) wants a column with this heading")
        }
        while let record = try self.next() {
            guard let line = try self.line(record) else {
                self.ignoredCount += 1
                continue
            }
            guard self.lines.count < Self.linesMax else {
                throw AdministrationError(
                    .settlementMalformed,
                    "The settlement file has more than \(Self.linesMax) lines. Split it, with the headings in each part."
                )
            }
            self.lines.append(line)
        }
    }

    private mutating func next() throws(AdministrationError) -> [String]? {
        do throws(CSVReader.Failure) {
            return try self.reader.next()
        } catch {
            throw Self.error(error.line, "\(error.field)", error.problem)
        }
    }

    private static func error(_ line: Int, _ column: String, _ problem: String) -> AdministrationError {
        AdministrationError(
            .settlementMalformed,
            "Line \(line), column \(column) of the settlement file: \(problem). Nothing was booked.")
    }

    /// - Returns: `nil` for a line that settles nothing.
    private func line(_ record: [String]) throws(AdministrationError) -> SettlementLine? {
        let columns = self.mapping.columns
        for (heading, wanted) in self.mapping.only where self.cell(heading, record) != wanted { return nil }
        var kind: SettlementLine.Kind?
        if let heading = columns.type {
            guard let known = self.mapping.types[self.cell(heading, record)] else {
                throw self.error(heading, "the mapping does not say what this type is")
            }
            guard case .item(let item) = known else { return nil }
            kind = item
        }
        let currency = try self.currency(record)
        let amount = try self.minorUnits(columns.amount, record, currency)
        let fee = try columns.fee.map { heading throws(AdministrationError) in
            self.cell(heading, record).isEmpty ? 0 : try self.minorUnits(heading, record, currency)
        }
        return SettlementLine(
            line: self.reader.line, kind: kind ?? (amount < 0 ? .refund : .payment), date: try self.date(record),
            amount: Money(minorUnits: abs(amount), currency: currency), feeMinorUnits: fee ?? 0,
            references: try self.references(columns.references, record),
            ownReferences: try self.references(columns.ownReferences, record))
    }

    private func cell(_ heading: String, _ record: [String]) -> String {
        guard let index = self.headings[heading], record.indices.contains(index) else { return "" }
        return record[index]
    }

    private func error(_ heading: String, _ problem: String) -> AdministrationError {
        Self.error(self.reader.line, "“\(heading)”", problem)
    }

    private func references(_ headings: [String], _ record: [String]) throws(AdministrationError) -> [ExactText] {
        var references: [ExactText] = []
        for heading in headings {
            let text = self.cell(heading, record)
            guard text.utf8.count <= 128, !text.unicodeScalars.contains(where: ASCII.isControl) else {
                throw self.error(heading, "a reference has up to 128 bytes, none of them a control character")
            }
            if !text.isEmpty { references.append(ExactText(text)) }
        }
        return references
    }

    private func currency(_ record: [String]) throws(AdministrationError) -> Currency {
        guard let heading = self.mapping.columns.currency else {
            guard let currency = self.mapping.currency else {
                throw AdministrationError(.settlementMappingInvalid, "The mapping says no currency.")
            }
            return currency
        }
        let text = self.cell(heading, record)
        guard let currency = Currency.alphabetic(text) ?? Currency.numeric(text) else {
            throw self.error(heading, "this is no currency of ISO 4217")
        }
        return currency
    }

    private func minorUnits(
        _ heading: String, _ record: [String], _ currency: Currency
    ) throws(AdministrationError) -> Int64 {
        var digits = Array(self.cell(heading, record).utf8)
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
        if self.mapping.decimalSeparator != UInt8(ascii: ".") {
            guard !digits.contains(UInt8(ascii: ".")) else {
                throw self.error(heading, "this is no amount: it has another decimal separator, or groups of thousands")
            }
            digits = digits.map { $0 == self.mapping.decimalSeparator ? UInt8(ascii: ".") : $0 }
        }
        let text = String(decoding: digits, as: UTF8.self)
        let amount: Money
        do throws(AmountTextError) {
            switch self.mapping.amountUnit {
            case .major: amount = try Money(decimalText: Self.trimmed(text, currency), currency: currency)
            case .minor: amount = try Money(minorUnitText: text, currency: currency)
            }
        } catch {
            switch error {
            case .malformed: throw self.error(heading, "this is no amount")
            case .tooManyDecimals: throw self.error(heading, "the amount has more decimals than the currency")
            case .tooLarge: throw self.error(heading, "the amount is too large")
            }
        }
        guard amount.minorUnits <= Self.minorUnitsMax else { throw self.error(heading, "the amount is too large") }
        return isNegative ? -amount.minorUnits : amount.minorUnits
    }

    /// An amount without the zeros that stand behind the currency's decimals: statements write as many decimals for all
    /// currencies.
    private static func trimmed(_ text: String, _ currency: Currency) -> String {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return text }
        var fraction = parts[1]
        while fraction.utf8.count > currency.exponent, fraction.last == "0" { fraction.removeLast() }
        return fraction.isEmpty && !parts[1].isEmpty ? String(parts[0]) : "\(parts[0]).\(fraction)"
    }

    private func date(_ record: [String]) throws(AdministrationError) -> CalendarDay {
        let heading = self.mapping.columns.date
        let text = self.cell(heading, record)
        let format = self.mapping.dateFormat.rawValue
        let (date, rest) = (Array(text.prefix(format.count)), text.dropFirst(format.count))
        var numbers: [Character: String] = [:]
        var fits = date.count == format.count && (rest.isEmpty || rest.hasPrefix(" ") || rest.hasPrefix("T"))
        for (place, character) in zip(format, date) {
            if place.isLetter {
                numbers[place, default: ""].append(character)
            } else {
                fits = fits && place == character
            }
        }
        let iso = [numbers["y"], numbers["M"], numbers["d"]].compactMap(\.self).joined(separator: "-")
        guard fits, let day = CalendarDay(iso) else {
            throw self.error(heading, "this is no date written as \(format)")
        }
        // "9999-12-31" says that there is none yet; a file of all times would match nothing.
        guard day.year < 3000 else { throw self.error(heading, "\(day) is no day of a settlement") }
        return day
    }
}

extension SettlementMapping {
    /// All headings that it names.
    fileprivate var headings: [String] {
        [self.columns.date, self.columns.amount]
            + [self.columns.currency, self.columns.type, self.columns.fee].compactMap(\.self) + self.columns.references
            + self.columns.ownReferences + self.only.keys.sorted()
    }
}
