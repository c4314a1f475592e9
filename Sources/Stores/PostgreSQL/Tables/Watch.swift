//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Time

/// Refused calls and alarms.
extension PostgreSQLReading {
    func refusedCalls(_ query: RefusedCallQuery) throws -> [RefusedCall] {
        try self.transaction.all(query.page(parameters), table: "refused_calls") { try RefusedCall(&$0) }
    }

    func observations(
        _ kind: Observation.Kind, of merchant: MerchantID, subject: String?, limit: Int
    ) throws -> [Observation] {
        guard let subject else {
            return try self.transaction.records(
                observationsQuery, kind.rawValue, merchant.text, max(0, limit))
        }
        return try self.transaction.records(
            subjectQuery, kind.rawValue, merchant.text, subject, max(0, limit))
    }

    func standingAlarms() throws -> [Alarm] {
        try self.lockAlarms()
        return try self.transaction.records(Alarm.standing)
    }

    func alarm(_ id: AlarmID) throws -> Alarm? {
        try self.lockAlarms()
        return try self.transaction.record(alarmQuery, id.text)
    }

    /// Nodes look at the same time, and each alarm begins once and ends once.
    fileprivate func lockAlarms() throws { try self.transaction.lockName("alarms", []) }

    func alarms(before id: AlarmID?, limit: Int) throws -> [Alarm] {
        try self.transaction.records(alarmsQuery, id?.text ?? "~", max(0, limit))
    }

    func storeTime() throws -> Timestamp? {
        try self.transaction.first(
            "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS bigint)", table: "clock"
        ) { try $0.timestamp() }
    }
}

extension PostgreSQLTransaction {
    func upsert(_ observation: Observation) throws {
        try self.transaction.write { try self.transaction.execute(observationUpsert, observation.columnValues) }
    }

    func insert(_ call: RefusedCall) throws {
        try self.transaction.write { try self.transaction.execute(refusalInsert, call.columnValues) }
    }

    /// Nodes that sweep at the same time pass each other.
    func deleteRefusedCalls(before moment: Timestamp, keeping countMax: Int) throws {
        try self.transaction.write {
            try self.transaction.execute(refusalsDelete, moment.milliseconds, max(0, countMax))
        }
    }

    func insert(_ alarm: Alarm) throws {
        try self.transaction.write { try self.transaction.execute(alarmInsert, alarm.columnValues) }
    }

    func update(_ alarm: Alarm) throws {
        try self.transaction.write {
            try self.transaction.require(
                alarmUpdate, alarm.values(of: Alarm.change.columns), orElse: .corrupt("alarms.id"))
        }
    }

    func leaseAlarms(dueBy now: Timestamp, until leaseEnd: Timestamp, limit: Int) throws -> [Alarm] {
        try self.lockAlarms()
        let rows = try self.transaction.rowsOfWrite(
            leaseStatement, [now.milliseconds, leaseEnd.milliseconds, max(0, limit)])
        return try rows?.all("alarms") { try Alarm(&$0) } ?? []
    }

    func deleteAlarms(endedBefore moment: Timestamp) throws {
        try self.transaction.write {
            try self.transaction.execute("DELETE FROM alarms WHERE ended_at < $1", moment.milliseconds)
        }
    }
}

private let observationsQuery = Observation.select(ofSubject: false, parameters)
private let subjectQuery = Observation.select(ofSubject: true, parameters)
private let observationUpsert = Observation.table.upsert(parameters)
private let refusalInsert = RefusedCall.table.insert(parameters)
private let refusalsDelete =
    "DELETE FROM refused_calls WHERE id IN (\(RefusedCall.expired(parameters)) FOR UPDATE SKIP LOCKED)"
private let alarmQuery = Alarm.table.select(by: .id, with: parameters)
private let alarmsQuery = Alarm.select(parameters)
private let alarmInsert = Alarm.table.insert(parameters)
private let alarmUpdate = RequiredChange(Alarm.change.statement(parameters))

private let leaseStatement = """
    WITH due AS MATERIALIZED (
        SELECT id, due_at FROM alarms WHERE due_at <= $1 ORDER BY due_at, id LIMIT $3 FOR UPDATE SKIP LOCKED
    ), leased AS (
        UPDATE alarms SET due_at = $2, attempts_count = alarms.attempts_count + 1 FROM due WHERE alarms.id = due.id
        RETURNING \(Alarm.table.list(Alarm.table.columns, of: "alarms.")), due.due_at AS was_due_at
    )
    SELECT \(Alarm.table.names) FROM leased ORDER BY was_due_at, id
    """
