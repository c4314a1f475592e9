//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Time

extension SQLiteReading {
    func event(_ id: EventID) throws -> OutboxEvent? { try self.connection.record(eventByID, id.text) }

    func events(of payment: PaymentID) throws -> [OutboxEvent] {
        try self.connection.records(eventsOfPayment, payment.text)
    }

    /// Walks the index of the ids backwards, or the events of the one payment.
    func events(_ query: OutboxQuery) throws -> [OutboxEvent] {
        try self.connection.all(query.page(parameters), table: "outbox_events") { try OutboxEvent(&$0) }
    }
}

extension SQLiteTransaction {
    func insert(_ event: OutboxEvent) throws {
        try self.connection.execute(eventInsert, event.columnValues)
    }

    func update(_ event: OutboxEvent) throws {
        let changesCount = try self.connection.execute(eventUpdate, event.values(of: OutboxEvent.attempt.columns))
        guard changesCount == 1 else { throw StoreError.corrupt("outbox_events.id") }
    }

    func deleteDeliveredEvents(from first: EventID, before moment: Timestamp, limit: Int) throws {
        let end = EventID(at: moment, random: []).text
        try self.connection.execute(deliveredAttemptsDelete, first.text, end, max(0, limit))
        try self.connection.execute(deliveredDelete, first.text, end, max(0, limit))
    }
}

private let eventByID = OutboxEvent.table.select(by: .id, with: parameters)
private let eventsOfPayment = OutboxEvent.select(parameters)
private let eventInsert = OutboxEvent.insert(parameters)
private let eventUpdate = OutboxEvent.attempt.statement(parameters)
private let deliveredAttemptsDelete = """
    DELETE FROM observations WHERE kind = 'delivery' AND (merchant_id, subject) IN
    (SELECT merchant_id, id FROM outbox_events WHERE id IN (\(OutboxEvent.delivered(parameters))))
    """
private let deliveredDelete = "DELETE FROM outbox_events WHERE id IN (\(OutboxEvent.delivered(parameters)))"
