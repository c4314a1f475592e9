//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

extension PostgreSQLReading {
    func event(_ id: EventID) throws -> OutboxEvent? {
        try self.transaction.lockPayment(ofEvent: id)
        return try self.transaction.first(
            "SELECT \(OutboxEvent.columnNames) FROM outbox_events WHERE id = $1", id.text, table: "outbox_events"
        ) { try OutboxEvent(&$0) }
    }

    func events(of payment: PaymentID) throws -> [OutboxEvent] {
        try self.transaction.lock(payment)
        return try self.transaction.all(
            "SELECT \(OutboxEvent.columnNames) FROM outbox_events WHERE payment_id = $1 ORDER BY ordinal", payment.text,
            table: "outbox_events"
        ) { try OutboxEvent(&$0) }
    }

    /// Walks the index of the ids backwards, or the events of the one payment; locks nothing.
    func events(_ query: OutboxQuery) throws -> [OutboxEvent] {
        let filter = RowFilter(query)
        let (limit, offset) = (filter.arguments.count + 1, filter.arguments.count + 2)
        return try self.transaction.all(
            """
            SELECT \(OutboxEvent.columnNames) FROM outbox_events\(filter.condition { "$\($0)" }) ORDER BY id DESC
            LIMIT $\(limit)::bigint OFFSET $\(offset)::bigint
            """, arguments: filter.arguments + [max(0, query.limit), max(0, query.offset)], table: "outbox_events"
        ) { try OutboxEvent(&$0) }
    }
}

extension PostgreSQLTransaction {
    func insert(_ event: OutboxEvent) throws {
        // The lock makes the ordinals those of the commits.
        try self.transaction.lock(event.paymentID)
        try self.transaction.write {
            try self.transaction.execute(
                """
                INSERT INTO outbox_events (ordinal, \(OutboxEvent.columnNames))
                VALUES ((SELECT COALESCE(MAX(ordinal) + 1, 0) FROM outbox_events WHERE payment_id = $5),
                    \(parameters(13)))
                """, event.columnValues)
        }
    }

    func update(_ event: OutboxEvent) throws {
        try self.transaction.lock(event.paymentID)
        try self.transaction.write {
            try self.transaction.require(
                """
                UPDATE outbox_events SET state = $1, message_index = $2, attempts_count = $3, last_result = $4
                WHERE id = $5
                """,
                [event.state.rawValue, event.messageIndex, event.attemptsCount, event.lastResult, event.id.text],
                orElse: .corrupt("outbox_events.id"))
        }
    }
}
