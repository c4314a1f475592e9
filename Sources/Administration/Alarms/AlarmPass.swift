//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Payments
import Time

/// What a pass has begun and ended.
public struct AlarmChanges: Hashable, Sendable {
    public internal(set) var begun: [Alarm] = []
    public internal(set) var ended: [Alarm] = []
    /// All that stand after it, of whatever kind.
    public internal(set) var standing: [Alarm] = []
}

extension Administration {
    /// How long an alarm is remembered once it has ended.
    private static let endedSeconds: Int64 = 90 * 86_400

    /// Compares what was found with the alarms that stand, in one commit: what is new begins, what nobody finds any
    /// more ends. Several nodes may do so at once; each alarm begins once and ends once.
    ///
    /// What has become worse ends without a word, and begins anew as the worse one. What has become better goes on
    /// standing, and says so.
    ///
    /// - Parameters:
    ///   - findings: all that there is in the scopes.
    ///   - scopes: what was looked at. Alarms of what was not stay as they are.
    ///   - reports: whether the operator has an address to which they are reported.
    /// - Throws: `StoreError`.
    public func updateAlarms(
        _ findings: [AlarmFinding], in scopes: Set<AlarmScope>, reports: Bool
    ) async throws -> AlarmChanges {
        let now = self.now()
        let gateway = self.gateway
        return try await gateway.store.write { transaction in
            var changes = AlarmChanges()
            var standing = try transaction.standingAlarms()
            var found: Set<AlarmName> = []
            for finding in findings.worstOfEach {
                guard let severity = Alarm.Severity(finding.finding.severity) else { continue }
                found.insert(AlarmName(finding.kind, finding.subject))
                let index = standing.firstIndex { $0.kind == finding.kind && $0.subject == finding.subject }
                if let index {
                    guard standing[index].isWorse(severity, step: finding.finding.step) else {
                        let updated = standing[index].saying(finding.finding, severity)
                            .reported(at: now, reports: reports)
                        if updated != standing[index] { try transaction.update(updated) }
                        standing[index] = updated
                        continue
                    }
                    var over = standing.remove(at: index)
                    (over.endedAt, over.isSuperseded, over.pendingMessage, over.dueAt) = (now, true, nil, nil)
                    try transaction.update(over)
                }
                var alarm = Alarm(
                    finding, severity, id: AlarmID(at: now, random: gateway.randomBytes(10)), at: now, reports: reports)
                if finding.node != nil { alarm.seenAt = try transaction.storeTime() ?? now }
                try transaction.insert(alarm)
                standing.append(alarm)
                changes.begun.append(alarm)
            }
            for alarm in standing where scopes.contains(where: { $0.holds(alarm) }) {
                guard !found.contains(AlarmName(alarm.kind, alarm.subject)) else { continue }
                let over = alarm.ended(at: now)
                try transaction.update(over)
                standing.removeAll { $0.id == alarm.id }
                changes.ended.append(over)
            }
            if !changes.ended.isEmpty, try gateway.mayActByTime(in: transaction) {
                try transaction.deleteAlarms(endedBefore: now.adding(seconds: -Self.endedSeconds))
            }
            changes.standing = standing
            return changes
        }
    }

    /// Ends an alarm that nobody looks after any more. It begins anew if it is found again. Its end is reported where
    /// its beginning was.
    ///
    /// - Throws: ``AdministrationError`` `alarm_unknown`; `StoreError`.
    @discardableResult
    public func endAlarm(_ id: AlarmID) async throws -> Alarm {
        let now = self.now()
        return try await self.gateway.administer(AuditDraft(.alarmEnd, id.text)) { transaction, _ in
            guard let alarm = try transaction.standingAlarms().first(where: { $0.id == id }) else {
                throw AdministrationError(.alarmUnknown, "No alarm with the id \(id) stands.")
            }
            let over = alarm.ended(at: now)
            try transaction.update(over)
            return over
        }
    }
}

private struct AlarmName: Hashable {
    let kind: Alarm.Kind
    let subject: String

    init(_ kind: Alarm.Kind, _ subject: String) {
        self.kind = kind
        self.subject = subject
    }
}

extension [AlarmFinding] {
    /// Of what is found of one thing the worst, or the first of those that are alike: in the order in which the things
    /// were found.
    fileprivate var worstOfEach: [AlarmFinding] {
        var places: [AlarmName: Int] = [:]
        var worst: [AlarmFinding] = []
        for finding in self {
            let name = AlarmName(finding.kind, finding.subject)
            if let place = places[name] {
                if finding.finding.isWorse(than: worst[place].finding) { worst[place] = finding }
            } else {
                places[name] = worst.count
                worst.append(finding)
            }
        }
        return worst
    }
}

extension Finding {
    /// More severe, or closer to its end.
    fileprivate func isWorse(than other: Finding) -> Bool {
        if self.severity != other.severity { return self.severity > other.severity }
        return (self.step ?? .max) < (other.step ?? .max)
    }
}

extension Alarm {
    fileprivate init(
        _ found: AlarmFinding, _ severity: Alarm.Severity, id: AlarmID, at now: Timestamp, reports: Bool
    ) {
        self.init(
            id: id, kind: found.kind, subject: found.subject, merchant: found.finding.merchant, severity: severity,
            code: found.finding.code, step: found.finding.step, text: found.finding.text,
            advice: found.finding.advice ?? "", begunAt: now, pendingMessage: reports ? .begun : nil,
            dueAt: reports ? now : nil)
    }

    /// The same with what is found of it now.
    fileprivate func saying(_ finding: Finding, _ severity: Alarm.Severity) -> Alarm {
        var alarm = self
        alarm.severity = severity
        alarm.code = finding.code
        alarm.step = finding.step
        alarm.text = finding.text
        alarm.advice = finding.advice ?? ""
        return alarm
    }

    /// Who has an address reports what was found when there was none, or by a node that has none.
    fileprivate func reported(at now: Timestamp, reports: Bool) -> Alarm {
        guard reports, self.pendingMessage == nil, self.attemptsCount == 0 else { return self }
        var alarm = self
        alarm.pendingMessage = .begun
        alarm.dueAt = now
        return alarm
    }

    /// Its end is reported where its beginning was, whoever finds it.
    func ended(at now: Timestamp) -> Alarm {
        var alarm = self
        alarm.endedAt = now
        // That it began is reported first, if nobody has taken that yet.
        guard alarm.pendingMessage == nil, alarm.attemptsCount > 0 else { return alarm }
        alarm.pendingMessage = .ended
        alarm.dueAt = now
        alarm.attemptsCount = 0
        return alarm
    }
}
