//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

extension PostgreSQLReading {
    func acquirerAccount(_ id: AcquirerAccountID) throws -> AcquirerAccount? {
        try self.transaction.lock(id)
        return try self.acquirerAccounts(accountByID, id.text).first
    }

    func acquirerAccounts(of merchant: MerchantID) throws -> [AcquirerAccount] {
        if self.transaction.isWriting {
            try self.transaction.sendLock(
                "SELECT FROM acquirer_accounts WHERE merchant_id = $1 ORDER BY id FOR NO KEY UPDATE", [merchant.text])
        }
        return try self.acquirerAccounts(accountsOfMerchant, merchant.text)
    }

    private func acquirerAccounts(_ queries: AcquirerAccountQueries, _ id: String) throws -> [AcquirerAccount] {
        let rows = try self.transaction.rows([
            (queries.accounts, [id]), (queries.settings, [id]), (queries.secrets, [id]),
        ])
        return AcquirerAccount.whole(
            try rows[0].all(AcquirerAccount.table.name) { try AcquirerAccount(&$0) },
            settings: try rows[1].all(OwnedTable.acquirerSettings.name) { try AcquirerAccountDetail(&$0) },
            secrets: try rows[2].all(OwnedTable.acquirerSecrets.name) { try AcquirerAccountDetail(&$0) })
    }

    func routes(of merchant: MerchantID) throws -> [Route] {
        try self.transaction.lock(merchant)
        return try self.transaction.all(routesQuery, merchant.text, table: "routes") { try Route(&$0) }
    }
}

extension PostgreSQLTransaction {
    func insert(_ account: AcquirerAccount) throws {
        try self.transaction.write {
            try self.transaction.execute(accountInsert, account.columnValues)
            try self.writeDetails(of: account, isNew: true)
        }
    }

    func update(_ account: AcquirerAccount) throws {
        try self.transaction.write {
            try self.transaction.require(
                accountUpdate, account.values(of: AcquirerAccount.change.columns),
                orElse: .corrupt("acquirer_accounts.id"))
            try self.writeDetails(of: account, isNew: false)
        }
    }

    private func writeDetails(of account: AcquirerAccount, isNew: Bool) throws {
        for statement in account.details(isNew: isNew, parameters) {
            try self.transaction.execute(statement.sql, statement.arguments)
        }
    }

    /// The lock comes first, so that the deletion sees what another node has put in the place of the same routes.
    func replaceRoutes(of merchant: MerchantID, with routes: [Route]) throws {
        try self.transaction.lock(merchant)
        try self.transaction.write {
            try self.transaction.execute(routesDelete, merchant.text)
            for route in routes { try self.transaction.execute(routeInsert, route.columnValues(of: merchant)) }
        }
    }
}

extension Transaction {
    /// Locks an acquirer account's row for whoever decides by it, or writes it whole.
    func lock(_ id: AcquirerAccountID) throws {
        guard self.isWriting else { return }
        try self.sendLock("SELECT FROM acquirer_accounts WHERE id = $1 FOR NO KEY UPDATE", [id.text])
    }
}

private let accountByID = AcquirerAccountQueries(by: .id, parameters)
private let accountsOfMerchant = AcquirerAccountQueries(by: .merchantID, parameters)
private let accountInsert = AcquirerAccount.table.insert(parameters)
private let accountUpdate = RequiredChange(AcquirerAccount.change.statement(parameters))

private let routesQuery = Route.select(parameters)
private let routesDelete = Route.delete(parameters)
private let routeInsert = Route.table.insert(parameters)
