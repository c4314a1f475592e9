//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Payments
import StrictJSON

/// What a day comes to under one account with an acquirer, in one currency.
public struct DayTotal: Hashable, Sendable {
    public let accountID: AcquirerAccountID
    /// What the account was called.
    public let account: String
    public var capturesCount = 0
    public var captures: Money
    public var refundsCount = 0
    public var refunds: Money
    public var chargebacksCount = 0
    public var chargebacks: Money
    public var correctionsCount = 0
    /// What voids and late failures took back: negative where captures were, positive where refunds were; and what
    /// differences of settlement files that were resolved as the merchant's changed.
    public var corrections: Money
    /// What the acquirer kept, by its reports and settlement files.
    public var fees: Money

    public var currency: Currency { self.captures.currency }

    init(accountID: AcquirerAccountID, account: String, currency: Currency) {
        self.accountID = accountID
        self.account = account
        let zero = Money.zero(currency)
        (self.captures, self.refunds, self.chargebacks, self.corrections, self.fees) = (zero, zero, zero, zero, zero)
    }

    /// What is left of the captures.
    ///
    /// - Throws: ``AdministrationError`` `sum_too_large`.
    public func net() throws(AdministrationError) -> Money {
        var net = self.captures
        for taken in [self.refunds, self.chargebacks, self.fees] { try net.subtract(taken) }
        try net.add(self.corrections)
        return net
    }

    /// What it has changed of what the merchant is owed: all but the fees.
    ///
    /// - Throws: ``AdministrationError`` `sum_too_large`.
    public func change() throws(AdministrationError) -> Money {
        var change = try self.net()
        try change.add(self.fees)
        return change
    }

    mutating func add(_ movement: Movement, fee: Money?) throws(AdministrationError) {
        let change = movement.change
        if let fee { try self.fees.add(fee) }
        guard !change.isZero else { return }
        switch movement.operation.kind {
        case .capture:
            self.capturesCount += 1
            try self.captures.add(change)
        case .refund:
            self.refundsCount += 1
            try self.refunds.subtract(change)
        case .chargeback:
            self.chargebacksCount += 1
            try self.chargebacks.subtract(change)
        case .void, .lateFailure:
            self.correctionsCount += 1
            try self.corrections.add(change)
        case .authorization, .adjustment, .verification, .reversal: break
        }
    }
}

extension Money {
    /// - Throws: ``AdministrationError`` `sum_too_large` where the sum is beyond 64 bits.
    mutating func add(_ other: Money) throws(AdministrationError) {
        guard let sum = self.adding(other) else { throw AdministrationError.sumTooLarge }
        self = sum
    }

    /// - Throws: ``AdministrationError`` `sum_too_large`.
    mutating func subtract(_ other: Money) throws(AdministrationError) {
        guard other.minorUnits != .min else { throw AdministrationError.sumTooLarge }
        try self.add(Money(minorUnits: -other.minorUnits, currency: other.currency))
    }
}

extension AdministrationError {
    static let sumTooLarge = AdministrationError(
        .sumTooLarge, "A sum of the report is beyond what 64 bits hold. Ask for a shorter time.")
}

// MARK: - As JSON

extension DayTotal {
    /// - Throws: ``AdministrationError`` `sum_too_large`.
    func json() throws(AdministrationError) -> JSON {
        [
            "accountId": .string(self.accountID.text), "account": .string(self.account),
            "currency": .string(self.currency.code), "captures": JSON(self.capturesCount),
            "captured": .string(self.captures.decimalText), "refunds": JSON(self.refundsCount),
            "refunded": .string(self.refunds.decimalText), "chargebacks": JSON(self.chargebacksCount),
            "chargedBack": .string(self.chargebacks.decimalText), "corrections": JSON(self.correctionsCount),
            "corrected": .string(self.corrections.decimalText), "fees": .string(self.fees.decimalText),
            "net": .string(try self.net().decimalText),
        ]
    }

    /// A total as ``json()`` wrote it.
    init?(_ json: JSON) {
        guard let id = json["accountId"]?.string.flatMap(AcquirerAccountID.init), let account = json["account"]?.string,
            let currency = json["currency"]?.string.flatMap(Currency.alphabetic)
        else { return nil }
        self.init(accountID: id, account: account, currency: currency)
        let count = { (name: String) in json[name]?.integer.flatMap { Int(exactly: $0) } }
        let money = { (name: String) in json[name]?.string.flatMap { Money(signedText: $0, currency: currency) } }
        guard let captures = count("captures"), let captured = money("captured"), let refunds = count("refunds"),
            let refunded = money("refunded"), let chargebacks = count("chargebacks"),
            let chargedBack = money("chargedBack"), let corrections = count("corrections"),
            let corrected = money("corrected"), let fees = money("fees")
        else { return nil }
        (self.capturesCount, self.captures) = (captures, captured)
        (self.refundsCount, self.refunds) = (refunds, refunded)
        (self.chargebacksCount, self.chargebacks) = (chargebacks, chargedBack)
        (self.correctionsCount, self.corrections) = (corrections, corrected)
        self.fees = fees
    }
}

extension Money {
    /// "-10.50".
    init?(signedText text: String, currency: Currency) {
        let isNegative = text.hasPrefix("-")
        guard
            let amount = try? Money(sumText: isNegative ? String(text.dropFirst()) : text, currency: currency)
        else { return nil }
        self.init(minorUnits: isNegative ? -amount.minorUnits : amount.minorUnits, currency: currency)
    }
}
