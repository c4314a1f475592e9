//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
public import Payments
import Time

/// Without its settings and secrets, which are rows of other tables.
extension AcquirerAccount: StoredRecord {
    public enum Column: String, ColumnName {
        case id
        case merchantID = "merchant_id"
        case name, connector, mode
        case merchantNumber = "merchant_number"
        case terminal
        case categoryCode = "category_code"
        case descriptor, institution, forwarder
        case acceptorName = "acceptor_name"
        case street, city
        case postalCode = "postal_code"
        case region, country
        case timeZone = "time_zone"
        case state
        case createdAt = "created_at"
    }

    public static let table = RecordTable<Column>("acquirer_accounts", key: .id)

    public static let change = Self.table.change(
        of: [
            .merchantNumber, .terminal, .categoryCode, .descriptor, .institution, .forwarder, .acceptorName, .street,
            .city,
            .postalCode, .region, .country, .timeZone, .state,
        ], by: [.id])

    public func value(of column: Column) -> RowValue {
        switch column {
        case .id: self.id.text
        case .merchantID: self.merchantID.text
        case .name: self.name
        case .connector: self.connector.text
        case .mode: self.mode.rawValue
        case .merchantNumber: self.acceptor.merchantNumber
        case .terminal: self.acceptor.terminal
        case .categoryCode: self.acceptor.categoryCode
        case .descriptor: self.acceptor.descriptor
        case .institution: self.acceptor.institution
        case .forwarder: self.acceptor.forwarder
        case .acceptorName: self.acceptor.name
        case .street: self.acceptor.street
        case .city: self.acceptor.city
        case .postalCode: self.acceptor.postalCode
        case .region: self.acceptor.region
        case .country: self.acceptor.country
        case .timeZone: self.acceptor.timeZone
        case .state: self.state.rawValue
        case .createdAt: self.createdAt.milliseconds
        }
    }

    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.init(
            id: try columns.id(), merchantID: try columns.id(), name: try columns.text(),
            connector: AcquirerName(try columns.name()), mode: try columns.choice(),
            acceptor: CardAcceptor(
                merchantNumber: try columns.optionalText(), terminal: try columns.optionalText(),
                categoryCode: try columns.optionalText(), descriptor: try columns.optionalText(),
                institution: try columns.optionalText(), forwarder: try columns.optionalText(),
                name: try columns.optionalText(), street: try columns.optionalText(),
                city: try columns.optionalText(), postalCode: try columns.optionalText(),
                region: try columns.optionalText(), country: try columns.optionalText(),
                timeZone: try columns.optionalText()),
            state: try columns.choice(), createdAt: try columns.timestamp())
    }
}

/// The queries of some of the acquirer accounts, whole: three tables.
public struct AcquirerAccountQueries: Sendable {
    public let accounts: String
    public let settings: String
    public let secrets: String

    /// - Parameter column: which one finds them, as the only parameter.
    public init(by column: AcquirerAccount.Column, _ parameters: Parameters) {
        let condition = parameters.condition([column.rawValue])
        self.accounts = AcquirerAccount.table.select(by: column, with: parameters) + " ORDER BY created_at, id"
        let ids = "SELECT id FROM acquirer_accounts WHERE \(condition)"
        self.settings = OwnedTable.acquirerSettings.select(ofOwners: ids)
        self.secrets = OwnedTable.acquirerSecrets.select(ofOwners: ids)
    }
}

/// A setting or a secret of an acquirer account, and the account that it is of.
public struct AcquirerAccountDetail<Value> {
    @usableFromInline let account: AcquirerAccountID
    @usableFromInline let name: String
    @usableFromInline let value: Value

    @inlinable init<Columns: RowColumns>(
        _ columns: inout Columns, _ value: (inout Columns) throws -> Value
    ) throws {
        self.account = try columns.id()
        self.name = try columns.text()
        self.value = try value(&columns)
    }
}

