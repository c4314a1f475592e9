//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDB
import Payments
import StoreRows
import Testing
import Time

@testable import SQLiteStore

/// What a page costs, as SQLite plans it (sqlite.org/eqp.html): one index, no table read whole, nothing sorted.
@Suite struct QueryPlanTests {
    private func plan(_ sql: String) async throws -> [String] {
        try await withDirectory { place in
            try await place.withStore { _ in }
            let queue = try DatabaseQueue(path: place.path)
            defer { try? queue.close() }
            return try await queue.read { database in
                try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(sql.replacing("?", with: "1"))")
                    .map { $0["detail"] ?? "" }
            }
        }
    }

    private func plan(_ query: PaymentQuery) async throws -> [String] {
        try await self.plan(query.page(Payment.table.names, parameters).sql)
    }

    private static let (from, to) = (Sample.now, Sample.now.adding(seconds: 3600))
    private static let place = MovementQuery.Cursor(resolvedAt: Sample.now, operationID: Sample.id(1))
    private static let merchant: MerchantID = Sample.id(1)

    @Test(
        arguments: [
            (
                MovementQuery(merchantID: merchant, from: from, to: to),
                "PRIMARY KEY (merchant_id=? AND resolved_at>? AND "
            ),
            (
                MovementQuery(merchantID: merchant, kinds: [.refund], from: from, to: to, after: place),
                "PRIMARY KEY (merchant_id=? AND (resolved_at,operation_id)>(?,?) AND "
            ),
            (
                MovementQuery(merchantID: merchant, dialect: Sample.dialect, accountID: Sample.id(1), from: from),
                "PRIMARY KEY (merchant_id=? AND resolved_at>?)"
            ),
            (MovementQuery(from: from, to: to), "INDEX movements_of_all (resolved_at>? AND resolved_at<?)"),
            (
                MovementQuery(includesFailed: true, from: from, to: to, after: place),
                "INDEX movements_of_all ((resolved_at,operation_id)>(?,?) AND "
            ),
        ])
    func movementsAreFoundByTheirIndex(_ query: MovementQuery, index: String) async throws {
        let plan = try await self.plan(query.page(parameters).sql)
        #expect(plan.count == 1, "\(plan)")
        #expect(plan.first?.contains("SEARCH movements USING \(index)") == true, "\(plan)")
    }

    /// The key of the table has the same columns, and all of the merchant's movements.
    @Test(
        arguments: [
            (nil, "(merchant_id=? AND resolved_at>? AND resolved_at<?)"),
            (place, "(merchant_id=? AND (resolved_at,operation_id)>(?,?) AND resolved_at<?)"),
        ] as [(MovementQuery.Cursor?, String)],
        [[.chargeback, .lateFailure], [.chargeback]] as [Set<PaymentOperation.Kind>])
    func lostMovementsAreFoundByTheirIndex(
        _ place: (MovementQuery.Cursor?, String), _ kinds: Set<PaymentOperation.Kind>
    ) async throws {
        let query = MovementQuery(
            merchantID: Self.merchant, kinds: kinds, from: Self.from, to: Self.to, after: place.0)
        let plan = try await self.plan(query.page(parameters).sql)
        #expect(plan == ["SEARCH movements USING INDEX movements_lost \(place.1)"], "\(plan)")
    }

