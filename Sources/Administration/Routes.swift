//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) public import Gateway
public import Money
public import Payments

/// Which account a payment would take, and why.
public struct RouteDecision: Sendable {
    public struct Step: Sendable {
        public let route: Route
        /// The account's name.
        public let account: String
        public let verdict: Verdict
    }

    public enum Verdict: String, Hashable, Sendable, CaseIterable {
        /// This one is taken.
        case taken
        /// It fits as well, after the one that is taken.
        case later
        case otherDialect
        case otherNetwork
        case otherCurrency
        case otherAmount
        /// It fits, and its account is suspended.
        case suspended
        /// It fits, and its acquirer takes no cards of the network.
        case networkNotTaken
        /// It fits, and its account is not paid in the currency.
        case currencyNotTaken
        /// It fits, and its acquirer takes no payment of so little or so much.
        case amountNotTaken
        /// It fits, and its acquirer does not do this: it sells only, or verifies no cards.
        case purposeNotOffered
        /// It fits, and its account cannot be opened: a setting or a secret is not what the connector wants.
        case notUsable
    }

    /// What keeps every payment of the merchant's from being taken, whatever the routes say.
    public enum Obstacle: String, Hashable, Sendable, CaseIterable {
        case merchantSuspended
        case merchantClosed
        /// The merchant has no account in the dialect.
        case dialectAccountMissing
    }

    /// `nil` where the routes decide.
    public let obstacle: Obstacle?
    /// Every route, in their order.
    public let steps: [Step]

    /// The account that is taken.
    public var account: AcquirerAccountID? { self.taken?.route.account }

    /// The route that is taken; `nil` where the payment is refused.
    public var taken: Step? {
        self.obstacle == nil ? self.steps.first { $0.verdict == .taken } : nil
    }
}

extension Administration {
    /// The merchant's routes, by their numbers.
    public func routes(of merchant: MerchantID) async throws -> [Route] {
        try await self.read { try $0.routes(of: merchant) }
    }

    /// Sets a merchant's routes in the place of those that it has.
    ///
    /// - Throws: ``AdministrationError``, `StoreError`.
    public func setRoutes(of merchant: MerchantID, to routes: [Route]) async throws {
        try await self.changeRoutes(of: merchant) { _ in routes }
    }

    /// Sets one route. What has its number is replaced.
    ///
    /// - Parameter number: after all that there are if left out.
    /// - Returns: the route as it stands now.
    /// - Throws: ``AdministrationError``, `StoreError`.
    @discardableResult
    public func setRoute(
        of merchant: MerchantID, to account: AcquirerAccountID, condition: Route.Condition = Route.Condition(),
        number: Int? = nil
    ) async throws -> Route {
        let routes = try await self.changeRoutes(of: merchant) { routes in
            // The same again is no second route.
            if number == nil, routes.contains(where: { $0.account == account && $0.condition == condition }) {
                return routes
            }
            let number = number ?? (routes.map(\.number).max() ?? 0) + 1
            return routes.filter { $0.number != number } + [
                Route(number: number, account: account, condition: condition)
            ]
        }
        let set = routes.last { $0.account == account && $0.condition == condition && number ?? $0.number == $0.number }
        guard let set else { throw AdministrationError(.routeUnknown, "The route could not be set.") }
        return set
    }

    /// Removes the route of a number.
    ///
    /// - Throws: ``AdministrationError`` `route_unknown`, `StoreError`.
    public func removeRoute(_ number: Int, of merchant: MerchantID) async throws {
        try await self.changeRoutes(of: merchant) { routes in
            guard routes.contains(where: { $0.number == number }) else {
                throw AdministrationError(.routeUnknown, "There is no route with the number \(number).")
            }
            return routes.filter { $0.number != number }
        }
    }

    @discardableResult
    private func changeRoutes(
        of merchant: MerchantID, _ change: @escaping @Sendable ([Route]) throws -> [Route]
    ) async throws -> [Route] {
        try await self.gateway.administer(AuditDraft(.routesChange, "")) { transaction, entry in
            let owner = try Self.openMerchant(merchant, in: transaction)
            let before = try transaction.routes(of: merchant)
            let after = try change(before).sorted { $0.number < $1.number }
            let accounts = Set(try transaction.acquirerAccounts(of: merchant).map(\.id))
            for route in after {
                try route.check()
                guard accounts.contains(route.account) else {
                    throw AdministrationError(
                        .acquirerUnknown, "The merchant \(owner.name) has no acquirer account \(route.account).")
                }
            }
            guard Set(after.map(\.number)).count == after.count else {
                throw AdministrationError(.routeInvalid, "Two routes have one number.")
            }
            entry.setSubject(owner, nil)
            entry.details["routes"] = "\(after.count)"
            entry.isNothing = before == after
            try self.permit(.route, of: owner, isChange: before != after, in: transaction, &entry)
            guard !entry.isNothing else { return after }
            try transaction.replaceRoutes(of: merchant, with: after)
            return after
        }
    }

