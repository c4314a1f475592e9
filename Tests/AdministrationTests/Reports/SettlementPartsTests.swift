//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import MemoryStore
import Money
import Payments
import StrictJSON
import TestGateway
import Testing
import Time

/// A long settlement file is booked in several commits. What was booked before it was cut off stays, and nothing is booked
/// twice.
@Suite struct SettlementPartsTests {
    private struct Shop {
        let books: ReportBooks
        let store: HookedStore
        let sales: [Payment]

        /// With a sale R0, R1 and so on for each number, within a minute.
        static func open(sales count: Int) async throws -> Shop {
            let store = HookedStore(MemoryStore())
            let books = try await ReportBooks.open(store: store)
            books.test.clock.advance(to: try moment("2026-10-30T12:00:00Z"))
            let at = try moment("2026-10-25T10:00:00Z")
            var sales: [Payment] = []
            for number in 0..<count {
                sales.append(
                    try await books.sell(
                        try ReportBooks.money(100_00), at: at.adding(seconds: Int64(number)), reference: "R\(number)"))
            }
            return Shop(books: books, store: store, sales: sales)
        }

        func document(_ name: String, _ references: [String], mapping: String = "bank") throws -> SettlementDocument {
            let mapping = """
                {"name": "\(mapping)", "separator": ";", "decimalSeparator": ".", "dates": "yyyy-MM-dd", "currency": "EUR",
                 "columns": {"date": "Day", "amount": "Sum", "reference": "Ref"}}
                """
            let text = (["Day;Sum;Ref"] + references.map { "2026-10-25;100.00;\($0)" }).joined(separator: "\n")
            var document = SettlementDocument(
                name: name, bytes: Array(text.utf8), mapping: try SettlementMapping(try JSON.parse(mapping)))
            document.commitItemsMax = 3
            return document
        }

        func importing(_ document: SettlementDocument) async throws -> SettlementImport {
            try await self.books.administration.importSettlement(
                document, account: "simulator", of: self.books.merchant.id)
        }

        func items(_ outcome: SettlementImport) async throws -> [SettlementItem] {
            var items: [SettlementItem] = []
            for part in outcome.parts {
                items += try await self.books.administration.settlementItems(
                    SettlementQuery(fileID: part.id, limit: 100))
            }
            return items
        }

        func files() async throws -> [SettlementFile] {
            try await self.books.administration.settlementFiles(of: self.books.merchant.id)
        }

        /// What lists say is incomplete, by the names of the files: the lines that are booked, and how many there are.
        func incomplete() async throws -> [String: [Int]] {
            let files = try await self.files()
            return try await self.books.administration.read { reader in
                let views = try SettlementFileView.list(files, in: reader)
                let alone = try files.map { try SettlementFileView(of: $0, in: reader).json }
                #expect(views.map(\.json) == alone)
                return views.reduce(into: [:]) { found, view in
                    found[view.file.name] = view.incomplete.map { [$0.bookedLinesCount, $0.linesCount] }
                }
            }
        }
    }

    @Test func longFileIsBookedInPartsAndRecognizedWhole() async throws {
        let shop = try await Shop.open(sales: 9)
        let document = try shop.document("long.csv", (0..<7).map { "R\($0)" })
        let outcome = try await shop.importing(document)
        #expect(outcome.counts == [.matched: 7, .missingInFile: 2] && !outcome.isRepeated)
        #expect(outcome.parts.map(\.name) == (1...3).map { "long.csv, part \($0)" })
        #expect(outcome.parts.map(\.linesCount) == [3, 3, 1] && outcome.file == outcome.parts.last)
        let items = try await shop.items(outcome)
        #expect(items.map(\.operationID) == shop.sales.map { $0.operations[1].id })
        #expect(items.map(\.id.number) == [1, 2, 3, 1, 2, 3, 1, 2, 3])
        #expect(try await shop.books.settlementBalances() == [200_00, 700_00, 0, 0, 0, -900_00])
        try await shop.books.expectSoundBooks()
        #expect(try await shop.incomplete() == [:])

        let again = try await shop.importing(document)
        #expect(again.isRepeated && again.parts == outcome.parts && again.counts == outcome.counts)
        #expect(try await shop.files().count == 3)
    }

    /// As many as fit into one commit are one file, with the name that it has.
    @Test func shortFileIsOnePart() async throws {
        let shop = try await Shop.open(sales: 3)
        let outcome = try await shop.importing(try shop.document("short.csv", ["R0", "R1"]))
        #expect(outcome.counts == [.matched: 2, .missingInFile: 1])
        #expect(outcome.parts == [outcome.file] && outcome.file.name == "short.csv" && outcome.file.linesCount == 2)
    }

