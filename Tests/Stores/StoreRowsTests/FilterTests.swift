//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Testing
import Time

@testable import StoreRows

@Suite struct FilterTests {
    @Test func nothingIsAskedForWithoutACondition() {
        let filter = RowFilter(PaymentQuery())
        #expect(filter.condition { "$\($0)" }.isEmpty)
        #expect(filter.arguments.isEmpty)
        #expect(RowFilter(OutboxQuery()).condition { "$\($0)" }.isEmpty)
    }

    @Test func allThatIsAskedForIsInTheCondition() {
        let filter = RowFilter(
            PaymentQuery(
                merchantID: Sample.id(1), dialect: Sample.dialect, orderID: Sample.id(2), from: Sample.time(1),
                to: Sample.time(2), currency: Currency.alphabetic("CAD"), minorUnits: 3...4))
        #expect(
            filter.condition { "$\($0)" } == """
                 WHERE (merchant_id || '') = $1 AND dialect = $2 AND order_id = $3 AND created_at >= $4 \
                AND created_at < $5 AND currency = $6 AND minor_units >= $7 AND minor_units <= $8
                """)
        #expect(filter.arguments.count == 8)
        #expect(filter.arguments.last == .integer(4))
    }

    /// What the index's condition is, the query must say, too.
    @Test func aStateIsAskedForAsItsIndexHasIt() {
        let condition = { (state: PaymentState) in RowFilter(PaymentQuery(state: state)).condition { "$\($0)" } }
        #expect(condition(.captured) == " WHERE state = $1")
        for state in PaymentState.allCases where state != .captured {
            #expect(condition(state) == " WHERE state = $1 AND state <> 'captured'")
        }
        #expect(Payment.stateIndex.hasSuffix(" WHERE state <> 'captured';"))
    }

    @Test func argumentsAreNumberedAsTheyCome() {
        let filter = RowFilter(OutboxQuery(state: .delivered, paymentID: Sample.id(1)))
        #expect(filter.condition { "?\($0)" } == " WHERE state = ?1 AND payment_id = ?2")
        #expect(filter.arguments.count == 2)
    }

    /// Of the bound of a walk and the window's only the narrower one is asked for, likewise.
    @Test func theEndOfAWalkInTheWindowIsTheBound() {
        let place = PaymentQuery.Cursor(key: Sample.time(5).milliseconds, id: Sample.id(1))
        let condition = { (order: PaymentQuery.Order, from: Int64, to: Int64) in
            var query = PaymentQuery(from: Sample.time(from), to: Sample.time(to), order: order)
            query.until = place
            return RowFilter(query).condition { "$\($0)" }
        }
        #expect(condition(.newestFirst, 5, 9) == " WHERE created_at < $1 AND (created_at, id) >= ($2, $3)")
        #expect(condition(.oldestFirst, 1, 6) == " WHERE created_at >= $1 AND (created_at, id) <= ($2, $3)")
        #expect(
            condition(.newestFirst, 6, 9)
                == " WHERE created_at >= $1 AND created_at < $2 AND (created_at, id) >= ($3, $4)")
        #expect(
            condition(.smallestFirst, 1, 6)
                == " WHERE created_at >= $1 AND created_at < $2 AND (minor_units, id) <= ($3, $4)")
    }

    /// What leads to few payments has no walk, and neither has what fits every payment that is walked.
    @Test func aWalkIsWithoutWhatIsAskedOfEachPayment() {
        let merchant: MerchantID = Sample.id(1)
        #expect(PaymentQuery(merchantID: merchant, from: Sample.time(1)).walk == nil)
        #expect(PaymentQuery(merchantID: merchant, dialect: Sample.dialect, orderID: Sample.id(2)).walk == nil)
        #expect(PaymentQuery(dialect: Sample.dialect, cardSuffix: "1111").walk == nil)
        #expect(PaymentQuery(dialect: Sample.dialect, order: .largestFirst).walk == nil)
        #expect(
            PaymentQuery(merchantID: merchant, dialect: Sample.dialect, from: Sample.time(1), minorUnits: 1...2).walk
                == PaymentQuery(merchantID: merchant, from: Sample.time(1)))
        #expect(
            PaymentQuery(merchantID: merchant, state: .captured).walk == PaymentQuery(merchantID: merchant))
        #expect(PaymentQuery(merchantID: merchant, state: .declined).walk == PaymentQuery(state: .declined))
        #expect(PaymentQuery(state: .declined).walk == nil)
        #expect(
            PaymentQuery(
                merchantID: merchant, from: Sample.time(1), minorUnits: 1...2, order: .largestFirst, limit: 7
            ).walk == PaymentQuery(merchantID: merchant, minorUnits: 1...2, order: .largestFirst, limit: 7))
    }

    /// The window's own bound would have an engine begin at the start of the window for each page.
    @Test func aCursorInTheWindowIsTheBound() {
        let place = PaymentQuery.Cursor(key: Sample.time(5).milliseconds, id: Sample.id(1))
        let query = { (order: PaymentQuery.Order, from: Int64, to: Int64) in
            let query = PaymentQuery(from: Sample.time(from), to: Sample.time(to), order: order, after: place)
            return RowFilter(query).condition { "$\($0)" }
        }
        #expect(query(.oldestFirst, 5, 9) == " WHERE created_at < $1 AND (created_at, id) > ($2, $3)")
        #expect(
            query(.oldestFirst, 6, 9) == " WHERE created_at >= $1 AND created_at < $2 AND (created_at, id) > ($3, $4)")
        #expect(query(.newestFirst, 1, 6) == " WHERE created_at >= $1 AND (created_at, id) < ($2, $3)")
        #expect(
            query(.newestFirst, 1, 5) == " WHERE created_at >= $1 AND created_at < $2 AND (created_at, id) < ($3, $4)")
        #expect(
            query(.largestFirst, 1, 5) == " WHERE created_at >= $1 AND created_at < $2 AND (minor_units, id) < ($3, $4)"
        )
    }

    /// The same of a range of amounts, in an order by them.
    @Test func aCursorInTheRangeIsTheBound() {
        let query = { (order: PaymentQuery.Order, units: ClosedRange<Int64>) in
            let place = PaymentQuery.Cursor(key: 5, id: Sample.id(1))
            return RowFilter(PaymentQuery(minorUnits: units, order: order, after: place)).condition { "$\($0)" }
        }
        #expect(query(.smallestFirst, 5...9) == " WHERE minor_units <= $1 AND (minor_units, id) > ($2, $3)")
        #expect(
            query(.smallestFirst, 6...9)
                == " WHERE minor_units >= $1 AND minor_units <= $2 AND (minor_units, id) > ($3, $4)")
        #expect(query(.largestFirst, 1...5) == " WHERE minor_units >= $1 AND (minor_units, id) < ($2, $3)")
        #expect(
            query(.largestFirst, 1...4)
                == " WHERE minor_units >= $1 AND minor_units <= $2 AND (minor_units, id) < ($3, $4)")
        #expect(
            query(.newestFirst, 1...5)
                == " WHERE minor_units >= $1 AND minor_units <= $2 AND (created_at, id) < ($3, $4)")
    }

    @Test func movementsAreFilteredByWhatIsAskedFor() {
        let whole = RowFilter(
            MovementQuery(
                merchantID: Sample.id(1), dialect: Sample.dialect, accountID: Sample.id(2), kinds: [.refund, .capture],
                from: Sample.time(1), to: Sample.time(2)))
        #expect(
            whole.condition { "$\($0)" } == """
                 WHERE merchant_id = $1 AND resolved_at >= $2 AND resolved_at < $3 AND dialect = $4 AND account_id = $5 \
                AND has_succeeded = $6 AND kind IN ($7, $8)
                """)
        #expect(whole.arguments.count == 8)
        #expect(whole.arguments.suffix(2).elementsEqual([.text("capture"), .text("refund")]))
        let cursor = MovementQuery.Cursor(resolvedAt: Sample.time(1), operationID: Sample.id(1))
        let next = RowFilter(MovementQuery(includesFailed: true, from: Sample.time(1), after: cursor))
        #expect(next.condition { _ in "?" } == " WHERE (resolved_at, operation_id) > (?, ?)")
        #expect(RowFilter(MovementQuery(includesFailed: true)).condition { _ in "?" }.isEmpty)
    }

    @Test func anOrderIsAskedWhoseItIs() {
        let query = PaymentQuery(merchantID: Sample.id(1), orderReference: "r", cardSuffix: "1111")
        let filter = RowFilter(query, byThe: .charged)
        let condition = filter.condition { "$\($0)" }
        #expect(condition.hasPrefix(" WHERE order_id IN (SELECT orders.id FROM accounts CROSS JOIN orders WHERE "))
        #expect(condition.hasSuffix(" = $1 AND accounts.merchant_id = $2) AND pan_suffix = $3"))
        #expect(filter.arguments.first == .text("r") && filter.arguments.count == 3)
    }

    @Test func aReferenceIsAskedOfWhatIsWrittenAndOfClaims() {
        var query = PaymentQuery(merchantID: Sample.id(1), cardSuffix: "1111")
        query.operationName = .dialects([PaymentQuery.DialectReference(DialectName("d"), kind: "k", value: "v")])
        let filter = RowFilter(query, byThe: .charged)
        let condition = filter.condition { "$\($0)" }
        #expect(condition.contains(" accounts.dialect = $2 AND named.kind = $3 AND named.value = $4 AND "))
        #expect(condition.contains(" accounts.merchant_id = $5 UNION ALL SELECT named.operation_id FROM "))
        #expect(condition.contains(" accounts.dialect = $6 AND named.operation = $7 AND named.key = $8 AND "))
        #expect(condition.hasSuffix(" accounts.merchant_id = $9)) AND pan_suffix = $10"), "\(condition)")
        #expect(filter.arguments.count == 10)
    }

    /// What is displayed is asked only of payments of which the number that was charged ends otherwise: none comes twice.
    @Test func cardsAreAskedByEitherOfTheirNumbers() {
        let query = PaymentQuery(cardSuffix: "1111")
        let shown = "display_name IS NOT NULL AND substr(display_name, length(display_name) - 3) ="
        #expect(
            RowFilter(query, byThe: .shown).condition { "$\($0)" } == " WHERE \(shown) $1 AND pan_suffix <> $2")
        #expect(RowFilter(query).condition { "$\($0)" } == " WHERE (pan_suffix = $1 OR \(shown) $2)")
        #expect(RowFilter(query).arguments.elementsEqual([.text("1111"), .text("1111")]))
    }

    /// One question, whatever number of kinds; and none of none, which no engine has a list for.
    @Test func severalReferencesAreOneQuestion() {
        var query = PaymentQuery(cardSuffix: "1111")
        query.operationName = .dialects(
            ["a", "b", "c"].map { PaymentQuery.DialectReference(DialectName("d"), kind: $0, value: "v") })
        let filter = RowFilter(query, byThe: .charged)
        let condition = filter.condition { "$\($0)" }
        #expect(condition.split(separator: " UNION ALL ").count == 6 && filter.arguments.count == 3 * 6 + 1)
        #expect(condition.contains(" accounts.dialect = $16 AND named.operation = $17 AND named.key = $18)) AND "))
        #expect(condition.hasSuffix(" AND pan_suffix = $19"), "\(condition)")
        query.operationName = .dialects([])
        #expect(RowFilter(query, byThe: .charged).condition { "$\($0)" } == " WHERE 1 = 0 AND pan_suffix = $1")
    }

    @Test(arguments: PaymentQuery.Order.allCases) func everyOrderEndsWithTheID(_ order: PaymentQuery.Order) {
        #expect(order.terms().hasSuffix(order.terms().contains("DESC") ? ", id DESC" : ", id"))
        #expect(order.terms("payments.").split(separator: ", ").allSatisfy { $0.hasPrefix("payments.") })
    }
}
