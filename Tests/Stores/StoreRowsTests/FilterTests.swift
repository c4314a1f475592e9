//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import StoreRows
import Testing

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
                 WHERE merchant_id = $1 AND dialect = $2 AND order_id = $3 AND created_at >= $4 AND created_at < $5 \
                AND currency = $6 AND minor_units >= $7 AND minor_units <= $8
                """)
        #expect(filter.arguments.count == 8)
        #expect(filter.arguments.last as? Int64 == 4)
    }

    @Test func argumentsAreNumberedAsTheyCome() {
        let filter = RowFilter(OutboxQuery(state: .delivered, paymentID: Sample.id(1)))
        #expect(filter.condition { "?\($0)" } == " WHERE state = ?1 AND payment_id = ?2")
        #expect(filter.arguments.count == 2)
    }

    @Test(arguments: PaymentQuery.Order.allCases) func everyOrderEndsWithTheID(_ order: PaymentQuery.Order) {
        #expect(order.terms().hasSuffix(order.terms().contains("DESC") ? ", id DESC" : ", id"))
        #expect(order.terms("payments.").split(separator: ", ").allSatisfy { $0.hasPrefix("payments.") })
    }
}
