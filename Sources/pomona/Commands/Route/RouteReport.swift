//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import Money
import Payments
import StrictJSON

/// A merchant's routes as commands show them.
struct RouteReport: Sendable {
    let merchant: String
    let routes: [Route]
    /// The accounts' names.
    let names: [AcquirerAccountID: String]

    init(of merchant: Merchant, _ administration: Administration) async throws {
        let (routes, accounts) = try await administration.read { reader in
            (try reader.routes(of: merchant.id), try reader.acquirerAccounts(of: merchant.id))
        }
        self.merchant = merchant.name
        self.routes = routes
        self.names = Dictionary(accounts.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    }

    var json: JSON { ["merchant": .string(self.merchant), "routes": self.list] }

    var list: JSON {
        .array(self.routes.map { .object($0.view(acquirer: self.names[$0.account] ?? $0.account.text)) })
    }

    func write(to console: Console, json: Bool) {
        if json { return console.line(self.json.text(pretty: true)) }
        guard !self.routes.isEmpty else {
            return console.line("\(self.merchant) has no routes: it takes no payments.")
        }
        var table = Table([
            ("route", .right), ("acquirer", .left), ("dialect", .left), ("network", .left), ("amount", .left),
        ])
        for route in self.routes {
            table.add([
                "\(route.number)", self.names[route.account] ?? route.account.text,
                route.condition.dialect?.text ?? "any", route.condition.network?.rawValue ?? "any", route.amountWords,
            ])
        }
        for line in table.lines() { console.line(line) }
    }
}

extension Route {
    fileprivate var amountWords: String {
        guard let currency = self.condition.currency else { return "any" }
        switch (self.condition.least, self.condition.most) {
        case (nil, nil): return currency.code
        case (let least?, nil): return "from \(least)"
        case (nil, let most?): return "up to \(most)"
        case (let least?, let most?): return "\(least) to \(most)"
        }
    }
}

/// What a route is said to be for, in words of the command line or of a file.
enum RouteArguments {
    /// - Throws: ``CommandFailure`` `dialect_unknown`, `currency_unknown`, `amount_malformed`.
    static func condition(
        dialect: String?, network: CardNetwork?, currency: String?, from: String?, to: String?
    ) throws(CommandFailure) -> Route.Condition {
        let currency = try currency.map { text throws(CommandFailure) in try self.currency(text) }
        func units(_ text: String?) throws(CommandFailure) -> Int64? {
            guard let text, let currency else { return nil }
            return try self.money(text, currency).minorUnits
        }
        return Route.Condition(
            dialect: try dialect.map { text throws(CommandFailure) in try self.dialect(text) }, network: network,
            currency: currency, minorUnitsMin: try units(from), minorUnitsMax: try units(to))
    }

    static func dialect(_ name: String) throws(CommandFailure) -> DialectName {
        try DialectModule.required(name).plan.dialect
    }

    static func currency(_ code: String) throws(CommandFailure) -> Currency {
        guard let currency = Currency.alphabetic(code) else {
            throw CommandFailure(.currencyUnknown, stage: .input, "\(code) is no currency of ISO 4217.")
        }
        return currency
    }

    static func money(_ text: String, _ currency: Currency) throws(CommandFailure) -> Money {
        guard let money = try? Money(decimalText: text, currency: currency) else {
            throw CommandFailure(
                .amountMalformed, stage: .input,
                "An amount of \(currency.code) is written in the major unit, with no more decimals than it has, "
                    + "such as \(currency.amountExample)."
            )
        }
        return money
    }
}
