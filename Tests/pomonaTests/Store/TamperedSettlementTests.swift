//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments
import Testing

@testable import pomona

/// What somebody has changed in the rows of a settlement is found by the ledger's check, in each SQL store.
@Suite("The rows of settlements") struct TamperedSettlementTests {
    private static let changes = [
        "UPDATE settlement_postings SET minor_units = minor_units + 1",
        "UPDATE settlement_postings SET account = 'acquirer/acc_01KAJ4T5C8RZ0G3V7M2W9XQY4B/fees' WHERE ordinal = 0",
        "DELETE FROM settlement_postings WHERE ordinal = 0", "DELETE FROM settlement_postings",
        "UPDATE settlement_items SET minor_units = minor_units + 1", "UPDATE settlement_items SET kind = 'refund'",
        "UPDATE settlement_items SET currency = 'USD'", "UPDATE settlement_items SET verdict = 'matched'",
        """
        UPDATE settlement_items SET operation_id = (SELECT id FROM operations ORDER BY id LIMIT 1),
            payment_id = (SELECT payment_id FROM operations ORDER BY id LIMIT 1)
        """,
    ]

    private func problems(_ location: StoreLocation) async throws -> [String] {
        let store = try await location.openReadOnly()
        let report = try await LedgerAudit.run(store: store)
        try await store.close()
        return report.problems
    }

    @Test func everyChangeIsFoundInSQLite() async throws {
        let bench = try await CopyBench()
        #expect(try await self.problems(bench.source).isEmpty)
        for (number, change) in Self.changes.enumerated() {
            let file = "tampered\(number).sqlite"
            let target = try await bench.emptyFile(file)
            try await CopyBench.copyRows(bench.source, target)
            try CopyBench.tamper(
                bench.folder.file(file),
                "DROP TRIGGER settlement_postings_never_update; DROP TRIGGER settlement_postings_never_delete; "
                    + change)
            let problems = try await self.problems(target)
            #expect(problems.contains { $0.contains("settlement") }, "\(change): \(problems)")
        }
    }

    @Test func everyChangeIsFoundInPostgreSQL() async throws {
        let bench = try await CopyBench()
        let database = try await CopyDatabase(hasTables: true)
        try await CopyBench.copyRows(bench.source, database.location)
        #expect(try await self.problems(database.location).isEmpty)
        for change in Self.changes {
            let tampered = try await CopyDatabase(hasTables: true)
            try await CopyBench.copyRows(bench.source, tampered.location)
            try await tampered.execute(
                """
                ALTER TABLE settlement_postings DISABLE TRIGGER ALL; ALTER TABLE settlement_items DISABLE TRIGGER ALL;
                \(change)
                """)
            let problems = try await self.problems(tampered.location)
            #expect(problems.contains { $0.contains("settlement") }, "\(change): \(problems)")
        }
    }
}
