//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

extension PostgreSQLReading {
    func merchant(_ id: MerchantID) throws -> Merchant? {
        try self.transaction.lock(id)
        return try self.transaction.record(merchantByID, id.text)
    }

    func merchant(named name: String) throws -> Merchant? {
        if self.transaction.isWriting {
            try self.transaction.sendLock("SELECT FROM merchants WHERE name = $1 FOR NO KEY UPDATE", [name])
        }
        return try self.transaction.record(merchantByName, name)
    }

    func merchants() throws -> [Merchant] {
        try self.transaction.records(Merchant.all)
    }

    func account(dialect: DialectName, key: String) throws -> MerchantAccount? {
        let merchantID: MerchantID? = try self.transaction.first(
            "SELECT merchant_id FROM account_names WHERE dialect = $1 AND name = $2", dialect.text, key,
            table: "account_names"
        ) { try $0.id() }
        return try merchantID.flatMap { try self.account(dialect: dialect, merchant: $0) }
    }

    func account(dialect: DialectName, merchant: MerchantID) throws -> MerchantAccount? {
        let condition = "WHERE dialect = $1 AND merchant_id = $2"
        let names: RowArguments = [dialect.text, merchant.text]
        if self.transaction.isWriting {
            try self.transaction.sendLock("SELECT FROM accounts \(condition) FOR NO KEY UPDATE", names)
        }
        let rows = try self.transaction.rows([
            ("SELECT key FROM accounts \(condition)", names),
            ("SELECT name FROM account_names \(condition)", names),
            (settingsQuery, names), (secretsQuery, names),
        ])
        guard let key = try rows[0].all("accounts", { try $0.text() }).first else { return nil }
        let aliases = try rows[1].all("account_names") { try $0.text() }.filter { $0 != key }
        let settings = try rows[2].all("account_settings") { (try $0.text(), try $0.text()) }
        let secrets = try rows[3].all("account_secrets") { (try $0.text(), try $0.sealed()) }
        return MerchantAccount(
            of: merchant, dialect, key: key, aliases: aliases, settings: settings, secrets: secrets)
    }

    func accounts(of merchant: MerchantID) throws -> [MerchantAccount] {
        let dialects = try self.transaction.all(dialectsQuery, merchant.text, table: "accounts") {
            DialectName(try $0.name())
        }
        return try dialects.compactMap { try self.account(dialect: $0, merchant: merchant) }
    }

    func appleCredentials(of merchant: MerchantID?) throws -> [AppleCredential] {
        let query = AppleCredential.select(of: merchant, parameters)
        return try self.transaction.all(query, table: "apple_credentials") { try AppleCredential(&$0) }
    }
}

extension PostgreSQLTransaction {
    func insert(_ merchant: Merchant) throws {
        try self.transaction.write { try self.transaction.execute(merchantInsert, merchant.columnValues) }
    }

    func update(_ merchant: Merchant) throws {
        try self.transaction.write {
            try self.transaction.require(
                merchantUpdate, merchant.values(of: Merchant.change.columns), orElse: .corrupt("merchants.id"))
        }
    }

    func upsert(_ account: MerchantAccount) throws {
        let dialect = account.dialect.text
        let merchant = account.merchantID.text
        try self.transaction.write {
            try self.transaction.execute(accountUpsert, account.columnValues)
            try self.transaction.execute(
                "DELETE FROM account_names WHERE dialect = $1 AND merchant_id = $2", dialect, merchant)
            for name in account.aliases.union([account.key]).sorted() {
                try self.transaction.execute(
                    "INSERT INTO account_names (dialect, name, merchant_id) VALUES ($1, $2, $3)", dialect, name,
                    merchant)
            }
            for statement in account.details(parameters) {
                try self.transaction.execute(statement.sql, statement.arguments)
            }
        }
    }

    func upsert(_ credential: AppleCredential) throws {
        try self.transaction.write { try self.transaction.execute(credentialUpsert, credential.columnValues) }
    }
}

extension Transaction {
    /// Locks a merchant's row for whoever decides by it: what it says and what routes it has stays so until the end.
    func lock(_ id: MerchantID) throws {
        guard self.isWriting else { return }
        try self.sendLock("SELECT FROM merchants WHERE id = $1 FOR NO KEY UPDATE", [id.text])
    }
}

private let merchantByID = Merchant.table.select(by: .id, with: parameters)
private let merchantByName = Merchant.table.select(by: .name, with: parameters)
private let merchantInsert = Merchant.table.insert(parameters)
private let merchantUpdate = RequiredChange(Merchant.change.statement(parameters))

private let dialectsQuery = MerchantAccount.dialects(parameters)
private let accountUpsert = MerchantAccount.table.upsert(parameters)
private let settingsQuery = OwnedTable.settings.select(parameters)
private let secretsQuery = OwnedTable.secrets.select(parameters)

private let credentialUpsert = AppleCredential.table.upsert(parameters)
