//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Foundation
import Ledger
import MemoryStore
import Money
import Payments
import SQLiteStore
import StrictJSON
import TestGateway
import Testing
import Time

/// The acquirer reports as failed what an operator has resolved before as a difference of a settlement file: what that has
/// booked is taken back, and the books have the failure once.
@Suite struct SettlementFailureTests {
    enum Engine: CaseIterable {
        case memory
        case sqlite
    }

    /// What fails, and what the file says of it.
    enum Story: CaseIterable {
        case captureIsLacking
        case captureDiffers
        case refundIsLacking
        case refundDiffers

        var isRefund: Bool { self == .refundIsLacking || self == .refundDiffers }

        var lines: [String] {
            switch self {
            case .captureIsLacking: ["25.10.2026;X;1,00;Bonus;"]
            case .captureDiffers: ["25.10.2026;S;90,00;R0;"]
            case .refundIsLacking: ["25.10.2026;S;100,00;R0;"]
            case .refundDiffers: ["25.10.2026;S;100,00;R0;", "25.10.2026;R;30,00;R1;"]
            }
        }

        var verdict: SettlementItem.Verdict {
            self == .captureIsLacking || self == .refundIsLacking ? .missingInFile : .amountDiffers
        }

        /// Receivable, clearing, fees, differences, written off, and what the merchant is owed, whatever the decision was: of
        /// what has failed the acquirer is owed what it has paid, or owes what it has kept.
        var balances: [Int64] {
            switch self {
            case .captureIsLacking: [0, 1_00, 0, -1_00, 0, 0]
            case .captureDiffers: [-90_00, 90_00, 0, 0, 0, 0]
            case .refundIsLacking: [0, 100_00, 0, 0, 0, -100_00]
            case .refundDiffers: [30_00, 70_00, 0, 0, 0, -100_00]
            }
        }
    }

    private static let bank = """
        {
          "name": "bank", "separator": ";", "decimalSeparator": ",", "dates": "dd.MM.yyyy", "currency": "EUR",
          "columns": {"date": "Day", "amount": "Sum", "type": "What", "reference": "Ref", "fee": "Fee"},
          "types": {"S": "payment", "R": "refund", "X": "credit"}
        }
        """

    private static let failure = AcquirerNotice.Event.failedLate(.systemError, AcquirerAnswer())

    private func importing(_ lines: [String], _ books: ReportBooks) async throws -> SettlementFileID {
        let text = (["Day;What;Sum;Ref;Fee"] + lines).joined(separator: "\r\n")
        let document = SettlementDocument(
            name: "bank.csv", bytes: Array(text.utf8), mapping: try SettlementMapping(try JSON.parse(Self.bank)))
        return try await books.administration.importSettlement(
            document, account: "simulator", of: books.merchant.id
        ).file.id
    }

    private func items(_ file: SettlementFileID, _ books: ReportBooks) async throws -> [SettlementItem] {
        try await books.administration.settlementItems(SettlementQuery(fileID: file, limit: 1000))
    }