    /// Which account a payment would take, by the same questions as payments are asked.
    ///
    /// - Throws: ``AdministrationError`` `merchant_unknown`, ``VaultError``, `StoreError`.
    public func testRoute(
        of merchant: MerchantID, dialect: DialectName, network: CardNetwork, amount: Money,
        purpose: AuthorizeCommand.Purpose = .authorization
    ) async throws -> RouteDecision {
        let (owner, routes, accounts, hasAccount) = try await self.read { reader in
            (
                try Self.merchant(merchant, in: reader), try reader.routes(of: merchant),
                try reader.acquirerAccounts(of: merchant),
                try reader.account(dialect: dialect, merchant: merchant) != nil
            )
        }
        var verdicts: [AcquirerAccountID: RouteDecision.Verdict] = [:]
        for account in accounts {
            verdicts[account.id] = try await self.verdict(on: account, purpose, network, amount)
        }
        var isTaken = false
        let steps = routes.map { route in
            let account = accounts.first { $0.id == route.account }
            var verdict: RouteDecision.Verdict
            if let misfit = route.condition.misfit(dialect: dialect, network: network, amount: amount) {
                verdict = RouteDecision.Verdict(misfit)
            } else {
                verdict = verdicts[route.account] ?? .notUsable
                if verdict == .taken, isTaken { verdict = .later }
                isTaken = isTaken || verdict == .taken
            }
            return RouteDecision.Step(route: route, account: account?.name ?? route.account.text, verdict: verdict)
        }
        let obstacle: RouteDecision.Obstacle? =
            switch owner.state {
            case .suspended: .merchantSuspended
            case .closed: .merchantClosed
            case .active: hasAccount ? nil : .dialectAccountMissing
            }
        return RouteDecision(obstacle: obstacle, steps: steps)
    }

    /// What becomes of a payment that a route leads to the account: `taken`, or why it is passed over.
    private func verdict(
        on account: AcquirerAccount, _ purpose: AuthorizeCommand.Purpose, _ network: CardNetwork, _ amount: Money
    ) async throws -> RouteDecision.Verdict {
        guard account.state == .active else { return .suspended }
        guard let connector = self.gateway.connectors[account.connector] else { return .notUsable }
        let opened = try await self.gateway.withFreshKeys { try self.gateway.opened(account) }
        guard let acquirer = try? connector.open(opened) else { return .notUsable }
        let obstacle = acquirer.capabilities.obstacle(
            purpose, network: network, amount: amount)
        return switch obstacle {
        case nil: .taken
        case .network: .networkNotTaken
        case .purpose, .initiator: .purposeNotOffered
        case .currency: .currencyNotTaken
        case .amount: .amountNotTaken
        }
    }
}

extension Route {
    /// - Throws: ``AdministrationError`` `route_invalid`.
    func check() throws(AdministrationError) {
        guard self.number >= 1 else {
            throw AdministrationError(.routeInvalid, "A route's number is 1 or more.")
        }
        try self.condition.check()
    }
}

extension Route.Condition {
    /// Whether a route can have it.
    ///
    /// - Throws: ``AdministrationError`` `route_invalid`.
    public func check() throws(AdministrationError) {
        let (least, most) = (self.minorUnitsMin, self.minorUnitsMax)
        guard least != nil || most != nil else { return }
        guard self.currency != nil else {
            throw AdministrationError(.routeInvalid, "A route by amount must name the currency.")
        }
        guard least ?? 0 >= 0, least ?? 0 <= most ?? .max else {
            throw AdministrationError(.routeInvalid, "A route's smallest amount is more than its largest, or negative.")
        }
    }
}

extension RouteDecision.Verdict {
    fileprivate init(_ misfit: Route.Condition.Misfit) {
        switch misfit {
        case .dialect: self = .otherDialect
        case .network: self = .otherNetwork
        case .currency: self = .otherCurrency
        case .amount: self = .otherAmount
        }
    }
}
