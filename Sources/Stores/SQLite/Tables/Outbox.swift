//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

extension SQLiteReading {
    func event(_ id: EventID) throws -> OutboxEvent? {
        try self.connection.first(
            "SELECT \(OutboxEvent.columnNames) FROM outbox_events WHERE id = ?", id.text, table: "outbox_events"
        ) { try OutboxEvent(&$0) }
    }

    func events(of payment: PaymentID) throws -> [OutboxEvent] {
        try self.connection.all(
            "SELECT \(OutboxEvent.columnNames) FROM outbox_events WHERE payment_id = ? ORDER BY ordinal", payment.text,
            table: "outbox_events"
        ) { try OutboxEvent(&$0) }
    }

    /// Walks the index of the ids backwards, or the events of the one payment.
    func events(_ query: OutboxQuery) throws -> [OutboxEvent] {
        let filter = RowFilter(query)
        return try self.connection.all(
            """
            SELECT \(OutboxEvent.columnNames) FROM outbox_events\(filter.condition { _ in "?" }) ORDER BY id DESC
            LIMIT ? OFFSET ?
            """, arguments: filter.arguments + [max(0, query.limit), max(0, query.offset)], table: "outbox_events"
        ) { try OutboxEvent(&$0) }
    }
}

extension SQLiteTransaction {
    func insert(_ event: OutboxEvent) throws {
        try self.connection.execute(
            """
            INSERT INTO outbox_events (ordinal, \(OutboxEvent.columnNames))
            VALUES ((SELECT COALESCE(MAX(ordinal) + 1, 0) FROM outbox_events WHERE payment_id = ?5),
                ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
            """, event.columnValues)
    }

    func update(_ event: OutboxEvent) throws {
        let changesCount = try self.connection.execute(
            "UPDATE outbox_events SET state = ?, message_index = ?, attempts_count = ?, last_result = ? WHERE id = ?",
            event.state.rawValue, event.messageIndex, event.attemptsCount, event.lastResult, event.id.text)
        guard changesCount == 1 else { throw StoreError.corrupt("outbox_events.id") }
    }
}
