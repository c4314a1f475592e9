//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Time

extension AdminClaim: StoredRecord {
    public enum Column: String, ColumnName {
        case holder, key, digest, answer
        case createdAt = "created_at"
        case expiresAt = "expires_at"
    }

    public static let table = RecordTable<Column>("admin_claims", key: .holder, .key)

    public func value(of column: Column) -> RowValue {
        switch column {
        case .holder: self.key.holder
        case .key: self.key.key
        case .digest: self.digest
        case .answer: self.answer
        case .createdAt: self.createdAt.milliseconds
        case .expiresAt: self.expiresAt.milliseconds
        }
    }

    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.init(
            key: Key(holder: try columns.text(), key: try columns.text()), digest: try columns.bytes(),
            answer: try columns.bytes(), createdAt: try columns.timestamp(), expiresAt: try columns.timestamp())
    }
}
