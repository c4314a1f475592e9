//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Money
import Payments
import Time

extension Trial {
    private func day(_ day: String, of merchant: Merchant) -> ClosedDay {
        let from = self.make.time()
        return ClosedDay(
            merchantID: merchant.id, day: day, timeZone: "Europe/Berlin", from: from, to: from.adding(seconds: 90_000),
            movementsCount: 3, digest: self.make.bytes(32), report: #"{"day":"Übertrag"}"#, closedAt: self.make.time(),
            closedBy: "älice@db1")
    }

    func closedDaysRoundTrip() async throws {
        let (merchant, other) = (try await self.storedMerchant(), try await self.storedMerchant())
        let days = ["2026-10-24", "2026-10-25", "2026-11-01"].map { self.day($0, of: merchant) }
        let foreign = self.day("2026-12-01", of: other)
        try await self.store.write { transaction in
            for day in days.reversed() + [foreign] { try transaction.insert(day) }
        }
        for day in days {
            try await self.expectStored(day, "closed day") { try $0.closedDay(day.day, of: merchant.id) }
        }
        try await self.expectStored(days[2], "the last closed day") { try $0.lastClosedDay(of: merchant.id) }
        try await self.expectStored([days[0], days[1]], "the first two") {
            try $0.closedDays(of: merchant.id, after: "", limit: 2)
        }
        try await self.expectStored([days[2]], "those after a day") {
            try $0.closedDays(of: merchant.id, after: "2026-10-25", limit: 9)
        }
        let missing = try await self.store.read { reader in
            [
                try reader.closedDay("2026-12-01", of: merchant.id), try reader.closedDay("2026-10-24", of: other.id),
            ]
        }
        try self.expectEqual(missing, [nil, nil], "days of other merchants")
    }

    func closedDaysAreClosedOnce() async throws {
        let merchant = try await self.storedMerchant()
        let day = self.day("2026-10-24", of: merchant)
        let again = self.day("2026-10-24", of: merchant)
        try await self.store.write { try $0.insert(day) }
        try await self.expectRefusal(.duplicate("closed day"), "a day that is closed") { try $0.insert(again) }
        let lost = self.day("2026-10-25", of: self.make.merchant())
        try await self.expectCorrupt("a day of no merchant") { try $0.insert(lost) }
        try await self.expectStored(day, "the closed day") { try $0.lastClosedDay(of: merchant.id) }
    }

    // MARK: - Settlements

    private func file(
        of merchant: MerchantID, digest: [UInt8]? = nil, from: Timestamp? = nil, to: Timestamp? = nil,
        part: SettlementFile.Part? = nil
    ) -> SettlementFile {
        SettlementFile(
            id: self.make.id(), merchantID: merchant, accountID: self.make.accountID(of: merchant), name: "März.csv",
            mapping: "mpgs", digest: digest ?? self.make.bytes(32), linesCount: 2, from: from ?? self.make.time(),
            to: to ?? self.make.time(), importedAt: self.make.time(), importedBy: "älice@db1", part: part)
    }

    private func item(
        _ number: Int, of file: SettlementFile, _ verdict: SettlementItem.Verdict, for operation: OperationID? = nil,
        of payment: PaymentID? = nil, identity: String? = nil, bookedAt: Timestamp? = nil
    ) throws -> SettlementItem {
        SettlementItem(
            id: SettlementItem.ID(file: file.id, number: number), merchantID: file.merchantID,
            accountID: file.accountID, kind: .payment, date: "2026-11-22", reference: "Ref \(number)",
            amount: try self.make.money(1000), feeMinorUnits: -25, verdict: verdict, operationID: operation,
            paymentID: payment, ledgerMinorUnits: operation == nil ? nil : 1200, isFeeBooked: number == 2,
            identity: identity ?? "line \(self.make.number())", bookedAt: bookedAt ?? self.make.time())
    }

