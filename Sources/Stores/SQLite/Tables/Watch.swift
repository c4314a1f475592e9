//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Time

/// Refused calls and alarms.
extension SQLiteReading {
    func refusedCalls(_ query: RefusedCallQuery) throws -> [RefusedCall] {
        try self.connection.all(query.page(parameters), table: "refused_calls") { try RefusedCall(&$0) }
    }

    func observations(
        _ kind: Observation.Kind, of merchant: MerchantID, subject: String?, limit: Int
    ) throws -> [Observation] {
        guard let subject else {
            return try self.connection.records(
                observationsQuery, kind.rawValue, merchant.text, max(0, limit))
        }
        return try self.connection.records(
            subjectQuery, kind.rawValue, merchant.text, subject, max(0, limit))
    }

    func standingAlarms() throws -> [Alarm] { try self.connection.records(Alarm.standing) }

    func alarm(_ id: AlarmID) throws -> Alarm? { try self.connection.record(alarmQuery, id.text) }

    func alarms(before id: AlarmID?, limit: Int) throws -> [Alarm] {
        try self.connection.records(alarmsQuery, id?.text ?? "~", max(0, limit))
    }

    /// A file has no clock of its own.
    func storeTime() throws -> Timestamp? { nil }
}

extension SQLiteTransaction {
    func upsert(_ observation: Observation) throws {
        try self.connection.execute(observationUpsert, observation.columnValues)
    }

    func insert(_ call: RefusedCall) throws { try self.connection.execute(refusalInsert, call.columnValues) }

    func deleteRefusedCalls(before moment: Timestamp, keeping countMax: Int) throws {
        try self.connection.execute(refusalsDelete, moment.milliseconds, max(0, countMax))
    }

    func insert(_ alarm: Alarm) throws { try self.connection.execute(alarmInsert, alarm.columnValues) }

    func update(_ alarm: Alarm) throws {
        let changesCount = try self.connection.execute(alarmUpdate, alarm.values(of: Alarm.change.columns))
        guard changesCount == 1 else { throw StoreError.corrupt("alarms.id") }
    }

    func leaseAlarms(dueBy now: Timestamp, until leaseEnd: Timestamp, limit: Int) throws -> [Alarm] {
        let due: [Alarm] = try self.connection.records(dueAlarmsQuery, now.milliseconds, max(0, limit))
        return try due.map { alarm in
            var leased = alarm
            leased.dueAt = leaseEnd
            leased.attemptsCount += 1
            try self.update(leased)
            return leased
        }
    }

    func deleteAlarms(endedBefore moment: Timestamp) throws {
        try self.connection.execute("DELETE FROM alarms WHERE ended_at < ?", moment.milliseconds)
    }
}

private let observationsQuery = Observation.select(ofSubject: false, parameters)
private let subjectQuery = Observation.select(ofSubject: true, parameters)
private let observationUpsert = Observation.table.upsert(parameters)
private let refusalInsert = RefusedCall.table.insert(parameters)
private let refusalsDelete = "DELETE FROM refused_calls WHERE id IN (\(RefusedCall.expired(parameters)))"
private let alarmQuery = Alarm.table.select(by: .id, with: parameters)
private let alarmsQuery = Alarm.select(parameters)
private let alarmInsert = Alarm.table.insert(parameters)
private let alarmUpdate = Alarm.change.statement(parameters)
private let dueAlarmsQuery = "SELECT \(Alarm.table.names) FROM alarms WHERE due_at <= ? ORDER BY due_at, id LIMIT ?"
