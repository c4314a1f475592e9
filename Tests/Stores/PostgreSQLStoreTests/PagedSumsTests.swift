//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Payments
import PostgreSQLStore
import StoreRows
import Testing

/// What a check of the books adds up of whole tables is read page by page: of ten million payments one statement took longer
/// than the server's limit lets one run.
@Suite struct PagedSumsTests {
    /// More than two pages: three postings of each payment, and three movements of each moment.
    @Test func sumsAndCountsAreThoseOfAllPages() async throws {
        try await withStore { store, database in
            try await database.execute(
                """
                SET session_replication_role = replica;
                INSERT INTO postings SELECT 'pay_' || n / 3, 1, 0, n % 3, 'account/' || n % 2, 'posted',
                    CASE WHEN n % 2 = 0 THEN 'debit' ELSE 'credit' END, n, 'TWD' FROM generate_series(1, 120000) AS n;
                INSERT INTO settlement_postings
                    VALUES ('file', 1, false, 0, 'account/0', 'posted', 'debit', 5, 'TWD');
                INSERT INTO settlement_postings SELECT 'file_' || n / 1000, n, false, m, 'account/2', 'posted', 'debit', 1,
                    'TWD' FROM generate_series(1, 120000) AS n, generate_series(0, 1) AS m;
                INSERT INTO movements SELECT 'mer', n / 3, 'op_' || n, 'pay_' || n, 'alphapay', 'acc', 'capture', true
                FROM generate_series(1, 220000) AS n;
                """)
            try await store.read { reader in
                let sums = try reader.ledgerSums()
                #expect(sums.count == 3)
                let amounts = Dictionary(uniqueKeysWithValues: sums.map { ($0.key.account.path, $0.value) })
                // 2 + 4 + … + 120,000, and 1 + 3 + … + 119,999.
                #expect(amounts["account/0"]?.debits == 60_000 * 60_001 + 5 && amounts["account/0"]?.credits == 0)
                #expect(amounts["account/1"]?.credits == 60_000 * 60_000 && amounts["account/1"]?.debits == 0)
                #expect(amounts["account/2"]?.debits == 240_000)
                #expect(try reader.movementEntriesCount() == 220_000)
                #expect(try reader.settlementPostingsCount() == 240_001)
            }
        }
    }
}
