//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Time

extension PostgreSQLReading {
    func event(_ id: EventID) throws -> OutboxEvent? {
        try self.transaction.lockPayment(ofEvent: id)
        return try self.transaction.first(
            "SELECT \(eventColumns) FROM outbox_events WHERE id = $1", id.text, table: "outbox_events"
        ) { try OutboxEvent(&$0) }
    }

    func events(of payment: PaymentID) throws -> [OutboxEvent] {
        try self.transaction.lock(payment)
        return try self.transaction.all(
            "SELECT \(eventColumns) FROM outbox_events WHERE payment_id = $1 ORDER BY ordinal", payment.text,
            table: "outbox_events"
        ) { try OutboxEvent(&$0) }
    }

    /// Walks the index of the ids backwards, or the events of the one payment; locks nothing.
    func events(_ query: OutboxQuery) throws -> [OutboxEvent] {
        let columns = [
            ("merchant_id", query.merchantID?.text), ("state", query.state?.rawValue),
            ("payment_id", query.paymentID?.text),
        ]
        var terms: [String] = []
        var arguments: [(any PostgreSQLArgument)?] = []
        for case (let column, let value?) in columns {
            arguments.append(value)
            terms.append("\(column) = $\(arguments.count)")
        }
        let condition = terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND ")
        let (limit, offset) = (arguments.count + 1, arguments.count + 2)
        return try self.transaction.all(
            """
            SELECT \(eventColumns) FROM outbox_events\(condition) ORDER BY id DESC
            LIMIT $\(limit)::bigint OFFSET $\(offset)::bigint
            """, arguments: arguments + [max(0, query.limit), max(0, query.offset)], table: "outbox_events"
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
                INSERT INTO outbox_events (ordinal, \(eventColumns))
                VALUES ((SELECT COALESCE(MAX(ordinal) + 1, 0) FROM outbox_events WHERE payment_id = $1),
                    $2, $3, $4, $5, $1, $6, $7, $8, $9, $10, $11, $12, $13)
                """, event.paymentID.text, event.id.text, event.merchantID.text, event.dialect.text,
                event.kind.rawValue, event.operationID.text, event.paymentVersion, event.target,
                event.createdAt.milliseconds, event.state.rawValue, event.messageIndex, event.attemptsCount,
                event.lastResult)
        }
    }

    func update(_ event: OutboxEvent) throws {
        try self.transaction.lock(event.paymentID)
        try self.transaction.write {
            try self.transaction.require(
                """
                UPDATE outbox_events SET state = $1, message_index = $2, attempts_count = $3, last_result = $4
                WHERE id = $5
                """, event.state.rawValue, event.messageIndex, event.attemptsCount, event.lastResult, event.id.text,
                orElse: .corrupt("outbox_events.id"))
        }
    }
}

private let eventColumns = """
    id, merchant_id, dialect, kind, payment_id, operation_id, payment_version, target, created_at, state, \
    message_index, attempts_count, last_result
    """

extension OutboxEvent {
    fileprivate init(_ columns: inout PostgreSQLColumns) throws {
        self.init(
            id: try columns.id(), merchantID: try columns.id(), dialect: DialectName(try columns.name()),
            kind: try columns.choice(), paymentID: try columns.id(), operationID: try columns.id(),
            paymentVersion: try columns.count(), target: try columns.text(), createdAt: try columns.timestamp(),
            state: try columns.choice(), messageIndex: try columns.count(),
            attemptsCount: try columns.count(), lastResult: try columns.optionalText())
    }
}
