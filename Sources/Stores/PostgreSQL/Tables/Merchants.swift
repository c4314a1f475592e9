//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

extension PostgreSQLReading {
    func merchant(_ id: MerchantID) throws -> Merchant? {
        try self.transaction.first(
            "SELECT \(Merchant.columnNames) FROM merchants WHERE id = $1", id.text, table: "merchants"
        ) { try Merchant(&$0) }
    }

    func merchant(named name: String) throws -> Merchant? {
        try self.transaction.first(
            "SELECT \(Merchant.columnNames) FROM merchants WHERE name = $1", name, table: "merchants"
        ) { try Merchant(&$0) }
    }

    func merchants() throws -> [Merchant] {
        try self.transaction.all(
            "SELECT \(Merchant.columnNames) FROM merchants ORDER BY created_at, id", table: "merchants"
        ) { try Merchant(&$0) }
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
            ("SELECT name, value FROM account_settings \(condition)", names),
            ("SELECT name, key_id, box FROM account_secrets \(condition)", names),
        ])
        guard let key = try rows[0].all("accounts", { try $0.text() }).first else { return nil }
        let aliases = try rows[1].all("account_names") { try $0.text() }.filter { $0 != key }
        let settings = try rows[2].all("account_settings") { (try $0.text(), try $0.text()) }
        let secrets = try rows[3].all("account_secrets") { (try $0.text(), try $0.sealed()) }
        return MerchantAccount(
            merchantID: merchant, dialect: dialect, key: key, aliases: Set(aliases),
            settings: Dictionary(settings, uniquingKeysWith: { first, _ in first }),
            secrets: Dictionary(secrets, uniquingKeysWith: { first, _ in first }))
    }

    func appleCredentials(of merchant: MerchantID?) throws -> [AppleCredential] {
        let condition = merchant == nil ? "" : " WHERE merchant_id = $1"
        return try self.transaction.all(
            "SELECT \(AppleCredential.columnNames) FROM apple_credentials\(condition) ORDER BY created_at, id, merchant_id",
            arguments: merchant.map { [$0.text] } ?? [], table: "apple_credentials"
        ) { try AppleCredential(&$0) }
    }
}

extension PostgreSQLTransaction {
    func insert(_ merchant: Merchant) throws {
        try self.transaction.write {
            try self.transaction.execute(
                "INSERT INTO merchants (\(Merchant.columnNames)) VALUES (\(parameters(7)))", merchant.columnValues)
        }
    }

    func upsert(_ account: MerchantAccount) throws {
        let dialect = account.dialect.text
        let merchant = account.merchantID.text
        try self.transaction.write {
            try self.transaction.execute(
                """
                INSERT INTO accounts (dialect, merchant_id, key) VALUES ($1, $2, $3)
                ON CONFLICT (dialect, merchant_id) DO UPDATE SET key = excluded.key
                """, dialect, merchant, account.key)
            for table in ["account_names", "account_settings", "account_secrets"] {
                try self.transaction.execute(
                    "DELETE FROM \(table) WHERE dialect = $1 AND merchant_id = $2", dialect, merchant)
            }
            for name in account.aliases.union([account.key]).sorted() {
                try self.transaction.execute(
                    "INSERT INTO account_names (dialect, name, merchant_id) VALUES ($1, $2, $3)", dialect, name,
                    merchant)
            }
            for (name, value) in account.settings {
                try self.transaction.execute(
                    "INSERT INTO account_settings (dialect, merchant_id, name, value) VALUES ($1, $2, $3, $4)",
                    dialect, merchant, name, value)
            }
            for (name, secret) in account.secrets {
                try self.transaction.execute(
                    "INSERT INTO account_secrets (dialect, merchant_id, name, key_id, box) VALUES ($1, $2, $3, $4, $5)",
                    dialect, merchant, name, secret.keyID, secret.box)
            }
        }
    }

    func upsert(_ credential: AppleCredential) throws {
        try self.transaction.write {
            try self.transaction.execute(
                """
                INSERT INTO apple_credentials (\(AppleCredential.columnNames)) VALUES (\(parameters(10)))
                ON CONFLICT (merchant_id, id) DO UPDATE SET
                    purpose = excluded.purpose, merchant_identifier = excluded.merchant_identifier,
                    certificate_pem = excluded.certificate_pem, not_after = excluded.not_after,
                    key_id = excluded.key_id, box = excluded.box, created_at = excluded.created_at,
                    state = excluded.state
                """, credential.columnValues)
        }
    }
}
