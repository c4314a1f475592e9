//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money

/// How an acquirer counts a currency, and how much of it a payment may be.
public struct CurrencyTerms: Hashable, Sendable {
    /// How many decimals of the major unit its own unit is: as ISO 4217 has it at most acquirers, 0 for the TWD at TapPay,
    /// where ISO 4217 has 2.
    public var exponent: Int
    /// The least and the most that a payment may be, in minor units of ISO 4217.
    public var minorUnits: ClosedRange<Int64>

    public init(exponent: Int, minorUnits: ClosedRange<Int64>) {
        self.exponent = exponent
        self.minorUnits = minorUnits
    }

    /// An amount in the acquirer's own unit.
    ///
    /// - Returns: `nil` for an amount that is no whole number of it, or is beyond `Int64`.
    public func units(of amount: Money) -> Int64? {
        var units = amount.minorUnits
        var exponent = amount.currency.exponent
        while exponent > self.exponent {
            guard units.isMultiple(of: 10) else { return nil }
            (units, exponent) = (units / 10, exponent - 1)
        }
        while exponent < self.exponent {
            let (product, overflow) = units.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            (units, exponent) = (product, exponent + 1)
        }
        return units
    }
}

extension [Currency: CurrencyTerms] {
    /// Terms of currencies that are counted as ISO 4217 has it, all with the same bounds.
    public static func asInISO4217(
        _ currencies: some Sequence<Currency>, minorUnits: ClosedRange<Int64>
    ) -> [Currency: CurrencyTerms] {
        .init(
            currencies.map { ($0, CurrencyTerms(exponent: $0.exponent, minorUnits: minorUnits)) },
            uniquingKeysWith: { first, _ in first })
    }
}

/// Why an acquirer takes no payment of an amount.
public enum AmountObstacle: String, Hashable, Sendable {
    /// The account is not paid in the currency.
    case currency = "currency_not_taken"
    /// It is less than the least, more than the most, or no whole number of the acquirer's unit.
    case amount = "amount_not_taken"
}

extension AcquirerCapabilities {
    /// What keeps a payment of an amount from being asked for; `nil` where nothing does.
    public func obstacle(to amount: Money) -> AmountObstacle? {
        guard let currencies = self.currencies else { return nil }
        guard let terms = currencies[amount.currency] else { return .currency }
        return terms.minorUnits.contains(amount.minorUnits) && terms.units(of: amount) != nil ? nil : .amount
    }

    /// What keeps a request from being sent; `nil` where nothing does. What follows a payment is sent whatever the account's
    /// currencies are by then.
    public func obstacle(to request: AcquirerRequest) -> AmountObstacle? {
        switch request.action {
        case .authorize, .verify: self.obstacle(to: request.amount)
        case .capture, .refund, .void, .adjust, .reverse:
            self.counts(request.amount) && self.bounds?.contains(request.amount.minorUnits) ?? true ? nil : .amount
        }
    }

    /// What an amount may be in any of the currencies; a part may be less than a payment.
    private var bounds: ClosedRange<Int64>? {
        self.currencies?.values.map(\.minorUnits.upperBound).max().map { 1...max(1, $0) }
    }

    /// Whether a payment of an amount can be asked for.
    public func takes(_ amount: Money) -> Bool { self.obstacle(to: amount) == nil }

    /// Whether an account is paid in a currency at all.
    public func takes(_ currency: Currency) -> Bool { self.currencies.map { $0[currency] != nil } ?? true }

    /// How many minor units of ISO 4217 the unit is in which it counts a currency, and somebody else does whose unit is
    /// a power of ten, too: of two powers of ten the greater is a whole number of the other.
    public func unit(of currency: Currency, atLeast other: Int64) -> Int64 {
        guard let terms = self.currencies?[currency], terms.exponent < currency.exponent else { return other }
        return max(other, (terms.exponent..<currency.exponent).reduce(1) { unit, _ in unit * 10 })
    }

    /// Whether a part of a payment can be asked for: a capture or a refund, which may be less than a payment may be, and of a
    /// payment that was taken when the account had other currencies.
    public func counts(_ amount: Money) -> Bool {
        guard let terms = self.currencies?[amount.currency] else { return true }
        return terms.units(of: amount) != nil
    }
}
