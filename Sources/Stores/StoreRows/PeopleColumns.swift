//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments

/// Several names in one column, sorted, with blanks between them.
enum WordsColumn {
    static func text<Tag>(_ ids: Set<Identifier<Tag>>) -> String { ids.map(\.text).sorted().joined(separator: " ") }

    static func text(_ scopes: Set<Scope>) -> String { scopes.map(\.rawValue).sorted().joined(separator: " ") }
}

/// A limit in each of several currencies in one column: a JSON object of texts, the minor units in decimal digits.
enum LimitsColumn {
    static func text(_ limits: [Currency: Int64]) -> String {
        FieldsColumn.object(
            Dictionary(limits.map { ($0.key.code, String($0.value)) }, uniquingKeysWith: { first, _ in first }))
    }
}

extension RowColumns {
    /// Ids with blanks between them; none of an empty text.
    mutating func optionalIDs<Tag>() throws -> Set<Identifier<Tag>>? {
        guard let text = try self.optionalText() else { return nil }
        return Set(
            try text.split(separator: " ").map { word in
                guard let id = Identifier<Tag>(String(word)) else { throw self.corrupt }
                return id
            })
    }

    mutating func scopes() throws -> Set<Scope> {
        Set(
            try self.text().split(separator: " ").map { word in
                guard let scope = Scope(rawValue: String(word)) else { throw self.corrupt }
                return scope
            })
    }

    mutating func optionalLimits() throws -> [Currency: Int64]? {
        guard let text = try self.optionalText() else { return nil }
        guard let fields = FieldsColumn.fields(text) else { throw self.corrupt }
        var limits: [Currency: Int64] = [:]
        for (code, digits) in fields {
            guard let currency = Currency.alphabetic(code), let units = Int64(digits), units >= 0 else {
                throw self.corrupt
            }
            limits[currency] = units
        }
        return limits
    }

    /// Digests one after the other.
    mutating func digests() throws -> [[UInt8]] {
        let bytes = try self.bytes()
        let length = SecondFactor.digestBytesCount
        guard bytes.count.isMultiple(of: length) else { throw self.corrupt }
        return stride(from: 0, to: bytes.count, by: length).map { Array(bytes[$0..<$0 + length]) }
    }
}
