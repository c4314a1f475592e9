//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
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
    }

    /// Every route, in their order.
    public let steps: [Step]

    /// The account that is taken.
    public var account: AcquirerAccountID? { self.steps.first { $0.verdict == .taken }?.route.account }
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
            let owner = try Self.merchant(merchant, in: transaction)
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
            guard !entry.isNothing else { return after }
            try transaction.replaceRoutes(of: merchant, with: after)
            return after
        }
    }

    /// Which account a payment would take.
    public func testRoute(
        of merchant: MerchantID, dialect: DialectName, network: CardNetwork, amount: Money
    ) async throws -> RouteDecision {
        let (routes, accounts) = try await self.read { reader in
            (try reader.routes(of: merchant), try reader.acquirerAccounts(of: merchant))
        }
        var isTaken = false
        let steps = routes.map { route in
            let account = accounts.first { $0.id == route.account }
            let verdict: RouteDecision.Verdict
            if let misfit = route.condition.misfit(dialect: dialect, network: network, amount: amount) {
                verdict = RouteDecision.Verdict(misfit)
            } else {
                verdict = account?.state != .active ? .suspended : isTaken ? .later : .taken
                isTaken = isTaken || verdict == .taken
            }
            return RouteDecision.Step(route: route, account: account?.name ?? route.account.text, verdict: verdict)
        }
        return RouteDecision(steps: steps)
    }
}

extension Route {
    /// - Throws: ``AdministrationError`` `route_invalid`.
    func check() throws(AdministrationError) {
        guard self.number >= 1 else {
            throw AdministrationError(.routeInvalid, "A route's number is 1 or more.")
        }
        let (least, most) = (self.condition.minorUnitsMin, self.condition.minorUnitsMax)
        guard least != nil || most != nil else { return }
        guard self.condition.currency != nil else {
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
