//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import MemoryStore
import Payments
import StrictJSON
import Synchronization
import TestGateway
import Testing
import Time

/// A day's file that comes in two parts, both imported at once.
@Suite struct SettlementRaceTests {
    private func part(_ name: String, _ lines: String...) throws -> SettlementDocument {
        let mapping = """
            {"name": "bank", "separator": ";", "decimalSeparator": ".", "dates": "yyyy-MM-dd", "currency": "EUR",
             "columns": {"date": "Day", "type": "What", "amount": "Sum", "reference": "Ref"},
             "types": {"S": "payment"}}
            """
        let text = (["Day;What;Sum;Ref"] + lines).joined(separator: "\n")
        return SettlementDocument(
            name: name, bytes: Array(text.utf8), mapping: try SettlementMapping(try JSON.parse(mapping)))
    }

    /// Neither knows what the other settles, and what both believe is missing would be booked twice once somebody resolves it.
    @Test func theSecondOfTwoIsImportedAgain() async throws {
        let store = HookedStore(MemoryStore())
        let books = try await ReportBooks.open(store: store)
        let at = try moment("2026-10-25T10:00:00Z")
        for (number, reference) in ["R0", "R1"].enumerated() {
            _ = try await books.sell(
                try ReportBooks.money(100_00), at: at.adding(seconds: Int64(number)), reference: reference)
        }
        let first = try self.part("first.csv", "2026-10-25;S;100.00;R0")
        let second = try self.part("second.csv", "2026-10-25;S;100.00;R1")
        let importSecond: @Sendable () async throws -> SettlementImport = {
            try await books.administration.importSettlement(second, account: "simulator", of: books.merchant.id)
        }
        // The second is booked once the first has made its plan.
        let booked = Mutex<SettlementImport?>(nil)
        store.beforeWrite(1) {
            let outcome = try? await importSecond()
            booked.withLock { $0 = outcome }
        }
        try await books.expectRace {
            _ = try await $0.importSettlement(first, account: "simulator", of: books.merchant.id)
        }
        #expect(booked.withLock { $0 }?.counts == [.matched: 1, .missingInFile: 1])
        let again = try await books.administration.importSettlement(
            first, account: "simulator", of: books.merchant.id)
        #expect(again.counts == [.matched: 1] && again.foundCount == 1)
        #expect(try await books.administration.settlementItems(SettlementQuery(isOpen: true)).isEmpty)
        try await books.expectSoundBooks()
    }
}

extension ReportBooks {
    fileprivate func expectRace(_ act: (Administration) async throws -> Void) async throws {
        let error = await #expect(throws: AdministrationError.self) { try await act(self.administration) }
        #expect(error?.code == .settlementRaced)
    }
}