    /// Between its commits another file comes, which ends it there as a kill would.
    @Test func whatWasCutOffIsBookedOnceAndToItsEnd() async throws {
        let shop = try await Shop.open(sales: 9)
        let document = try shop.document("long.csv", (0..<8).map { "R\($0)" })
        let between = try shop.document("between.csv", ["R7"])
        shop.store.beforeWrite(2) { _ = try? await shop.importing(between) }
        let error = await #expect(throws: AdministrationError.self) { _ = try await shop.importing(document) }
        #expect(error?.code == .settlementRaced)
        try await shop.books.expectSoundBooks()
        let names = try await shop.files().map(\.name).sorted()
        #expect(names == ["between.csv, part 1", "between.csv, part 2", "long.csv, part 1"])
        #expect(try await shop.incomplete() == ["long.csv, part 1": [3, 8]])

        let outcome = try await shop.importing(document)
        #expect(!outcome.isRepeated && outcome.parts.map(\.name) == (1...3).map { "long.csv, part \($0)" })
        // R7 is settled by the line of the other file, which says the same. What that one lacked was found.
        #expect(outcome.counts == [.matched: 7] && outcome.repeatedLinesCount == 1 && outcome.foundCount == 4)
        #expect(try await shop.books.settlementBalances() == [100_00, 800_00, 0, 0, 0, -900_00])
        let open = try await shop.books.administration.settlementItems(SettlementQuery(isOpen: true))
        #expect(open.map(\.operationID) == [shop.sales[8].operations[1].id])
        try await shop.books.expectSoundBooks()
        #expect(try await shop.incomplete() == [:])
        #expect(try await shop.importing(document).isRepeated)
    }

    /// An import that goes on and is cut off once more is as long as it was when the last of its parts was booked.
    @Test func listsSayHowMuchIsBookedOfWhatWasCutOff() async throws {
        let shop = try await Shop.open(sales: 12)
        let document = try shop.document("long.csv", (0..<9).map { "R\($0)" })
        let between = try shop.document("between.csv", ["R8"])
        shop.store.beforeWrite(2) { _ = try? await shop.importing(between) }
        await #expect(throws: AdministrationError.self) { _ = try await shop.importing(document) }
        #expect(try await shop.incomplete() == ["long.csv, part 1": [3, 9]])
        // R8 is booked from the other file: five lines are left.
        let second = try shop.document("second.csv", ["R11"])
        shop.store.beforeWrite(2) { _ = try? await shop.importing(second) }
        await #expect(throws: AdministrationError.self) { _ = try await shop.importing(document) }
        #expect(try await shop.incomplete() == ["long.csv, part 1": [6, 8], "long.csv, part 2": [6, 8]])
        let outcome = try await shop.importing(document)
        #expect(outcome.parts.map(\.linesCount) == [3, 3, 2] && outcome.repeatedLinesCount == 1)
        #expect(try await shop.incomplete() == [:])
    }

    /// All lines are booked, and what the file lacks is not.
    @Test func fileThatIsNotComparedToItsEndIsIncomplete() async throws {
        let shop = try await Shop.open(sales: 9)
        let document = try shop.document("long.csv", ["R0", "R1", "R2"])
        let between = try shop.document("between.csv", ["R8"])
        shop.store.beforeWrite(2) { _ = try? await shop.importing(between) }
        await #expect(throws: AdministrationError.self) { _ = try await shop.importing(document) }
        #expect(try await shop.incomplete() == ["long.csv, part 1": [3, 3]])
        #expect(try await shop.importing(document).parts.count == 2)
        #expect(try await shop.incomplete() == [:])
    }

    /// A reading that does not know the lines again would have them booked twice.
    @Test func restIsNotReadByAnotherMapping() async throws {
        let shop = try await Shop.open(sales: 5)
        let references = (0..<5).map { "R\($0)" }
        let other = try shop.document("other.csv", ["R9"])
        shop.store.beforeWrite(2) { _ = try? await shop.importing(other) }
        let document = try shop.document("long.csv", references)
        await #expect(throws: AdministrationError.self) { _ = try await shop.importing(document) }
        let renamed = try shop.document("long.csv", references, mapping: "another")
        try await shop.books.expect(.settlementMalformed) {
            _ = try await $0.importSettlement(renamed, account: "simulator", of: shop.books.merchant.id)
        }
        let outcome = try await shop.importing(document)
        #expect(outcome.parts.count == 2 && outcome.counts == [.matched: 5])
        try await shop.books.expectSoundBooks()
    }
}
