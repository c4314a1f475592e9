//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Time

/// Refused calls and alarms.
extension MemoryReading {
    func refusedCalls(_ query: RefusedCallQuery) throws -> [RefusedCall] {
        Array(
            self.state.refusedCalls.values.filter(query.fits).sorted { $0.id > $1.id }.prefix(max(0, query.limit)))
    }

    func observations(
        _ kind: Observation.Kind, of merchant: MerchantID, subject: String?, limit: Int
    ) throws -> [Observation] {
        let found = self.state.observations.values.filter { observation in
            observation.kind == kind && observation.merchantID == merchant
                && (subject.map { observation.subject == $0 } ?? true)
        }
        return Array(found.sorted { ($0.subject, $0.number) < ($1.subject, $1.number) }.prefix(max(0, limit)))
    }

    func standingAlarms() throws -> [Alarm] {
        self.state.alarms.values.filter { $0.endedAt == nil }.sorted { $0.id < $1.id }
    }

    func alarm(_ id: AlarmID) throws -> Alarm? { self.state.alarms[id] }

    func alarms(before id: AlarmID?, limit: Int) throws -> [Alarm] {
        let earlier = self.state.alarms.values.filter { alarm in id.map { alarm.id < $0 } ?? true }
        return Array(earlier.sorted { $0.id > $1.id }.prefix(max(0, limit)))
    }

    func storeTime() throws -> Timestamp? { nil }
}

extension MemoryTransaction {
    func upsert(_ observation: Observation) throws {
        self.put(observation, MemoryState.ObservationKey(observation), in: \.observations)
    }

    func insert(_ call: RefusedCall) throws {
        guard self.state.refusedCalls[call.id] == nil else { throw StoreError.duplicate("refused call id") }
        self.put(call, call.id, in: \.refusedCalls)
    }

    func deleteRefusedCalls(before moment: Timestamp, keeping countMax: Int) throws {
        let kept = Set(
            self.state.refusedCalls.values.sorted { $0.id > $1.id }.prefix(max(0, countMax))
                .filter { $0.at >= moment }.map(\.id))
        for id in self.state.refusedCalls.keys where !kept.contains(id) { self.put(nil, id, in: \.refusedCalls) }
    }

    func insert(_ alarm: Alarm) throws {
        guard self.state.alarms[alarm.id] == nil else { throw StoreError.duplicate("alarm id") }
        let isStanding = try self.standingAlarms().contains { $0.kind == alarm.kind && $0.subject == alarm.subject }
        guard alarm.endedAt != nil || !isStanding else { throw StoreError.duplicate("standing alarm") }
        self.put(alarm, alarm.id, in: \.alarms)
    }

    func update(_ alarm: Alarm) throws {
        guard let stored = self.state.alarms[alarm.id] else { throw StoreError.corrupt("alarms.id") }
        let changed = Alarm(
            id: stored.id, kind: stored.kind, subject: stored.subject, merchant: stored.merchant,
            severity: alarm.severity, code: alarm.code, step: alarm.step, text: alarm.text, advice: alarm.advice,
            begunAt: stored.begunAt, seenAt: alarm.seenAt, endedAt: alarm.endedAt, isSuperseded: alarm.isSuperseded,
            pendingMessage: alarm.pendingMessage, dueAt: alarm.dueAt, attemptsCount: alarm.attemptsCount)
        self.put(changed, alarm.id, in: \.alarms)
    }

    func leaseAlarms(dueBy now: Timestamp, until leaseEnd: Timestamp, limit: Int) throws -> [Alarm] {
        let due = self.state.alarms.values.compactMap { alarm in alarm.dueAt.map { (dueAt: $0, alarm: alarm) } }
            .filter { $0.dueAt <= now }.sorted { ($0.dueAt, $0.alarm.id) < ($1.dueAt, $1.alarm.id) }
        return due.prefix(max(0, limit)).map { _, alarm in
            var leased = alarm
            leased.dueAt = leaseEnd
            leased.attemptsCount += 1
            self.put(leased, alarm.id, in: \.alarms)
            return leased
        }
    }

    func deleteAlarms(endedBefore moment: Timestamp) throws {
        for alarm in self.state.alarms.values {
            if let endedAt = alarm.endedAt, endedAt < moment { self.put(nil, alarm.id, in: \.alarms) }
        }
    }
}

extension RefusedCallQuery {
    fileprivate func fits(_ call: RefusedCall) -> Bool {
        if let merchantID = self.merchantID, call.merchantID != merchantID { return false }
        if let dialect = self.dialect, call.dialect != dialect { return false }
        if let code = self.code, call.code != code, call.wireCode != code { return false }
        if let stage = self.stage, call.stage != stage { return false }
        if let hash = self.publicKeyHash, call.publicKeyHash != hash { return false }
        if let id = self.id, call.id != id { return false }
        if let requestID = self.requestID, call.requestID != requestID { return false }
        if let from = self.from, call.at < from { return false }
        if let to = self.to, call.at >= to { return false }
        return self.before.map { call.id < $0 } ?? true
    }
}