    func settlementsRoundTrip() async throws {
        let sale = try await self.storedSale(minorUnits: 1200)
        let file = self.file(of: sale.merchantID)
        let captureID = sale.operations[1].id
        let matched = try self.item(2, of: file, .amountDiffers, for: captureID, of: sale.id)
        let unknown = try self.item(10, of: file, .missingInLedger)
        try await self.store.write { transaction in
            for item in [unknown, matched] {
                try transaction.insert(item, booking: try Bookkeeping.lineEntry(for: item))
            }
            try transaction.insert(file)
        }
        try await self.expectStored(file, "file") { try $0.settlementFile(file.id) }
        let part = self.file(
            of: sale.merchantID,
            part: SettlementFile.Part(wholeDigest: self.make.bytes(32), wholeLinesCount: 12_000))
        try await self.store.write { try $0.insert(part) }
        try await self.expectStored(part, "part of a file") { try $0.settlementFile(part.id) }
        try await self.expectStored(file, "file by its digest") {
            try $0.settlementFile(of: file.accountID, digest: file.digest)
        }
        try await self.expectStored(matched, "item") { try $0.settlementItem(matched.id) }
        try await self.expectStored(unknown, "item by its identity") {
            try $0.settlementItem(of: file.accountID, identity: unknown.identity)
        }
        try await self.expectStored(matched, "item by its operation") { try $0.settlementItem(settling: captureID) }
        let operations: Set<OperationID> = [captureID, sale.operations[0].id, self.make.id()]
        try await self.expectStored([captureID: matched], "items by their operations") {
            try $0.settlementItems(settling: operations)
        }
        let (asked, recognized): (Set, [String: SettlementItem]) = (
            [unknown.identity, matched.identity, "nobody's", ""],
            [unknown.identity: unknown, matched.identity: matched]
        )
        try await self.expectStored(recognized, "items by their identities") {
            try $0.settlementItems(of: file.accountID, identities: asked)
        }
        let elsewhere: AcquirerAccountID = self.make.id()
        try await self.expectStored([:], "items of another account") {
            try $0.settlementItems(of: elsewhere, identities: [matched.identity])
        }
        let journals = [
            matched.id: try Bookkeeping.entries(for: matched), unknown.id: try Bookkeeping.entries(for: unknown),
        ]
        try await self.expectStored(journals, "journals of items") {
            try $0.settlementJournals(of: [unknown, matched])
        }
        for item in [matched, unknown] {
            let wanted = try Bookkeeping.entries(for: item)
            try await self.expectStored(wanted, "journal of an item") { try $0.settlementJournal(of: item) }
        }
        var balances = LedgerBalances()
        for entry in try await self.store.read({ try $0.journal(of: sale.id) }) { try balances.add(entry) }
        for entry in try [matched, unknown].flatMap(Bookkeeping.entries) { try balances.add(entry) }
        try await self.expectStored(balances.sums, "ledger sums with settlements") { try $0.ledgerSums() }
        let count = try [matched, unknown].flatMap(Bookkeeping.entries).reduce(0) { $0 + $1.postings.count }
        try await self.expectStored(count, "postings of settlements") { try $0.settlementPostingsCount() }
    }