    private func withBooks(_ engine: Engine, _ body: (ReportBooks) async throws -> Void) async throws {
        guard engine == .sqlite else { return try await body(try await self.books(MemoryStore())) }
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("pomona-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let store = try SQLiteStore.open(path: directory.path + "/pomona.sqlite")
        do {
            try await body(try await self.books(store))
            try await store.close()
        } catch {
            try await store.close()
            throw error
        }
    }

    private func books(_ store: any PaymentStore) async throws -> ReportBooks {
        let books = try await ReportBooks.open(timeZone: "Europe/Berlin", store: store)
        books.test.clock.advance(to: try moment("2026-10-30T12:00:00Z"))
        return books
    }

    /// A sale of 100 by the name R0, and its refund of 40 by the name R1.
    /// - Returns: what fails.
    private func history(_ story: Story, _ books: ReportBooks) async throws -> OperationID {
        let at = try moment("2026-10-25T10:00:00Z")
        let sale = try await books.sell(try ReportBooks.money(100_00), at: at, reference: "R0")
        guard story.isRefund else { return sale.operations[0].id }
        let amount = try ReportBooks.money(40_00)
        return try await books.refund(amount, of: sale.id, at: at.adding(seconds: 60), reference: "R1").id
    }

    @Test(arguments: Engine.allCases, Story.allCases)
    func resolvedDifferenceOfWhatFailsIsTakenBackOnce(_ engine: Engine, _ story: Story) async throws {
        for decision in SettlementResolution.Decision.allCases {
            try await self.withBooks(engine) { books in
                let failed = try await self.history(story, books)
                let file = try await self.importing(story.lines, books)
                let item = try #require(try await self.items(file, books).last)
                #expect(item.verdict == story.verdict)
                try await books.administration.resolveSettlement(item.id, as: decision, reason: "looked up")
                let itemsCount = try await self.items(file, books).count
                // Repeated, and under another name, too.
                for name in ["late", "late", "later"] {
                    #expect(try await books.test.report(Self.failure, of: failed, reference: name) == .booked)
                    #expect(try await books.settlementBalances() == story.balances, "\(decision)")
                    try await books.expectSoundBooks()
                }
                let added = try await self.items(file, books).dropFirst(itemsCount)
                let lines = books.test.log.lines.filter { $0.contains("which is taken back") }
                #expect(books.test.log.lines.allSatisfy { !$0.hasPrefix("error") })
                guard decision != .theirs else {
                    #expect(added.isEmpty && lines.isEmpty)
                    return
                }
                #expect(lines.count == 1 && lines.allSatisfy { $0.hasPrefix("notice") }, "\(lines)")
                let takenBack = try #require(added.first)
                #expect(added.count == 1 && takenBack.id.number == itemsCount + 1)
                #expect(takenBack.verdict == .failedLate && takenBack.resolution?.decision == decision)
                #expect(takenBack.differenceMinorUnits == -item.differenceMinorUnits && !takenBack.isOpen)
                #expect(takenBack.resolution?.reason.contains("\(item.id)") == true)
                // What was decided stands as it was.
                let kept = try await books.store.read { try $0.settlementItem(item.id) }
                #expect(kept?.resolution?.decision == decision)
            }
        }
    }

    /// The other way round: what has failed is nobody's but the acquirer's, whether the file lacks it or has another amount.
    @Test(arguments: Story.allCases)
    func differenceOfWhatHasFailedIsTheirs(_ story: Story) async throws {
        try await self.withBooks(.memory) { books in
            let failed = try await self.history(story, books)
            let file = try await self.importing(story.lines, books)
            let item = try #require(try await self.items(file, books).last)
            #expect(try await books.test.report(Self.failure, of: failed, reference: "late") == .booked)
            for decision in SettlementResolution.Decision.allCases where decision != .theirs {
                try await books.expect(.settlementTakenBack) {
                    try await $0.resolveSettlement(item.id, as: decision, reason: "looked up")
                }
            }
            try await books.administration.resolveSettlement(item.id, as: .theirs, reason: "failed")
            #expect(try await books.settlementBalances() == story.balances)
            try await books.expectSoundBooks()
        }
    }

    /// What was given up and came after all was resolved once more: both are taken back, else the merchant would be paid for
    /// what came to nothing.
    @Test(arguments: Engine.allCases)
    func bothResolutionsOfWhatCameAfterAllAreTakenBack(_ engine: Engine) async throws {
        try await self.withBooks(engine) { books in
            let failed = try await self.history(.captureIsLacking, books)
            let first = try await self.importing(["25.10.2026;X;1,00;Bonus;"], books)
            let lacking = try #require(try await self.items(first, books).last)
            try await books.administration.resolveSettlement(lacking.id, as: .ours, reason: "lost")
            let second = try await self.importing(["28.10.2026;S;100,00;R0;"], books)
            let late = try #require(try await self.items(second, books).last)
            #expect(late.verdict == .settledBefore)
            try await books.administration.resolveSettlement(late.id, as: .writtenOff, reason: "found")
            #expect(try await books.test.report(Self.failure, of: failed, reference: "late") == .booked)
            // The acquirer is owed what it has paid; nobody else has anything of it.
            #expect(try await books.settlementBalances() == [-100_00, 101_00, 0, -1_00, 0, 0])
            #expect(try await self.items(first, books).last?.verdict == .failedLate)
            #expect(try await self.items(second, books).last?.verdict == .failedLate)
            try await books.expectSoundBooks()
        }
    }

    /// A fee that was none is one less in the fees of the day of the failure.
    @Test func feeThatIsTakenBackIsReported() async throws {
        try await self.withBooks(.memory) { books in
            let failed = try await self.history(.captureIsLacking, books)
            let file = try await self.importing(["25.10.2026;X;1,00;Bonus;"], books)
            let item = try #require(try await self.items(file, books).last)
            try await books.administration.resolveSettlement(item.id, as: .fee, reason: "looked up")
            #expect(try await books.test.report(Self.failure, of: failed, reference: "late") == .booked)
            var fees: [FeeRow] = []
            try await books.administration.fees(of: books.merchant.id) { fees += $0 }
            #expect(fees.map(\.amount.minorUnits) == [100_00, -100_00])
            #expect(fees.allSatisfy { $0.source == .correction })
        }
    }
}
