//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Payments
public import StrictJSON

extension Route {
    /// - Parameter acquirer: the name of its account.
    public func view(acquirer: String) -> JSONObject {
        var object = JSONObject()
        object["number"] = JSON(Int64(self.number))
        object["acquirer"] = .string(acquirer)
        object["dialect"] = self.condition.dialect.map { .string($0.text) }
        object["network"] = self.condition.network.map { .string($0.rawValue) }
        object["currency"] = self.condition.currency.map { .string($0.code) }
        object["from"] = self.condition.least.map { .string($0.decimalText) }
        object["to"] = self.condition.most.map { .string($0.decimalText) }
        return object
    }
}

extension Route.Condition {
    /// The least amount that it takes.
    public var least: Money? { self.money(self.minorUnitsMin) }
    /// The largest amount that it takes.
    public var most: Money? { self.money(self.minorUnitsMax) }

    private func money(_ minorUnits: Int64?) -> Money? {
        minorUnits.flatMap { units in self.currency.map { Money(minorUnits: units, currency: $0) } }
    }
}