    func settlementsAreBookedOnce() async throws {
        let sale = try await self.storedSale(minorUnits: 1200)
        let file = self.file(of: sale.merchantID)
        let matched = try self.item(1, of: file, .matched, for: sale.operations[1].id, of: sale.id)
        try await self.store.write { transaction in
            try transaction.insert(file)
            try transaction.insert(matched, booking: try Bookkeeping.lineEntry(for: matched))
        }
        let same = self.file(of: sale.merchantID, digest: file.digest)
        try await self.expectRefusal(.duplicate("settlement file"), "the same file") { try $0.insert(same) }
        let line = try self.item(2, of: file, .missingInLedger, identity: matched.identity)
        try await self.expectRefusal(.duplicate("settlement line"), "the same line") {
            try $0.insert(line, booking: try Bookkeeping.lineEntry(for: line))
        }
        let again = try self.item(2, of: file, .amountDiffers, for: sale.operations[1].id, of: sale.id)
        try await self.expectRefusal(.duplicate("settlement of an operation"), "the same operation") {
            try $0.insert(again, booking: try Bookkeeping.lineEntry(for: again))
        }
        // What does not settle it may name it again.
        let other = try self.item(2, of: file, .settledBefore, for: sale.operations[1].id, of: sale.id)
        try await self.store.write { try $0.insert(other, booking: try Bookkeeping.lineEntry(for: other)) }
        let lost = try self.item(1, of: self.file(of: sale.merchantID), .missingInLedger)
        try await self.expectCorrupt("an item of no file") { try $0.insert(lost, booking: nil) }
    }

    func settlementDifferencesAreResolvedOnce() async throws {
        let merchant = try await self.storedMerchant()
        let file = self.file(of: merchant.id)
        let item = try self.item(1, of: file, .missingInLedger)
        try await self.store.write { transaction in
            try transaction.insert(file)
            try transaction.insert(item, booking: try Bookkeeping.lineEntry(for: item))
        }
        for decision in SettlementResolution.Decision.allCases {
            var resolved = item
            resolved.resolution = SettlementResolution(
                decision: decision, reason: "reason „\(decision)“", at: self.make.time(), by: "älice@db1")
            let final = resolved
            guard decision == SettlementResolution.Decision.allCases.first else {
                try await self.expectRefusal(.conflict, "a second resolution") {
                    try $0.resolve(final, booking: try Bookkeeping.resolutionEntry(for: final))
                }
                continue
            }
            try await self.expectStored([item], "open items") { try $0.settlementItems(SettlementQuery(isOpen: true)) }
            try await self.store.write { try $0.resolve(final, booking: try Bookkeeping.resolutionEntry(for: final)) }
            try await self.expectStored(final, "the resolved item") { try $0.settlementItem(item.id) }
            try await self.expectStored(try Bookkeeping.entries(for: final), "its journal") {
                try $0.settlementJournal(of: final)
            }
        }
        try await self.expectStored([], "open items") { try $0.settlementItems(SettlementQuery(isOpen: true)) }
    }

    func resolvedDifferencesAreTakenBack() async throws {
        let sale = try await self.storedSale(minorUnits: 1200)
        let file = self.file(of: sale.merchantID)
        let captureID = sale.operations[1].id
        var resolved = try self.item(1, of: file, .amountDiffers, for: captureID, of: sale.id)
        let other = try self.item(2, of: file, .missingInLedger)
        resolved.resolution = SettlementResolution(
            decision: .ours, reason: "a rebate", at: self.make.time(), by: "älice@db1")
        let final = resolved
        let made = final.takenBack(as: 3, by: "gateway", at: self.make.time())
        try self.expectEqual(made?.differenceMinorUnits, -final.differenceMinorUnits, "the difference, taken back")
        guard let made else { return }
        try await self.store.write { transaction in
            try transaction.insert(file)
            for item in [final, other, made] {
                var open = item
                open.resolution = nil
                try transaction.insert(open, booking: try Bookkeeping.lineEntry(for: open))
                guard item.resolution != nil else { continue }
                try transaction.resolve(item, booking: try Bookkeeping.resolutionEntry(for: item))
            }
        }
        try await self.expectStored(made, "what takes it back") {
            try $0.settlementItem(of: file.accountID, identity: SettlementItem.failedIdentity(of: final.id))
        }
        try await self.expectStored(try Bookkeeping.entries(for: made), "its journal") {
            try $0.settlementJournal(of: made)
        }
        try await self.expectStored(final, "what has settled the operation") {
            try $0.settlementItem(settling: captureID)
        }
        try await self.expectStored([final, made], "what names the operation") {
            try $0.settlementItems(SettlementQuery(merchantID: sale.merchantID, operationID: captureID, limit: .max))
        }
        try await self.expectRefusal(.duplicate("settlement line"), "taken back once more") {
            guard let again = final.takenBack(as: 4, by: "gateway", at: made.bookedAt) else { return }
            try $0.insert(again, booking: nil)
        }
    }

