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
            for item in page {
                let found = try Result { try reader.settlementJournal(of: item) }.mapStoreError()
                switch found {
                case .success(let entries):
                    self.entriesCount += entries.count
                    self.settlementEntriesCount += entries.count
                    postingsCount += entries.reduce(0) { $0 + $1.postings.count }
                    self.check(item, entries, adding: &total)
                    try self.checkOperation(of: item, on: reader)
                case .failure(let error): self.problems.append("settlement \(item.id): \(error)")
                }
            }
            guard let last = page.last else { break }
            query.after = last.id
        }
        let written = try reader.settlementPostingsCount()
        if written != postingsCount {
            self.problems.append("settlements come to \(postingsCount) postings, and \(written) are written")
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

    private mutating func checkOperation(of item: SettlementItem, on reader: any StoreReader) throws {
        guard let paymentID = item.paymentID, let operationID = item.operationID else { return }
        switch try Result(catching: { try reader.payment(paymentID) }).mapStoreError() {
        case .success(let payment?):
            let operation = payment.operation(operationID)
            let amount = operation.map { $0.approvedAmount ?? $0.amount }
            guard payment.accountID == item.accountID, operation?.kind == item.kind.operationKind,
                amount?.minorUnits == item.ledgerMinorUnits, amount?.currency == item.amount.currency
            else {
                self.problems.append("settlement \(item.id): the operation \(operationID) is not what the item says")
                return
            }
        case .success(nil): self.problems.append("settlement \(item.id): the payment \(paymentID) is gone")
        case .failure: break  // Found where payments are checked.
        }
    }
}
