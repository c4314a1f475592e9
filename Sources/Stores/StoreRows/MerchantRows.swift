//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Time

extension Merchant: StoredRecord {
    public enum Column: String, ColumnName {
        case id, name
        case displayName = "display_name"
        case mode
        case countryCode = "country_code"
        case createdAt = "created_at"
        case state
    }

    public static let table = RecordTable<Column>("merchants", key: .id)

    public static let change = Self.table.change(of: [.displayName, .countryCode, .state], by: [.id])

    public func value(of column: Column) -> (any RowArgument)? {
        switch column {
        case .id: self.id.text
        case .name: self.name
        case .displayName: self.displayName
        case .mode: self.mode.rawValue
        case .countryCode: self.countryCode
        case .createdAt: self.createdAt.milliseconds
        case .state: self.state.rawValue
        }
    }

    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.init(
            id: try columns.id(), name: try columns.text(), displayName: try columns.text(), mode: try columns.choice(),
            countryCode: try columns.text(), createdAt: try columns.timestamp(), state: try columns.choice())
    }
}

/// Without its aliases, settings and secrets, which are rows of other tables.
extension MerchantAccount: WrittenRecord {
    public enum Column: String, ColumnName {
        case dialect
        case merchantID = "merchant_id"
        case key
    }

    public static let table = RecordTable<Column>("accounts", key: .dialect, .merchantID)

    public func value(of column: Column) -> (any RowArgument)? {
        switch column {
        case .dialect: self.dialect.text
        case .merchantID: self.merchantID.text
        case .key: self.key
        }
    }
}

extension AppleCredential: StoredRecord {
    public enum Column: String, ColumnName {
        case merchantID = "merchant_id"
        case id, purpose
        case merchantIdentifier = "merchant_identifier"
        case certificatePEM = "certificate_pem"
        case notAfter = "not_after"
        case keyID = "key_id"
        case box
        case createdAt = "created_at"
        case state
    }

    public static let table = RecordTable<Column>("apple_credentials", key: .merchantID, .id)

    public func value(of column: Column) -> (any RowArgument)? {
        switch column {
        case .merchantID: self.merchantID.text
        case .id: self.id
        case .purpose: self.purpose.rawValue
        case .merchantIdentifier: self.merchantIdentifier
        case .certificatePEM: self.certificatePEM
        case .notAfter: self.notAfter?.milliseconds
        case .keyID: self.sealedPrivateKey.keyID
        case .box: self.sealedPrivateKey.box
        case .createdAt: self.createdAt.milliseconds
        case .state: self.state.rawValue
        }
    }

    @inlinable public init(_ columns: inout some RowColumns) throws {
        let merchantID: MerchantID = try columns.id()
        self.init(
            id: try columns.text(), merchantID: merchantID, purpose: try columns.choice(),
            merchantIdentifier: try columns.text(), certificatePEM: try columns.optionalText(),
            notAfter: try columns.optionalTimestamp(), sealedPrivateKey: try columns.sealed(),
            createdAt: try columns.timestamp(), state: try columns.choice())
    }
}
