//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import Ledger
import Money
import Payments
import Time

/// Adds up what was booked within a time, and digests it on the way: nothing of it is kept but the sums.
struct DaySum {
    private struct Key: Hashable {
        let account: AcquirerAccountID
        let currency: Currency
    }

    private var totals: [Key: DayTotal] = [:]
    private var names: [AcquirerAccountID: String] = [:]
    private var hash = SHA256()
    private(set) var movementsCount = 0

    mutating func add(_ movement: Movement, in reader: any StoreReader) throws {
        let (payment, operation) = (movement.payment, movement.operation)
        let fee = try movement.fee(in: reader)
        let amount = operation.movedAmount
        self.movementsCount += 1
        self.hash.update(fields: [
            "movement", "\(movement.resolvedAt.milliseconds)", payment.id.text, operation.id.text,
            operation.kind.rawValue, operation.state == .succeeded ? "succeeded" : "failed", "\(amount.minorUnits)",
            amount.currency.code, "\(movement.change.minorUnits)", payment.accountID.text,
            fee.map { "\($0.minorUnits)" } ?? "",
        ])
        guard fee != nil || !movement.change.isZero else { return }
        try self.change(payment.accountID, amount.currency, in: reader) { total throws(AdministrationError) in
            try total.add(movement, fee: fee)
        }
    }

    /// What was booked for a settlement file within a window, as far as it is fees or changes what the merchant is owed.
    mutating func add(
        _ item: SettlementItem, in window: SettlementWindow, _ reader: any StoreReader
    ) throws {
        let (fees, payable) = (Bookkeeping.fees(of: item.accountID), Bookkeeping.payable(to: item.merchantID))
        for entry in try Bookkeeping.entries(for: item) where window.contains(entry.bookedAt) {
            self.hash.update(fields: ["settlement", "\(entry.bookedAt.milliseconds)", entry.id])
            for posting in entry.postings {
                let (units, currency) = (posting.amount.minorUnits, posting.amount.currency)
                self.hash.update(fields: [posting.account.path, posting.side.rawValue, "\(units)", currency.code])
                guard posting.account == fees || posting.account == payable else { continue }
                let amount = Money(minorUnits: posting.side == .debit ? units : -units, currency: currency)
                try self.change(item.accountID, currency, in: reader) { total throws(AdministrationError) in
                    if posting.account == fees { return try total.fees.add(amount) }
                    total.correctionsCount += 1
                    try total.corrections.subtract(amount)
                }
            }
        }
    }

    private mutating func change(
        _ account: AcquirerAccountID, _ currency: Currency, in reader: any StoreReader,
        _ body: (inout DayTotal) throws(AdministrationError) -> Void
    ) throws {
        let key = Key(account: account, currency: currency)
        var total: DayTotal
        if let known = self.totals[key] {
            total = known
        } else {
            let name = try self.names[account] ?? reader.acquirerAccount(account)?.name ?? account.text
            self.names[account] = name
            total = DayTotal(accountID: account, account: name, currency: currency)
        }
        try body(&total)
        self.totals[key] = total
    }

    var digest: [UInt8] { Array(self.hash.finalize()) }

    /// By account and currency, in the order of the accounts' ids.
    var sorted: [DayTotal] {
        self.totals.values.sorted { ($0.accountID, $0.currency.code) < ($1.accountID, $1.currency.code) }
    }
}
