//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Time

// What is asked about many payments, whole.

extension PaymentQuery {
    /// - Parameter columns: what is wanted of each payment.
    public func page(_ columns: String, _ parameters: Parameters) -> RowStatement {
        guard self.cardSuffix == nil else { return self.pageOfCards(columns, parameters) }
        let filter = RowFilter(self)
        let count = filter.arguments.count
        return RowStatement(
            """
            SELECT \(columns) FROM payments\(filter.condition { parameters($0) }) ORDER BY \(self.order.terms())\
            \(parameters.limit(count + 1, offset: count + 2))
            """, filter.arguments + [max(0, self.limit), max(0, self.offset)])
    }

    private func pageOfCards(_ columns: String, _ parameters: Parameters) -> RowStatement {
        let (limit, offset) = (Swift.max(0, self.limit), Swift.max(0, self.offset))
        let rowsMax = limit.addingReportingOverflow(offset)
        let cards = self.cards(
            columns, " ORDER BY \(self.order.terms())", max: rowsMax.overflow ? .max : rowsMax.partialValue, parameters)
        let count = cards.arguments.count
        return RowStatement(
            """
            SELECT * FROM (\(cards.sql)) AS cards ORDER BY \(self.order.terms())\
            \(parameters.limit(count + 1, offset: count + 2))
            """, cards.arguments + [limit, offset])
    }

    private func countOfCards(_ parameters: Parameters, max: Int) -> RowStatement {
        let cards = self.cards("1", "", max: max, parameters)
        return RowStatement(
            """
            SELECT COUNT(*) FROM (\
            SELECT * FROM (\(cards.sql)) AS cards\(parameters.limit(cards.arguments.count + 1))) AS counted
            """, cards.arguments + [max])
    }

    /// Those of the number that was charged, and those of the one that is displayed: each by its index and in the order of
    /// that, and no more than are wanted of both. In the test of a shop all payments may be of one card.
    private func cards(_ columns: String, _ order: String, max: Int, _ parameters: Parameters) -> RowStatement {
        var arguments: RowArguments = []
        let parts = [RowFilter.CardNumber.charged, .shown].map { number in
            let filter = RowFilter(self, byThe: number)
            let before = arguments.count
            arguments += filter.arguments + [max]
            return """
                SELECT * FROM (SELECT \(columns) FROM payments\(filter.condition { parameters(before + $0) })\(order)\
                \(parameters.limit(arguments.count))) AS \(number)
                """
        }
        return RowStatement(parts.joined(separator: " UNION ALL "), arguments)
    }

    /// The key and the id of one payment that fits: the last of so many.
    public func place(number: Int, _ parameters: Parameters) -> RowStatement {
        let filter = RowFilter(self)
        let count = filter.arguments.count
        return RowStatement(
            """
            SELECT \(self.order.key), id FROM payments\(filter.condition { parameters($0) }) \
            ORDER BY \(self.order.terms())\(parameters.limit(count + 1, offset: count + 2))
            """, filter.arguments + [1, max(0, number - 1)])
    }

    public func count(_ parameters: Parameters, max: Int) -> RowStatement {
        guard self.cardSuffix == nil else { return self.countOfCards(parameters, max: Swift.max(0, max)) }
        let filter = RowFilter(self)
        let rows = "FROM payments\(filter.condition { parameters($0) })"
        // An engine counts whole tables in ways of its own.
        guard max < .max else { return RowStatement("SELECT COUNT(*) \(rows)", filter.arguments) }
        return RowStatement(
            "SELECT COUNT(*) FROM (SELECT 1 \(rows)\(parameters.limit(filter.arguments.count + 1))) AS counted",
            filter.arguments + [Swift.max(0, max)])
    }
}

extension PaymentQuery {
    /// How many fit of those that are looked at, how many those are, and where the last of them stands: one row, or none.
    public func tally(_ parameters: Parameters) -> RowStatement {
        let tallied = self.tallied
        let (asked, looked) = (RowFilter(tallied.asked), RowFilter(tallied.looked))
        let askedCount = asked.arguments.count
        let fits = asked.test { parameters($0) }.map { "CASE WHEN \($0) THEN 1 ELSE 0 END" } ?? "1"
        let (forth, back) = self.order.isDescending ? (" DESC", "") : ("", " DESC")
        return RowStatement(
            """
            WITH looked AS MATERIALIZED (
                SELECT \(self.order.key) AS place, id, \(fits) AS fits
                FROM payments\(looked.condition { parameters(askedCount + $0) })
                ORDER BY \(self.order.key)\(forth), id\(forth)\
            \(parameters.limit(askedCount + looked.arguments.count + 1))
            )
            SELECT (SELECT SUM(fits) FROM looked), (SELECT COUNT(*) FROM looked), place, id
            FROM looked ORDER BY place\(back), id\(back) LIMIT 1
            """, asked.arguments + looked.arguments + [Swift.max(0, self.limit)])
    }

