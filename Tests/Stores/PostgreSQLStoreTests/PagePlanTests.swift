//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Testing
import Time

@testable import PostgreSQLStore

/// What pages of lists, reports and deliveries cost, as the server plans them on tables of some size: by the index that
/// was made for them, and never by all rows.
@Suite struct PagePlanTests {
    private static let now = QueryPlanTests.now
    private static let merchant: MerchantID = QueryPlanTests.id()
    private static let (from, to) = (now.adding(seconds: 60), now.adding(seconds: 18_000))
    private static let rowsCount = 20_000

    /// - Parameter index: one that the plan has.
    private static func expect(
        _ statement: RowStatement, _ index: String, avoiding tables: [String], in database: TestDatabase,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let plan = try await QueryPlanTests.plan(statement, in: database)
        #expect(plan.contains(index), "\(plan)", sourceLocation: sourceLocation)
        for table in tables {
            #expect(!plan.contains("Seq Scan on \(table)"), "\(plan)", sourceLocation: sourceLocation)
        }
    }

    /// Without looking at what they belong to.
    private static func insert(_ sql: String, _ table: String, into database: TestDatabase) async throws {
        try await database.execute(
            "SET session_replication_role = replica; \(sql) FROM generate_series(1, \(self.rowsCount)) AS n; ANALYZE \(table);"
        )
    }

    private static func insertOperations(into database: TestDatabase) async throws {
        try await self.insert(
            """
            INSERT INTO operations (payment_id, ordinal, id, kind, minor_units, currency, is_final_capture,
                accepts_partial_approval, begun_at, begun_in_version, state, merchant_reference, acquirer_reference,
                authorization_code)
            SELECT 'pay_' || n, 0, 'op_' || n, 'authorization', 1, 'CAD', false, false, 0, 1, 'succeeded',
                'ours_' || n, 'theirs_' || n, 'code_' || n
            """, "operations", into: database)
    }

    private static func insertOrders(into database: TestDatabase) async throws {
        try await self.insert(
            """
            INSERT INTO orders (id, merchant_id, dialect, reference, minor_units, currency, summary, created_at, expires_at)
            SELECT 'ord_' || n, CASE WHEN n % 5 = 1 THEN '\(self.merchant.text)' ELSE 'mer_' || n % 50 END, 'alphapay',
                'order_' || n, 1, 'CAD', '', 0, 0
            """, "orders", into: database)
    }

    /// Of the merchants who have payments.
    private static func insertAccounts(into database: TestDatabase) async throws {
        try await database.execute(
            """
            SET session_replication_role = replica;
            INSERT INTO accounts SELECT 'alphapay', 'mer_' || n, 'key_' || n FROM generate_series(0, 49) AS n;
            INSERT INTO accounts VALUES ('alphapay', '\(self.merchant.text)', 'key');
            ANALYZE accounts;
            """)
    }

    /// What the text may be in a dialect with accounts and in others: of more kinds than all dialects have together.
    private static func references(_ kindsCount: Int) -> [PaymentQuery.DialectReference] {
        (0..<kindsCount).map { number in
            PaymentQuery.DialectReference(
                DialectName(number < 5 ? "alphapay" : "dialect_\(number)"), kind: "kind_\(number)", value: "v")
        }
    }

