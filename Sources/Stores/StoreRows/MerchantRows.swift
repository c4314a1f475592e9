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
        case timeZone = "time_zone"
        case createdAt = "created_at"
        case state
    }

    public static let table = RecordTable<Column>("merchants", key: .id)

    /// Oldest first.
    public static let all = "SELECT \(Self.table.names) FROM merchants ORDER BY created_at, id"

    public static let change = Self.table.change(of: [.displayName, .countryCode, .timeZone, .state], by: [.id])

    public func value(of column: Column) -> RowValue {
        switch column {
        case .id: self.id.text
        case .name: self.name
        case .displayName: self.displayName
        case .mode: self.mode.rawValue
        case .countryCode: self.countryCode
        case .timeZone: self.timeZone
        case .createdAt: self.createdAt.milliseconds
        case .state: self.state.rawValue
        }
    }

    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.init(
            id: try columns.id(), name: try columns.text(), displayName: try columns.text(), mode: try columns.choice(),
            countryCode: try columns.text(), timeZone: try columns.name(), createdAt: try columns.timestamp(),
            state: try columns.choice())
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

    public func value(of column: Column) -> RowValue {
        switch column {
        case .dialect: self.dialect.text
        case .merchantID: self.merchantID.text
        case .key: self.key
        }
    }

    /// The names of the dialects in which a merchant has one.
    public static func dialects(_ parameters: Parameters) -> String {
        "SELECT dialect FROM accounts WHERE merchant_id = \(parameters(1)) ORDER BY dialect"
    }

    /// Puts the settings and secrets in the place of what there was.
    public func details(_ parameters: Parameters) -> [RowStatement] {
        let owner: RowArguments = [self.dialect.text, self.merchantID.text]
        return OwnedTable.settings.replace(self.settings, of: owner, isNew: false, parameters) { [$0] }
            + OwnedTable.secrets.replace(self.secrets, of: owner, isNew: false, parameters) { [$0.keyID, $0.box] }
    }

    /// An account of what was read of it.
    public init(
        of merchant: MerchantID, _ dialect: DialectName, key: String, aliases: [String],
        settings: [(String, String)], secrets: [(String, SealedBytes)]
    ) {
        self.init(
            merchantID: merchant, dialect: dialect, key: key, aliases: Set(aliases),
            settings: Dictionary(settings, uniquingKeysWith: { first, _ in first }),
            secrets: Dictionary(secrets, uniquingKeysWith: { first, _ in first }))
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

    /// A merchant's, or all, oldest first.
    public static func select(of merchant: MerchantID?, _ parameters: Parameters) -> RowStatement {
        let condition = merchant == nil ? "" : " WHERE merchant_id = \(parameters(1))"
        return RowStatement(
            "SELECT \(self.table.names) FROM apple_credentials\(condition) ORDER BY created_at, id, merchant_id",
            merchant.map { [$0.text] } ?? [])
    }

    public func value(of column: Column) -> RowValue {
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
