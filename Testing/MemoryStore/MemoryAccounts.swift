//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// Merchants' accounts with acquirers, and the routes to them.
extension MemoryReading {
    func acquirerAccount(_ id: AcquirerAccountID) throws -> AcquirerAccount? { self.state.acquirerAccounts[id] }

    func acquirerAccounts(of merchant: MerchantID) throws -> [AcquirerAccount] {
        self.state.acquirerAccounts.values.filter { $0.merchantID == merchant }
            .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    func routes(of merchant: MerchantID) throws -> [Route] { self.state.routes[merchant] ?? [] }
}

extension MemoryTransaction {
    func insert(_ account: AcquirerAccount) throws {
        guard self.state.acquirerAccounts[account.id] == nil else { throw StoreError.duplicate("acquirer account id") }
        guard try self.acquirerAccounts(of: account.merchantID).allSatisfy({ $0.name != account.name }) else {
            throw StoreError.duplicate("acquirer account name")
        }
        self.refer { $0.merchants[account.merchantID]?.mode == account.mode }
        self.put(account, account.id, in: \.acquirerAccounts)
    }

    func update(_ account: AcquirerAccount) throws {
        guard var stored = self.state.acquirerAccounts[account.id] else {
            throw StoreError.corrupt("acquirer_accounts.id")
        }
        stored.acceptor = account.acceptor
        stored.settings = account.settings
        stored.secrets = account.secrets
        stored.state = account.state
        self.put(stored, account.id, in: \.acquirerAccounts)
    }

    func replaceRoutes(of merchant: MerchantID, with routes: [Route]) throws {
        guard routes.allSatisfy(\.isSound) else { throw StoreError.corrupt("routes") }
        guard Set(routes.map(\.number)).count == routes.count else { throw StoreError.duplicate("route number") }
        for route in routes { self.refer(to: route.account, of: merchant) }
        self.put(routes.sorted { $0.number < $1.number }, merchant, in: \.routes)
    }

    /// An account must be there, and be the merchant's.
    func refer(to account: AcquirerAccountID, of merchant: MerchantID) {
        self.refer { $0.acquirerAccounts[account]?.merchantID == merchant }
    }
}

extension Route {
    /// What the constraints of a database allow.
    fileprivate var isSound: Bool {
        let (least, most) = (self.condition.minorUnitsMin, self.condition.minorUnitsMax)
        return self.number >= 1 && least ?? 0 >= 0 && least ?? 0 <= most ?? .max
            && (self.condition.currency != nil || (least == nil && most == nil))
    }
}