    func settlementQueriesFilterAndPage() async throws {
        let merchants = [try await self.storedMerchant(), try await self.storedMerchant()]
        let files = merchants.flatMap { [self.file(of: $0.id), self.file(of: $0.id)] }
        let verdicts: [SettlementItem.Verdict] = [.fee, .missingInLedger, .settledBefore]
        let items = try files.flatMap { file in
            try verdicts.enumerated().map { try self.item($0.offset + 1, of: file, $0.element) }
        }
        var resolved = items[1]
        resolved.resolution = SettlementResolution(
            decision: .theirs, reason: "r", at: self.make.time().adding(seconds: 1000), by: "b")
        let final = resolved
        try await self.store.write { transaction in
            for file in files { try transaction.insert(file) }
            for item in items { try transaction.insert(item, booking: try Bookkeeping.lineEntry(for: item)) }
            try transaction.resolve(final, booking: try Bookkeeping.resolutionEntry(for: final))
        }
        var all = items
        all[1] = final
        let queries: [(SettlementQuery, [SettlementItem])] = [
            (SettlementQuery(), all), (SettlementQuery(merchantID: merchants[0].id), Array(all.prefix(6))),
            (SettlementQuery(fileID: files[1].id), Array(all[3..<6])),
            (SettlementQuery(isOpen: true), all.filter(\.isOpen)),
            (SettlementQuery(fileID: files[1].id, dates: [all[3].date, "1999-12-31"]), Array(all[3..<6])),
            (SettlementQuery(dates: ["1999-12-31"]), []), (SettlementQuery(dates: [""]), all.filter { $0.date == "" }),
            (SettlementQuery(after: all[4].id, limit: 3), Array(all[5..<8])), (SettlementQuery(limit: 0), []),
        ]
        for (query, wanted) in queries {
            try await self.expectStored(wanted, "items of \(query)") { try $0.settlementItems(query) }
        }
        try await self.expectStored([files[1], files[0]], "a merchant's files, newest first") {
            try $0.settlementFiles(of: merchants[0].id, before: nil, limit: 9)
        }
        try await self.expectStored([files[1]], "the page before") {
            try $0.settlementFiles(of: nil, before: files[2].id, limit: 1)
        }
    }

    /// Files of a day, a week, a month, a year and of twenty years, that begin and end at all times about a day.
    func settlementFilesAreFoundByTheirDays() async throws {
        let (merchant, other) = (try await self.storedMerchant(), try await self.storedMerchant())
        let hours: Int64 = 3600
        let (from, to) = (self.make.time(), self.make.time().adding(seconds: 24 * hours))
        let spans = [1, 24, 25, 48, 49, 10 * 24, 10 * 24 + 1, 40 * 24, 40 * 24 + 1, 400 * 24, 400 * 24 + 1, 20 * 8766]
        var files = spans.flatMap { span in
            // Which end with the day's beginning, a moment after it, within it and after it, and begin with its end.
            [0, 1, 12 * hours * 1000, 24 * hours * 1000, Int64(span) * hours * 1000].map { milliseconds in
                let end = Timestamp(milliseconds: from.milliseconds + milliseconds)
                return self.file(of: merchant.id, from: end.adding(seconds: -Int64(span) * hours), to: end)
            }
        }
        for start in [Timestamp(milliseconds: to.milliseconds - 1), to] {
            files.append(self.file(of: merchant.id, from: start, to: start.adding(seconds: 24 * hours)))
        }
        let (all, foreign) = (files, self.file(of: other.id, from: from, to: to))
        try await self.store.write { transaction in for file in all + [foreign] { try transaction.insert(file) } }
        for (start, end) in [(from, to), (from, from.adding(seconds: 1)), (to, to.adding(seconds: 40 * 24 * hours))] {
            let wanted = Set(all.filter { $0.from < end && $0.to > start }.map(\.id))
            try self.expectEqual(wanted.isEmpty || wanted.count == all.count, false, "some of the files, and not all")
            try await self.expectStored(wanted, "files of \(start) to \(end)") {
                try $0.settlementFiles(of: merchant.id, from: start, to: end)
            }
        }
        try await self.expectStored([foreign.id], "another's files") {
            try $0.settlementFiles(of: other.id, from: from, to: to)
        }
    }

