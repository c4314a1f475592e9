//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Testing
import Time

@testable import PostgreSQLStore

/// What a page of movements costs, as the server plans it on a table of some size: no walk outside of the window, and of a
/// small merchant's movements none over the others'.
@Suite struct QueryPlanTests {
    private static let now = Timestamp(milliseconds: 1_750_000_000_000)

    private static func id<Tag>(_ type: Identifier<Tag>.Type = Identifier<Tag>.self) -> Identifier<Tag> {
        Identifier<Tag>(at: self.now, random: [7])
    }

    @Test func movementsAreFoundByTheirIndex() async throws {
        let (merchant, small): (MerchantID, MerchantID) = (Self.id(), Identifier(at: Self.now, random: [8]))
        let place = MovementQuery.Cursor(resolvedAt: Self.now.adding(seconds: 60), operationID: Self.id())
        let (from, to) = (Self.now, Self.now.adding(seconds: 3600))
        try await withStore { _, database in
            // A second apart. Every other one is the merchant's, and every thousandth the small merchant's.
            try await database.execute(
                """
                INSERT INTO movements SELECT
                    CASE WHEN n % 1000 = 1 THEN '\(small.text)' WHEN n % 2 = 0 THEN '\(merchant.text)'
                    ELSE 'mer_' || n % 50 END,
                    \(Self.now.milliseconds) + n * 1000, 'op_' || n, 'pay_' || n, 'alphapay', 'acc', 'capture', true
                FROM generate_series(1, 20000) AS n;
                ANALYZE movements;
                """)
            for (query, index) in [
                (MovementQuery(merchantID: small, from: from, to: to), "movements_pkey"),
                (MovementQuery(merchantID: small, from: from, to: to, after: place), "movements_pkey"),
                (MovementQuery(from: from, to: to), "movements_of_all"),
                (MovementQuery(from: from, to: to, after: place), "movements_of_all"),
                // Of a merchant with half of all movements either index leads to a page.
                (MovementQuery(merchantID: merchant, from: from, to: to), "movements_"),
                (MovementQuery(merchantID: merchant, from: from, to: to, after: place), "movements_"),
            ] {
                var (sql, arguments) = movementsPage(query)
                while let argument = arguments.popLast() {
                    sql = sql.replacing("$\(arguments.count + 1)", with: argument.map { "'\($0)'" } ?? "NULL")
                }
                let plan = try await database.execute("EXPLAIN (COSTS OFF) \(sql)")
                #expect(plan.contains("\(index)") && !plan.contains("Seq Scan"), "\(plan)")
                // The small merchant's few are as well sorted as walked.
                #expect(query.merchantID == small || !plan.contains("Sort"), "\(plan)")
            }
        }
    }
}
