//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Payments
public import StrictJSON
import Time

/// What the settlement files that cover a day say of it, under one account with an acquirer and in one currency: their
/// lines themselves, whatever has been said of the differences since.
public struct DaySettled: Hashable, Sendable {
    public let accountID: AcquirerAccountID
    /// What the account is called.
    public let account: String
    /// How many lines of the day there are, without those about fees.
    public private(set) var linesCount = 0
    /// What they come to, before fees: less than nothing where more was taken back than paid.
    public private(set) var paid: Money
    /// Differences that nobody has explained.
    public private(set) var openCount = 0
    /// What they come to: what the acquirer says more than the ledger.
    public private(set) var open: Money
    /// The same of those that somebody has explained.
    public private(set) var explained: Money

    fileprivate init(_ accountID: AcquirerAccountID, account: String, _ currency: Currency) {
        self.accountID = accountID
        self.account = account
        (self.paid, self.open, self.explained) = (.zero(currency), .zero(currency), .zero(currency))
    }

    public var currency: Currency { self.paid.currency }

    /// - Throws: ``AdministrationError`` `sum_too_large`.
    fileprivate mutating func add(_ item: SettlementItem) throws(AdministrationError) {
        // Fees stand beside: when they are booked is the import's day, and not the lines'.
        guard item.kind != .fee, item.verdict != .failedLate else { return }
        if item.verdict != .missingInFile {
            self.linesCount += 1
            if item.kind.isPaid { try self.paid.add(item.amount) } else { try self.paid.subtract(item.amount) }
        }
        let difference = Money(minorUnits: item.differenceMinorUnits, currency: self.currency)
        if item.isOpen {
            self.openCount += 1
            try self.open.add(difference)
        } else {
            try self.explained.add(difference)
        }
    }

    public var view: JSONObject {
        var object = JSONObject()
        object["accountId"] = .string(self.accountID.text)
        object["account"] = .string(self.account)
        object["currency"] = .string(self.currency.code)
        object["lines"] = JSON(self.linesCount)
        object["paid"] = .string(self.paid.decimalText)
        object["openDifferences"] = JSON(self.openCount)
        object["open"] = .string(self.open.decimalText)
        object["explained"] = .string(self.explained.decimalText)
        return object
    }
}

/// The same of all accounts and currencies.
private struct DaySettledSums: Sendable {
    private struct Key: Hashable {
        let account: AcquirerAccountID
        let currency: Currency
    }

    private var sums: [Key: DaySettled] = [:]

    var sorted: [DaySettled] {
        self.sums.values.sorted { ($0.accountID, $0.currency.code) < ($1.accountID, $1.currency.code) }
    }

    mutating func add(_ item: SettlementItem, in reader: any StoreReader) throws {
        let key = Key(account: item.accountID, currency: item.amount.currency)
        var sum: DaySettled
        if let known = self.sums[key] {
            sum = known
        } else {
            let name = try reader.acquirerAccount(item.accountID)?.name ?? item.accountID.text
            sum = DaySettled(item.accountID, account: name, item.amount.currency)
        }
        try sum.add(item)
        self.sums[key] = sum
    }
}

extension Administration {
    /// What the bank says of a day, by account and currency, in the order of the accounts' ids.
    ///
    /// - Throws: ``AdministrationError`` `sum_too_large`; `StoreError`.
    public func settled(on report: DayReport, of merchant: MerchantID) async throws -> [DaySettled] {
        let day = report.day.description
        var sums = DaySettledSums()
        let (from, to) = (report.from, report.to)
        let files = try await self.read { try $0.settlementFiles(of: merchant, from: from, to: to) }
        for file in files.sorted() {
            // What the file lacks has no date there, and gets its own when it is read.
            var query = SettlementQuery(fileID: file, dates: [day, ""], limit: Self.reportPageCount)
            while true {
                let (page, before) = (query, sums)
                let (after, count, last) = try await self.read { reader in
                    var sums = before
                    let items = try Self.dated(try reader.settlementItems(page), in: reader)
                    for item in items where item.date == day { try sums.add(item, in: reader) }
                    return (sums, items.count, items.last?.id)
                }
                sums = after
                query.after = last
                guard count == Self.reportPageCount else { break }
            }
        }
        return sums.sorted
    }
}
