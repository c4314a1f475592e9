//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Time

extension SealedDataKey: StoredRecord {
    public enum Column: String, ColumnName {
        case id, box
        case createdAt = "created_at"
    }

    public static let table = RecordTable<Column>("data_keys", key: .id)

    /// Oldest first.
    public static let all = "SELECT \(Self.table.names) FROM data_keys ORDER BY created_at, id"

    public static let change = Self.table.change(of: [.box], by: [.id])

    public func value(of column: Column) -> RowValue {
        switch column {
        case .id: self.id
        case .box: self.box
        case .createdAt: self.createdAt.milliseconds
        }
    }

    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.init(id: try columns.text(), box: try columns.bytes(), createdAt: try columns.timestamp())
    }
}

extension KeptItem: StoredRecord {
    public enum Column: String, ColumnName {
        case merchantID = "merchant_id"
        case dialect, kind, id
        case keyID = "key_id"
        case box, version
        case createdAt = "created_at"
        case expiresAt = "expires_at"
    }

    public static let table = RecordTable<Column>("kept_items", key: .merchantID, .dialect, .kind, .id)

    public func value(of column: Column) -> RowValue {
        switch column {
        case .merchantID: self.name.merchantID.text
        case .dialect: self.name.dialect.text
        case .kind: self.name.kind
        case .id: self.name.id
        case .keyID: self.content.keyID
        case .box: self.content.box
        case .version: self.version
        case .createdAt: self.createdAt.milliseconds
        case .expiresAt: self.expiresAt.milliseconds
        }
    }

    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.init(
            name: try KeptItemName(&columns), content: try columns.sealed(), version: try columns.count(),
            createdAt: try columns.timestamp(), expiresAt: try columns.timestamp())
    }
}

extension KeptItemName {
    /// The values of the key of `KeptItem.table`.
    public var keyValues: RowArguments { [self.merchantID.text, self.dialect.text, self.kind, self.id] }

    @inlinable init(_ columns: inout some RowColumns) throws {
        self.init(
            merchantID: try columns.id(), dialect: DialectName(try columns.name()), kind: try columns.text(),
            id: try columns.text())
    }
}

extension StoredMemo: StoredRecord {
    public enum Column: String, ColumnName {
        case operationID = "operation_id"
        case part
        case paymentID = "payment_id"
        case keyID = "key_id"
        case box
        case keptSeconds = "kept_seconds"
    }

    public static let table = RecordTable<Column>("acquirer_memos", key: .operationID, .part)

    public func value(of column: Column) -> RowValue {
        switch column {
        case .operationID: self.operationID.text
        case .part: self.part.rawValue
        case .paymentID: self.paymentID.text
        case .keyID: self.content.keyID
        case .box: self.content.box
        case .keptSeconds: self.keptSeconds
        }
    }

    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.init(
            operationID: try columns.id(), part: try columns.choice(), paymentID: try columns.id(),
            content: try columns.sealed(), keptSeconds: try columns.optionalInteger())
    }
}

/// A table that has a sealed value in each row, in the columns `key_id` and `box`.
public struct SealedTable {
    public let name: String
    /// Its primary key.
    public let keyColumns: [String]

    public init(_ kind: SealedPlace.Kind) {
        switch kind {
        case .accountSecret: (self.name, self.keyColumns) = (OwnedTable.secrets.name, OwnedTable.secrets.key)
        case .appleCredential: (self.name, self.keyColumns) = Self.place(AppleCredential.table)
        case .acquirerSecret:
            (self.name, self.keyColumns) = (OwnedTable.acquirerSecrets.name, OwnedTable.acquirerSecrets.key)
        case .keptItem: (self.name, self.keyColumns) = Self.place(KeptItem.table)
        case .acquirerMemo: (self.name, self.keyColumns) = Self.place(StoredMemo.table)
        case .secondFactor: (self.name, self.keyColumns) = Self.place(SecondFactor.table)
        case .approvalContent: (self.name, self.keyColumns) = Self.place(ApprovalContent.table)
        case .storeSecret: (self.name, self.keyColumns) = ("store_secrets", ["name"])
        }
    }

    private static func place(_ table: RecordTable<some ColumnName>) -> (String, [String]) {
        (table.name, table.key.map(\.rawValue))
    }

    /// Whether it has an index of `key_id` and its primary key. The others have few rows, or such as are soon deleted.
    private var isIndexedByKey: Bool { self.name == StoredMemo.table.name }

    /// The condition that a row is sealed under the data key of the first parameter.
    ///
    /// Of a table with an index it is a range: of an equality's column PostgreSQL knows that it makes no difference to an
    /// order, so that it may walk over the primary key instead, and if its statistics are from before the sweep it does,
    /// over millions of rows that are under another key by now.
    private func isUnderKey(_ parameters: Parameters) -> String {
        self.isIndexedByKey
            ? "key_id >= \(parameters(1)) AND key_id <= \(parameters(1))" : "key_id = \(parameters(1))"
    }

