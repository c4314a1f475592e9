//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Time

extension Observation: StoredRecord {
    public enum Column: String, ColumnName {
        case kind
        case merchantID = "merchant_id"
        case subject, number, at, facts
    }

    public static let table = RecordTable<Column>("observations", key: .kind, .merchantID, .subject, .number)

    /// Of one subject, or of all of a merchant's.
    public static func select(ofSubject: Bool, _ parameters: Parameters) -> String {
        let columns: [Column] = ofSubject ? [.kind, .merchantID, .subject] : [.kind, .merchantID]
        let terms = columns.enumerated().map { "\($1.rawValue) = \(parameters($0 + 1))" }.joined(separator: " AND ")
        return """
            SELECT \(self.table.names) FROM observations WHERE \(terms) ORDER BY subject, number\
            \(parameters.limit(columns.count + 1))
            """
    }

    public func value(of column: Column) -> RowValue {
        switch column {
        case .kind: self.kind.rawValue
        case .merchantID: self.merchantID.text
        case .subject: self.subject
        case .number: self.number
        case .at: self.at.milliseconds
        case .facts: FieldsColumn.object(self.facts)
        }
    }

    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.init(
            kind: try columns.choice(), merchantID: try columns.id(), subject: try columns.text(),
            number: try columns.count(), at: try columns.timestamp(), facts: try columns.fields())
    }
}