    /// By what is booked for the line, and by what is booked for the resolution, each from place to place.
    func settlementsAreFoundByWhatIsBooked() async throws {
        let (merchant, other) = (try await self.storedMerchant(), try await self.storedMerchant())
        let file = self.file(of: merchant.id)
        let foreignFile = self.file(of: other.id)
        // Of one file all lines are booked at once; those of the last are later.
        let (early, late) = (self.make.time(), self.make.time())
        var items = try (1...6).map { number in
            try self.item(number, of: file, .missingInLedger, bookedAt: number < 5 ? early : late)
        }
        let foreign = try self.item(1, of: foreignFile, .missingInLedger)
        let unresolved = items
        let start = self.make.time().adding(seconds: 1000)
        // The last is resolved first, two at once.
        for (index, seconds) in [(5, 0), (0, 10), (2, 10)] as [(Int, Int64)] {
            items[index].resolution = SettlementResolution(
                decision: .theirs, reason: "r", at: start.adding(seconds: seconds), by: "b")
        }
        let all = items
        try await self.store.write { transaction in
            for file in [file, foreignFile] { try transaction.insert(file) }
            for item in [foreign] + unresolved.reversed() {
                try transaction.insert(item, booking: try Bookkeeping.lineEntry(for: item))
            }
            for item in all where item.resolution != nil {
                try transaction.resolve(item, booking: try Bookkeeping.resolutionEntry(for: item))
            }
        }
        let id = merchant.id
        let lines = SettlementWindow(merchantID: id, .line)
        let resolutions = SettlementWindow(merchantID: id, .resolution)
        let windows: [(SettlementWindow, [SettlementItem])] = [
            (lines, all), (SettlementWindow(merchantID: id, .line, from: late), Array(all[4...])),
            (SettlementWindow(merchantID: id, .line, to: late), Array(all[..<4])),
            (SettlementWindow(merchantID: id, .line, from: early, to: late, limit: 2), Array(all[..<2])),
            (
                SettlementWindow(
                    merchantID: id, .line, from: early, to: late, after: lines.cursor(of: all[1])),
                [all[2], all[3]]
            ),
            (SettlementWindow(merchantID: id, .line, after: lines.cursor(of: all[2]), limit: 2), [all[3], all[4]]),
            (SettlementWindow(merchantID: id, .line, limit: 0), []), (resolutions, [all[5], all[0], all[2]]),
            (SettlementWindow(merchantID: id, .resolution, from: start.adding(seconds: 10)), [all[0], all[2]]),
            (SettlementWindow(merchantID: id, .resolution, to: start.adding(seconds: 10)), [all[5]]),
            (SettlementWindow(merchantID: id, .resolution, from: late, to: start), []),
            (
                SettlementWindow(merchantID: id, .resolution, from: start, after: resolutions.cursor(of: all[0])),
                [all[2]]
            ),
            (SettlementWindow(merchantID: other.id, .line), [foreign]),
            (SettlementWindow(merchantID: other.id, .resolution), []),
        ]
        for (window, wanted) in windows {
            try await self.expectStored(wanted, "items in \(window)") { try $0.settlementItems(in: window) }
        }
    }
}
