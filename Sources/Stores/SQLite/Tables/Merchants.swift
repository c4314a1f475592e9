//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

extension SQLiteReading {
    func merchant(_ id: MerchantID) throws -> Merchant? { try self.connection.record(merchantByID, id.text) }

    func merchant(named name: String) throws -> Merchant? { try self.connection.record(merchantByName, name) }

    func merchants() throws -> [Merchant] {
        try self.connection.records(Merchant.all)
    }

    func account(dialect: DialectName, key: String) throws -> MerchantAccount? {
        let merchantID: MerchantID? = try self.connection.first(
            "SELECT merchant_id FROM accounts WHERE dialect = ? AND key = ?", dialect.text, key, table: "accounts"
        ) { try $0.id() }
        if let merchantID { return try self.account(dialect: dialect, merchantID: merchantID, key: key) }
        let holder: MerchantID? = try self.connection.first(
            "SELECT merchant_id FROM account_aliases WHERE dialect = ? AND alias = ?", dialect.text, key,
            table: "account_aliases"
        ) { try $0.id() }
        return try holder.flatMap { try self.account(dialect: dialect, merchant: $0) }
    }

    func account(dialect: DialectName, merchant: MerchantID) throws -> MerchantAccount? {
        let key = try self.connection.first(
            "SELECT key FROM accounts WHERE dialect = ? AND merchant_id = ?", dialect.text, merchant.text,
            table: "accounts"
        ) { try $0.text() }
        guard let key else { return nil }
        return try self.account(dialect: dialect, merchantID: merchant, key: key)
    }

    func accounts(of merchant: MerchantID) throws -> [MerchantAccount] {
        let dialects = try self.connection.all(dialectsQuery, merchant.text, table: "accounts") {
            DialectName(try $0.name())
        }
        return try dialects.compactMap { try self.account(dialect: $0, merchant: merchant) }
    }

    private func account(dialect: DialectName, merchantID: MerchantID, key: String) throws -> MerchantAccount {
        let aliases = try self.connection.all(
            "SELECT alias FROM account_aliases WHERE dialect = ? AND merchant_id = ?", dialect.text, merchantID.text,
            table: "account_aliases"
        ) { try $0.text() }
        let settings = try self.connection.all(
            settingsQuery, dialect.text, merchantID.text, table: "account_settings"
        ) { (try $0.text(), try $0.text()) }
        let secrets = try self.connection.all(
            secretsQuery, dialect.text, merchantID.text, table: "account_secrets"
        ) { (try $0.text(), try $0.sealed()) }
        return MerchantAccount(
            of: merchantID, dialect, key: key, aliases: aliases, settings: settings, secrets: secrets)
    }

    func appleCredentials(of merchant: MerchantID?) throws -> [AppleCredential] {
        let query = AppleCredential.select(of: merchant, parameters)
        return try self.connection.all(query, table: "apple_credentials") { try AppleCredential(&$0) }
    }
}

extension SQLiteTransaction {
    func insert(_ merchant: Merchant) throws {
        try self.connection.execute(merchantInsert, merchant.columnValues)
    }

    func update(_ merchant: Merchant) throws {
        let changesCount = try self.connection.execute(merchantUpdate, merchant.values(of: Merchant.change.columns))
        guard changesCount == 1 else { throw StoreError.corrupt("merchants.id") }
    }

    func upsert(_ account: MerchantAccount) throws {
        let dialect = account.dialect.text
        let merchant = account.merchantID.text
        // A name finds one account, be it a key or an alias; no constraint spans two tables.
        for name in account.aliases.union([account.key]) {
            let holder = try self.account(dialect: account.dialect, key: name)
            guard holder == nil || holder?.merchantID == account.merchantID else {
                throw StoreError.duplicate("account key")
            }
        }
        try self.connection.atomically {
            try self.connection.execute(accountUpsert, account.columnValues)
            try self.connection.execute(
                "DELETE FROM account_aliases WHERE dialect = ? AND merchant_id = ?", dialect, merchant)
            for alias in account.aliases {
                try self.connection.execute(
                    "INSERT INTO account_aliases (dialect, alias, merchant_id) VALUES (?, ?, ?)", dialect, alias,
                    merchant)
            }
            for statement in account.details(parameters) {
                try self.connection.execute(statement.sql, statement.arguments)
            }
        }
    }

    func upsert(_ credential: AppleCredential) throws {
        try self.connection.execute(credentialUpsert, credential.columnValues)
    }
}

private let merchantByID = Merchant.table.select(by: .id, with: parameters)
private let merchantByName = Merchant.table.select(by: .name, with: parameters)
private let merchantInsert = Merchant.table.insert(parameters)
private let merchantUpdate = Merchant.change.statement(parameters)

private let dialectsQuery = MerchantAccount.dialects(parameters)
private let accountUpsert = MerchantAccount.table.upsert(parameters)
private let settingsQuery = OwnedTable.settings.select(parameters)
private let secretsQuery = OwnedTable.secrets.select(parameters)

private let credentialUpsert = AppleCredential.table.upsert(parameters)
