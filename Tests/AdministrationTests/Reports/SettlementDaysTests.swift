//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Crypto
import Ledger
import Payments
import StrictJSON
import TestGateway
import Testing
import Time

/// A file is recognized by its bytes and its days, and whatever days are said, its lines are booked once.
@Suite struct SettlementDaysTests {
    private struct Shop {
        let books: ReportBooks

        static func open() async throws -> Shop {
            let books = try await ReportBooks.open()
            books.test.clock.advance(to: try moment("2026-10-30T12:00:00Z"))
            return Shop(books: books)
        }

        func sell(_ minorUnits: Int64, at time: String, reference: String) async throws {
            _ = try await self.books.sell(
                try ReportBooks.money(minorUnits), at: try moment(time), reference: reference)
        }

        /// - Parameter days: of October, both.
        func importing(
            _ lines: [String], of days: ClosedRange<Int>? = nil, dates: String = "dd/MM/yyyy"
        ) async throws -> SettlementImport {
            let mapping = """
                {"name": "bank", "dates": "\(dates)", "currency": "EUR", "only": {"State": "BOOKED"},
                 "columns": {"date": "Day", "amount": "Sum", "reference": "Ref", "fee": "Fee"}}
                """
            let document = SettlementDocument(
                name: "bank.csv", bytes: Self.bytes(lines), mapping: try SettlementMapping(try JSON.parse(mapping)),
                days: try days.map { days in try Self.october(days.lowerBound)...Self.october(days.upperBound) })
            let outcome = try await self.books.administration.importSettlement(
                document, account: "simulator", of: self.books.merchant.id)
            try await self.books.expectSoundBooks()
            return outcome
        }

        static func bytes(_ lines: [String]) -> [UInt8] {
            Array((["Day,Sum,Ref,Fee,State"] + lines).joined(separator: "\n").utf8)
        }

        private static func october(_ number: Int) throws -> CalendarDay {
            try day("2026-10-\(number < 10 ? "0" : "")\(number)")
        }

        func clearing() async throws -> Int64 {
            try await self.books.balance(Bookkeeping.clearing(of: self.books.account.id))
        }
    }

    /// Days without a payout all have the same file, of headings alone.
    @Test func fileWithoutLinesIsComparedForEachDay() async throws {
        let shop = try await Shop.open()
        try await shop.sell(100_00, at: "2026-10-28T10:00:00Z", reference: "R0")
        try await shop.sell(50_00, at: "2026-10-29T10:00:00Z", reference: "R1")
        let first = try await shop.importing([], of: 28...28)
        let second = try await shop.importing([], of: 29...29)
        for outcome in [first, second] {
            #expect(!outcome.isRepeated && outcome.counts == [.missingInFile: 1] && outcome.file.linesCount == 0)
        }
        for (days, file) in [(28...28, first.file), (29...29, second.file)] {
            let again = try await shop.importing([], of: days)
            #expect(again.isRepeated && again.file == file && again.counts == [.missingInFile: 1])
        }
        #expect(try await shop.books.administration.settlementFiles().count == 2)
        let open = try await shop.books.administration.settlementItems(SettlementQuery(isOpen: true))
        #expect(open.map(\.date).sorted() == ["2026-10-28", "2026-10-29"])
    }

    /// Days that were wrong, or forgotten, are put right without a second booking, however the file is read then.
    @Test func linesAreBookedOnceWhateverTheDays() async throws {
        let shop = try await Shop.open()
        try await shop.sell(100_00, at: "2026-10-05T10:00:00Z", reference: "R0")
        try await shop.sell(50_00, at: "2026-10-05T11:00:00Z", reference: "R1")
        try await shop.sell(20_00, at: "2026-10-06T10:00:00Z", reference: "R2")
        let lines = ["05/10/2026,100.00,R0,1.50,BOOKED", "05/10/2026,7.00,unheard of,,BOOKED"]
        let wrong = try await shop.importing(lines, of: 4...4)
        #expect(wrong.counts == [.matched: 1, .missingInLedger: 1])
        #expect(try await shop.clearing() == 105_50)
        let right = try await shop.importing(lines, of: 5...5)
        #expect(!right.isRepeated && right.counts == [.missingInFile: 1] && right.repeatedLinesCount == 2)
        // The days of its lines are these, too.
        let unsaid = try await shop.importing(lines)
        #expect(unsaid.isRepeated && unsaid.file == right.file)
        // As the tenth of May the lines are none that an earlier file had.
        let misread = try await shop.importing(lines, of: 6...6, dates: "MM/dd/yyyy")
        #expect(!misread.isRepeated && misread.counts == [.missingInFile: 1] && misread.repeatedLinesCount == 2)
        let again = try await shop.importing(lines, of: 4...4)
        #expect(again.isRepeated && again.file == wrong.file && again.counts == wrong.counts)
        #expect(try await shop.clearing() == 105_50)
        #expect(try await shop.books.administration.settlementItems(SettlementQuery(isOpen: true)).count == 3)
    }

    /// What was imported before days counted has the digest of its bytes, whatever its days were.
    @Test func fileOfAnEarlierVersionIsRecognized() async throws {
        let shop = try await Shop.open()
        let earlier = SettlementFile(
            id: shop.books.id(at: try moment("2026-10-29T10:00:00Z")), merchantID: shop.books.merchant.id,
            accountID: shop.books.account.id, name: "bank.csv", mapping: "bank",
            digest: Array(SHA256.hash(data: Shop.bytes([]))), linesCount: 0, from: try moment("2026-10-28T00:00:00Z"),
            to: try moment("2026-10-29T00:00:00Z"), importedAt: try moment("2026-10-29T10:00:00Z"), importedBy: "x")
        try await shop.books.store.write { try $0.insert(earlier) }
        let again = try await shop.importing([], of: 28...28)
        #expect(again.isRepeated && again.file == earlier)
        let other = try await shop.importing([], of: 28...29)
        #expect(!other.isRepeated && other.file.digest != earlier.digest)
        #expect(try await shop.importing([], of: 28...29).file == other.file)
    }

    /// Today's would be a guess: what was captured a moment ago is in no bank's file.
    @Test(arguments: [[], ["05/10/2026,100.00,R0,,REJECTED"]])
    func fileWithoutLinesIsOfNoDays(_ lines: [String]) async throws {
        let shop = try await Shop.open()
        try await shop.sell(100_00, at: "2026-10-30T11:59:59Z", reference: "R0")
        try await shop.books.expect(.settlementMalformed) { _ in _ = try await shop.importing(lines) }
        #expect(try await shop.books.administration.settlementFiles() == [])
        let said = try await shop.importing(lines, of: 29...29)
        #expect(said.counts == [:] && said.ignoredLinesCount == lines.count)
    }
}
