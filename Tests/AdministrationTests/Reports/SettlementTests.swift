//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Crypto
import Ledger
import Money
import Payments
import StrictJSON
import TestGateway
import Testing
import Time

/// What acquirers settle is matched, booked once, and what differs is resolved with postings.
@Suite struct SettlementTests {
    private static let headings =
        "timeOfRecord,result,transaction.type,transaction.amount,transaction.currency,transaction.receipt,transaction.id,order.id"

    /// A bank's statement with fees, by a mapping of the operator's own.
    private static let bank = """
        {
          "name": "bank", "separator": ";", "decimalSeparator": ",", "dates": "dd.MM.yyyy", "currency": "EUR",
          "columns": {"date": "Day", "amount": "Sum", "type": "What", "reference": "Ref", "fee": "Fee"},
          "types": {"S": "payment", "R": "refund", "C": "chargeback", "F": "fee", "B": "ignored", "X": "credit"}
        }
        """

    private func bank(_ lines: String..., name: String = "bank.csv") throws -> SettlementDocument {
        let text = (["Day;What;Sum;Ref;Fee"] + lines).joined(separator: "\r\n")
        return SettlementDocument(
            name: name, bytes: Array(text.utf8), mapping: try SettlementMapping(try JSON.parse(Self.bank)))
    }

    private func importing(_ document: SettlementDocument, _ books: ReportBooks) async throws -> SettlementImport {
        let outcome = try await books.administration.importSettlement(
            document, account: "simulator", of: books.merchant.id)
        try await books.expectSoundBooks()
        return outcome
    }

    private func items(_ outcome: SettlementImport, _ books: ReportBooks) async throws -> [SettlementItem] {
        try await books.administration.settlementItems(SettlementQuery(fileID: outcome.file.id, limit: 1000))
    }

    private func shop() async throws -> ReportBooks {
        let books = try await ReportBooks.open(timeZone: "Europe/Berlin")
        books.test.clock.advance(to: try moment("2026-10-30T12:00:00Z"))
        return books
    }

    @Test func transactionReportOfMPGSIsMatched() async throws {
        let books = try await self.shop()
        let at = try moment("2026-10-25T10:00:00Z")
        let sale = try await books.sell(try ReportBooks.money(100_00), at: at, reference: "629912345678")
        let refund = try await books.refund(try ReportBooks.money(30_00), of: sale.id, at: at.adding(seconds: 60))
        let rows = [
            Self.headings, "2026-10-25T10:00:00Z,SUCCESS,AUTHORIZATION,100.00,EUR,629912345678,1,x",
            "2026-10-25T10:00:00Z,SUCCESS,PAYMENT,100.00,EUR,629912345678,\(sale.operations[0].id),\(sale.id)",
            "2026-10-25T10:00:01Z,FAILURE,PAYMENT,100.00,EUR,,x,x",
            "2026-10-25T10:01:00Z,SUCCESS,REFUND,30.00,EUR,,\(refund.id),\(sale.id)",
        ]
        let bytes = Array(rows.joined(separator: "\n").utf8)
        let outcome = try await self.importing(
            SettlementDocument(name: "mpgs.csv", bytes: bytes, mapping: .mpgs), books)
        #expect(outcome.counts == [.matched: 2] && outcome.ignoredLinesCount == 2 && !outcome.isRepeated)
        #expect(try await books.settlementBalances() == [0, 70_00, 0, 0, 0, -70_00])
        let items = try await self.items(outcome, books)
        #expect(items.map(\.operationID) == [sale.operations[1].id, refund.id])
        #expect(items.allSatisfy { $0.differenceMinorUnits == 0 && !$0.isOpen })
    }

