//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Testing
import Time

@testable import PostgreSQLStore

/// What a page costs, as the server plans it on a table of some size: no walk outside of the window, and of a small
/// merchant's movements none over the others'.
@Suite struct QueryPlanTests {
    static let now = Timestamp(milliseconds: 1_750_000_000_000)

    static func id<Tag>(_ type: Identifier<Tag>.Type = Identifier<Tag>.self) -> Identifier<Tag> {
        Identifier<Tag>(at: self.now, random: [7])
    }

    static func plan(_ statement: RowStatement, in database: TestDatabase) async throws -> String {
        var (sql, arguments) = (statement.sql, statement.arguments)
        while let argument = arguments.popLast() {
            let literal =
                switch argument {
                case .null: "NULL"
                case .text(let text): "'\(text)'"
                case .integer(let integer): "'\(integer)'"
                case .flag(let flag): "\(flag)"
                case .bytes: "''"
                }
            sql = sql.replacing("$\(arguments.count + 1)", with: literal)
        }
        return try await database.execute("EXPLAIN (COSTS OFF) \(sql)")
    }

    /// A second apart. Every other one is the merchant's, and every thousandth the small merchant's.
    static func insertMovements(
        of merchant: MerchantID, _ small: MerchantID, into database: TestDatabase
    ) async throws {
        try await database.execute(
            """
            INSERT INTO movements SELECT
                CASE WHEN n % 1000 = 1 THEN '\(small.text)' WHEN n % 2 = 0 THEN '\(merchant.text)'
                ELSE 'mer_' || n % 50 END,
                \(Self.now.milliseconds) + n * 1000, 'op_' || n, 'pay_' || n, 'alphapay', 'acc', 'capture', true
            FROM generate_series(1, 20000) AS n;
            ANALYZE movements;
            """)
    }

    /// Also while the statistics say that all is under the old key, and hardly anything is any more.
    @Test func memosAreFoundByTheirDataKey() async throws {
        let memos = SealedTable(.acquirerMemo)
        let place = SealedPlace.acquirerMemo(Self.id(), .entries)
        let deletion = "DELETE FROM data_keys WHERE id = $1 AND \(SealedTable.nothingIsSealed(parameters))"
        try await withStore { _, database in
            try await database.execute(
                """
                SET session_replication_role = replica;
                INSERT INTO acquirer_memos SELECT 'op_' || n, 'entries', 'pay_' || n, 'old', 'box'
                FROM generate_series(1, 20000) AS n;
                ANALYZE acquirer_memos;
                UPDATE acquirer_memos SET key_id = 'new';
                """)
            for statement in [
                memos.values(under: "old", after: nil, limit: 64, parameters),
                memos.values(under: "old", after: place, limit: 64, parameters),
                RowStatement(memos.keyIDs), SealedTable.count(under: "old", max: 1000, parameters),
                RowStatement(deletion, ["old"]),
            ] {
                let plan = try await Self.plan(statement, in: database)
                #expect(plan.contains("acquirer_memos_of_key"), "\(plan)")
                #expect(!plan.contains("Seq Scan on acquirer_memos"), "\(plan)")
                #expect(!plan.contains("acquirer_memos_pkey"), "\(plan)")
            }
        }
    }

    @Test func movementsAreFoundByTheirIndex() async throws {
        let (merchant, small): (MerchantID, MerchantID) = (Self.id(), Identifier(at: Self.now, random: [8]))
        let place = MovementQuery.Cursor(resolvedAt: Self.now.adding(seconds: 60), operationID: Self.id())
        let (from, to) = (Self.now, Self.now.adding(seconds: 3600))
        try await withStore { _, database in
            try await Self.insertMovements(of: merchant, small, into: database)
            for (query, index) in [
                (MovementQuery(merchantID: small, from: from, to: to), "movements_pkey"),
                (MovementQuery(merchantID: small, from: from, to: to, after: place), "movements_pkey"),
                (MovementQuery(from: from, to: to), "movements_of_all"),
                (MovementQuery(from: from, to: to, after: place), "movements_of_all"),
                // Of a merchant with half of all movements either index leads to a page.
                (MovementQuery(merchantID: merchant, from: from, to: to), "movements_"),
                (MovementQuery(merchantID: merchant, from: from, to: to, after: place), "movements_"),
            ] {
                let plan = try await Self.plan(query.page(parameters), in: database)
                #expect(plan.contains("\(index)") && !plan.contains("Seq Scan"), "\(plan)")
                // The small merchant's few are as well sorted as walked.
                #expect(query.merchantID == small || !plan.contains("Sort"), "\(plan)")
            }
        }
    }

