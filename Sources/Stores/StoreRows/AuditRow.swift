//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Time

extension AuditEntry: StoredRecord {
    public enum Column: String, ColumnName {
        case number, at, actor, act, subject, details
        case previousDigest = "previous_digest"
        case digest
    }

    public static let table = RecordTable<Column>("audit_entries", key: .number)

    /// The entry with the highest number.
    public static let last = "SELECT \(Self.table.names) FROM audit_entries ORDER BY number DESC LIMIT 1"

    /// Entries with a higher number, in order.
    public static func select(_ parameters: Parameters) -> String {
        """
        SELECT \(self.table.names) FROM audit_entries WHERE number > \(parameters(1)) ORDER BY number\
        \(parameters.limit(2))
        """
    }

    public func value(of column: Column) -> RowValue {
        switch column {
        case .number: self.number
        case .at: self.at.milliseconds
        case .actor: self.actor
        case .act: self.act.name
        case .subject: self.subject
        case .details: FieldsColumn.object(self.details)
        case .previousDigest: self.previousDigest
        case .digest: self.digest
        }
    }

    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.init(
            number: try columns.integer(), at: try columns.timestamp(), actor: try columns.text(),
            act: AuditAct(try columns.text()), subject: try columns.text(), details: try columns.fields(),
            previousDigest: try columns.bytes(), digest: try columns.bytes())
    }
}