    /// A page is found by its index, and what it is called by the keys of its rows; no more than the page is sorted.
    @Test func namesOfMovementsAreFoundByTheirKeys() async throws {
        let query = MovementQuery(merchantID: Self.merchant, from: Self.from, to: Self.to, after: Self.place)
        let plan = try await self.plan(query.names(parameters).sql)
        for step in [
            "SEARCH movements USING PRIMARY KEY (merchant_id=? AND (resolved_at,operation_id)>(?,?) AND ",
            "SEARCH named USING INDEX sqlite_autoindex_operations_1 (id=?)",
            "SEARCH opening USING PRIMARY KEY (payment_id=? AND ordinal=?)", "SEARCH payments USING PRIMARY KEY (id=?)",
            "SEARCH orders USING PRIMARY KEY (id=?)",
        ] { #expect(plan.contains { $0.hasPrefix(step) }, "\(step) in \(plan)") }
        #expect(!plan.contains { $0.hasPrefix("SCAN ") && $0 != "SCAN movements" }, "\(plan)")
    }

    @Test func namedPaymentsAreFoundByTheirIndexes() async throws {
        let plan = try await self.plan(namedQuery(dialectsCount: 2))
        for step in [
            "SEARCH operations USING INDEX sqlite_autoindex_operations_1 (id=?)",
            "SEARCH payments USING PRIMARY KEY (id=?)",
            "operations_by_acquirer_reference (acquirer_reference=?)",
            "operations_by_network_reference (network_reference=?)",
            "operations_by_merchant_reference (merchant_reference=?)", "(merchant_id=? AND dialect=? AND reference=?)",
            "payments_of_order (order_id=?)",
        ] { #expect(plan.contains { $0.contains(step) }, "\(step) in \(plan)") }
        let scans = plan.filter { $0.hasPrefix("SCAN ") }
        #expect(scans == ["SCAN acquirers", "SCAN networks", "SCAN merchants", "SCAN ordered"], "\(plan)")
    }

    /// Millions of memos are under the key that seals: what is under another one is found without a look at them.
    @Test func memosAreFoundByTheirDataKey() async throws {
        let memos = SealedTable(.acquirerMemo)
        for place in [nil, .acquirerMemo(Sample.id(1), .entries)] as [SealedPlace?] {
            let plan = try await self.plan(memos.values(under: "k", after: place, limit: 9, parameters).sql)
            #expect(plan.count == 1, "\(plan)")
            let search = "SEARCH acquirer_memos USING INDEX acquirer_memos_of_key ("
            #expect(plan.first?.hasPrefix(search) == true, "\(plan)")
        }
        for sql in [
            memos.keyIDs, SealedTable.count(under: "k", max: 9, parameters).sql,
            "DELETE FROM data_keys WHERE id = ?1 AND \(SealedTable.nothingIsSealed(parameters))",
        ] {
            let plan = try await self.plan(sql)
            #expect(plan.contains { $0.contains("acquirer_memos_of_key") }, "\(plan)")
            #expect(!plan.contains { $0.hasPrefix("SCAN acquirer_memos") }, "\(plan)")
        }
    }

    /// What is kept of approvals is little; what was approved in all the years is much, and is not walked.
    @Test func approvalsAreFoundByWhatIsKeptOfThem() async throws {
        let queries = [
            ApprovalQuery(states: [.approved], part: .act),
            ApprovalQuery(states: [.approved], part: .act, before: Sample.id(1)),
            ApprovalQuery(states: [.waiting], paymentID: Sample.id(1), part: .act),
        ]
        for query in queries {
            let plan = try await self.plan(query.page(parameters).sql)
            #expect(plan.contains { $0.hasPrefix("SEARCH approvals USING ") && $0.contains("id=?") }, "\(plan)")
        }
    }

    /// Also what is decided long ago, newest first.
    @Test func approvalsOfAPaymentAreFoundByIt() async throws {
        let index = "SEARCH approvals USING INDEX approvals_of_payment (payment_id=?"
        for before in [nil, Sample.id(1)] as [ApprovalID?] {
            let query = ApprovalQuery(paymentID: Sample.id(1), before: before)
            let plan = try await self.plan(query.page(parameters).sql)
            #expect(plan == ["\(index)\(before == nil ? "" : " AND id<?"))"], "\(plan)")
        }
    }

    @Test(
        arguments: [
            (RefusedCallQuery(), "SCAN refused_calls"),
            (RefusedCallQuery(from: from, to: to), "PRIMARY KEY (id>? AND id<?)"),
            (RefusedCallQuery(merchantID: merchant, from: from), "INDEX refused_calls_by_merchant (merchant_id=? AND "),
            (RefusedCallQuery(publicKeyHash: "ab"), "INDEX refused_calls_by_key (public_key_hash=?)"),
            (RefusedCallQuery(requestID: "1"), "INDEX refused_calls_by_request (request_id=?)"),
            (
                {
                    var query = RefusedCallQuery()
                    query.id = Sample.id(1)
                    return query
                }(), "PRIMARY KEY (id=?)"
            ),
        ])
    func refusedCallsAreFoundByTheirIndex(_ query: RefusedCallQuery, index: String) async throws {
        let plan = try await self.plan(query.page(parameters).sql)
        #expect(plan.first?.contains(index) == true, "\(plan)")
        // Few calls have one request id; those are sorted.
        #expect(plan.count == 1 || query.requestID != nil, "\(plan)")
    }

    private static let cursor = PaymentQuery.Cursor(key: Sample.now.milliseconds, id: Sample.id(1))

    @Test(arguments: [
        PaymentQuery(merchantID: merchant, from: from, to: to),
        PaymentQuery(merchantID: merchant, from: from, to: to, minorUnits: 5...5, after: cursor),
        PaymentQuery(merchantID: merchant, dialect: Sample.dialect, from: from, order: .oldestFirst, after: cursor),
    ])
    func paymentsAreFoundByTheirTime(_ query: PaymentQuery) async throws {
        let plan = try await self.plan(query)
        #expect(plan.count == 1, "\(plan)")
        #expect(plan.first?.contains("SEARCH payments USING INDEX payments_of_merchant (merchant_id=? AND ") == true)
        #expect(query.after == nil || plan.first?.contains("(created_at,id)") == true, "\(plan)")
    }

    @Test(
        arguments: [PaymentQuery.Order.largestFirst, .smallestFirst],
        [nil, PaymentQuery.Cursor(key: 500, id: Sample.id(1))])
    func paymentsAreFoundByTheirAmount(_ order: PaymentQuery.Order, after: PaymentQuery.Cursor?) async throws {
        let plan = try await self.plan(PaymentQuery(merchantID: Self.merchant, order: order, after: after))
        #expect(plan.count == 1, "\(plan)")
        #expect(
            plan.first?.contains("SEARCH payments USING INDEX payments_by_amount (merchant_id=?") == true, "\(plan)")
        #expect(after == nil || plan.first?.contains("(minor_units,id)") == true, "\(plan)")
    }

    /// A walk's place is found in an index alone, and what it bounds between two places of it.
    @Test(arguments: [
        (PaymentQuery(merchantID: merchant, dialect: Sample.dialect, after: cursor), "payments_of_merchant"),
        (PaymentQuery(dialect: Sample.dialect, from: from, to: to, after: cursor), "payments_by_time"),
        (PaymentQuery(dialect: Sample.dialect, order: .oldestFirst, after: cursor), "payments_by_time"),
        (PaymentQuery(dialect: Sample.dialect, state: .declined, after: cursor), "payments_by_state"),
        (PaymentQuery(merchantID: merchant, state: .declined, after: cursor), "payments_by_state"),
        (
            PaymentQuery(merchantID: merchant, dialect: Sample.dialect, order: .largestFirst, after: cursor),
            "payments_by_amount"
        ),
    ])
    func walksAreBounded(_ query: PaymentQuery, index: String) async throws {
        let walk = try #require(query.walk)
        let places = try await self.plan(walk.place(number: 20_000, parameters).sql)
        #expect(places.count == 1, "\(places)")
        #expect(places.first?.contains("SEARCH payments USING COVERING INDEX \(index) ") == true, "\(places)")
        var bounded = query
        bounded.until = Self.cursor
        let plan = try await self.plan(bounded)
        let key = index == "payments_by_amount" ? "minor_units" : "created_at"
        #expect(plan.count == 1, "\(plan)")
        #expect(plan.first?.contains("INDEX \(index) ") == true, "\(plan)")
        #expect(plan.first?.hasSuffix("(\(key),id)>(?,?) AND (\(key),id)<(?,?))") == true, "\(plan)")
    }

    /// A tally walks an index and sorts no more than it looks at.
    @Test(arguments: PaymentQuery.Order.allCases, [nil, cursor])
    func talliesWalkAnIndex(_ order: PaymentQuery.Order, after: PaymentQuery.Cursor?) async throws {
        let query = PaymentQuery(
            merchantID: Self.merchant, dialect: Sample.dialect, from: Self.from, minorUnits: 5...9, order: order,
            after: after, limit: 20_000)
        let plan = try await self.plan(query.tally(parameters).sql)
        let index = [.newestFirst, .oldestFirst].contains(order) ? "payments_of_merchant" : "payments_by_amount"
        let walks = plan.filter { $0.contains("payments") }
        #expect(walks.count == 1, "\(plan)")
        #expect(walks.first?.hasPrefix("SEARCH payments USING INDEX \(index) (merchant_id=?") == true, "\(plan)")
        #expect(plan.count { $0.hasPrefix("USE TEMP B-TREE") } == 1, "\(plan)")
    }

    /// Of all merchants. Nearly every payment is captured: those are met on the way.
    @Test(arguments: [
        PaymentQuery(), PaymentQuery(from: from, to: to), PaymentQuery(dialect: Sample.dialect, after: cursor),
        PaymentQuery(from: from, order: .oldestFirst, after: cursor), PaymentQuery(from: from, state: .captured),
    ])
    func allPaymentsAreFoundByTheirTime(_ query: PaymentQuery) async throws {
        let plan = try await self.plan(query)
        #expect(plan.count == 1, "\(plan)")
        #expect(plan.first?.contains(" payments USING INDEX payments_by_time") == true, "\(plan)")
        #expect(query.after == nil || plan.first?.contains("(created_at,id)") == true, "\(plan)")
    }

    @Test(arguments: PaymentState.allCases.filter { $0 != .captured }, [nil, merchant])
    func paymentsAreFoundByTheirState(_ state: PaymentState, of merchant: MerchantID?) async throws {
        for (order, after) in [(PaymentQuery.Order.newestFirst, nil), (.newestFirst, Self.cursor), (.oldestFirst, nil)]
        {
            let query = PaymentQuery(
                merchantID: merchant, from: Self.from, to: Self.to, state: state, order: order, after: after)
            let plan = try await self.plan(query)
            #expect(plan.count == 1, "\(plan)")
            #expect(
                plan.first?.contains("SEARCH payments USING INDEX payments_by_state (state=? AND ") == true, "\(plan)")
            #expect(after == nil || plan.first?.contains("(created_at,id)") == true, "\(plan)")
            let count = try await self.plan(query.count(parameters, max: .max).sql)
            #expect(count.first?.contains("INDEX payments_by_state") == true, "\(count)")
        }
    }

