//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
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

extension AuthorizeCommand {
    /// The first of some accounts that can begin the payment.
    ///
    /// - Throws: what keeps the first that could be handed the instrument from it, where all are kept from it.
    func account(
        among accounts: [OpenAcquirer], _ reading: InstrumentReading, _ amount: Money
    ) throws(GatewayRefusal) -> OpenAcquirer {
        let network = reading.summary.network
        guard self.networks?.contains(network) ?? true else { throw .networkNotSupported }
        var refusal: GatewayRefusal?
        var away: OpenAcquirer?
        for account in accounts {
            // A token that was not opened here can go nowhere but to whoever opens it.
            guard account.instrument(reading) != nil else { continue }
            let obstacle = account.capabilities.obstacle(
                self.purpose, network: network, amount: amount, initiator: self.details.initiator)
            guard let obstacle else {
                if account.acquirer.readiness == .ready { return account }
                away = away ?? account
                continue
            }
            refusal = refusal ?? GatewayRefusal(obstacle)
        }
        // It may be back by the time that it is called; else nothing was done, and the shop is answered to try again.
        if let away { return away }
        throw refusal ?? (accounts.isEmpty ? .acquirerNotConnected : .operationNotSupported)
    }
}

extension OpenAcquirer {
    /// What it is handed: opened wherever it takes that, which has fewer ways to fail than a token that is opened twice.
    ///
    /// - Returns: `nil` where it takes nothing that there is.
    func instrument(_ reading: InstrumentReading) -> PaymentInstrument? {
        if let networkToken = reading.networkToken, self.capabilities.takes(networkToken) {
            return .networkToken(networkToken)
        }
        return self.opens(reading) ? reading.sealed.map { .sealedApplePayToken(SealedApplePayToken($0)) } : nil
    }

    /// Whether it opens the token itself. It has the key of one that was opened here because the merchant has given it
    /// to both.
    private func opens(_ reading: InstrumentReading) -> Bool {
        guard let sealed = reading.sealed, self.capabilities.forms.contains(.sealedApplePayToken) else { return false }
        return reading.networkToken != nil || self.custody.holds(keyOf: sealed.header.publicKeyHashText)
    }
}
