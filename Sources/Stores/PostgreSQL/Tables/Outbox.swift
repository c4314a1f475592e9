//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Time

extension PostgreSQLReading {
    func event(_ id: EventID) throws -> OutboxEvent? {
        try self.transaction.lockPayment(ofEvent: id)
        return try self.transaction.record(eventByID, id.text)
    }

    func events(of payment: PaymentID) throws -> [OutboxEvent] {
        try self.transaction.lock(payment)
        return try self.transaction.records(eventsOfPayment, payment.text, of: [payment.text])
    }

    /// Walks the index of the ids backwards, or the events of the one payment; locks nothing.
    func events(_ query: OutboxQuery) throws -> [OutboxEvent] {
        try self.transaction.all(query.page(parameters), table: "outbox_events") { try OutboxEvent(&$0) }
    }
}

extension PostgreSQLTransaction {
    func insert(_ event: OutboxEvent) throws {
        // The lock makes the ordinals those of the commits.
        try self.transaction.lock(event.paymentID)
        try self.transaction.write {
            // Named by its payment, so that no two of one payment are given the same ordinal.
            try self.transaction.put(
                .event, event.columnValues, key: event.paymentID.text, of: [event.paymentID.text])
        }
    }

    func update(_ event: OutboxEvent) throws {
        try self.transaction.lock(event.paymentID)
        try self.transaction.write {
            try self.transaction.require(
                eventUpdate, event.values(of: OutboxEvent.attempt.columns), orElse: .corrupt("outbox_events.id"))
        }
    }

    /// Nodes that delete at the same time pass each other.
    func deleteDeliveredEvents(from first: EventID, before moment: Timestamp, limit: Int) throws {
        try self.transaction.write {
            try self.transaction.execute(
                deliveredDelete, first.text, EventID(at: moment, random: []).text, max(0, limit))
        }
    }
}

private let eventByID = OutboxEvent.table.select(by: .id, with: parameters)
private let eventsOfPayment = OutboxEvent.select(parameters)
private let eventUpdate = RequiredChange(OutboxEvent.attempt.statement(parameters))
private let deliveredDelete = """
    WITH deleted AS (
        DELETE FROM outbox_events WHERE id IN (\(OutboxEvent.delivered(parameters)) FOR UPDATE SKIP LOCKED)
        RETURNING merchant_id, id
    )
    DELETE FROM observations USING deleted
    WHERE kind = 'delivery' AND observations.merchant_id = deleted.merchant_id AND subject = deleted.id
    """
