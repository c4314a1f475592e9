//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Payments
import Time

/// Closed days and settlements.
extension MemoryReading {
    func closedDay(_ day: String, of merchant: MerchantID) throws -> ClosedDay? {
        self.state.closedDays[MemoryState.DayKey(merchantID: merchant, day: day)]
    }

    func lastClosedDay(of merchant: MerchantID) throws -> ClosedDay? {
        try self.closedDays(of: merchant, after: "", limit: .max).last
    }

    func closedDays(of merchant: MerchantID, after day: String, limit: Int) throws -> [ClosedDay] {
        let days = self.state.closedDays.values.filter { $0.merchantID == merchant && $0.day > day }
        return Array(days.sorted { $0.day < $1.day }.prefix(max(0, limit)))
    }

    func settlementFile(_ id: SettlementFileID) throws -> SettlementFile? { self.state.settlementFiles[id] }

    func settlementFile(of account: AcquirerAccountID, digest: [UInt8]) throws -> SettlementFile? {
        self.state.settlementFiles.values.first { $0.accountID == account && $0.digest == digest }
    }

    func settlementFiles(
        of merchant: MerchantID?, before id: SettlementFileID?, limit: Int
    ) throws -> [SettlementFile] {
        let files = self.state.settlementFiles.values.filter { file in
            (merchant.map { file.merchantID == $0 } ?? true) && (id.map { file.id < $0 } ?? true)
        }
        return Array(files.sorted { $0.id > $1.id }.prefix(max(0, limit)))
    }

    func settlementFiles(of merchant: MerchantID, from: Timestamp, to: Timestamp) throws -> Set<SettlementFileID> {
        Set(
            self.state.settlementFiles.values.lazy
                .filter { $0.merchantID == merchant && $0.from < to && $0.to > from }.map(\.id))
    }

    func settlementItem(_ id: SettlementItem.ID) throws -> SettlementItem? { self.state.settlementItems[id] }

    func settlementItem(of account: AcquirerAccountID, identity: String) throws -> SettlementItem? {
        let line = MemoryState.SettlementLine(accountID: account, identity: identity)
        return self.state.itemsOfLines[line].flatMap { self.state.settlementItems[$0] }
    }

    func settlementItem(settling operation: OperationID) throws -> SettlementItem? {
        self.state.itemsOfOperations[operation].flatMap { self.state.settlementItems[$0] }
    }

    func settlementItems(_ query: SettlementQuery) throws -> [SettlementItem] {
        let items = self.state.settlementItems.values.filter(query.fits).sorted { $0.id < $1.id }
        return Array(items.prefix(max(0, query.limit)))
    }

    func settlementItems(in window: SettlementWindow) throws -> [SettlementItem] {
        let placed = self.state.settlementItems.values.compactMap { item in
            window.place(of: item).map { (item: item, place: $0) }
        }
        return placed.sorted { $0.place < $1.place }.prefix(max(0, window.limit)).map(\.item)
    }

    func settlementJournal(of item: SettlementItem) throws -> [JournalEntry] {
        self.state.settlementJournals[item.id] ?? []
    }

    func settlementPostingsCount() throws -> Int {
        self.state.settlementJournals.values.joined().reduce(0) { $0 + $1.postings.count }
    }
}

extension MemoryTransaction {
    func insert(_ day: ClosedDay) throws {
        let key = MemoryState.DayKey(merchantID: day.merchantID, day: day.day)
        guard self.state.closedDays[key] == nil else { throw StoreError.duplicate("closed day") }
        self.refer(to: day.merchantID, in: \.merchants)
        self.put(day, key, in: \.closedDays)
    }

    func insert(_ file: SettlementFile) throws {
        guard self.state.settlementFiles[file.id] == nil else { throw StoreError.duplicate("settlement file id") }
        guard try self.settlementFile(of: file.accountID, digest: file.digest) == nil else {
            throw StoreError.duplicate("settlement file")
        }
        self.refer(to: file.accountID, of: file.merchantID)
        self.put(file, file.id, in: \.settlementFiles)
    }

    func insert(_ item: SettlementItem, booking entry: JournalEntry?) throws {
        let line = MemoryState.SettlementLine(accountID: item.accountID, identity: item.identity)
        guard self.state.settlementItems[item.id] == nil else { throw StoreError.duplicate("settlement item id") }
        guard self.state.itemsOfLines[line] == nil else { throw StoreError.duplicate("settlement line") }
        if let operation = item.operationID, item.verdict.settles {
            guard self.state.itemsOfOperations[operation] == nil else {
                throw StoreError.duplicate("settlement of an operation")
            }
            self.put(item.id, operation, in: \.itemsOfOperations)
        }
        self.refer(to: item.id.file, in: \.settlementFiles)
        self.refer(to: item.operationID, in: \.paymentsOfOperations)
        self.put(item.id, line, in: \.itemsOfLines)
        self.put(item, item.id, in: \.settlementItems)
        if let entry { self.put([entry], item.id, in: \.settlementJournals) }
    }

    func resolve(_ item: SettlementItem, booking entry: JournalEntry?) throws {
        guard var stored = self.state.settlementItems[item.id], stored.resolution == nil else {
            throw StoreError.conflict
        }
        stored.resolution = item.resolution
        self.put(stored, item.id, in: \.settlementItems)
        guard let entry else { return }
        self.put((self.state.settlementJournals[item.id] ?? []) + [entry], item.id, in: \.settlementJournals)
    }
}

extension SettlementQuery {
    fileprivate func fits(_ item: SettlementItem) -> Bool {
        if let merchantID = self.merchantID, item.merchantID != merchantID { return false }
        if let fileID = self.fileID, item.id.file != fileID { return false }
        if let operationID = self.operationID, item.operationID != operationID { return false }
        if !self.dates.isEmpty, !self.dates.contains(item.date) { return false }
        if self.isOpen, !item.isOpen { return false }
        if let after = self.after, !(after < item.id) { return false }
        return true
    }
}

extension SettlementWindow {
    /// Where an item stands among those that fit; `nil` for one that does not.
    fileprivate func place(of item: SettlementItem) -> (Timestamp, SettlementItem.ID)? {
        guard item.merchantID == self.merchantID, let cursor = self.cursor(of: item), self.contains(cursor.bookedAt)
        else { return nil }
        let place = (cursor.bookedAt, cursor.id)
        return self.after.map { ($0.bookedAt, $0.id) < place } ?? true ? place : nil
    }
}