    /// An order has few payments, which are sorted; its merchant has many.
    @Test(arguments: [merchant, nil], [PaymentQuery.Order.newestFirst, .oldestFirst])
    func paymentsOfAnOrderAreFoundByIt(_ merchant: MerchantID?, order: PaymentQuery.Order) async throws {
        let plan = try await self.plan(PaymentQuery(merchantID: merchant, orderID: Sample.id(1), order: order))
        #expect(
            plan.first?.contains("SEARCH payments USING INDEX payments_of_order (order_id=?)") == true, "\(plan)")
    }

    /// By the last digits of either number, newest first, without a sort of more than a page of each, and without a walk over
    /// the merchant's others.
    @Test(arguments: [merchant, nil], [nil, cursor])
    func paymentsAreFoundByTheirLastDigits(_ merchant: MerchantID?, after: PaymentQuery.Cursor?) async throws {
        let plan = try await self.plan(PaymentQuery(merchantID: merchant, cardSuffix: "1111", after: after))
        let bound = after == nil ? "" : " AND (created_at,id)<(?,?)"
        #expect(
            plan.filter { $0.contains(" payments") } == [
                "SEARCH payments USING INDEX payments_by_suffix (pan_suffix=?\(bound))",
                "SEARCH payments USING INDEX payments_by_shown_suffix (<expr>=?\(bound))",
            ], "\(plan)")
        let isSorted = plan.indices.dropFirst().contains { index in
            plan[index].hasPrefix("USE TEMP B-TREE") && plan[index - 1].contains(" payments")
        }
        #expect(!isSorted, "\(plan)")
    }

    @Test(arguments: [merchant, nil], [100, .max]) func cardsAreCountedByTheirIndexes(
        _ merchant: MerchantID?, max: Int
    ) async throws {
        let query = PaymentQuery(merchantID: merchant, cardSuffix: "1111")
        let plan = try await self.plan(query.count(parameters, max: max).sql)
        for index in ["payments_by_suffix (pan_suffix=?)", "payments_by_shown_suffix (<expr>=?)"] {
            #expect(plan.contains { $0.hasPrefix("SEARCH payments USING ") && $0.hasSuffix(index) }, "\(plan)")
        }
        #expect(!plan.contains { $0.hasPrefix("SCAN payments") }, "\(plan)")
    }

    @Test(
        arguments: [merchant, nil],
        [
            (PaymentQuery.OperationName.merchant("r"), "operations_by_merchant_reference (merchant_reference=?)"),
            (.acquirer("r"), "operations_by_acquirer_reference (acquirer_reference=?)"),
            (.authorizationCode("r"), "operations_by_authorization_code (authorization_code=?)"),
        ])
    func paymentsAreFoundByTheirOperationsNames(
        _ merchant: MerchantID?, _ name: (PaymentQuery.OperationName, String)
    ) async throws {
        var query = PaymentQuery(merchantID: merchant, from: Self.from)
        query.operationName = name.0
        let plan = try await self.plan(query).joined(separator: "; ")
        #expect(plan.contains("SEARCH payments USING PRIMARY KEY (id=?)"), "\(plan)")
        #expect(plan.contains("INDEX \(name.1)"), "\(plan)")
        #expect(!plan.contains("SCAN payments") && !plan.contains("SCAN operations"), "\(plan)")
    }

    /// Of each merchant who has an account in the dialect, for one kind and for more than all dialects have together.
    @Test(arguments: [merchant, nil], [1, 10])
    func paymentsAreFoundByTheirDialectsNames(_ merchant: MerchantID?, kindsCount: Int) async throws {
        var query = PaymentQuery(merchantID: merchant, from: Self.from)
        query.operationName = .dialects(
            (0..<kindsCount).map { number in
                PaymentQuery.DialectReference(DialectName("d\(number % 5)"), kind: "k\(number)", value: "v")
            })
        let steps = try await self.plan(query)
        let plan = steps.joined(separator: "; ")
        #expect(plan.contains("SEARCH payments USING PRIMARY KEY (id=?)"), "\(plan)")
        for key in ["kind=? AND value=?", "operation=? AND key=?"] {
            let search = "SEARCH named USING PRIMARY KEY (merchant_id=? AND dialect=? AND \(key))"
            #expect(steps.count { $0.contains(search) } == kindsCount, "\(plan)")
        }
        #expect(!plan.contains("SCAN"), "\(plan)")
    }

    private static let item = SettlementItem.ID(file: Sample.id(1), number: 1)

    @Test(arguments: [SettlementWindow.Booking.line, .resolution])
    func settlementsAreFoundByWhatIsBooked(_ booking: SettlementWindow.Booking) async throws {
        let cursor = SettlementWindow.Cursor(bookedAt: Sample.now, id: Self.item)
        let (index, column) =
            booking == .line
            ? ("settlement_items_booked", "booked_at") : ("settlement_items_resolved", "resolved_at")
        for (from, after, bound) in [
            (nil, nil, "AND \(column)<?"), (Self.from, nil, "\(column)>? AND \(column)<?"),
            (Self.from, cursor, "(\(column),file_id,number)>(?,?,?) AND \(column)<?"),
        ] as [(Timestamp?, SettlementWindow.Cursor?, String)] {
            let window = SettlementWindow(merchantID: Self.merchant, booking, from: from, to: Self.to, after: after)
            let plan = try await self.plan(window.page(parameters).sql)
            #expect(plan.count == 1, "\(plan)")
            #expect(plan.first?.contains("INDEX \(index)") == true, "\(plan)")
            #expect(plan.first?.hasSuffix("\(bound))") == true, "\(plan)")
        }
    }

    /// Of each span of days those that can reach into the day.
    @Test func settlementFilesAreFoundByTheirDays() async throws {
        let query = SettlementFile.ids(of: Self.merchant, from: Self.from, to: Self.to, parameters)
        let searches = try await self.plan(query.sql).filter { $0.contains(" settlement_files") }
        let index = "SEARCH settlement_files USING INDEX settlement_files_by_days (merchant_id=? AND <expr>=?"
        #expect(
            searches == Array(repeating: "\(index) AND from_at>? AND from_at<?)", count: 4)
                + ["\(index) AND from_at<?)"], "\(searches)")
    }

    @Test(arguments: [merchant, nil]) func pendingEventsAreFoundByTheirIndex(_ merchant: MerchantID?) async throws {
        let plan = try await self.plan(OutboxQuery(merchantID: merchant, state: .pending).page(parameters).sql)
        #expect(plan.first?.contains("INDEX outbox_events_open (state=?)") == true, "\(plan)")
    }

    /// What was given up may be much: it is walked in its order, from place to place.
    @Test(arguments: [merchant, nil], [nil, Sample.id(1)] as [EventID?])
    func deadEventsAreFoundByTheirIndex(_ merchant: MerchantID?, after: EventID?) async throws {
        for oldestFirst in [false, true] {
            var query = OutboxQuery(merchantID: merchant, state: .dead, after: after)
            query.oldestFirst = oldestFirst
            let plan = try await self.plan(query.page(parameters).sql)
            #expect(plan.count == 1, "\(plan)")
            #expect(plan.first?.contains("INDEX outbox_events_dead") == true, "\(plan)")
            #expect(after == nil || plan.first?.hasSuffix(oldestFirst ? "(id>?)" : "(id<?)") == true, "\(plan)")
        }
    }

    @Test(arguments: [nil, .delivered] as [OutboxEvent.State?])
    func eventsOfAMerchantAreFoundByTheirIDs(_ state: OutboxEvent.State?) async throws {
        var query = OutboxQuery(merchantID: Self.merchant, state: state, after: Sample.id(1))
        query.from = Self.from
        let plan = try await self.plan(query.page(parameters).sql)
        #expect(
            plan == ["SEARCH outbox_events USING INDEX outbox_events_of_merchant (merchant_id=? AND id>? AND id<?)"],
            "\(plan)")
    }

    @Test(arguments: [merchant, nil]) func eventsOfAPaymentAreFoundByIt(_ merchant: MerchantID?) async throws {
        let query = OutboxQuery(merchantID: merchant, state: .dead, paymentID: Sample.id(1))
        let plan = try await self.plan(query.page(parameters).sql)
        #expect(plan.first?.contains("(payment_id=?)") == true, "\(plan)")
    }

    /// From the oldest on that is to go, and no further than the last that may.
    @Test func deliveredEventsAreFoundByTheirIDs() async throws {
        let wanted = "SEARCH outbox_events USING INDEX sqlite_autoindex_outbox_events_1 (id>? AND id<?)"
        #expect(try await self.plan(OutboxEvent.delivered(parameters)) == [wanted])
        var query = OutboxQuery(state: .delivered, after: Sample.id(1), limit: 1)
        query.to = Self.to
        query.oldestFirst = true
        #expect(try await self.plan(query.page(parameters).sql) == [wanted])
    }

    /// Few payments are sorted: those of one order.
    @Test(arguments: [merchant, nil]) func paymentsAreFoundByTheirOrder(_ merchant: MerchantID?) async throws {
        let query = PaymentQuery(merchantID: merchant, orderReference: "r", from: Self.from)
        let plan = try await self.plan(query).joined(separator: "; ")
        #expect(plan.contains("SEARCH payments USING INDEX payments_of_order (order_id=?)"), "\(plan)")
        #expect(plan.contains("SEARCH orders USING INDEX"), "\(plan)")
        #expect(plan.contains("(merchant_id=? AND dialect=? AND reference=?)"), "\(plan)")
        #expect(!plan.contains("SCAN payments") && !plan.contains("SCAN orders"), "\(plan)")
    }
}
