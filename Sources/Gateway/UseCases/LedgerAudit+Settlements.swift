//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Money
import Payments

extension LedgerReport {
    /// Checks what is booked for settlement files: each item's entries are those that follow from the item, and what
    /// it says of an operation is what the operation is.
    mutating func checkSettlements(on reader: any StoreReader, adding total: inout LedgerBalances) throws {
        var query = SettlementQuery(limit: 256)
        var postingsCount = 0
        while true {
            let page = try reader.settlementItems(query)
            postingsCount += try self.check(page, on: reader, adding: &total)
            guard let last = page.last else { break }
            query.after = last.id
        }
        let written = try reader.settlementPostingsCount()
        if written != postingsCount {
            self.problems.append("settlements come to \(postingsCount) postings, and \(written) are written")
        }
    }

    /// - Returns: how many postings there are for the items.
    private mutating func check(
        _ page: [SettlementItem], on reader: any StoreReader, adding total: inout LedgerBalances
    ) throws -> Int {
        switch try Result(catching: { try reader.settlementJournals(of: page) }).mapStoreError() {
        case .success(let journals):
            var postingsCount = 0
            for item in page {
                let entries = journals[item.id] ?? []
                self.entriesCount += entries.count
                self.settlementEntriesCount += entries.count
                postingsCount += entries.reduce(0) { $0 + $1.postings.count }
                self.check(item, entries, adding: &total)
            }
            try self.checkOperations(of: page, on: reader)
            return postingsCount
        // One item's rows are no reason not to look at the others.
        case .failure where page.count > 1:
            return try page.reduce(0) { try $0 + self.check([$1], on: reader, adding: &total) }
        case .failure(let error):
            self.problems += page.map { "settlement \($0.id): \(error)" }
            return 0
        }
    }

    private mutating func check(
        _ item: SettlementItem, _ entries: [JournalEntry], adding total: inout LedgerBalances
    ) {
        do throws(LedgerError) {
            if try Bookkeeping.entries(for: item) != entries {
                self.problems.append("settlement \(item.id): what is booked does not follow from its line")
            }
            for entry in entries { try total.add(entry) }
        } catch {
            self.problems.append("settlement \(item.id): \(error)")
        }
    }

    private mutating func checkOperations(of page: [SettlementItem], on reader: any StoreReader) throws {
        let ids = Set(page.compactMap { $0.operationID == nil ? nil : $0.paymentID })
        switch try Result(catching: { try reader.payments(ids) }).mapStoreError() {
        case .success(let payments): for item in page { self.checkOperation(of: item, payments) }
        case .failure where page.count > 1: for item in page { try self.checkOperations(of: [item], on: reader) }
        case .failure: break  // Found where payments are checked.
        }
    }

    private mutating func checkOperation(of item: SettlementItem, _ payments: [PaymentID: Payment]) {
        guard let paymentID = item.paymentID, let operationID = item.operationID else { return }
        guard let payment = payments[paymentID] else {
            self.problems.append("settlement \(item.id): the payment \(paymentID) is gone")
            return
        }
        let operation = payment.operation(operationID)
        let amount = operation?.movedAmount
        if payment.accountID != item.accountID || operation?.kind != item.kind.operationKind
            || amount?.minorUnits != item.ledgerMinorUnits || amount?.currency != item.amount.currency
        {
            self.problems.append("settlement \(item.id): the operation \(operationID) is not what the item says")
        }
    }
}
