//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Time

extension SealedDataKey {
    public static let columnNames = "id, box, created_at"

    public var columnValues: RowArguments { [self.id, self.box, self.createdAt.milliseconds] }

    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.init(id: try columns.text(), box: try columns.bytes(), createdAt: try columns.timestamp())
    }
}

extension KeptItem {
    /// Without the name, which whoever asks knows.
    public static let columnNames = "key_id, box, version, created_at, expires_at"

    /// The name's four columns (merchant, dialect, kind, id) and the values of ``columnNames``.
    public var columnValues: RowArguments {
        [
            self.name.merchantID.text, self.name.dialect.text, self.name.kind, self.name.id, self.content.keyID,
            self.content.box, self.version, self.createdAt.milliseconds, self.expiresAt.milliseconds,
        ]
    }

    @inlinable public init(_ name: KeptItemName, _ columns: inout some RowColumns) throws {
        self.init(
            name: name, content: try columns.sealed(), version: try columns.count(),
            createdAt: try columns.timestamp(), expiresAt: try columns.timestamp())
    }
}

/// A table that has a sealed value in each row, in the columns `key_id` and `box`.
public struct SealedTable {
    public let name: String
    /// Its primary key.
    public let keyColumns: [String]

    public init(_ kind: SealedPlace.Kind) {
        switch kind {
        case .accountSecret: (self.name, self.keyColumns) = ("account_secrets", ["dialect", "merchant_id", "name"])
        case .appleCredential: (self.name, self.keyColumns) = ("apple_credentials", ["merchant_id", "id"])
        case .keptItem: (self.name, self.keyColumns) = ("kept_items", ["merchant_id", "dialect", "kind", "id"])
        case .storeSecret: (self.name, self.keyColumns) = ("store_secrets", ["name"])
        }
    }

    /// The `key_id` of every sealed value, of all tables.
    public static var keyIDs: String {
        SealedPlace.Kind.allCases.map { "SELECT key_id FROM \(SealedTable($0).name)" }.joined(separator: " UNION ALL ")
    }

    /// The condition that nothing is sealed under a row of `data_keys`.
    public static var nothingIsSealed: String {
        SealedPlace.Kind.allCases.map {
            "NOT EXISTS (SELECT 1 FROM \(SealedTable($0).name) WHERE key_id = data_keys.id)"
        }.joined(separator: " AND ")
    }
}

extension SealedPlace {
    /// The values of its table's `keyColumns`.
    public var keyValues: RowArguments {
        switch self {
        case .accountSecret(let merchant, let dialect, let name): [dialect.text, merchant.text, name]
        case .appleCredential(let merchant, let id): [merchant.text, id]
        case .keptItem(let name): [name.merchantID.text, name.dialect.text, name.kind, name.id]
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
        case .keptItem:
            self = .keptItem(
                KeptItemName(
                    merchantID: try columns.id(), dialect: DialectName(try columns.name()), kind: try columns.text(),
                    id: try columns.text()))
        case .storeSecret: self = .storeSecret(name: try columns.text())
        }
    }
}