    @Test func paymentsAreFoundByTheirNames() async throws {
        let tables = ["payments", "operations", "orders"]
        try await withStore { _, database in
            try await QueryPlanTests.insertPayments(of: Self.merchant, into: database)
            try await Self.insertOperations(into: database)
            try await Self.insertOrders(into: database)
            try await Self.insertAccounts(into: database)
            for owner in [Self.merchant, nil] {
                for (name, index) in [
                    (.merchant("ours_7"), "operations_by_merchant_reference"),
                    (.acquirer("theirs_7"), "operations_by_acquirer_reference"),
                    (.authorizationCode("code_7"), "operations_by_authorization_code"),
                    (.dialects(Self.references(1)), "operation_references_pkey"),
                    (.dialects(Self.references(10)), "operation_references_pkey"),
                    (.dialects(Self.references(10)), "idempotency_claims_pkey"),
                ] as [(PaymentQuery.OperationName, String)] {
                    var query = PaymentQuery(merchantID: owner)
                    query.operationName = name
                    try await Self.expect(query.page("*", parameters), index, avoiding: tables, in: database)
                }
                let ordered = PaymentQuery(merchantID: owner, orderReference: "order_7")
                try await Self.expect(
                    ordered.page("*", parameters), "payments_of_order", avoiding: tables, in: database)
                let suffix = PaymentQuery(merchantID: owner, cardSuffix: "0007")
                try await Self.expect(
                    suffix.page("*", parameters), "payments_by_suffix", avoiding: tables, in: database)
            }
            try await Self.expectCards(in: database)
        }
    }

    /// Cards by the number that is displayed, also where all of a shop's test payments are charged to one number.
    private static func expectCards(in database: TestDatabase) async throws {
        try await database.execute(
            """
            UPDATE payments SET display_name = 'Visa ' || lpad((minor_units % 10000)::text, 4, '0');
            ANALYZE payments;
            """)
        for owner in [self.merchant, nil] {
            let query = PaymentQuery(merchantID: owner, cardSuffix: "0007")
            for statement in [query.page("*", parameters), query.count(parameters, max: 100)] {
                for index in ["payments_by_suffix", "payments_by_shown_suffix"] {
                    try await self.expect(statement, index, avoiding: ["payments"], in: database)
                }
            }
        }
    }

    /// Of each span of days those that can reach into the day.
    @Test func settlementFilesAreFoundByTheirDays() async throws {
        try await withStore { _, database in
            try await Self.insert(
                """
                INSERT INTO settlement_files (id, merchant_id, account_id, name, mapping, digest, lines_count, from_at,
                    to_at, imported_at, imported_by)
                SELECT 'set_' || n, '\(Self.merchant.text)', 'acc', 'f', 'm', convert_to(n::text, 'UTF8'), 1,
                    \(Self.now.milliseconds) + n * 86400000::bigint,
                    \(Self.now.milliseconds) + (n + CASE n % 5 WHEN 0 THEN 1 WHEN 1 THEN 7 WHEN 2 THEN 30 WHEN 3 THEN 365
                        ELSE 800 END) * 86400000::bigint, 0, 'x'
                """, "settlement_files", into: database)
            let from = Self.now.adding(seconds: 10_000 * 86_400)
            let query = SettlementFile.ids(of: Self.merchant, from: from, to: from.adding(seconds: 86_400), parameters)
            try await Self.expect(query, "settlement_files_by_days", avoiding: [], in: database)
            let plan = try await QueryPlanTests.plan(query, in: database)
            // Of more than 400 days all that began before are looked at.
            let seeks = plan.split(separator: "\n").count { $0.contains("settlement_files_by_days") }
            #expect(seeks >= 4 && plan.split(separator: "\n").count { $0.contains("Seq Scan") } <= 1, "\(plan)")
        }
    }

    /// Also what is decided long ago, and however many approvals there have been.
    @Test func approvalsOfAPaymentAreFoundByIt() async throws {
        try await withStore { _, database in
            try await Self.insert(
                """
                INSERT INTO approvals (id, kind, operation, payment_id, summary, asked_by, asked_identities, ask_key,
                    asked_at, ends_at, state)
                SELECT 'apr_00' || n, 'refund', 'refundPayment', CASE WHEN n % 2 = 0 THEN 'pay_' || n % 5000 END, 's', 'a',
                    'a', 'k_' || n, 0, 0, 'approved'
                """, "approvals", into: database)
            for before in [nil, QueryPlanTests.id()] as [ApprovalID?] {
                let query = ApprovalQuery(paymentID: QueryPlanTests.id(), before: before)
                try await Self.expect(
                    query.page(parameters), "approvals_of_payment", avoiding: ["approvals"], in: database)
            }
        }
    }

