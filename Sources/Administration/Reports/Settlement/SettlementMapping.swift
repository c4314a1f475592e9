//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
public import StrictJSON

/// What the columns of an acquirer's settlement files are. It is data: an operator writes one for an acquirer that this
/// program does not know.
public struct SettlementMapping: Hashable, Sendable {
    /// What a line of a type is.
    enum LineKind: Hashable {
        case item(SettlementLine.Kind)
        /// Nothing that settles money.
        case ignored
    }

    enum AmountUnit: String, Hashable, CaseIterable {
        case major
        case minor
    }

    /// How a date is written; what follows it after a blank or a "T" is a time of day, and is not read.
    enum DateFormat: String, Hashable, CaseIterable {
        case iso = "yyyy-MM-dd"
        case compact = "yyyyMMdd"
        case german = "dd.MM.yyyy"
        case british = "dd/MM/yyyy"
        case american = "MM/dd/yyyy"
    }

    /// The headings of the columns.
    struct Columns: Hashable {
        var date: String
        var amount: String
        /// `nil` where all lines have the same currency, or none is said.
        var currency: String?
        /// `nil` where the sign of the amount says what the line is.
        var type: String?
        /// Columns with the acquirer's names for the operation, the best first.
        var references: [String]
        /// Columns with names that the gateway or the merchant gave it.
        var ownReferences: [String]
        var fee: String?
    }

    public let name: String
    let encoding: CSVReader.Encoding
    let separator: UInt8
    let decimalSeparator: UInt8
    let amountUnit: AmountUnit
    let dateFormat: DateFormat
    let columns: Columns
    /// By what stands in the column of types.
    let types: [String: LineKind]
    /// Only lines that have this in a column; others are ignored.
    let only: [String: String]
    /// Of lines that do not say theirs.
    let currency: Currency?

    /// The mappings that come with the program.
    public static let known: [SettlementMapping] = [.mpgs, .payone]

    /// A mapping by its JSON (docs/reports.md).
    ///
    /// - Throws: ``AdministrationError`` `settlement_mapping_invalid`.
    public init(_ json: JSON) throws(AdministrationError) {
        let reader = MappingReader(json)
        try reader.checkNames([
            "name", "encoding", "separator", "decimalSeparator", "amounts", "dates", "columns", "types", "only",
            "currency",
        ])
        self.name = try reader.text("name")
        self.encoding = try reader.choice("encoding", orElse: .utf8)
        self.separator = try reader.character("separator", [",", ";", "\t", "|"], orElse: ",")
        self.decimalSeparator = try reader.character("decimalSeparator", [".", ","], orElse: ".")
        self.amountUnit = try reader.choice("amounts", orElse: .major)
        self.dateFormat = try reader.choice("dates", orElse: .iso)
        self.columns = try reader.columns()
        self.types = try reader.types()
        self.only = try reader.texts("only")
        self.currency = try reader.currency("currency")
        guard self.columns.type == nil || !self.types.isEmpty else {
            throw MappingReader.error("types", "must say what the texts in the column of types are")
        }
        guard self.columns.currency != nil || self.currency != nil else {
            throw MappingReader.error("currency", "must be there where no column says the currency")
        }
    }

    init(
        name: String, encoding: CSVReader.Encoding, separator: Unicode.Scalar, decimalSeparator: Unicode.Scalar,
        dateFormat: DateFormat, columns: Columns, types: [String: LineKind], only: [String: String] = [:]
    ) {
        self.name = name
        self.encoding = encoding
        self.separator = UInt8(ascii: separator)
        self.decimalSeparator = UInt8(ascii: decimalSeparator)
        self.amountUnit = .major
        self.dateFormat = dateFormat
        self.columns = columns
        self.types = types
        self.only = only
        self.currency = nil
    }
}

/// Reads a mapping, and says which member is wrong.
private struct MappingReader {
    private let json: JSON

    init(_ json: JSON) {
        self.json = json
    }

    static func error(_ name: String, _ problem: String) -> AdministrationError {
        AdministrationError(.settlementMappingInvalid, "The mapping's \(name) \(problem).")
    }