    /// The row of a tally, if there is one.
    public func tally(of row: PaymentsTallyRow?) -> PaymentsTally {
        guard let row else { return PaymentsTally(count: 0, last: nil) }
        return PaymentsTally(count: row.count, last: row.lookedCount < self.limit ? nil : row.last)
    }
}

/// A row of ``Payments/PaymentQuery/tally(_:)``.
public struct PaymentsTallyRow {
    let count: Int
    let lookedCount: Int
    let last: PaymentQuery.Cursor

    public init(_ columns: inout some RowColumns) throws {
        self.count = try columns.count()
        self.lookedCount = try columns.count()
        self.last = PaymentQuery.Cursor(key: try columns.integer(), id: try columns.id())
    }
}

extension PaymentRow {
    /// The ids after one, in their order.
    public static func ids(after id: PaymentID?, limit: Int, _ parameters: Parameters) -> RowStatement {
        RowStatement(
            "SELECT id FROM payments WHERE id > \(parameters(1)) ORDER BY id\(parameters.limit(2))",
            [id?.text ?? "", max(0, limit)])
    }
}

extension MovementQuery {
    /// Whether it asks a merchant for what is lost and nothing else: that is rare, and has an index.
    var isForLost: Bool {
        self.merchantID != nil && !self.kinds.isEmpty && self.kinds.isSubset(of: MovementEntry.lostKinds)
    }

    /// The places of a page's movements, for a query that asks for some kinds at least.
    public func page(_ parameters: Parameters) -> RowStatement {
        let filter = RowFilter(self)
        let index = self.isForLost ? parameters.indexed(by: "movements_lost") : ""
        return RowStatement(
            """
            SELECT \(MovementEntry.table.list(MovementPlace.columns)) FROM movements\(index)\
            \(filter.condition { parameters($0) }) ORDER BY resolved_at, operation_id\
            \(parameters.limit(filter.arguments.count + 1))
            """, filter.arguments + [max(0, self.limit)])
    }
}

extension MovementQuery {
    /// The names of a page's movements. An engine begins with the page, whatever it expects: the joins are outer ones.
    public func names(_ parameters: Parameters) -> RowStatement {
        let page = self.page(parameters)
        return RowStatement(
            """
            SELECT \(MovementNames.columns) FROM (\(page.sql)) AS movements
            LEFT JOIN operations AS named ON named.id = movements.operation_id
            LEFT JOIN operations AS opening ON opening.payment_id = movements.payment_id AND opening.ordinal = 0
            LEFT JOIN payments ON payments.id = movements.payment_id
            LEFT JOIN orders ON orders.id = payments.order_id
            ORDER BY movements.resolved_at, movements.operation_id
            """, page.arguments)
    }
}

extension NamedPayments {
    /// The payments that a name leads to, in SQL that both engines take; each way to them by an index, and no further than
    /// the limit. CROSS JOIN is how SQLite is made to begin with the orders.
    ///
    /// Each parameter is as the statement writes it.
    /// - Parameter dialects: in which the merchant has an account, "IN (…)": orders have an index by merchant, dialect and
    ///   reference.
    public static func select(
        named name: String, of merchant: String, dialects: String, limit: String
    ) -> String {
        """
        SELECT payment_id FROM operations WHERE id = \(name)
        UNION ALL SELECT id FROM payments WHERE id = \(name)
        UNION ALL SELECT * FROM (
            SELECT payment_id FROM operations
            WHERE acquirer_reference IS NOT NULL AND acquirer_reference = \(name) LIMIT \(limit)) AS acquirers
        UNION ALL SELECT * FROM (
            SELECT payment_id FROM operations
            WHERE network_reference IS NOT NULL AND network_reference = \(name) LIMIT \(limit)) AS networks
        UNION ALL SELECT * FROM (
            SELECT payment_id FROM operations
            WHERE merchant_reference IS NOT NULL AND merchant_reference = \(name) LIMIT \(limit)) AS merchants
        UNION ALL SELECT * FROM (
            SELECT payments.id FROM orders CROSS JOIN payments
            WHERE orders.merchant_id = \(merchant) AND orders.dialect \(dialects) AND orders.reference = \(name)
                AND payments.order_id IS NOT NULL AND payments.order_id = orders.id LIMIT \(limit)) AS ordered
        """
    }

    /// Adds what a row leads to.
    /// - Parameter limit: of the look-up. As many rows may be those of one way to them.
    public mutating func add(_ id: PaymentID, row count: Int, limit: Int) {
        self.ids.insert(id)
        self.isCut = count >= limit
    }
}

extension OutboxQuery {
    public func page(_ parameters: Parameters) -> RowStatement {
        let filter = RowFilter(self)
        let count = filter.arguments.count
        return RowStatement(
            """
            SELECT \(OutboxEvent.table.names) FROM outbox_events\(filter.condition { parameters($0) })
            ORDER BY id\(self.oldestFirst ? "" : " DESC")\
            \(parameters.limit(count + 1, offset: count + 2))
            """, filter.arguments + [max(0, self.limit), max(0, self.offset)])
    }
}