    /// The names of a page's movements are looked up by the keys of its rows.
    @Test func movementsNamesAreFoundByTheirKeys() async throws {
        let query = MovementQuery(
            merchantID: Self.merchant, from: Self.from, to: Self.from.adding(seconds: 60), limit: 20)
        try await withStore { _, database in
            try await QueryPlanTests.insertMovements(of: Self.merchant, QueryPlanTests.id(), into: database)
            try await QueryPlanTests.insertPayments(of: Self.merchant, into: database)
            try await Self.insertOperations(into: database)
            try await Self.insertOrders(into: database)
            for index in ["movements_", "operations_id_key", "operations_pkey", "payments_pkey", "orders_pkey"] {
                try await Self.expect(
                    query.names(parameters), index, avoiding: ["movements", "operations", "payments", "orders"],
                    in: database)
            }
        }
    }

    /// One in a thousand of a merchant who has half of all.
    @Test(arguments: [[.chargeback, .lateFailure], [.chargeback]] as [Set<PaymentOperation.Kind>])
    func lostMovementsAreFoundByTheirIndex(_ kinds: Set<PaymentOperation.Kind>) async throws {
        let place = MovementQuery.Cursor(resolvedAt: Self.from, operationID: QueryPlanTests.id())
        try await withStore { _, database in
            try await Self.insert(
                """
                INSERT INTO movements SELECT CASE WHEN n % 2 = 0 THEN '\(Self.merchant.text)' ELSE 'mer_' || n % 50 END,
                    \(Self.now.milliseconds) + n * 1000, 'op_' || n, 'pay_' || n, 'alphapay', 'acc',
                    CASE WHEN n % 1000 = 0 THEN 'chargeback' ELSE 'capture' END, true
                """, "movements", into: database)
            for after in [nil, place] {
                let query = MovementQuery(
                    merchantID: Self.merchant, kinds: kinds, from: Self.from, to: Self.to, after: after)
                try await Self.expect(
                    query.page(parameters), "movements_lost", avoiding: ["movements"], in: database)
            }
        }
    }

    @Test(arguments: [SettlementWindow.Booking.line, .resolution])
    func settlementsAreFoundByWhatIsBooked(_ booking: SettlementWindow.Booking) async throws {
        let cursor = SettlementWindow.Cursor(
            bookedAt: Self.from, id: SettlementItem.ID(file: QueryPlanTests.id(), number: 1))
        try await withStore { _, database in
            try await Self.insert(
                """
                INSERT INTO settlement_items (file_id, number, merchant_id, account_id, kind, date, reference, minor_units,
                    currency, fee_minor_units, verdict, is_fee_booked, identity, booked_at, decision, reason, resolved_at,
                    resolved_by)
                SELECT 'file_' || n / 1000, n, CASE WHEN n % 2 = 0 THEN '\(Self.merchant.text)' ELSE 'mer_' || n % 50 END,
                    'acc', 'capture', '2026-01-01', 'r', 1, 'CAD', 0, 'unknown', false, 'i' || n,
                    \(Self.now.milliseconds) + n * 1000, 'theirs', 'why', \(Self.now.milliseconds) + n * 1000, 'who'
                """, "settlement_items", into: database)
            for after in [nil, cursor] {
                let window = SettlementWindow(
                    merchantID: Self.merchant, booking, from: Self.from, to: Self.from.adding(seconds: 600),
                    after: after, limit: 50)
                try await Self.expect(
                    window.page(parameters),
                    booking == .line ? "settlement_items_booked" : "settlement_items_resolved",
                    avoiding: ["settlement_items"], in: database)
            }
        }
    }