    func checkNames(_ known: Set<String>) throws(AdministrationError) {
        guard let names = self.json.object?.names else {
            throw AdministrationError(.settlementMappingInvalid, "A mapping is a JSON object.")
        }
        if names.contains(where: { !known.contains($0) }) {
            throw AdministrationError(
                .settlementMappingInvalid,
                "A mapping has no other members than \(known.sorted().joined(separator: ", ")).")
        }
    }

    func text(_ name: String) throws(AdministrationError) -> String {
        guard let text = self.json[name]?.string, (1...64).contains(text.utf8.count) else {
            throw Self.error(name, "must be a text of 1 to 64 bytes")
        }
        return text
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, orElse standard: Choice
    ) throws(AdministrationError) -> Choice where Choice.RawValue == String {
        guard let value = self.json[name] else { return standard }
        guard let choice = value.string.flatMap(Choice.init) else {
            let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw Self.error(name, "must be one of: \(choices)")
        }
        return choice
    }

    func character(
        _ name: String, _ choices: [Unicode.Scalar], orElse standard: Unicode.Scalar
    ) throws(AdministrationError) -> UInt8 {
        guard let value = self.json[name] else { return UInt8(ascii: standard) }
        guard let text = value.string, let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1,
            choices.contains(scalar)
        else { throw Self.error(name, "must be one character of those that docs/reports.md lists") }
        return UInt8(ascii: scalar)
    }

    func texts(_ name: String) throws(AdministrationError) -> [String: String] {
        guard let value = self.json[name] else { return [:] }
        guard let object = value.object, object.members.allSatisfy({ $0.value.string != nil }) else {
            throw Self.error(name, "must be an object of texts")
        }
        return Dictionary(
            object.members.map { ($0.name, $0.value.string ?? "") }, uniquingKeysWith: { first, _ in first })
    }

    func types() throws(AdministrationError) -> [String: SettlementMapping.LineKind] {
        var types: [String: SettlementMapping.LineKind] = [:]
        for (text, kind) in try self.texts("types") {
            if kind == "ignored" {
                types[text] = .ignored
            } else if let kind = SettlementLine.Kind(rawValue: kind) {
                types[text] = .item(kind)
            } else {
                let kinds = SettlementLine.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw Self.error("types", "must be among: \(kinds), ignored")
            }
        }
        return types
    }

    func currency(_ name: String) throws(AdministrationError) -> Currency? {
        guard let value = self.json[name] else { return nil }
        guard let currency = value.string.flatMap(Currency.alphabetic) else {
            throw Self.error(name, "must be an alphabetic code of ISO 4217")
        }
        return currency
    }

    func columns() throws(AdministrationError) -> SettlementMapping.Columns {
        guard let columns = self.json["columns"], let object = columns.object else {
            throw Self.error("columns", "must be an object")
        }
        let known: Set = ["date", "amount", "currency", "type", "reference", "ownReference", "fee"]
        guard object.names.allSatisfy(known.contains) else {
            throw Self.error("columns", "must be among: \(known.sorted().joined(separator: ", "))")
        }
        func list(_ name: String) throws(AdministrationError) -> [String] {
            guard let value = columns[name] else { return [] }
            let texts = value.string.map { [$0] } ?? value.array?.compactMap(\.string) ?? []
            guard !texts.isEmpty, texts.allSatisfy({ !$0.isEmpty }), texts.count == value.array?.count ?? 1 else {
                throw Self.error("columns.\(name)", "must be a heading or a list of them")
            }
            return texts
        }
        func one(_ name: String) throws(AdministrationError) -> String? {
            let texts = try list(name)
            guard texts.count <= 1 else { throw Self.error("columns.\(name)", "must be one heading") }
            return texts.first
        }
        guard let date = try one("date"), let amount = try one("amount") else {
            throw Self.error("columns", "must say the columns of date and amount")
        }
        let found = SettlementMapping.Columns(
            date: date, amount: amount, currency: try one("currency"), type: try one("type"),
            references: try list("reference"), ownReferences: try list("ownReference"), fee: try one("fee"))
        guard !found.references.isEmpty || !found.ownReferences.isEmpty else {
            throw Self.error("columns", "must say a column of reference or ownReference")
        }
        return found
    }
}
