//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money

/// Which of a merchant's acquirer accounts a payment takes. The first route that fits decides, in the order of their
/// numbers.
public struct Route: Hashable, Sendable {
    /// Unique among the merchant's, from 1. The lowest is asked first.
    public let number: Int
    public let account: AcquirerAccountID
    public let condition: Condition

    public init(number: Int, account: AcquirerAccountID, condition: Condition = Condition()) {
        self.number = number
        self.account = account
        self.condition = condition
    }

    /// Which payments it takes. What is not said takes all.
    public struct Condition: Hashable, Sendable {
        public var dialect: DialectName?
        public var network: CardNetwork?
        public var currency: Currency?
        /// The smallest amount, in minor units of the currency, which must be said then.
        public var minorUnitsMin: Int64?
        /// The largest amount.
        public var minorUnitsMax: Int64?

        public init(
            dialect: DialectName? = nil, network: CardNetwork? = nil, currency: Currency? = nil,
            minorUnitsMin: Int64? = nil, minorUnitsMax: Int64? = nil
        ) {
            self.dialect = dialect
            self.network = network
            self.currency = currency
            self.minorUnitsMin = minorUnitsMin
            self.minorUnitsMax = minorUnitsMax
        }

        /// What keeps a payment from taking the route.
        public enum Misfit: Hashable, Sendable, CaseIterable {
            case dialect
            case network
            case currency
            case amount
        }

        /// The first thing that does not fit; `nil` when the payment takes the route.
        ///
        /// - Parameter network: `nil` while the card is not known: what only one network takes does not fit.
        public func misfit(dialect: DialectName, network: CardNetwork?, amount: Money?) -> Misfit? {
            if let own = self.dialect, own != dialect { return .dialect }
            if let own = self.network, own != network { return .network }
            if let own = self.currency, own != amount?.currency { return .currency }
            guard self.minorUnitsMin != nil || self.minorUnitsMax != nil else { return nil }
            guard let units = amount?.minorUnits, units >= self.minorUnitsMin ?? .min,
                units <= self.minorUnitsMax ?? .max
            else { return .amount }
            return nil
        }

        public func fits(dialect: DialectName, network: CardNetwork?, amount: Money?) -> Bool {
            self.misfit(dialect: dialect, network: network, amount: amount) == nil
        }
    }
}
