//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import HTTPTypes
import Money
import Payments
import StrictJSON

extension AdminEndpoints {
    static let routes: [Endpoint] = [
        Endpoint(
            method: .get, path: "/merchants/{merchant}/routes", name: "getRoutes",
            summary: "Which acquirer account takes which payments: the first route that fits and can.", group: "Routes",
            scope: .routesRead, answer: AdminSchemas.list(of: "Route")
        ) { call in
            let merchant = try await call.merchant()
            return .resource(try await call.administration.read { try Self.view(of: merchant, in: $0) })
        },
        Endpoint(
            method: .put, path: "/merchants/{merchant}/routes", name: "setRoutes",
            summary: "Set all routes of the merchant in the place of those that it has.", group: "Routes",
            scope: .routesWrite, body: .object(.init("data", .list(AdminSchemas.route, max: 100))),
            answer: AdminSchemas.list(of: "Route"), precondition: .ifMatch
        ) { call in
            let merchant = try await call.merchant()
            let accounts = try await call.administration.read { try $0.acquirerAccounts(of: merchant.id) }
            let list = call.body["data"]?.array ?? []
            let routes = try list.enumerated().map { index, json in
                try Self.route(json, at: "/data/\(index)", accounts, call.house)
            }
            let administration = try call.acting(changing: { try Self.view(of: merchant, in: $0) })
            try await administration.setRoutes(of: merchant.id, to: routes)
            return .resource(try await call.administration.read { try Self.view(of: merchant, in: $0) })
        },
        Endpoint(
            method: .post, path: "/merchants/{merchant}/routes/test", name: "testRoutes",
            summary: "Which account a payment would take, and why; of the dialect's usual purpose if none is named.",
            group: "Routes", scope: .routesRead,
            body: .object(
                .init("dialect", .line(32)), .optional("network", .choice(CardNetwork.allCases.map(\.rawValue))),
                .init("amount", .amount()), .init("currency", .currency),
                .optional("purpose", .choice(AuthorizeCommand.Purpose.allCases.map(\.rawValue)))),
            answer: .object(
                .init("acquirer", .nullable(AdminSchemas.anyText)),
                .init("obstacle", .nullable(.choice(RouteDecision.Obstacle.allCases.map(\.rawValue)))),
                .init(
                    "steps",
                    .list(
                        .object(
                            .init("route", .integer(1...1_000_000)), .init("acquirer", AdminSchemas.anyText),
                            .init("verdict", .choice(RouteDecision.Verdict.allCases.map(\.rawValue)))), max: 1000)))
        ) { call in
            let merchant = try await call.merchant()
            let plan = try call.house.plan(call.required("dialect"))
            let amount = try Self.money(call.required("amount"), call.required("currency"), at: "")
            let decision = try await call.administration.testRoute(
                of: merchant.id, dialect: plan.dialect,
                network: call.text("network").flatMap(CardNetwork.init(rawValue:)) ?? .visa, amount: amount,
                purpose: call.text("purpose").flatMap(AuthorizeCommand.Purpose.init(rawValue:)) ?? plan.usualPurpose)
            let steps = decision.steps.map { step -> JSON in
                [
                    "route": JSON(Int64(step.route.number)), "acquirer": .string(step.account),
                    "verdict": .string(step.verdict.rawValue),
                ]
            }
            return Answer([
                "acquirer": .string(orNull: decision.taken?.account),
                "obstacle": .string(orNull: decision.obstacle?.rawValue), "steps": .array(steps),
            ])
        },
    ]

    static func view(of merchant: Merchant, in reader: any StoreReader) throws -> JSONObject {
        let names = Dictionary(
            try reader.acquirerAccounts(of: merchant.id).map { ($0.id, $0.name) },
            uniquingKeysWith: { first, _ in first })
        let routes = try reader.routes(of: merchant.id)
        let views = routes.map { JSON.object($0.view(acquirer: names[$0.account] ?? $0.account.text)) }
        return JSONObject([(name: "data", value: .array(views))])
    }

    private static func route(
        _ json: JSON, at pointer: String, _ accounts: [AcquirerAccount], _ house: House
    ) throws -> Route {
        func wrong(_ member: String, _ detail: String) -> Problem {
            .invalid([Schema.Violation(pointer: pointer.appending(member: member), detail: detail)])
        }
        guard let account = accounts.first(where: { $0.name == json["acquirer"]?.string }) else {
            throw wrong(
                "acquirer",
                "must be one of the merchant's acquirer accounts: \(accounts.map(\.name).joined(separator: ", "))")
        }
        var condition = Route.Condition()
        if let dialect = json["dialect"]?.string {
            guard let plan = house.plans.first(where: { $0.dialect.text == dialect }) else {
                throw wrong("dialect", "must be one of: \(house.plans.map(\.dialect.text).joined(separator: ", "))")
            }
            condition.dialect = plan.dialect
        }
        if let network = json["network"]?.string {
            guard let known = CardNetwork(rawValue: network) else {
                throw wrong(
                    "network", "must be one of: \(CardNetwork.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            condition.network = known
        }
        if let code = json["currency"]?.string {
            guard let currency = Currency.alphabetic(code) else {
                throw wrong("currency", "is no currency of ISO 4217")
            }
            condition.currency = currency
        }
        for (name, bound) in [("from", \Route.Condition.minorUnitsMin), ("to", \Route.Condition.minorUnitsMax)] {
            guard let text = json[name]?.string else { continue }
            guard let currency = condition.currency else { throw wrong(name, "needs a currency beside it") }
            condition[keyPath: bound] = try self.money(text, currency.code, at: pointer.appending(member: name))
                .minorUnits
        }
        return Route(number: Int(json["number"]?.wholeNumber ?? 1), account: account.id, condition: condition)
    }

    /// - Parameter pointer: where the amount stands; empty for the body's own members.
    static func money(_ text: String, _ code: String, at pointer: String) throws(Problem) -> Money {
        guard let currency = Currency.alphabetic(code) else {
            throw .invalid([Schema.Violation(pointer: "/currency", detail: "is no currency of ISO 4217")])
        }
        guard let money = try? Money(decimalText: text, currency: currency) else {
            throw .invalid([
                Schema.Violation(
                    pointer: pointer.isEmpty ? "/amount" : pointer,
                    detail: "must be an amount in the major unit with no more decimals than \(currency.code) has")
            ])
        }
        return money
    }
}