    /// Most are delivered, a tenth was given up, and half are the merchant's.
    @Test func eventsAreFoundByTheirIndexes() async throws {
        let place: EventID = QueryPlanTests.id()
        let payment: PaymentID = QueryPlanTests.id()
        let statements = [nil, Self.merchant].flatMap { merchant in
            [
                (OutboxQuery(merchantID: merchant, state: .pending, limit: 20).page(parameters), "outbox_events_open"),
                (
                    OutboxQuery(merchantID: merchant, state: .dead, after: place, limit: 20).page(parameters),
                    "outbox_events_dead"
                ),
                (
                    OutboxQuery(merchantID: merchant, state: .dead, paymentID: payment).page(parameters),
                    "outbox_events_pkey"
                ),
            ]
        }
        try await withStore { _, database in
            try await Self.insert(
                """
                INSERT INTO outbox_events
                SELECT 'pay_' || n, 0, 'evt_' || lpad(n::text, 9, '0'),
                    CASE WHEN n % 2 = 0 THEN '\(Self.merchant.text)' ELSE 'mer_' || n % 50 END, 'alphapay', 'captured',
                    'op_' || n, 1, '', 0, CASE WHEN n % 10 = 0 THEN 'dead' WHEN n % 1000 = 1 THEN 'pending' ELSE 'delivered' END, 0, 1,
                    NULL
                """, "outbox_events", into: database)
            for (statement, index) in statements {
                try await Self.expect(statement, index, avoiding: ["outbox_events"], in: database)
            }
            let delivered = RowStatement(OutboxEvent.delivered(parameters), ["evt_000000007", "evt_000000900", 100])
            try await Self.expect(delivered, "outbox_events_id_key", avoiding: ["outbox_events"], in: database)
            let few = OutboxQuery(merchantID: Self.merchant, after: place, limit: 20)
            try await Self.expect(few.page(parameters), "outbox_events_", avoiding: ["outbox_events"], in: database)
        }
    }

    @Test func refusedCallsAreFoundByTheirIndexes() async throws {
        try await withStore { _, database in
            try await Self.insert(
                """
                INSERT INTO refused_calls (id, at, merchant_id, dialect, operation, wire_code, stage, code, text, request_id,
                    public_key_hash)
                SELECT 'ref_' || lpad(n::text, 9, '0'), 0, 'mer_' || n % 50, 'alphapay', 'pay', 'E', 'token', 'c', 't',
                    'req_' || n, 'key_' || n % 500
                """, "refused_calls", into: database)
            let limited = { (query: RefusedCallQuery) in
                var query = query
                query.limit = 10
                return query.page(parameters)
            }
            for (query, index) in [
                (RefusedCallQuery(merchantID: Self.merchant), "refused_calls_by_merchant"),
                (RefusedCallQuery(publicKeyHash: "key_7"), "refused_calls_by_key"),
                (RefusedCallQuery(requestID: "req_7"), "refused_calls_by_request"),
                (RefusedCallQuery(), "refused_calls_pkey"),
            ] { try await Self.expect(limited(query), index, avoiding: ["refused_calls"], in: database) }
        }
    }

    /// A walk's places are those of an index, and a tally looks at so many of them.
    @Test func walksAndTalliesAreBounded() async throws {
        let cursor = PaymentQuery.Cursor(key: Self.to.milliseconds, id: QueryPlanTests.id())
        let dialect = DialectName("alphapay")
        try await withStore { _, database in
            try await QueryPlanTests.insertPayments(of: Self.merchant, into: database)
            for (query, index) in [
                (PaymentQuery(merchantID: Self.merchant, dialect: dialect, after: cursor), "payments_"),
                (PaymentQuery(dialect: dialect, from: Self.from, to: Self.to, after: cursor), "payments_by_time"),
                (PaymentQuery(dialect: dialect, state: .declined, after: cursor), "payments_by_state"),
                (
                    PaymentQuery(merchantID: Self.merchant, dialect: dialect, order: .largestFirst),
                    "payments_by_amount"
                ),
            ] {
                let walk = try #require(query.walk)
                try await Self.expect(
                    walk.place(number: 100, parameters), index, avoiding: ["payments"], in: database)
                var tallied = query
                tallied.limit = 100
                try await Self.expect(tallied.tally(parameters), index, avoiding: ["payments"], in: database)
            }
        }
    }
}