extension AcquirerAccountDetail<String> {
    @inlinable public init(_ columns: inout some RowColumns) throws {
        try self.init(&columns) { try $0.text() }
    }
}

extension AcquirerAccountDetail<SealedBytes> {
    @inlinable public init(_ columns: inout some RowColumns) throws {
        try self.init(&columns) { try $0.sealed() }
    }
}

extension AcquirerAccount {
    /// Writes the settings and secrets.
    /// - Parameter isNew: whether there are none of its yet.
    public func details(isNew: Bool, _ parameters: Parameters) -> [RowStatement] {
        let owner: RowArguments = [self.id.text]
        return OwnedTable.acquirerSettings.replace(self.settings, of: owner, isNew: isNew, parameters) { [$0] }
            + OwnedTable.acquirerSecrets.replace(self.secrets, of: owner, isNew: isNew, parameters) {
                [$0.keyID, $0.box]
            }
    }

    /// The accounts with what is theirs of the other two tables.
    public static func whole(
        _ accounts: [AcquirerAccount], settings: [AcquirerAccountDetail<String>],
        secrets: [AcquirerAccountDetail<SealedBytes>]
    ) -> [AcquirerAccount] {
        let settings = Dictionary(grouping: settings, by: \.account)
        let secrets = Dictionary(grouping: secrets, by: \.account)
        return accounts.map { account in
            var whole = account
            for setting in settings[account.id] ?? [] { whole.settings[setting.name] = setting.value }
            for secret in secrets[account.id] ?? [] { whole.secrets[secret.name] = secret.value }
            return whole
        }
    }
}

extension Route {
    public enum Column: String, ColumnName {
        case merchantID = "merchant_id"
        case number
        case accountID = "account_id"
        case dialect, network, currency
        case minorUnitsMin = "minor_units_min"
        case minorUnitsMax = "minor_units_max"
    }

    public static let table = RecordTable<Column>("routes", key: .merchantID, .number)

    /// What must be so of every row, in SQL that both engines take: part of a step of their schemas, and like it never
    /// changed once released.
    public static let rules = """
        CHECK (minor_units_min >= 0),
        CHECK (minor_units_min <= minor_units_max),
        CHECK (currency IS NOT NULL OR minor_units_min IS NULL AND minor_units_max IS NULL)
        """

    /// A merchant's, in order.
    public static func select(_ parameters: Parameters) -> String {
        self.table.select(by: .merchantID, with: parameters) + " ORDER BY number"
    }

    /// All of a merchant's.
    public static func delete(_ parameters: Parameters) -> String {
        "DELETE FROM routes WHERE merchant_id = \(parameters(1))"
    }

    public func columnValues(of merchant: MerchantID) -> RowArguments {
        RowArguments(values: Self.table.columns.map { self.value(of: $0, merchant) })
    }

    @RowValueBuilder private func value(of column: Column, _ merchant: MerchantID) -> RowValue {
        switch column {
        case .merchantID: merchant.text
        case .number: self.number
        case .accountID: self.account.text
        case .dialect: self.condition.dialect?.text
        case .network: self.condition.network?.rawValue
        case .currency: self.condition.currency?.code
        case .minorUnitsMin: self.condition.minorUnitsMin
        case .minorUnitsMax: self.condition.minorUnitsMax
        }
    }

    /// Reads all columns, of which the merchant is not kept.
    @inlinable public init(_ columns: inout some RowColumns) throws {
        let _: MerchantID = try columns.id()
        let number = try columns.count()
        guard number >= 1 else { throw columns.corrupt }
        self.init(
            number: number, account: try columns.id(),
            condition: Condition(
                dialect: try columns.optionalName().map { DialectName($0) }, network: try columns.optionalChoice(),
                currency: try columns.optionalCurrency(), minorUnitsMin: try columns.optionalMinorUnits(),
                minorUnitsMax: try columns.optionalMinorUnits()))
    }
}
