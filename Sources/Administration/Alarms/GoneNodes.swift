//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Payments
import Time

/// What a node sees for itself it ends itself. Of a node that has been taken away for good the others do: a node says
/// on its standing alarms, every few minutes, that it is there, and what has not been said for an hour is over.
extension Administration {
    /// How old a sign of life becomes before it is renewed.
    static let signSeconds: Int64 = 300
    /// After how long without one a node is gone. More than a restart, a frozen machine or a database that fails over
    /// takes: a node that comes back after that begins its alarms anew.
    static let goneSeconds: Int64 = 3600

    /// Says that a node is there, and ends the alarms of those that are gone, each with a line in the audit log.
    ///
    /// - Parameters:
    ///   - node: who looks.
    ///   - endsOthers: `false` says no more than that it is there.
    /// - Returns: what has ended.
    /// - Throws: `StoreError`, `VaultError`.
    public func lookAfterNodes(as node: String, endsOthers: Bool) async throws -> [Alarm] {
        let (standing, now) = try await self.read { reader in
            (try reader.standingAlarms(), try self.time(of: reader))
        }
        if standing.contains(where: { $0.needsSign(of: node, at: now) }) {
            try await self.gateway.store.write { transaction in
                let now = try self.time(of: transaction)
                for var alarm in try transaction.standingAlarms() where alarm.needsSign(of: node, at: now) {
                    alarm.seenAt = now
                    try transaction.update(alarm)
                }
            }
        }
        guard endsOthers, standing.contains(where: { $0.isOfGoneNode(seenBy: node, at: now) }) else { return [] }
        return try await self.gateway.administer(AuditDraft(.alarmEnd, "")) { transaction, entry in
            // Each alarm has a line of its own.
            entry.isNothing = true
            let now = try self.time(of: transaction)
            var ended: [Alarm] = []
            for alarm in try transaction.standingAlarms() where alarm.isOfGoneNode(seenBy: node, at: now) {
                let over = alarm.endedWithItsNode(at: self.now())
                let lastSeen = alarm.seenAt?.rfc3339Seconds ?? ""
                try transaction.update(over)
                entry.others.append(
                    AuditDraft(.alarmEnd, alarm.id.text, ["reason": "node gone", "lastSeen": lastSeen]))
                ended.append(over)
            }
            return ended
        }
    }

    /// One clock for all nodes, where there is one: a node whose own is wrong ends nobody's alarms.
    private func time(of reader: some StoreReader) throws -> Timestamp { try reader.storeTime() ?? self.now() }
}

extension Alarm.Kind {
    /// Whether each node sees such a thing for itself.
    fileprivate var isOfOneNode: Bool {
        switch self {
        case .serverCertificate, .domain, .acquirer, .acquirerLink, .disk, .clock: true
        case .certificate, .wrongKey, .unknownOutcome, .deadWebhooks, .ledger, .audit, .work: false
        }
    }
}

extension Alarm {
    private func isOf(_ node: String) -> Bool {
        self.kind.isOfOneNode && AlarmScope(self.kind, node: node).holds(self)
    }

    fileprivate func needsSign(of node: String, at now: Timestamp) -> Bool {
        guard self.isOf(node) else { return false }
        return self.seenAt.map { now.milliseconds(since: $0) >= Administration.signSeconds * 1000 } ?? true
    }

    /// An alarm without a sign is one of a version that gave none: its node may well be there.
    fileprivate func isOfGoneNode(seenBy node: String, at now: Timestamp) -> Bool {
        guard let seenAt = self.seenAt, !self.isOf(node) else { return false }
        return now.milliseconds(since: seenAt) >= Administration.goneSeconds * 1000
    }

    /// Names no node: people of the merchant's read it, too.
    fileprivate func endedWithItsNode(at now: Timestamp) -> Alarm {
        var alarm = self.ended(at: now)
        if let seenAt = self.seenAt {
            alarm.text += " Node gone: the one that found this was last seen at \(seenAt.rfc3339Seconds)."
        }
        alarm.advice = ""
        return alarm
    }
}

/// Since when a node has looked without a break. One that has just been started, thawed or given its database back
/// leaves the others the time to say that they are there, too.
public struct NodeWatch: Sendable {
    static let quietMilliseconds: Int64 = 600_000
    /// Several looks are missing.
    static let breakMilliseconds: Int64 = 120_000

    private var since: Int64?
    private var last: Int64 = 0

    public init() {}

    /// A look that has succeeded.
    ///
    /// - Parameter steadyMilliseconds: of a clock that nobody sets.
    /// - Returns: whether it has looked for long enough to end what others have begun.
    public mutating func look(steadyMilliseconds now: Int64) -> Bool {
        let isBroken = now - self.last >= Self.breakMilliseconds
        let since = isBroken ? now : self.since ?? now
        (self.since, self.last) = (since, now)
        return now - since >= Self.quietMilliseconds
    }

    /// A look has failed.
    public mutating func fail() { self.since = nil }
}
