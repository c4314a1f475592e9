//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

extension SQLiteReading {
    func acquirerAccount(_ id: AcquirerAccountID) throws -> AcquirerAccount? {
        try self.acquirerAccounts(accountByID, id.text).first
    }

    func acquirerAccounts(of merchant: MerchantID) throws -> [AcquirerAccount] {
        try self.acquirerAccounts(accountsOfMerchant, merchant.text)
    }

    private func acquirerAccounts(_ queries: AcquirerAccountQueries, _ id: String) throws -> [AcquirerAccount] {
        AcquirerAccount.whole(
            try self.connection.records(queries.accounts, id),
            settings: try self.connection.all(queries.settings, id, table: OwnedTable.acquirerSettings.name) {
                try AcquirerAccountDetail(&$0)
            },
            secrets: try self.connection.all(queries.secrets, id, table: OwnedTable.acquirerSecrets.name) {
                try AcquirerAccountDetail(&$0)
            })
    }

    func routes(of merchant: MerchantID) throws -> [Route] {
        try self.connection.all(routesQuery, merchant.text, table: "routes") { try Route(&$0) }
    }
}

extension SQLiteTransaction {
    func insert(_ account: AcquirerAccount) throws {
        try self.connection.atomically {
            try self.connection.execute(accountInsert, account.columnValues)
            try self.writeDetails(of: account, isNew: true)
        }
    }

    func update(_ account: AcquirerAccount) throws {
        try self.connection.atomically {
            let changesCount = try self.connection.execute(
                accountUpdate, account.values(of: AcquirerAccount.change.columns))
            guard changesCount == 1 else { throw StoreError.corrupt("acquirer_accounts.id") }
            try self.writeDetails(of: account, isNew: false)
        }
    }

    private func writeDetails(of account: AcquirerAccount, isNew: Bool) throws {
        for statement in account.details(isNew: isNew, parameters) {
            try self.connection.execute(statement.sql, statement.arguments)
        }
    }

    func replaceRoutes(of merchant: MerchantID, with routes: [Route]) throws {
        try self.connection.atomically {
            try self.connection.execute(routesDelete, merchant.text)
            for route in routes { try self.connection.execute(routeInsert, route.columnValues(of: merchant)) }
        }
    }
}

private let accountByID = AcquirerAccountQueries(by: .id, parameters)
private let accountsOfMerchant = AcquirerAccountQueries(by: .merchantID, parameters)
private let accountInsert = AcquirerAccount.table.insert(parameters)
private let accountUpdate = AcquirerAccount.change.statement(parameters)

private let routesQuery = Route.select(parameters)
private let routesDelete = Route.delete(parameters)
private let routeInsert = Route.table.insert(parameters)