    @Test func exportOfPAYONEIsMatched() async throws {
        let books = try await self.shop()
        let at = try moment("2026-10-25T10:00:00Z")
        let sale = try await books.sell(try ReportBooks.money(1_234_50), at: at, reference: "987654321/1")
        let text = """
            Buchungsdatum;Vorgang;Betrag;Währung;Zahlungsvorgangsnummer;Händler-Referenz-Nr.
            25.10.2026;Zahlungseinzug;1234,50;EUR;987654321;\(sale.operations[0].id.shortName)
            26.10.2026;Rückbelastung;-10,00;EUR;987654321;
            """
        let bytes = text.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        let outcome = try await self.importing(
            SettlementDocument(name: "payone.csv", bytes: bytes, mapping: .payone), books)
        #expect(outcome.counts == [.matched: 1, .missingInLedger: 1])
        let items = try await self.items(outcome, books)
        #expect(items.map(\.kind) == [.payment, .chargeback] && items[1].differenceMinorUnits == -10_00)
        #expect(try await books.settlementBalances() == [0, 1_224_50, 0, 10_00, 0, -1_234_50])
    }

    @Test func whatDiffersIsFoundAndFeesAreBooked() async throws {
        let books = try await self.shop()
        let at = try moment("2026-10-25T10:00:00Z")
        var sales: [Payment] = []
        for index in 0..<4 {
            sales.append(
                try await books.sell(
                    try ReportBooks.money(100_00), at: at.adding(seconds: Int64(index)), reference: "R\(index)"))
        }
        let outcome = try await self.importing(
            try self.bank(
                "25.10.2026;S;100,00;R0;1,50", "25.10.2026;S;90,00;R1;", "25.10.2026;S;77,00;R9;",
                "25.10.2026;B;5,00;R2;", "25.10.2026;S;100,00;R0;1,50", "26.10.2026;F;9,95;Monthly;",
                "26.10.2026;F;-2,00;Written as it is taken;"), books)
        #expect(
            outcome.counts == [
                .matched: 1, .amountDiffers: 1, .missingInLedger: 1, .settledBefore: 1, .fee: 2, .missingInFile: 2,
            ])
        #expect(outcome.differencesCount == 5)
        let items = try await self.items(outcome, books)
        #expect(items.map(\.differenceMinorUnits) == [0, -10_00, 77_00, 100_00, 0, 0, -100_00, -100_00])
        #expect(items.suffix(2).map(\.operationID) == [sales[2].operations[1].id, sales[3].operations[1].id])
        // Paid: 100 + 90 + 77 + 100, less two fees of 1.50, one of 9.95 and one of 2.00.
        #expect(try await books.settlementBalances() == [200_00, 352_05, 14_95, -167_00, 0, -400_00])
        let closing = try await books.administration.dayReport(of: books.merchant.id, on: try day("2026-10-30"))
        #expect(closing.totals.map(\.fees.minorUnits) == [14_95])
        var fees: [FeeRow] = []
        try await books.administration.fees(of: books.merchant.id) { fees += $0 }
        #expect(fees.map(\.amount.minorUnits) == [1_50, 1_50, 9_95, 2_00])
        for limit in 1...5 {
            var (paged, cursor): ([FeeRow], FeeCursor?) = ([], .first)
            while let present = cursor {
                let page = try await books.administration.fees(
                    of: books.merchant.id, from: nil, to: nil, after: present, limit: limit)
                #expect(page.rows.count <= limit)
                paged += page.rows
                cursor = page.next
            }
            #expect(paged.map(\.entry) == fees.map(\.entry), "pages of \(limit)")
        }
    }

    @Test func nothingIsBookedTwice() async throws {
        let books = try await self.shop()
        let at = try moment("2026-10-25T10:00:00Z")
        let sale = try await books.sell(try ReportBooks.money(100_00), at: at, reference: "R0")
        _ = try await books.sell(try ReportBooks.money(50_00), at: at.adding(seconds: 1), reference: "R1")
        let lines = ["25.10.2026;S;100,00;R0;1,50", "25.10.2026;F;3,00;Fee;"]
        let first = try await self.importing(try self.bank(lines[0], lines[1]), books)
        let booked = try await books.settlementBalances()
        let again = try await self.importing(try self.bank(lines[0], lines[1], name: "same.csv"), books)
        #expect(again.isRepeated && again.file.id == first.file.id && again.counts == first.counts)
        #expect(try await books.settlementBalances() == booked)
        // Another file with the same lines and one more, which the first lacked.
        let longer = try await self.importing(try self.bank(lines[1], lines[0], "26.10.2026;S;50,00;R1;"), books)
        #expect(longer.counts == [.matched: 1] && longer.repeatedLinesCount == 2 && longer.foundCount == 1)
        #expect(try await books.administration.settlementItems(SettlementQuery(isOpen: true)) == [])
        #expect(try await books.settlementBalances() == [0, 145_50, 4_50, 0, 0, -150_00])
        // The same payment under another date is money that came twice.
        let twice = try await self.importing(try self.bank("27.10.2026;S;100,00;R0;"), books)
        let item = try #require(try await self.items(twice, books).first)
        #expect(item.verdict == .settledBefore && item.paymentID == sale.id && item.isOpen)
        #expect(try await books.settlementBalances() == [0, 245_50, 4_50, -100_00, 0, -150_00])
    }

    /// The fee of a chargeback that the acquirer has reported is booked once, when it was reported.
    @Test func reportedFeeIsNotBookedAgain() async throws {
        let books = try await self.shop()
        let at = try moment("2026-10-25T10:00:00Z")
        let sale = try await books.sell(try ReportBooks.money(100_00), at: at, reference: "R0")
        try await books.report(
            .chargedBack(try ReportBooks.money(100_00)), fee: try ReportBooks.money(15_00), of: sale.id,
            at: at.adding(seconds: 60))
        _ = try await self.importing(
            try self.bank("25.10.2026;S;100,00;R0;", "25.10.2026;C;100,00;R0;15,00"), books)
        #expect(try await books.settlementBalances() == [0, -15_00, 15_00, 0, 0, 0])
    }

    /// A reversed chargeback is none any more, and its fee stays: a file that has both sides of it adds no second fee.
    @Test func feeOfAReversedChargebackIsNotBookedAgain() async throws {
        let books = try await self.shop()
        let at = try moment("2026-10-25T10:00:00Z")
        let sale = try await books.sell(try ReportBooks.money(100_00), at: at, reference: "R0")
        let chargeback = try await books.report(
            .chargedBack(try ReportBooks.money(100_00)), fee: try ReportBooks.money(15_00), of: sale.id,
            at: at.adding(seconds: 60))
        try await books.report(.failed(chargeback, .unspecified), of: sale.id, at: at.adding(seconds: 120))
        let outcome = try await self.importing(
            try self.bank("25.10.2026;S;100,00;R0;", "25.10.2026;C;100,00;R0;15,00", "26.10.2026;X;100,00;R0;"), books)
        #expect(outcome.counts == [.matched: 1, .missingInLedger: 2])
        #expect(try await books.settlementBalances() == [0, 85_00, 15_00, 0, 0, -100_00])
    }

    @Test(arguments: [
        (SettlementResolution.Decision.writtenOff, [Int64(0), 90_00, 0, 0, 10_00, -100_00]),
        (.fee, [0, 90_00, 10_00, 0, 0, -100_00]), (.ours, [0, 90_00, 0, 0, 0, -90_00]),
        (.theirs, [10_00, 90_00, 0, 0, 0, -100_00]),
    ])
    func differenceIsResolvedOnce(_ decision: SettlementResolution.Decision, _ wanted: [Int64]) async throws {
        let books = try await self.shop()
        _ = try await books.sell(
            try ReportBooks.money(100_00), at: try moment("2026-10-25T10:00:00Z"), reference: "R0")
        let outcome = try await self.importing(try self.bank("25.10.2026;S;90,00;R0;"), books)
        let item = try #require(try await self.items(outcome, books).first)
        let resolved = try await books.administration.resolveSettlement(
            item.id, as: decision, reason: "as the bank says")
        #expect(resolved.resolution?.decision == decision && !resolved.isOpen)
        #expect(try await books.settlementBalances() == wanted)
        try await books.expectSoundBooks()
        let entry = try await books.store.read { try $0.lastAuditEntry() }
        #expect(entry?.act == .settlementResolve && entry?.details["reason"] == "as the bank says")
        try await books.expect(.settlementResolved) {
            try await $0.resolveSettlement(item.id, as: .theirs, reason: "again")
        }
        try await books.expect(.settlementUnknown) {
            let id = SettlementItem.ID(file: item.id.file, number: 99)
            try await $0.resolveSettlement(id, as: .theirs, reason: "none")
        }
    }

    /// What was decided on another day than the line was booked on is that day's, and of both days each fee is there once.
    @Test func whatWasResolvedLaterIsItsDays() async throws {
        let books = try await self.shop()
        let (administration, id) = (books.administration, books.merchant.id)
        for index in 0..<3 {
            _ = try await books.sell(
                try ReportBooks.money(100_00), at: try moment("2026-10-25T10:00:00Z"), reference: "R\(index)")
        }
        let first = try await self.importing(
            try self.bank("25.10.2026;S;90,00;R0;1,00", "25.10.2026;S;80,00;R1;", "25.10.2026;S;70,00;R2;"), books)
        // One on the day itself, one on the next, and one of a file of the next.
        try await administration.resolveSettlement(
            SettlementItem.ID(file: first.file.id, number: 3), as: .fee, reason: "r")
        books.test.clock.advance(to: try moment("2026-10-31T12:00:00Z"))
        let second = try await self.importing(try self.bank("31.10.2026;F;5,00;Fee;"), books)
        for number in [2, 1] {
            books.test.clock.advance(seconds: 60)
            try await administration.resolveSettlement(
                SettlementItem.ID(file: first.file.id, number: number), as: .fee, reason: "r")
        }
        func fees(_ from: String?, _ to: String?, limit: Int) async throws -> [String] {
            var (entries, cursor): ([String], FeeCursor?) = ([], .first)
            while let present = cursor {
                let page = try await administration.fees(
                    of: id, from: try from.map(moment), to: try to.map(moment), after: present, limit: limit)
                entries += page.rows.map { row in
                    row.entry.replacing(first.file.id.text, with: "1").replacing(second.file.id.text, with: "2")
                }
                cursor = page.next
            }
            return entries
        }
        let all = ["1/1", "1/1/resolution", "1/2/resolution", "1/3/resolution", "2/1"]
        for limit in [1, 2, 100] {
            let (begin, night, end) = ("2026-10-30T00:00:00Z", "2026-10-31T00:00:00Z", "2026-11-01T00:00:00Z")
            #expect(try await fees(nil, nil, limit: limit) == all)
            #expect(try await fees(begin, end, limit: limit) == all)
            #expect(try await fees(begin, night, limit: limit) == ["1/1", "1/3/resolution"])
            // In the order of the decisions.
            #expect(try await fees(night, nil, limit: limit) == ["1/2/resolution", "1/1/resolution", "2/1"])
        }
        let days = try await [
            administration.dayReport(of: id, on: try day("2026-10-30")),
            administration.dayReport(of: id, on: try day("2026-10-31")),
        ]
        #expect(days.map { $0.totals.map(\.fees.minorUnits) } == [[31_00], [35_00]])
    }

    /// A day that was closed has its digest ever after: of what was booked for files, by the items' ids.
    @Test func closedDayIsDigestedByTheItemsIDs() async throws {
        let books = try await self.shop()
        let first = try await self.importing(
            try self.bank("25.10.2026;S;90,00;R0;", "25.10.2026;S;80,00;R1;"), books)
        books.test.clock.advance(to: try moment("2026-10-31T12:00:00Z"))
        let second = try await self.importing(try self.bank("31.10.2026;F;5,00;Fee;"), books)
        for number in [2, 1] {
            books.test.clock.advance(seconds: 60)
            try await books.administration.resolveSettlement(
                SettlementItem.ID(file: first.file.id, number: number), as: .fee, reason: "r")
        }
        let ids = [(first, 1), (first, 2), (second, 1)].map { SettlementItem.ID(file: $0.0.file.id, number: $0.1) }
        let fields = try await books.store.read { reader in
            try ids.compactMap { try reader.settlementItem($0) }.flatMap { item in
                try Bookkeeping.entries(for: item).filter { $0.bookedAt >= second.file.importedAt }
            }.flatMap { entry in
                ["settlement", "\(entry.bookedAt.milliseconds)", entry.id]
                    + entry.postings.flatMap { posting in
                        let amount = posting.amount
                        return [
                            posting.account.path, posting.side.rawValue, "\(amount.minorUnits)", amount.currency.code,
                        ]
                    }
            }
        }
        var hash = SHA256()
        for field in fields {
            hash.update(data: withUnsafeBytes(of: UInt32(field.utf8.count).bigEndian, Array.init))
            hash.update(data: Array(field.utf8))
        }
        let report = try await books.administration.dayReport(of: books.merchant.id, on: try day("2026-10-31"))
        #expect(report.digest == Array(hash.finalize()))
    }

    /// What a file lacks stays with the acquirer, until it comes or is given up.
    @Test(arguments: [
        (SettlementResolution.Decision.writtenOff, [Int64(0), 1_00, 0, -1_00, 100_00, -100_00]),
        (.theirs, [100_00, 1_00, 0, -1_00, 0, -100_00]), (.ours, [0, 1_00, 0, -1_00, 0, 0]),
    ])
    func whatAFileLacksIsResolved(_ decision: SettlementResolution.Decision, _ wanted: [Int64]) async throws {
        let books = try await self.shop()
        _ = try await books.sell(
            try ReportBooks.money(100_00), at: try moment("2026-10-25T10:00:00Z"), reference: "R0")
        let outcome = try await self.importing(try self.bank("25.10.2026;X;1,00;Bonus;"), books)
        let lacking = try #require(try await self.items(outcome, books).last)
        #expect(lacking.verdict == .missingInFile)
        try await books.administration.resolveSettlement(lacking.id, as: decision, reason: "looked up")
        #expect(try await books.settlementBalances() == wanted)
        // It comes after all: what was given up is a difference now, what was the acquirer's debt is paid.
        let late = try await self.importing(try self.bank("28.10.2026;S;100,00;R0;"), books)
        #expect(late.counts == [decision == .theirs ? .matched : .settledBefore: 1] && late.foundCount == 0)
    }

    /// The books have taken it back with the void: taken from the merchant or written off, it would be so twice.
    @Test func whatAFileLacksAndIsVoidedSinceIsTheirs() async throws {
        let books = try await self.shop()
        let sale = try await books.sell(
            try ReportBooks.money(100_00), at: try moment("2026-10-25T10:00:00Z"), reference: "R0")
        let outcome = try await self.importing(try self.bank("25.10.2026;X;1,00;Bonus;"), books)
        let lacking = try #require(try await self.items(outcome, books).last)
        #expect(lacking.verdict == .missingInFile)
        let amount = try ReportBooks.money(100_00)
        try await books.perform(
            .void(of: sale.operations[0].id), of: amount, on: sale.id, at: try moment("2026-10-29T10:00:00Z"))
        let balances = try await books.settlementBalances()
        for decision in [SettlementResolution.Decision.ours, .writtenOff, .fee] {
            try await books.expect(.settlementTakenBack) {
                try await $0.resolveSettlement(lacking.id, as: decision, reason: "x")
            }
        }
        try await books.administration.resolveSettlement(lacking.id, as: .theirs, reason: "voided")
        #expect(try await books.settlementBalances() == balances)
        try await books.expectSoundBooks()
    }

    /// A day shows what it has changed of what the merchant is owed, whoever has decided it.
    @Test func whatIsTakenFromTheMerchantIsACorrectionOfItsDay() async throws {
        let books = try await self.shop()
        _ = try await books.sell(
            try ReportBooks.money(100_00), at: try moment("2026-10-25T10:00:00Z"), reference: "R0")
        let outcome = try await self.importing(try self.bank("25.10.2026;S;90,00;R0;"), books)
        let item = try #require(try await self.items(outcome, books).first)
        try await books.administration.resolveSettlement(item.id, as: .ours, reason: "a rebate")
        var owed: Int64 = 0
        for date in ["2026-10-25", "2026-10-30"] {
            let report = try await books.administration.dayReport(of: books.merchant.id, on: try day(date))
            for total in report.totals { owed += try total.change().minorUnits }
        }
        #expect(owed == 90_00)
        let payable = try await books.balance(Bookkeeping.payable(to: books.merchant.id))
        #expect(payable == -owed)
        let resolved = try await books.administration.dayReport(of: books.merchant.id, on: try day("2026-10-30"))
        #expect(resolved.totals.first?.correctionsCount == 1)
        #expect(resolved.totals.first?.corrections.minorUnits == -10_00)
    }

    @Test func matchedLineIsNoDifference() async throws {
        let books = try await self.shop()
        _ = try await books.sell(
            try ReportBooks.money(100_00), at: try moment("2026-10-25T10:00:00Z"), reference: "R0")
        let outcome = try await self.importing(try self.bank("25.10.2026;S;100,00;R0;"), books)
        let item = try #require(try await self.items(outcome, books).first)
        try await books.expect(.settlementResolved) {
            try await $0.resolveSettlement(item.id, as: .theirs, reason: "x")
        }
    }

    @Test(arguments: [
        ("", "empty"), ("Day;What;Sum;Ref\n", "Line 1, column “Fee”"),
        ("Day;What;Sum;Ref;Fee;Ref\n", "Line 1, column 6"),
        ("Day;What;Sum;Ref;Fee\n25.10.2026;S;1,00;R", "Line 2, column 4"),
        ("Day;What;Sum;Ref;Fee\n25.10.2026;S;1,00;R;\n2026-10-25;S;1,00;R;", "Line 3, column “Day”"),
        ("Day;What;Sum;Ref;Fee\n31.11.2026;S;1,00;R;", "Line 2, column “Day”"),
        ("Day;What;Sum;Ref;Fee\n25.10.2026;S;1,00;R;\n31.12.9999;S;1,00;R;", "Line 3, column “Day”"),
        ("Day;What;Sum;Ref;Fee\n25.10.2026;Z;1,00;R;", "Line 2, column “What”"),
        ("Day;What;Sum;Ref;Fee\n25.10.2026;S;1.000,00;R;", "Line 2, column “Sum”"),
        ("Day;What;Sum;Ref;Fee\n25.10.2026;S;1,001;R;", "Line 2, column “Sum”"),
        ("Day;What;Sum;Ref;Fee\n25.10.2026;S;1000000000000000,00;R;", "Line 2, column “Sum”"),
        ("Day;What;Sum;Ref;Fee\n25.10.2026;S;1,00;R;x", "Line 2, column “Fee”"),
        ("Day;What;Sum;Ref;Fee\n25.10.2026;S;1,00;\"a\nb\";", "Line 2, column “Ref”"),
    ])
    func malformedFileBooksNothing(_ text: String, _ place: String) async throws {
        let books = try await self.shop()
        let mapping = try SettlementMapping(try JSON.parse(Self.bank))
        let document = SettlementDocument(name: "x", bytes: Array(text.utf8), mapping: mapping)
        let error = await #expect(throws: AdministrationError.self) {
            try await books.administration.importSettlement(document, account: "simulator", of: books.merchant.id)
        }
        #expect(
            error?.code == .settlementMalformed && error?.message.contains(place) == true, "\(error?.message ?? "")")
        #expect(try await books.administration.settlementFiles() == [])
    }

    private static let currencies = """
        {
          "name": "bank", "separator": ";",
          "columns": {"date": "Day", "amount": "Sum", "currency": "In", "reference": "Ref", "fee": "Fee"}
        }
        """

    private func importing(_ sum: String, _ code: String, fee: String) async throws -> SettlementItem? {
        let books = try await self.shop()
        let text = "Day;Sum;In;Ref;Fee\n2026-10-25;\(sum);\(code);R;\(fee)"
        let mapping = try SettlementMapping(try JSON.parse(Self.currencies))
        let document = SettlementDocument(name: "x", bytes: Array(text.utf8), mapping: mapping)
        return try await self.items(try await self.importing(document, books), books).first
    }

    /// Statements write all currencies with as many decimals.
    @Test(arguments: [
        ("1234.00", "JPY", "0.00", Int64(1234), Int64(0)), ("1234.0", "JPY", "12.0000", 1234, 12),
        ("10.9900", "USD", "0.100", 1099, 10), ("10.9", "USD", "0", 1090, 0), ("1.234000", "KWD", "", 1234, 0),
        ("-1234.00", "JPY", "-1.00", 1234, -1),
    ])
    func zerosBehindTheCurrencysDecimalsAreTaken(
        _ sum: String, _ code: String, _ fee: String, _ amount: Int64, _ feeMinorUnits: Int64
    ) async throws {
        let item = try #require(try await self.importing(sum, code, fee: fee))
        #expect(item.amount == (try ReportBooks.money(amount, code)) && item.feeMinorUnits == feeMinorUnits)
    }

    @Test(arguments: [
        ("1234.50", "JPY", ""), ("1234.", "JPY", ""), ("12.0.00", "JPY", ""), (".00", "JPY", ""),
        ("10.9910", "USD", ""), ("10.9", "USD", "0.001"),
    ])
    func otherDigitsBehindThemAreRefused(_ sum: String, _ code: String, _ fee: String) async throws {
        let error = await #expect(throws: AdministrationError.self) {
            _ = try await self.importing(sum, code, fee: fee)
        }
        #expect(error?.code == .settlementMalformed)
    }

    @Test func refusesAccountThatIsNotThere() async throws {
        let books = try await self.shop()
        try await books.expect(.acquirerUnknown) {
            _ = try await $0.importSettlement(
                try self.bank("25.10.2026;S;1,00;R;"), account: "nobody", of: books.merchant.id)
        }
    }

    @Test(arguments: [
        "[]", "{}", #"{"name":"x","columns":{"date":"a","amount":"b"}}"#,
        #"{"name":"x","columns":{"date":"a","amount":"b","reference":"c"}}"#,
        #"{"name":"x","currency":"XXX","columns":{"date":"a","amount":"b","reference":"c"}}"#,
        #"{"name":"x","currency":"EUR","columns":{"date":"a","amount":"b","reference":"c","type":"d"}}"#,
        #"{"name":"x","currency":"EUR","columns":{"date":"a","amount":"b","reference":"c"},"separator":"ab"}"#,
        #"{"name":"x","currency":"EUR","columns":{"date":"a","amount":"b","reference":"c"},"dates":"d/m/y"}"#,
        #"{"name":"x","currency":"EUR","columns":{"date":"a","amount":"b","reference":[1]}}"#,
        #"{"name":"x","currency":"EUR","columns":{"date":"a","amount":"b","reference":"c"},"types":{"a":"b"}}"#,
        #"{"name":"x","currency":"EUR","columns":{"date":"a","amount":"b","reference":"c"},"colour":"red"}"#,
        #"{"name":"x","currency":"EUR","columns":{"date":"a","amount":"b","references":"c"}}"#,
    ])
    func refusesMappingThatSaysTooLittle(_ text: String) throws {
        let json = try JSON.parse(text)
        let error = #expect(throws: AdministrationError.self) { try SettlementMapping(json) }
        #expect(error?.code == .settlementMappingInvalid)
    }

    /// Without a column of types the sign says what a line is.
    @Test func signSaysWhatALineIs() async throws {
        let books = try await self.shop()
        let at = try moment("2026-10-25T10:00:00Z")
        let sale = try await books.sell(try ReportBooks.money(100_00), at: at, reference: "R0")
        try await books.refund(try ReportBooks.money(40_00), of: sale.id, at: at, reference: "R1")
        let mapping = try SettlementMapping(
            try JSON.parse(
                #"{"name":"s","amounts":"minor","columns":{"date":"d","amount":"a","currency":"c","reference":"r"}}"#))
        let text = "d,a,c,r\n2026-10-25 10:00,10000,978,R0\n2026-10-25,-4000,EUR,R1\n"
        let outcome = try await self.importing(
            SettlementDocument(name: "s.csv", bytes: Array(text.utf8), mapping: mapping), books)
        #expect(outcome.counts == [.matched: 2])
        #expect(try await books.settlementBalances() == [0, 60_00, 0, 0, 0, -60_00])
    }
}