    /// The data keys under which its values are sealed, each of which is one look into the index, if there is one.
    public var keyIDs: String {
        """
        WITH RECURSIVE found (key_id) AS (
            SELECT min(key_id) FROM \(self.name)
            UNION ALL
            SELECT (SELECT min(sealed.key_id) FROM \(self.name) AS sealed WHERE sealed.key_id > found.key_id)
            FROM found WHERE found.key_id IS NOT NULL)
        SELECT key_id FROM found WHERE key_id IS NOT NULL
        """
    }

    /// How many values of all tables are sealed under a data key, counted up to a bound.
    public static func count(under keyID: String, max: Int, _ parameters: Parameters) -> RowStatement {
        let tables = SealedPlace.Kind.allCases.map(SealedTable.init).map { table in
            let rows = "SELECT key_id FROM \(table.name) WHERE \(table.isUnderKey(parameters))"
            return table.isIndexedByKey
                ? "SELECT key_id FROM (\(rows) ORDER BY key_id\(parameters.limit(2))) AS of_\(table.name)" : rows
        }
        return RowStatement(
            """
            SELECT COUNT(*) FROM (
                SELECT 1 FROM (\(tables.joined(separator: " UNION ALL "))) AS sealed\(parameters.limit(2))) AS counted
            """, [keyID, Swift.max(0, max)])
    }

    /// Places and values that are sealed under a data key, from after a place on.
    public func values(
        under keyID: String, after place: SealedPlace?, limit: Int, _ parameters: Parameters
    ) -> RowStatement {
        let columns = self.keyColumns.joined(separator: ", ")
        let order = self.isIndexedByKey ? "key_id, \(columns)" : columns
        let values = parameters.list(self.keyColumns.count, from: 3)
        let condition =
            switch (place, self.isIndexedByKey) {
            case (nil, _): self.isUnderKey(parameters)
            case (_, false): "\(self.isUnderKey(parameters)) AND (\(columns)) > (\(values))"
            case (_, true): "(\(order)) > (\(parameters(1)), \(values)) AND key_id <= \(parameters(1))"
            }
        return RowStatement(
            """
            SELECT \(columns), key_id, box FROM \(self.name) WHERE \(condition) ORDER BY \(order)\
            \(parameters.limit(2))
            """, [keyID, max(0, limit)] + (place?.keyValues ?? []))
    }

    /// Writes a value sealed anew, if it is there as it was.
    public static func reseal(_ value: SealedValue, as bytes: SealedBytes, _ parameters: Parameters) -> RowStatement {
        let table = SealedTable(value.place.kind)
        let was: RowArguments = [bytes.keyID, bytes.box, value.bytes.keyID, value.bytes.box]
        return RowStatement(
            """
            UPDATE \(table.name) SET key_id = \(parameters(1)), box = \(parameters(2)) \
            WHERE \(parameters.condition(table.keyColumns, from: 5)) \
            AND key_id = \(parameters(3)) AND box = \(parameters(4))
            """, was + value.place.keyValues)
    }

    /// The condition that nothing is sealed under the data key of the first parameter.
    public static func nothingIsSealed(_ parameters: Parameters) -> String {
        SealedPlace.Kind.allCases.map(SealedTable.init).map { table in
            table.isIndexedByKey
                ? "COALESCE((SELECT min(key_id) FROM \(table.name) WHERE key_id >= \(parameters(1))), '') "
                    + "<> \(parameters(1))"
                : "NOT EXISTS (SELECT 1 FROM \(table.name) WHERE \(table.isUnderKey(parameters)))"
        }.joined(separator: " AND ")
    }
}

extension SealedPlace {
    /// The values of its table's `keyColumns`.
    public var keyValues: RowArguments {
        switch self {
        case .accountSecret(let merchant, let dialect, let name): [dialect.text, merchant.text, name]
        case .appleCredential(let merchant, let id): [merchant.text, id]
        case .acquirerSecret(let account, let name): [account.text, name]
        case .keptItem(let name): name.keyValues
        case .acquirerMemo(let operation, let part): [operation.text, part.rawValue]
        case .secondFactor(let person): [person.text]
        case .approvalContent(let approval, let part): [approval.text, part.rawValue]
        case .storeSecret(let name): [name]
        }
    }

    /// Of its table's `keyColumns`.
    @inlinable public init(_ kind: Kind, _ columns: inout some RowColumns) throws {
        switch kind {
        case .accountSecret:
            let dialect = DialectName(try columns.name())
            self = .accountSecret(try columns.id(), dialect, name: try columns.text())
        case .appleCredential: self = .appleCredential(try columns.id(), id: try columns.text())
        case .acquirerSecret: self = .acquirerSecret(try columns.id(), name: try columns.text())
        case .keptItem: self = .keptItem(try KeptItemName(&columns))
        case .acquirerMemo: self = .acquirerMemo(try columns.id(), try columns.choice())
        case .secondFactor: self = .secondFactor(try columns.id())
        case .approvalContent: self = .approvalContent(try columns.id(), try columns.choice())
        case .storeSecret: self = .storeSecret(name: try columns.text())
        }
    }
}