    /// A page's rows are looked up by their keys, once they are few among all.
    @Test func whatAPageNeedsIsFoundByItsKeys() async throws {
        let numbers = 1...32
        let listed = { (prefix: String) in numbers.map { "\(prefix)\($0)" }.joined(separator: ",") }
        let moments = numbers.map { "\(Self.now.milliseconds + Int64($0) * 1000)" }.joined(separator: ",")
        try await withStore { _, database in
            try await Self.insertMovements(of: Self.id(), Self.id(), into: database)
            try await Self.insertPayments(of: Self.id(), into: database)
            for (sql, arguments, table) in [
                (movementsByKeys, [listed("mer_"), moments, listed("op_")], "movements"),
                (paymentsByIDs, [listed("pay_")], "payments"),
            ] as [(String, RowArguments, String)] {
                let plan = try await Self.plan(RowStatement(sql, arguments), in: database)
                #expect(plan.contains(" on \(table)") && !plan.contains("Seq Scan on \(table)"), "\(plan)")
            }
        }
    }

    /// Payments a second apart, of fifty merchants; every fifth is the merchant's. One in a thousand is declined.
    static func insertPayments(of merchant: MerchantID, into database: TestDatabase) async throws {
        try await database.execute(
            """
            BEGIN;
            SET CONSTRAINTS ALL DEFERRED;
            ALTER TABLE payments DISABLE TRIGGER ALL;
            INSERT INTO payments SELECT
                'pay_' || n, CASE WHEN n % 5 = 1 THEN '\(merchant.text)' ELSE 'mer_' || n % 50 END, 'sandbox', 'alphapay',
                'simulator', 'acc', NULL, n * 7919 % 10007, 'CAD', '411111', '1111', 16, 'visa', '3112', NULL, NULL, NULL,
                \(Self.now.milliseconds) + n * 1000, 2, CASE WHEN n % 1000 = 0 THEN 'declined' ELSE 'captured' END
            FROM generate_series(1, 20000) AS n;
            COMMIT;
            ANALYZE payments;
            """)
    }

    @Test func paymentsAreFoundByTheirAmount() async throws {
        let merchant: MerchantID = Self.id()
        try await withStore { _, database in
            try await Self.insertPayments(of: merchant, into: database)
            for order in [PaymentQuery.Order.largestFirst, .smallestFirst] {
                for after in [nil, PaymentQuery.Cursor(key: 5000, id: Self.id())] {
                    let query = PaymentQuery(merchantID: merchant, order: order, after: after, limit: 10)
                    let plan = try await Self.plan(query.page("*", parameters), in: database)
                    #expect(plan.contains("payments_by_amount") && !plan.contains("Sort"), "\(plan)")
                }
            }
        }
    }

    @Test func paymentsOfAnOrderAreFoundByIt() async throws {
        let merchant: MerchantID = Self.id()
        try await withStore { _, database in
            try await Self.insertPayments(of: merchant, into: database)
            for owner in [merchant, nil] {
                let query = PaymentQuery(merchantID: owner, orderID: Self.id(), limit: 10)
                let plan = try await Self.plan(query.page("*", parameters), in: database)
                #expect(plan.contains("payments_of_order"), "\(plan)")
            }
        }
    }

    @Test func paymentsAreFoundByTheirTimeAndTheirState() async throws {
        let cursor = PaymentQuery.Cursor(key: Self.now.adding(seconds: 9000).milliseconds, id: Self.id())
        let (from, to) = (Self.now, Self.now.adding(seconds: 18_000))
        try await withStore { _, database in
            try await Self.insertPayments(of: Self.id(), into: database)
            for order in [PaymentQuery.Order.newestFirst, .oldestFirst] {
                for after in [nil, cursor] {
                    for (state, index) in [
                        (PaymentState?.none, "payments_by_time"), (.captured, "payments_by_time"),
                        (.declined, "payments_by_state"),
                    ] {
                        let query = PaymentQuery(
                            from: from, to: to, state: state, order: order, after: after, limit: 10)
                        let plan = try await Self.plan(query.page("*", parameters), in: database)
                        #expect(plan.contains(index) && !plan.contains("Seq Scan"), "\(plan)")
                        // The few that are declined are as well sorted as walked.
                        #expect(state == .declined || !plan.contains("Sort"), "\(plan)")
                    }
                }
            }
        }
    }
}
