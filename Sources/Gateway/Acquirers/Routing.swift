//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments

/// A merchant's routes with the accounts that they lead to.
struct MerchantRoutes: Sendable {
    let routes: [Route]
    let accounts: [AcquirerAccountID: OpenAcquirer]

    /// The accounts that a payment may take, in the order of the routes that fit; the first is the one that it takes.
    func accounts(dialect: DialectName, network: CardNetwork?, amount: Money?) -> [OpenAcquirer] {
        self.accounts { $0.fits(dialect: dialect, network: network, amount: amount) }
    }

    /// The accounts that payments of a dialect may take, whatever their cards and amounts.
    func candidates(dialect: DialectName) -> [OpenAcquirer] {
        self.accounts { $0.dialect ?? dialect == dialect }
    }

    /// Those that are active, each once.
    private func accounts(where fits: (Route.Condition) -> Bool) -> [OpenAcquirer] {
        var found: [OpenAcquirer] = []
        for route in self.routes where fits(route.condition) {
            guard let account = self.accounts[route.account], account.state == .active,
                !found.contains(where: { $0.id == account.id })
            else { continue }
            found.append(account)
        }
        return found
    }
}

extension Gateway {
    /// What a merchant's payments may take, from memory where that is young enough.
    ///
    /// - Throws: ``GatewayRefusal/acquirerNotConnected`` when no route of the dialect leads to an active account,
    ///   ``GatewayRefusal/storeUnavailable``.
    func routes(of merchant: MerchantContext) async throws(GatewayRefusal) -> MerchantRoutes {
        let routes = try await self.routes(of: merchant.merchant.id)
        guard !routes.candidates(dialect: merchant.dialect).isEmpty else { throw .acquirerNotConnected }
        return routes
    }

    private func routes(of merchant: MerchantID) async throws(GatewayRefusal) -> MerchantRoutes {
        let now = self.clock()
        if let cached = self.accounts.routes(merchant, at: now) { return cached }
        let found = try await self.readingSecrets { reader in
            let routes = try reader.routes(of: merchant)
            var accounts: [AcquirerAccountID: OpenAcquirer] = [:]
            for route in routes where accounts[route.account] == nil {
                accounts[route.account] = try self.acquirer(route.account, in: reader)
            }
            return MerchantRoutes(routes: routes, accounts: accounts)
        }
        self.accounts.keep(found, of: merchant, at: now)
        return found
    }
}
